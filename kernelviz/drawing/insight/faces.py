"""A view with several faces, one of which is seen at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.theme import Theme
from kernelviz.runtime.messages import Frame, Verdict


@dataclass(frozen=True, eq=False, kw_only=True)
class FacesPicture(InsightPicture):
    """Shows the picture its switch called `face` names. The switches are those of all faces together."""

    shown: InsightPicture

    @classmethod
    @abstractmethod
    def faces(cls) -> Mapping[str, type[InsightPicture]]:
        """By the options of the switch."""

    @classmethod
    def of(cls, frame: Frame, verdict: Verdict | None, switches: Any, before: Self | None) -> InsightPicture:
        kind = cls.faces()[switches.face]
        last = before.shown if before is not None and isinstance(before.shown, kind) else None
        shown = kind.of(frame, verdict, switches, last)
        return cls(shown=shown, remark=shown.remark)

    @property
    def face(self) -> InsightPicture:
        """What is seen, with what is marked."""
        return self.shown.marked(self.marks)

    def prepare(self, theme: Theme) -> None:
        self.shown.prepare(theme)

    def on_paper(self) -> Self:
        return replace(self, shown=self.shown.on_paper())

    @property
    def switchable(self) -> Collection[str]:
        own: Collection[str] = () if isinstance(self.shown, NothingToShow) else self.shown.switchable
        return ("face", *own)

    @property
    def ground(self) -> Hashable:
        return type(self.shown), self.shown.ground

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        self.shown.draw_ground(painter, rect, style)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        self.face.draw_data(painter, rect, style, stamps)

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        return self.shown.points_at(at, rect, style)
