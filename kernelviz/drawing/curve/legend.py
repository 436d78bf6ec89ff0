"""What a legend of the curve explains."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter

from kernelviz.drawing.curve.layers import PENS
from kernelviz.drawing.curve.picture import CurvePicture
from kernelviz.drawing.figure.legend import KEY, Draw, Entry, key_scale
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.plane import legend as of_points
from kernelviz.drawing.plane.picture import Picture

__all__ = ["entries"]

NAMES = {"curve": "s(x)", "residuals": "residual"}


def entries(picture: CurvePicture, points: Picture) -> tuple[Entry, ...]:
    """What is shown of the fit, and of the points as they are now."""
    lines = [
        Entry(text, _line(name))
        for name, text in NAMES.items()
        if name in points.shown and getattr(picture, name)
    ]
    return (*lines, *of_points.entries(points))


def _line(name: str) -> Draw:
    def draw(painter: QPainter, at: QPointF, style: Style) -> None:
        painter.setPen(PENS[name](style))
        half = (KEY - 1) * key_scale(style)
        painter.drawLine(QLineF(at.x() - half, at.y(), at.x() + half, at.y()))

    return draw
