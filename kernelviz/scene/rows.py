"""Rows of a name and a value, or of several values in a table, with notes, in the largest type that fits.

>>> Rows(items=(Item("training error", "4 %", tip="mistakes / n"), Item("margin", "0.31")))"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.scene.figure.strokes import pen, tinted
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, fitted, text_width, wrapped
from kernelviz.scene.nodes import Hit, Marks, Node, Placed

ROW_HEIGHT = 1.45  # Height of a line, in units of the type.
SMALLER = 0.9  # Type of the notes, in units of that of the rows.
# Sizes of the type that are tried, in units of the usual one.
SIZES = (1.6, 1.45, 1.3, 1.15, 1.0, 0.92, 0.85, 0.78, 0.71, 0.64, 0.57, 0.5)
SMALLEST_SCROLLED = 0.92  # The smallest of them on a screen that can scroll.
FOOT_LINES = 2  # Lines at the foot, for an explanation.
COLUMN = 5.2  # Least width of a column of a table, in units of the type.


@dataclass(frozen=True)
class NamedValue:
    """A name with its value, an explanation that is shown while it is pointed at, and a note below it."""

    name: str
    value: str = ""
    tip: str = ""
    note: str = ""
    cells: tuple[str, ...] = ()  # In a table, a value for each column instead of a single one.
    best: frozenset[int] = frozenset()  # The columns whose values are emphasised.


@dataclass(frozen=True, eq=False, kw_only=True)
class ValueRows(Node):
    """One or two blocks of items; the explanation of the one pointed at is written at the foot.

    Items with cells make a table: `columns` has the headings of the cells, which the lines of `head`
    explain above the table, and `remarks` are sentences below it. On screen a view that `scrolls` gets the
    height it needs."""

    part: str = "rows"
    items: tuple[NamedValue, ...]
    more: tuple[NamedValue, ...] = ()  # The second block.
    columns: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    hint: str = ""  # The line at the foot while nothing is pointed at.
    largest: float = SIZES[0]  # Size of the type where there is much room, in units of the usual one.

    @property
    def foot(self) -> int:
        """The number of lines at the foot."""
        return FOOT_LINES if any(item.tip for item in (*self.items, *self.more)) else 0

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedRows(self, rect, style)

    def height(self, width: float, style: Style) -> float:
        edge = self.padding * style.text
        sheet = _Sheet(self, SMALLEST_SCROLLED * style.text, QRectF(edge, edge, width - 2 * edge, 0.0))
        return sheet.bottom + self.foot * ROW_HEIGHT * style.text + edge

    def width(self, style: Style) -> float:
        size = self.largest * style.text
        cells = len(self.columns) * COLUMN * size
        lines = [text_width(line, size) for line in self.head]
        for item in (*self.items, *self.more):
            value = text_width(item.value, size, bold=True) + size if item.value else 0.0
            lines.append(text_width(item.name, size) + (cells if item.cells else value))
        return max(lines) + 0.6 * size + 2 * self.padding * style.text


class _Sheet:
    """The geometry of the rows for one type size, all lengths in points."""

    def __init__(self, node: ValueRows, size: float, room: QRectF) -> None:
        self.node, self.size, self.room = node, size, room
        self.places: list[tuple[NamedValue, QRectF, list[str]]] = []  # Items, places, lines of their notes.
        abreast_from = 42.0  # Width, in units of the type, from which two blocks stand side by side.
        abreast = bool(node.more) and room.width() > abreast_from * size
        width = (room.width() - 2 * size) / 2 if abreast else room.width()
        top = room.top() + (ROW_HEIGHT * size * (len(node.head) + 1.3) if node.columns else 0.0)
        x, y = room.left(), top
        for k, item in enumerate((*node.items, *node.more)):
            if k == len(node.items):
                x, y = (room.right() - width, top) if abreast else (x, y + 0.5 * size)
            note = wrapped(item.note, SMALLER * size, width - size)
            height = ROW_HEIGHT * (1 + SMALLER * len(note)) * size
            self.places.append((item, QRectF(x, y, width, height), note))
            y += height
        self.end = max(place.bottom() for _, place, _ in self.places)
        self.remarks = [line for text in node.remarks for line in wrapped(text, size, room.width())]
        self.bottom = self.end + ROW_HEIGHT * size * (len(self.remarks) + (0.3 if self.remarks else 0.0))
        self.column = 0.0
        columns_share = 0.7  # Share of the width that all columns may take.
        if node.columns:
            cells = (*node.columns, *(value for item in node.items for value in item.cells))
            widest = max(text_width(value, size, bold=True) for value in cells)
            self.column = min(
                max(COLUMN * size, widest + size), columns_share * room.width() / len(node.columns)
            )

    def draw(self, painter: QPainter, style: Style) -> None:
        """Draw everything but the highlights."""
        size, room, soft = self.size, self.room, style.theme.soft_ink
        for k, line in enumerate(self.node.head):
            at = QPointF(room.left(), room.top() + ROW_HEIGHT * size * k)
            self._write(painter, style, at, line, room.width())
        heading = QPointF(
            room.right() - 0.3 * size, room.top() + ROW_HEIGHT * size * (len(self.node.head) + 0.3)
        )
        every = frozenset(range(len(self.node.columns)))
        self._write_cells(painter, style, heading, self.node.columns, every, style.theme.ink)
        for item, box, note in self.places:
            left = QPointF(box.left() + 0.3 * size, box.top())
            right = QPointF(box.right() - 0.3 * size, box.top())
            if self.column:
                taken = len(item.cells) * self.column
                self._write_cells(painter, style, right, item.cells, item.best, style.theme.accent)
            else:
                taken = text_width(item.value, size, bold=True) + size
                self._write(painter, style, right, item.value, box.width(), anchor="right", bold=True)
            self._write(painter, style, left, item.name, box.width() - taken)
            for k, line in enumerate(note):
                foot = box.top() + 1.05 * size + (k + 1) * SMALLER * ROW_HEIGHT * size
                at = QPointF(box.left() + size, foot)
                draw_text(painter, style, at, line, points=SMALLER * size, colour=soft)
        painter.setPen(pen(style.theme.grid, style.axis_width))
        ruled = [place for _, place, _ in self.places]
        painter.drawLines([QLineF(box.bottomLeft(), box.bottomRight()) for box in ruled])
        for k, line in enumerate(self.remarks):
            at = QPointF(room.left(), self.end + ROW_HEIGHT * size * (k + 0.3))
            self._write(painter, style, at, line, room.width(), colour=soft)

    def _write_cells(
        self,
        painter: QPainter,
        style: Style,
        right: QPointF,
        cells: tuple[str, ...],
        best: frozenset[int],
        best_ink: str,
    ) -> None:
        """Write the cells of a row, the last of which ends at a place."""
        for k, text in enumerate(cells):
            at = right - QPointF((len(cells) - 1 - k) * self.column, 0.0)
            ink = best_ink if k in best else style.theme.ink
            room = self.column - 0.5 * self.size
            self._write(painter, style, at, text, room, anchor="right", bold=k in best, colour=ink)

    def _write(
        self, painter: QPainter, style: Style, top: QPointF, text: str, width: float, **look: Any
    ) -> None:
        """Write a line below a place; smaller, and then with dots, where it would be too wide."""
        shown, points = fitted(text, self.size, width)
        draw_text(painter, style, top + QPointF(0.0, 1.05 * self.size), shown, points=points, **look)


class PlacedRows(Placed):
    """Rows in their rectangle, in the largest of the SIZES in which all of them have room."""

    def __init__(self, node: ValueRows, rect: QRectF, style: Style) -> None:
        super().__init__(node.part, rect, style)
        self.node = node
        self.ground = node.items, node.more, node.columns, node.head, node.remarks, node.largest
        self.inner = rect.adjusted(0, 0, 0, -node.foot * ROW_HEIGHT * style.text)
        for share in (share for share in SIZES if share <= node.largest):
            self._sheet = _Sheet(node, share * style.text, self.inner)
            if self._sheet.bottom <= self.inner.bottom():
                break

    @property
    def size(self) -> float:
        """The size of the type, in points."""
        return self._sheet.size

    def draw_ground(self, painter: QPainter) -> None:
        self._sheet.draw(painter, self.style)

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        if not self.node.foot:
            return
        pointed = marks.pointed.row if marks.pointed.part == self.part else ""
        foot = self.node.hint
        for item, box, _ in self._sheet.places:
            if item.name == pointed:
                painter.fillRect(box, tinted(self.style.theme.highlight, 0.18))
                foot = self._explained(item)
        text, width = self.style.text, self.rect.width()
        lines = wrapped(foot, text, width)
        size = text if len(lines) <= FOOT_LINES else text * FOOT_LINES / len(lines)
        for k, line in enumerate(wrapped(foot, size, width)[:FOOT_LINES]):
            at = QPointF(
                self.rect.left(), self.rect.bottom() - (FOOT_LINES - 1 - k) * ROW_HEIGHT * size - 0.3 * text
            )
            draw_text(painter, self.style, at, line, points=size, colour=self.style.theme.soft_ink)

    @staticmethod
    def _explained(item: NamedValue) -> str:
        return f"{item.name}: {item.tip}"

    def hit(self, at: QPointF) -> Hit | None:
        for item, box, _ in self._sheet.places:
            if item.tip and box.contains(at):
                return Hit(self.part, row=item.name, tip=self._explained(item))
        return None

    @property
    def rows(self) -> Mapping[str, QRectF]:
        return {item.name: box for item, box, _ in self._sheet.places}
