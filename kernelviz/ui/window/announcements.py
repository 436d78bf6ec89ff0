"""Announcements of a screen reader: a selected point, and how a fit has ended."""

from __future__ import annotations

from PySide6 import QtGui
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from kernelviz.runtime.messages import Failure, Frame
from kernelviz.session.state import State
from kernelviz.ui.insight.inspector import point_in_words
from kernelviz.ui.window.status_line import figures
from kernelviz.ui.workbench.workbench import Workbench

# Since Qt 6.8; an older one says nothing.
AnnouncementEvent = getattr(QtGui, "QAccessibleAnnouncementEvent", None)


class Announcements(QObject):
    """Announces changes since the last time, once the user has paused: the selected point, the errors of the
    fit, or why there is none."""

    def __init__(self, window: QWidget, workbench: Workbench, rest: int = 700) -> None:
        """rest: milliseconds without a change before an announcement."""
        super().__init__(window)
        self._window, self._workbench = window, workbench
        self._last_point = self._last_fit = ""
        self._rest = QTimer(self, singleShot=True, interval=rest)
        self._rest.timeout.connect(self._announce)
        workbench.state_changed.connect(self._on_state)
        workbench.frame_arrived.connect(self._on_answer)
        workbench.failed.connect(self._on_answer)

    def _on_state(self, old: State, new: State) -> None:
        if old.look.selection != new.look.selection:
            self._rest.start()

    def _on_answer(self, _: Frame | Failure) -> None:
        self._rest.start()

    def _announce(self) -> None:
        """Announce the changes."""
        if AnnouncementEvent is None or not QAccessible.isActive():
            return
        point, fit = self._point(), self._fit()
        said = [new for new, last in ((point, self._last_point), (fit, self._last_fit)) if new != last]
        self._last_point, self._last_fit = point, fit
        if any(said):
            QAccessible.updateAccessibility(AnnouncementEvent(self._window, ". ".join(filter(None, said))))

    def _point(self) -> str:
        """Describe the selected point, if it is the only one."""
        bench = self._workbench
        selected = bench.session.look.selection
        data = bench.session.document.data
        fresh = bench.frame if bench.frame is not None and bench.frame.data is data else None
        if len(selected) > 1:
            return f"{len(selected)} points selected"
        return ". ".join(filter(None, point_in_words(data, fresh, selected[0]))) if selected else ""

    def _fit(self) -> str:
        """Return the errors of the fit, how it ended if not well, or why there is none."""
        frame, failure = self._workbench.frame, self._workbench.failure
        if frame is None:
            return "" if failure is None else failure.sentence
        numbers = figures(frame)
        parts = [numbers[name] for name in ("none", "training", "held out") if name in numbers]
        return ", ".join([*parts, *([] if frame.model.converged else [str(frame.model.status)])])
