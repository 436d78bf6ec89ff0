"""Several fits of the same data compared: all numbers side by side, or where they disagree."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width, wrapped
from kernelviz.drawing.insight.difference import Difference
from kernelviz.drawing.insight.number_rows import value_told
from kernelviz.drawing.insight.picture import (
    InsightPicture,
    NothingToShow,
    PictureMaker,
    nearest_mark,
    padded,
)
from kernelviz.drawing.insight.scatter import encircle
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.wording import fit_names
from kernelviz.engine.core.params import Declared, choice
from kernelviz.engine.numbers.declared import NUMBERS, label
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.session.comparison import about_disagreement, compared
from kernelviz.session.state import LETTERS

LINE = 1.45  # Height of a line, in units of the type.
READABLE = 0.92  # Of the type, on a screen that can scroll.
COLUMN = 5.2  # Width of a column of numbers, at least, in units of the type.


@dataclass(frozen=True)
class ComparisonSwitches(Declared):
    """What is compared."""

    name: ClassVar[str] = "the comparison"
    face: str = choice(
        "numbers",
        ("numbers", "difference"),
        label="Show",
        help="All numbers side by side, or where in the plane the fits disagree",
    )


@dataclass(frozen=True)
class Line:
    """A number of every fit; which of them are better, where that means anything."""

    name: str
    values: tuple[str, ...]
    better: frozenset[int] = frozenset()


class _Page:
    """Lines of type from the top of a room downwards."""

    def __init__(self, painter: QPainter, style: Style, room: QRectF, size: float) -> None:
        self._painter, self._style, self._room, self._size = painter, style, room, size
        self._y = room.top()

    def write(self, text: str, x: float, width: float, **words: Any) -> None:
        """A text on the present line from, or up to, a place; smaller where it would be too wide."""
        fitting = min(1.0, width / max(text_width(text, self._size, bold=words.get("bold", False)), 1e-9))
        at = QPointF(x, self._y + 1.05 * self._size)
        draw_text(self._painter, self._style, at, text, points=fitting * self._size, **words)

    def go_down(self, lines: float = 1.0, ruled: bool = False) -> None:
        self._y += lines * LINE * self._size
        if ruled:
            self._painter.setPen(pen(self._style.theme.grid, self._style.axis_width))
            self._painter.drawLine(QLineF(self._room.left(), self._y, self._room.right(), self._y))


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparisonPicture(InsightPicture):
    """A table with a column for each fit, or their difference in the plane."""

    title = "Compare"
    switches = ComparisonSwitches

    frames: tuple[Frame, ...]
    fits: tuple[str, ...]  # What they are called.
    lines: tuple[Line, ...]
    sentences: tuple[str, ...]
    difference: Difference | None = None
    face: str = "numbers"

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: ComparisonPicture | None
    ) -> InsightPicture:
        """Of one frame alone there is nothing to compare."""
        return ComparisonMaker(cls, switches).make(frame, verdict, before)

    @property
    def switchable(self) -> Collection[str]:
        return super().switchable if self.difference is not None else ()

    @property
    def _apart(self) -> Difference | None:
        """The difference, where it is what is shown."""
        return self.difference if self.face == "difference" else None

    # The table ------------------------------------------------------------------------------------------
    def _height(self, size: float, width: float) -> float:
        """Of the table in a type of that size."""
        return LINE * size * (len(self.fits) + 1.6 + len(self.lines) + len(self._told(size, width)))

    def _told(self, size: float, width: float) -> list[str]:
        return [line for sentence in self.sentences for line in wrapped(sentence, size, width)]

    def readable_height(self, width: float, style: Style) -> float | None:
        """How high the table has to be for its type to be read; the difference takes what there is."""
        if self._apart is not None:
            return None
        room = padded(QRectF(0.0, 0.0, width, 0.0), style)
        return self._height(READABLE * style.text, room.width()) + 2 * room.top()

    def _draw_table(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        room = padded(rect, style)
        size = style.text * min(1.0, room.height() / self._height(style.text, room.width()))
        widest = max(text_width(value, size, bold=True) for line in self.lines for value in line.values)
        count = len(self.fits)
        column = min(max(COLUMN * size, widest + size), 0.7 * room.width() / count)
        page = _Page(painter, style, room, size)
        for letter, name in zip(LETTERS, self.fits, strict=False):
            page.write(f"{letter}: {name}", room.left(), room.width())
            page.go_down()
        page.go_down(0.3)
        ends = [room.right() - (count - 1 - k) * column for k in range(count)]
        for letter, end in zip(LETTERS, ends, strict=False):
            page.write(letter, end, column, anchor="right", bold=True)
        page.go_down(ruled=True)
        for line in self.lines:
            page.write(line.name, room.left(), room.width() - count * column)
            for k, (value, end) in enumerate(zip(line.values, ends, strict=True)):
                better = k in line.better
                ink = style.theme.accent if better else style.theme.ink
                page.write(value, end, column - 0.5 * size, anchor="right", bold=better, colour=ink)
            page.go_down(ruled=True)
        page.go_down(0.3)
        for sentence in self._told(size, room.width()):
            page.write(sentence, room.left(), room.width(), colour=style.theme.soft_ink)
            page.go_down()

    # What is drawn --------------------------------------------------------------------------------------
    @property
    def ground(self) -> Hashable:
        return self._apart or (self.fits, self.lines, self.sentences)

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        if self._apart is not None:
            self._apart.draw_ground(painter, padded(rect, style), style)
        else:
            self._draw_table(painter, rect, style)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        if self._apart is None:
            return
        room = padded(rect, style)
        self._apart.draw_points(painter, room, style, stamps)
        xy = self._apart.at(room, style)
        for i in self.marks.among(len(xy)):
            encircle(painter, style, xy[i], i == self.marks.hovered)

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        if self._apart is None:
            return ()
        xy = self._apart.at(padded(rect, style), style)
        return nearest_mark(xy, np.arange(len(xy)), at, 5.0)


@dataclass(frozen=True)
class ComparisonMaker(PictureMaker):
    """Makes the picture of the frames it has: of one request, one for each fit."""

    frames: tuple[Frame, ...] = ()
    why_none: str = "There is one fit. A|B in the toolbar adds another to compare it with."

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        if len(self.frames) < 2:
            return NothingToShow(reason=self.why_none)
        asked = getattr(self.switches, "face", "numbers")
        if isinstance(before, ComparisonPicture) and before.frames == self.frames:
            return replace(before, face=asked)
        told = compared([each.model for each in self.frames], [_report(each) for each in self.frames])
        apart = told["disagree"]
        difference = None if apart is None else Difference.of(self.frames, apart)
        return ComparisonPicture(
            frames=self.frames,
            fits=tuple(fit_names([each.request.fits[each.fit] for each in self.frames])),
            lines=_lines(told),
            sentences=_sentences(told),
            difference=difference,
            face=asked,
        )


def _report(frame: Frame) -> dict[str, Any]:
    """What is known of a fit without computing anything."""
    model = frame.model
    return {
        "n": model.problem.n,
        "kernel": str(model.problem.kernel),
        "algorithm": str(model.algorithm),
        "converged": model.converged,
        "message": model.message,
        "summary": {**model.numbers, **(frame.test.summary() if frame.test is not None else {})},
    }


def _lines(told: dict[str, Any]) -> tuple[Line, ...]:
    letters = LETTERS[: len(told["fits"])]
    found = []
    for key, declared in NUMBERS.items():
        values = told["numbers"].get(key)
        if values is None or all(value is None for value in values):
            continue
        better = told["better"].get(key, [])
        marked = frozenset() if len(better) == len(letters) else frozenset(map(letters.index, better))
        duals = told["numbers"]["dual_objective"]
        said = ("–" if v is None else value_told(key, v, d) for v, d in zip(values, duals, strict=True))
        found.append(Line(declared.label, tuple(said), marked))
    return tuple(found)


def _sentences(told: dict[str, Any]) -> tuple[str, ...]:
    """Ties, on how many points they disagree, and what has not converged."""
    ties = [label(key) for key, best in told["better"].items() if len(best) == len(told["fits"])]
    said = [f"A tie: {', '.join(ties)}."] if ties else []
    said += about_disagreement(told)
    said += [f"{fit['name']}: {fit['message']}" for fit in told["fits"] if not fit["converged"]]
    return tuple(said)
