"""The loss as a function of z·s, or with real targets of y - s: every training point at its place on the loss
its algorithm minimises."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.glyphs import UNLABELLED, draw_mistakes, draw_rings
from kernelviz.drawing.figure.rings import Ring, rings_of
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, PlotPicture, nearest_mark
from kernelviz.drawing.insight.plot import Axis, Curve, Plot
from kernelviz.drawing.insight.ranges import SteadyRange
from kernelviz.drawing.insight.scatter import draw_points, encircle, thinned
from kernelviz.drawing.insight.stamps import Stamps, stamp
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import shown
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.losses import (
    ABSOLUTE_ERROR,
    HINGE,
    LOGISTIC,
    SQUARED,
    SQUARED_ERROR,
    ZERO_ONE,
    Loss,
    epsilon_insensitive,
    huber,
)
from kernelviz.engine.core.params import Declared, flag
from kernelviz.runtime.messages import Frame, Verdict

LEAST_X, LEAST_Y = SteadyRange.at_least(-1.5, 2.5), SteadyRange.at_least(0.0, 2.5)
BELOW = 0.04
"""Room below zero, relative to the axis, so that points without loss are seen whole."""


OVERLAYS = {"hinge": HINGE, "zero_one": ZERO_ONE, "logistic": LOGISTIC, "squared": SQUARED}
"""Of classes, by the name of their switch."""
TUBE, KNEE = 0.2, 0.4
"""Where the ε-insensitive loss begins and Huber's becomes straight, of what is seen to either side."""


def overlays_of_residuals(epsilon: float, delta: float) -> dict[str, Loss]:
    """Of real targets, by the name of their switch."""
    return {
        "square": SQUARED_ERROR,
        "absolute": ABSOLUTE_ERROR,
        "insensitive": epsilon_insensitive(epsilon),
        "huber": huber(delta),
    }


def _switch(loss: Loss, label: str = "") -> Any:
    return flag(False, label=label or loss.name, help=f"Also show the {loss.name} loss, {loss.formula}")


@dataclass(frozen=True)
class LossSwitches(Declared):
    """Which losses are shown besides the algorithm's own."""

    name: ClassVar[str] = "the losses"
    hinge: bool = _switch(HINGE)
    zero_one: bool = _switch(ZERO_ONE)
    logistic: bool = _switch(LOGISTIC)
    squared: bool = _switch(SQUARED)
    square: bool = _switch(SQUARED_ERROR)
    absolute: bool = _switch(ABSOLUTE_ERROR)
    insensitive: bool = _switch(epsilon_insensitive(0.0), "ε-insensitive")
    huber: bool = _switch(huber())


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What the loss view shows of points that are not fitted."""

    places: Array
    """z·s of each, or y - s."""
    classes: Indices
    mean: float
    """Of the algorithm's own loss."""

    @classmethod
    def of(cls, frame: Frame) -> HeldOut | None:
        held, test = frame.request.held_out, frame.test
        if held is None or test is None or test.places is None:
            return None
        mean = frame.model.own_loss.mean(test.places)
        return cls(test.places, _classes(held), 0.0 if mean <= frame.model.accuracy else mean)


def _classes(data: Data) -> Indices:
    return np.full(data.n, UNLABELLED) if data.codes is None else data.codes


