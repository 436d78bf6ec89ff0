"""The Gram matrix in the order in which it is shown, and how a square matrix is drawn as colours.

`SortedGram` has the numbers: K of the points that are shown, centred or normalised if that is wanted.
`Matrix` is the node that draws them, above 0 in one colour and below in the other.

>>> SortedGram.of(problem, ordered(model, "class"), "class", "K").matrix"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.engine.analysis.gram import centred, clustered, normalised, pair
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.scene.figure.colours import field_image
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, fitted, text_width
from kernelviz.scene.nodes import Blank, Column, Either, Hit, Marks, Node, Placed, Row, Size, Text, WithSquare
from kernelviz.scene.wording import named, shown

SCALE = 1.6  # Height of the colours with their numbers, below the matrix, in units of the type size.
NAME_LINE = 1.05  # Height of a line with the name of a row, in units of the type size.
NAME_GAP = 0.4  # Between the names and the matrix, in units of the type size.
ROWS_SHOWN = 300  # Rows shown; of more points every so-many-th.
CAPTION = Size(lines=3.1)


# The numbers ------------------------------------------------------------------------------------------------
def ordered(model: Model, how: str) -> Indices:
    """Return the rows to show, at most ROWS_SHOWN, evenly spaced; similar rows are grouped later."""
    data = model.problem.data
    if how == "score" and model.training_scores.shape == (data.n,):  # votes of several classes have no order
        order = np.argsort(-model.training_scores, kind="stable")
    elif how == "index" or data.target is None:
        order = np.arange(data.n)
    else:
        order = np.argsort(-data.target, kind="stable")
    if len(order) <= ROWS_SHOWN:
        return order
    return order[np.linspace(0, len(order) - 1, ROWS_SHOWN).astype(np.intp)]


@dataclass(frozen=True, eq=False)
class SortedGram:
    """K of the points in the order shown, with names and borders of its rows, the geometry of a pair, and the
    matrix as text for a paper or a spreadsheet."""

    data: Data
    how: tuple[str, str]  # Order and version.
    order: Indices
    raw: Array  # K itself.
    values: Array  # The version shown.

    @classmethod
    def of(cls, problem: Problem, rows: Indices, order: str, version: str) -> SortedGram:
        """Return K of these rows in an order and a version; similar rows are grouped here."""
        raw = _values(problem, rows)
        if order == "alike" and len(raw):
            found = clustered(raw)
            rows, raw = rows[found], raw[np.ix_(found, found)]
        values = normalised(raw) if version == "normalised" else centred(raw) if version == "centred" else raw
        return cls(problem.data, (order, version), rows, raw, values)

    def as_csv(self) -> str:
        """Return all digits, a row a line."""
        return "".join(",".join(map(repr, row)) + "\n" for row in self.values.tolist())

    def as_latex(self) -> str:
        """Return a matrix for a paper, with four digits."""
        rows = [" & ".join(f"{value:.4g}" for value in row) for row in self.values.tolist()]
        return "\\begin{pmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{pmatrix}\n"

    @property
    def borders(self) -> tuple[int, ...]:
        """The rows at which another class begins."""
        if self.how[0] != "class" or self.data.target is None or not self.data.class_names:
            return ()
        return tuple(int(k) + 1 for k in np.flatnonzero(np.diff(self.data.target[self.order])))

    @cached_property
    def matrix(self) -> Matrix:
        """The matrix with a scale of its colours."""
        names = () if self.data.has_numbers else tuple(named(self.data, int(i)) for i in self.order)
        return Matrix(values=self.values, points=self.order, names=names, borders=self.borders)

    def with_function(self, function: Node | None, words: str) -> Node:
        """Return the matrix, a function next to it if there is one, and a caption below them; in a low place
        the caption is to the right, and there is no scale."""
        caption = Text(words)
        body: Node = self.matrix if function is None else WithSquare(self.matrix, function)
        lines_beside = 6  # Lines of a caption that has the right side for itself.
        right: Node = (
            Text(words, lines_beside) if function is None else Column(((function, None), (caption, CAPTION)))
        )
        tall = Column(((body, None), (Blank(), Size(lines=SCALE)), (caption, CAPTION)))
        letters = max(map(len, self.matrix.names), default=0)
        # In a low place a letter of the names adds so much to the width, in units of the type size, and
        # matrix and names together take at most this share of it.
        letter, most_lying = 0.55, 0.65
        left = Size(lines=letter * letters, across=1.0, most=most_lying if letters else 1.0)
        lying = Row(((replace(self.matrix, scale=False), left), (right, None)), gap=1.0)
        # Height in units of the type size below which the caption stands to the right of the matrix.
        low = 20.0
        return Either(lambda width, height: height < low and width > 2 * height, lying, tall)

    def about_pair(self, marks: Marks) -> str:
        """Return the geometry of the pair pointed at, or of two selected points; nothing without one."""
        rows = self.order.tolist()
        pairs = ((marks.hovered, marks.partner), marks.selected)
        cells = [[rows.index(i) for i in points if i in rows] for points in pairs if len(points) == 2]
        row, column = next((cell for cell in cells if len(cell) == 2), (None, None))
        if row is None or column is None:
            return ""
        found = pair(self.raw, row, column)
        i, j = (named(self.data, rows[k]) for k in (row, column))
        parts = [f"K({i}, {j}) = {shown(found.product)}"]
        if self.how[1] != "K":
            parts.append(f"{self.how[1]} {shown(float(self.values[row, column]))}")
        if found.cosine is not None:
            parts.append(f"cos {shown(found.cosine, 3)}")
        if found.angle is not None:
            parts.append(f"{found.angle:.3g}°")
        apart = "no distance" if found.distance is None else f"|φ − φ′| = {shown(found.distance, 3)}"
        return ", ".join((*parts, apart))


def _values(problem: Problem, order: Indices) -> Array:
    """Return the rows and columns shown, from the Gram matrix if it has been computed anyway."""
    if (known := problem.known_gram) is not None:
        return np.asarray(known[np.ix_(order, order)])
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            K = problem.kernel(problem.data.subset(order).X)
    except BadInput:  # too large for numbers; an algorithm that needs no kernel may have fitted all the same
        return np.empty((0, 0))
    return K if np.isfinite(K).all() else np.empty((0, 0))


# The picture ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False, kw_only=True)
class Matrix(Node):
    """A square matrix in two colours, with a value for each pair of points and the first row on top.

    Up to a dozen rows the numbers are printed in their cells."""

    part: str = "matrix"
    values: Array
    points: Indices  # The training point of each row and column.
    names: tuple[str, ...] = ()  # The names of the rows, where they are worth reading.
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
        most_beside = 0.4  # The share of the width that the names may have.
        if size := self._size_of_names(side):
            widest = max(text_width(name, size) for name in node.names) + NAME_GAP * style.text
            side = min(side, rect.width() - min(widest, most_beside * rect.width()))
            left = min(rect.right() - side, max(left, rect.left() + widest))
        self.inner = QRectF(left, rect.top(), side, side)
        self.step = side / len(node.points)

    def _size_of_names(self, side: float) -> float:
        """Return the size of the type of the names; 0 where it could not be read."""
        size = min(self.style.text, side / max(1, len(self.node.names)) / NAME_LINE)
        readable = 0.55  # The smallest type of the names, in units of the type size.
        return size if self.node.names and size >= readable * self.style.text else 0.0

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
        # Rows up to which the numbers are printed, in cells at least so wide in units of the type size.
        printed, cell = 12, 3.0
        if len(node.points) <= printed and self.step >= cell * 0.7 * self.style.text:
            size = min(self.style.text, self.step / cell)
            for (i, j), value in np.ndenumerate(node.values):
                at, number = (
                    QPointF(square.left() + (j + 0.5) * self.step, self._middle(i)),
                    shown(float(value), 3),
                )
                draw_text(painter, self.style, at, number, points=size, anchor="centre", middle=True)
        largest_type, gap = self._size_of_names(square.width()), NAME_GAP * self.style.text
        for k, name in enumerate(node.names if largest_type else ()):
            at, soft = QPointF(square.left() - gap, self._middle(k)), theme.soft_ink
            text, size = fitted(name, largest_type, at.x() - self.rect.left())
            draw_text(painter, self.style, at, text, points=size, colour=soft, anchor="right", middle=True)

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
        steps = 64
        shades = np.repeat(np.linspace(low, high, steps)[None], 2, axis=0)
        painter.drawImage(bar, field_image(shades, style.theme, (max(-low, high) or 1.0) / 2))
        foot, soft = bar.bottom() + 0.1 * text, style.theme.soft_ink
        left, right = QPointF(bar.left() - 0.4 * text, foot), QPointF(bar.right() + 0.4 * text, foot)
        draw_text(painter, style, left, shown(low, 3), anchor="right", colour=soft)
        draw_text(painter, style, right, shown(high, 3), colour=soft)

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
        i, j = int(self.node.points[row]), int(self.node.points[column])
        value = shown(float(self.node.values[row, column]))
        return Hit(self.part, (i, j), tip=f"points {i + 1} and {j + 1}: {value}")
