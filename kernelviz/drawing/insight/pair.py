"""Two strings and what they share: K(s, t) as a sum of pieces, or the table that computes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.colours import blend
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width
from kernelviz.drawing.insight.letters import LetteredText, fitting_size, visible
from kernelviz.drawing.insight.pair_table import PairTable
from kernelviz.drawing.insight.picture import InsightPicture, Marks, NothingToShow, PictureMaker, padded
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.wording import counted, shown
from kernelviz.engine.analysis.string_alignment import Comparison, SharedPiece, compared
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, flag
from kernelviz.engine.kernels.subsequence import Subsequence
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Frame, Verdict

ROW = 1.65  # Height of a row in units of the type size.
ROOM_FOR_FEATURES = 34  # Width, in units of the type size, from which both features of a piece are told.
BAR = 0.7  # How much of its colour a bar has.
NOT_STRINGS = "Here two strings are compared, piece by piece; these points are numbers."


@dataclass(frozen=True)
class PairSwitches(Declared):
    """What is shown of the two strings."""

    name: ClassVar[str] = "the pair"
    table: bool = flag(
        False, label="Table", help="How K is computed: the table of the dynamic programme, step by step"
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class PairPicture(InsightPicture):
    """Both strings, their shared letters lit, and below them the pieces, heaviest first."""

    title = "Two strings"
    switches = PairSwitches

    data: Data
    points: tuple[int, int]
    comparison: Comparison
    table: PairTable | None = None  # Where it is asked for.
    has_table: bool = True
    pointed: int | None = None  # The piece whose letters alone are lit.

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: PairPicture | None
    ) -> InsightPicture:
        return PairMaker(cls, switches).make(frame, verdict, before)

    @property
    def switchable(self) -> tuple[str, ...]:
        return ("table",) if self.has_table else ()

    def with_pointed(self, pointed: int | None) -> PairPicture:
        return replace(self, pointed=pointed)

    def belongs_to(self, problem: Problem, points: tuple[int, int]) -> bool:
        known = self.data is problem.data and self.comparison.kernel == problem.kernel
        return known and self.points == points

    @property
    def piece(self) -> SharedPiece | None:
        return None if self.pointed is None else self.comparison.pieces[self.pointed]

    # Where everything is --------------------------------------------------------------------------------
    def _texts(self, rect: QRectF, style: Style) -> list[tuple[QRectF, LetteredText]]:
        """Both strings below each other, beside their numbers."""
        room = padded(rect, style)
        width = max(10.0, room.width() - self._indent(style))
        size = fitting_size(self.comparison.texts, style.text, width)
        top, found = room.top() + 1.8 * style.text, []
        for text in self.comparison.texts:
            lettered = LetteredText.of(text, size, width)
            found.append((QRectF(room.left(), top, room.width(), lettered.height), lettered))
            top += lettered.height + 0.5 * style.text
            if len(lettered.cells) < len(text):
                top += 0.8 * style.text
        return found

    def _indent(self, style: Style) -> float:
        return max(text_width(self._number(side), style.text) for side in (0, 1)) + 0.8 * style.text

    def _number(self, side: int) -> str:
        i = self.points[side]
        return f"{i + 1} {self.data.told(i).removeprefix('class ')}".strip()

    def _rows(self, rect: QRectF, style: Style) -> tuple[float, int]:
        """Where the list begins, and how many pieces it has room for, the line of the others kept free."""
        top = self._texts(rect, style)[-1][0].bottom() + 0.8 * style.text
        room = int((padded(rect, style).bottom() - top) / (ROW * style.text))
        pieces = len(self.comparison.pieces)
        whole = self.comparison.complete and pieces <= room
        return top, pieces if whole else max(0, min(pieces, room - 1))

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        for i, (place, _) in zip(self.points, self._texts(rect, style), strict=True):
            if place.contains(at):
                return (i,)
        return ()

    def piece_at(self, at: QPointF, rect: QRectF, style: Style) -> int | None:
        """The piece whose row is at a place."""
        if self.table is not None:
            return None
        top, count = self._rows(rect, style)
        row = int((at.y() - top) // (ROW * style.text))
        return row if 0 <= row < count else None

    # What is drawn --------------------------------------------------------------------------------------
    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        pass

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        theme, room = style.theme, padded(rect, style)
        draw_text(painter, style, QPointF(room.left(), room.top() + style.text), self.caption, bold=True)
        texts = self._texts(rect, style)
        for side, (place, lettered) in enumerate(texts):
            marked = self.points[side] in self.marks.among(self.data.n)
            colour = theme.highlight if marked else theme.soft_ink
            foot = QPointF(place.left(), place.top() + 1.05 * lettered.size)
            draw_text(painter, style, foot, self._number(side), colour=colour, bold=marked)
            weights = self.comparison.letters(side, self.piece)
            at = QPointF(place.left() + self._indent(style), place.top())
            lettered.draw(painter, at, style, weights, theme.highlight)
        if self.table is not None:
            below = QRectF(QPointF(room.left(), texts[-1][0].bottom() + 0.8 * style.text), room.bottomRight())
            self.table.draw(painter, below, style)
        else:
            self._draw_rows(painter, rect, style)

    @property
    def caption(self) -> str:
        i, j = (k + 1 for k in self.points)
        told = f"K({i}, {j}) = {shown(self.comparison.value)}"
        if self.comparison.value == 0.0:
            return f"{told}: they share nothing"
        piece = self.piece
        return (
            told if piece is None else f"{told}, {100 * piece.value / self.comparison.value:.3g} % of it here"
        )

    def listed(self, count: int) -> list[tuple[str, str, float]]:
        """Name, features and value of so many pieces, and last what all others add up to."""
        found = [(name_of(p), _features(p), p.value) for p in self.comparison.pieces[:count]]
        rest = self.comparison.rest(count)
        if rest > 0.0:
            others = len(self.comparison.pieces) - count
            name = counted(others, "other") if self.comparison.complete else "all others"
            found.append((name, "", rest))
        return found

    def _draw_rows(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        top, count = self._rows(rect, style)
        rows = self.listed(count)
        if not rows:
            return
        theme, text, room = style.theme, style.text, padded(rect, style)
        names = min(0.4 * room.width(), max(text_width(name, text) for name, _, _ in rows) + text)
        values = max(text_width(shown(value), text) for _, _, value in rows) + 0.6 * text
        roomy = room.width() > ROOM_FOR_FEATURES * text
        features = max(text_width(words, text) for _, words, _ in rows) + text if roomy else 0.0
        unit = max(8.0, room.width() - names - values - features) / max(value for _, _, value in rows)
        for k, (name, words, value) in enumerate(rows):
            foot = top + (k + 0.5) * ROW * text + 0.36 * text
            size = text * min(1.0, (names - 0.5 * text) / text_width(name, text))
            lit = theme.highlight if k == self.pointed else theme.ink if k < count else theme.soft_ink
            draw_text(painter, style, QPointF(room.left(), foot), name, points=size, colour=lit)
            bar = QRectF(room.left() + names, foot - 0.86 * text, unit * value, text)
            colour = theme.highlight if k < count else theme.soft_ink
            painter.fillRect(bar, QColor(blend(theme.paper, colour, BAR)))
            if roomy:
                at = QPointF(room.right() - values, foot)
                draw_text(painter, style, at, words, colour=theme.soft_ink, anchor="right")
            draw_text(painter, style, QPointF(room.right(), foot), shown(value), anchor="right")


@dataclass(frozen=True)
class PairMaker(PictureMaker):
    """Makes the picture of two points of any frame; of the first and its nearest unless told which."""

    points: tuple[int, int] | None = None
    step: int | None = None  # How far the table is filled; None to the end.
    pinned: int | None = None  # The piece whose letters are lit though nobody points at it.

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        if frame is None:
            return NothingToShow()
        problem = frame.model.problem
        if problem.data.domain != "strings":
            return NothingToShow(reason=NOT_STRINGS)
        points = self.points if self.points is not None else pair_for(problem, Marks())
        if points is None or max(points) >= problem.n:
            return NothingToShow(reason="It takes two strings to compare.")
        try:
            return self._made(problem, points, before)
        except BadInput as reason:
            return NothingToShow(reason=str(reason))

    def _made(
        self, problem: Problem, points: tuple[int, int], before: InsightPicture | None
    ) -> InsightPicture:
        s, t = (problem.data.X[i] for i in points)
        if isinstance(before, PairPicture) and before.belongs_to(problem, points):
            comparison = before.comparison
        else:
            comparison = compared(problem.kernel, s, t)
        wanted: bool = self.switches.values()["table"]
        table = PairTable.of(problem.kernel, s, t, self.step) if wanted else None
        pinned = self.pinned if self.pinned is not None and self.pinned < len(comparison.pieces) else None
        return PairPicture(
            data=problem.data,
            points=points,
            comparison=comparison,
            table=table,
            has_table=PairTable.source(problem.kernel) is not None,
            pointed=pinned,
        )


def pair_for(problem: Problem, marks: Marks) -> tuple[int, int] | None:
    """The two strings to compare: a cell pointed at, two that are selected, one selected and one pointed at,
    or the one of these there is, else the first, with the one most like it."""
    n = problem.n
    if n < 2:
        return None
    selected, hovered = [i for i in marks.selected if i < n], marks.hovered
    if hovered is not None and marks.partner is not None and max(hovered, marks.partner) < n:
        return hovered, marks.partner
    if len(selected) >= 2:
        return selected[0], selected[1]
    pointed = [i for i in (hovered,) if i is not None and i < n and i not in selected]
    first, *second = [*selected, *pointed, *([] if selected or pointed else [0])]
    return first, second[0] if second else _most_alike(problem, first)


def _most_alike(problem: Problem, i: int) -> int:
    """By K/√(KK) if all values are known, else the next one."""
    K = problem.known_gram
    if K is None:
        return (i + 1) % problem.n
    size = np.maximum(np.diag(K), 1e-300)
    alike = K[i] / np.sqrt(size)
    alike[i] = -np.inf
    return int(np.argmax(alike))


def name_of(piece: SharedPiece) -> str:
    """What a term is called: letters with gaps apart, those without together; of a product both factors."""
    return " × ".join(
        ("·".join(visible(f.piece)) if isinstance(f.kernel, Subsequence) else visible(f.piece))
        for f in piece.features
    )


def _features(piece: SharedPiece) -> str:
    """φ(s) φ(t) of a single feature."""
    if len(piece.features) > 1:
        return ""
    (feature,) = piece.features
    return f"{shown(feature.left, 3)} · {shown(feature.right, 3)} ="
