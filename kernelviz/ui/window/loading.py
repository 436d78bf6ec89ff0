"""Read sessions, tables and lessons on a thread of their own, with progress and a way to cancel.

A reader is a generator that yields the fraction done and returns what it has read: a `ReadTable`, a
`ReadSession`, a lesson, or the points that lines of text stand for. It can be cancelled at every yield; its
result is then dropped."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QProgressDialog, QWidget

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz
from kernelviz.session.files.link import state_in
from kernelviz.session.state import State
from kernelviz.session.tables.columns import guess, obvious, without_gaps
from kernelviz.session.tables.delimited import meant_as_table
from kernelviz.session.tables.formats import reading, reading_text
from kernelviz.session.tables.table import MissingCells, Table
from kernelviz.ui.widgets.labels import plain
from kernelviz.ui.workbench.background import Background

if TYPE_CHECKING:
    from kernelviz.session.lessons.lesson import Lesson


@dataclass(frozen=True)
class ReadTable:
    """A table, and its data if it is obvious which columns they are.

    gaps: asks whether to leave out the rows that lack a value, which table and data are without; cells: names
    the cells."""

    table: Table
    data: Data | None
    gaps: str = ""
    cells: str = ""

    @classmethod
    def of(cls, table: Table) -> ReadTable:
        """Return the table with its data, or what is left of both without the rows that lack a value."""
        try:
            return cls(table, obvious(table))
        except MissingCells as problem:
            whole, _ = without_gaps(table, guess(table))
            left = len(table) - len(whole)
            lack = "lacks a value: leave it out?" if left == 1 else "lack a value: leave them out?"
            return cls(whole, obvious(whole), f"{left:,} of {len(table):,} rows {lack}", str(problem))


@dataclass(frozen=True)
class ReadSession:
    """The content of a session file, and its fingerprint; a link has none."""

    state: State
    extra: dict[str, Any]
    seen: str = ""


# A reader: yields the fraction done, may be dropped at every yield, returns what it has read.
Reading = Generator[float, None, Any]


class Loader(QObject):
    """Reads one thing at a time on another thread.

    `start` takes a reader and a callback, which gets the result on the window's thread; `failed` is emitted
    with a sentence instead if something is wrong, or `otherwise` is called with it. A progress window with a
    button to cancel appears if it takes long."""

    failed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._then: Callable[[Any], None] | None = None
        self._otherwise: Callable[[str], None] = self.failed.emit
        self._dialog: QProgressDialog | None = None
        self._reader = Background("kernelviz-reader", self)
        self._reader.progressed.connect(self._show_progress)
        self._reader.done.connect(self._finish)
        self._reader.failed.connect(self._fail)

    def start(
        self,
        name: str,
        work: Reading,
        then: Callable[[Any], None],
        otherwise: Callable[[str], None] | None = None,
    ) -> None:
        """Run a reader and call `then` with its result; an earlier reader is cancelled."""
        self.stop()
        self._then, self._otherwise = then, otherwise or self.failed.emit
        self._dialog = QProgressDialog(plain(f"Reading {name}"), "Cancel", 0, 100, self._parent)
        self._dialog.setWindowTitle("kernelviz")
        self._dialog.setMinimumDuration(300)  # milliseconds; most files are read by then
        self._dialog.canceled.connect(self._cancel)
        self._reader.start(lambda _beat: work, no_memory=f"{name} does not fit into memory.")

    def stop(self) -> None:
        """Cancel reading and wait for the thread."""
        self._reader.stop()
        self._close_dialog()

    def _cancel(self) -> None:
        """Cancel reading, because the user has asked for it."""
        self._reader.cancel()
        self._close_dialog()

    def _show_progress(self, fraction: float) -> None:
        """Show how much has been read, from 0 to 1."""
        if self._dialog is not None:
            self._dialog.setValue(min(99, int(100 * fraction)))

    def _finish(self, result: object) -> None:
        """Pass the result to the callback."""
        self._close_dialog()
        then, self._then = self._then, None
        if then is not None:
            then(result)

    def _fail(self, sentence: str) -> None:
        """Say what went wrong."""
        self._close_dialog()
        self._otherwise(sentence)

    def _close_dialog(self) -> None:
        """Close the progress window, also if it has not appeared yet."""
        if self._dialog is not None:
            self._dialog.canceled.disconnect()
            self._dialog.reset()  # unlike close, this also stops the timer that would show it later
            self._dialog.deleteLater()
            self._dialog = None


def contents(path: Path) -> Generator[float, None, ReadTable | ReadSession | Lesson]:
    """Read a file, yielding the fraction done; return a session, a lesson or a table."""
    suffix = path.suffix.lower()
    if suffix in (kviz.SUFFIX, ".png"):  # a picture that kernelviz exported holds its session
        yield 0.0
        content = kviz.content_of(path)
        return ReadSession(*kviz.loads(content, path.name), kviz.fingerprint(content))
    with contextlib.suppress(OSError):  # reading it gives the reason
        if path.is_fifo():
            raise BadInput(f"{path.name} cannot be read: it is a pipe, which may never end.")
    if suffix == ".md":
        from kernelviz.session.lessons.lecture_reader import read_either  # most starts have no lesson

        yield 0.0
        return read_either(path)
    table = yield from reading(path)
    return ReadTable.of(table)


def linked(link: str) -> Generator[float, None, ReadSession]:
    """Read a link, and return the session that it opens."""
    yield 0.0
    return ReadSession(*state_in(link))


def gathering(paths: Sequence[Path]) -> Generator[float, None, Lesson]:
    """Read several files as the stops of one lecture."""
    from kernelviz.session.lessons.lecture_reader import gathered, parse_lecture

    yield 0.0
    return parse_lecture(*gathered(paths))


def pasted(
    text: str, name: str, plain: Callable[[str], Data | None] = lambda _: None
) -> Generator[float, None, ReadTable | Data]:
    """Read pasted text, yielding the fraction done; return a table, or the points that its lines describe.

    plain: makes points of lines, or returns None where lines have no meaning; a text that is clearly meant as
    a table is not read as lines."""
    try:
        table = yield from reading_text(text, name)
        read = ReadTable.of(table)
    except BadInput:
        if meant_as_table(text) or (lines := plain(text)) is None:
            raise
        return lines
    if (data := read.data) is None or (data.domain == "strings" and 2 * len(data.class_names) > data.n):
        lines = None if meant_as_table(text) else plain(text)
        if lines is not None and (data is None or not set(data.class_names) <= set(lines.class_names)):
            return lines
    return read
