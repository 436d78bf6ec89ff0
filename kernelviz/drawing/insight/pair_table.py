"""The dynamic programme behind a kernel on strings: one table for each letter of a piece, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.colours import blend
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, wrapped
from kernelviz.drawing.insight.letters import visible
from kernelviz.drawing.wording import shown
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.common_pieces import LONGEST_APART
from kernelviz.engine.kernels.strings import StringKernel
from kernelviz.engine.kernels.subsequence import Subsequence

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
READABLE = 0.6  # Of the type size: smaller numbers are left out.
TINT = 0.55  # How much of its colour the largest cell has.
LARGEST = 6.0  # Cell, in units of the type size.
SENTENCES = 3  # Lines below the tables.
LOWEST = 5.0  # Times the type size: a table has no room in less.


@dataclass(frozen=True, eq=False)
class PairTable:
    """W_1, W_2, … of two strings, filled row by row, one table after the other, up to a step."""

    kernel: StringKernel
    texts: tuple[str, str]
    values: Array  # (tables, |s|, |t|)
    step: int  # Cells filled.
    alone: bool = True  # Whether it is the whole kernel, no part of a composition.

    @staticmethod
    def source(kernel: Kernel) -> StringKernel | None:
        """The first kernel of a composition that is computed by tables."""
        if isinstance(kernel, StringKernel):
            return None if kernel.tables("", "") is None else kernel
        return next((found for part in kernel.parts if (found := PairTable.source(part))), None)

    @classmethod
    def of(cls, whole: Kernel, s: str, t: str, step: int | None) -> PairTable | None:
        """Filled as far as asked for; None of a kernel without tables. BadInput for too long texts."""
        kernel = cls.source(whole)
        if kernel is None:
            return None
        s, t = kernel.read(s), kernel.read(t)
        if (longest := max(len(s), len(t))) > LONGEST_APART:
            raise BadInput(
                f"The table is drawn of strings of up to {LONGEST_APART} characters; "
                f"one of these has {longest:,}."
            )
        values = kernel.tables(s, t)
        assert values is not None
        filled = values.size if step is None else min(step, values.size)
        return cls(kernel, (s, t), values, filled, kernel is whole)

    @property
    def present(self) -> tuple[int, int, int] | None:
        """Table, row and column of the cell filled last."""
        if self.step == 0:
            return None
        layer, row, column = np.unravel_index(self.step - 1, self.values.shape)
        return int(layer), int(row), int(column)

    @property
    def sum_so_far(self) -> float:
        """Of the table being filled."""
        if self.present is None:
            return 0.0
        layer = self.present[0]
        own = self.values[layer].ravel()
        return float(own[: self.step - layer * own.size].sum())

    @property
    def sentence(self) -> str:
        """What the last step has done."""
        if self.present is None:
            return f"{_symbol(1)}: nothing is filled in yet." if self.values.size else "One of them is empty."
        layer, a, b = self.present
        told = f"{self._cell(layer, a, b)}. Σ {_symbol(layer + 1)} = {shown(self.sum_so_far)}"
        if self.step < self.values.size:
            return f"{told} so far"
        of = "" if self.alone else f" of {self.kernel}"
        return f"{told} = K{of}" + (" before normalising" if self.kernel.values()["normalised"] else "")

    def _cell(self, layer: int, a: int, b: int) -> str:
        left, right = visible(self.texts[0][a]), visible(self.texts[1][b])
        name = f"{_symbol(layer + 1)}[{left}, {right}]"
        if left != right:
            return f"{name} = 0, as the letters differ"
        value = shown(float(self.values[layer, a, b]), 3)
        if not isinstance(self.kernel, Subsequence):
            return f"{name} = {value}" + (", as one step before" if layer else "")
        square = shown(self.kernel.decay**2, 3)
        if layer == 0:
            return f"{name} = d² = {square}"
        before = float(self.values[layer, a, b]) / self.kernel.decay**2
        return f"{name} = d² · {shown(before, 3)} = {value}, by {_symbol(layer)} above and to the left"

    # What is drawn --------------------------------------------------------------------------------------
    def draw(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """The table being filled, beside the one it is computed from, and what the step has done."""
        line_height = 1.3 * style.text
        fitting = max(0, min(SENTENCES, int(rect.height() / line_height)))
        foot = rect.bottom() - fitting * line_height
        for k, line in enumerate(wrapped(self.sentence, style.text, rect.width())[:fitting]):
            draw_text(painter, style, QPointF(rect.left(), foot + (1.3 * k + 1.2) * style.text), line)
        if not self.values.size or foot - rect.top() < LOWEST * style.text:
            return
        layer = 0 if self.present is None else self.present[0]
        room = QRectF(rect.topLeft(), QPointF(rect.right(), foot))
        layers = [layer] if layer == 0 else [layer - 1, layer]
        for which, place in zip(layers, _beside(room, len(layers), style), strict=True):
            self._draw_table(painter, place, style, which)

    def _draw_table(self, painter: QPainter, rect: QRectF, style: Style, layer: int) -> None:
        s, t = self.texts
        draw_text(painter, style, QPointF(rect.left(), rect.top() + style.text), _symbol(layer + 1))
        cell = min((rect.width() - 1.4 * style.text) / len(t), (rect.height() - 2.8 * style.text) / len(s))
        cell = min(cell, LARGEST * style.text)
        corner = QPointF(rect.left() + 1.4 * style.text, rect.top() + 2.8 * style.text)
        if cell <= 0.0:
            return
        size = min(style.text, 0.8 * cell)
        for b, sign in enumerate(t if size > READABLE * style.text else ""):
            at = QPointF(corner.x() + (b + 0.5) * cell, corner.y() - 0.4 * style.text)
            draw_text(painter, style, at, visible(sign), points=size, anchor="centre")
        for a, sign in enumerate(s if size > READABLE * style.text else ""):
            at = QPointF(corner.x() - 0.7 * style.text, corner.y() + (a + 0.5) * cell + 0.36 * size)
            draw_text(painter, style, at, visible(sign), points=size, anchor="centre")
        self._draw_cells(painter, corner, cell, style, layer)

    def _draw_cells(self, painter: QPainter, corner: QPointF, cell: float, style: Style, layer: int) -> None:
        theme, own = style.theme, self.values[layer]
        rows, columns = own.shape
        filled = self.step - layer * own.size
        most = float(own.max(initial=0.0)) or 1.0
        size = min(style.text, cell / 3.0)
        for a, b in np.argwhere((own > 0.0) & (np.arange(own.size).reshape(own.shape) < filled)).tolist():
            place = QRectF(corner.x() + b * cell, corner.y() + a * cell, cell, cell)
            value = float(own[a, b])
            painter.fillRect(
                place, QColor(blend(theme.paper, theme.positive_field, TINT + (1 - TINT) * value / most))
            )
            if size > READABLE * style.text:
                at = QPointF(place.center().x(), place.center().y() + 0.36 * size)
                draw_text(painter, style, at, shown(value, 2), points=size, anchor="centre")
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.grid, style.axis_width))
        x, y, wide, high = corner.x(), corner.y(), columns * cell, rows * cell
        painter.drawLines([QLineF(x + b * cell, y, x + b * cell, y + high) for b in range(1, columns)])
        painter.drawLines([QLineF(x, y + a * cell, x + wide, y + a * cell) for a in range(1, rows)])
        painter.setPen(pen(theme.soft_ink, style.axis_width))
        painter.drawRect(QRectF(x, y, wide, high))
        if self.present is None:
            return
        last, a, b = self.present
        painter.setPen(pen(theme.highlight, 1.4 * style.strokes))
        if last == layer:
            painter.drawRect(QRectF(corner.x() + b * cell, corner.y() + a * cell, cell, cell))
        elif self._reaches(a, b):
            left, top = (b - 1, a - 1) if not isinstance(self.kernel, Subsequence) else (0, 0)
            reach = QRectF(
                corner.x() + left * cell, corner.y() + top * cell, (b - left) * cell, (a - top) * cell
            )
            painter.drawRect(reach)

    def _reaches(self, a: int, b: int) -> bool:
        """Whether a cell is computed from others."""
        return min(a, b) > 0 and self.texts[0][a] == self.texts[1][b]


def _symbol(layer: int) -> str:
    return f"W{str(layer).translate(SUBSCRIPTS)}"


def _beside(room: QRectF, count: int, style: Style) -> list[QRectF]:
    """Places beside each other, or below where that leaves more room."""
    if count == 1:
        return [room]
    if room.width() >= room.height():
        half = 0.5 * (room.width() - style.text)
        return [room.adjusted(0, 0, -half - style.text, 0), room.adjusted(half + style.text, 0, 0, 0)]
    half = 0.5 * room.height()
    return [room.adjusted(0, 0, 0, -half), room.adjusted(0, half, 0, 0)]
