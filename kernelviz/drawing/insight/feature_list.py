"""The features of a finite map in a list: what each weighs, and what it adds at a point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.colours import blend
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width, wrapped
from kernelviz.drawing.wording import named, shortened, shown
from kernelviz.engine.analysis.feature_weights import FeatureWeights
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data

ROW = 1.65  # Height of a row in units of the type size.
ORDERS = ("as listed", "by |w|", "by name")
NOTHING = 1e-12  # Of the largest weight: what is less reads 0.
BAR = 0.7  # How much of its colour a bar has.


@dataclass(frozen=True, eq=False)
class FeatureList:
    """φ_j, w_j as a bar and as a number and, of the point pointed at, the term w_j φ_j(x)."""

    known: FeatureWeights
    data: Data
    kernel: str
    order: str = ORDERS[1]
    axes: tuple[int, ...] = ()  # The features that are the axes of the space.
    first: int = 0  # How many rows have been scrolled by.

    @property
    def sentence(self) -> str:
        """How many there are, and who computes them."""
        q = self.known.q
        if self.data.domain == "strings":
            return (
                f"s(x) = b + w·φ(x): {q:,} substrings of the support vectors have non-zero weight. "
                f"{self.kernel} computes their inner product without listing them."
            )
        if self.known.computed:
            return f"s(x) = b + w·φ(x) with q = {q:,} features, all of them computed."
        return (
            f"s(x) = b + w·φ(x) with q = {q:,} features, none of which is computed: "
            f"{self.kernel} computes their inner product directly."
        )

    @property
    def rows(self) -> Indices:
        """The features in their order."""
        if self.order == "by |w|":
            return np.argsort(-np.abs(self.known.weights), kind="stable")
        if self.order == "by name":
            return np.array(sorted(range(self.known.q), key=lambda j: self.known.names[j]))
        return np.arange(self.known.q)

    def _head(self, rect: QRectF, style: Style) -> tuple[list[str], float]:
        """The sentence in lines, and where the list begins."""
        lines = wrapped(self.sentence, style.text, rect.width())
        return lines, rect.top() + (1.3 * len(lines) + 2.0) * style.text

    def row_at(self, at: QPointF, rect: QRectF, style: Style) -> int | None:
        """The feature whose row is at a place; -1 on the line of headings."""
        _, top = self._head(rect, style)
        row = int((at.y() - top) // (ROW * style.text))
        shown_rows = self._seen(rect, style)[1]
        if row == -1:
            return -1
        return int(shown_rows[row]) if 0 <= row < len(shown_rows) else None

    def _count(self, rect: QRectF, style: Style) -> int:
        """Features there is room for, a line for the others kept free."""
        _, top = self._head(rect, style)
        room = int((rect.bottom() - top) / (ROW * style.text))
        q = self.known.q
        return q if q <= room else max(0, room - 1)

    def _seen(self, rect: QRectF, style: Style) -> tuple[int, Indices]:
        """The number of rows above those that are seen, and these."""
        first = self.scrolled(0, 0, rect, style)
        return first, self.rows[first : first + self._count(rect, style)]

    def scrolled(self, rows: int, pages: int, rect: QRectF, style: Style) -> int:
        """The first row after so many rows and pages down, as far as there are any."""
        count = self._count(rect, style)
        return max(0, min(self.first + rows + pages * count, self.known.q - count))

    def draw(self, painter: QPainter, rect: QRectF, style: Style, point: int | None) -> None:
        theme, text = style.theme, style.text
        lines, top = self._head(rect, style)
        for k, line in enumerate(lines):
            at = QPointF(rect.left(), rect.top() + (1.3 * k + 1.0) * text)
            draw_text(painter, style, at, line, colour=theme.soft_ink)
        first, rows = self._seen(rect, style)
        w = self.known.weights
        names = {j: self._name(j) for j in rows.tolist()}
        terms = self._terms(point)
        zero = NOTHING * float(np.abs(w).max(initial=0.0))
        wide = max([text_width(name, text) for name in names.values()] + [4.0 * text]) + text
        wide = min(wide, 0.4 * rect.width())
        right = rect.right() - (7.0 * text if terms is not None else 0.0)
        self._draw_heads(painter, style, QRectF(rect.left(), top, right - rect.left(), 0.0), wide, point)
        unit = max(8.0, right - rect.left() - wide - 5.5 * text) / max(
            float(np.abs(w).max(initial=0.0)), 1e-300
        )
        for k, j in enumerate(rows.tolist()):
            foot = top + (k + 0.5) * ROW * text + 0.36 * text
            lit = theme.highlight if j in self.axes else theme.ink
            size = text * min(1.0, (wide - 0.5 * text) / text_width(names[j], text))
            draw_text(painter, style, QPointF(rect.left(), foot), names[j], points=size, colour=lit)
            colour = blend(theme.paper, theme.positive if w[j] >= 0 else theme.negative, BAR)
            painter.fillRect(
                QRectF(rect.left() + wide, foot - 0.86 * text, unit * abs(w[j]), text), QColor(colour)
            )
            draw_text(painter, style, QPointF(right, foot), shown(w[j], 3, zero), anchor="right")
            if terms is not None:
                told = shown(float(terms[j]), 3, NOTHING * float(np.abs(terms).max()))
                draw_text(painter, style, QPointF(rect.right(), foot), told, anchor="right")
        foot = top + (len(rows) + 0.5) * ROW * text + 0.36 * text
        if len(rows) < self.known.q:
            below = self.known.q - first - len(rows)
            told = f"{first:,} above, {below:,} below" if first else f"{below:,} others"
            draw_text(painter, style, QPointF(rect.left(), foot), told, colour=theme.soft_ink)
            if terms is not None:
                rest = shown(float(terms.sum() - terms[rows].sum()), 3)
                draw_text(painter, style, QPointF(rect.right(), foot), rest, anchor="right")

    def _name(self, j: int) -> str:
        """Of a feature; of a piece so that blanks are seen."""
        name = self.known.names[j]
        return shortened(name) if self.data.domain == "strings" else name

    def _terms(self, point: int | None) -> Array | None:
        if point is None or point >= self.data.n:
            return None
        return self.known.terms(self.data.X[point])

    def _draw_heads(
        self, painter: QPainter, style: Style, row: QRectF, wide: float, point: int | None
    ) -> None:
        soft, foot = style.theme.soft_ink, row.top() - 0.4 * style.text
        draw_text(painter, style, QPointF(row.left(), foot), "φⱼ", colour=soft)
        draw_text(painter, style, QPointF(row.left() + wide, foot), f"wⱼ, {self.order}", colour=soft)
        if point is not None and point < self.data.n:
            at = QPointF(row.right() + 7.0 * style.text, foot)
            draw_text(
                painter,
                style,
                at,
                f"at {named(self.data, point)}",
                colour=soft,
                anchor="right",
            )
