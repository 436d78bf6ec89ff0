"""A list of names with bars and numbers, which scrolls: features with their weights, or pieces of strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.scene.axes import ink
from kernelviz.scene.figure.strokes import tinted
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import HALF, draw_text, text_width, wrapped
from kernelviz.scene.nodes import Hit, Marks, Node, Placed

ROW = 1.65  # Height of a row, in units of the type.


@dataclass(frozen=True)
class Bar:
    """A row: a name, a bar as long as a number, and that number."""

    row: str  # Its name in a hit; empty for a row that is not found.
    name: str
    value: float
    text: str
    ink: str  # The colour of the bar, by its role.
    note: str = ""  # Written before the number where there is room.
    name_ink: str = "ink"


# Returns for a point and some rows the heading of its column, a text for each row, and one for all others.
PointColumn = Callable[[int, Sequence[int]], tuple[str, list[str], str]]


@dataclass(frozen=True, eq=False, kw_only=True)
class BarList(Node):
    """As many rows as fit, from the first one on; a last line stands for the others.

    Rows are made when they are shown, by `bar`, so that thousands of them cost nothing. `point_column` adds a
    column of numbers that belong to the point that is marked. A hit has the name of its row, or the part
    "headings of …" with the part's name."""

    part: str
    count: int
    bar: Callable[[int], Bar]  # Returns the row of a number.
    largest: float  # The value of the longest bar.
    # Returns the line for the rows that are not shown, given the first one shown and their number; or None.
    rest: Callable[[int, int], Bar | None]
    first: int = 0
    head: str = ""  # A sentence above the list.
    headings: tuple[str, str] = ("", "")  # Of the names and of the numbers.
    point_column: PointColumn | None = None

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedBarList(self, rect, style)


class PlacedBarList(Placed):
    """A list in its rectangle."""

    def __init__(self, node: BarList, rect: QRectF, style: Style) -> None:
        super().__init__(node.part, rect, style)
        self.node, text = node, style.text
        self.head = wrapped(node.head, text, rect.width())
        above = 1.3 * len(self.head) + (2.0 if any(node.headings) else 0.0)
        self.inner = QRectF(QPointF(rect.left(), rect.top() + above * text), rect.bottomRight())
        fitting = int(self.inner.height() / (ROW * text))
        complete = node.count <= fitting and node.rest(0, node.count) is None
        self.page = node.count if complete else max(0, min(node.count, fitting - 1))
        self.first = self.scrolled(0)
        self.bars = [node.bar(k) for k in range(self.first, self.first + self.page)]
        self.others = node.rest(self.first, self.page)
        drawn = [*self.bars, *(() if self.others is None else (self.others,))]
        self.ground = node.head, node.headings, node.largest, tuple(drawn)
        self._largest = max([node.largest, *(abs(bar.value) for bar in drawn)])
        point_width = 7.0  # Width of the column of a point, in units of the type.
        self._right = rect.right() - (0.0 if node.point_column is None else point_width * text)
        widest = max((text_width(bar.name, text) for bar in drawn), default=0.0)
        names_share = 0.4  # Share of the width that the names may take.
        self._names = min(max(widest, 3.0 * text) + text, names_share * rect.width())
        self._numbers = max((text_width(bar.text, text) for bar in drawn), default=0.0) + 0.6 * text
        self._notes = 0.0
        room_for_notes = 34  # Width, in units of the type, from which there is room for notes.
        if rect.width() > room_for_notes * text:
            notes = [text_width(bar.note, text) + text for bar in drawn if bar.note]
            self._notes = max(notes, default=0.0)

    def scrolled(self, rows: int) -> int:
        """Return the first row shown after scrolling down by `rows`, within the list."""
        return max(0, min(self.node.first + rows, self.node.count - self.page))

    @property
    def rows(self) -> Mapping[str, QRectF]:
        high = ROW * self.style.text
        left, top, width = self.inner.left(), self.inner.top(), self.inner.width()
        return {bar.row: QRectF(left, top + k * high, width, high) for k, bar in enumerate(self.bars)}

    def _baseline(self, k: int) -> float:
        return self.inner.top() + ((k + 0.5) * ROW + HALF) * self.style.text

    def draw_ground(self, painter: QPainter) -> None:
        style, theme, text, left = self.style, self.style.theme, self.style.text, self.rect.left()
        for k, line in enumerate(self.head):
            at = QPointF(left, self.rect.top() + (1.3 * k + 1.0) * text)
            draw_text(painter, style, at, line, colour=theme.soft_ink)
        for x, heading in zip((left, left + self._names), self.node.headings, strict=True):
            at = QPointF(x, self.inner.top() - 0.4 * text)
            draw_text(painter, style, at, heading, colour=theme.soft_ink)
        room = max(8.0, self._right - left - self._names - self._notes - self._numbers)
        for k, bar in enumerate((*self.bars, *(() if self.others is None else (self.others,)))):
            foot = self._baseline(k)
            fitting = min(1.0, (self._names - 0.5 * text) / max(text_width(bar.name, text), 1e-9))
            colour = ink(theme, bar.name_ink)
            draw_text(painter, style, QPointF(left, foot), bar.name, points=fitting * text, colour=colour)
            long = room * abs(bar.value) / max(self._largest, 1e-300)
            filled = QRectF(left + self._names, foot - 0.86 * text, long, text)
            painter.fillRect(filled, QColor(ink(theme, f"shade 0.7 {bar.ink}")))
            if self._notes:
                at = QPointF(self._right - self._numbers, foot)
                draw_text(painter, style, at, bar.note, colour=theme.soft_ink, anchor="right")
            draw_text(painter, style, QPointF(self._right, foot), bar.text, anchor="right")

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        """Tint the row under the mouse, and write the column of the point that is marked."""
        style, right = self.style, self.rect.right()
        if marks.pointed.part == self.part and marks.pointed.row in self.rows:
            painter.fillRect(self.rows[marks.pointed.row], tinted(style.theme.highlight, 0.18))
        if self.node.point_column is None:
            return
        heading, others = "at a point", ""
        texts: list[str] = []
        if marks.point is not None:
            shown = range(self.first, self.first + self.page)
            heading, texts, others = self.node.point_column(marks.point, shown)
        at = QPointF(right, self.inner.top() - 0.4 * style.text)
        draw_text(painter, style, at, heading, colour=style.theme.soft_ink, anchor="right")
        for k, text in enumerate((*texts, others if self.others is not None else "")):
            draw_text(painter, style, QPointF(right, self._baseline(k)), text, anchor="right")

    def hit(self, at: QPointF) -> Hit | None:
        for bar, (row, box) in zip(self.bars, self.rows.items(), strict=True):
            if box.contains(at):
                return Hit(self.part, row=row, tip=f"{bar.name}: {bar.text}")
        headings = QRectF(self.rect.left(), self.inner.top(), self.rect.width(), 0.0)
        if any(self.node.headings) and headings.adjusted(0, -ROW * self.style.text, 0, 0).contains(at):
            return Hit(f"headings of {self.part}")
        return None
