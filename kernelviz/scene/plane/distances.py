"""The geometry of a straight boundary: the arrow w, the distance |b|/‖w‖ of the origin, and every margin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter, QPen

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.legend import Entry, stroke
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import clipped_segment, pen, polygon
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.layers import Coordinates, Layer

HEAD = 7.0  # Length of the arrow's head, in points.


@dataclass(frozen=True, eq=False)
class DistanceLayer(Layer):
    """w from the line, as long as it is in units of the plane; |b|/‖w‖ from the origin to the line; and a
    segment from every point to the line, as long as its margin."""

    points: Array
    w: Array
    b: float

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry("distance to s = 0", stroke(_fine)),)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        view, style = axes.view, axes.style
        painter.setPen(_fine(style))
        self._segments(axes, painter, self.points)
        painter.setPen(pen(style.theme.ink, 1.2 * style.strokes, dash=(3.0, 2.0)))
        origin = np.zeros((1, 2))
        self._segments(axes, painter, origin)
        middle = axes(0.5 * (origin + self._feet(origin)))
        if axes.seen(middle).all() and np.hypot(*(axes(origin) - middle)[0]) > style.text:
            text = f"|b|/‖w‖ = {abs(self.b) / np.linalg.norm(self.w):.3g}"
            _label(painter, axes, middle[0], text)
        centre = np.array([[0.5 * (view.left + view.right), 0.5 * (view.bottom + view.top)]])
        foot = self._feet(centre)[0]
        _arrow(painter, axes, axes(np.array([foot, foot + self.w])))

    def _feet(self, xy: Array) -> Array:
        """Return the nearest places of the line."""
        return np.asarray(xy - ((xy @ self.w + self.b) / (self.w @ self.w))[:, None] * self.w)

    def _segments(self, axes: Coordinates, painter: QPainter, xy: Array) -> None:
        ends = np.hstack([axes(xy), axes(self._feet(xy))])
        painter.drawLines([QLineF(*each) for each in ends[axes.seen(ends[:, :2])].tolist()])


def _fine(style: Style) -> QPen:
    return pen(style.theme.soft_ink, 0.7 * style.strokes)


def _arrow(painter: QPainter, axes: Coordinates, ends: Array) -> None:
    """Draw w with a head, where it ends or at the edge of the plot."""
    style, inner = axes.style, axes.inner
    part = clipped_segment(ends[0], ends[1], inner)
    if part is None:
        return
    (xa, ya), (xb, yb) = part.tolist()
    way = part[1] - part[0]
    length = float(np.hypot(*way))
    if length < 1.0:
        return
    ahead = way / length * HEAD * style.strokes
    aside = 0.45 * np.array([-ahead[1], ahead[0]])
    painter.setPen(pen(style.theme.ink, 1.8 * style.strokes))
    painter.drawLine(QLineF(xa, ya, xb, yb))
    painter.drawPolyline(polygon(part[1] + np.array([aside - ahead, [0.0, 0.0], -aside - ahead])))
    _label(painter, axes, part[1] + 0.8 * ahead, "w")


def _label(painter: QPainter, axes: Coordinates, at: Array, text: str) -> None:
    """Write a text at a place, inside the plot."""
    style, inner = axes.style, axes.inner
    wide = text_width(text, style.text, bold=True)
    left = min(max(float(at[0]) + 0.4 * style.text, inner.left()), inner.right() - wide)
    top = min(max(float(at[1]), inner.top() + style.text), inner.bottom() - 0.3 * style.text)
    draw_text(painter, style, QPointF(left, top), text, colour=style.theme.ink, bold=True, halo=True)