@dataclass(frozen=True, eq=False, kw_only=True)
class LossPicture(PlotPicture):
    """The algorithm's own loss with the training points on it; others as overlays."""

    title = "Loss"
    switches = LossSwitches

    places: Array
    """z·s of every point, or y - s."""
    classes: Indices
    """How each point is drawn: 0 for -, 1 for +, -1 with a real target."""
    rings: Indices
    """1 + the kind of ring around a point, 0 without one."""
    wrong: np.ndarray
    """Which points are misclassified."""
    losses: tuple[Loss, ...]
    """The algorithm's own first."""
    means: tuple[float, ...]
    """The mean of each loss shown."""
    offered: Mapping[str, Loss]
    """What could be shown besides, by the name of its switch."""
    held_out: HeldOut | None = None
    x: SteadyRange = LEAST_X
    y: SteadyRange = LEAST_Y

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: LossPicture | None
    ) -> InsightPicture:
        t = frame.table.product if frame.model.residuals is None else frame.model.residuals
        if t is None or len(t) == 0:
            return NothingToShow(
                reason="The loss needs two classes or real targets, and an algorithm that uses them."
            )
        own, zero = frame.model.own_loss, frame.model.accuracy
        held = HeldOut.of(frame)
        all_of_them = t if held is None else np.concatenate([t, held.places])
        scaled = _of_residuals if own.of_residual else _of_products
        x, y, overlays = scaled(frame, all_of_them, before)
        offered = {name: loss for name, loss in overlays.items() if loss.name != own.name}
        losses = (own, *(loss for name, loss in offered.items() if getattr(switches, name)))
        means = tuple(0.0 if (mean := loss.mean(t)) <= zero else mean for loss in losses)
        found = rings_of(frame.model)
        rings = np.zeros(len(t), dtype=np.intp)
        rings[found.points] = 1 + found.kinds
        wrong = np.zeros(len(t), dtype=bool)
        wrong[found.mistakes] = True
        return cls(
            places=t,
            classes=_classes(frame.data),
            rings=rings,
            wrong=wrong,
            losses=losses,
            means=means,
            offered=offered,
            held_out=held,
            x=x,
            y=y,
        )

    @property
    def axes(self) -> tuple[Axis, Axis]:
        y = Axis(self.y.low - BELOW * self.y.high, self.y.high, "loss")
        return Axis(self.x.low, self.x.high, "y − s(x)" if self.losses[0].of_residual else "z·s(x)"), y

    def _places(self, plot: Plot) -> tuple[Array, Indices]:
        """Where the points are drawn, and which of them are."""
        xy = plot.at(self.places, self.losses[0].of(self.places))
        return xy, thinned(xy, 4 * self.rings + 2 * self.wrong + (self.classes > 0))

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        xy, drawn = self._places(self._plot(rect, style))
        return nearest_mark(xy[drawn], drawn, at)

    @property
    def switchable(self) -> Collection[str]:
        """Its own loss is there anyway."""
        return self.offered.keys()

    @property
    def ground(self) -> Hashable:
        return (self.x, self.y, self.losses)

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        plot = self._plot(rect, style)
        plot.draw_axes(painter)
        curves = self._curves(style.theme)
        for loss in reversed(self.losses):
            ts = _abscissae(loss, plot.x)
            plot.draw_curve(painter, ts, loss.of(ts), curves[loss.name])

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        plot = self._plot(rect, style)
        if self.held_out is not None:
            self._draw_held_out(painter, plot, stamps, self.held_out)
        self._draw_points(painter, plot, stamps)
        curves = self._curves(style.theme)
        entries = [
            (curves[loss.name], shown(mean, 3)) for loss, mean in zip(self.losses, self.means, strict=True)
        ]
        if self.held_out is not None:
            entries.insert(1, (Curve("held out", style.theme.ink, 0.0), shown(self.held_out.mean, 3)))
        plot.draw_strip(painter, entries, "mean")
        for i in self.marks.among(len(self.places)):
            self._draw_mark(painter, plot, i)

    def _draw_points(self, painter: QPainter, plot: Plot, stamps: Stamps | None) -> None:
        xy, drawn = self._places(plot)
        for kind in Ring:
            places = xy[drawn[self.rings[drawn] == 1 + kind]]
            draw = partial(draw_rings, kind=kind, strength=0.0)
            stamp(stamps, painter, plot.style, places, ("ring", kind), draw)
        stamp(stamps, painter, plot.style, xy[drawn[self.wrong[drawn]]], "mistake", draw_mistakes)
        draw_points(painter, plot.style, xy[drawn], self.classes[drawn], 2, stamps)

    def _draw_held_out(self, painter: QPainter, plot: Plot, stamps: Stamps | None, held: HeldOut) -> None:
        """Hollow, below the points that are fitted."""
        xy = plot.at(held.places, self.losses[0].of(held.places))
        drawn = thinned(xy, held.classes > 0)
        draw_points(painter, plot.style, xy[drawn], held.classes[drawn], 2, stamps, hollow=True)

    def _draw_mark(self, painter: QPainter, plot: Plot, i: int) -> None:
        """A highlighted point: ring, plumb line and, under the mouse, its numbers."""
        t = float(self.places[i])
        own = self.losses[0]
        h = float(own.of(np.array(t)))
        (px, py), style = plot.at(t, h)[0].tolist(), plot.style
        colour, hovered = style.theme.highlight, i == self.marks.hovered
        painter.setPen(pen(colour, 0.8 * style.strokes, dash=(2.0, 2.0)))
        painter.drawLine(QLineF(px, py, px, plot.inner.bottom()))
        encircle(painter, style, np.array([px, py]), hovered)
        if hovered:
            place = "y − s" if own.of_residual else "z·s"
            text = f"point {i + 1}: {place} = {shown(t, 3)}, {own.name} {shown(h, 3)}"
            plot.draw_label(painter, QPointF(px, py), text, colour, style.ring_radius(0.6))

    def _curves(self, theme: Theme) -> dict[str, Curve]:
        """How each loss is drawn, the algorithm's own as the strongest."""
        curves = (
            Curve("hinge", theme.classes[4], 1.2, (8.0, 2.0)),
            Curve("0-1", theme.soft_ink, 1.1, (1.5, 1.5)),
            Curve("logistic", theme.classes[2], 1.2, (5.0, 2.0)),
            Curve("squared", theme.classes[3], 1.2, (5.0, 2.0, 1.2, 2.0)),
            Curve("absolute", theme.classes[2], 1.2, (5.0, 2.0)),
            Curve("epsilon-insensitive", theme.classes[4], 1.2, (8.0, 2.0)),
            Curve("Huber", theme.classes[1], 1.2, (2.0, 2.0)),
        )
        own = self.losses[0].name
        return {curve.name: curve for curve in curves} | {own: Curve(own, theme.ink, 1.6)}


