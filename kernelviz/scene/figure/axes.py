"""Axes: round ticks, a light frame, labels in the margin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.engine.fields.contours import nice_step
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, line_height, text_width
from kernelviz.scene.figure.transform import Transform
from kernelviz.session.view import ViewRange

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
TICK = 3.0
GAP = 3.0
APART = 0.6  # Between two numbers side by side, relative to the type size.
PLAIN = 1e-3  # From such a size on a number is no longer without a power of ten than with one.


def axis_name(column: str) -> str:
    """Return x₁ for x1, and a user's own column name as it is."""
    short = re.fullmatch(r"([A-Za-z])_?(\d{1,2})", column)
    return f"{short[1]}{short[2].translate(SUBSCRIPTS)}" if short else column


def tick_text(value: float, step: float, largest: float = 0.0) -> str:
    """Return a number with the digits its step needs and a true minus sign; with a power of ten for very
    large or small steps, unless the `largest` number on the axis is as short without."""
    if value == 0:
        return "0"
    exponent = floor(log10(step) + 1e-9)
    mantissa = step / 10.0**exponent
    finer = abs(mantissa - round(mantissa)) > 1e-6  # steps of 2.5 need one more digit
    if -4 <= exponent < 5 or (exponent < 0 and largest >= PLAIN):
        text = f"{value:.{max(0, finer - exponent)}f}"
    else:
        digits = max(0, floor(log10(abs(value)) + 1e-9) - exponent + finer)
        head, _, power = f"{value:.{digits}e}".partition("e")
        text = f"{head}e{int(power)}"
    return text.replace("-", "−")


def ticks(
    low: float, high: float, length: float, style: Style, unit: float = 1.0, *, abreast: bool = False
) -> list[tuple[float, str]]:
    """Return places on an axis and their numbers, which are round and not too close to each other. One unit
    of the plot counts as `unit`; `abreast`: the numbers stand side by side, so their widths matter."""
    low, high = low * unit, high * unit
    largest = max(abs(low), abs(high))
    for count in range(max(4, int(length / (4.5 * style.text))), 0, -1):
        step = nice_step(high - low, count)
        places = range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
        texts = [tick_text(k * step, step, largest) for k in places]
        if not abreast or len(texts) < 2 or _widest(texts, style) <= length * step / (high - low):
            break
    return [(k * step / unit, text) for k, text in zip(places, texts, strict=True)]


def _widest(texts: Sequence[str], style: Style) -> float:
    """Return the room that the widest number needs next to others."""
    return max(text_width(text, style.text) for text in texts) + APART * style.text


@dataclass(frozen=True)
class Axes:
    """Frame, ticks and labels around a plot of the view."""

    view: ViewRange
    labels: tuple[str, str]
    unit: float = 1.0  # What the ticks call one unit of the view.

    def margins(self, rect: QRectF, style: Style) -> tuple[float, float, float, float]:
        """Return the room needed left, above, right and below for ticks and labels, given the outer
        rectangle."""
        # The plot's height is not known yet, and with it how fine the ticks will be.
        heights = (share * rect.height() for share in (0.8, 0.9, 1.0))
        texts = [t for height in heights for _, t in self._upwards(height, style)]
        widest = max((text_width(text, style.text) for text in texts), default=0.0)
        label = line_height(1.1 * style.text)
        beside = label if self._turned else text_width(self.labels[1], 1.1 * style.text, italic=True)
        s = style.strokes
        left = widest + (TICK + 2 * GAP) * s + beside
        return (
            left,
            0.5 * style.text,
            max(0.8 * style.text, self._overhang(rect.width() - left, style)),
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

    def _across(self, width: float, style: Style) -> Sequence[tuple[float, str]]:
        return ticks(self.view.left, self.view.right, width, style, self.unit, abreast=True)

    def _overhang(self, width: float, style: Style) -> float:
        """Return how far the last number of the horizontal axis reaches beyond its end."""
        if not (shown := self._across(width, style)):
            return 0.0
        value, text = shown[-1]
        beyond = (self.view.right - value) / (self.view.right - self.view.left)
        return 0.5 * text_width(text, style.text) - beyond * width

    def _upwards(self, height: float, style: Style) -> Sequence[tuple[float, str]]:
        """Return the ticks of the vertical axis; none if it has no meaning, as for points on a line."""
        return ticks(self.view.bottom, self.view.top, height, style, self.unit) if self.labels[1] else ()

    @property
    def _turned(self) -> bool:
        """Return True if the name of the vertical axis is long and runs upwards."""
        return len(self.labels[1]) > 2

    def _ticks_below(self, painter: QPainter, rect: QRectF, style: Style, transform: Transform) -> None:
        s = style.strokes
        for value, text in self._across(rect.width(), style):
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
