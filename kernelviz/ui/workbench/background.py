"""Long work with its answers on the window's thread."""

from __future__ import annotations

import contextlib
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from kernelviz.runtime.jobs import Job, Jobs, News, Told, Work


class Background(QObject):
    """Does one thing at a time. Of what waits only the newest is done."""

    progressed = Signal(float)
    done = Signal(object)
    failed = Signal(str)
    idle = Signal()  # Nothing is under way any more, however it ended.
    _told = Signal(object)

    def __init__(self, name: str, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = Jobs(name, self._tell)
        self._unheard: set[Job] = set()  # Belongs to the window's thread.
        self._told.connect(self._hear, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether something is under way, or done and not yet heard of, that has not been given up."""
        return any(not job.given_up.is_set() for job in self._unheard)

    def start(self, work: Work, **words: Any) -> None:
        """Do this next, in place of anything that still waits; what runs may finish and be heard."""
        job = Job(work, **words)
        self._unheard.add(job)
        self._unheard.difference_update(self._jobs.start(job))

    def cancel(self) -> None:
        """Give up everything asked for so far: nothing more is heard of it."""
        for job in self._unheard:
            job.given_up.set()

    def stop(self, patience: float = 2.0) -> bool:
        """Give up and wait for the thread; True if it ended in time."""
        self.cancel()
        return self._jobs.join(patience)

    def _tell(self, told: Told) -> None:
        """Runs on the thread."""
        with contextlib.suppress(RuntimeError):  # the window is gone: nobody listens
            self._told.emit(told)

    @Slot(object)
    def _hear(self, told: Told) -> None:
        job, news, value = told
        if job is None:
            if self._jobs.idle:
                self.idle.emit()
            return
        if news is not News.PROGRESSED:
            self._unheard.discard(job)
        if not job.given_up.is_set():
            if news is News.PROGRESSED:
                self.progressed.emit(value)
            elif news is News.DONE:
                self.done.emit(value)
            elif news is News.FAILED:
                self.failed.emit(value)
            elif news is News.RAISED:
                self.failed.emit("Something went wrong in the program.")
        if news is News.RAISED:
            raise value
