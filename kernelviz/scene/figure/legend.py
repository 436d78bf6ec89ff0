"""Legends: they list only what is drawn, with the same strokes.

The legend of a plane has entries with samples, set as a strip, a column or a card. That of a plot is a line
that names its curves with their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import floor, inf

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from kernelviz.scene.axes import Curve, ink
from kernelviz.scene.figure.strokes import pen, tinted
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import SMALLEST_TYPE, draw_text, overshoot, text_width, with_dots

# Draws a sample around a centre, within KEY_LENGTH points to either side.
Draw = Callable[[QPainter, QPointF, Style], None]
KEY_LENGTH = 9.0
Ink = Callable[[Style], QPen]  # The pen of a line in a style.


@dataclass(frozen=True)
class Entry:
    """One line of the legend of a plane: a text, and what draws the sample before it.

    >>> Entry("boundary", stroke(lambda style: pen(style.theme.boundary, style.boundary_width)))"""

    text: str
    draw: Draw
    kind: str = ""  # The thing it explains, if its text may change while that stays the same.

    @property
    def key(self) -> str:
        """A key that is equal for two entries that explain the same thing."""
        return self.kind or self.text


def key_scale(style: Style) -> float:
    """Return how much larger than usual a sample is."""
    return max(style.text / 9.0, style.glyphs)


def stroke(ink: Ink) -> Draw:
    """Return what draws the sample of a line with a pen."""

    def draw(painter: QPainter, at: QPointF, style: Style) -> None:
        painter.setPen(ink(style))
        half = (KEY_LENGTH - 1) * key_scale(style)
        painter.drawLine(QLineF(at.x() - half, at.y(), at.x() + half, at.y()))

    return draw


def fine(style: Style) -> QPen:
    """Return the pen of an outline that only separates a colour from the paper."""
    return pen(style.theme.soft_ink, 0.4 * style.strokes)


def swatch(*colours: Callable[[Style], str], edge: Ink = fine) -> Draw:
    """Return what draws the sample of an area in one colour, or in several side by side."""

    def draw(painter: QPainter, at: QPointF, style: Style) -> None:
        half = (KEY_LENGTH - 1) * key_scale(style)
        wide = 2 * half / len(colours)
        painter.setPen(edge(style))
        for k, colour in enumerate(colours):
            painter.setBrush(QColor(colour(style)))
            painter.drawRect(QRectF(at.x() - half + k * wide, at.y() - 0.4 * half, wide, 0.8 * half))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    return draw


@dataclass(frozen=True)
class Legend:
    """Entries set as a strip of as many rows as it needs, as a column, or as a card in a corner."""

    entries: tuple[Entry, ...]

    def _width(self, entry: Entry, style: Style) -> float:
        return 2 * KEY_LENGTH * key_scale(style) + 0.5 * style.text + text_width(entry.text, style.text)

    def _row(self, style: Style) -> float:
        formulas = max((max(overshoot(entry.text, style.text)) for entry in self.entries), default=0.0)
        return max(1.7 * style.text + 2.0 * formulas, 2.5 * style.ring_radius(0.0))

    def rows(self, width: float, style: Style) -> list[list[Entry]]:
        """Return the entries broken into rows of at most that width; one that is wider has a row of its own,
        where it ends in dots."""
        rows: list[list[Entry]] = []
        used, width = 0.0, max(width, 0.0)
        for entry in self.entries:
            need = min(self._width(entry, style), width) + 1.4 * style.text
            if not rows or used + need > width + 1.4 * style.text:
                rows.append([])
                used = 0.0
            rows[-1].append(entry)
            used += need
        return rows

    def strip_height(self, width: float, style: Style) -> float:
        """Return the height of all rows of a strip of that width."""
        return len(self.rows(width, style)) * self._row(style)

    def paint_strip(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Paint rows from the top of the rectangle, left-aligned."""
        y = rect.top() + self._row(style) / 2
        for row in self.rows(rect.width(), style):
            x = rect.left()
            for entry in row:
                self._paint_entry(painter, entry, x, y, style, rect.width())
                x += self._width(entry, style) + 1.4 * style.text
            y += self._row(style)

    def card_size(self, style: Style) -> tuple[float, float]:
        """Return the width and height of the card."""
        widest = max((self._width(entry, style) for entry in self.entries), default=0.0)
        return widest + 1.6 * style.text, len(self.entries) * self._row(style) + 0.9 * style.text

    def paint_card(self, painter: QPainter, corner: QPointF, style: Style) -> None:
        """Paint a translucent card with its top left corner there."""
        if not self.entries:
            return
        painter.setPen(pen(style.theme.grid, style.axis_width))
        painter.setBrush(tinted(style.theme.paper, 0.86))
        width, height = self.card_size(style)
        painter.drawRoundedRect(QRectF(corner.x(), corner.y(), width, height), 4.0, 4.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self.paint_column(painter, QRectF(corner, corner), style)

    def entry_on_card(self, below: float, style: Style) -> Entry | None:
        """Return the entry of the card at a distance below its top, if one is there."""
        k = floor((below - 0.45 * style.text) / self._row(style))
        return self.entries[k] if 0 <= k < len(self.entries) else None

    def paint_column(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Paint one entry below the other from the top of the rectangle, as on the card but without it."""
        for i, entry in enumerate(self.entries):
            y = rect.top() + 0.45 * style.text + (i + 0.5) * self._row(style)
            self._paint_entry(painter, entry, rect.left() + 0.7 * style.text, y, style)

    def _paint_entry(
        self, painter: QPainter, entry: Entry, x: float, y: float, style: Style, widest: float = inf
    ) -> None:
        """Draw the sample and the text of an entry, which together are at most that wide."""
        key = KEY_LENGTH * key_scale(style)
        entry.draw(painter, QPointF(x + key, y), style)
        at = QPointF(x + 2 * key + 0.5 * style.text, y)
        text = with_dots(entry.text, style.text, widest - (at.x() - x))
        if text != entry.text:
            style.make_smaller("the legend")
        draw_text(painter, style, at, text, middle=True)


def merged(legends: Iterable[tuple[Entry, ...]]) -> tuple[Entry, ...]:
    """Return all entries of the legends, each once; those of the longest first."""
    found = sorted(legends, key=len, reverse=True)
    return tuple({entry.text: entry for legend in found for entry in legend}.values())


def kept(before: tuple[Entry, ...], now: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries of now among those of before, in whose order they stand, so that a legend neither
    shrinks nor changes its order while a parameter or a point moves."""
    latest = {entry.key: entry for entry in now}
    old = {entry.key: entry for entry in before}
    order = list(latest if set(old) <= set(latest) else old)
    order += [key for key in latest if key not in order]
    return tuple(latest.get(key) or old[key] for key in order)


@dataclass(frozen=True)
class CurveLine:
    """Sample, name and number of each curve in a line above a plot, set smaller if necessary.

    It stands above `inner`, the rectangle of the data, and may reach to the ends of `outer`."""

    curves: Sequence[tuple[Curve, str]]  # How each curve is drawn, and its number.
    title: str
    style: Style
    inner: QRectF
    outer: QRectF

    @property
    def _texts(self) -> list[str]:
        return [f"{curve.name} {value}".strip() for curve, value in self.curves]

    @property
    def _samples(self) -> list[float]:
        """The lengths of the samples with the gaps behind them, in units of the type."""
        return [1.8 if curve.width else 0.0 for curve, _ in self.curves]

    @property
    def scale(self) -> float:
        """The size at which it fits, relative to the type: at most 1."""
        size = self.style.text
        needed = text_width(self.title, size) + (0.8 * size if self.title else 0.0)
        for text, sample in zip(self._texts, self._samples, strict=True):
            needed += text_width(text, size) + (sample + 1.3) * size
        return min(1.0, (self.outer.right() - self.inner.left()) / max(needed, 1e-9))

    def paint(self, painter: QPainter) -> None:
        """Draw it. Where even the smallest type is too wide, samples and gaps are shorter, then words."""
        if not self.curves:
            return
        style, theme, scale = self.style, self.style.theme, self.scale
        size = style.text * max(SMALLEST_TYPE, scale)
        tight = 0.55  # Length of samples and gaps in a line with little room, as a share of the usual.
        loose = 1.0 if scale >= SMALLEST_TYPE else tight
        baseline = self.inner.top() - 0.7 * style.text
        x = self.inner.left() if scale >= SMALLEST_TYPE else self.outer.left()
        if self.title:
            draw_text(painter, style, QPointF(x, baseline), self.title, points=size, colour=theme.soft_ink)
            x += text_width(self.title, size) + 0.8 * loose * size
        besides = loose * size * (sum(self._samples) + 1.3 * (len(self.curves) - 1))
        widest = _share([text_width(text, size) for text in self._texts], self.outer.right() - x - besides)
        for (curve, _), text, key in zip(self.curves, self._texts, self._samples, strict=True):
            sample = loose * key * size
            if key:
                painter.setPen(pen(ink(theme, curve.colour), curve.width * style.strokes, dash=curve.dash))
                end = x + sample - 0.4 * size
                painter.drawLine(QLineF(x, baseline - 0.33 * size, end, baseline - 0.33 * size))
            words = with_dots(text, size, widest)
            draw_text(painter, style, QPointF(x + sample, baseline), words, points=size)
            x += text_width(words, size) + sample + 1.3 * loose * size


def _share(widths: Sequence[float], room: float) -> float:
    """Return the width that none may exceed, so that all together fit the room."""
    shares = sorted(widths)
    for k, width in enumerate(shares):
        share = room / (len(shares) - k)
        if width > share:
            return share
        room -= width
    return max(shares, default=0.0)
