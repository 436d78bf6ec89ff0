"""Reading sessions and tables off the window's thread, with progress and a way to stop."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QProgressDialog, QWidget

from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.session import files
from kernelviz.session.reading import reading
from kernelviz.session.state import State
from kernelviz.session.tables import Table, obvious

__all__ = ["Loaded", "Loader", "ReadTable"]

SHOWN_AFTER = 300
"""Milliseconds before a progress window appears: most files are faster."""


SESSIONS = (files.SUFFIX, ".png")


@dataclass(frozen=True)
class ReadTable:
    """A table, and its data if there is nothing to be asked about them."""

    table: Table
    data: Data | None


Loaded = ReadTable | tuple[State, dict[str, Any]]


class Loader(QObject):
    """Reads one file at a time; `loaded` or `failed` follows on the window's thread."""

    loaded = Signal(object, object)
    """(path, what it holds): a ReadTable, or the state and extra fields of a session."""
    failed = Signal(str)
    _progressed = Signal(float)
    _ended = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._cancelled = threading.Event()
        self._thread: threading.Thread | None = None
        self._dialog: QProgressDialog | None = None
        queued = Qt.ConnectionType.QueuedConnection
        self._progressed.connect(self._show_progress, queued)
        self._ended.connect(self._finish, queued)

    def start(self, path: Path) -> None:
        """Read `path`; whatever was being read before is given up."""
        self.stop()
        self._cancelled = threading.Event()
        self._dialog = QProgressDialog(f"Reading {path.name}", "Cancel", 0, 100, self._parent)
        self._dialog.setWindowTitle("kernelviz")
        self._dialog.setMinimumDuration(SHOWN_AFTER)
        self._dialog.canceled.connect(self._cancelled.set)
        self._thread = threading.Thread(
            target=self._read, args=(path, self._cancelled), name="kernelviz-reader", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Give up reading and wait for the thread."""
        self._cancelled.set()
        if self._thread is not None:
            self._thread.join(2.0)
            self._thread = None
        self._close_dialog()

    def _read(self, path: Path, cancelled: threading.Event) -> None:
        work = _contents(path)
        try:
            while True:
                fraction = next(work)
                if cancelled.is_set():
                    work.close()
                    self._ended.emit(None)
                    return
                self._progressed.emit(fraction)
        except StopIteration as end:
            self._ended.emit(None if cancelled.is_set() else (path, end.value))
        except BadInput as problem:
            self._ended.emit(str(problem))
        except MemoryError:
            self._ended.emit(f"{path.name} does not fit into memory.")

    @Slot(float)
    def _show_progress(self, fraction: float) -> None:
        if self._dialog is not None:
            self._dialog.setValue(min(99, int(100 * fraction)))

    @Slot(object)
    def _finish(self, outcome: tuple[Path, Loaded] | str | None) -> None:
        self._close_dialog()
        if isinstance(outcome, str):
            self.failed.emit(outcome)
        elif outcome is not None:
            self.loaded.emit(*outcome)

    def _close_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.canceled.disconnect()
            self._dialog.close()
            self._dialog.deleteLater()
            self._dialog = None


def _contents(path: Path) -> Generator[float, None, Loaded]:
    """What a file holds, with the fraction read so far on the way."""
    if path.suffix.lower() in SESSIONS:
        yield 0.0
        return files.load(path)
    table = yield from reading(path)
    return ReadTable(table, obvious(table))
