"""The score at a place as a sum: b and the largest terms beta_i K(x_i, x) as bars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.drawing.plots.plot import shown
from kernelviz.engine.analysis.points import largest_terms
from kernelviz.engine.model import Model
from kernelviz.ui.insight.base import screen_style

__all__ = ["Summand", "TermBars", "summands"]

LARGEST = 5
ROW = 1.65
"""Height of a row in units of the text's size."""


@dataclass(frozen=True)
class Summand:
    """One part of s(x): a training point's term, b, or the sum of all that is not listed."""

    name: str
    value: float
    point: int | None = None
    detail: str = ""


def summands(model: Model, x: Any, score: float) -> tuple[Summand, ...]:
    """s(x) taken apart: the listed values add up to the score. Empty where s is no kernel expansion."""
    terms = largest_terms(model, x, LARGEST)
    b = model.b
    if b is None or model.beta is None:
        return ()
    found = [
        Summand(
            f"point {term.index + 1}",
            term.value,
            term.index,
            f"β = {shown(term.beta)}, K = {shown(term.kernel)}",
        )
        for term in terms
    ]
    rest = len(model.support) - len(terms)
    if rest > 0:
        left = score - b - sum(term.value for term in terms)
        found.append(Summand(f"{rest} other{'s' if rest > 1 else ''}", left))
    return (*found, Summand("b", b))


class TermBars(QWidget):
    """Bars to the right for +, to the left for -, each with its name and value."""

    pointed = Signal(object)
    """The training point whose bar the mouse is on, or None."""

    def __init__(self) -> None:
        super().__init__()
        self.summands: tuple[Summand, ...] = ()
        self.setMouseTracking(True)

    def show_summands(self, summands: tuple[Summand, ...]) -> None:
        if summands != self.summands:
            grown = len(summands) != len(self.summands)
            self.summands = summands
            if grown:
                self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        style = screen_style(self)
        # Always room for a full list, so that the panel does not jump while the mouse moves.
        return QSize(200, round((LARGEST + 2) * ROW * style.text / POINTS_PER_PIXEL) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def row_at(self, y: float) -> Summand | None:
        """The summand at a height in pixels."""
        k = int(y * POINTS_PER_PIXEL // (ROW * screen_style(self).text))
        return self.summands[k] if 0 <= k < len(self.summands) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().y())
        self.setToolTip(row.detail if row else "")
        self.pointed.emit(row.point if row else None)

    def leaveEvent(self, event: object) -> None:
        self.pointed.emit(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
        k = POINTS_PER_PIXEL
        try:
            self._paint(painter, QRectF(0, 0, k * self.width(), k * self.height()), screen_style(self))
        finally:
            painter.end()

    def _paint(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        if not self.summands:
            return
        text, theme = style.text, style.theme
        names = max(text_width(s.name, text) for s in self.summands) + text
        numbers = max(text_width(shown(s.value, 3), text) for s in self.summands) + 0.8 * text
        middle = QRectF(names, 0, max(10.0, rect.width() - names - numbers), rect.height())
        values = np.array([s.value for s in self.summands])
        most = max(float(np.abs(values).max()), np.finfo(float).tiny)
        # The zero line sits where both directions fit with one scale.
        low, high = min(0.0, float(values.min())) / most, max(0.0, float(values.max())) / most
        unit = middle.width() / max(high - low, 1e-9)
        zero = middle.left() - low * unit
        for row, summand in enumerate(self.summands):
            centre = (row + 0.5) * ROW * text
            baseline = centre + 0.36 * text
            draw_text(painter, style, QPointF(0, baseline), summand.name, colour=theme.soft_ink)
            colour = theme.positive if summand.value > 0 else theme.negative
            fill = QColor(colour if summand.point is not None else theme.soft_ink)
            fill.setAlphaF(0.75)
            length = summand.value / most * unit
            painter.fillRect(QRectF(zero, centre - 0.5 * text, length, 1.0 * text).normalized(), fill)
            at = QPointF(rect.right() - 0.1 * text, baseline)
            draw_text(painter, style, at, shown(summand.value, 3), anchor="right")
        painter.setPen(pen(theme.soft_ink, style.axis_width))
        painter.drawLine(QLineF(zero, 0, zero, len(self.summands) * ROW * text))
