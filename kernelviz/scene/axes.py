"""Axes: what they show, ranges that hold still, and how ticks, frames and labels are drawn.

An `Axis` is one side of a plot: two ends, a name and a scale. While numbers move a little, a `SteadyRange`
keeps the ends where they are, so that the picture stands still. `Curve` says how a line is drawn, in a role
of the theme that `ink` turns into a colour. `PlaneAxes` draws the axes of the canvas and of figures."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fields.contours import nice_step
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, has_formula, line_height, overshoot, text_width, with_dots
from kernelviz.scene.wording import visible
from kernelviz.session.panels import Panels
from kernelviz.session.themes import Theme
from kernelviz.session.view import ViewRange

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
TICK = 3.0
TICK_GAP = 3.0
TICKS_APART = 0.6  # Between two numbers side by side, relative to the type size.


# Ranges -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class SteadyRange:
    """A range that grows when a value would fall outside and shrinks only when most of it has become empty,
    so that an axis holds still while its numbers move a little.

    >>> SteadyRange.at_least(0.0, 1.0).covering(0.0, 3.2)
    SteadyRange(least=(0.0, 1.0), low=0.0, high=3.5)"""

    least: tuple[float, float]  # Values that are always shown.
    low: float
    high: float

    @classmethod
    def at_least(cls, low: float, high: float) -> SteadyRange:
        """Return the range to begin with, which never becomes smaller."""
        return cls((low, high), low, high)

    @classmethod
    def of_any_size(cls, both_sides: bool = False) -> SteadyRange:
        """Return a range that starts at 0, or lies around it, and reaches as far as the values, however small
        they are; before there are any, it reaches to 1."""
        return cls((0.0, 0.0), -1.0 if both_sides else 0.0, 1.0)

    def covers(self, other: SteadyRange) -> bool:
        """Return True if the other range lies within this one."""
        return self.low <= other.low and other.high <= self.high

    def covering(self, low: float, high: float) -> SteadyRange:
        """Return the range to show next, for values from low to high: the same one unless a value falls
        outside, or half of it is empty. New ends are round numbers with some air beyond the values."""
        low, high = min(low, self.least[0]), max(high, self.least[1])
        if low == high:
            return self
        outside = low < self.low or high > self.high
        shrink = 0.5  # A range twice as wide as needed is made smaller; anything less stays as it is.
        empty = high - low < shrink * (self.high - self.low)
        if not (math.isfinite(low) and math.isfinite(high) and (outside or empty)):
            return self
        step = nice_step(high - low, 10)
        air_around_curves = 0.08  # Room beyond the curves, as a share of the range.
        air = air_around_curves * (high - low)
        below, above = (air if low < self.least[0] else 0.0), (air if high > self.least[1] else 0.0)
        return SteadyRange(
            self.least,
            math.floor((low - below) / step + 1e-9) * step if below else self.least[0],
            math.ceil((high + above) / step - 1e-9) * step if above else self.least[1],
        )


def decades(values: Array) -> tuple[float, float]:
    """Return whole powers of ten around the positive values, at least one decade; (1e-3, 1) without any."""
    positive = values[np.isfinite(values) & (values > 0)]
    if len(positive) == 0:
        return 1e-3, 1.0
    low = math.floor(math.log10(float(positive.min())) + 1e-9)
    high = math.ceil(math.log10(float(positive.max())) - 1e-9)
    return 10.0**low, 10.0 ** max(high, low + 1)


def round_above(value: float) -> float:
    """Return the next of 1, 2 and 5 times a power of ten: the end of an axis that seldom changes."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return float(power * next(step for step in (1.0, 2.0, 5.0, 10.0) if value <= step * power))


# Numbers and names ------------------------------------------------------------------------------------------
def column_symbol(column: str) -> tuple[str, str] | None:
    """Return the letter and the number of a column such as x1 or x_1; None for other names."""
    short = re.fullmatch(r"([A-Za-z])_?(\d{1,2})", column)
    return (short[1], short[2]) if short else None


def axis_name(column: str) -> str:
    """Return x₁ for x1, and a user's own column name on one line."""
    if symbol := column_symbol(column):
        return f"{symbol[0]}{symbol[1].translate(SUBSCRIPTS)}"
    return column and visible(column)


