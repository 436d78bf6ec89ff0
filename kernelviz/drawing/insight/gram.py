"""The Gram matrix as an image, its rows and columns sorted by class."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.figure.colours import field_image
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width, with_dots, wrapped
from kernelviz.drawing.insight.faces import FacesPicture
from kernelviz.drawing.insight.kernel_row import KernelRow
from kernelviz.drawing.insight.landscape import Landscape
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, PictureMaker, padded
from kernelviz.drawing.insight.plot import draw_message
from kernelviz.drawing.insight.sorted_gram import SortedGram
from kernelviz.drawing.insight.spectrum import SpectrumPicture
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.insight.witness import WitnessPicture
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import named, shown
from kernelviz.engine.analysis.gram import pair
from kernelviz.engine.analysis.response import unfitted
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, choice
from kernelviz.engine.kernels.mercer import MOST_JUDGED, mercer
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Failure, Frame, Verdict

CAPTION_LINES = 2
LOW = 20.0
"""Height in units of the text's size below which a place is low for a matrix."""
SCALE = 1.6
"""Height of the colours with their numbers, below the matrix, in units of the text's size."""
SHADES = 64
PRINTED = 12
"""Points up to which the numbers are printed."""
CELL = 3.0
"""Width of a cell, in units of the text's size, from which its number can be read."""
LINE, READABLE, MOST_BESIDE = 1.05, 0.55, 0.4
"""Of the strings beside the rows: height of a line and least size, in units of the text's size, and the share
of the width they may have."""


