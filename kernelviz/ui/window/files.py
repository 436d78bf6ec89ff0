"""The commands of the File menu: new, open, save, paste, recover. None of them loses unsaved work."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.wording import counted
from kernelviz.session.files import kviz
from kernelviz.session.files.autosave import Recovery, watch
from kernelviz.session.files.crashed_sessions import Examined, crashed_sessions, examining
from kernelviz.session.files.kviz import PackedStates, unpacked
from kernelviz.session.state import State
from kernelviz.session.tables.preparation import joined, manageable
from kernelviz.session.tables.table import Table
from kernelviz.session.view import FARTHEST, ViewRange, shows
from kernelviz.session.workspaces.registry import workspace_of, workspaces
from kernelviz.ui.dialogs.column_picker import ColumnPicker
from kernelviz.ui.dialogs.questions import PasteQuestion, ask_where
from kernelviz.ui.dialogs.recovery_dialog import RecoveryDialog
from kernelviz.ui.widgets.labels import literal, plain
from kernelviz.ui.window.loading import Loaded, Loader, ReadLesson, ReadLines, ReadTable, contents, pasted
from kernelviz.ui.window.shell import Shell

SESSIONS = "kernelviz sessions (*.kviz)"
ALSO_READ = (".tsv", ".txt", ".dat", ".png", ".md")  # Formats that are read but not written.


CLIPBOARD = "clipboard"
LESSON = "lesson"  # The field of a session file that was saved within a lesson.


def _patterns(suffixes: Iterable[str]) -> str:
    return f"({' '.join(f'*{suffix}' for suffix in suffixes)})"


def openable() -> str:
    """Return the filters of the dialogue that opens a file."""
    from kernelviz.session.tables import formats

    every = _patterns((kviz.SUFFIX, *formats.DATA_FORMATS, *ALSO_READ))
    return f"Sessions, points, pictures and lessons {every};;All files (*)"


def point_formats() -> str:
    """Return the filters of the dialogue that saves points."""
    from kernelviz.session.tables import formats

    named = [f"{name} {_patterns(suffixes)}" for name, (_, suffixes) in formats.NAMED_FORMATS.items()]
    return ";;".join([*named, "Model as JSON (*.json)"])


def _listed(titles: list[str]) -> str:
    """Return "Plane", "Plane and Curve", "Plane, Curve and Words"."""
    return " and ".join(filter(None, (", ".join(titles[:-1]), titles[-1])))


class Files(QObject):
    """Opens and saves the session of a window."""

    not_kept = Signal(str)  # Why autosave fails; empty once it works again.

    def __init__(self, window: Shell) -> None:
        super().__init__(window)
        self.window = window
        self.session = window.session
        self.path: Path | None = None
        self._seen = ""  # The fingerprint of the file when it was opened or saved last.
        self._extra: dict[str, Any] = {}
        self._luggage = PackedStates()
        self._loader = Loader(window)
        self._loader.failed.connect(window.complain)
        self._stopped = False
        self.lost = ""  # Why unsaved work could not be kept when the window closed on a signal.
        self._recovery = Recovery(tell=self._on_autosave)
        self._end_watch = watch(self._recovery, self.session, lambda: (self.path, self._packed, self._seen))

    @property
    def title(self) -> str:
        """The title of the window: the name of the file, or Untitled."""
        return self.path.name if self.path is not None else "Untitled"

    def _on_autosave(self, problem: str) -> None:
        with contextlib.suppress(RuntimeError):  # the window has been deleted
            self.not_kept.emit(problem)

    # Opening -------------------------------------------------------------------------------------------
    def new(self) -> None:
        """Start a session without points, with the present kernel and algorithm, in every workspace."""
        elsewhere, file = bool(self.session.elsewhere), self.path
        if self.may_close("A new session closes this one in every workspace. " if elsewhere else ""):
            document = self.session.document.replace(
                data=self.window.canvases.workspace.empty(), source="", standardised=False
            )
            look = self.session.look.replace(selection=(), mode="live", step=0)
            self._open_state(State(document, look), {}, None)
            if file is not None and elsewhere:
                self.window.complain(f"New session in every workspace. {file.name} keeps what was saved.")

    def open_file(self) -> None:
        """Ask for a file and open it."""
        name, _ = QFileDialog.getOpenFileName(self.window, "Open", "", openable())
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> None:
        """Open a session, a table or a picture; after a failure everything is as before."""
        self._loader.start(path.name, contents(path), partial(self._use, path))

    def fill_recent(self, menu: QMenu) -> None:
        """Add the submenu of recent files, which is filled when it opens."""
        recent = menu.addMenu("Open &recent")
        recent.setObjectName("recent")
        recent.aboutToShow.connect(lambda: self._list_recent(recent))

    def _list_recent(self, menu: QMenu) -> None:
        menu.clear()
        for name in self.window.settings.recent:
            action = menu.addAction(literal(name))
            action.triggered.connect(lambda _checked, name=name: self.open_path(Path(name)))
        menu.addSeparator()
        forget = menu.addAction("Clear this list")
        forget.setEnabled(bool(self.window.settings.recent))
        forget.triggered.connect(self.window.settings.forget_files)

    def paste(self) -> None:
        """Paste points from the clipboard, copied from a spreadsheet or a text."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self.window.complain("There is no text on the clipboard.")
            return
        data = self.session.document.data
        plain = partial(workspace_of(data).plain, data)
        self._loader.start(f"the {CLIPBOARD}", pasted(text, CLIPBOARD, plain), self._use_pasted)

    def _use_pasted(self, read: ReadTable | ReadLines) -> None:
        if isinstance(read, ReadTable):
            self._use_table(self._paste_data, read)
            return
        there, new = self.session.document.data, read.data
        try:
            self._add_data(joined(there, new), there.n)
        except BadInput as problem:
            self.window.complain(str(problem))
            return
        self.window.canvas.complain(
            f"{counted(new.n, 'string')} added, of {new.target_text(0)}.",
            "F gives the selected ones the other class.",
        )

    def _use(self, path: Path, loaded: Loaded) -> None:
        """Use what was read from a file: a session replaces the present one, a table its points."""
        if isinstance(loaded, ReadTable):
            self._use_table(self._use_data, loaded)
        elif isinstance(loaded, ReadLesson):
            self.window.lessons.begin(loaded.lesson)
            self.window.settings.remember_file(path)
        elif self.may_close():
            own = path.suffix.lower() == kviz.SUFFIX
            self._open_state(loaded.state, loaded.extra, path if own else None, loaded.seen)
            self.window.settings.remember_file(path)

    def _use_table(self, use: Callable[[Data, bool, str], None], read: ReadTable) -> None:
        """Make data of a table, asking for columns where there is a choice, and call `use` with them."""
        table = read.table
        try:
            chosen = self._chosen(table) if read.data is None else (read.data, False)
            if chosen is not None:
                use(*chosen, table.source)
        except BadInput as problem:
            self.window.complain(str(problem))

    def _chosen(self, table: Table) -> tuple[Data, bool] | None:
        if len(table.columns) < 3 or not len(table):
            wanted = "; ".join(f"{w.title} needs {w.wants}" for w in workspaces())
            raise BadInput(f"{table.source or 'The table'}: {wanted}.")
        picker = ColumnPicker(table, self.window, self.session.document.workspace)
        data = picker.data if picker.exec() else None
        standardise = picker.standardise.isEnabled() and picker.standardise.isChecked()
        picker.deleteLater()
        return None if data is None else (data, standardise)

    def _use_data(self, data: Data, standardised: bool, source: str) -> None:
        workspace = workspace_of(data)
        if problem := workspace.refusal(data):
            raise BadInput(f"{source}: {problem}")
        self.session.change("open data", data=data, source=source, standardised=standardised)
        view = workspace.extent(self.session.document.data)
        self.session.adjust(view=view, selection=())
        self._warn_if_beyond(view, source)

    def _warn_if_beyond(self, view: ViewRange, source: str) -> None:
        """Show a message if no view can contain all points."""
        reach = max(map(abs, (view.left, view.right, view.bottom, view.top)))
        if reach > FARTHEST:
            self.window.complain(
                f"{source}: the canvas shows numbers up to ±{FARTHEST:g}, and some of these are larger. "
                "Rescale them to see all points."
            )

    def _paste_data(self, data: Data, standardised: bool, source: str) -> None:
        """Replace the points by pasted ones, or add them if that is possible and the user chooses so."""
        there = self.session.document.data
        try:
            both = joined(there, data)
        except BadInput:
            both = None
        if both is None or not there.n or standardised:
            self._use_data(data, standardised, source)
            return
        PasteQuestion(
            there.n,
            data,
            lambda: self._use_data(data, standardised, source),
            lambda: self._add_data(both, there.n),
            self.window,
        ).open()

    def _add_data(self, both: Data, before: int) -> None:
        """Use joined points and select those after the first `before`, which are new."""
        self.session.change("paste points", data=both, source="")
        workspace, data = workspace_of(both), self.session.document.data
        view = self.session.look.view
        if not shows(view, workspace.positions(data)):
            view = workspace.extent(data)
        self.session.adjust(view=view, selection=tuple(range(before, data.n)))
        self._warn_if_beyond(view, "The pasted points")

    # Saving --------------------------------------------------------------------------------------------
    def save(self) -> bool:
        """Save to the session's file, or ask for one; return True if it is saved now."""
        if self.path is None:
            return self.save_as()
        if not self._changed_elsewhere(self.path):
            return self._save(self.path)
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
        return self._save(self.path) if answer == button.Yes else answer == button.No and self.save_as()

    def save_as(self) -> bool:
        """Ask for a file and save the session to it; return True if it is saved."""
        path = ask_where(self.window, "Save session", str(self.path or f"Untitled{kviz.SUFFIX}"), SESSIONS)
        return path is not None and self._save(path)

    def _changed_elsewhere(self, path: Path) -> bool:
        """Return True if the content of the file is not what was last read from it or written to it."""
        try:
            return os.path.exists(path) and kviz.fingerprint(kviz.content_of(path)) != self._seen
        except BadInput:
            return True

    def export_data(self) -> None:
        """Ask for a file and save the points, or the model, in a format that other programs read."""
        path = ask_where(self.window, "Save data", "points.csv", point_formats())
        if path is not None:
            self.save_points(path)

    def save_points(self, path: Path) -> None:
        """Save the points, or as JSON the model, in the format of the file's suffix."""
        from kernelviz.session.tables import formats

        try:
            if path.suffix.lower() == ".json":
                frame = self.window.workbench.frame
                if frame is None:
                    raise BadInput("There is no fitted model to save yet.")
                formats.save_model(frame.model, path)
            else:
                formats.save_data(self.session.document.data, path)
        except BadInput as problem:
            self.window.complain(str(problem))

    def may_close(self, why: str = "") -> bool:
        """Return True if the present session may be closed: it is saved, or the user agrees.

        why: a sentence before the question about what is going to happen. In a lesson the question is about
        the work from before."""
        if self.window.lessons.nothing_to_save:
            return True
        with self.window.lessons.work_from_before():
            before = "Your work from before the lesson is not saved. " if self.window.lessons.running else ""
            return self._may_close(before + why)

    def _may_close(self, why: str) -> bool:
        if not self.session.unsaved:
            return True
        where = f" in {_listed(self.session.unsaved_in)}" if self.session.elsewhere else ""
        button = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self.window,
            "Save changes?",
            plain(f"{why}{self.title} has unsaved changes{where}."),
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
        problem = self._recovery.close(keep=keep)
        if keep and problem and self.session.unsaved:
            self.lost = f"The unsaved changes to {self.title} could not be kept: {problem}."

    def _open_state(
        self,
        state: State,
        extra: dict[str, Any],
        path: Path | None,
        seen: str = "",
        *,
        saved: bool = True,
    ) -> None:
        document, sentence = manageable(state.document)
        if sentence:  # the file keeps all its points, so it must not be overwritten
            state, path = State(document, state.look.replace(selection=())), None
        self.window.lessons.forget()
        elsewhere, extra = unpacked(extra)
        lesson = extra.pop(LESSON, None)
        self.path, self._extra, self._seen = path, extra, seen
        self.session.open(state, elsewhere=elsewhere, saved=saved)
        self.window.lessons.resume(lesson)
        if sentence:
            self.window.complain(sentence)

    @property
    def _packed(self) -> dict[str, Any]:
        """The extra fields of the file, including the other workspaces and a lesson."""
        return self._luggage.packed(self._extra, self.session.elsewhere) | self.window.lessons.record()

    def set_aside(self) -> object:
        """Have no file for now, as a lesson has none; return what `take_back` needs."""
        kept = self.path, self._extra, self._seen
        self.path, self._extra, self._seen = None, {}, ""
        return kept

    def take_back(self, kept: Any) -> None:
        """Have the file again that was set aside, or none."""
        self.path, self._extra, self._seen = kept or (None, {}, "")

    def _save(self, path: Path) -> bool:
        try:
            self._seen = kviz.save(path, self.session.state, self._packed)
        except BadInput as problem:
            self.window.complain(str(problem))
            return False
        self.path = path
        self.window.settings.remember_file(path)
        self.session.mark_saved()
        return True

    # After a crash -------------------------------------------------------------------------------------
    def start_with(self, path: Path) -> None:
        """Open the file that the program was started with, and offer to recover unsaved changes to it."""
        if found := crashed_sessions():
            self._loader.start("unsaved sessions", examining(found), partial(self._open_and_offer, path))
        else:
            self.open_path(path)

    def _open_and_offer(self, path: Path, found: list[Examined]) -> None:
        name = os.path.realpath(path)
        self.open_path(path)
        if own := [kept for kept in found if kept.opened and os.path.realpath(kept.opened) == name]:
            self._show_recovery(own)

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
        dialog = RecoveryDialog(found, self.window)
        dialog.recover.connect(self._recover_session)
        dialog.discard.connect(lambda kept: kept.crashed.discard())
        dialog.open()

    def _recover_session(self, kept: Examined) -> None:
        if not self.may_close():
            return
        try:
            adopted = self._recovery.adopt(kept.crashed)
            self._loader.stop()  # the file it belongs to may still be being read
            self._open_state(*adopted, saved=False)
        except BadInput as problem:
            self.window.complain(str(problem))
