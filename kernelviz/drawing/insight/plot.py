"""A small plot on the one painter: axes, curves and marks in points, the same on screen and on paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.strokes import pen, polygon
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import SMALLEST, draw_text, text_width, with_dots, wrapped
from kernelviz.drawing.insight.ranges import round_above
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import shown
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fields.contours import nice_step
from kernelviz.engine.numbers.declared import label

TOUCHING = 1.15  # Lines of type between two ticks below which their numbers touch.


@dataclass(frozen=True)
class Axis:
    """What one side of a plot shows."""

    low: float
    high: float
    label: str = ""
    log: bool = False
    whole: bool = False  # Whether only whole numbers are worth a tick (iterations).
    bare: bool = False  # Without numbers: a plot may share its axis with the one below, or count nothing.

    def fraction(self, values: Array | float) -> Array:
        """0 at the low end, 1 at the high end; NaN where a logarithm has no value."""
        v = np.asarray(values, dtype=np.float64)
        if not self.log:
            return (v - self.low) / (self.high - self.low)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(v > 0, np.log10(v), np.nan)
        low, high = math.log10(self.low), math.log10(self.high)
        return np.asarray((logs - low) / (high - low))

    def value(self, fraction: float) -> float:
        """The inverse of `fraction`."""
        if self.log:
            low, high = math.log10(self.low), math.log10(self.high)
            return float(10 ** (low + fraction * (high - low)))
        return self.low + fraction * (self.high - self.low)

    def ticks(self, count: int) -> list[float]:
        """At most about `count` round values from end to end."""
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
    """How a curve is drawn and called."""

    name: str
    colour: str
    width: float = 1.2
    dash: tuple[float, ...] = ()


def error_curves(theme: Theme) -> tuple[Curve, Curve]:
    """How the errors on the training and on the held-out points are drawn, in every view."""
    return (
        Curve(label("training_error"), theme.misclassified, 1.3, (4.0, 2.0)),
        Curve(label("test_error"), theme.highlight, 1.8),
    )


def error_axis(highest: float, squares: bool) -> Axis:
    """For errors up to the highest: means of squares, or shares of mistakes. A tenth of a percent is no
    mountain, so that it reaches at least to a tenth."""
    if squares:
        return Axis(0.0, round_above(highest), label("mean_squared_error"))
    return Axis(0.0, next((top for top in (0.1, 0.25, 0.5, 1.0) if highest <= top), 1.0))


TIGHT = 0.55  # Of the usual samples and gaps in the line above a plot, where there is little room.


class Plot:
    """Axes in a rectangle of points; `inner` is where the curves go, below a strip for their names."""

    def __init__(self, style: Style, rect: QRectF, x: Axis, y: Axis) -> None:
        self.style, self.x, self.y = style, x, y
        text = style.text
        top = rect.top() + 1.9 * text
        bottom = rect.bottom() - (0.5 if x.bare else 1.5) * text - (1.35 * text if x.label else 0.0)
        lines = (bottom - top) / text
        self._y_ticks = [] if y.bare else _apart(y, y.ticks(int(max(2.0, lines / 2.6))), lines)
        widest = max((text_width(shown(t), text) for t in self._y_ticks), default=text)
        left = rect.left() + widest + 0.7 * text + (1.5 * text if y.label else 0.0)
        self.outer = rect
        self.inner = QRectF(QPointF(left, top), QPointF(rect.right() - 0.8 * text, bottom))

    def value_at(self, x: float) -> float:
        """What the horizontal axis says below a place."""
        return self.x.value((x - self.inner.left()) / self.inner.width())

    def at(self, xs: Array | float, ys: Array | float) -> Array:
        """Positions in points, (m, 2)."""
        r = self.inner
        px = r.left() + self.x.fraction(xs) * r.width()
        py = r.bottom() - self.y.fraction(ys) * r.height()
        return np.column_stack(np.broadcast_arrays(np.atleast_1d(px), np.atleast_1d(py)))

    def draw_axes(self, p: QPainter) -> None:
        """Grid lines, ticks, labels and the two axes."""
        style, r = self.style, self.inner
        text = style.text
        x_ticks = self.x.ticks(int(max(2.0, r.width() / (5.0 * text))))
        xs = self.at(np.array(x_ticks), np.full(len(x_ticks), self.y.low))[:, 0].tolist()
        ys = self.at(np.full(len(self._y_ticks), self.x.low), np.array(self._y_ticks))[:, 1].tolist()
        p.setPen(pen(style.theme.grid, style.axis_width))
        p.drawLines([QLineF(x, r.top(), x, r.bottom()) for x in xs])
        p.drawLines([QLineF(r.left(), y, r.right(), y) for y in ys])
        p.setPen(pen(style.theme.soft_ink, style.axis_width))
        p.drawLines([QLineF(r.bottomLeft(), r.bottomRight()), QLineF(r.bottomLeft(), r.topLeft())])
        soft = style.theme.soft_ink
        for x, tick in zip(xs, () if self.x.bare else x_ticks, strict=not self.x.bare):
            draw_text(
                p, style, QPointF(x, r.bottom() + 1.25 * text), shown(tick), colour=soft, anchor="centre"
            )
        for y, tick in zip(ys, self._y_ticks, strict=True):
            at = QPointF(r.left() - 0.45 * text, y + 0.36 * text)
            draw_text(p, style, at, shown(tick), colour=soft, anchor="right")
        if self.x.label:
            fitting = min(1.0, self.outer.width() / text_width(self.x.label, text))
            half = fitting * text_width(self.x.label, text) / 2
            middle = min(max(r.center().x(), self.outer.left() + half), self.outer.right() - half)
            at = QPointF(middle, self.outer.bottom() - 0.35 * text)
            draw_text(p, style, at, self.x.label, points=fitting * text, anchor="centre")
        if self.y.label:
            fitting = min(1.0, self.outer.height() / text_width(self.y.label, text))
            half = fitting * text_width(self.y.label, text) / 2
            middle = min(max(r.center().y(), self.outer.top() + half), self.outer.bottom() - half)
            at = QPointF(self.outer.left() + 1.0 * text, middle)
            draw_text(p, style, at, self.y.label, points=fitting * text, anchor="centre", turned=True)

    def draw_curve(self, p: QPainter, xs: Array, ys: Array, curve: Curve) -> None:
        """A polyline, clipped to the plot, broken where a value is undefined."""
        xy = self.at(xs, ys)
        good = np.all(np.isfinite(xy), axis=1)
        # Qt's rasteriser has no use for coordinates far off the paper.
        np.clip(xy, -1e4, 1e4, out=xy)
        p.save()
        p.setClipRect(self.inner.adjusted(-1, -1, 1, 1))
        p.setPen(pen(curve.colour, curve.width * self.style.strokes, dash=curve.dash))
        for run in np.split(np.arange(len(xy)), np.flatnonzero(np.diff(good)) + 1):
            if len(run) and good[run[0]]:
                if len(run) == 1:
                    p.drawPoint(QPointF(*xy[run[0]].tolist()))
                else:
                    p.drawPolyline(polygon(xy[run]))
        p.restore()

    def draw_upright(self, p: QPainter, x: float, width: float = 1.0) -> float:
        """A line from top to bottom where the horizontal axis says x; returns its place in points."""
        at = float(self.at(x, self.y.high)[0, 0])
        if self.inner.left() - 1 <= at <= self.inner.right() + 1:
            p.setPen(pen(self.style.theme.highlight, width * self.style.strokes))
            p.drawLine(QLineF(at, self.inner.top(), at, self.inner.bottom()))
        return at

    def draw_strip(self, p: QPainter, entries: Sequence[tuple[Curve, str]], title: str = "") -> None:
        """The curves in a line above the plot: sample, name and number of each; smaller if they must be."""
        if not entries:
            return
        style, theme = self.style, self.style.theme
        texts, keys = _strip_parts(entries)
        scale = self.strip_scale(entries, title)
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
                p.setPen(pen(curve.colour, curve.width * style.strokes, dash=curve.dash))
                end = x + sample - 0.4 * size
                p.drawLine(QLineF(x, baseline - 0.33 * size, end, baseline - 0.33 * size))
            said = with_dots(text, size, widest)
            draw_text(p, style, QPointF(x + sample, baseline), said, points=size)
            x += text_width(said, size) + sample + 1.3 * loose * size

    def strip_scale(self, entries: Sequence[tuple[Curve, str]], title: str = "") -> float:
        """How large, relative to the type, the line above the plot can be: at most 1."""
        size = self.style.text
        needed = text_width(title, size) + (0.8 * size if title else 0.0)
        needed += sum(
            text_width(text, size) + (key + 1.3) * size
            for text, key in zip(*_strip_parts(entries), strict=True)
        )
        return min(1.0, (self.outer.right() - self.inner.left()) / max(needed, 1e-9))

    def draw_label(self, p: QPainter, at: QPointF, text: str, colour: str, distance: float) -> None:
        """A line of text beside a mark, on paper of its own, inside the plot."""
        style, room = self.style, self.inner
        size = style.text
        wide = text_width(text, size, bold=True) + 0.8 * size
        left = max(room.left(), min(at.x() + distance, room.right() - wide))
        top = min(max(at.y() - distance - 1.5 * size, room.top()), room.bottom() - 1.5 * size)
        paper = QColor(style.theme.paper)
        paper.setAlphaF(0.88)
        p.fillRect(QRectF(left, top, wide, 1.5 * size), paper)
        draw_text(p, style, QPointF(left + 0.4 * size, top + 1.1 * size), text, colour=colour, bold=True)


def _apart(axis: Axis, ticks: list[float], height: float) -> list[float]:
    """Every so-many-th of the ticks, so that the numbers beside them do not touch; the height in lines."""
    while len(ticks) > 1 and height * abs(np.diff(axis.fraction(np.array(ticks[:2])))[0]) < TOUCHING:
        ticks = ticks[::2]
    return ticks


def _strip_parts(entries: Sequence[tuple[Curve, str]]) -> tuple[list[str], list[float]]:
    """The texts, and the lengths of the samples before them in units of the type."""
    texts = [f"{curve.name} {value}".strip() for curve, value in entries]
    return texts, [1.8 if curve.width else 0.0 for curve, _ in entries]


def _widest(widths: Sequence[float], room: float) -> float:
    """How wide none may be, so that all together are no wider than the room."""
    shares = sorted(widths)
    for k, width in enumerate(shares):
        share = room / (len(shares) - k)
        if width > share:
            return share
        room -= width
    return max(shares, default=0.0)


def align(plots: Sequence[Plot]) -> None:
    """Let plots above each other begin at the same place."""
    left = max((plot.inner.left() for plot in plots), default=0.0)
    for plot in plots:
        plot.inner.setLeft(left)


def draw_message(painter: QPainter, style: Style, rect: QRectF, sentence: str) -> None:
    """A sentence in the middle where there is nothing to plot, broken into lines that fit."""
    lines = wrapped(sentence, style.text, 0.9 * rect.width())
    top = rect.center().y() - 0.65 * style.text * (len(lines) - 1)
    for k, line in enumerate(lines):
        at = QPointF(rect.center().x(), top + 1.3 * style.text * k)
        draw_text(painter, style, at, line, colour=style.theme.soft_ink, anchor="centre")
