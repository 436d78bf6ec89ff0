"""Records the user's actions in the window as a lesson."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from kernelviz.session.lessons.writing import Recording
from kernelviz.session.state import State
from kernelviz.ui.lessons.player import OpenNow, present_state
from kernelviz.ui.workbench.workbench import Workbench

REST = 300  # Milliseconds without a change after which an edit is complete.


class LessonRecorder(QObject):
    """Follows the session from edit to edit; a drag is a single edit, from its first place to its last."""

    def __init__(self, workbench: Workbench, views: OpenNow, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench, self._views = workbench, views
        self._recording = Recording(present_state(workbench, views()))
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._follow)
        workbench.state_changed.connect(self._on_state)
        for answered in (workbench.frame_arrived, workbench.failed):
            answered.connect(self.look_again)

    def _on_state(self, old: State, new: State) -> None:
        before, after = old.look, new.look
        if old.document is not new.document or any(
            getattr(before, part) != getattr(after, part) for part in ("mode", "step", "shown")
        ):
            self._rest.start()

    def look_again(self) -> None:
        """Compare soon: a view was opened or closed, or another step of a run is shown."""
        self._rest.start()

    def _follow(self) -> None:
        if self._workbench.up_to_date:  # otherwise the frame that arrives starts the timer again
            self._recording.follow(present_state(self._workbench, self._views()))

    def finished(self) -> str:
        """Return the lesson with everything that was done until now; BadInput if it cannot be written."""
        self._rest.stop()
        self._recording.follow(present_state(self._workbench, self._views()))
        return self._recording.lesson()