def is_symbol(label: str) -> bool:
    """Return True for a letter alone, such as x₁, which is set in italics; words stand upright."""
    return bool(re.fullmatch(r"[^\W\d_][₀-₉′]*", label))


def tick_text(value: float, step: float, largest: float = 0.0) -> str:
    """Return a number with the digits that its step needs, without zeros at the end, and a true minus sign.

    It has a power of ten for very large or small steps, unless the `largest` number on the axis is as short
    without."""
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(step) + 1e-9)
    mantissa = step / 10.0**exponent
    finer = abs(mantissa - round(mantissa)) > 1e-6  # steps of 2.5 need one more digit
    plain = 1e-3  # From such a size on a number is no longer without a power of ten than with one.
    if -4 <= exponent < 5 or (exponent < 0 and largest >= plain):
        text = f"{value:.{max(0, finer - exponent)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        digits = max(0, math.floor(math.log10(abs(value)) + 1e-9) - exponent + finer)
        head, _, power = f"{value:.{digits}e}".partition("e")
        text = f"{head}e{int(power)}"
    return text.replace("-", "−")


# Declarations -----------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Axis:
    """One side of a plot: the values at its ends, its name and its scale.

    >>> float(Axis(0.01, 100.0, "C", log=True).fraction(1.0))
    0.5"""

    low: float
    high: float
    label: str = ""
    log: bool = False
    whole: bool = False  # Whether only whole numbers are worth a tick (iterations).
    bare: bool = False  # Without numbers: a plot may share its axis with the one below, or count nothing.
    unit: float = 1.0  # The number shown for one unit of the values.
    # The ends of a shorter axis whose numbers are repeated at several distances, and these distances.
    repeated: tuple[float, float, tuple[float, ...]] | None = None

    def fraction(self, values: Array | float) -> Array:
        """Return 0 at the low end, 1 at the high end; NaN where a logarithm has no value."""
        v = np.asarray(values, dtype=np.float64)
        if not self.log:
            return (v - self.low) / (self.high - self.low)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(v > 0, np.log10(v), np.nan)
        low, high = math.log10(self.low), math.log10(self.high)
        return np.asarray((logs - low) / (high - low))

    def value(self, fraction: float) -> float:
        """Return the value at a fraction of the way: the inverse of `fraction`."""
        if self.log:
            low, high = math.log10(self.low), math.log10(self.high)
            return float(10 ** (low + fraction * (high - low)))
        return self.low + fraction * (self.high - self.low)

    def ticks(self, count: int) -> list[float]:
        """Return at most about `count` round values from end to end."""
        low, high = (math.log10(end) for end in (self.low, self.high)) if self.log else (0.0, 0.0)
        first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
        if self.log and last > first:  # within a decade the ticks are those of a plain axis
            stride = max(1, math.ceil((last - first) / max(1, count)))
            return [10.0**k for k in range(first, last + 1, stride)]
        step, multiples = self._multiples(count)
        return [k * step / self.unit for k in multiples]

    def numbered(self, length: float, style: Style, *, side_by_side: bool = False) -> list[tuple[float, str]]:
        """Return round values on an axis of `length` points, each with its number, which has the digits that
        the step needs. There are fewer where numbers that stand side by side would touch."""
        if self.repeated is not None:
            low, high, distances = self.repeated
            # Enlarged a lot, the axis has no more ticks than this: those outside it are made too.
            short = length * min(30.0, (high - low) / (self.high - self.low))
            numbers = Axis(low, high, unit=self.unit).numbered(short, style, side_by_side=side_by_side)
            every = [(value + far, text) for far in distances for value, text in numbers]
            return [(value, text) for value, text in every if self.low <= value <= self.high]
        low, high = self.low * self.unit, self.high * self.unit
        for count in range(max(4, int(length / (4.5 * style.text))), 0, -1):
            step, multiples = self._multiples(count)
            texts = [tick_text(k * step, step, max(abs(low), abs(high))) for k in multiples]
            widest = (
                max((text_width(text, style.text) for text in texts), default=0.0) + TICKS_APART * style.text
            )
            if not side_by_side or len(texts) < 2 or widest <= length * step / (high - low):
                break
        return [(k * step / self.unit, text) for k, text in zip(multiples, texts, strict=True)]

    def _multiples(self, count: int) -> tuple[float, range]:
        """Return a round step and the whole numbers k for which k * step lies on the axis: about `count`."""
        low, high = self.low * self.unit, self.high * self.unit
        step = nice_step(high - low, max(1, count))
        if self.whole:
            step = max(1.0, round(step))
        return step, range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)


