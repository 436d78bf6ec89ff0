"""The loss as a function of z·s, every training point at its place on the hinge."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QHBoxLayout

from kernelviz.drawing.figure.glyphs import draw_glyphs
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.plane.layers import draw_rings
from kernelviz.drawing.plane.picture import Ring, rings_of
from kernelviz.drawing.plots.plot import Axis, Curve, Plot, shown
from kernelviz.drawing.plots.ranges import SteadyRange
from kernelviz.drawing.theme import Theme
from kernelviz.engine.arrays import Array, Indices
from kernelviz.runtime.messages import Frame
from kernelviz.ui.insight.base import PictureView, nearest_mark
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["LOSSES", "Loss", "LossView", "hinge", "thinned"]


@dataclass(frozen=True)
class Loss:
    """A loss by name, as a function of t = z·s, with its formula for a tooltip."""

    name: str
    of: Callable[[Array], Array]
    formula: str


BELOW = 0.04
"""Room below zero, relative to the axis, so that points without loss are seen whole."""


def hinge(t: Array) -> Array:
    """max(0, 1 - t)"""
    return np.maximum(0.0, 1.0 - t)


LOSSES = (
    Loss("hinge", hinge, "max(0, 1 − z·s)"),
    Loss("0-1", lambda t: (np.asarray(t) <= 0).astype(np.float64), "1 if z·s ≤ 0, else 0"),
    # To base 2 it passes through (0, 1) as the others do, and bounds the 0-1 loss.
    Loss("logistic", lambda t: np.logaddexp(0.0, -t) / np.log(2.0), "log₂(1 + exp(−z·s))"),
    Loss("squared", lambda t: (1.0 - t) ** 2, "(1 − z·s)²"),
)


def thinned(xy: Array, groups: Array, cell: float) -> Indices:
    """Of the marks that would cover each other, one per group and cell: what the eye could tell apart."""
    if len(xy) == 0:
        return np.empty(0, dtype=np.intp)
    cells = np.floor(xy / cell).astype(np.int64)
    key = (cells[:, 0] * 4_000_037 + cells[:, 1]) * 16 + groups.astype(np.int64)
    return np.sort(np.unique(key, return_index=True)[1])


class LossView(PictureView):
    """Hinge loss with the training points on it; 0-1, logistic and squared loss as overlays."""

    title = "Loss"

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.switches = {loss.name: QCheckBox(loss.name) for loss in LOSSES[1:]}
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 0)
        row.setSpacing(14)
        for loss in LOSSES[1:]:
            switch = self.switches[loss.name]
            switch.setToolTip(f"Also show the {loss.name} loss, {loss.formula}")
            switch.toggled.connect(self.picture.update)
            row.addWidget(switch)
        row.addStretch(1)
        self.column.insertLayout(0, row)
        self._x, self._y = SteadyRange(-1.5, 2.5), SteadyRange(0.0, 2.5)
        self._products: Array = np.empty(0)
        self._means: dict[str, float] = {}
        self._xy: Array = np.empty((0, 2))
        self._drawn: Indices = np.empty(0, dtype=np.intp)

    def nothing_to_show(self) -> str:
        if self.taken is not None and self.taken.table.product is None:
            return "The loss as a function of z·s needs two classes, and an algorithm that uses them."
        return super().nothing_to_show()

    def take(self, frame: Frame | None) -> None:
        self._xy = np.empty((0, 2))
        if frame is not None and frame.table.product is not None and frame.data.n:
            t = self._products = frame.table.product
            self._x.cover(float(t.min()), float(t.max()))
            self._y.cover(0.0, float(hinge(t).max()))
            with np.errstate(over="ignore"):
                self._means = {loss.name: float(loss.of(t).mean()) for loss in LOSSES}
        super().take(frame)

    @property
    def active(self) -> tuple[Loss, ...]:
        """The losses shown: the hinge always."""
        return tuple(loss for loss in LOSSES if loss.name == "hinge" or self.switches[loss.name].isChecked())

    def mark_at(self, at: QPointF) -> int | None:
        return nearest_mark(self._xy, self._drawn, at)

    # Painting -----------------------------------------------------------------------------------------
    def _plot(self, painter: QPainter, rect: QRectF, style: Style) -> Plot:
        x = Axis(self._x.low, self._x.high, "z·s(x)")
        return Plot(painter, style, rect, x, Axis(self._y.low - BELOW * self._y.high, self._y.high, "loss"))

    def background_key(self) -> Hashable:
        return (
            self._x.low,
            self._x.high,
            self._y.low,
            self._y.high,
            tuple(loss.name for loss in self.active),
        )

    def paint_background(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        plot = self._plot(painter, rect, style)
        plot.draw_axes()
        curves = _curves(style.theme)
        for loss in reversed(self.active):
            ts = _abscissae(loss, plot.x)
            plot.draw_curve(ts, loss.of(ts), curves[loss.name])

    def paint_frame(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        plot = self._plot(painter, rect, style)
        self._draw_points(plot)
        curves = _curves(style.theme)
        plot.draw_strip(
            [(curves[loss.name], shown(self._means[loss.name], 3)) for loss in self.active], "mean"
        )
        for i in self.marked:
            self._draw_mark(plot, i, i == self.workbench.hovered_point)

    def _draw_points(self, plot: Plot) -> None:
        assert self.taken is not None
        painter, style, data = plot.painter, plot.style, self.taken.data
        xy = plot.at(self._products, hinge(self._products))
        rings = rings_of(self.taken.model)
        looks = np.zeros(data.n, dtype=np.int64)
        looks[rings.points] = 1 + rings.kinds
        chosen = thinned(xy, 2 * looks + (data.z > 0), 2.0)
        self._xy, self._drawn = xy[chosen], chosen
        for kind in Ring:
            self.stamps.draw(
                painter,
                style,
                xy[chosen[looks[chosen] == 1 + kind]],
                ("ring", kind),
                lambda p, st, at, kind=kind: draw_rings(p, st, at, kind, 0.0),
            )
        for k in (0, 1):
            self.stamps.draw(
                painter,
                style,
                xy[chosen[(data.z[chosen] > 0) == bool(k)]],
                ("glyph", k),
                lambda p, st, at, k=k: draw_glyphs(p, st, at, k, 2),
            )

    def _draw_mark(self, plot: Plot, i: int, with_numbers: bool) -> None:
        """A highlighted point: ring, plumb line and, under the mouse, its numbers."""
        t = float(self._products[i])
        h = float(hinge(np.array(t)))
        (px, py), style = plot.at(t, h)[0].tolist(), plot.style
        colour, painter = style.theme.highlight, plot.painter
        painter.setPen(pen(colour, 0.8 * style.strokes, dash=(2.0, 2.0)))
        painter.drawLine(QLineF(px, py, px, plot.inner.bottom()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(colour, (2.0 if with_numbers else 1.0) * style.ring_width))
        painter.drawEllipse(QPointF(px, py), *[style.ring_radius(0.6)] * 2)
        if with_numbers:
            text = f"point {i + 1}: z·s = {shown(t, 3)}, hinge {shown(h, 3)}"
            plot.draw_label(QPointF(px, py), text, colour, style.ring_radius(0.6))


def _abscissae(loss: Loss, x: Axis) -> Array:
    """Where a loss is sampled: its kinks exactly, the smooth ones finely."""
    if loss.name == "hinge":
        return np.array([x.low, min(1.0, x.high), x.high])
    if loss.name == "0-1":
        return np.array([x.low, 0.0, np.nextafter(0.0, 1.0), x.high])
    return np.linspace(x.low, x.high, 160)


def _curves(theme: Theme) -> dict[str, Curve]:
    return {
        "hinge": Curve("hinge", theme.ink, 1.6),
        "0-1": Curve("0-1", theme.soft_ink, 1.1, (1.5, 1.5)),
        "logistic": Curve("logistic", theme.classes[2], 1.2, (5.0, 2.0)),
        "squared": Curve("squared", theme.classes[3], 1.2, (5.0, 2.0, 1.2, 2.0)),
    }
