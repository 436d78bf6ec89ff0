"""The protocol of everything that can be part of a figure."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.style import Style

__all__ = ["Paintable"]


@runtime_checkable
class Paintable(Protocol):
    """Draws itself into a rectangle given in points (1/72 inch)."""

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None: ...
