"""Axes of a plot: what they show, ranges that hold still, and how ticks, labels and the legend are drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fields.contours import nice_step
from kernelviz.engine.numbers.declared import label
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import SMALLEST, draw_text, text_width, with_dots
from kernelviz.scene.theme import Theme
from kernelviz.scene.wording import shown

TOUCHING = 1.15  # Lines of type between two ticks below which their numbers touch.
TIGHT = 0.55  # Length of samples and gaps in the legend where there is little room, as a share of the usual.
AIR_AROUND_CURVES = 0.08  # Room beyond the curves, as a share of the range.
FADED = 0.45  # How strong a faded colour is.
SHRINK = 0.5  # A range twice as wide as needed is made smaller; anything less stays as it is.


# Ranges -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class SteadyRange:
    """A range that grows when a value would fall outside and shrinks only when most of it has become empty,
    so that an axis holds still while its numbers move a little."""

    least: tuple[float, float]  # Values that are always shown.
    low: float
    high: float

    @classmethod
    def at_least(cls, low: float, high: float) -> SteadyRange:
        """Return the range to begin with, which never becomes smaller."""
        return cls((low, high), low, high)

    @classmethod
    def of_any_size(cls, both_sides: bool = False) -> SteadyRange:
        """Return a range that reaches from 0, or around it, as far as the values do, however small they are;
        to 1 before there are any."""
        return cls((0.0, 0.0), -1.0 if both_sides else 0.0, 1.0)

    def covering(self, low: float, high: float) -> SteadyRange:
        """Return the range to show next, for values from low to high."""
        low, high = min(low, self.least[0]), max(high, self.least[1])
        if low == high:
            return self
        outside = low < self.low or high > self.high
        empty = high - low < SHRINK * (self.high - self.low)
        if not (math.isfinite(low) and math.isfinite(high) and (outside or empty)):
            return self
        step = nice_step(high - low, 10)
        air = AIR_AROUND_CURVES * (high - low)
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


# Declarations -----------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Axis:
    """One side of a plot: the values at its ends, its name and its scale."""

    low: float
    high: float
    label: str = ""
    log: bool = False
    whole: bool = False  # Whether only whole numbers are worth a tick (iterations).
    bare: bool = False  # Without numbers: a plot may share its axis with the one below, or count nothing.

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
        step = nice_step(self.high - self.low, max(1, count))
        if self.whole:
            step = max(1.0, round(step))
        first = math.ceil(self.low / step - 1e-9)
        return [k * step for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


@dataclass(frozen=True)
class Curve:
    """The name of a curve and how it is drawn; its colour is a role of the theme."""

    name: str
    colour: str
    width: float = 1.2
    dash: tuple[float, ...] = ()


def ink(theme: Theme, role: str) -> str:
    """Return the colour of a role: a colour of the theme, "class 2" for one of its palette, "faded" and a
    role for a lighter one, or "shade", a share and a role for any step between paper and that role. Lighter
    colours are opaque: that paints faster."""
    kind, _, rest = role.partition(" ")
    if kind == "faded":
        return blend(theme.paper, ink(theme, rest), FADED)
    if kind == "shade":
        share, _, rest = rest.partition(" ")
        return blend(theme.paper, ink(theme, rest), float(share))
    colour: str = theme.classes[int(rest)] if kind == "class" else getattr(theme, kind)
    return colour


# How errors are drawn in every view.
TRAINING = Curve(label("training_error"), "misclassified", 1.3, (4.0, 2.0))
HELD_OUT = Curve(label("test_error"), "highlight", 1.8)


def error_axis(highest: float, squares: bool) -> Axis:
    """Return an axis for errors up to the highest: means of squares, or shares of mistakes. The latter
    reaches at least to a tenth, so that a tenth of a per cent does not look like a mountain."""
    if squares:
        return Axis(0.0, round_above(highest), label("mean_squared_error"))
    return Axis(0.0, next((top for top in (0.1, 0.25, 0.5, 1.0) if highest <= top), round_above(highest)))


# Drawing ----------------------------------------------------------------------------------------------------
class Axes:
    """Two axes in a rectangle of points; `inner` is where the data go, below a strip for the legend."""

    def __init__(self, style: Style, rect: QRectF, x: Axis, y: Axis) -> None:
        self.style, self.x, self.y = style, x, y
        text = style.text
        top = rect.top() + 1.9 * text
        bottom = rect.bottom() - (0.5 if x.bare else 1.5) * text - (1.35 * text if x.label else 0.0)
        lines = (bottom - top) / text
        self._y_ticks = [] if y.bare else spaced_ticks(y, y.ticks(int(max(2.0, lines / 2.6))), lines)
        widest = max((text_width(shown(t), text) for t in self._y_ticks), default=text)
        left = rect.left() + widest + 0.7 * text + (1.5 * text if y.label else 0.0)
        self.outer = rect
        self.inner = QRectF(QPointF(left, top), QPointF(rect.right() - 0.8 * text, bottom))

    def at(self, xs: Array | float, ys: Array | float) -> Array:
        """Return positions in points, (m, 2)."""
        r = self.inner
        px = r.left() + self.x.fraction(xs) * r.width()
        py = r.bottom() - self.y.fraction(ys) * r.height()
        return np.column_stack(np.broadcast_arrays(np.atleast_1d(px), np.atleast_1d(py)))

    def draw(self, p: QPainter) -> None:
        """Draw grid lines, ticks, labels and the two axes."""
        style, r = self.style, self.inner
        text, soft = style.text, style.theme.soft_ink
        x_ticks = self.x.ticks(int(max(2.0, r.width() / (5.0 * text))))
        xs = self.at(np.array(x_ticks), np.full(len(x_ticks), self.y.low))[:, 0].tolist()
        ys = self.at(np.full(len(self._y_ticks), self.x.low), np.array(self._y_ticks))[:, 1].tolist()
        p.setPen(pen(style.theme.grid, style.axis_width))
        p.drawLines([QLineF(x, r.top(), x, r.bottom()) for x in xs])
        p.drawLines([QLineF(r.left(), y, r.right(), y) for y in ys])
        p.setPen(pen(soft, style.axis_width))
        p.drawLines([QLineF(r.bottomLeft(), r.bottomRight()), QLineF(r.bottomLeft(), r.topLeft())])
        for x, tick in zip(xs, () if self.x.bare else x_ticks, strict=not self.x.bare):
            below = QPointF(x, r.bottom() + 1.25 * text)
            draw_text(p, style, below, shown(tick), colour=soft, anchor="centre")
        for y, tick in zip(ys, self._y_ticks, strict=True):
            at = QPointF(r.left() - 0.45 * text, y + 0.36 * text)
            draw_text(p, style, at, shown(tick), colour=soft, anchor="right")
        outer = self.outer
        if self.x.label:
            middle, size = _fitted(self.x.label, text, r.center().x(), outer.left(), outer.right())
            foot = QPointF(middle, outer.bottom() - 0.35 * text)
            draw_text(p, style, foot, self.x.label, points=size, anchor="centre")
        if self.y.label:
            middle, size = _fitted(self.y.label, text, r.center().y(), outer.top(), outer.bottom())
            side = QPointF(outer.left() + 1.0 * text, middle)
            draw_text(p, style, side, self.y.label, points=size, anchor="centre", turned=True)

    def draw_legend(self, p: QPainter, entries: Sequence[tuple[Curve, str]], title: str = "") -> None:
        """Draw sample, name and number of each curve in a line above the plot; smaller if they must be."""
        if not entries:
            return
        style, theme = self.style, self.style.theme
        texts, keys = _legend_parts(entries)
        scale = self.legend_scale(entries, title)
        size = style.text * max(SMALLEST, scale)
        # Where even that is too wide, samples and gaps are shorter, then words.
        loose = 1.0 if scale >= SMALLEST else TIGHT
        baseline = self.inner.top() - 0.7 * style.text
        x = self.inner.left() if scale >= SMALLEST else self.outer.left()
        if title:
            draw_text(p, style, QPointF(x, baseline), title, points=size, colour=theme.soft_ink)
            x += text_width(title, size) + 0.8 * loose * size
        besides = loose * size * (sum(keys) + 1.3 * (len(keys) - 1))
        widest = _widest([text_width(text, size) for text in texts], self.outer.right() - x - besides)
        for (curve, _), text, key in zip(entries, texts, keys, strict=True):
            sample = loose * key * size
            if key:
                p.setPen(pen(ink(theme, curve.colour), curve.width * style.strokes, dash=curve.dash))
                end = x + sample - 0.4 * size
                p.drawLine(QLineF(x, baseline - 0.33 * size, end, baseline - 0.33 * size))
            words = with_dots(text, size, widest)
            draw_text(p, style, QPointF(x + sample, baseline), words, points=size)
            x += text_width(words, size) + sample + 1.3 * loose * size

    def legend_scale(self, entries: Sequence[tuple[Curve, str]], title: str = "") -> float:
        """Return how large the legend can be, relative to the type: at most 1."""
        size = self.style.text
        needed = text_width(title, size) + (0.8 * size if title else 0.0)
        needed += sum(
            text_width(text, size) + (key + 1.3) * size
            for text, key in zip(*_legend_parts(entries), strict=True)
        )
        return min(1.0, (self.outer.right() - self.inner.left()) / max(needed, 1e-9))


def spaced_ticks(axis: Axis, ticks: list[float], height: float) -> list[float]:
    """Return every so-many-th of the ticks, so that the numbers next to them do not touch; the height is in
    lines of type."""
    while len(ticks) > 1 and height * abs(np.diff(axis.fraction(np.array(ticks[:2])))[0]) < TOUCHING:
        ticks = ticks[::2]
    return ticks


def _fitted(label: str, text: float, middle: float, low: float, high: float) -> tuple[float, float]:
    """Return the middle and the size of a label that is to be near `middle` and between two ends."""
    wide = max(text_width(label, text), 1e-9)
    fitting = min(1.0, (high - low) / wide)
    half = fitting * wide / 2
    return min(max(middle, low + half), high - half), fitting * text


def _legend_parts(entries: Sequence[tuple[Curve, str]]) -> tuple[list[str], list[float]]:
    """Return the texts, and the lengths of the samples before them in units of the type."""
    texts = [f"{curve.name} {value}".strip() for curve, value in entries]
    return texts, [1.8 if curve.width else 0.0 for curve, _ in entries]


def _widest(widths: Sequence[float], room: float) -> float:
    """Return the width that none may exceed, so that all together fit the room."""
    shares = sorted(widths)
    for k, width in enumerate(shares):
        share = room / (len(shares) - k)
        if width > share:
            return share
        room -= width
    return max(shares, default=0.0)
