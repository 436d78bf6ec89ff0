"""Rows of a name and a number, with notes, in the largest type that fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width, wrapped
from kernelviz.scene.marks import Hit, Marks
from kernelviz.scene.nodes import Node, Placed

LINE = 1.45  # Height of a line, in units of the type.
SMALLER = 0.9  # Type of the notes, in units of that of the rows.
# Sizes of the type that are tried, in units of the usual one.
SIZES = (1.6, 1.45, 1.3, 1.15, 1.0, 0.92, 0.85, 0.78, 0.71, 0.64, 0.57, 0.5)
READABLE = 0.92  # The smallest of them on a screen that can scroll.
ABREAST = 42.0  # Width, in units of the type, from which two blocks stand side by side.
FOOT = 2  # Lines at the foot, for an explanation.


@dataclass(frozen=True)
class Item:
    """A number with its name, an explanation for whoever points at it, and a note below it."""

    name: str
    value: str
    tip: str = ""
    note: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows(Node):
    """One or two blocks of items; the explanation of the one pointed at is written at the foot."""

    part: str = "rows"
    items: tuple[Item, ...]
    more: tuple[Item, ...] = ()  # The second block.
    hint: str = ""  # What stands at the foot while nothing is pointed at.
    largest: float = SIZES[0]  # Size of the type where there is much room, in units of the usual one.

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedRows(self, rect, style)

    def height(self, width: float, style: Style) -> float:
        """Return the height in points at which the type can be read in a place of that width."""
        edge = self.padding * style.text
        room = QRectF(edge, edge, width - 2 * edge, 0.0)
        places = _stacked(self, READABLE * style.text, room)
        return max(rect.bottom() for _, rect, _ in places) + FOOT * LINE * style.text + edge


def _stacked(node: Rows, size: float, room: QRectF) -> list[tuple[Item, QRectF, list[str]]]:
    """Return the items with their places and the lines of their notes, for type of a size."""
    abreast = bool(node.more) and room.width() > ABREAST * size
    width = (room.width() - 2 * size) / 2 if abreast else room.width()
    places: list[tuple[Item, QRectF, list[str]]] = []
    x, y = room.left(), room.top()
    for k, item in enumerate((*node.items, *node.more)):
        if k == len(node.items):
            x, y = (room.right() - width, room.top()) if abreast else (x, y + 0.5 * size)
        note = wrapped(item.note, SMALLER * size, width - size)
        height = LINE * (1 + SMALLER * len(note)) * size
        places.append((item, QRectF(x, y, width, height), note))
        y += height
    return places


class PlacedRows(Placed):
    """Rows in their rectangle."""

    def __init__(self, node: Rows, rect: QRectF, style: Style) -> None:
        super().__init__(node.part, rect, style)
        self.node, self.ground = node, (node.items, node.more, node.largest)
        self.inner = rect.adjusted(0, 0, 0, -FOOT * LINE * style.text)
        for share in (share for share in SIZES if share <= node.largest):
            self.size = share * style.text
            self._places = _stacked(node, self.size, self.inner)
            if max(place.bottom() for _, place, _ in self._places) <= self.inner.bottom():
                break

    def draw_ground(self, painter: QPainter) -> None:
        size, style = self.size, self.style
        for item, box, note in self._places:
            baseline = box.top() + 1.05 * size
            value = text_width(item.value, size, bold=True)
            fitting = min(1.0, (box.width() - value - size) / text_width(item.name, size))
            left = QPointF(box.left() + 0.3 * size, baseline)
            draw_text(painter, style, left, item.name, points=max(0.5, fitting) * size)
            right = QPointF(box.right() - 0.3 * size, baseline)
            draw_text(painter, style, right, item.value, points=size, anchor="right", bold=True)
            for k, line in enumerate(note):
                at = QPointF(box.left() + size, baseline + (k + 1) * SMALLER * LINE * size)
                draw_text(painter, style, at, line, points=SMALLER * size, colour=style.theme.soft_ink)
        painter.setPen(pen(style.theme.grid, style.axis_width))
        painter.drawLines([QLineF(box.bottomLeft(), box.bottomRight()) for _, box, _ in self._places])

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        pointed = marks.pointed.row if marks.pointed.part == self.part else ""
        foot = self.node.hint
        for item, box, _ in self._places:
            if item.name == pointed:
                tint = QColor(self.style.theme.highlight)
                tint.setAlphaF(0.18)
                painter.fillRect(box, tint)
                foot = self._explained(item)
        text, width = self.style.text, self.rect.width()
        lines = wrapped(foot, text, width)
        size = text if len(lines) <= FOOT else text * FOOT / len(lines)
        for k, line in enumerate(wrapped(foot, size, width)[:FOOT]):
            at = QPointF(self.rect.left(), self.rect.bottom() - (FOOT - 1 - k) * LINE * size - 0.3 * text)
            draw_text(painter, self.style, at, line, points=size, colour=self.style.theme.soft_ink)

    @staticmethod
    def _explained(item: Item) -> str:
        return f"{item.name}: {item.tip}"

    def hit(self, at: QPointF) -> Hit | None:
        for item, box, _ in self._places:
            if box.contains(at):
                return Hit(self.part, row=item.name, tip=self._explained(item))
        return None

    @property
    def rows(self) -> Mapping[str, QRectF]:
        return {item.name: box for item, box, _ in self._places}
