"""What is marked on a map or a curve of settings: the best, others worth a look, and a way uphill."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.plot import Plot

STEP, TOP = 0.22, 0.6  # Radius of a step and of the triangle at the end, in units of the text's size.


def draw_ring(painter: QPainter, style: Style, at: QPointF, size: float) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for width, ink in ((3.0, style.theme.paper), (1.5, style.theme.ink)):
        painter.setPen(pen(ink, width * style.strokes))
        painter.drawEllipse(at, size, size)


def draw_box(painter: QPainter, style: Style, at: QPointF, size: float) -> None:
    painter.setPen(pen(style.theme.ink, 1.3 * style.strokes))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(at.x() - size, at.y() - size, 2.0 * size, 2.0 * size))


def draw_bars(painter: QPainter, style: Style, at: QPointF, halves: Sequence[QPointF]) -> None:
    """Strokes through a place, + or ✕, each as long as twice its half."""
    for width, colour in ((3.2, style.theme.paper), (1.6, style.theme.highlight)):
        painter.setPen(pen(colour, width * style.strokes))
        painter.drawLines([QLineF(at - half, at + half) for half in halves])


def draw_uphill(painter: QPainter, plot: Plot, way: Sequence[QPointF]) -> None:
    """A line from step to step, a dot for each and a triangle at the top, as far as the plot goes."""
    style = plot.style
    painter.save()
    painter.setClipRect(plot.inner, Qt.ClipOperation.IntersectClip)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for width, colour in ((3.4, style.theme.paper), (1.6, style.theme.highlight)):
        painter.setPen(pen(colour, width * style.strokes))
        painter.drawPolyline(QPolygonF(way))
    painter.setPen(pen(style.theme.paper, 0.8 * style.strokes))
    painter.setBrush(QColor(style.theme.highlight))
    dot, size = STEP * style.text, TOP * style.text
    for at in way[1:-1]:
        painter.drawEllipse(at, dot, dot)
    corners = QPointF(0.0, -size), QPointF(0.9 * size, 0.6 * size), QPointF(-0.9 * size, 0.6 * size)
    painter.drawPolygon(QPolygonF([way[-1] + corner for corner in corners]))
    painter.restore()
