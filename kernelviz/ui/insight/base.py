"""The base of every insight view: it has the latest frame and the shared highlight, and does no work while
hidden."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.nodes import Marks
from kernelviz.session.state import State
from kernelviz.session.view import including
from kernelviz.ui.workbench.throttle import Throttle
from kernelviz.ui.workbench.workbench import Workbench

FAR = 1e100  # The largest coordinate that can be typed.


class InsightView(QWidget):
    """Takes frames while visible and catches up when shown. A subclass implements `take`, for a frame, and
    `point_out`, for another selection or highlight.

    >>> class ScoreView(InsightView):
    ...     name, title = "score", "Score"
    ...
    ...     def take(self, frame):
    ...         self.label.setText("" if frame is None else shown(frame.model.b))
    ...
    ...     def point_out(self):
    ...         pass  # no point is shown here

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
        # The frame and the failure when one was last taken.
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
        """Prepare the view for a frame; None if there is no result."""

    @abstractmethod
    def point_out(self) -> None:
        """Show that other points are highlighted or selected: `marks` has them."""

    def show_place(self, x: float, y: float) -> None:
        """Show numbers of a place of the canvas that the mouse is over; its coordinates are NaN when the
        mouse has left."""

    @property
    def keyed(self) -> QWidget | None:
        """The part with its own keys, while the view is large."""
        return None

    @property
    def waiting(self) -> bool:
        """True while a new frame waits to be shown."""
        return self._soon.isActive()

    @property
    def marks(self) -> Marks:
        """The points selected and highlighted now."""
        bench = self.workbench
        return Marks(bench.session.look.selection, bench.hovered_point, bench.hovered_partner)

    def move_point(self, point: int, coordinate: int, value: object, gesture: object = None) -> None:
        """Move a training point to a typed coordinate, as a step of undo, and bring it into sight.

        BadInput unless the value is a finite number. A coordinate that the point already has is no step."""
        session = self.workbench.session
        data, workspace = session.document.data, session.document.workspace
        if not isinstance(value, int | float) or not abs(value) <= FAR:
            name = workspace.typable(data)[coordinate]
            raise BadInput(f"{name} must be a finite number, not {value!r}.")
        values = workspace.values(data)[point].copy()
        if values[coordinate] != value:
            values[coordinate] = value
            moved = workspace.typed(data, point, values)
            session.change("move point", gesture=gesture, data=moved, source="")
            place = workspace.positions(moved)[point].tolist()
            session.adjust(view=including(session.look.view, *place))

    def catch_up(self) -> None:
        """Take the latest frame if it has not been taken yet."""
        self._soon.stop()
        latest = self.workbench.frame, self.workbench.failure
        if latest != self._seen or self.taken is not self.workbench.frame:
            self._seen, self.taken = latest, self.workbench.frame
            self.take(self.taken)

    def glance(self) -> None:
        """Show the highlighted point, now or, while the canvas draws or waits for a frame, a moment later.

        Qt would paint a view marked in the same pass before the canvas."""
        if self.workbench.up_to_date and self.taken is self.workbench.frame:
            self._glance.now()
        else:
            self._glance.ask()

    def _on_frame(self, frame: Frame) -> None:
        if self.isVisible():
            self._soon.ask()

    def _on_failure(self, failure: Failure) -> None:
        """Show without delay that the last result no longer applies."""
        if self.isVisible() and self.taken is not None:  # the picture is out of date
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
        """Catch up with the frames that arrived while the view was hidden."""
        seen = self._seen
        self.catch_up()
        if self._seen is seen:  # no new frame, but other points may have been selected
            self.point_out()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._soon.stop()
        self._glance.stop()
        super().hideEvent(event)
