"""The protocol of everything that can be part of a figure, and its arrangement side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from kernelviz.ui.figure.style import Style

__all__ = ["Paintable", "Row"]


@runtime_checkable
class Paintable(Protocol):
    """Draws itself into a rectangle given in points (1/72 inch)."""

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None: ...


@dataclass(frozen=True)
class Row:
    """Panels side by side, with their relative widths."""

    panels: Sequence[Paintable]
    shares: Sequence[float] = ()
    gap: float = 14.0

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        shares = list(self.shares) or [1.0] * len(self.panels)
        room = rect.width() - self.gap * (len(self.panels) - 1)
        x = rect.left()
        for panel, share in zip(self.panels, shares, strict=True):
            width = room * share / sum(shares)
            painter.save()
            panel.paint(painter, QRectF(x, rect.top(), width, rect.height()), style)
            painter.restore()
            x += width + self.gap
