"""A kernel as a function of one input while the other is fixed: K(x₀, ·).

This is what one training point contributes to a fit, s(x) = b + Σ βᵢ K(xᵢ, x). The view has four faces: one
point, all points for three widths, the Gaussian or the exponential degree by degree, and the parts of a
composed kernel. None of them needs a fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.engine.analysis.functions import response, taylor_sums, unfitted
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import REAL, choice
from kernelviz.engine.kernels.base import Composite, Kernel
from kernelviz.engine.kernels.dot_products import Exponential
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Model
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.axes import Axis, Curve
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.landscape import ANY_HEIGHT, can_be_drawn, landscape, steady_extent
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.nodes import Hit, Node, Tiles
from kernelviz.scene.painter import Layout
from kernelviz.scene.plot_layers import Lines
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import Intent, Keys, Now, Scene, Set, View, ViewMemory, message
from kernelviz.scene.wording import readable, shown
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import workspace_of

FACTORS = (1 / 8, 1.0, 8.0)  # Multiples of the width's parameter, drawn side by side.
TAYLOR_DEGREES = (0, 1, 2, 4, 8)  # Taylor sums that are drawn, from pale to strong.
SECTION_NODES = 161  # Inputs along a section.
KEY_STEP, LARGE_KEY_STEP = 0.01, 0.1  # How far a key moves x₀, and with Shift, as a share of the extent.
KEY_MOVES = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


@dataclass(frozen=True)
class ResponseView(View):
    """K(x₀, ·) around an input x₀ that is moved: by a click or a drag in a function, or by the arrow keys
    in small steps.

    `ResponseView(face="parts", x0=(0.5, -0.25))` shows every part of a sum or product around that input. An
    x₀ of another dimension than the points is ignored: it belongs to other data."""

    name = "response"
    title = "Kernel response"
    family = "Geometry"
    summary_line = "K(x₀, ·) around a point that you move: its section, widths, degrees and parts."
    number = 16
    domains = ("vectors",)
    in_background = True
    drags = True
    keys = (
        Keys(
            frozenset(KEY_MOVES),
            "Arrow keys",
            "in Kernel response, after a click: move x₀, with Shift in large steps",
        ),
    )

    face: str = choice(
        "one point",
        ("one point", "three widths", "Taylor sums", "parts"),
        label="Show",
        help="K(x₀, ·), x₀ moved by the mouse; the sum over all points for three widths; the Gaussian degree "
        "by degree; or the parts of a composed kernel",
    )
    x0: tuple[float, ...] | None = None  # Where x₀ is; at the first point until it is moved.

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        return self._shown(frame.model, memory)

    def without_fit(self, failure: Failure | None, now: Now, memory: ViewMemory) -> Scene:
        """Return the functions all the same: they need only kernel and points."""
        if failure is None or not failure.request.data.n:
            return super().without_fit(failure, now, memory)
        fit = failure.request.fits[failure.fit]
        try:
            return self._shown(unfitted(failure.request.data, fit.kernel, fit.algorithm), memory)
        except BadInput as problem:
            return message(str(problem))

    def _shown(self, model: Model, memory: ViewMemory) -> Scene:
        data = model.problem.data
        if not can_be_drawn(data) or not data.n:
            return message(
                "The kernel response is drawn for inputs in the plane or on a line, not for strings."
            )
        around = _Around(model, np.array([self._place_among(data.X)]), memory)
        draw = {
            "one point": around.one_point,
            "three widths": around.three_widths,
            "Taylor sums": around.taylor_sums,
            "parts": around.parts,
        }
        try:
            return Scene(Tiles(tuple(draw[self.face]()), gap=1.0))
        except BadInput as problem:
            return message(str(problem))

    def _place_among(self, X: Array) -> tuple[float, ...]:
        """Return x₀ with as many coordinates as the points have."""
        if self.x0 is not None and len(self.x0) == np.shape(X)[1]:
            return self.x0
        return tuple(X[0].tolist())

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        movable = self.face != "three widths" and hit.part.partition("function")[1]
        if hit.at is None or not movable or now.document is None:
            return None
        data = now.document.data
        return _moved(hit.at[: np.shape(data.X)[1]], workspace_of(data).extent(data))

    def on_key(self, key: Qt.Key, shift: bool, now: Now, layout: Layout) -> Intent | None:
        function = layout.get("function 1")
        if not isinstance(function, Coordinates) or now.document is None or self.face == "three widths":
            return None
        data, view = now.document.data, steady_extent(now.document.data, ViewMemory())
        right, up = (LARGE_KEY_STEP if shift else KEY_STEP) * np.array(KEY_MOVES[key])
        steps = right * (view.right - view.left), up * (view.top - view.bottom)
        return _moved([x + step for x, step in zip(self._place_among(data.X), steps, strict=False)], view)


def _moved(place: Sequence[float], view: ViewRange) -> Set:
    """Return that x₀ moves to a place, as far as is seen."""
    ends = (view.left, view.right), (view.bottom, view.top)
    inside = (min(max(x, low), high) for x, (low, high) in zip(place, ends, strict=False))
    return Set("x0", tuple(map(float, inside)))


@dataclass(frozen=True, eq=False)
class _Around:
    """Draws a model's kernel around x₀."""

    model: Model
    x0: Array  # (1, p)
    memory: ViewMemory

    @property
    def kernel(self) -> Kernel:
        return self.model.problem.kernel

    # The faces ------------------------------------------------------------------------------------------
    def one_point(self) -> list[Node]:
        """Return K(x₀, ·) and, on the plane, its section through x₀ along the first axis."""
        nodes = [self._function(self.kernel, self.x0, 1, f"K(x₀, ·), {readable(self.kernel)}")]
        if self.x0.shape[1] > 1:
            x, inputs = self._along()
            name = f"K(x₀, ·) where x₂ = {shown(float(self.x0[0, 1]), 3)}"
            nodes.append(self._section(x, {name: self.kernel(inputs, self.x0)[:, 0]}))
        return nodes

    def three_widths(self) -> list[Node]:
        """Return Σᵢ K(xᵢ, ·) over the points for three values of the first parameter that has a logarithmic
        scale, which is the one that sets the width: an eighth of it, itself, and eight times it.

        BadInput if the kernel has no parameter of that kind."""
        scaled = [p for p in self.kernel.parameters() if p.kind is REAL and p.scale == "log"]
        if not scaled:
            raise BadInput(f"{readable(self.kernel)} has no width to change.")
        parameter, X = scaled[0], self.model.problem.X
        # Points whose kernels are added up for each width; of more points every so-many-th.
        most_centres = 500
        centres = X[np.linspace(0, len(X) - 1, min(len(X), most_centres)).astype(np.intp)]
        nodes = []
        for k, factor in enumerate(FACTORS, start=1):
            value = factor * float(getattr(self.kernel, parameter.name))
            value = min(max(value, parameter.low), parameter.high)
            changed = self.kernel.replace(**{parameter.name: value})
            nodes.append(self._function(changed, centres, k, f"{parameter.label} = {shown(value, 3)}"))
        return nodes

    def taylor_sums(self) -> list[Node]:
        """Return the Gaussian or the exponential kernel and a section through it and through its Taylor sums
        of several degrees, which are the kernels of all monomials up to a degree.

        BadInput for any other kernel."""
        kernel = self.kernel
        if not isinstance(kernel, Gaussian | Exponential):
            raise BadInput("Taylor sums are shown for two kernels: choose rbf or exponential.")
        x, inputs = self._along()
        sums = taylor_sums(kernel, inputs, self.x0[0], max(TAYLOR_DEGREES))
        curves = {str(degree): sums[degree] for degree in TAYLOR_DEGREES}
        curves[kernel.title.partition(" ")[0]] = kernel(inputs, self.x0)[:, 0]
        function = self._function(kernel, self.x0, 1, f"K(x₀, ·), {readable(kernel)}")
        return [function, self._section(x, curves, "degree")]

    def parts(self) -> list[Node]:
        """Return the parts of a sum or a product, and the whole."""
        if not isinstance(self.kernel, Composite):
            raise BadInput("This kernel has no parts. Add or multiply another kernel to see some.")
        most_parts = 5
        drawn = (*self.kernel.parts[: most_parts - 1], self.kernel)
        return [self._function(part, self.x0, k, readable(part)) for k, part in enumerate(drawn, start=1)]

    # What they consist of -------------------------------------------------------------------------------
    def _function(self, kernel: Kernel, centres: Array, number: int, title: str) -> Node:
        """Return the sum of K(c, ·) over some centres c, given as an (m, p) array, as a landscape.

        `number` counts the functions of a scene from 1. BadInput if the values are no finite numbers."""
        data = self.model.problem.data
        near = 5.0  # How near the mouse has to be to find a point.
        drawn = landscape(
            response(kernel, centres, self.model.algorithm),
            data,
            title,
            self.memory,
            values=kernel(data.X, centres).sum(axis=1),
            part=f"function {number}",
            key=(kernel, centres.tobytes()),
            layers=(Centres(part="centres", inputs=self.x0),) if centres is self.x0 else (),
            found=True,
            reach=near,
        )
        if drawn is None:
            raise BadInput("This kernel is too large to be drawn here.")
        return drawn

    def _along(self) -> tuple[Array, Array]:
        """Return abscissae, (SECTION_NODES,), and the inputs on the line through x₀ along the first axis,
        (SECTION_NODES, p)."""
        view = steady_extent(self.model.problem.data, self.memory)
        x = np.linspace(view.left, view.right, SECTION_NODES)
        inputs = np.repeat(self.x0, SECTION_NODES, axis=0)
        inputs[:, 0] = x
        return x, inputs

    def _section(self, x: Array, values: dict[str, Array], title: str = "") -> Plot:
        """Return a plot of curves; the last is drawn in full, those before it paler and dashed."""
        *others, last = values
        curves = {
            name: Curve(name, f"shade {0.3 + 0.6 * (k + 1) / len(others):.2f} highlight", 1.4, (4.0, 2.0))
            for k, name in enumerate(others)
        }
        curves[last] = Curve(last, "boundary", 1.8)
        return Plot(
            part="section",
            x=Axis(float(x[0]), float(x[-1]), "x₁" if self.x0.shape[1] > 1 else "x"),
            y=self.memory.axis("section", ANY_HEIGHT, np.concatenate(list(values.values()))),
            ground=tuple(
                Lines(part=name, x=x, y=y, curve=curves[name], number="") for name, y in values.items()
            ),
            legend_title=title,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Centres(Layer):
    """Fixed inputs: a ring with a dot on the plane, a line from top to bottom across a curve."""

    inputs: Array  # (m, p)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, room = axes.style, axes.inner
        painter.setPen(pen(style.theme.highlight, 1.6 * style.strokes))
        for x, y in axes.at(self.inputs[:, 0], self.inputs[:, -1]).tolist():
            if self.inputs.shape[1] == 1:
                painter.drawLine(QLineF(x, room.top(), x, room.bottom()))
                continue
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(x, y), 0.7 * style.text, 0.7 * style.text)
            painter.setBrush(QColor(style.theme.highlight))
            painter.drawEllipse(QPointF(x, y), 0.2 * style.text, 0.2 * style.text)
