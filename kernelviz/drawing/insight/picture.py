"""What the picture of every insight view is: frozen, computed from a frame, painted on any thread."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.stamps import Stamps
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.plot import draw_message
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import Remark as Remark
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.params import Declared
from kernelviz.runtime.messages import Failure, Frame, Verdict

REACH = 9.0  # Points around a mark within which the mouse means it.
NOT_YET = "There is no result to show yet."
PADDING = 0.5  # Around a picture, relative to the type size.


@dataclass(frozen=True)
class Marks:
    """What is pointed at in any view: the selected points, the hovered one, and the other of a pair."""

    selected: tuple[int, ...] = ()
    hovered: int | None = None
    partner: int | None = None

    def among(self, n: int) -> tuple[int, ...]:
        """Those of the first n points: the hovered one is drawn last."""
        chosen = (*self.selected, *(() if self.hovered is None else (self.hovered,)))
        return tuple(i for i in chosen if i < n)


@dataclass(frozen=True, eq=False, kw_only=True)
class InsightPicture(ABC):
    """What an insight view shows. A subclass is a frozen dataclass of numbers, made by its `of`.

    The ground (axes, curves that stay) is painted apart from the data: on screen it is kept while frames
    come and go. Every rectangle is in points, and the whole of the picture's place."""

    title: ClassVar[str] = ""
    # What a user can set: a flag becomes a box to tick, a choice a list, a number a slider.
    switches: ClassVar[type[Declared]] = Declared

    marks: Marks = Marks()
    remark: Remark = field(default_factory=Remark)

    @classmethod
    def of(cls, frame: Frame, verdict: Verdict | None, switches: Any, before: Self | None) -> InsightPicture:
        """The picture of a frame, or `NothingToShow` with the reason.

        `switches` are of the class named so; `before` is the last picture of the kind: axes that still fit
        hold still, and what is still true need not be computed again."""
        raise NotImplementedError

    @property
    def switchable(self) -> Collection[str]:
        """The switches that mean something here: all of them, as a rule."""
        return [parameter.name for parameter in self.switches.parameters()]

    @property
    def options(self) -> Mapping[str, tuple[str, Sequence[str]]]:
        """Of choices with options that mean nothing here: what is shown, and those that do."""
        return {}

    @property
    def ground(self) -> Hashable:
        """Equal for pictures of one kind whose ground looks the same."""
        return None

    @abstractmethod
    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Draw what stays the same over many frames."""

    @abstractmethod
    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        """Draw this frame and what is marked; with `stamps`, on screen, speed matters more than precision."""

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        """The training points drawn at a place: none, one, or the two of a pair."""
        return ()

    def readable_height(self, width: float, style: Style) -> float | None:
        """How high a picture of that width has to be to be read, in points; None for what takes any place."""
        return None

    def marked(self, marks: Marks) -> Self:
        """The same picture with other points marked."""
        return replace(self, marks=marks)

    def paint_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """The paper, and what stays on it."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not style.transparent:
            painter.fillRect(rect, style.theme.paper)
        self.draw_ground(painter, rect, style)

    def paint_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None = None) -> None:
        """The rest."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw_data(painter, rect, style, stamps)

    def prepare(self, theme: Theme) -> None:  # noqa: B027 - most have nothing to prepare
        """Compute what painting would have to wait for, on any thread."""

    def on_paper(self) -> Self:
        """The same picture without what only a screen is good for, such as where to point at."""
        return self

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Draw everything into a rectangle of points, as on paper."""
        printed = self.on_paper()
        printed.paint_ground(painter, rect, style)
        printed.paint_data(painter, rect, style)


@dataclass(frozen=True, eq=False, kw_only=True)
class NothingToShow(InsightPicture):
    """A sentence that says why."""

    reason: str = NOT_YET

    @property
    def ground(self) -> Hashable:
        return self.reason

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        draw_message(painter, style, rect, self.reason)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        pass


@dataclass(frozen=True)
class PictureMaker:
    """A kind of picture with its switches as they are set: makes the picture of any frame, on any thread."""

    kind: type[InsightPicture]
    switches: Declared

    @classmethod
    def of(cls, kind: type[InsightPicture]) -> Self:
        """With all switches as declared."""
        return cls(kind, kind.switches())

    def switched(self, name: str, value: Any) -> Self:
        """With one switch set."""
        return replace(self, switches=self.switches.replace(**{name: value}))

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        """The picture of a frame; what comes `before` is heeded if it is of the same kind."""
        if frame is None:
            return NothingToShow()
        return self.kind.of(frame, verdict, self.switches, before if isinstance(before, self.kind) else None)

    def without_fit(self, failure: Failure | None, before: InsightPicture | None = None) -> InsightPicture:
        """What can be seen although there is no fit: as a rule nothing but the reason for that."""
        picture = self.make(None)
        if failure is None or not isinstance(picture, NothingToShow) or picture.reason != NOT_YET:
            return picture
        return NothingToShow(reason=failure.sentence)

    def picture(self, shown: Any) -> InsightPicture:
        """The picture of what a figure shows, for its panels."""
        if shown.frame is None:
            return self.without_fit(shown.failure)
        return self.make(shown.frame, shown.verdict)


@dataclass(frozen=True)
class NotOpened(PictureMaker):
    """In place of the maker of a view that computes only while it is seen, and has not been."""

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        return NothingToShow(reason=f"“{self.kind.title}” is only computed while it is open. Open it first.")


def padded(rect: QRectF, style: Style) -> QRectF:
    """The place of a picture without its edge."""
    margin = PADDING * style.text
    return rect.adjusted(margin, margin, -margin, -margin)


def nearest_mark(xy: Array, indices: Indices, at: QPointF, reach: float = REACH) -> tuple[int, ...]:
    """The index of the mark nearest to a place, if one is near."""
    if len(xy) == 0:
        return ()
    d2 = ((xy - (at.x(), at.y())) ** 2).sum(axis=1)
    k = int(np.argmin(d2))
    return (int(indices[k]),) if d2[k] <= reach**2 else ()
