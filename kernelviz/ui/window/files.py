"""New, open, save, paste: what the File menu does, never losing anything."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput
from kernelviz.session import files, writing
from kernelviz.session.edits import empty
from kernelviz.session.preparation import manageable
from kernelviz.session.reading import read_text
from kernelviz.session.recovery import Orphan, Recovery, orphans, watch
from kernelviz.session.state import State, fitting_view
from kernelviz.session.tables import Table, obvious
from kernelviz.ui.dialogs.column_picker import ColumnPicker
from kernelviz.ui.window.loading import Loaded, Loader, ReadTable

if TYPE_CHECKING:
    from kernelviz.ui.window.main_window import MainWindow

__all__ = ["Files"]

SESSIONS = "kernelviz sessions (*.kviz)"
OPENABLE = (
    "Sessions, points and pictures "
    "(*.kviz *.csv *.tsv *.txt *.dat *.svm *.svmlight *.libsvm *.npz *.png);;All files (*)"
)
CLIPBOARD = "clipboard"
SAVE_POINTS = "CSV (*.csv);;svmlight (*.svm);;numpy (*.npz);;Model as JSON (*.json)"


class Files(QObject):
    """The document of one window on its way from and to the disk."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.session = window.session
        self.path: Path | None = None
        self._extra: dict[str, Any] = {}
        self._loader = Loader(window)
        self._loader.loaded.connect(self._use)
        self._loader.failed.connect(window.complain)
        self._stopped = False
        self._recovery = Recovery()
        self._end_watch = watch(self._recovery, self.session, lambda: (self.path, self._extra))

    @property
    def title(self) -> str:
        """What the window is called: the file's name, or that there is none yet."""
        return self.path.name if self.path is not None else "Untitled"

    # Opening -------------------------------------------------------------------------------------------
    def new(self) -> None:
        """An empty plane with the present kernel and algorithm."""
        if self.may_close():
            document = self.session.document.replace(data=empty(), source="", standardised=False)
            look = self.session.look.replace(selection=(), mode="live", step=0)
            self._become(State(document, look), {}, None)

    def open_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self.window, "Open", "", OPENABLE)
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> None:
        """Open whatever the file is; a failure leaves everything as it was."""
        self._loader.start(path)

    def fill_recent(self, menu: QMenu) -> None:
        recent = menu.addMenu("Open &recent")
        recent.setObjectName("recent")
        recent.aboutToShow.connect(lambda: self._list_recent(recent))

    def _list_recent(self, menu: QMenu) -> None:
        menu.clear()
        for name in self.window.settings.recent:
            action = menu.addAction(name)
            action.triggered.connect(lambda _checked, name=name: self.open_path(Path(name)))
        menu.addSeparator()
        forget = menu.addAction("Forget these")
        forget.setEnabled(bool(self.window.settings.recent))
        forget.triggered.connect(self.window.settings.forget_files)

    def paste(self) -> None:
        """Points from the clipboard, as a spreadsheet or a text holds them."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self.window.complain("The clipboard holds no text.")
            return
        try:
            table = read_text(text, CLIPBOARD)
            self._use_table(table, obvious(table))
        except BadInput as problem:
            self.window.complain(str(problem))

    def _use(self, path: Path, loaded: Loaded) -> None:
        """What came from a file: a session takes the place of the present one, a table its points."""
        if isinstance(loaded, ReadTable):
            self._use_table(loaded.table, loaded.data)
        elif self.may_close():
            own = path.suffix.lower() == files.SUFFIX
            self._become(*loaded, path if own else None)
            self.window.settings.remember_file(path)

    def _use_table(self, table: Table, data: Data | None) -> None:
        """Make a table the data: ask for columns where there is a choice."""
        try:
            chosen = self._chosen(table) if data is None else (data, False)
            if chosen is not None:
                self._use_data(*chosen, table.source)
        except BadInput as problem:
            self.window.complain(str(problem))

    def _chosen(self, table: Table) -> tuple[Data, bool] | None:
        if len(table.columns) < 3 or not len(table):
            raise BadInput(
                f"{table.source or 'The table'}: the plane needs two columns of numbers and a label."
            )
        picker = ColumnPicker(table, self.window)
        accepted = picker.exec() and picker.data is not None
        answer = (picker.data, picker.standardise.isChecked()) if accepted else None
        picker.deleteLater()
        return answer

    def _use_data(self, data: Data, standardised: bool, source: str) -> None:
        if data.task not in (Task.TWO_CLASSES, Task.CLASSES) or data.X.shape[1] != 2:
            raise BadInput(f"{source}: the plane needs two coordinates and a label.")
        self.session.change("open data", data=data, source=source, standardised=standardised)
        self.session.adjust(view=fitting_view(self.session.document.data), selection=())

    # Saving --------------------------------------------------------------------------------------------
    def save(self) -> bool:
        """Save where it was opened or saved last; the first time ask where. Whether it is saved now."""
        return self.save_as() if self.path is None else self._save(self.path)

    def save_as(self) -> bool:
        name, _ = QFileDialog.getSaveFileName(self.window, "Save session", self._proposal(), SESSIONS)
        if not name:
            return False
        path = Path(name)
        return self._save(path if path.suffix else path.with_suffix(files.SUFFIX))

    def export_data(self) -> None:
        """The points (or the model) in a format other programs read."""
        name, _ = QFileDialog.getSaveFileName(self.window, "Save data", "points.csv", SAVE_POINTS)
        if name:
            self.save_points(Path(name))

    def save_points(self, path: Path) -> None:
        try:
            if path.suffix.lower() == ".json":
                frame = self.window.workbench.frame
                if frame is None:
                    raise BadInput("There is no fitted model to save yet.")
                writing.save_model(frame.model, path)
            else:
                writing.save_data(self.session.document.data, path)
        except BadInput as problem:
            self.window.complain(str(problem))

    def may_close(self) -> bool:
        """Whether the present document may go: saved, or the user says so."""
        if not self.session.unsaved:
            return True
        button = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self.window,
            "Save changes?",
            f"{self.title} has changes that are not saved.",
            button.Save | button.Discard | button.Cancel,
            button.Save,
        )
        return self.save() if answer == button.Save else answer == button.Discard

    def stop(self, *, keep: bool = False) -> None:
        """Before the window closes. keep: without a question; what is not saved is offered next time."""
        if self._stopped:
            return
        self._stopped = True
        self._loader.stop()
        self._end_watch()
        self._recovery.close(keep=keep)
        if keep:
            self.session.mark_saved()

    def _become(self, state: State, extra: dict[str, Any], path: Path | None) -> None:
        document, sentence = manageable(state.document)
        if sentence:  # the file keeps all its points: what is saved gets another name
            state, path = State(document, state.look.replace(selection=())), None
        self.path, self._extra = path, extra
        self.session.open(state)
        if sentence:
            self.window.complain(sentence)

    def _proposal(self) -> str:
        return str(self.path) if self.path is not None else f"Untitled{files.SUFFIX}"

    def _save(self, path: Path) -> bool:
        try:
            files.save(path, self.session.state, self._extra)
        except BadInput as problem:
            self.window.complain(str(problem))
            return False
        self.path = path
        self.window.settings.remember_file(path)
        self.session.mark_saved()
        return True

    # After a crash -------------------------------------------------------------------------------------
    def offer_recovery(self) -> None:
        """Ask whether to bring back what a window that did not close properly left behind."""
        left = orphans()
        if not left:
            return
        when = time.strftime("%H:%M on %d %B", time.localtime(left[0].modified))
        box = QMessageBox(self.window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Recover?")
        box.setText(f"kernelviz did not close properly. Its points as of {when} were kept.")
        restore = box.addButton("Recover", QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton("Discard", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton("Later", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(restore)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.buttonClicked.connect(lambda button: self._answer(left[0], button is restore, button is discard))
        box.open()

    def _answer(self, orphan: Orphan, restore: bool, discard: bool) -> None:
        if discard:
            orphan.discard()
        elif restore:
            try:
                state, extra, path = self._recovery.adopt(orphan)
            except BadInput as problem:
                self.window.complain(str(problem))
                return
            self._become(state, extra, path)
            self.session.mark_unsaved()
