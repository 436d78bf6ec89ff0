"""Long work on a separate thread, whose results arrive on the window's thread."""

from __future__ import annotations

import contextlib
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from kernelviz.runtime.jobs import Job, Jobs, News, Report, Work


class Background(QObject):
    """Does one piece of work at a time. Of those waiting only the newest is done, or with `queue` all.

    Results arrive as signals: `done`, or `failed` with a sentence in the user's words.

        reader = Background("reader", parent)
        reader.done.connect(show)
        reader.start(lambda beat: reading(path))  # a generator of the fraction done, which returns the result
    """

    progressed = Signal(float)
    done = Signal(object)
    failed = Signal(str)
    idle = Signal()  # All work has ended, in whatever way.
    _reported = Signal(object)

    def __init__(self, name: str, parent: QObject, *, queue: bool = False) -> None:
        super().__init__(parent)
        self._jobs = Jobs(name, self._report, queue=queue)
        self._pending: set[Job] = set()  # Not reported yet; used on the window's thread only.
        self._reported.connect(self._receive, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """True while work runs, waits or has a result that has not arrived, unless it was cancelled."""
        return any(not job.given_up.is_set() for job in self._pending)

    def start(self, work: Work, **words: Any) -> None:
        """Do this next, instead of anything that still waits; running work may finish and report its
        result."""
        job = Job(work, **words)
        self._pending.add(job)
        self._pending.difference_update(self._jobs.start(job))

    def cancel(self) -> None:
        """Cancel all work requested so far; its results are dropped."""
        for job in self._pending:
            job.given_up.set()

    def stop(self, patience: float = 2.0) -> bool:
        """Cancel all work and wait for the thread; return True if it ended in time."""
        self.cancel()
        return self._jobs.join(patience)

    def _report(self, report: Report) -> None:
        """Runs on the thread."""
        with contextlib.suppress(RuntimeError):  # the window has been deleted
            self._reported.emit(report)

    @Slot(object)
    def _receive(self, report: Report) -> None:
        """Emit the signal that belongs to a report, unless its work was cancelled. Runs on the window's
        thread."""
        job, news, value = report
        if job is None:
            if self._jobs.idle:
                self.idle.emit()
            return
        if news is not News.PROGRESSED:
            self._pending.discard(job)
        if not job.given_up.is_set():
            if news is News.PROGRESSED:
                self.progressed.emit(value)
            elif news is News.DONE:
                self.done.emit(value)
            elif news is News.FAILED:
                self.failed.emit(value)
            elif news is News.RAISED:
                self.failed.emit("Something went wrong inside kernelviz.")
        if news is News.RAISED:
            raise value
