"""The work from before a lesson or a lecture, which waits until that ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kernelviz.scene.view import View
from kernelviz.session.lessons.saved import SavedLesson, packed_desk
from kernelviz.session.session import Desk
from kernelviz.session.state import State
from kernelviz.session.view_listing import SetView
from kernelviz.ui.window.shell import OpenFile, Shell


@dataclass(frozen=True, eq=False)
class KeptWork:
    """Work that waits: its desk and file, the switches of the insight views, the tools by workspace."""

    desk: Desk
    file: OpenFile
    switches: Mapping[str, View]
    tools: Mapping[str, str]


class WaitingWork:
    """Exchanges the desk (state, undo, other workspaces) and the file of a window for those of a lesson, and
    brings them back. Files, autosave and the question about unsaved changes ask for it here."""

    def __init__(self, window: Shell, set_asking: Callable[[bool], None]) -> None:
        """set_asking: called while the work is on the session for a question, and once it is not any more."""
        self._window, self._set_asking = window, set_asking
        self.kept: KeptWork | None = None
        self.asking = False  # It is on the session, for a question about saving it.
        self._packed: tuple[State, Any] | None = None

    def put_aside(self) -> None:
        """Put the present work aside: the session is then a new one with the same state."""
        window = self._window
        file, window.files.file = window.files.file, OpenFile()
        self.keep(window.session.exchange(Desk(window.session.state)), file)

    def keep(self, desk: Desk, file: OpenFile) -> None:
        """Keep this work; views and tools begin as at first."""
        insight, canvases = self._window.insight, self._window.canvases
        self.kept = KeptWork(desk, file, insight.switches, canvases.tools_in_use)
        insight.set_switches({})

    def let_go(self) -> KeptWork | None:
        """Restore views and tools, and wait no longer; return the work for `bring_back`, or to be dropped."""
        kept, self.kept, self._packed = self.kept, None, None
        if kept is not None:
            self._window.insight.set_switches(kept.switches)
            self._window.canvases.use_tools(kept.tools)
        return kept

    def bring_back(self, kept: KeptWork) -> None:
        """Put work on the session again, and its file."""
        self._window.files.file = kept.file  # first: title and autosave follow the exchange
        self._window.session.exchange(kept.desk)

    @property
    def saved(self) -> bool:
        """Return True if work waits and all of it is saved."""
        return self.kept is not None and not self.kept.desk.unsaved

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """Put the work on the session inside a `with` block, for a question about saving it."""
        if self.kept is None:
            yield
            return
        window = self._window
        self._ask(True)
        file, window.files.file = window.files.file, self.kept.file
        desk = window.session.exchange(self.kept.desk)
        try:
            yield
        finally:
            self._ask(False)
            self.kept = replace(self.kept, file=window.files.file, desk=window.session.desk)
            window.files.file = file
            window.session.exchange(desk)

    def _ask(self, on: bool) -> None:
        self.asking = on
        self._set_asking(on)

    def found(self, record: Mapping[str, Any]) -> tuple[SavedLesson, OpenFile]:
        """Return the record of a lesson or a lecture in a session file that has just been opened, and the
        file of the work from before; BadInput if that work cannot be read.

        In a session that is recovered after a crash the work belongs to its own file again."""
        recovered = self._window.session.unsaved
        saved = SavedLesson.read(record, saved=not recovered)
        name, seen = saved.work_file
        return saved, OpenFile(Path(name), seen=seen) if recovered and name else OpenFile()

    def give_up(self, saved: SavedLesson, file: OpenFile, reason: str) -> None:
        """Put the work from before on the session, because the lesson or lecture cannot go on, and say
        why."""
        self._window.files.file = file
        self._window.session.exchange(saved.before)
        self._window.complain(f"{reason} This is the work from before.")

    def record(
        self,
        name: str,
        file: str,
        progress: str,
        points: tuple[tuple[str, int], ...],
        views: Mapping[str, SetView],
    ) -> dict[str, Any]:
        """Return the record of a lesson or a lecture, and of the work from before it, for a session file."""
        kept = self.kept
        if kept is None or self.asking:
            return {}
        if self._packed is None or self._packed[0] is not kept.desk.state:
            self._packed = kept.desk.state, packed_desk(kept.desk)
        path = kept.file.path
        work_file = ("", "") if path is None else (str(path.resolve()), kept.file.seen)
        saved = SavedLesson(name, file, progress, points, kept.desk, work_file, tuple(views.values()))
        return saved.record(self._packed[1])
