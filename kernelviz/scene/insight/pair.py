"""Two strings and what they share: K(s, t) as a sum of pieces, or the table that computes it.

A kernel on strings is an inner product K(s, t) = Σ_u φ_u(s) φ_u(t) over pieces u: substrings, words, or
subsequences with gaps. The view lists the terms, heaviest first, and lights the letters they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.engine.analysis.string_alignment import SharedPiece, StringAlignment, compared
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import flag
from kernelviz.engine.kernels.subsequence import Subsequence
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import ink
from kernelviz.scene.bar_list import Bar, BarList
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.insight.parts.string_table import TABLE_GAP, AlignmentTables, table_kernel, visible
from kernelviz.scene.nodes import Headed, Hit, Marks, Node, Placed
from kernelviz.scene.view import (
    Intent,
    Now,
    OptionPicker,
    Scene,
    SelectPoints,
    Set,
    Several,
    Stepper,
    View,
    ViewMemory,
    message,
)
from kernelviz.scene.wording import counted, named, shown

LETTER_LINE = 1.55  # Height of a line of letters, in units of the type.
LARGEST_LETTERS = 1.6  # Type where a string fits a line, at most, in units of the usual one.
WORD_AND_BLANK = re.compile(r"\S*\s?")
Pair = tuple[int, int]


@dataclass(frozen=True)
class PairView(View):
    """Compares the two strings that are selected, or pointed at elsewhere; its lists select. Pointing at a
    piece lights its letters, a click keeps them lit.

    Instead of the pieces it shows the table of the dynamic programme, filled cell by cell, where the kernel
    is computed by one."""

    name = "pair"
    title = "Two strings"
    family = "Point"
    summary_line = "Two strings, letter by letter: the pieces they share add up to the kernel."
    number = 11
    pictured = ("spelling", "subsequence(length=2, decay=0.5) ; soft-margin-svm(C=10)")
    domains = ("strings",)
    in_background = True
    follows_point = True
    hovers_in_background = True
    pickers = (
        OptionPicker(
            "first", "First string", "First string to compare; selecting two anywhere does the same"
        ),
        OptionPicker(
            "second", "Second string", "Second string to compare; selecting two anywhere does the same"
        ),
    )
    steppers = (
        Stepper(
            "step",
            "Cells filled",
            "How many cells of the table are filled in",
            "One cell back",
            "One cell on",
        ),
    )

    table: bool = flag(
        False, label="Table", help="How K is computed: the table of the dynamic programme, step by step"
    )
    picked: Pair | None = None  # The pair chosen in the lists, which may be the same string twice.
    pinned: str = ""  # The piece whose letters stay lit.
    step: tuple[Pair, int] | None = (
        None  # The step up to which the table of a pair is filled; by default all.
    )

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        """Return the two strings, and below them the pieces they share or the table that computes K."""
        problem = frame.model.problem
        data, kernel = problem.data, problem.kernel
        if data.domain != "strings":
            return message("This view compares two strings, but these points are numbers.")
        points = self._pair(problem, now, memory)
        if points is None:
            return message("This view needs two strings.")
        i, j = points
        try:
            comparison = memory.keep(
                "comparison", (data, kernel, points), lambda: compared(kernel, data.X[i], data.X[j])
            )
            filled = self.step[1] if self.step is not None and self.step[0] == points else None
            table = AlignmentTables.of(kernel, data.X[i], data.X[j], filled) if self.table else None
        except BadInput as problem_with_it:
            return message(str(problem_with_it))
        names = memory.keep("names", data, lambda: [f"{k + 1}: {named(data, k)}" for k in range(data.n)])
        labels = [f"{k + 1} {data.target_text(k).removeprefix('class ')}".strip() for k in points]
        strings = Strings(comparison=comparison, points=points, labels=tuple(labels), pinned=self.pinned)
        return Scene(
            Headed(strings, strings.pieces, TABLE_GAP) if table is None else table.below(strings),
            switches=("table",) if table_kernel(kernel) is not None else (),
            picks={
                "first": (points, {(k, j): name for k, name in enumerate(names)}),
                "second": (points, {(i, k): name for k, name in enumerate(names)}),
            },
            steps={} if table is None else {"step": (points, table.step, table.values.size)},
        )

    def _pair(self, problem: Problem, now: Now, memory: ViewMemory) -> Pair | None:
        """Return the strings to compare. Pointing at something here does not change them, nor does another
        kernel."""
        marks, picked = replace(now.marks, pointed=Hit()), self.picked
        if picked is not None and set(picked) == set(marks.selected) and max(picked) < problem.n:
            return picked
        if now.mouse_here:
            marks = replace(marks, hovered=None, partner=None)
        return memory.keep("pair", (problem.data, marks), lambda: pair_for(problem, marks))

    def on_pick(self, field: str, value: Pair) -> Intent | None:
        return Several((Set("picked", value), SelectPoints(tuple(dict.fromkeys(value)))))

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        if hit.part == "pieces":
            return Set("pinned", "" if hit.row == self.pinned else hit.row)
        return super().on_click(hit, now)


def pair_for(problem: Problem, marks: Marks) -> Pair | None:
    """Return the two strings to compare: a cell pointed at, two that are selected, one selected and one
    pointed at, or the one of these there is, else the first, with the one most like it: that with the largest
    K/√(KK), or the next one if not all values are known."""
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
    K = problem.known_gram
    if second or K is None:
        return first, second[0] if second else (first + 1) % n
    alike = K[first] / np.sqrt(np.maximum(np.diag(K), 1e-300))
    alike[first] = -np.inf
    return first, int(np.argmax(alike))


def name_of(piece: SharedPiece) -> str:
    """Return a piece to be read: letters with gaps apart, those without together; of a product both
    factors."""
    return " × ".join(
        ("·".join(visible(f.piece)) if isinstance(f.kernel, Subsequence) else visible(f.piece))
        for f in piece.features
    )


# The strings ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False, kw_only=True)
class Strings(Node):
    """Two strings below the value of their kernel, the letters lit that count for it.

    A letter is the stronger the more the pieces weigh that it is part of; with a piece pinned, or pointed at
    in the list, only the letters of that piece are lit."""

    comparison: StringAlignment
    points: Pair
    labels: tuple[str, ...]
    pinned: str

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedStrings(self, rect, style)

    def height(self, width: float, style: Style) -> float:
        return PlacedStrings(self, QRectF(0.0, 0.0, width, 0.0), style).bottom

    @property
    def pieces(self) -> BarList:
        """The pieces the strings share, heaviest first."""
        pieces = self.comparison.pieces
        return BarList(
            part="pieces",
            count=len(pieces),
            bar=self._bar,
            largest=max([piece.value for piece in pieces[:1]] + [self.comparison.rest(len(pieces))]),
            rest=self._others,
        )

    def row(self, piece: int) -> str:
        """Return the name of the row of a piece, which no other pair has."""
        return f"{self.points}: {piece}"

    def piece(self, row: str) -> SharedPiece | None:
        """Return the piece whose row has that name."""
        pieces = self.comparison.pieces
        return next((piece for k, piece in enumerate(pieces) if self.row(k) == row), None)

    def _bar(self, k: int) -> Bar:
        piece = self.comparison.pieces[k]
        note = ""
        if len(piece.features) == 1:
            (feature,) = piece.features
            note = f"{shown(feature.left, 3)} · {shown(feature.right, 3)} ="
        lit = "highlight" if self.row(k) == self.pinned else "ink"
        return Bar(self.row(k), name_of(piece), piece.value, shown(piece.value), "highlight", note, lit)

    def _others(self, first: int, count: int) -> Bar | None:
        """Return the line for the pieces that are not listed."""
        rest = self.comparison.rest(count)
        if rest <= 0.0:
            return None
        others = len(self.comparison.pieces) - count
        name = counted(others, "other") if self.comparison.complete else "all others"
        return Bar("", name, rest, shown(rest), "soft_ink", name_ink="soft_ink")

    def caption(self, piece: SharedPiece | None) -> str:
        """Return the value of the kernel, and the share of a piece in it."""
        i, j = (k + 1 for k in self.points)
        value = self.comparison.value
        words = f"K({i}, {j}) = {shown(value)}"
        if value == 0.0:
            return f"{words}: they share nothing"
        return words if piece is None else f"{words}; this substring: {100 * piece.value / value:.3g} %"


class PlacedStrings(Placed):
    """Two strings below each other, to the right of their numbers."""

    def __init__(self, node: Strings, rect: QRectF, style: Style) -> None:
        super().__init__("strings", rect, style)
        self.node, text = node, style.text
        self._indent = max(text_width(label, text) for label in node.labels) + 0.8 * text
        width = max(10.0, rect.width() - self._indent)
        size = fitting_size(node.comparison.texts, text, width)
        self.texts: list[tuple[QRectF, LetteredText]] = []
        top = rect.top() + 1.8 * text
        for string in node.comparison.texts:
            lettered = LetteredText.of(string, size, width)
            self.texts.append((QRectF(rect.left(), top, rect.width(), lettered.height), lettered))
            top += lettered.height + (0.5 if lettered.complete else 1.3) * text
        self.bottom = self.texts[-1][0].bottom()

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        self._draw(painter, self.node.pinned, ())

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        """Draw the strings again if another piece is pointed at, or one of them is marked."""
        row = marks.pointed.row if marks.pointed.part == "pieces" else ""
        marked = tuple(i for i in self.node.points if i in (*marks.selected, marks.hovered))
        if row or marked:
            painter.fillRect(self.rect, self.style.theme.paper)
            self._draw(painter, row or self.node.pinned, marked)

    def _draw(self, painter: QPainter, row: str, marked: tuple[int, ...]) -> None:
        node, style, theme = self.node, self.style, self.style.theme
        piece = node.piece(row)
        at = QPointF(self.rect.left(), self.rect.top() + style.text)
        draw_text(painter, style, at, node.caption(piece), bold=True)
        for side, (place, lettered) in enumerate(self.texts):
            lit = node.points[side] in marked
            foot = QPointF(place.left(), place.top() + 1.05 * lettered.size)
            colour = theme.highlight if lit else theme.soft_ink
            draw_text(painter, style, foot, node.labels[side], colour=colour, bold=lit)
            corner = QPointF(place.left() + self._indent, place.top())
            lettered.draw(painter, corner, style, node.comparison.letters(side, piece))

    def hit(self, at: QPointF) -> Hit | None:
        for point, (place, _) in zip(self.node.points, self.texts, strict=True):
            if place.contains(at):
                return Hit(self.part, (point,))
        return None


def _advance(sign: str, size: float) -> float:
    """Return the width of a letter with the gap after it."""
    return text_width(sign, size) + 0.12 * size


def fitting_size(texts: tuple[str, ...], points: float, width: float) -> float:
    """Return the size, from the usual one to LARGEST_LETTERS times that, in which all texts fit a line, if
    one does."""
    longest = max(sum(_advance(sign, points) for sign in text) for text in texts)
    return points * min(LARGEST_LETTERS, max(1.0, width / max(longest, 1e-9)))


@dataclass(frozen=True, eq=False)
class LetteredText:
    """A text in lines of at most a given width; lines without room are left out."""

    text: str
    size: float
    cells: tuple[tuple[float, float, int], ...]  # Left edge, width and line of each letter shown.

    @classmethod
    def of(cls, text: str, size: float, width: float) -> LetteredText:
        """Set a text; lines break between words, and inside of words longer than a line."""
        cells: list[tuple[float, float, int]] = []
        x, line = 0.0, 0
        most_lines = 4
        for word in WORD_AND_BLANK.findall(text):
            wide = [_advance(sign, size) for sign in word]
            if x > 0.0 and x + sum(wide) > width >= sum(wide):
                x, line = 0.0, line + 1
            for own in wide:
                if x > 0.0 and x + own > width:
                    x, line = 0.0, line + 1
                if line == most_lines:
                    return cls(text, size, tuple(cells))
                cells.append((x, own, line))
                x += own
        return cls(text, size, tuple(cells))

    @property
    def complete(self) -> bool:
        """True if no letter is left out."""
        return len(self.cells) == len(self.text)

    @cached_property
    def height(self) -> float:
        return LETTER_LINE * self.size * (1 + (self.cells[-1][2] if self.cells else 0))

    def draw(self, painter: QPainter, at: QPointF, style: Style, weights: Array) -> None:
        """Draw it from its upper left corner, each letter on a ground as strong as its weight."""
        strength = weights / max(float(np.max(weights, initial=0.0)), 1e-300)
        # Share of the highlight's colour behind letters that count for next to nothing, and for most.
        faintest, strongest = 0.06, 0.6
        for (x, wide, line), sign, share in zip(self.cells, self.text, strength.tolist(), strict=False):
            cell = QRectF(
                at.x() + x, at.y() + LETTER_LINE * self.size * line, wide, 0.92 * LETTER_LINE * self.size
            )
            if share > 0.0:
                strong = faintest + (strongest - faintest) * share
                painter.fillRect(cell, QColor(ink(style.theme, f"shade {strong:.2f} highlight")))
            foot = QPointF(cell.center().x(), cell.top() + 1.05 * self.size)
            draw_text(painter, style, foot, sign, points=self.size, anchor="centre")
        if not self.complete:
            more = f"… {len(self.text) - len(self.cells)} more"
            end = QPointF(at.x(), at.y() + self.height + 0.35 * self.size)
            draw_text(painter, style, end, more, points=0.8 * self.size)
