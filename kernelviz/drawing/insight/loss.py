"""The loss as a function of z·s, every training point at its place on the hinge."""

from __future__ import annotations

from collections.abc import Callable, Hashable
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
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, nearest_mark, padded
from kernelviz.drawing.insight.plot import Axis, Curve, Plot
from kernelviz.drawing.insight.ranges import SteadyRange
from kernelviz.drawing.insight.stamps import Stamps, stamp
from kernelviz.drawing.numbers import shown
from kernelviz.drawing.theme import Theme
from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.params import Declared, flag
from kernelviz.runtime.messages import Frame, Verdict

__all__ = ["LOSSES", "Loss", "LossPicture", "LossSwitches", "hinge", "thinned"]

LEAST_X, LEAST_Y = SteadyRange.at_least(-1.5, 2.5), SteadyRange.at_least(0.0, 2.5)
BELOW = 0.04
"""Room below zero, relative to the axis, so that points without loss are seen whole."""
CELL = 2.0
"""Points between two marks of a kind that the eye tells apart."""


@dataclass(frozen=True)
class Loss:
    """A loss by name, as a function of t = z·s, with its formula for a tooltip."""

    name: str
    of: Callable[[Array], Array]
    formula: str
    switch: str = ""
    """The flag that shows it; none for what is always shown."""

    @property
    def help(self) -> str:
        return f"Also show the {self.name} loss, {self.formula}"


def hinge(t: Array) -> Array:
    """max(0, 1 - t)"""
    return np.maximum(0.0, 1.0 - t)


HINGE = Loss("hinge", hinge, "max(0, 1 − z·s)")
ZERO_ONE = Loss("0-1", lambda t: (np.asarray(t) <= 0).astype(np.float64), "1 if z·s ≤ 0, else 0", "zero_one")
# To base 2 it passes through (0, 1) as the others do, and bounds the 0-1 loss.
LOGISTIC = Loss("logistic", lambda t: np.logaddexp(0.0, -t) / np.log(2.0), "log₂(1 + exp(−z·s))", "logistic")
SQUARED = Loss("squared", lambda t: (1.0 - t) ** 2, "(1 − z·s)²", "squared")
LOSSES = (HINGE, ZERO_ONE, LOGISTIC, SQUARED)


@dataclass(frozen=True)
class LossSwitches(Declared):
    """Which losses are shown besides the hinge."""

    name: ClassVar[str] = "the losses"
    zero_one: bool = flag(False, label=ZERO_ONE.name, help=ZERO_ONE.help)
    logistic: bool = flag(False, label=LOGISTIC.name, help=LOGISTIC.help)
    squared: bool = flag(False, label=SQUARED.name, help=SQUARED.help)


def thinned(xy: Array, groups: Array, cell: float) -> Indices:
    """Of the marks that would cover each other, one per group and cell: what the eye could tell apart."""
    if len(xy) == 0:
        return np.empty(0, dtype=np.intp)
    cells = np.floor(xy / cell).astype(np.int64)
    key = (cells[:, 0] * 4_000_037 + cells[:, 1]) * 16 + groups.astype(np.int64)
    return np.sort(np.unique(key, return_index=True)[1])


@dataclass(frozen=True, eq=False, kw_only=True)
class LossPicture(InsightPicture):
    """Hinge loss with the training points on it; 0-1, logistic and squared loss as overlays."""

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
    means: tuple[float, ...]
    """The mean of each loss shown."""
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
        losses = tuple(loss for loss in LOSSES if not loss.switch or getattr(switches, loss.switch))
        with np.errstate(over="ignore"):
            means = tuple(float(loss.of(t).mean()) for loss in losses)
        found = rings_of(frame.model)
        rings = np.zeros(len(t), dtype=np.intp)
        rings[found.points] = 1 + found.kinds
        wrong = np.zeros(len(t), dtype=bool)
        wrong[found.mistakes] = True
        last = before or cls
        return cls(
            products=t,
            positive=frame.data.z > 0,
            rings=rings,
            wrong=wrong,
            losses=losses,
            means=means,
            x=last.x.covering(float(t.min()), float(t.max())),
            y=last.y.covering(0.0, float(hinge(t).max())),
        )

    def _plot(self, rect: QRectF, style: Style) -> Plot:
        x = Axis(self.x.low, self.x.high, "z·s(x)")
        y = Axis(self.y.low - BELOW * self.y.high, self.y.high, "loss")
        return Plot(style, padded(rect, style), x, y)

    def _places(self, plot: Plot) -> tuple[Array, Indices]:
        """Where the points are drawn, and which of them are."""
        xy = plot.at(self.products, hinge(self.products))
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
        curves = _curves(style.theme)
        for loss in reversed(self.losses):
            ts = _abscissae(loss, plot.x)
            plot.draw_curve(painter, ts, loss.of(ts), curves[loss.name])

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        plot = self._plot(rect, style)
        self._draw_points(painter, plot, stamps)
        curves = _curves(style.theme)
        entries = [
            (curves[loss.name], shown(mean, 3)) for loss, mean in zip(self.losses, self.means, strict=True)
        ]
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

    def _draw_mark(self, painter: QPainter, plot: Plot, i: int) -> None:
        """A highlighted point: ring, plumb line and, under the mouse, its numbers."""
        t = float(self.products[i])
        h = float(hinge(np.array(t)))
        (px, py), style = plot.at(t, h)[0].tolist(), plot.style
        colour, hovered = style.theme.highlight, i == self.marks.hovered
        painter.setPen(pen(colour, 0.8 * style.strokes, dash=(2.0, 2.0)))
        painter.drawLine(QLineF(px, py, px, plot.inner.bottom()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(colour, (2.0 if hovered else 1.0) * style.ring_width))
        painter.drawEllipse(QPointF(px, py), *[style.ring_radius(0.6)] * 2)
        if hovered:
            text = f"point {i + 1}: z·s = {shown(t, 3)}, hinge {shown(h, 3)}"
            plot.draw_label(painter, QPointF(px, py), text, colour, style.ring_radius(0.6))


def _abscissae(loss: Loss, x: Axis) -> Array:
    """Where a loss is sampled: its kinks exactly, the smooth ones finely."""
    if loss is HINGE:
        return np.array([x.low, min(1.0, x.high), x.high])
    if loss is ZERO_ONE:
        return np.array([x.low, 0.0, np.nextafter(0.0, 1.0), x.high])
    return np.linspace(x.low, x.high, 160)


def _curves(theme: Theme) -> dict[str, Curve]:
    return {
        "hinge": Curve("hinge", theme.ink, 1.6),
        "0-1": Curve("0-1", theme.soft_ink, 1.1, (1.5, 1.5)),
        "logistic": Curve("logistic", theme.classes[2], 1.2, (5.0, 2.0)),
        "squared": Curve("squared", theme.classes[3], 1.2, (5.0, 2.0, 1.2, 2.0)),
    }
