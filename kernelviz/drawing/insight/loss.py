"""The loss as a function of z·s, every training point at its place on the loss its algorithm minimises."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.glyphs import draw_glyphs, draw_mistakes, draw_rings
from kernelviz.drawing.figure.rings import Ring, rings_of
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, PlotPicture, nearest_mark
from kernelviz.drawing.insight.plot import Axis, Curve, Plot
from kernelviz.drawing.insight.ranges import SteadyRange
from kernelviz.drawing.insight.stamps import Stamps, stamp
from kernelviz.drawing.numbers import shown
from kernelviz.drawing.theme import Theme
from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.losses import HINGE, LOGISTIC, SQUARED, ZERO_ONE, Loss
from kernelviz.engine.params import Declared, flag
from kernelviz.runtime.messages import Frame, Verdict

__all__ = ["LossPicture", "LossSwitches", "thinned"]

LEAST_X, LEAST_Y = SteadyRange.at_least(-1.5, 2.5), SteadyRange.at_least(0.0, 2.5)
BELOW = 0.04
"""Room below zero, relative to the axis, so that points without loss are seen whole."""
CELL = 2.0
"""Points between two marks of a kind that the eye tells apart."""


OVERLAYS = {"hinge": HINGE, "zero_one": ZERO_ONE, "logistic": LOGISTIC, "squared": SQUARED}
"""By the name of their switch."""


def _switch(loss: Loss) -> Any:
    return flag(False, label=loss.name, help=f"Also show the {loss.name} loss, {loss.formula}")


@dataclass(frozen=True)
class LossSwitches(Declared):
    """Which losses are shown besides the algorithm's own."""

    name: ClassVar[str] = "the losses"
    hinge: bool = _switch(HINGE)
    zero_one: bool = _switch(ZERO_ONE)
    logistic: bool = _switch(LOGISTIC)
    squared: bool = _switch(SQUARED)


def thinned(xy: Array, groups: Array, cell: float) -> Indices:
    """Of the marks that would cover each other, one per group and cell: what the eye could tell apart."""
    if len(xy) == 0:
        return np.empty(0, dtype=np.intp)
    cells = np.floor(xy / cell).astype(np.int64)
    key = (cells[:, 0] * 4_000_037 + cells[:, 1]) * 16 + groups.astype(np.int64)
    return np.sort(np.unique(key, return_index=True)[1])


@dataclass(frozen=True, eq=False)
class HeldOutProducts:
    """What the loss view shows of points that are not fitted."""

    products: Array
    """z·s of each."""
    positive: np.ndarray
    mean: float
    """Of the algorithm's own loss."""

    @classmethod
    def of(cls, frame: Frame) -> HeldOutProducts | None:
        held, test = frame.request.held_out, frame.test
        if held is None or test is None or test.products is None:
            return None
        mean = frame.model.algorithm.own_loss.mean(test.products)
        return cls(test.products, held.z > 0, 0.0 if mean <= frame.model.accuracy else mean)


