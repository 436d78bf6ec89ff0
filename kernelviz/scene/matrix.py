"""A square matrix as colours: above 0 in one, below in the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.scene.figure.colours import field_image
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.nodes import Hit, Marks, Node, Placed
from kernelviz.scene.wording import shown

SCALE = 1.6  # Height of the colours with their numbers, below the matrix, in units of the type size.
SHADES = 64
# Rows up to which the numbers are printed, in cells at least so wide in units of the type size.
PRINTED, CELL = 12, 3.0
# Names of rows: height of a line and smallest type, in units of the type size, and the share of the width
# they may have.
LINE, READABLE, MOST_BESIDE = 1.05, 0.55, 0.4


@dataclass(frozen=True, eq=False, kw_only=True)
class Matrix(Node):
    """A value for each pair of points, the first row on top."""

    part: str = "matrix"
    values: Array
    points: Indices  # The training point of each row and column.
    names: tuple[str, ...] = ()  # What the rows are called, for names worth reading.
    borders: tuple[int, ...] = ()  # Rows above which there is a line across.
    scale: bool = True  # Whether the colours are explained below; the layout leaves SCALE lines for that.

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedMatrix(self, rect, style)


class PlacedMatrix(Placed):
    """A matrix in the largest square of its rectangle, at the top, to the right of its names."""

    def __init__(self, node: Matrix, rect: QRectF, style: Style) -> None:
        super().__init__(node.part, rect, style)
        self.node, self.ground = node, node.value
        side = max(10.0, min(rect.width(), rect.height()))
        left = rect.center().x() - side / 2
        if size := self._size_of_names(side):
            widest = max(text_width(name, size) for name in node.names) + 0.5 * style.text
            side = min(side, rect.width() - min(widest, MOST_BESIDE * rect.width()))
            left = rect.right() - side
        self.inner = QRectF(left, rect.top(), side, side)
        self.step = side / len(node.points)

    def _size_of_names(self, side: float) -> float:
        """Return the size of the type of the names; 0 where it could not be read."""
        size = min(self.style.text, side / max(1, len(self.node.names)) / LINE)
        return size if self.node.names and size >= READABLE * self.style.text else 0.0

    def draw_ground(self, painter: QPainter) -> None:
        node, square, theme = self.node, self.inner, self.style.theme
        largest = float(np.abs(node.values).max()) or 1.0
        if node.scale:
            self._draw_scale(painter)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        # field_image counts rows upwards, a matrix downwards.
        painter.drawImage(square, field_image(node.values[::-1], theme, largest / 2))
        painter.setPen(pen(theme.soft_ink, self.style.axis_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(square)
        for k in node.borders:
            x, y = square.left() + k * self.step, square.top() + k * self.step
            painter.drawLine(QLineF(x, square.top(), x, square.bottom()))
            painter.drawLine(QLineF(square.left(), y, square.right(), y))
        self._print_numbers(painter)
        size = self._size_of_names(square.width())
        for k, name in enumerate(node.names if size else ()):
            at = QPointF(square.left() - 0.4 * self.style.text, self._middle(k) + 0.36 * size)
            draw_text(painter, self.style, at, name, points=size, colour=theme.soft_ink, anchor="right")

    def _middle(self, row: int) -> float:
        return self.inner.top() + (row + 0.5) * self.step

    def _draw_scale(self, painter: QPainter) -> None:
        """Draw which colour means what, from the smallest value, or 0, to the largest."""
        values, text, style = self.node.values, self.style.text, self.style
        low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
        wide = self.inner.width() - 6 * text
        if wide < 3 * text:
            return
        bar = QRectF(self.inner.left() + 3 * text, self.inner.bottom() + 0.6 * text, wide, 0.6 * text)
        shades = np.repeat(np.linspace(low, high, SHADES)[None], 2, axis=0)
        painter.drawImage(bar, field_image(shades, style.theme, (max(-low, high) or 1.0) / 2))
        foot, soft = bar.bottom() + 0.1 * text, style.theme.soft_ink
        left, right = QPointF(bar.left() - 0.4 * text, foot), QPointF(bar.right() + 0.4 * text, foot)
        draw_text(painter, style, left, shown(low, 3), anchor="right", colour=soft)
        draw_text(painter, style, right, shown(high, 3), colour=soft)

    def _print_numbers(self, painter: QPainter) -> None:
        if len(self.node.points) > PRINTED or self.step < CELL * 0.7 * self.style.text:
            return
        size = min(self.style.text, self.step / CELL)
        for (i, j), value in np.ndenumerate(self.node.values):
            at = QPointF(self.inner.left() + (j + 0.5) * self.step, self._middle(i) + 0.36 * size)
            draw_text(painter, self.style, at, shown(float(value), 3), points=size, anchor="centre")

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        """Frame the row and column of the cell pointed at; else those of every marked point."""
        square, step = self.inner, self.step
        painter.setPen(pen(self.style.theme.highlight, 1.2 * self.style.strokes))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pair = (marks.hovered, marks.partner)
        marked = [(i, i) for i in (*marks.selected, marks.hovered)]
        for row, column in [pair] if all(self._row_of(i) is not None for i in pair) else marked:
            at, across = self._row_of(row), self._row_of(column)
            if at is not None and across is not None:
                painter.drawRect(QRectF(square.left(), square.top() + at * step, square.width(), step))
                painter.drawRect(QRectF(square.left() + across * step, square.top(), step, square.height()))

    def _row_of(self, point: int | None) -> int | None:
        if point is None:
            return None
        rows = np.flatnonzero(self.node.points == point)
        return int(rows[0]) if len(rows) else None

    def hit(self, at: QPointF) -> Hit | None:
        if not self.inner.contains(at):
            return None
        last = len(self.node.points) - 1
        row = min(last, int((at.y() - self.inner.top()) / self.step))
        column = min(last, int((at.x() - self.inner.left()) / self.step))
        return Hit(self.part, (int(self.node.points[row]), int(self.node.points[column])))
