"""Reading sessions and tables off the window's thread, with progress and a way to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QProgressDialog, QWidget

from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.session import files
from kernelviz.session.reading import reading, reading_text
from kernelviz.session.state import State
from kernelviz.session.tables import Table, obvious

__all__ = ["Loaded", "Loader", "ReadSession", "ReadTable", "contents", "pasted"]

SHOWN_AFTER = 300
"""Milliseconds before a progress window appears: most files are faster."""


SESSIONS = (files.SUFFIX, ".png")


@dataclass(frozen=True)
class ReadTable:
    """A table, and its data if there is nothing to be asked about them."""

    table: Table
    data: Data | None


@dataclass(frozen=True)
class ReadSession:
    """What a session file holds, and the fingerprint of the file."""

    state: State
    extra: dict[str, Any]
    seen: str


Loaded = ReadTable | ReadSession
Work = Generator[float, None, Any]
"""Reading at work: yields the fraction done, may be dropped at every yield, returns what it has read."""


@dataclass(frozen=True, eq=False)
class Job:
    """One thing to read, and who wants it."""

    name: str
    work: Work
    then: Callable[[Any], None]
    cancelled: threading.Event = field(default_factory=threading.Event)


class Loader(QObject):
    """Reads one thing at a time; who asked for it, or `failed`, hears of it on the window's thread."""

    failed = Signal(str)
    _progressed = Signal(object, float)
    _ended = Signal(object, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._job: Job | None = None
        self._thread: threading.Thread | None = None
        self._dialog: QProgressDialog | None = None
        queued = Qt.ConnectionType.QueuedConnection
        self._progressed.connect(self._show_progress, queued)
        self._ended.connect(self._finish, queued)

    def start(self, name: str, work: Work, then: Callable[[Any], None]) -> None:
        """Do the work and hand over what it returns; whatever was being read before is given up."""
        self.stop()
        self._job = job = Job(name, work, then)
        self._dialog = QProgressDialog(f"Reading {name}", "Cancel", 0, 100, self._parent)
        self._dialog.setWindowTitle("kernelviz")
        self._dialog.setMinimumDuration(SHOWN_AFTER)
        self._dialog.canceled.connect(job.cancelled.set)
        self._thread = threading.Thread(target=self._read, args=(job,), name="kernelviz-reader", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Give up reading and wait for the thread."""
        if self._job is not None:
            self._job.cancelled.set()
            self._job = None
        if self._thread is not None:
            self._thread.join(2.0)
            self._thread = None
        self._close_dialog()

    def _read(self, job: Job) -> None:
        outcome: Any = None
        try:
            while not job.cancelled.is_set():
                self._progressed.emit(job, next(job.work))
            job.work.close()
        except StopIteration as end:
            outcome = end
        except MemoryError:
            outcome = BadInput(f"{job.name} does not fit into memory.")
        except Exception as problem:  # a sentence, or a mistake in the program: told where it can be
            outcome = problem
        self._ended.emit(job, outcome)

    @Slot(object, float)
    def _show_progress(self, job: Job, fraction: float) -> None:
        if job is self._job and self._dialog is not None:
            self._dialog.setValue(min(99, int(100 * fraction)))

    @Slot(object, object)
    def _finish(self, job: Job, outcome: Exception | None) -> None:
        if job is not self._job:
            return
        self._job = None
        self._close_dialog()
        if isinstance(outcome, StopIteration) and not job.cancelled.is_set():
            job.then(outcome.value)
        elif isinstance(outcome, BadInput):
            self.failed.emit(str(outcome))
        elif outcome is not None and not isinstance(outcome, StopIteration):
            raise outcome

    def _close_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.canceled.disconnect()
            self._dialog.close()
            self._dialog.deleteLater()
            self._dialog = None


def contents(path: Path) -> Generator[float, None, Loaded]:
    """What a file holds, with the fraction read so far on the way."""
    if path.suffix.lower() in SESSIONS:
        yield 0.0
        content = files.content_of(path)
        return ReadSession(*files.loads(content, path.name), files.fingerprint(content))
    if _is_pipe(path):
        raise BadInput(f"{path.name} cannot be read: it is a pipe, which may never end.")
    table = yield from reading(path)
    return ReadTable(table, obvious(table))


def _is_pipe(path: Path) -> bool:
    try:
        return path.is_fifo()
    except OSError:  # reading says why
        return False


def pasted(text: str, name: str) -> Generator[float, None, ReadTable]:
    """What a text holds."""
    table = yield from reading_text(text, name)
    return ReadTable(table, obvious(table))