@dataclass(frozen=True)
class Curve:
    """The name of a curve and how it is drawn; its colour is a role of the theme.

    >>> Curve("training error", "misclassified", 1.3, dash=(4.0, 2.0))"""

    name: str
    colour: str
    width: float = 1.2
    dash: tuple[float, ...] = ()
    alpha: float = 1.0  # How opaque it is, for many curves upon each other.


def written(name: str, number: str = "") -> tuple[Curve, str]:
    """Return an entry for the legend of a plot that is only written: no line is drawn before its name.

    >>> Plot(part="spectrum", x=x, y=y, legend=(written("condition", "1.2e4"),))"""
    return Curve(name, "ink", 0.0), number


def ink(theme: Theme, role: str) -> str:
    """Return the colour of a role: a colour of the theme, "class 2" for one of its palette, "faded" and a
    role for a lighter one, or "shade", a share and a role for any step between paper and that role. Lighter
    colours are opaque: that paints faster.

    >>> ink(LIGHT, "positive"), ink(LIGHT, "shade 0.5 positive")
    ('#0a4f91', '#87a5ca')"""
    kind, _, rest = role.partition(" ")
    faded = 0.45  # How strong a faded colour is.
    if kind == "faded":
        return blend(theme.paper, ink(theme, rest), faded)
    if kind == "shade":
        share, _, rest = rest.partition(" ")
        return blend(theme.paper, ink(theme, rest), float(share))
    colour: str = theme.classes[int(rest)] if kind == "class" else getattr(theme, kind)
    return colour


def spaced_ticks(axis: Axis, ticks: list[float], length: float) -> list[float]:
    """Return every so-many-th of the ticks, so that the numbers next to them do not touch; the length of the
    axis is in lines of type, or in numbers side by side."""
    touching = 1.15  # Lines of type between two ticks below which their numbers touch.
    while len(ticks) > 1 and length * abs(np.diff(axis.fraction(np.array(ticks[:2])))[0]) < touching:
        ticks = ticks[::2]
    return ticks


