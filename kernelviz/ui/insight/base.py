"""What every insight view has: the latest frame, the shared highlight, and no work while it is hidden."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from kernelviz.drawing.insight.picture import InsightPicture, Marks, PictureMaker
from kernelviz.engine.params import Parameter
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.session.state import State
from kernelviz.ui.controls.keys import CheckBox
from kernelviz.ui.insight.sheet import Sheet
from kernelviz.ui.workbench.pace import Pace
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["FAMILIES", "InsightView", "PictureView"]

FAMILIES = ("Point", "Fit", "Geometry", "Generalise")
"""What a view is about, in the order of the picker."""


class InsightView(QWidget):
    """Takes frames while visible and catches up when shown. Subclasses say what to do with a frame.

    The canvas goes first: a frame is taken once the canvas has drawn it, and not more often than the eye
    reads numbers and curves."""

    name: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    place: ClassVar[int]
    summary_line: ClassVar[str]
    scrolls: ClassVar[bool] = False
    """Whether it may be taller than its place."""
    pause: ClassVar[int] = 80
    """Milliseconds between two frames taken."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "family" in vars(cls):
            cls.place = FAMILIES.index(cls.family)

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.workbench = workbench
        self.taken: Frame | None = None
        self._soon = Pace(self, self.pause, self.catch_up)
        self._glance = Pace(self, 0, self.point_out)
        workbench.frame_arrived.connect(self._on_frame)
        workbench.failed.connect(self._on_failure)
        workbench.hovered.connect(self._on_hover)
        workbench.state_changed.connect(self._on_state)

    @abstractmethod
    def take(self, frame: Frame | None) -> None:
        """Prepare what is shown from a frame (None: there is no result)."""

    @abstractmethod
    def point_out(self) -> None:
        """The highlighted or selected points have changed."""

    def show_place(self, x: float, y: float) -> None:
        """The mouse is over a place of the canvas; not a number when it has left."""

    @property
    def marks(self) -> Marks:
        """What is selected and pointed at now."""
        bench = self.workbench
        return Marks(bench.session.look.selection, bench.hovered_point, bench.hovered_partner)

    def catch_up(self) -> None:
        """Take the latest frame if it has not been taken yet."""
        self._soon.stop()
        if self.taken is not self.workbench.frame:
            self.taken = self.workbench.frame
            self.take(self.taken)

    def glance(self) -> None:
        """Show what is pointed at: at once, or when the canvas has drawn the frame it is waiting for."""
        if self.workbench.up_to_date:
            self._glance.now()
        else:
            self._glance.ask()

    def _on_frame(self, frame: Frame) -> None:
        if self.isVisible():
            self._soon.ask()

    def _on_failure(self, failure: Failure) -> None:
        if self.isVisible():
            self.catch_up()

    def _on_hover(self, point: int | None) -> None:
        if self.isVisible():
            self.glance()

    def _on_state(self, old: State, new: State) -> None:
        if self.isVisible() and old.look.selection != new.look.selection:
            self.point_out()

    def showEvent(self, event: QShowEvent) -> None:
        self.catch_up()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._soon.stop()
        self._glance.stop()
        super().hideEvent(event)


class PictureView(InsightView):
    """A view that is one picture, below the switches its kind declares. Subclasses name the kind."""

    kind: ClassVar[type[InsightPicture]]
    made_by: ClassVar[type[PictureMaker]] = PictureMaker

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.title = cls.kind.title

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.maker = self.made_by.of(self.kind)
        self.sheet = Sheet()
        self.sheet.pointed.connect(self.on_pointed)
        self.sheet.clicked.connect(self.on_clicked)
        self.remark = QLabel()
        self.remark.setProperty("role", "muted")
        self._judged: Verdict | None = None
        self._last_of_kind: InsightPicture | None = None
        workbench.verdict_arrived.connect(self._on_verdict)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.boxes = {p.name: self._box(p) for p in self.kind.switches.parameters()}
        self._choosers = self.choosers()
        self._bar = self._switch_bar()
        column.addWidget(self._bar)
        self._bar.setVisible(bool(self._choosers or self.boxes))  # not before: it would be a window
        column.addWidget(self.sheet, 1)

    def _box(self, switch: Parameter) -> CheckBox:
        box = CheckBox(switch.label)
        box.setChecked(switch.default)
        box.setToolTip(switch.help)
        box.toggled.connect(lambda on: self._switch(switch.name, on))
        return box

    def _switch_bar(self) -> QWidget:
        """The switches on the left, the remark on the right."""
        bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(8, 4, 8, 0)
        row.setSpacing(14)
        for widget in self._choosers:
            row.addWidget(widget)
        for box in self.boxes.values():
            row.addWidget(box)
        row.addStretch(1)
        row.addWidget(self.remark)
        return bar

    def choosers(self) -> Sequence[QWidget]:
        """What else there is to choose, before the switches."""
        return ()

    @property
    def picture(self) -> InsightPicture:
        """What is shown."""
        return self.sheet.picture

    def _switch(self, name: str, on: bool) -> None:
        self.maker = self.maker.switched(name, on)
        self.take(self.taken)

    def take(self, frame: Frame | None) -> None:
        self._judged = self.workbench.verdict
        picture = self.maker.make(frame, self._judged, self._last_of_kind)
        if isinstance(picture, self.kind):
            self._last_of_kind = picture
            for name, box in self.boxes.items():
                box.setVisible(name in picture.switchable)
        self.sheet.show_picture(picture.marked(self.marks))
        self.remark.setText(picture.remark.words)
        self.remark.setToolTip(picture.remark.meaning)
        self._bar.setVisible(bool(self._choosers or self.boxes or picture.remark.words))

    def catch_up(self) -> None:
        super().catch_up()
        if self._judged is not self.workbench.verdict:
            self.take(self.taken)

    def _on_verdict(self, verdict: Verdict) -> None:
        if self.isVisible():
            self._soon.ask()

    def point_out(self) -> None:
        self.sheet.show_picture(self.picture.marked(self.marks))

    def points_at(self, at: QPointF) -> tuple[int, ...]:
        """The training points drawn at a place of the sheet."""
        return self.picture.points_at(at, self.sheet.room, self.sheet.style_of_picture)

    def on_pointed(self, at: QPointF | None) -> None:
        points = () if at is None else self.points_at(at)
        self.workbench.hover(*(points or (None,)))

    def on_clicked(self, at: QPointF) -> None:
        points = self.points_at(at)
        if points:
            self.workbench.session.adjust(selection=points[:1])
