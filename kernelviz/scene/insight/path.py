"""The regularisation path: the weight of every point, and the errors, against C or λ.

Between two breakpoints all weights of a soft margin are linear in C. The path is computed as long work, and
does not depend on where on it the fit stands."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter, QPen

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import Parameter
from kernelviz.engine.numbers.declared import label
from kernelviz.engine.selection.tunable import short
from kernelviz.runtime.background_results import PathCurves, PathRun, path_parameter
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve, decades, written
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen, polygon
from kernelviz.scene.insight.parts.errors import HELD_OUT, TRAINING, error_axis
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.nodes import Hit, Marks, Size, Stack
from kernelviz.scene.plot_layers import Lines, Upright
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import ChangeDocument, DocumentView, Intent, Needed, Now, Scene, ViewMemory, message
from kernelviz.scene.wording import Remark, error_shown, shown
from kernelviz.session.state import Document

LEVEL = 1e-3  # A share of C below which a line is level.


@dataclass(frozen=True)
class PathView(DocumentView):
    """Two plots above each other along the same axis, with the present value marked. Press or drag anywhere:
    C, λ or the noise follows the mouse, and the canvas with it."""

    name = "path"
    title = "Regularisation path"
    family = "Generalise"
    summary_line = "Every weight and the errors for all C; drag to move the canvas along."
    number = 14
    computes = True
    drags = True

    def needs(self, document: Document, frame: Frame | None) -> Needed | None:
        """Return the path to be computed; a drag along it needs no other one."""
        price, held = path_parameter(document.algorithm), document.held_out
        if price is None or not document.data.n:
            return None
        test = None if held is None else held.data
        # The number the path runs along plays no part, unless it lies beyond the path.
        fixed, value = document.algorithm.replace(**{price.name: price.default}), _present(document, price)
        beyond = not price.soft[0] <= value <= price.soft[1]
        key = (str(document.kernel), str(fixed), document.data, test, value if beyond else None)
        return Needed(key, lambda: PathRun(document.data, document.fit, test))

    def scene(self, frame: Frame | None, now: Now, memory: ViewMemory) -> Scene:
        """Return the path with an upright line where the fit stands. Until a new path is known, the last
        one stays."""
        assert now.document is not None
        price = path_parameter(now.document.algorithm)
        no_path = "The soft-margin SVM has a path over C, ridge and the Gaussian process one over λ."
        if price is None:
            return message(no_path)
        # Until a new path is known the last one stays.
        along: PathCurves | None = memory.recall("path") if now.result is None else now.result
        if along is None or along.parameter.name != price.name:
            return message("The path is computed when you stop editing.")
        memory.note("path", along)
        count = 0 if along.breakpoints is None else len(along.breakpoints)
        meaning = "Between two of them every weight is linear in C. Drag to move along the path."
        remark = Remark(
            along.ends or (f"{count} breakpoints" if count else ""),
            meaning if count else "Drag to move along the curve.",
        )
        return Scene(path_plots(along, _present(now.document, price)), remark=remark)

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        """Set the number to the value at a place of the path."""
        document, along = now.document, now.result
        price = None if document is None else path_parameter(document.algorithm)
        if hit.at is None or document is None or price is None or along is None:
            return None
        value = short(float(np.clip(hit.at[0], along.values[0], along.values[-1])))
        value = min(max(value, price.low), price.high)
        if value == _present(document, price):
            return None
        algorithm = document.algorithm.replace(**{price.name: value})
        return ChangeDocument(f"change {price.label}", document.replace(algorithm=algorithm))


def _present(document: Document, price: Parameter) -> float:
    """Return the value of the parameter that the path runs along."""
    return float(document.algorithm.values()[price.name])


def path_plots(along: PathCurves, value: float) -> Stack:
    """Return the weights above and the errors below, with the numbers of the fit at a value."""
    here = along.at(value)
    upper = 0.55  # Share of the height for the weights.
    return Stack(((_upper(along, here, value), Size(share=upper)), (_lower(along, here, value), None)))


def _upper(along: PathCurves, here: PathCurves | None, value: float) -> Plot:
    """Return the plot of the weights, of the degrees of freedom, and of the margin on an axis of its own."""
    lines: list[Layer] = [Weights(part="weights", along=along)] if along.weights is not None else []
    name = "degrees of freedom / n" if along.weights is None else label("support_vectors")
    freedom_curve, margin_curve = Curve("", "ink", 1.6, (1.5, 2.5)), Curve("", "highlight", 1.1, (4.0, 2.0))
    entries = [] if here is None else [(replace(freedom_curve, name=name), f"{100 * here.freedom[0]:.3g} %")]
    brief = [*entries]
    lines.append(Lines(part="freedom", x=along.values, y=along.freedom, curve=freedom_curve))
    if along.margin is not None:
        lines.append(Lines(part="margin", x=along.values, y=relative(along.margin), curve=margin_curve))
    if here is not None and here.margin is not None and along.margin is not None:
        name, margin = f"{label('margin_width')} 1/‖w‖", shown(float(here.margin[0]), 4)
        low, high = map(shown, decades(along.margin))
        entries.append((replace(margin_curve, name=f"{name} (from {low} to {high}, logarithmic)"), margin))
        brief.append((replace(margin_curve, name=name), margin))
    if along.breakpoints is not None:
        lines.append(Breakpoints(part="breakpoints", x=along.breakpoints))
    if here is None:
        entries = [written(f"beyond the path: {along.parameter.label}", shown(value, 4))]
    elif here.likelihood is not None:
        likelihood = shown(float(here.likelihood[0]), 4)
        entries.append(written(label("log_marginal_likelihood"), likelihood))
    return Plot(
        part="upper",
        x=Axis(float(along.values[0]), float(along.values[-1]), log=True, bare=True),
        y=Axis(0.0, 1.0, "freedom" if along.weights is None else "αᵢ / C"),
        ground=tuple(lines),
        layers=(Upright(part="present", x=value, width=1.4),),
        legend=tuple(entries),
        shorter=(tuple(brief),) if len(brief) > 1 else (),
    )


def _lower(along: PathCurves, here: PathCurves | None, value: float) -> Plot:
    """Return the plot of the errors. Those of squares are shown up to a multiple of their median, since those
    of nearly singular systems are huge."""
    errors, numbers = _errors(along), [None] * 3 if here is None else [float(y[0]) for _, y in _errors(here)]
    highest = 0.0
    beyond = 10.0  # Errors beyond this multiple of their median are off the scale.
    for _, values in errors:
        finite = values[np.isfinite(values)]
        usual = beyond * float(np.median(finite)) if along.squares and len(finite) else 0.0
        highest = max(highest, min(float(finite.max(initial=0.0)), usual or np.inf))
    lines = (
        Lines(
            part=curve.name,
            x=along.values,
            y=values,
            curve=curve,
            number=None if number is None else error_shown(number, along.squares),
        )
        for (curve, values), number in zip(errors, numbers, strict=False)
    )
    return Plot(
        part="lower",
        x=Axis(float(along.values[0]), float(along.values[-1]), along.parameter.label, log=True),
        y=error_axis(highest, along.squares),
        ground=tuple(lines),
        layers=(Upright(x=value, width=1.4),),
    )


def _errors(along: PathCurves) -> list[tuple[Curve, Array]]:
    """Return the curves of the lower plot."""
    found = [(TRAINING, along.training)]
    if along.left_out is not None:
        dash = () if along.held_out is None else (1.0, 2.0)
        found.insert(0, (replace(HELD_OUT, name="leave-one-out error", dash=dash), along.left_out))
    if along.held_out is not None:
        found.insert(0, (HELD_OUT, along.held_out))
    return found


def relative(widths: Array) -> Array:
    """Return the logarithms of the half-widths, 0 and 1 at the powers of ten around all of them."""
    low, high = np.log(decades(widths))
    with np.errstate(divide="ignore"):
        logs = np.log(np.where(np.isfinite(widths) & (widths > 0.0), widths, np.nan))
    return np.asarray((logs - low) / (high - low))


@dataclass(frozen=True, eq=False, kw_only=True)
class Breakpoints(Layer):
    """A short mark below the axis for each breakpoint."""

    x: Array

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        tick = 0.45  # Length of the mark of a breakpoint, in units of the type size.
        style, long = axes.style, tick * axes.style.text
        painter.setPen(pen(style.theme.soft_ink, 0.5 * style.strokes))
        feet = axes.at(self.x, np.zeros(len(self.x))).tolist()
        painter.drawLines([QLineF(x, y, x, y + long) for x, y in feet])


@dataclass(frozen=True, eq=False, kw_only=True)
class Weights(Layer):
    """A line for the weight of each point, in the colour of its class."""

    along: PathCurves

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        along, style = self.along, axes.style
        assert along.weights is not None
        assert along.signs is not None
        n = along.weights.shape[1]
        faint = 0.55  # Opacity of the line of a point: many lie upon each other.
        inks = {
            sign: pen(colour, 0.7 * style.strokes, alpha=faint)
            for sign, colour in ((True, style.theme.positive), (False, style.theme.negative))
        }
        most_lines = 300  # Weights drawn; of more points every so-many-th.
        for i in sorted({round(i) for i in np.linspace(0, n - 1, min(n, most_lines)).tolist()}):
            self._draw_line(axes, painter, i, inks[bool(along.signs[i] > 0)])

    def _draw_line(self, axes: Coordinates, painter: QPainter, i: int, ink: QPen) -> None:
        assert self.along.weights is not None
        weight = self.along.weights[:, i]
        moves = np.abs(np.diff(weight)) > LEVEL
        kept = np.r_[True, moves] | np.r_[moves, True]
        painter.setPen(ink)
        painter.drawPolyline(polygon(axes.at(self.along.values[kept], weight[kept])))

    def mark(self, axes: Coordinates, painter: QPainter, marks: Marks) -> None:
        assert self.along.weights is not None
        ink = pen(axes.style.theme.highlight, 2.0 * axes.style.strokes)
        for i in marks.among(self.along.weights.shape[1]):
            self._draw_line(axes, painter, i, ink)

    def hit(self, axes: Coordinates, at: QPointF) -> Hit | None:
        """Return the point whose line is nearest, above or below the place."""
        weights, values = self.along.weights, self.along.values
        if weights is None or not axes.inner.contains(at):
            return None
        across = axes.at(values, np.zeros(len(values)))[:, 0]
        row = weights[int(np.argmin(np.abs(across - at.x())))]
        away = np.abs(axes.at(np.full(len(row), values[0]), row)[:, 1] - at.y())
        away[(row <= LEVEL) | (row >= 1.0 - LEVEL)] = np.inf  # there all lie upon each other
        i = int(np.argmin(away))
        near = 6.0  # Points around a line within which the mouse finds it.
        return Hit(self.part, (i,)) if away[i] <= near else None
