"""What a layer is, and the one every plot may have: fine lines at the ticks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.axes import ticks
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import Transform
from kernelviz.session.view import ViewRange


class Layer(Protocol):
    """Anything that can draw itself given where data coordinates go."""

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None: ...


@dataclass(frozen=True)
class GridLayer:
    """Fine lines at the ticks of the axes."""

    view: ViewRange
    unit: float = 1.0

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        frame = transform.rect(self.view.left, self.view.right, self.view.bottom, self.view.top)
        painter.setPen(pen(style.theme.soft_ink, 0.5 * style.strokes, alpha=0.28))
        for x, _ in ticks(self.view.left, self.view.right, frame.width(), style, self.unit, abreast=True):
            at = transform.sx * x + transform.tx
            painter.drawLine(QLineF(at, frame.top(), at, frame.bottom()))
        for y, _ in ticks(self.view.bottom, self.view.top, frame.height(), style, self.unit):
            at = transform.sy * y + transform.ty
            painter.drawLine(QLineF(frame.left(), at, frame.right(), at))
