"""Session files: new, open, save, recover. None of these loses unsaved work.

Files are read by the loader on another thread. Autosave writes unsaved work to a place of its own; after a
crash the next start offers it. The fingerprint of the file is compared before it is overwritten, because
another window may have saved it meanwhile."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz
from kernelviz.session.files.autosave import Recovery, watch
from kernelviz.session.files.crashed_sessions import Examined, crashed_sessions, examining
from kernelviz.session.files.kviz import PackedStates, unpacked
from kernelviz.session.files.link import link_to
from kernelviz.session.state import State
from kernelviz.session.tables.formats import DATA_FORMATS
from kernelviz.session.tables.preparation import manageable
from kernelviz.session.view_listing import switches_text
from kernelviz.ui.dialogs.questions import ask_where
from kernelviz.ui.dialogs.recovery_dialog import RecoveryDialog
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.widgets.labels import literal, plain
from kernelviz.ui.window.data_files import patterns
from kernelviz.ui.window.loading import Loader, ReadSession, ReadTable, contents, gathering, linked
from kernelviz.ui.window.open_views import OpenViews
from kernelviz.ui.window.shell import OpenFile, Shell

if TYPE_CHECKING:
    from kernelviz.session.lessons.lesson import Lesson


def openable() -> str:
    """Return the filters of the dialogue that opens a file."""
    also_read = (".tsv", ".txt", ".dat", ".arff", ".gz", ".png", ".md")  # but not written
    every = patterns((kviz.SUFFIX, *DATA_FORMATS, *also_read))
    return f"Sessions, points, pictures, lessons and lectures {every};;All files (*)"


class Files(QObject):
    """Opens and saves the session of a window.

    `file` has the facts about its file. Unsaved work is autosaved with every change; `may_close` asks before
    any of it is replaced. Files are opened on another thread, and after a failure everything is as before."""

    began_anew = Signal()  # There is a new session without points.
    not_kept = Signal(str)  # Why autosave fails; empty once it works again.

    def __init__(self, window: Shell, loader: Loader, open_table: Callable[[ReadTable], None]) -> None:
        """open_table: uses the points of a file that is no session."""
        super().__init__(window)
        self.window = window
        self.session = window.session
        self.file = OpenFile()
        self._luggage = PackedStates()
        self._loader, self._open_table = loader, open_table
        self._stopped = False
        self.lost = ""  # Why unsaved work could not be kept when the window closed on a signal.
        self.recovery = Recovery(tell=self._on_autosave)
        self._end_watch = watch(
            self.recovery, self.session, lambda: (self.path, self._packed, self.file.seen)
        )

    @property
    def path(self) -> Path | None:
        """The path of the session's file, if it has one."""
        return self.file.path

    @property
    def title(self) -> str:
        """The title of the window: the name of the file, of a lesson that is in no file, of the picture that
        the session was opened from, or Untitled."""
        if self.path is not None:
            return self.path.name
        picture = self.file.picture
        return self.window.lessons.title or (picture.name if picture is not None else "Untitled")

    @property
    def to_be_saved(self) -> bool:
        """Return True if there are unsaved changes; a lesson without a file need not be saved."""
        return self.session.unsaved and (self.path is not None or not self.window.lessons.title)

    def _on_autosave(self, problem: str) -> None:
        """Report that autosave fails, or works again."""
        with contextlib.suppress(RuntimeError):  # the window has been deleted
            self.not_kept.emit(problem)

    # Opening -------------------------------------------------------------------------------------------
    def new(self) -> None:
        """Start a session without points, with the present kernel and algorithm, in every workspace."""
        elsewhere, file = bool(self.session.elsewhere), self.path
        if self.may_close("A new session closes this one in every workspace. " if elsewhere else ""):
            document = self.session.document.replace(
                data=self.window.canvases.workspace.empty(), source="", standardised=False, held_out=None
            )
            look = self.session.look.replace(selection=(), mode="live", step=0)
            self._open_state(State(document, look), {}, None)
            self.began_anew.emit()
            if file is not None and elsewhere:
                self.window.complain(f"New session in every workspace. {file.name} keeps what was saved.")

    def begin_with(self, state: State) -> None:
        """Put a state in place of the present session, if that may be closed."""
        if self.may_close():
            self._open_state(state, {}, None)

    def open_file(self) -> None:
        """Ask for a file and open it."""
        names, _ = QFileDialog.getOpenFileNames(self.window, "Open", "", openable())
        self.open_paths([Path(name) for name in names])

    def open_path(self, path: Path) -> None:
        """Open a session, a table or a picture; after a failure everything is as before."""
        self._loader.start(path.name, contents(path), partial(self._use, path))

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open a file, or several as the stops of one lecture."""
        if len(paths) == 1:
            self.open_path(paths[0])
        elif paths:
            self._loader.start(f"{len(paths)} files", gathering(paths), self.window.lessons.begin)

    def open_link(self, link: str) -> None:
        """Open the session in a link; after a failure everything is as before."""

        def use(read: ReadSession) -> None:
            if self.may_close():
                self._open_state(read.state, read.extra, None)

        self._loader.start("the link", linked(link), use)

    def fill_recent(self, menu: QMenu) -> None:
        """Add the submenu of recent files, which is filled when it opens."""
        recent = menu.addMenu("Open &recent")
        recent.setObjectName("recent")
        recent.aboutToShow.connect(lambda: self._list_recent(recent))

    def _list_recent(self, menu: QMenu) -> None:
        """Fill the submenu with the files that were opened or saved recently."""
        menu.clear()
        for name in self.window.settings.recent:
            action = menu.addAction(literal(name))
            action.triggered.connect(lambda _checked, name=name: self.open_path(Path(name)))
        menu.addSeparator()
        forget = menu.addAction("Clear this list")
        forget.setEnabled(bool(self.window.settings.recent))
        forget.triggered.connect(self.window.settings.forget_files)

    def _use(self, path: Path, loaded: ReadTable | ReadSession | Lesson) -> None:
        """Use the content of a file: a session replaces the present one, a table its points."""
        if isinstance(loaded, ReadTable):
            if self._may_end_lesson(path):
                self.window.lessons.end_lesson()
                self._open_table(loaded)
            return
        if not isinstance(loaded, ReadSession):
            self.window.lessons.begin(loaded)
        elif self._may_replace(path):
            own = path.suffix.lower() == kviz.SUFFIX
            file = (path, loaded.seen) if own else (None, "", path)
            self._open_state(loaded.state, loaded.extra, *file)
        else:
            return
        self.window.settings.remember_file(path)

    def _may_replace(self, path: Path) -> bool:
        """Return True if the session of a file may take the place of this one, and of a lesson."""
        lessons = self.window.lessons
        if lessons.nothing_to_save:
            return self._may_end_lesson(path)
        return self.may_close(f"Opening {path.name} ends the {lessons.kind}. " if lessons.kind else "")

    def _may_end_lesson(self, path: Path) -> bool:
        """Return True if no lesson or lecture runs, or if the user agrees to end it for a file."""
        kind = self.window.lessons.kind
        if not kind:
            return True
        button = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self.window,
            f"End the {kind}?",
            plain(f"End the {kind} and open {path.name}? You can go on with the {kind} later."),
            button.Yes | button.No,
            button.Yes,
        )
        return answer == button.Yes

    # Saving --------------------------------------------------------------------------------------------
    def save(self) -> bool:
        """Save to the session's file, or ask for one; return True if it is saved now."""
        if self.path is None:
            return self.save_as()
        try:
            there = os.path.exists(self.path)
            changed = there and kviz.fingerprint(kviz.content_of(self.path)) != self.file.seen
        except BadInput:  # it cannot be read any more
            changed = True
        if not changed:
            return self.save_to(self.path)
        button = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self.window,
            "Save session",
            plain(
                f"{self.title} has been changed by another program or window since it was opened or saved "
                "here. Replace it? With No you can save under another name."
            ),
            button.Yes | button.No | button.Cancel,
            button.No,
        )
        return self.save_to(self.path) if answer == button.Yes else answer == button.No and self.save_as()

    def save_as(self) -> bool:
        """Ask for a file and save the session to it; return True if it is saved."""
        picture = self.file.picture or Path("Untitled")
        proposal = self.path or picture.with_suffix(kviz.SUFFIX)
        path = ask_where(self.window, "Save session", str(proposal), "kernelviz sessions (*.kviz)")
        return path is not None and self.save_to(path)

    def may_close(self, why: str = "") -> bool:
        """Return True if the present session may be closed: it is saved, or the user agrees.

        why: a sentence before the question that says what will happen. In a lesson the question is about the
        work from before."""
        lessons = self.window.lessons
        if lessons.nothing_to_save:
            return True
        with lessons.work_from_before():
            if not self.session.unsaved:
                return True
            before = f"Your work from before the {lessons.kind} is not saved. " if lessons.kind else ""
            where = ""
            if self.session.elsewhere:
                *others, last = self.session.unsaved_in
                where = f" in {', '.join(others)} and {last}" if others else f" in {last}"
            button = QMessageBox.StandardButton
            answer = QMessageBox.question(
                self.window,
                "Save changes?",
                plain(f"{before}{why}{self.title} has unsaved changes{where}."),
                button.Save | button.Discard | button.Cancel,
                button.Save,
            )
            return self.save() if answer == button.Save else answer == button.Discard

    def stop(self, *, keep: bool = False) -> None:
        """End autosave when the window closes.

        keep: let the next start offer to recover unsaved changes; if they cannot be written, `lost` has the
        reason."""
        if self._stopped:
            return
        self._stopped = True
        self._loader.stop()
        self._end_watch()
        problem = self.recovery.close(keep=keep)
        if keep and problem and self.session.unsaved:
            self.lost = f"The unsaved changes to {self.title} could not be kept: {problem}."

    def _open_state(
        self,
        state: State,
        extra: dict[str, Any],
        path: Path | None,
        seen: str = "",
        picture: Path | None = None,
        *,
        saved: bool = True,
    ) -> None:
        """Put a state into the session as the content of a file or picture, and continue the lesson saved
        with it.

        A state with too many points is cut down first; it then has no file, so that saving cannot overwrite
        the complete one."""
        document, sentence = manageable(state.document)
        if sentence:  # the file keeps all its points, so it must not be overwritten
            state, path = State(document, state.look.replace(selection=())), None
        self.window.lessons.forget()
        elsewhere, extra = unpacked(extra)
        lesson = extra.pop("lesson", None)  # of a session that was saved within one
        hidden, views = extra.pop("hidden", None), extra.pop("views", None)
        self.window.exports.offer(extra.pop(kviz.FIGURE, None))
        self.file = OpenFile(path, extra, seen, picture)
        self.session.open(state, elsewhere=elsewhere, saved=saved)
        self.window.controls.open(hidden)
        self._show_views(views)
        self.window.lessons.resume(lesson)
        if sentence:
            self.window.complain(sentence, about_data=True)

    def _show_views(self, texts: object) -> None:
        """Open the views that a link names, ignoring unknown ones."""
        domain, views = self.session.document.data.domain, OpenViews(self.window, lambda: None)
        wanted = {str(text).partition("(")[0]: str(text) for text in texts} if isinstance(texts, list) else {}
        names = [name for name in wanted if name in VIEWS and domain in VIEWS[name].domains][:2]
        if names:
            self.window.insight.restore(names)
            self.window.arrangement.toggle("insight", True)
        for name in names:
            views.set_switches(wanted[name])

    @property
    def _packed(self) -> dict[str, Any]:
        """The extra fields of the file, including the other workspaces and a lesson."""
        packed = self._luggage.packed(self.file.extra, self.session.elsewhere)
        parts = (self.window.controls, self.window.lessons, self.window.exports)
        return packed | {name: value for part in parts for name, value in part.record().items()}

    @property
    def link(self) -> str:
        """The link that opens what is on screen, with the views that are open and the controls hidden."""
        views = OpenViews(self.window, lambda: None)
        texts = sorted(map(switches_text, views.now().values()))
        shown = {"views": texts} if texts else {}
        return link_to(self.session.state, shown | self.window.controls.record())

    def keep(self) -> None:
        """Autosave unsaved work after a change of what a lesson adds to it."""
        if self.session.unsaved:
            self.recovery.keep(self.session.state, self.path, self._packed, self.file.seen)

    def save_to(self, path: Path) -> bool:
        """Write the session to a file, which becomes its own; return True if that worked."""
        try:
            seen = kviz.save(path, self.session.state, self._packed)
        except BadInput as problem:
            self.window.complain(str(problem))
            return False
        self.file = OpenFile(path, self.file.extra, seen)
        self.window.settings.remember_file(path)
        self.session.mark_saved()
        return True

    # After a crash -------------------------------------------------------------------------------------
    def start_with(self, path: Path) -> None:
        """Open the file that the program was started with, and offer to recover unsaved changes to it; a
        notice says if there are other sessions to recover."""

        def open_and_offer(found: list[Examined]) -> None:
            own = [kept for kept in found if kept.belongs_to(path)]
            others = len(found) - len(own)
            self._mention(others)  # also if the file cannot be opened

            def use(loaded: ReadTable | ReadSession | Lesson) -> None:
                self._use(path, loaded)
                self._mention(others)  # again: the user may have been asked for columns meanwhile

            self._loader.start(path.name, contents(path), use)
            if own:
                self._show_recovery(own)

        if found := crashed_sessions():
            self._loader.start("unsaved sessions", examining(found), open_and_offer)
        else:
            self.open_path(path)

    def _mention(self, waiting: int) -> None:
        """Show a notice that sessions can be recovered, if some are waiting."""
        if waiting:
            sessions = "An unsaved session" if waiting == 1 else f"{waiting} unsaved sessions"
            command = self.window.actions_by_name["recover"].text().replace("&", "")
            long = 10_000  # Milliseconds: nothing that the user did has caused it.
            self.window.notice.say(f"{sessions} can be recovered: File > {command}", long)

    def offer_recovery(self) -> None:
        """Offer to recover sessions that were not saved before a crash, if there are any."""
        if found := crashed_sessions():
            self._loader.start("unsaved sessions", examining(found), self._show_recovery)

    def recover(self) -> None:
        """Do the same on request, with a message if there are none."""
        if crashed_sessions():
            self.offer_recovery()
        else:
            self.window.complain("There is nothing to recover.")

    def _show_recovery(self, found: list[Examined]) -> None:
        """Ask which of the sessions that were not saved to recover."""
        dialog = RecoveryDialog(found, self.window)
        dialog.recover.connect(self._recover_session)
        dialog.discard.connect(lambda kept: kept.crashed.discard())
        dialog.open()

    def _recover_session(self, kept: Examined) -> None:
        """Replace the present session, if it may be closed, by one that was kept before a crash."""
        if not self.may_close():
            return
        try:
            adopted = self.recovery.adopt(kept.crashed)
            self._loader.stop()  # the file it belongs to may still be being read
            self._open_state(*adopted, saved=False)
        except BadInput as problem:
            self.window.complain(str(problem))
