"""The dual weights, largest first; or each point at its weight and score, where it must be at the optimum.

At the optimum of a soft margin αᵢ = 0 goes with z·s ≥ 1, 0 < αᵢ < C with z·s = 1, and αᵢ = C with z·s ≤ 1.
In the plane of weight and z·s these places are a staircase, and a point off it violates its condition."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import choice
from kernelviz.engine.models.base import Model
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve, SteadyRange, written
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen, polygon
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.landscape import points_of
from kernelviz.scene.layers import Coordinates, Layer, class_ink
from kernelviz.scene.nodes import Either, Size, Stack
from kernelviz.scene.plot_layers import Bars, Lines
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import Now, Scene, View, ViewMemory, each_pair_has, message
from kernelviz.scene.wording import named, shown

ANY_WEIGHT = SteadyRange.of_any_size()
BAND = 1.5  # Width of the staircase, in units of the type size.
BEYOND_AXES = 1e6  # Beyond every axis.


@dataclass(frozen=True)
class WeightsView(View):
    """The weights as bars with the violations of their conditions below, or every point on the staircase of
    the conditions."""

    name = "weights"
    title = "Dual weights"
    family = "Fit"
    summary_line = "The weight of each point, and how far it is from its optimality condition."
    number = 3

    face: str = choice(
        "weights",
        ("weights", "conditions"),
        label="Show",
        help="The weights, largest first; or each point at its weight and its score, where it must be at the "
        "optimum (KKT)",
    )

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        """Return the bars of the weights, or the points on their staircase."""
        return (_bars if self.face == "weights" else _conditions)(frame, memory)


# Bars -------------------------------------------------------------------------------------------------------
def _bars(frame: Frame, memory: ViewMemory) -> Scene:
    """Return α of every support vector, bounded ones in full colour, free ones lighter; below it their
    violations of the optimality conditions, where there is room."""
    table, model, data = frame.table, frame.model, frame.data
    if table.alpha is None:
        pairs = each_pair_has(model, "dual weights", lambda m: m.alpha is not None)
        return message(pairs or "This algorithm has no dual weights.", ("face",))
    support = model.support[model.support < data.n]
    if len(support) == 0:
        return message("There are no support vectors: all weights are zero.", ("face",))
    # The number breaks ties, so that points at the bound keep their places.
    order = support[np.argsort(-table.alpha[support], kind="stable")]
    alpha, box = table.alpha[order], model.box
    whose = "points" if model.algorithm.weighs_every_point else "support vectors"
    counted, label = np.array([float(len(order))]), f"{whose}, largest weight first"
    fewest = SteadyRange.at_least(0.0, 5.0)
    x = memory.axis("count", fewest, counted, label, whole=True)
    y = memory.axis("weight", ANY_WEIGHT, alpha, "α" if model.residuals is None else "|β|")
    free = np.zeros(len(order), dtype=bool) if box is None else alpha < box[order]
    inks = ["ink"] * len(order)
    if data.codes is not None:
        inks = [class_ink(k, len(data.class_names)) for k in data.codes[order].tolist()]
    lighter = tuple(f"faded {role}" if light else role for role, light in zip(inks, free, strict=True))
    layers: list[Layer] = [Bars(part="weights", values=alpha, inks=lighter, points=order)]
    bound = Curve("bound", "soft_ink", 1.0, (4.0, 2.0))
    if box is not None and np.ptp(box) == 0 and box[0] <= y.high:
        C = float(box[0])
        ends, level = np.array([x.low, x.high]), np.full(2, C)
        layers.append(Lines(part="bound", x=ends, y=level, curve=bound, number=shown(C)))
    counts: tuple[tuple[Curve, str], ...] = ()
    if (free_ones := model.numbers.get("free")) is not None:
        counts = (written("", f"{free_ones} free, {model.numbers['bounded']} bounded"),)
    weights = Plot(part="bars", x=x, y=y, layers=tuple(layers), legend=counts)
    if table.residual is None:
        return Scene(weights, ("face",))
    most = float(table.residual.max(initial=0.0))
    least_violation = SteadyRange.at_least(0.0, 2e-3)
    rounded = 1e-12  # A violation that rounding leaves where there is none.
    below = Plot(
        part="violations",
        x=x,
        y=memory.axis("violation", least_violation, table.residual, "KKT"),
        layers=(Bars(values=table.residual[order], inks=tuple(inks), points=order, found=False),),
        legend=(written("largest KKT violation", shown(most, 3, zero=rounded)),),
    )
    above = replace(weights, x=replace(x, label="", bare=True))
    both = Stack(((above, None), (below, Size(share=0.42))))
    # Height, in units of the type size, from which the violations get a plot of their own.
    room_for_both = 21
    # Where there is little room the weights matter more.
    return Scene(Either(lambda _width, high: high > room_for_both, both, weights), ("face",))


# Conditions -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False, kw_only=True)
class Staircase(Layer):
    """The places (weight, value) where the conditions hold, with the names of its steps."""

    corners: tuple[tuple[float, float], ...]
    names: tuple[tuple[str, float, float], ...]  # (words, weight, value) of each.

    @classmethod
    def of_classes(cls, box: float | None, ridge: float, reach: float, bound: str = "C") -> Staircase:
        """Return the staircase of a classifier: α = 0 where z·s ≥ 1, in between z·s = 1 − λα, and α = C
        where z·s is below that. Without a box it ends at `reach`; `bound` is what the box is called."""
        end = reach if box is None else box
        corners = ((0.0, BEYOND_AXES), (0.0, 1.0), (end, 1.0 - ridge * end))
        free = "h = λα" if ridge else "z·s = 1"
        names = (("α = 0, z·s ≥ 1", 0.0, 2.0), (free, 0.45 * end, 1.0 - 0.45 * ridge * end))
        if box is None:
            return cls(part="staircase", corners=corners, names=names)
        last = (f"α = {bound}, z·s ≤ 1", end, 0.4)
        return cls(part="staircase", corners=(*corners, (end, -BEYOND_AXES)), names=(*names, last))

    @classmethod
    def of_tube(cls, box: float, epsilon: float) -> Staircase:
        """Return the staircase of real targets: β = 0 where |r| ≤ ε, β > 0 where r = ε, β = C where r is
        above that, and the same below with the other signs."""
        below = ((-box, -BEYOND_AXES), (-box, -epsilon), (0.0, -epsilon))
        above = ((0.0, epsilon), (box, epsilon), (box, BEYOND_AXES))
        names = (("r = −ε", -box / 2, -epsilon), ("r = ε", box / 2, epsilon))
        return cls(part="staircase", corners=below + above, names=names)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, text, inner = axes.style, axes.style.text, axes.inner
        corners = axes.at(*np.array(self.corners).T)
        corners[:, 1] = np.clip(corners[:, 1], inner.top() - inner.height(), inner.bottom() + inner.height())
        painter.save()
        painter.setClipRect(inner)
        shade = 0.22  # How strong the staircase is.
        painter.setPen(pen(style.theme.highlight, BAND * text, alpha=shade, round_ends=False))
        painter.drawPolyline(polygon(corners))
        painter.restore()
        for words, at in self.written(axes):
            draw_text(painter, style, at, words, colour=style.theme.soft_ink)

    def written(self, axes: Coordinates) -> list[tuple[str, QPointF]]:
        """Return the names of the steps that are in sight, and where they are written."""
        text, inner, found = axes.style.text, axes.inner, []
        for words, weight, value in self.names:
            x, y = axes.at(weight, value)[0].tolist()
            wide, foot = text_width(words, text), y - BAND * text
            left = min(max(x + BAND * text, inner.left()), inner.right() - wide - 0.3 * text)
            if weight == max(corner[0] for corner in self.corners):
                # There is no room to the right of it, and the step before it has a name of its own.
                step = float(axes.at(*self.corners[-2])[0, 1])
                left, foot = min(left, x - wide - BAND * text), max(foot, step + (0.5 * BAND + 1.1) * text)
            if inner.top() + text < foot < inner.bottom():
                found.append((words, QPointF(left, foot)))
        return found


def _conditions(frame: Frame, memory: ViewMemory) -> Scene:
    """Return each point at its weight and its z·s, or its residual for a real target. A point off the
    staircase is tied to the place on it where it must be for its weight."""
    table, model, data = frame.table, frame.model, frame.data
    if table.residual is None or table.alpha is None:
        pairs = each_pair_has(model, "conditions", lambda m: m.numbers["kkt_violation"] is not None)
        reason = f"{model.algorithm.title} has no per-point optimality conditions."
        return message(pairs or reason, ("face",))
    if table.ridge and table.weights is not None:
        return message("Points of different weights have conditions of their own here.", ("face",))
    tube = table.tube
    real, varied = tube is not None, model.box is not None and float(np.ptp(model.box)) > 0.0
    weight, box = _weights(model, real, varied)
    value = model.residuals if real else table.product
    assert value is not None
    kind = "residual" if real else "z·s"
    low, high = -(box or 0.0) if real else 0.0, max(float(weight.max(initial=0.0)), box or 0.0)
    x = memory.steady(f"weight against {kind}", ANY_WEIGHT, low, high)
    of_products = SteadyRange.at_least(-0.5, 2.5)
    least = of_products
    if tube is not None:
        # As far down as up, however far the residuals reached at first.
        reach = max(2.0 * tube, 1e-6, 1.1 * float(np.abs(value).max(initial=0.0)))
        least = memory.keep("residuals at first", True, lambda: SteadyRange.at_least(-reach, reach))
    y = memory.axis(kind, least, value, "y − s(x)" if real else "z·s(x)")
    if tube is None:
        bound = table.bound if table.weights is None else f"{table.bound}w"
        stairs = Staircase.of_classes(box, table.ridge, x.high, bound)
        due = 1.0 - table.ridge * table.alpha
    else:
        stairs = Staircase.of_tube(box or 1.0, tube)
        due = np.where(weight == 0.0, np.clip(value, -tube, tube), np.sign(weight) * tube)
    outside = np.asarray(table.residual > table.tolerance)
    # Room left and right of the outermost weights, as a share of the axis: points are seen whole.
    margin = 0.07
    room = margin * (x.high - x.low)
    points = points_of(
        data,
        weight,
        value,
        clipped=True,
        crowd=data.n,
        label=lambda i: f"{named(data, i)}: {table.state(i)}",
    )
    ties = np.stack([np.stack([weight, value], axis=1), np.stack([weight, due], axis=1)], axis=1)[outside]
    verdict = Curve("conditions", "soft_ink", 0.0), "hold at every point"
    if outside.any():
        most = shown(float(table.residual.max()), 2, table.tolerance)
        off = f"{int(outside.sum())} of {len(outside)} off, by {most} at most"
        verdict = Curve("conditions", "misclassified", 2.0), off
    unit = "" if not varied else "/C" if table.weights is None else "/(Cw)"
    tie = Curve("", "misclassified", 1.2)  # From a point to the place where it must be for its weight.
    plot = Plot(
        part="conditions",
        x=Axis(x.low - room, x.high + room, ("β" if real else "α") + unit),
        y=y,
        ground=(stairs,),
        layers=(Lines.joined("ties", list(ties), tie), points),
        legend=(verdict,),
    )
    return Scene(plot, ("face",))


def _weights(model: Model, real: bool, varied: bool) -> tuple[Array, float | None]:
    """Return the weights, in units of their bounds where these differ, and the bound; None without one."""
    weight = model.beta if real else model.alpha
    assert weight is not None
    if model.box is None:
        return weight, None
    if not varied:
        return weight, float(model.box[0])
    return np.divide(weight, model.box, out=np.zeros(len(weight)), where=model.box > 0.0), 1.0
