"""The Gram matrix as an image, its rows and columns sorted by class."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.colours import field_image
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, wrapped
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, padded
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.numbers import shown
from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.engine.problem import Problem
from kernelviz.runtime.messages import Frame, Verdict

__all__ = ["ROWS_SHOWN", "GramPicture", "SortedGram", "by_class"]

ROWS_SHOWN = 300
"""Rows shown; of more points every so-many-th."""
CAPTION_LINES = 2
PRINTED = 12
"""Points up to which the numbers are printed."""
CELL = 3.0
"""Width of a cell, in units of the text's size, from which its number can be read."""


def by_class(data: Data) -> Indices:
    """The points sorted by class, at most ROWS_SHOWN of them, evenly taken."""
    order = np.arange(data.n) if data.target is None else np.argsort(-data.target, kind="stable")
    if data.n <= ROWS_SHOWN:
        return order
    return order[np.linspace(0, data.n - 1, ROWS_SHOWN).astype(np.intp)]


@dataclass(frozen=True, eq=False)
class SortedGram:
    """K of a problem's points in the order shown; itself the key of what is drawn of it."""

    problem: Problem
    order: Indices
    values: Array

    @classmethod
    def of(cls, problem: Problem) -> SortedGram:
        order = by_class(problem.data)
        return cls(problem, order, _values(problem, order))

    def as_csv(self) -> str:
        """All digits, a row a line, in the order shown."""
        return "".join(",".join(map(repr, row)) + "\n" for row in self.values.tolist())

    def as_latex(self, digits: int = 4) -> str:
        """A matrix for a paper."""
        rows = [" & ".join(f"{value:.{digits}g}" for value in row) for row in self.values.tolist()]
        return "\\begin{pmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{pmatrix}\n"

    def belongs_to(self, problem: Problem) -> bool:
        return self.problem.data is problem.data and self.problem.kernel == problem.kernel

    @property
    def borders(self) -> list[int]:
        """The rows at which another class begins."""
        data = self.problem.data
        if data.target is None or not data.class_names:
            return []
        return [int(k) + 1 for k in np.flatnonzero(np.diff(data.target[self.order]))]

    def row_of(self, point: int | None) -> int | None:
        """The row of a point; None when it is not among those shown."""
        if point is None:
            return None
        rows = np.flatnonzero(self.order == point)
        return int(rows[0]) if len(rows) else None


@dataclass(frozen=True, eq=False, kw_only=True)
class GramPicture(InsightPicture):
    """K[i, j] as colour: blue above zero, orange below. Pointing at a cell names its two points."""

    title = "Gram matrix"

    matrix: SortedGram
    verdict: str
    """What the Mercer check says of the kernel."""

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: GramPicture | None
    ) -> InsightPicture:
        problem = frame.model.problem
        known = before is not None and before.matrix.belongs_to(problem)
        matrix = before.matrix if before is not None and known else SortedGram.of(problem)
        if len(matrix.values) == 0:
            return NothingToShow(reason="There is no kernel matrix to show for these points.")
        return cls(matrix=matrix, verdict="" if verdict is None else verdict.mercer.verdict)

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        square, order = _square(rect, style), self.matrix.order
        if not square.contains(at):
            return ()
        step, last = square.width() / len(order), len(order) - 1
        row, column = (at.y() - square.top()) / step, (at.x() - square.left()) / step
        return int(order[min(last, int(row))]), int(order[min(last, int(column))])

    @property
    def cell(self) -> tuple[int, int] | None:
        """Row and column of the pair pointed at."""
        row, column = self.matrix.row_of(self.marks.hovered), self.matrix.row_of(self.marks.partner)
        return None if row is None or column is None else (row, column)

    @property
    def caption(self) -> str:
        """What the mouse is on, else the verdict on the kernel."""
        cell = self.cell
        if cell is None:
            return self.verdict
        i, j = (int(self.matrix.order[k]) + 1 for k in cell)
        return f"K(point {i}, point {j}) = {shown(float(self.matrix.values[cell]))}"

    @property
    def ground(self) -> Hashable:
        return self.matrix

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """The image, with lines between the classes."""
        square, values = _square(rect, style), self.matrix.values
        largest = float(np.abs(values).max())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        # field_image counts rows upwards; a matrix counts them downwards.
        painter.drawImage(square, field_image(values[::-1], style.theme, (largest or 1.0) / 2))
        painter.setPen(pen(style.theme.soft_ink, style.axis_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(square)
        self._print_numbers(painter, square, style)
        for k in self.matrix.borders:
            at = k / len(values) * square.width()
            x, y = square.left() + at, square.top() + at
            painter.drawLine(QLineF(x, square.top(), x, square.bottom()))
            painter.drawLine(QLineF(square.left(), y, square.right(), y))

    def _print_numbers(self, painter: QPainter, square: QRectF, style: Style) -> None:
        values, n = self.matrix.values, len(self.matrix.order)
        step = square.width() / n
        if n > PRINTED or step < CELL * 0.7 * style.text:
            return
        size = min(style.text, step / CELL)
        for (i, j), value in np.ndenumerate(values):
            at = QPointF(square.left() + (j + 0.5) * step, square.top() + (i + 0.5) * step + 0.36 * size)
            draw_text(painter, style, at, shown(float(value), 3), points=size, anchor="centre")

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        square, inner = _square(rect, style), padded(rect, style)
        step = square.width() / len(self.matrix.order)
        painter.setPen(pen(style.theme.highlight, 1.2 * style.strokes))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for row, column in self._crossings():
            painter.drawRect(QRectF(square.left(), square.top() + row * step, square.width(), step))
            painter.drawRect(QRectF(square.left() + column * step, square.top(), step, square.height()))
        for k, line in enumerate(wrapped(self.caption, style.text, inner.width())[:CAPTION_LINES]):
            at = QPointF(inner.left(), square.bottom() + (1.4 + 1.3 * k) * style.text)
            draw_text(painter, style, at, line, colour=style.theme.soft_ink)

    def _crossings(self) -> list[tuple[int, int]]:
        """Row and column of the cell pointed at; else of every marked point its own."""
        cell = self.cell
        if cell is not None:
            return [cell]
        rows = (self.matrix.row_of(i) for i in self.marks.among(self.matrix.problem.data.n))
        return [(row, row) for row in rows if row is not None]


def _values(problem: Problem, order: Indices) -> Array:
    """The rows and columns shown, from the Gram matrix if it has been computed anyway."""
    if (known := problem.known_gram) is not None:
        return np.asarray(known[np.ix_(order, order)])
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            K = problem.kernel(problem.data.subset(order).X)
    except BadInput:  # too large for numbers; an algorithm that needs no kernel may have fitted all the same
        return np.empty((0, 0))
    return K if np.isfinite(K).all() else np.empty((0, 0))


def _square(rect: QRectF, style: Style) -> QRectF:
    """Where the matrix is, above its caption."""
    rect = padded(rect, style)
    side = max(10.0, min(rect.width(), rect.height() - (0.5 + 1.3 * CAPTION_LINES) * style.text))
    return QRectF(rect.center().x() - side / 2, rect.top(), side, side)