@dataclass(frozen=True, eq=False, kw_only=True)
class LossPicture(PlotPicture):
    """The algorithm's own loss with the training points on it; others as overlays."""

    title = "Loss"
    switches = LossSwitches

    products: Array
    """z·s of every point."""
    positive: np.ndarray
    """Whether z is +1."""
    rings: Indices
    """1 + the kind of ring around a point, 0 without one."""
    wrong: np.ndarray
    """Which points are misclassified."""
    losses: tuple[Loss, ...]
    """The algorithm's own first."""
    means: tuple[float, ...]
    """The mean of each loss shown."""
    held_out: HeldOutProducts | None = None
    x: SteadyRange = LEAST_X
    y: SteadyRange = LEAST_Y

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: LossPicture | None
    ) -> InsightPicture:
        t = frame.table.product
        if t is None or len(t) == 0:
            return NothingToShow(
                reason="The loss as a function of z·s needs two classes, and an algorithm that uses them."
            )
        own, zero = frame.model.algorithm.own_loss, frame.model.accuracy
        also = [loss for name, loss in OVERLAYS.items() if getattr(switches, name)]
        losses = (own, *(loss for loss in also if loss.name != own.name))
        means = tuple(0.0 if (mean := loss.mean(t)) <= zero else mean for loss in losses)
        found = rings_of(frame.model)
        rings = np.zeros(len(t), dtype=np.intp)
        rings[found.points] = 1 + found.kinds
        wrong = np.zeros(len(t), dtype=bool)
        wrong[found.mistakes] = True
        last, held = before or cls, HeldOutProducts.of(frame)
        everybody = t if held is None else np.concatenate([t, held.products])
        return cls(
            products=t,
            positive=frame.data.z > 0,
            rings=rings,
            wrong=wrong,
            losses=losses,
            means=means,
            held_out=held,
            x=last.x.covering(float(everybody.min()), float(everybody.max())),
            y=last.y.covering(0.0, float(own.of(everybody).max())),
        )

    @property
    def axes(self) -> tuple[Axis, Axis]:
        y = Axis(self.y.low - BELOW * self.y.high, self.y.high, "loss")
        return Axis(self.x.low, self.x.high, "z·s(x)"), y

    def _places(self, plot: Plot) -> tuple[Array, Indices]:
        """Where the points are drawn, and which of them are."""
        xy = plot.at(self.products, self.losses[0].of(self.products))
        return xy, thinned(xy, 4 * self.rings + 2 * self.wrong + self.positive, CELL)

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        xy, drawn = self._places(self._plot(rect, style))
        return nearest_mark(xy[drawn], drawn, at)

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
        for i in self.marks.among(len(self.products)):
            self._draw_mark(painter, plot, i)

    def _draw_points(self, painter: QPainter, plot: Plot, stamps: Stamps | None) -> None:
        xy, drawn = self._places(plot)
        for kind in Ring:
            places = xy[drawn[self.rings[drawn] == 1 + kind]]
            draw = partial(draw_rings, kind=kind, strength=0.0)
            stamp(stamps, painter, plot.style, places, ("ring", kind), draw)
        stamp(stamps, painter, plot.style, xy[drawn[self.wrong[drawn]]], "mistake", draw_mistakes)
        for k in (0, 1):
            places = xy[drawn[self.positive[drawn] == bool(k)]]
            draw = partial(draw_glyphs, k=k, count=2)
            stamp(stamps, painter, plot.style, places, ("glyph", k), draw)

    def _draw_held_out(
        self, painter: QPainter, plot: Plot, stamps: Stamps | None, held: HeldOutProducts
    ) -> None:
        """Hollow, below the points that are fitted."""
        xy = plot.at(held.products, self.losses[0].of(held.products))
        drawn = thinned(xy, held.positive, CELL)
        for k in (0, 1):
            places = xy[drawn[held.positive[drawn] == bool(k)]]
            draw = partial(draw_glyphs, k=k, count=2, hollow=True)
            stamp(stamps, painter, plot.style, places, ("hollow", k), draw)

    def _draw_mark(self, painter: QPainter, plot: Plot, i: int) -> None:
        """A highlighted point: ring, plumb line and, under the mouse, its numbers."""
        t = float(self.products[i])
        own = self.losses[0]
        h = float(own.of(np.array(t)))
        (px, py), style = plot.at(t, h)[0].tolist(), plot.style
        colour, hovered = style.theme.highlight, i == self.marks.hovered
        painter.setPen(pen(colour, 0.8 * style.strokes, dash=(2.0, 2.0)))
        painter.drawLine(QLineF(px, py, px, plot.inner.bottom()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(colour, (2.0 if hovered else 1.0) * style.ring_width))
        painter.drawEllipse(QPointF(px, py), *[style.ring_radius(0.6)] * 2)
        if hovered:
            text = f"point {i + 1}: z·s = {shown(t, 3)}, {own.name} {shown(h, 3)}"
            plot.draw_label(painter, QPointF(px, py), text, colour, style.ring_radius(0.6))

    def _curves(self, theme: Theme) -> dict[str, Curve]:
        """How each loss is drawn, the algorithm's own as the strongest."""
        curves = (
            Curve("hinge", theme.classes[4], 1.2, (8.0, 2.0)),
            Curve("0-1", theme.soft_ink, 1.1, (1.5, 1.5)),
            Curve("logistic", theme.classes[2], 1.2, (5.0, 2.0)),
            Curve("squared", theme.classes[3], 1.2, (5.0, 2.0, 1.2, 2.0)),
        )
        own = self.losses[0].name
        return {curve.name: curve for curve in curves} | {own: Curve(own, theme.ink, 1.6)}


def _abscissae(loss: Loss, x: Axis) -> Array:
    """Where a loss is sampled: its kinks exactly, the smooth ones finely."""
    if not loss.kinks:
        return np.linspace(x.low, x.high, 160)
    beside = [t for kink in loss.kinks for t in (kink, float(np.nextafter(kink, np.inf)))]
    return np.array([x.low, *(min(t, x.high) for t in beside), x.high])