# The frame of the canvas and of figures ---------------------------------------------------------------------
@dataclass(frozen=True)
class PlaneAxes:
    """The axes of the canvas and of figures: a frame around a part of the plane, with ticks and labels
    outside it. The numbers on both axes have the digits that their steps need."""

    view: ViewRange
    labels: tuple[str, str]
    unit: float = 1.0  # The number shown at ticks for one unit of the view.
    panels: Panels | None = None  # Pictures next to each other, each with the same numbers.
    named: bool = True  # Whether there is room for the labels.
    bare: bool = False  # Whether the vertical axis has no numbers.
    # Whether each axis has ticks with numbers: a neighbour may have the same.
    numbered: tuple[bool, bool] = (True, True)

    @property
    def x(self) -> Axis:
        """The horizontal axis."""
        across = None
        if (panels := self.panels) is not None:
            distances = tuple(k * float(panels.pitch[0]) for k in range(panels.columns))
            across = (panels.box.left, panels.box.right, distances)
        return Axis(self.view.left, self.view.right, self.labels[0], unit=self.unit, repeated=across)

    @property
    def y(self) -> Axis:
        """The vertical axis; it is bare if it has no meaning, as for points on a line."""
        name, up = self.labels[1], None
        if (panels := self.panels) is not None:
            distances = tuple(k * float(panels.pitch[1]) for k in range(panels.rows))
            up = (panels.box.bottom, panels.box.top, distances)
        bare = self.bare or not name
        return Axis(self.view.bottom, self.view.top, name, bare=bare, unit=self.unit, repeated=up)

    @property
    def _turned(self) -> bool:
        """Whether the name of the vertical axis is long and runs upwards."""
        name, widest = self.labels[1], 2.2  # of one that has a formula in it, in units of the type
        if has_formula(name):
            return text_width(name, 10.0) > 10.0 * widest
        return len(name) > 2 and not is_symbol(name)

    def _numbers(self, height: float, style: Style) -> list[tuple[float, str]]:
        return [] if self.y.bare else self.y.numbered(height, style)

    def margins(self, rect: QRectF, style: Style) -> tuple[float, float, float, float]:
        """Return the room needed left, above, right and below for ticks and labels, given the outer
        rectangle."""
        # The plot's height is not known yet, and with it how fine the ticks will be.
        heights = (share * rect.height() for share in (0.8, 0.9, 1.0))
        texts = [text for height in heights for _, text in self._numbers(height, style)]
        widest = max((text_width(text, style.text) for text in texts), default=0.0)
        big, s = 1.1 * style.text, style.strokes
        below_x, beside_y = (line_height(big) + sum(overshoot(name, big)) for name in self.labels)
        upright = text_width(self.y.label, big, italic=is_symbol(self.y.label))
        name = (beside_y if self._turned else upright) if self.named else 0.0
        left = widest + (TICK + 2 * TICK_GAP) * s + name
        width, beyond = rect.width() - left, 0.0  # how far the last number reaches beyond the horizontal axis
        if numbers := self.x.numbered(width, style, side_by_side=True):
            value, text = numbers[-1]
            beyond = 0.5 * text_width(text, style.text) - (1.0 - float(self.x.fraction(value))) * width
        below = line_height(style.text) + (TICK + TICK_GAP) * s
        below += below_x if self.named and self.x.label else 0.0
        return left, 0.5 * style.text, max(0.8 * style.text, beyond), below

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Draw the frame, ticks and labels around the plot's rectangle (in points)."""
        soft, text, s = style.theme.soft_ink, style.text, style.strokes
        line = pen(soft, style.axis_width)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(line)
        painter.drawRect(rect)
        foot = rect.bottom() + (TICK + TICK_GAP) * s
        across = self.x.numbered(rect.width(), style, side_by_side=True) if self.numbered[0] else ()
        for value, number in across:
            x = rect.left() + float(self.x.fraction(value)) * rect.width()
            painter.setPen(line)
            painter.drawLine(QLineF(x, rect.bottom(), x, rect.bottom() + TICK * s))
            draw_text(painter, style, QPointF(x, foot + 0.85 * text), number, colour=soft, anchor="centre")
        side, widest = rect.left() - (TICK + TICK_GAP) * s, 0.0
        for value, number in self._numbers(rect.height(), style) if self.numbered[1] else ():
            y = rect.bottom() - float(self.y.fraction(value)) * rect.height()
            painter.setPen(line)
            painter.drawLine(QLineF(rect.left() - TICK * s, y, rect.left(), y))
            at = QPointF(side, y)
            draw_text(painter, style, at, number, colour=soft, anchor="right", middle=True)
            widest = max(widest, text_width(number, text))
        if self.named:
            self._paint_names(painter, rect, foot, side - TICK_GAP * s - widest, style)

    def _paint_names(self, painter: QPainter, rect: QRectF, foot: float, side: float, style: Style) -> None:
        """Write the labels beyond the numbers, below the foot and left of the side; a long one ends in
        dots."""
        big = 1.1 * style.text
        across, up = self.labels
        above, _ = overshoot(across, big)
        at = QPointF(rect.center().x(), foot + line_height(style.text) + 0.85 * big + above)
        words = self._cut(across, big, rect.width(), style)
        draw_text(painter, style, at, words, points=big, anchor="centre", italic=is_symbol(across))
        at, italic = QPointF(side, rect.center().y()), is_symbol(up)
        if self._turned:
            _, below = overshoot(up, big)
            at -= QPointF(0.3 * big + below, 0.0)
            words = self._cut(up, big, rect.height(), style)
            draw_text(painter, style, at, words, points=big, anchor="centre", italic=italic, turned=True)
        else:
            draw_text(painter, style, at, up, points=big, anchor="right", italic=italic, middle=True)

    def _cut(self, name: str, size: float, room: float, style: Style) -> str:
        """Return the name of an axis, shortened with dots if it is too wide."""
        words = with_dots(name, size, room, italic=is_symbol(name))
        if words != name:
            style.make_smaller("the names of the axes")
        return words
