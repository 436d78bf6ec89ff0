"""The Gram matrix as an image, its rows and columns sorted by class."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.figure.colours import field_image
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, wrapped
from kernelviz.drawing.plots.plot import shown
from kernelviz.drawing.theme import Theme
from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.data import Data
from kernelviz.engine.problem import Problem
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.ui.insight.base import PictureView
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["GramView", "by_class"]

MOST = 300
"""Rows shown; of more points every so-many-th."""


CAPTION_LINES = 2


def by_class(data: Data) -> Indices:
    """The points sorted by class, at most MOST of them, evenly taken."""
    order = np.arange(data.n) if data.target is None else np.argsort(-data.target, kind="stable")
    if data.n <= MOST:
        return order
    return order[np.linspace(0, data.n - 1, MOST).astype(np.intp)]


class GramView(PictureView):
    """K[i, j] as colour: blue above zero, orange below. Pointing at a cell names its two points."""

    title = "Gram matrix"

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._order: Indices = np.empty(0, dtype=np.intp)
        self._matrix: Array = np.empty((0, 0))
        self._images: dict[str, QImage] = {}
        self._posed: tuple[Data, object] | None = None
        self._cell: tuple[int, int] | None = None
        self._square = QRectF()
        self._verdict = ""
        workbench.verdict_arrived.connect(self._on_verdict)

    def nothing_to_show(self) -> str:
        if self.taken is not None and len(self._matrix) == 0:
            return "There is no kernel matrix to show for these points."
        return super().nothing_to_show()

    def take(self, frame: Frame | None) -> None:
        if frame is not None:
            problem = frame.model.problem
            known = self._posed
            if known is None or known[0] is not problem.data or known[1] != problem.kernel:
                self._posed = (problem.data, problem.kernel)
                self._order = by_class(problem.data)
                self._matrix = _matrix(problem, self._order)
                self._images = {}
                self._cell = None
        super().take(frame)

    def _on_verdict(self, verdict: Verdict) -> None:
        self._verdict = verdict.mercer.verdict
        if self.isVisible():
            self.picture.update()

    def on_pointed(self, at: QPointF | None) -> None:
        inside = at is not None and self._square.contains(at) and len(self._order) > 0
        cell = None
        if inside and at is not None:
            step = self._square.width() / len(self._order)
            row, column = ((at.y() - self._square.top()) / step, (at.x() - self._square.left()) / step)
            last = len(self._order) - 1
            cell = (min(last, int(row)), min(last, int(column)))
        if cell != self._cell:
            self._cell = cell
            self.workbench.hover(*((None,) if cell is None else self._order[list(cell)].tolist()))
            self.picture.update()

    def mark_at(self, at: QPointF) -> int | None:
        return None if self._cell is None else int(self._order[self._cell[0]])

    # Painting -----------------------------------------------------------------------------------------
    def background_key(self) -> Hashable:
        return id(self._matrix)

    def paint_background(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """The image, with lines between the classes."""
        square = _square(rect, style)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(square, self._image(style.theme))
        painter.setPen(pen(style.theme.soft_ink, style.axis_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(square)
        assert self.taken is not None
        target = self.taken.data.target
        if target is not None and self.taken.data.class_names:
            sorted_target = target[self._order]
            for k in (np.flatnonzero(np.diff(sorted_target)) + 1).tolist():
                at = k / len(self._order) * square.width()
                painter.drawLine(
                    QLineF(square.left() + at, square.top(), square.left() + at, square.bottom())
                )
                painter.drawLine(QLineF(square.left(), square.top() + at, square.right(), square.top() + at))

    def paint_frame(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        square = self._square = _square(rect, style)
        step = square.width() / len(self._order)
        painter.setPen(pen(style.theme.highlight, 1.2 * style.strokes))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for row, column in self._crossings():
            painter.drawRect(QRectF(square.left(), square.top() + row * step, square.width(), step))
            painter.drawRect(QRectF(square.left() + column * step, square.top(), step, square.height()))
        for k, line in enumerate(wrapped(self.caption, style.text, rect.width())[:CAPTION_LINES]):
            at = QPointF(rect.left(), square.bottom() + (1.4 + 1.3 * k) * style.text)
            draw_text(painter, style, at, line, colour=style.theme.soft_ink)

    def _crossings(self) -> list[tuple[int, int]]:
        """Row and column of the cell pointed at; else of every marked point its own."""
        if self._cell is not None:
            return [self._cell]
        return [(k, k) for i in self.marked for k in np.flatnonzero(self._order == i).tolist()]

    @property
    def caption(self) -> str:
        """What the mouse is on, else the verdict on the kernel."""
        if self._cell is not None:
            i, j = (int(self._order[k]) + 1 for k in self._cell)
            return f"K(point {i}, point {j}) = {shown(float(self._matrix[self._cell]))}"
        return self._verdict

    def _image(self, theme: Theme) -> QImage:
        if theme.name not in self._images:
            largest = float(np.abs(self._matrix).max())
            # field_image counts rows upwards; a matrix counts them downwards.
            self._images[theme.name] = field_image(self._matrix[::-1], theme, (largest or 1.0) / 2)
        return self._images[theme.name]


def _matrix(problem: Problem, order: Indices) -> Array:
    """The rows and columns shown, from the Gram matrix if it has been computed anyway."""
    if "gram" in vars(problem):
        return np.asarray(problem.gram[np.ix_(order, order)])
    with np.errstate(over="ignore", invalid="ignore"):
        K = problem.kernel(problem.data.subset(order).X)
    return K if np.isfinite(K).all() else np.empty((0, 0))


def _square(rect: QRectF, style: Style) -> QRectF:
    side = max(10.0, min(rect.width(), rect.height() - (0.5 + 1.3 * CAPTION_LINES) * style.text))
    return QRectF(rect.center().x() - side / 2, rect.top(), side, side)
