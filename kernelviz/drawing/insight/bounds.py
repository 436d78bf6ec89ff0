"""Every number of the fit and the three error bounds, in a table."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width, wrapped
from kernelviz.drawing.insight.number_rows import NO_BOUNDS, Row, bound_rows, number_rows
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, padded
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.engine.core.params import Declared, real
from kernelviz.runtime.messages import Frame, Verdict

LINE = 1.45
"""Height of a line, in units of the type."""
SMALLER = 0.9
"""Type of the notes, in units of the table's."""
SIZES = (1.6, 1.45, 1.3, 1.15, 1.0, 0.92, 0.85, 0.78, 0.71, 0.64, 0.57, 0.5)
"""Of the type, the largest that fits."""
READABLE = 0.92
"""The least of them on a screen that can scroll."""
ABREAST = 42.0
"""Width, in units of the type, from which the bounds are beside the numbers."""
FOOT = 2
"""Lines below the table, for a formula."""


@dataclass(frozen=True)
class BoundsSwitches(Declared):
    """What the bounds are asked with."""

    name: ClassVar[str] = "the bounds"
    delta: float = real(
        0.05, low=1e-9, high=0.5, soft=(1e-4, 0.5), scale="log", label="δ",
        help="The bounds hold with probability 1 − δ over the choice of the points",
    )  # fmt: skip
    reference: float = real(
        1.0, low=1e-3, high=1e3, soft=(0.05, 20.0), scale="log", label="γ₀/best",
        help="From which margin γ₀ the slacks count, in units of that for which their ratio is smallest",
    )  # fmt: skip


@dataclass(frozen=True)
class _Place:
    """Where a row is, and the lines of its note."""

    row: Row
    rect: QRectF
    note: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class BoundsPicture(InsightPicture):
    """Two blocks of rows; the formula of the row pointed at is written below."""

    title = "Bounds and numbers"
    switches = BoundsSwitches

    numbers: tuple[Row, ...]
    bounds: tuple[Row, ...]
    pointed: str = ""
    """The name of the row whose formula is shown."""
    largest: float = SIZES[0]
    """Of the type, where there is much room."""
    hint: str = "Point at a number to see its formula."
    """Where there is no formula."""

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: BoundsPicture | None
    ) -> InsightPicture:
        judged = verdict if verdict is not None and verdict.request.data is frame.data else None
        numbers = number_rows(frame, judged)
        if not numbers:
            return NothingToShow(reason="No numbers are available for this fit.")
        pointed = "" if before is None else before.pointed
        bounds = bound_rows(frame.model, switches.delta, switches.reference)
        return cls(numbers=numbers, bounds=bounds, pointed=pointed)

    @property
    def switchable(self) -> Collection[str]:
        apply = any(row.name != NO_BOUNDS for row in self.bounds)
        return super().switchable if apply else ()

    @property
    def ground(self) -> Hashable:
        return self.numbers, self.bounds

    def row_at(self, at: QPointF, rect: QRectF, style: Style) -> str:
        """The name of the row at a place; empty where there is none."""
        places, _ = self._places(rect, style)
        return next((place.row.name for place in places if place.rect.contains(at)), "")

    def on_paper(self) -> BoundsPicture:
        return replace(self, hint="", largest=1.0)

    def with_pointed(self, name: str) -> BoundsPicture:
        return replace(self, pointed=name)

    @property
    def formula(self) -> str:
        """Of the row pointed at; nothing without one."""
        found = (row for row in (*self.numbers, *self.bounds) if row.name == self.pointed)
        row = next(found, None)
        return "" if row is None else f"{row.name}: {row.formula}"

    def readable_height(self, width: float, style: Style) -> float:
        """How high a picture of that width is whose type can be read, in points."""
        room, size = padded(QRectF(0.0, 0.0, width, 0.0), style), READABLE * style.text
        bottom = max(place.rect.bottom() for place in self._stacked(room, size))
        return bottom + FOOT * LINE * style.text + room.top()

    # Where everything is --------------------------------------------------------------------------------
    def _places(self, rect: QRectF, style: Style) -> tuple[list[_Place], float]:
        """The rows with the size of their type, the largest at which they fit."""
        room = padded(rect, style)
        room.setBottom(room.bottom() - FOOT * LINE * style.text)
        for share in (share for share in SIZES if share <= self.largest):
            size = share * style.text
            places = self._stacked(room, size)
            if max(place.rect.bottom() for place in places) <= room.bottom():
                break
        return places, size

    def _stacked(self, room: QRectF, size: float) -> list[_Place]:
        """The numbers from the top, the bounds beside or below them."""
        abreast = bool(self.bounds) and room.width() > ABREAST * size
        width = (room.width() - 2 * size) / 2 if abreast else room.width()
        places: list[_Place] = []
        x, y = room.left(), room.top()
        for k, row in enumerate((*self.numbers, *self.bounds)):
            if k == len(self.numbers):
                x, y = (room.right() - width, room.top()) if abreast else (x, y + 0.5 * size)
            note = tuple(wrapped(row.note, SMALLER * size, width - size)) if row.note else ()
            height = LINE * (1 + SMALLER * len(note)) * size
            places.append(_Place(row, QRectF(x, y, width, height), note))
            y += height
        return places

    # Painting -------------------------------------------------------------------------------------------
    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        places, size = self._places(rect, style)
        soft = style.theme.soft_ink
        for place in places:
            box = place.rect
            baseline = box.top() + 1.05 * size
            value = text_width(place.row.value, size, bold=True)
            fitting = min(1.0, (box.width() - value - size) / text_width(place.row.name, size))
            left = QPointF(box.left() + 0.3 * size, baseline)
            draw_text(painter, style, left, place.row.name, points=max(0.5, fitting) * size)
            right = QPointF(box.right() - 0.3 * size, baseline)
            draw_text(painter, style, right, place.row.value, points=size, anchor="right", bold=True)
            for k, line in enumerate(place.note):
                at = QPointF(box.left() + size, baseline + (k + 1) * SMALLER * LINE * size)
                draw_text(painter, style, at, line, points=SMALLER * size, colour=soft)
        painter.setPen(pen(style.theme.grid, style.axis_width))
        painter.drawLines([QLineF(place.rect.bottomLeft(), place.rect.bottomRight()) for place in places])

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        room, text = padded(rect, style), style.text
        for place in self._places(rect, style)[0]:
            if place.row.name == self.pointed:
                tint = QColor(style.theme.highlight)
                tint.setAlphaF(0.18)
                painter.fillRect(place.rect, tint)
        below = self.formula or self.hint
        lines = wrapped(below, text, room.width())
        size = text if len(lines) <= FOOT else text * FOOT / len(lines)
        for k, line in enumerate(wrapped(below, size, room.width())[:FOOT]):
            at = QPointF(room.left(), room.bottom() - (FOOT - 1 - k) * LINE * size - 0.3 * text)
            draw_text(painter, style, at, line, points=size, colour=style.theme.soft_ink)
