"""Axes: round ticks, a light frame, labels in the margin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, line_height, text_width
from kernelviz.drawing.figure.transform import Transform
from kernelviz.engine.fields.contours import nice_step
from kernelviz.session.state import ViewRange

__all__ = ["Axes", "axis_name", "tick_text", "ticks"]

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
TICK = 3.0
GAP = 3.0


def axis_name(column: str) -> str:
    """x1 as x₁; a user's own column name as it is."""
    short = re.fullmatch(r"([A-Za-z])_?(\d{1,2})", column)
    return f"{short[1]}{short[2].translate(SUBSCRIPTS)}" if short else column


def tick_text(value: float, step: float) -> str:
    """The number with the digits its step needs and a true minus sign; powers of ten for far steps."""
    if value == 0:
        return "0"
    exponent = floor(log10(step) + 1e-9)
    mantissa = step / 10.0**exponent
    finer = abs(mantissa - round(mantissa)) > 1e-6  # steps of 2.5 need one more digit
    if -4 <= exponent < 5:
        text = f"{value:.{max(0, finer - exponent)}f}"
    else:
        digits = max(0, floor(log10(abs(value)) + 1e-9) - exponent + finer)
        head, _, power = f"{value:.{digits}e}".partition("e")
        text = f"{head}e{int(power)}"
    return text.replace("-", "−")


def ticks(low: float, high: float, length: float, style: Style, unit: float = 1.0) -> list[tuple[float, str]]:
    """Positions whose numbers, so many for a unit of the plot, are round, and their texts, not closer than
    these allow."""
    low, high = low * unit, high * unit
    count = max(4, int(length / (4.5 * style.text)))
    step = nice_step(high - low, count)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [(k * step / unit, tick_text(k * step, step)) for k in range(first, last + 1)]


@dataclass(frozen=True)
class Axes:
    """Frame, ticks and labels around a plot of the view."""

    view: ViewRange
    labels: tuple[str, str]
    unit: float = 1.0
    """What the ticks call one unit of the view."""

    def margins(self, rect: QRectF, style: Style) -> tuple[float, float, float, float]:
        """Room needed left, top, right and below for ticks and labels, given the outer rectangle."""
        # The plot's height is not known yet, and with it how fine the ticks will be.
        heights = (share * rect.height() for share in (0.8, 0.9, 1.0))
        texts = [t for height in heights for _, t in self._upwards(height, style)]
        widest = max((text_width(text, style.text) for text in texts), default=0.0)
        label = line_height(1.1 * style.text)
        beside = label if self._turned else text_width(self.labels[1], 1.1 * style.text, italic=True)
        s = style.strokes
        return (
            widest + (TICK + 2 * GAP) * s + beside,
            0.5 * style.text,
            0.8 * style.text,
            line_height(style.text) + (TICK + GAP) * s + (label if self.labels[0] else 0.0),
        )

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Draw around the plot's rectangle (in points)."""
        transform = Transform.between(self.view, rect)
        theme, s = style.theme, style.strokes
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.soft_ink, style.axis_width))
        painter.drawRect(rect)
        self._ticks_below(painter, rect, style, transform)
        widest = self._ticks_left(painter, rect, style, transform)
        big = 1.1 * style.text
        below = rect.bottom() + (TICK + GAP) * s + line_height(style.text) + 0.85 * big
        draw_text(
            painter, style, QPointF(rect.center().x(), below), self.labels[0],
            points=big, anchor="centre", italic=True,
        )  # fmt: skip
        left = rect.left() - (TICK + 2 * GAP) * s - widest
        if self._turned:
            at = QPointF(left - 0.3 * big, rect.center().y())
        else:
            at = QPointF(left, rect.center().y() + 0.36 * big)
        draw_text(
            painter, style, at, self.labels[1],
            points=big, anchor="centre" if self._turned else "right", italic=True, turned=self._turned,
        )  # fmt: skip

    def _upwards(self, height: float, style: Style) -> Sequence[tuple[float, str]]:
        """The ticks of the vertical axis; none where it stands for nothing, as beside points on a line."""
        return ticks(self.view.bottom, self.view.top, height, style, self.unit) if self.labels[1] else ()

    @property
    def _turned(self) -> bool:
        """Long names of the vertical axis run upwards."""
        return len(self.labels[1]) > 2

    def _ticks_below(self, painter: QPainter, rect: QRectF, style: Style, transform: Transform) -> None:
        s = style.strokes
        for value, text in ticks(self.view.left, self.view.right, rect.width(), style, self.unit):
            x = transform.sx * value + transform.tx
            painter.setPen(pen(style.theme.soft_ink, style.axis_width))
            painter.drawLine(QLineF(x, rect.bottom(), x, rect.bottom() + TICK * s))
            at = QPointF(x, rect.bottom() + (TICK + GAP) * s + 0.85 * style.text)
            draw_text(painter, style, at, text, colour=style.theme.soft_ink, anchor="centre")

    def _ticks_left(self, painter: QPainter, rect: QRectF, style: Style, transform: Transform) -> float:
        s, widest = style.strokes, 0.0
        for value, text in self._upwards(rect.height(), style):
            y = transform.sy * value + transform.ty
            painter.setPen(pen(style.theme.soft_ink, style.axis_width))
            painter.drawLine(QLineF(rect.left() - TICK * s, y, rect.left(), y))
            at = QPointF(rect.left() - (TICK + GAP) * s, y + 0.36 * style.text)
            draw_text(painter, style, at, text, colour=style.theme.soft_ink, anchor="right")
            widest = max(widest, text_width(text, style.text))
        return widest
