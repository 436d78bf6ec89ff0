"""A thread for long work: with progress, with a way to give it up, answers on the window's thread."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from kernelviz.drawing.export.states import Beat
from kernelviz.engine.errors import BadInput

__all__ = ["Background", "Work"]

Work = Callable[[Beat], Generator[float, None, Any]]
"""Makes a generator that yields the share done and returns the result; calls its beat in between."""
NO_MEMORY = "There is not enough memory for this. Choose a smaller size or fewer frames."
BREATH = 1e-5
"""Seconds of sleep that let the window's thread in."""


class GivenUpError(Exception):
    """Raised by the beat of work nobody wants any more."""


@dataclass(eq=False)
class Job:
    """One piece of work on its way."""

    work: Work
    given_up: threading.Event = field(default_factory=threading.Event)

    def beat(self) -> None:
        time.sleep(BREATH)
        if self.given_up.is_set():
            raise GivenUpError


class Background(QObject):
    """Does one thing at a time. Of what waits only the newest is done; its thread lives while it works."""

    progressed = Signal(float)
    done = Signal(object)
    failed = Signal(str)
    idle = Signal()
    """Nothing is under way any more, however it ended."""
    _told = Signal(object)

    def __init__(self, name: str, parent: QObject) -> None:
        super().__init__(parent)
        self._name = name
        self._lock = threading.Lock()
        self._running: Job | None = None
        self._waiting: Job | None = None
        self._thread: threading.Thread | None = None
        self._unheard: set[Job] = set()
        """Belongs to the window's thread."""
        self._told.connect(self._hear, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether something is under way, or done and not yet heard of, that has not been given up."""
        return any(not job.given_up.is_set() for job in self._unheard)

    def start(self, work: Work) -> None:
        """Do this next, in place of anything that still waits; what runs may finish and be heard."""
        job = Job(work)
        self._unheard.add(job)
        with self._lock:
            dropped, self._waiting = self._waiting, job
            begin = self._running is None
            if begin:
                self._running, self._waiting = self._waiting, None
        if dropped is not None:
            self._unheard.discard(dropped)
        if begin:
            self._thread = threading.Thread(target=self._loop, name=self._name, daemon=True)
            self._thread.start()

    def cancel(self) -> None:
        """Give up everything asked for so far: nothing more is heard of it."""
        for job in self._unheard:
            job.given_up.set()

    def stop(self, patience: float = 2.0) -> bool:
        """Give up and wait for the thread; True if it ended in time."""
        self.cancel()
        if self._thread is not None:
            self._thread.join(patience)
            return not self._thread.is_alive()
        return True

    # On the thread -------------------------------------------------------------------------------------
    def _loop(self) -> None:
        while (job := self._running) is not None:
            kind, value = self._outcome(job)
            with self._lock:
                self._running, self._waiting = self._waiting, None
                last = self._running is None
            self._tell(job, kind, value)
            if last:
                self._tell(None, "idle", None)

    def _outcome(self, job: Job) -> tuple[str, Any]:
        try:
            job.beat()
            with contextlib.closing(job.work(job.beat)) as steps:
                while True:
                    self._tell(job, "progressed", next(steps))
                    job.beat()
        except StopIteration as end:
            return "done", end.value
        except GivenUpError:
            return "given up", None
        except BadInput as problem:
            return "failed", str(problem)
        except MemoryError:
            return "failed", NO_MEMORY
        except Exception as error:  # a mistake in the program: raised again where it can be reported
            return "raised", error

    def _tell(self, job: Job | None, kind: str, value: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the window is gone: nobody listens
            self._told.emit((job, kind, value))

    # On the window's thread ------------------------------------------------------------------------------
    @Slot(object)
    def _hear(self, message: tuple[Job | None, str, Any]) -> None:
        job, kind, value = message
        if job is None:
            if self._running is None:
                self.idle.emit()
            return
        if kind != "progressed":
            self._unheard.discard(job)
        if not job.given_up.is_set():
            if kind in ("progressed", "done", "failed"):
                getattr(self, kind).emit(value)
            elif kind == "raised":
                self.failed.emit("Something went wrong in the program.")
        if kind == "raised":
            raise value