@dataclass(frozen=True)
class GramSwitches(Declared):
    """What is seen of the matrix."""

    name: ClassVar[str] = "the matrix"
    face: str = choice(
        "matrix",
        ("matrix", "spectrum", "witness"),
        label="Show",
        help="The matrix; its eigenvalues; or weights on the points that prove it indefinite",
    )
    order: str = choice(
        "class",
        ("class", "index", "score", "alike"),
        label="by",
        help="The order of the rows: by class, by number, by score, or those that behave alike together",
    )
    version: str = choice(
        "K",
        ("K", "centred", "normalised"),
        label="of",
        help="K itself; the inner products seen from the mean of all points; or the cosines of the angles",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class MatrixPicture(InsightPicture):
    """The matrix as colour: blue above zero, orange below. Pointing at a cell names its two points and shows
    its row as a function of the input, K(x_i, ·)."""

    title = "Matrix"
    switches = GramSwitches

    matrix: SortedGram
    verdict: str
    """What the Mercer check says of the kernel."""
    model: Model
    row: KernelRow | None = None
    """The row seen as a function."""
    alone: bool = False
    """Whether no room is kept for such a row."""
    _images: dict[str, QImage] = field(default_factory=dict)
    """By theme."""

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: MatrixPicture | None
    ) -> InsightPicture:
        return cls.of_model(frame.model, verdict, switches, before)

    @classmethod
    def of_model(
        cls, model: Model, verdict: Verdict | None, switches: Any, before: MatrixPicture | None
    ) -> InsightPicture:
        last = None if before is None else before.matrix
        matrix = SortedGram.of(model, switches.order, switches.version, last)
        if len(matrix.values) == 0:
            return NothingToShow(reason="There is no kernel matrix to show for these points.")
        said = "" if verdict is None else verdict.mercer.verdict
        return cls(matrix=matrix, verdict=said, model=model, row=None if before is None else before.row)

    @property
    def switchable(self) -> Collection[str]:
        return ("order", "version")

    def with_row(self, point: int | None) -> MatrixPicture:
        """With the row of a point as a function; of none where it has none."""
        row = None if point is None else KernelRow.of(self.model, point, self.row)
        return self if row is self.row else replace(self, row=row)

    def prepare(self, theme: Theme) -> None:
        self._image(theme)

    def _image(self, theme: Theme) -> QImage:
        """The values as colours, made once."""
        if theme.name not in self._images:
            values = self.matrix.values
            largest = float(np.abs(values).max())
            # field_image counts rows upwards; a matrix counts them downwards.
            self._images[theme.name] = field_image(values[::-1], theme, (largest or 1.0) / 2)
        return self._images[theme.name]

    def on_paper(self) -> MatrixPicture:
        return replace(self, alone=self.row is None)

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        square, order = self._square(rect, style), self.matrix.order
        if not square.contains(at):
            return ()
        step, last = square.width() / len(order), len(order) - 1
        row, column = (at.y() - square.top()) / step, (at.x() - square.left()) / step
        return int(order[min(last, int(row))]), int(order[min(last, int(column))])

    def _parts(self, rect: QRectF, style: Style) -> tuple[QRectF, QRectF | None]:
        """Of the matrix, and of a row as a function: beside it, or below where that leaves more room."""
        low, rect = self._is_low(rect, style), padded(rect, style)
        alone = self.alone or not Landscape.possible(self.model.problem.data)
        foot = (0.5 + 1.3 * CAPTION_LINES) * style.text
        if low:
            left = QRectF(rect.topLeft(), QSizeF(rect.height(), rect.height()))
            right = QRectF(left.topRight(), rect.bottomRight()).adjusted(style.text, 0, 0, -foot)
            return left, None if alone else right
        rect.setBottom(rect.bottom() - foot - SCALE * style.text)
        if alone:
            return rect, None
        if rect.width() >= rect.height():
            left = QRectF(rect.left(), rect.top(), min(rect.height(), 0.5 * rect.width()), rect.height())
            return left, QRectF(left.topRight(), rect.bottomRight()).adjusted(style.text, 0, 0, 0)
        top = QRectF(rect.left(), rect.top(), rect.width(), min(rect.width(), 0.5 * rect.height()))
        return top, QRectF(top.bottomLeft(), rect.bottomRight()).adjusted(0, style.text, 0, 0)

    @staticmethod
    def _is_low(rect: QRectF, style: Style) -> bool:
        """Whether the matrix has all of the height, its caption beside it and no scale: else little is left
        of it."""
        room = padded(rect, style)
        return room.height() < LOW * style.text and room.width() > 2 * room.height()

    def _square(self, rect: QRectF, style: Style) -> QRectF:
        """Where the matrix is, beside the strings of its rows."""
        room, beside = self._parts(rect, style)
        side = max(10.0, min(room.width(), room.height()))
        if size := self._size_of_strings(side, style):
            widest = max(text_width(text, size) for text in self._strings) + 0.5 * style.text
            side = min(side, room.width() - min(widest, MOST_BESIDE * room.width()))
            return QRectF(room.right() - side, room.top(), side, side)
        at_left = beside is not None and beside.left() > room.left()
        return QRectF(room.left() if at_left else room.center().x() - side / 2, room.top(), side, side)

    @cached_property
    def _strings(self) -> list[str]:
        """What the rows are called, of strings."""
        data = self.matrix.problem.data
        return [named(data, int(i)) for i in self.matrix.order] if data.domain == "strings" else []

    def _size_of_strings(self, side: float, style: Style) -> float:
        """Of the type in which the rows are named; 0 where it could not be read."""
        size = min(style.text, side / max(1, len(self._strings)) / LINE)
        return size if self._strings and size >= READABLE * style.text else 0.0

    def _print_strings(self, painter: QPainter, square: QRectF, style: Style) -> None:
        size, step = self._size_of_strings(square.width(), style), square.width() / len(self.matrix.order)
        for k, text in enumerate(self._strings if size else ()):
            at = QPointF(square.left() - 0.4 * style.text, square.top() + (k + 0.5) * step + 0.36 * size)
            draw_text(painter, style, at, text, points=size, colour=style.theme.soft_ink, anchor="right")

    @property
    def cell(self) -> tuple[int, int] | None:
        """Row and column of the pair pointed at."""
        row, column = self.matrix.row_of(self.marks.hovered), self.matrix.row_of(self.marks.partner)
        return None if row is None or column is None else (row, column)

    @property
    def chosen(self) -> tuple[int, int] | None:
        """The cell pointed at, or that of two points that are selected."""
        if self.cell is not None or len(self.marks.selected) != 2:
            return self.cell
        row, column = (self.matrix.row_of(i) for i in self.marks.selected)
        return None if row is None or column is None else (row, column)

    @property
    def caption(self) -> str:
        """The geometry of two chosen points, else the verdict on the kernel."""
        cell = self.chosen
        if cell is None:
            return self.verdict
        found = pair(self.matrix.raw, *cell)
        i, j = (named(self.matrix.problem.data, int(self.matrix.order[k])) for k in cell)
        told = [f"K({i}, {j}) = {shown(found.product)}"]
        if self.matrix.how[1] != "K":
            told.append(f"{self.matrix.how[1]} {shown(float(self.matrix.values[cell]))}")
        if found.cosine is not None:
            told.append(f"cos {shown(found.cosine, 3)}")
        if found.angle is not None:
            told.append(f"{found.angle:.3g}°")
        apart = "no distance" if found.distance is None else f"|φ − φ′| = {shown(found.distance, 3)}"
        return ", ".join((*told, apart))

    @property
    def ground(self) -> Hashable:
        return self.matrix, self.row

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """The image, with lines between the classes."""
        square = self._square(rect, style)
        if not self._is_low(rect, style):
            self._draw_scale(painter, square, style)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(square, self._image(style.theme))
        painter.setPen(pen(style.theme.soft_ink, style.axis_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(square)
        self._print_numbers(painter, square, style)
        self._print_strings(painter, square, style)
        for k in self.matrix.borders:
            at = k / len(self.matrix.order) * square.width()
            x, y = square.left() + at, square.top() + at
            painter.drawLine(QLineF(x, square.top(), x, square.bottom()))
            painter.drawLine(QLineF(square.left(), y, square.right(), y))
        beside = self._parts(rect, style)[1]
        if beside is not None and self.row is not None:
            self.row.landscape.draw(painter, beside, style)

    def _draw_scale(self, painter: QPainter, square: QRectF, style: Style) -> None:
        """Which colour means what, from the smallest value, or 0, to the largest."""
        values, text = self.matrix.values, style.text
        low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
        wide = square.width() - 6 * text
        if wide < 3 * text:
            return
        bar = QRectF(square.left() + 3 * text, square.bottom() + 0.6 * text, wide, 0.6 * text)
        shades = np.repeat(np.linspace(low, high, SHADES)[None], 2, axis=0)
        painter.drawImage(bar, field_image(shades, style.theme, (max(-low, high) or 1.0) / 2))
        foot, soft = bar.bottom() + 0.1 * text, style.theme.soft_ink
        left, right = QPointF(bar.left() - 0.4 * text, foot), QPointF(bar.right() + 0.4 * text, foot)
        draw_text(painter, style, left, shown(low, 3), anchor="right", colour=soft)
        draw_text(painter, style, right, shown(high, 3), colour=soft)

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
        square, inner = self._square(rect, style), padded(rect, style)
        beside = self._parts(rect, style)[1]
        if beside is not None and self.row is not None:
            self.row.draw_points(painter, beside, style, stamps)
        elif beside is not None:
            draw_message(painter, style, beside, "Point at a row, or select a point, to see K(x, ·).")
        step = square.width() / len(self.matrix.order)
        painter.setPen(pen(style.theme.highlight, 1.2 * style.strokes))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for row, column in self._crossings():
            painter.drawRect(QRectF(square.left(), square.top() + row * step, square.width(), step))
            painter.drawRect(QRectF(square.left() + column * step, square.top(), step, square.height()))
        if self._is_low(rect, style):
            inner.setLeft(self._parts(rect, style)[0].right() + style.text)
        for k, line in enumerate(self._caption_lines(inner.width(), style)):
            at = QPointF(inner.left(), inner.bottom() - (CAPTION_LINES - 1 - k) * 1.3 * style.text)
            draw_text(painter, style, at, line, colour=style.theme.soft_ink)

    def _caption_lines(self, width: float, style: Style) -> list[str]:
        lines = wrapped(self.caption, style.text, width)
        last = " ".join(lines[CAPTION_LINES - 1 :])
        return [*lines[: CAPTION_LINES - 1], with_dots(last, style.text, width)] if last else lines

    def _crossings(self) -> list[tuple[int, int]]:
        """Row and column of the cell pointed at; else of every marked point its own."""
        cell = self.cell
        if cell is not None:
            return [cell]
        rows = (self.matrix.row_of(i) for i in self.marks.among(self.matrix.problem.data.n))
        return [(row, row) for row in rows if row is not None]


@dataclass(frozen=True, eq=False, kw_only=True)
class GramPicture(FacesPicture):
    """The matrix, its eigenvalues, or the proof that it is indefinite."""

    title = "Gram matrix"
    switches = GramSwitches

    @classmethod
    def faces(cls) -> Mapping[str, type[InsightPicture]]:
        return {"matrix": MatrixPicture, "spectrum": SpectrumPicture, "witness": WitnessPicture}

    def with_row(self, point: int | None) -> GramPicture:
        """With the row of a point as a function, where the matrix is seen."""
        if not isinstance(self.shown, MatrixPicture):
            return self
        shown = self.shown.with_row(point)
        return self if shown is self.shown else replace(self, shown=shown)


@dataclass(frozen=True)
class GramMaker(PictureMaker):
    """Knows which row is to be seen as a function."""

    row: int | None = None

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        picture = super().make(frame, verdict, before)
        return picture.with_row(self.row) if isinstance(picture, GramPicture) else picture

    def without_fit(self, failure: Failure | None, before: InsightPicture | None = None) -> InsightPicture:
        """The matrix, which needs but kernel and points."""
        if failure is None or not failure.request.data.n:
            return super().without_fit(failure, before)
        fit, data, switches = failure.request.fits[failure.fit], failure.request.data, self.switches
        try:
            model, face = unfitted(data, fit.kernel, fit.algorithm), self.switches.values()["face"]
            if face == "matrix":
                return GramPicture(shown=MatrixPicture.of_model(model, None, switches, None)).with_row(
                    self.row
                )
            few = Problem(data.subset(np.arange(min(data.n, MOST_JUDGED))), fit.kernel)
            verdict = Verdict(failure.request, mercer(few.gram, data.n))
        except BadInput as problem:
            return NothingToShow(reason=str(problem))
        kind = SpectrumPicture if face == "spectrum" else WitnessPicture
        return GramPicture(shown=kind.of_verdict(verdict))
