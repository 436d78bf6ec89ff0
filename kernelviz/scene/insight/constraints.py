"""A page about constraints: a function with level lines, one constraint that can be moved, and the conditions
at the optimum; next to them the same conditions for the points of an SVM.

The SVM minimises ½‖w‖² subject to a constraint z·s(x) − 1 ≥ 0 for each point. Its multipliers are the weights
αᵢ: 0 for points beyond the margin, whose constraint is inactive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from kernelviz.engine.algorithms.hard_margin import HardMarginSVM
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.analysis.constraints import CENTRE, CURVATURE, ConstrainedOptimum
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import choice, flag, real
from kernelviz.engine.fields.contours import level_lines
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.axes import ink
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import draw_arrow, pen, tinted
from kernelviz.scene.figure.text import draw_text
from kernelviz.scene.layers import NEUTRAL, Contours, Coordinates, Layer
from kernelviz.scene.nodes import Hit, WithSquare
from kernelviz.scene.plots import Field
from kernelviz.scene.rows import NamedValue, ValueRows
from kernelviz.scene.view import Intent, Now, Scene, Set, View, ViewMemory
from kernelviz.scene.wording import named, shown
from kernelviz.session.view import ViewRange

VIEW = ViewRange(-2.0, 2.0, -2.0, 2.0)
WALK = np.linspace(-1.5, 1.5, 7)  # Places along g = 0 where the slope of f is drawn faintly.
COORDINATES = ("x₁", "x₂")
MINIMUM, MAXIMUM = "minimum", "maximum"
NO_SVM = "Choose a hard or soft margin to see the same conditions at every point."


@dataclass(frozen=True)
class ConstraintsView(View):
    """Dragging in the picture moves the line g = 0; the angle turns it."""

    name = "constraints"
    title = "Constraints"
    family = "Fit"
    summary_line = "A function, a constraint to move, and the conditions at the optimum: those of the SVM."
    number = 21
    follows_point = True
    drags = True
    scrolls = True
    undoable = True

    optimum: str = choice(MINIMUM, (MINIMUM, MAXIMUM), label="Find the", help="Minimise or maximise f")
    equality: bool = flag(False, label="g = 0", help="The constraint is an equality instead of g ≥ 0")
    t: float = real(
        1.0, low=-2.0, high=2.0, label="t", help="Where the constraint u·x − t ≥ 0 begins; dragging moves it"
    )
    angle: float = real(30.0, low=-180.0, high=180.0, label="angle", help="The direction u of ∇g, in degrees")

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        return self._shown(_of_svm(frame, now.point))

    def without_fit(self, failure: Failure | None, now: Now, memory: ViewMemory) -> Scene:
        """Return the page without the part about the SVM."""
        return super().without_fit(failure, now, memory) if failure is None else self._shown(())

    def _shown(self, of_svm: tuple[NamedValue, ...]) -> Scene:
        problem = ConstrainedOptimum(self.angle, self.t, self.optimum == MAXIMUM, self.equality)
        node_count, level_count = 81, 7
        side = np.linspace(VIEW.left, VIEW.right, node_count)
        nodes = np.stack(np.meshgrid(side, side), axis=-1)
        values = problem.f(nodes.reshape(-1, 2)).reshape(node_count, node_count)
        lines = level_lines(side, side, values, level_count)
        levels = Contours(values, VIEW, float(np.abs(values).max()), NEUTRAL, lines=lines, part="levels")
        constraint = Constraint(part="constraint", problem=problem)
        field = Field(part="plane", view=VIEW, ground=(levels,), layers=(constraint,), title=_title(problem))
        remarks = () if of_svm else (NO_SVM,)
        rows = ValueRows(items=_conditions(problem), more=of_svm, remarks=remarks, largest=1.0)
        drag = "Drag to move the constraint."
        return Scene(WithSquare(field, rows), tip=drag)

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        if hit.at is None or hit.part not in ("plane", "constraint"):
            return super().on_click(hit, now)
        moved = float(np.dot(ConstrainedOptimum(self.angle, 0.0).normal, hit.at))
        return Set("t", round(min(max(moved, -2.0), 2.0), 2))


def _title(problem: ConstrainedOptimum) -> str:
    what = "largest" if problem.maximum else "smallest"
    return f"{what} f where g {'=' if problem.equality else '≥'} 0"


def _conditions(problem: ConstrainedOptimum) -> tuple[NamedValue, ...]:
    """Return the numbers and the conditions at the optimum."""
    x, lam, g = problem.place, problem.multiplier, float(problem.g(problem.place))
    g = 0.0 if abs(g) < 1e-12 else g
    lagrangian, gradients = ("f + λg", "∇f = −λ∇g") if problem.maximum else ("f − λg", "∇f = λ∇g")
    if problem.equality:
        state, sign = "always active", "any sign"
    else:
        state, sign = "active" if problem.active else "inactive", "≥ 0"
    return (
        NamedValue("f", _formula(problem)),
        NamedValue("g", _line(problem)),
        NamedValue("constraint", state),
        NamedValue("optimum x", f"({shown(float(x[0]), 3)}, {shown(float(x[1]), 3)})"),
        NamedValue("f(x)", shown(float(problem.f(x)), 3)),
        NamedValue("g(x)", shown(g, 3)),
        NamedValue("multiplier λ", f"{shown(lam, 3)} ({sign})"),
        NamedValue("λ g(x)", shown(lam * g, 3)),
        NamedValue(gradients, f"L = {lagrangian} is stationary"),
    )


def _formula(problem: ConstrainedOptimum) -> str:
    """Return f as a sum of squares."""
    squares = []
    for name, a, c in zip(COORDINATES, CURVATURE.tolist(), CENTRE.tolist(), strict=True):
        half = "½" if a == 1.0 else _factor(0.5 * a)
        squares.append(f"{half}({name} {_signed(-c)})²")
    sign = "−" if problem.maximum else ""
    return f"{sign}{squares[0]} {sign or '+'} {squares[1]}"


def _line(problem: ConstrainedOptimum) -> str:
    """Return g as u·x − t, with the numbers of u and t."""
    (u1, u2), t = problem.normal.round(2).tolist(), round(problem.t, 2)
    return f"{_factor(u1)}{COORDINATES[0]} {_signed(u2, COORDINATES[1])} {_signed(-t)}"


def _factor(a: float) -> str:
    return "" if a == 1.0 else shown(a, 3)


def _signed(a: float, name: str = "") -> str:
    """Return a term with its sign, to follow another term."""
    size = abs(a)
    return f"{'−' if a < 0 else '+'} {_factor(size) if name else shown(size, 3)}{name}"


def _of_svm(frame: Frame, point: int | None) -> tuple[NamedValue, ...]:
    """Return the conditions of a fitted SVM and of the highlighted point; nothing for other fits."""
    table, numbers = frame.table, frame.model.numbers
    alpha, product, norm = table.alpha, table.product, numbers["norm"]
    how = frame.model.algorithm
    hard = isinstance(how, HardMarginSVM)
    svm = isinstance(how, HardMarginSVM | SoftMarginSVM)
    if not svm or alpha is None or product is None or norm is None:
        return ()
    f, objective = ("½‖w‖²", 0.5 * norm**2) if hard else ("½‖w‖² + CΣξᵢ", numbers["primal_objective"])
    active = int(np.count_nonzero(alpha > 0))
    items = [
        NamedValue(f"the SVM: f = {f}", "–" if objective is None else shown(objective, 3)),
        NamedValue(f"zᵢ s(xᵢ) − 1{'' if hard else ' + ξᵢ'} ≥ 0", f"{len(alpha)} points"),
        NamedValue("multipliers", "αᵢ ≥ 0" if hard else "αᵢ from 0 to C"),
        NamedValue("active, αᵢ > 0", f"{active} support vectors"),
        NamedValue("inactive, αᵢ = 0", f"{len(alpha) - active} points"),
    ]
    if point is not None and point < len(alpha):
        g, zero = float(product[point]) - 1.0, frame.model.accuracy
        state = f"z·s − 1 = {shown(g, 3, zero)}, α = {shown(float(alpha[point]), 3)}"
        items.append(NamedValue(named(frame.data, point), state))
    return tuple(items)


@dataclass(frozen=True, eq=False, kw_only=True)
class Constraint(Layer):
    """The forbidden side of a constraint, its line, the optimum, and the gradients there."""

    problem: ConstrainedOptimum

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        problem, style, theme = self.problem, axes.style, axes.style.theme
        u = problem.normal
        along, foot = np.array([-u[1], u[0]]), problem.t * u
        painter.setClipRect(axes.inner)
        far = 8.0  # Beyond the edges of the picture.
        if not problem.equality:
            ends = [foot + far * along, foot - far * along]
            corners = [*ends, ends[1] - far * u, ends[0] - far * u]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tinted(theme.soft_ink, 0.28))
            painter.drawPolygon(QPolygonF([self._at(axes, corner) for corner in corners]))
        painter.setPen(pen(theme.boundary, 0.8 * style.boundary_width))
        painter.drawLine(QLineF(self._at(axes, foot - far * along), self._at(axes, foot + far * along)))
        for place in foot + WALK[:, None] * along:
            self._arrow(axes, painter, place, problem.gradient(place), "soft_ink", 0.8)
        x = problem.place
        # For a minimum the two coincide, so the lower one is thicker.
        self._arrow(axes, painter, x, problem.multiplier * u, "shade 0.5 positive", 4.5, "λ∇g")
        self._arrow(axes, painter, x, problem.gradient(x), "negative", 1.8, "∇f" if problem.maximum else "")
        aside = x - problem.g(x) * u + np.outer((0.9, -0.9), along)  # on g = 0, on either side of the optimum
        nearer = aside[np.argmin(np.abs(aside).max(axis=1))]
        self._arrow(axes, painter, nearer, u, "boundary", 1.6, "∇g")
        painter.setPen(Qt.PenStyle.NoPen)
        for place, colour, size in ((CENTRE, theme.soft_ink, 0.3), (x, theme.highlight, 0.45)):
            painter.setBrush(QColor(colour))
            painter.drawEllipse(self._at(axes, place), size * style.text, size * style.text)

    @staticmethod
    def _at(axes: Coordinates, place: Array) -> QPointF:
        return QPointF(*axes.at(float(place[0]), float(place[1]))[0].tolist())

    def _arrow(
        self,
        axes: Coordinates,
        painter: QPainter,
        begin: Array,
        by: Array,
        role: str,
        width: float,
        name: str = "",
    ) -> None:
        """Draw a vector from a place on, and its name; nothing for one without a length."""
        style = axes.style
        arrow_length = 0.55  # Of an arrow for a gradient of length 1, in units of the plane.
        start, end = self._at(axes, begin), self._at(axes, begin + arrow_length * by)
        length = QLineF(start, end).length()
        if length < 1.0:
            return
        painter.setPen(pen(ink(style.theme, role), width * style.strokes))
        head = 0.5  # Length of an arrow's head, in units of the type.
        draw_arrow(painter, start, end, min(head * style.text, 0.5 * length), 0.5)
        if name:
            draw_text(painter, style, end + QPointF(0.4, -0.4) * style.text, name, bold=True)