Scales = tuple[SteadyRange, SteadyRange, Mapping[str, Loss]]
"""The two axes, and what can be laid over the algorithm's own loss."""


def _of_products(frame: Frame, t: Array, before: LossPicture | None) -> Scales:
    own = frame.model.own_loss
    same = before is not None and not before.losses[0].of_residual
    x, y = (before.x, before.y) if before is not None and same else (LEAST_X, LEAST_Y)
    return x.covering(float(t.min()), float(t.max())), y.covering(0.0, float(own.of(t).max())), OVERLAYS


def _of_residuals(frame: Frame, r: Array, before: LossPicture | None) -> Scales:
    """As far to the left as to the right, in units of the targets."""
    own, spread = frame.model.own_loss, float(np.ptp(frame.data.y)) or 1.0
    least = 0.2 * 10.0 ** np.floor(np.log10(spread))
    x = SteadyRange.at_least(-least, least)
    if before is not None and before.x.least == x.least:
        x = before.x
    reach = max(float(np.abs(r).max()), least)
    x = x.covering(-reach, reach)
    y = SteadyRange.at_least(0.0, float(own.of(np.array(least))) or least)
    if before is not None and before.losses[0].name == own.name and before.y.least == y.least:
        y = before.y
    tube = frame.model.tube
    overlays = overlays_of_residuals(TUBE * x.high if tube is None else tube, KNEE * x.high)
    return x, y.covering(0.0, float(own.of(np.array(reach)))), overlays


def _abscissae(loss: Loss, x: Axis) -> Array:
    """Where a loss is sampled: its kinks exactly, the smooth ones finely."""
    if not loss.kinks:
        return np.linspace(x.low, x.high, 160)
    beside = [t for kink in loss.kinks for t in (kink, float(np.nextafter(kink, np.inf)))]
    return np.array([x.low, *(min(t, x.high) for t in beside), x.high])
