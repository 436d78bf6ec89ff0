"""The dynamic programme behind a kernel on strings: one table for each letter of a piece, cell by cell.

W_k[a, b] is the weight of all common pieces of k letters that end at letter a of s and at letter b of t. The
last table adds up to the kernel, K(s, t) = Σ_ab W_k[a, b]; each is computed from the one before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.strings import StringKernel
from kernelviz.engine.kernels.subsequence import LONGEST_APART, Subsequence
from kernelviz.scene.axes import SUBSCRIPTS
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text
from kernelviz.scene.nodes import Column, Either, Headed, Node, Placed, Row, Size, Text, Tiles
from kernelviz.scene.wording import readable, shown

SMALLEST_CELL = 0.6  # Type below which letters and numbers are left out, in units of the usual one.
LARGEST_CELL = 6.0  # Side of a cell, in units of the type.
NOWHERE = (0, 0, 0, 0)  # The frame of no cell.
TABLE_GAP = 0.8  # Between the strings and the table below them, in units of the type.


def visible(text: str) -> str:
    """Return a text with blanks as signs that can be seen."""
    return "".join("␣" if sign.isspace() else sign for sign in text)


def table_kernel(kernel: Kernel) -> StringKernel | None:
    """Return the first kernel of a composition that is computed by tables."""
    if isinstance(kernel, StringKernel):
        return None if kernel.tables("", "") is None else kernel
    return next((found for part in kernel.parts if (found := table_kernel(part))), None)


def _symbol(layer: int) -> str:
    """Return the name of a table, such as W₂."""
    return f"W{str(layer + 1).translate(SUBSCRIPTS)}"


@dataclass(frozen=True, eq=False, kw_only=True)
class AlignmentTables:
    """W_1, W_2, … of two strings, filled row by row, one table after the other, up to a step.

    Its `tables` are the one that is being filled and the one before it, with a frame around the cells from
    which the last one was computed."""

    kernel: StringKernel
    texts: tuple[str, str]
    values: Array  # (tables, |s|, |t|)
    step: int  # Cells filled.
    alone: bool = True  # Whether it is the whole kernel, not a part of a composition.

    @classmethod
    def of(cls, whole: Kernel, s: str, t: str, step: int | None) -> AlignmentTables | None:
        """Return the tables of two strings, filled to the end if no step is given; None for a kernel without
        tables. BadInput for too long texts."""
        kernel = table_kernel(whole)
        if kernel is None:
            return None
        s, t = kernel.read(s), kernel.read(t)
        if (longest := max(len(s), len(t))) > LONGEST_APART:
            raise BadInput(
                f"The table is drawn for strings of up to {LONGEST_APART} characters; "
                f"one of these has {longest:,}."
            )
        values = kernel.tables(s, t)
        assert values is not None
        filled = values.size if step is None else max(0, min(step, values.size))
        return cls(kernel=kernel, texts=(s, t), values=values, step=filled, alone=kernel is whole)

    def below(self, head: Node) -> Node:
        """Return the tables with a sentence below them, under another node as high as it needs to be; in a
        low place to the right of that node and the sentence."""
        sentences = 3  # Lines below the tables.
        text = Text(self.sentence, lines=sentences)
        if not self.values.size:
            return Headed(head, text, gap=TABLE_GAP)
        under = Column(((self.tables, None), (text, Size(lines=1.3 * sentences))))
        left = Column(((head, None), (text, Size(lines=1.3 * sentences))), gap=TABLE_GAP)
        right = Row(((left, Size(share=0.4)), (self.tables, None)), gap=1.0)
        low = 26.0  # Height of a place, in units of the type, below which tables are not below the strings.
        return Either(
            lambda width, height: height < low and width > 2 * height, right, Headed(head, under, TABLE_GAP)
        )

    @property
    def tables(self) -> Node:
        """The table that is being filled, and the one it is computed from."""
        layer, a, b = self.present or (0, -1, -1)
        tables = []
        for which in range(max(0, layer - 1), layer + 1):
            framed = (b, a, 1, 1) if which == layer else self._reach(a, b)
            filled = self.step - which * self.values[which].size
            values = self.values[which]
            tables.append(
                OneTable(
                    symbol=_symbol(which),
                    texts=self.texts,
                    values=values,
                    filled=filled,
                    framed=framed if self.step else NOWHERE,
                )
            )
        return Tiles(tuple(tables), gap=1.0)

    def _reach(self, a: int, b: int) -> tuple[int, int, int, int]:
        """Return the cells of the table before from which a cell is computed."""
        if min(a, b) == 0 or self.texts[0][a] != self.texts[1][b]:
            return NOWHERE
        left, top = (0, 0) if isinstance(self.kernel, Subsequence) else (b - 1, a - 1)
        return left, top, b - left, a - top

    @property
    def present(self) -> tuple[int, int, int] | None:
        """Table, row and column of the cell filled last."""
        if self.step == 0:
            return None
        layer, row, column = np.unravel_index(self.step - 1, self.values.shape)
        return int(layer), int(row), int(column)

    @property
    def sum_so_far(self) -> float:
        """The sum of the table that is being filled."""
        if self.present is None:
            return 0.0
        own = self.values[self.present[0]].ravel()
        return float(own[: self.step - self.present[0] * own.size].sum())

    @property
    def sentence(self) -> str:
        """A sentence on the last step."""
        if self.present is None:
            return f"{_symbol(0)}: nothing is filled in yet." if self.values.size else "One of them is empty."
        layer, a, b = self.present
        sentence = f"{self._cell(layer, a, b)}. Σ {_symbol(layer)} = {shown(self.sum_so_far)}"
        if self.step < self.values.size:
            return f"{sentence} so far"
        of = "" if self.alone else f" of {readable(self.kernel)}"
        return f"{sentence} = K{of}" + (" before normalising" if self.kernel.values()["normalised"] else "")

    def _cell(self, layer: int, a: int, b: int) -> str:
        left, right = visible(self.texts[0][a]), visible(self.texts[1][b])
        name = f"{_symbol(layer)}[{left}, {right}]"
        if left != right:
            return f"{name} = 0, as the letters differ"
        value = shown(float(self.values[layer, a, b]), 3)
        if not isinstance(self.kernel, Subsequence):
            return f"{name} = {value}" + (", as one step before" if layer else "")
        square = shown(self.kernel.decay**2, 3)
        if layer == 0:
            return f"{name} = d² = {square}"
        before = float(self.values[layer, a, b]) / self.kernel.decay**2
        return f"{name} = d² · {shown(before, 3)} = {value}, by {_symbol(layer - 1)} above and to the left"


@dataclass(frozen=True, eq=False, kw_only=True)
class OneTable(Node):
    """A number for every two letters of two strings, as far as it is filled, with a frame around some."""

    symbol: str
    texts: tuple[str, str]
    values: Array  # (|s|, |t|)
    filled: int  # Cells filled, row by row.
    framed: tuple[int, int, int, int]  # Left, top, width and height of the frame, in cells.

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedTable(self, rect, style)


class PlacedTable(Placed):
    """A table in its rectangle, below its symbol."""

    def __init__(self, node: OneTable, rect: QRectF, style: Style) -> None:
        super().__init__(node.symbol, rect, style)
        self.node, self.ground = node, node.value
        rows, columns = node.values.shape
        room = rect.adjusted(1.4 * style.text, 2.8 * style.text, 0, 0)
        self.side = min(room.width() / columns, room.height() / rows, LARGEST_CELL * style.text)
        self.inner = QRectF(room.left(), room.top(), columns * self.side, rows * self.side)

    def _cells(self, left: float, top: float, wide: float = 1, high: float = 1) -> QRectF:
        """Return the place of some cells."""
        x, y = self.inner.left() + left * self.side, self.inner.top() + top * self.side
        return QRectF(x, y, wide * self.side, high * self.side)

    def draw_ground(self, painter: QPainter) -> None:
        style, theme, node = self.style, self.style.theme, self.node
        lowest = 5.0  # Height, in units of the type, below which there is no room for a table.
        if self.rect.height() < lowest * style.text or self.side <= 0.0:
            return
        at = QPointF(self.rect.left(), self.rect.top() + style.text)
        draw_text(painter, style, at, node.symbol)
        self._draw_letters(painter)
        most = float(node.values.max(initial=0.0)) or 1.0
        size = min(style.text, self.side / 3.0)
        known = np.arange(node.values.size).reshape(node.values.shape) < node.filled
        tint = 0.55  # Share of its colour that the palest filled cell has.
        for a, b in np.argwhere((node.values > 0.0) & known).tolist():
            cell, value = self._cells(b, a), float(node.values[a, b])
            share = tint + (1 - tint) * value / most
            painter.fillRect(cell, QColor(blend(theme.paper, theme.positive_field, share)))
            if size > SMALLEST_CELL * style.text:
                number = shown(value, 2)
                draw_text(painter, style, cell.center(), number, points=size, anchor="centre", middle=True)
        self._draw_frames(painter)

    def _draw_letters(self, painter: QPainter) -> None:
        style, (s, t) = self.style, self.node.texts
        size = min(style.text, 0.8 * self.side)
        if size <= SMALLEST_CELL * style.text:
            return
        above, before = self.inner.top() - 0.4 * style.text, self.inner.left() - 0.7 * style.text
        for b, sign in enumerate(t):
            at = QPointF(self._cells(b, 0).center().x(), above)
            draw_text(painter, style, at, visible(sign), points=size, anchor="centre")
        for a, sign in enumerate(s):
            at = QPointF(before, self._cells(0, a).center().y())
            draw_text(painter, style, at, visible(sign), points=size, anchor="centre", middle=True)

    def _draw_frames(self, painter: QPainter) -> None:
        style, theme, box, side = self.style, self.style.theme, self.inner, self.side
        rows, columns = self.node.values.shape
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.grid, style.axis_width))
        for b in range(1, columns):
            painter.drawLine(QLineF(box.left() + b * side, box.top(), box.left() + b * side, box.bottom()))
        for a in range(1, rows):
            painter.drawLine(QLineF(box.left(), box.top() + a * side, box.right(), box.top() + a * side))
        painter.setPen(pen(theme.soft_ink, style.axis_width))
        painter.drawRect(box)
        if self.node.framed[2]:
            painter.setPen(pen(theme.highlight, 1.4 * style.strokes))
            painter.drawRect(self._cells(*self.node.framed))
