"""Scenes where the old pictures are expected: as panels of a figure. It goes with the last old picture."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.stamps import Stamps
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import InsightPicture, PictureMaker
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.scene.painter import Layout
from kernelviz.scene.view import Memory, Now, Scene, View, message

if TYPE_CHECKING:  # exports are imported when they are used, not at the start
    from kernelviz.drawing.export.composition import Composition


@dataclass(frozen=True, eq=False, kw_only=True)
class ScenePicture(InsightPicture):
    """A scene as a picture for paper."""

    scene: Scene

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        Layout(self.scene.root, rect, style).paint_ground(painter)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        Layout(self.scene.root, rect, style).paint_data(painter, stamps)

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        Layout(self.scene.root, rect, style).paint(painter)


@dataclass(frozen=True)
class SceneMaker(PictureMaker):
    """Makes the pictures of a view with its switches as they are set."""

    kind: Any  # The view's class, for its title.
    switches: View
    now: Now = field(default_factory=Now)

    @classmethod
    def of(cls, kind: Any) -> Self:
        return cls(kind, kind())

    def picture(self, shown: Composition) -> ScenePicture:
        with_answers = replace(self, now=replace(self.now, answers=shown.answers))
        if shown.frame is None:
            return with_answers.without_fit(shown.failure)
        return with_answers.make(shown.frame, shown.verdict)

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> ScenePicture:
        if self.kind.computes and self.now.document is None:
            reason = f"“{self.kind.title}” is only computed while it is open. Open it first."
            return ScenePicture(scene=message(reason))
        if frame is None:
            return self.without_fit(None)
        now = replace(self.now, verdict=verdict, on_paper=True)
        return ScenePicture(scene=self.switches.scene(frame, now, Memory()))

    def without_fit(self, failure: Failure | None, before: InsightPicture | None = None) -> ScenePicture:
        now = replace(self.now, on_paper=True)
        return ScenePicture(scene=self.switches.without_fit(failure, now, Memory()))
