"""What every insight view has: the latest frame, the shared highlight, and no work while it is hidden."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, ClassVar

from PySide6.QtCore import QPointF, QSignalBlocker, Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.drawing.insight.picture import InsightPicture, Marks, PictureMaker
from kernelviz.engine.core.params import CHOICE, FLAG, Parameter
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.session.state import State
from kernelviz.ui.insight.sheet import Sheet
from kernelviz.ui.widgets.buttons import CheckBox, Combo
from kernelviz.ui.widgets.controls import Control
from kernelviz.ui.widgets.form import control_for
from kernelviz.ui.widgets.labels import Label, plain
from kernelviz.ui.widgets.layouts import Flow
from kernelviz.ui.workbench.throttle import Throttle
from kernelviz.ui.workbench.workbench import Workbench


class InsightView(QWidget):
    """Takes frames while visible and catches up when shown. Subclasses say what to do with a frame.

    The canvas goes first: a frame is taken once the canvas has drawn it, and not more often than the eye
    reads numbers and curves."""

    name: ClassVar[str]
    title: ClassVar[str]
    scrolls: ClassVar[bool] = False  # Whether it may be taller than its place.
    pause: ClassVar[int] = 80  # Milliseconds between two frames taken.

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.workbench = workbench
        self.taken: Frame | None = None
        # What there was when a frame, or none, was last taken.
        self._seen: tuple[Frame | None, Failure | None] = (None, None)
        self._soon = Throttle(self, self.pause, self.catch_up)
        self._glance = Throttle(self, 0, self.point_out)
        workbench.frame_arrived.connect(self._on_frame)
        workbench.failed.connect(self._on_failure)
        workbench.workspace_left.connect(self._on_left_behind)
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
    def keyed(self) -> QWidget | None:
        """What of it has keys of its own, for as long as it is large."""
        return None

    @property
    def marks(self) -> Marks:
        """What is selected and pointed at now."""
        bench = self.workbench
        return Marks(bench.session.look.selection, bench.hovered_point, bench.hovered_partner)

    def catch_up(self) -> None:
        """Take the latest frame if it has not been taken yet."""
        self._soon.stop()
        latest = self.workbench.frame, self.workbench.failure
        if latest != self._seen or self.taken is not self.workbench.frame:
            self._seen, self.taken = latest, self.workbench.frame
            self.take(self.taken)

    def glance(self) -> None:
        """Show what is pointed at: at once, or a moment later while the canvas has a frame to draw or to wait
        for. Qt would paint a view marked in the same pass before the canvas."""
        if self.workbench.up_to_date and self.taken is self.workbench.frame:
            self._glance.now()
        else:
            self._glance.ask()

    def _on_frame(self, frame: Frame) -> None:
        if self.isVisible():
            self._soon.ask()

    def _on_failure(self, failure: Failure) -> None:
        if self.isVisible() and self.taken is not None:  # what is seen is no longer true
            self.catch_up()
        elif self.isVisible():
            self._soon.ask()

    def _on_left_behind(self) -> None:
        if self.isVisible():
            self.catch_up()

    def _on_hover(self, point: int | None) -> None:
        if self.isVisible():
            self.glance()

    def _on_state(self, old: State, new: State) -> None:
        if self.isVisible() and old.look.selection != new.look.selection:
            self.point_out()

    def showEvent(self, event: QShowEvent) -> None:
        seen = self._seen
        self.catch_up()
        if self._seen is seen:  # no new frame, but other points may have been selected
            self.point_out()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._soon.stop()
        self._glance.stop()
        super().hideEvent(event)


class PictureView(InsightView):
    """A view that is one picture, below the switches its kind declares. Subclasses name the kind."""

    kind: ClassVar[type[InsightPicture]]
    made_by: ClassVar[type[PictureMaker]] = PictureMaker
    # What makes the picture for a figure as long as the view has not been opened, if something else does.
    unopened: ClassVar[type[PictureMaker] | None] = None
    sheet_kind: ClassVar[type[Sheet]] = Sheet

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" in vars(cls):
            cls.title = cls.kind.title

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.maker = self.made_by.of(self.kind)
        self.sheet = self.sheet_kind()
        self.sheet.pointed.connect(self.on_pointed)
        self.sheet.clicked.connect(self.on_clicked)
        self.remark = Label()
        self.remark.setProperty("role", "muted")
        self._judged: Verdict | None = None
        self._last_of_kind: InsightPicture | None = None
        workbench.verdict_arrived.connect(self._on_verdict)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        declared = self.kind.switches.parameters()
        self.boxes = {p.name: self._box(p) for p in declared if p.kind is FLAG}
        self.lists = {p.name: self._list(p) for p in declared if p.kind is CHOICE}
        self.numbers = {p.name: self._number(p) for p in declared if p.is_number}
        self._labels: dict[str, QWidget] = {p.name: _label(p) for p in declared if p.kind is CHOICE}
        self._choosers = self.choosers()
        self._bar = self._switch_bar()
        column.addWidget(self._bar)
        self._bar.setVisible(self._has_switches)  # not before: it would be a window
        column.addWidget(self.sheet, 1)

    def _box(self, switch: Parameter) -> CheckBox:
        box = CheckBox(switch.label)
        box.setChecked(switch.default)
        box.setToolTip(switch.help)
        box.toggled.connect(lambda on: self._switch(switch.name, on))
        return box

    def _list(self, switch: Parameter) -> Combo:
        chooser = Combo()
        chooser.addItems(switch.options)
        chooser.setCurrentText(switch.default)
        chooser.setMinimumContentsLength(min(8, max(map(len, switch.options))))
        chooser.setAccessibleName(switch.label)
        chooser.setToolTip(switch.help)
        chooser.currentTextChanged.connect(lambda option: self._switch(switch.name, option))
        return chooser

    def _number(self, switch: Parameter) -> Control:
        control = control_for(switch, self.kind.title)
        control.edited.connect(lambda value, _gesture: self._switch(switch.name, value))
        return control

    @property
    def _has_switches(self) -> bool:
        return bool(self._choosers or self.boxes or self.lists or self.numbers)

    def _switch_bar(self) -> QWidget:
        """The switches on the left, the remark on the right; numbers, which need room, below."""
        bar = QWidget()
        column = QVBoxLayout(bar)
        column.setContentsMargins(8, 4, 8, 0)
        column.setSpacing(2)
        row, switches, numbers = QHBoxLayout(), Flow(spacing=12), Flow(spacing=12)
        column.addLayout(row)
        column.addLayout(numbers)
        for widget in self._choosers:
            switches.addWidget(widget)
        for name, chooser in self.lists.items():
            switches.addWidget(_beside(self._labels[name], chooser))
        for box in self.boxes.values():
            switches.addWidget(box)
        row.addLayout(switches, 1)
        row.addWidget(self.remark)
        self.remark.hide()
        for name, control in self.numbers.items():
            self._labels[name] = control.label
            numbers.addWidget(_beside(control.label, control))
        return bar

    def choosers(self) -> Sequence[QWidget]:
        """What else there is to choose, before the switches."""
        return ()

    @property
    def picture(self) -> InsightPicture:
        """What is shown."""
        return self.sheet.picture

    def maker_now(self) -> PictureMaker:
        """What makes the picture of the present frame, also while nobody looks."""
        return self.maker

    def _switch(self, name: str, value: Any) -> None:
        self.maker = self.maker.switched(name, value)
        self.take(self.taken)

    def take(self, frame: Frame | None) -> None:
        self._judged = self.workbench.verdict
        maker, last = self.maker, self._last_of_kind
        if frame is None:
            self.show_made(maker.without_fit(self.workbench.failure, last))
        else:
            self.show_made(maker.make(frame, self._judged, last))

    def show_made(self, picture: InsightPicture) -> None:
        """Show a picture, with the switches that mean something in it."""
        if isinstance(picture, self.kind):
            self._last_of_kind = picture
            parts: tuple[Mapping[str, QWidget], ...] = (self.boxes, self.lists, self.numbers, self._labels)
            for part in parts:
                for name, switch in part.items():
                    switch.setVisible(name in picture.switchable)
            for name, (seen, options) in picture.options.items():
                wanted = self.maker.switches.values()[name]
                _offer(self.lists[name], wanted if wanted in options else seen, options)
        self.sheet.show_picture(picture.marked(self.marks))
        self.remark.setText(picture.remark.words)
        self.remark.setVisible(bool(picture.remark.words))
        self.remark.setToolTip(plain(picture.remark.meaning))
        self._bar.setVisible(self._has_switches or bool(picture.remark.words))
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Where one can scroll: so much height that the type can be read."""
        if self.scrolls:
            sheet = self.sheet
            needed = self.picture.readable_height(sheet.room.width(), sheet.style_of_picture)
            least = sheet.minimumSizeHint().height()
            sheet.setMinimumHeight(least if needed is None else ceil(needed / POINTS_PER_PIXEL))

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


def _beside(label: QWidget, chooser: QWidget) -> QWidget:
    """Both together, so that they stay in one row."""
    part = QWidget()
    row = QHBoxLayout(part)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(label)
    row.addWidget(chooser)
    return part


def _offer(chooser: Combo, chosen: str, options: Sequence[str]) -> None:
    """Have these options in a list, and one of them shown, which is no choice of the user's."""
    with QSignalBlocker(chooser):
        if [chooser.itemText(k) for k in range(chooser.count())] != list(options):
            chooser.clear()
            chooser.addItems(options)
        chooser.setCurrentText(chosen)


def _label(switch: Parameter) -> Label:
    label = Label(switch.label)
    label.setToolTip(switch.help)
    return label
