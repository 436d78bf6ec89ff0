"""Points from files and from the clipboard, and points saved for other programs.

A table may be read as several kinds of data. Where the columns leave no doubt it is used directly, otherwise
the user chooses columns in a dialogue. Whatever is wrong with a table, the points of the session stay as they
are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.wording import counted
from kernelviz.session.files.link import is_link
from kernelviz.session.suiting import suited
from kernelviz.session.tables import formats
from kernelviz.session.tables.gram import is_square, objects_in
from kernelviz.session.tables.preparation import joined
from kernelviz.session.tables.table import Table
from kernelviz.session.view import shows
from kernelviz.session.workspaces.registry import workspace_of, workspaces
from kernelviz.ui.dialogs.column_picker import ColumnPicker
from kernelviz.ui.dialogs.questions import GapsQuestion, PasteQuestion, ask_where
from kernelviz.ui.window.loading import Loader, ReadTable, pasted
from kernelviz.ui.window.shell import Shell


def patterns(suffixes: Iterable[str]) -> str:
    """Return suffixes as file dialogues list them: (*.csv *.tsv)."""
    return f"({' '.join(f'*{suffix}' for suffix in suffixes)})"


def point_formats() -> str:
    """Return the filters of the dialogue that saves points."""
    named = [f"{name} {patterns(suffixes)}" for name, (_, suffixes) in formats.NAMED_FORMATS.items()]
    return ";;".join([*named, "Model as JSON (*.json)"])


class DataFiles(QObject):
    """Brings the points of tables and texts into the session, and saves them in formats of other programs.

    A table is read by the loader on another thread. Where it is not obvious which columns are inputs and
    target, the user is asked. Pasted points replace the present ones or join them."""

    def __init__(self, window: Shell, loader: Loader) -> None:
        super().__init__(window)
        self._window, self._session = window, window.session
        self._loader = loader

    # Reading --------------------------------------------------------------------------------------------
    def open_table(self, read: ReadTable) -> None:
        """Replace the points by those of a table that has been read from a file."""
        self._use_table(self._use_data, read)

    def paste(self) -> None:
        """Paste points from the clipboard, copied from a spreadsheet or a text, or open the link on it."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._window.complain("There is no text on the clipboard.")
            return
        if is_link(text):
            self._window.files.open_link(text)
            return
        data = self._session.document.data
        plain = partial(workspace_of(data).plain, data)
        clipboard = "clipboard"
        self._loader.start(f"the {clipboard}", pasted(text, clipboard, plain), self._use_pasted)

    def _use_pasted(self, new: ReadTable | Data) -> None:
        """Use a pasted table, or add the points of pasted lines to the present ones."""
        if isinstance(new, ReadTable):
            self._use_table(self._paste_data, new)
            return
        there = self._session.document.data
        try:
            self._add_data(joined(there, new), there.n)
        except BadInput as problem:
            self._window.complain(str(problem))
            return
        self._window.canvas.complain(
            f"{counted(new.n, 'string')} added as {new.target_text(0)}.",
            "F gives the selected ones the other class.",
        )

    def _use_table(self, use: Callable[[Data, bool, Table], None], read: ReadTable) -> None:
        """Make data of a table, asking for columns where there is a choice, and about rows that lack a value;
        call `use` with them."""
        if read.gaps:
            whole = replace(read, gaps="")
            GapsQuestion(read.gaps, read.cells, lambda: self._use_table(use, whole), self._window).open()
            return
        try:
            chosen = self._chosen(read.table) if read.data is None else (read.data, False)
            if chosen is not None:
                use(*chosen, read.table)
        except BadInput as problem:
            self._window.complain(str(problem))

    def _chosen(self, table: Table) -> tuple[Data, bool] | None:
        """Ask for the columns; return the data and whether to standardise them, or None if cancelled.

        While objects are shown, a square table is meant as a Gram matrix: BadInput says what is wrong with
        it."""
        if len(table.columns) < 3 or not len(table):
            wanted = "; ".join(f"{w.title} needs {w.wants}" for w in workspaces())
            raise BadInput(f"{table.source or 'The table'}: {wanted}.")
        if self._session.document.data.domain == "objects" and is_square(table):
            found = objects_in(table, wanted=True)
            return None if found is None else (found, False)
        picker = ColumnPicker(table, self._window, self._session.document.workspace)
        data = picker.data if picker.exec() else None
        standardise = picker.standardise.isEnabled() and picker.standardise.isChecked()
        picker.deleteLater()
        return None if data is None else (data, standardise)

    def _use_data(self, data: Data, standardised: bool, table: Table) -> None:
        """Replace the points of the session and let its fits suit them, or raise BadInput if no workspace can
        show these."""
        workspace, session, source = workspace_of(data), self._session, table.source
        if problem := workspace.refusal(data):
            raise BadInput(f"{source}: {problem}")
        step = object()
        session.change("open data", gesture=step, data=data, source=source, standardised=standardised)
        document = session.document
        sampled = self._window.canvas.banner.text if document.sampled_from else ""
        fits, sentences = zip(*(suited(fit, document.data) for fit in document.fits), strict=True)
        if any(sentences):
            session.change("open data", gesture=step, fits=fits)
        view = workspace.extent(document.data)
        session.adjust(view=view, selection=())
        said = " ".join(filter(None, dict.fromkeys((sampled, *table.remarks, *sentences))))
        if said:
            first, stop, rest = said.partition(". ")
            self._window.canvas.complain(first + stop.strip(), rest, about_data=bool(sampled))

    def _paste_data(self, data: Data, standardised: bool, table: Table) -> None:
        """Replace the points by pasted ones, or add them if that is possible and the user chooses so."""
        there = self._session.document.data
        try:
            both = joined(there, data)
        except BadInput:
            both = None
        if both is None or not there.n or standardised:
            self._use_data(data, standardised, table)
            return
        PasteQuestion(
            there.n,
            data,
            lambda: self._use_data(data, standardised, table),
            lambda: self._add_data(both, there.n),
            self._window,
        ).open()

    def _add_data(self, both: Data, before: int) -> None:
        """Use joined points and select those after the first `before`, which are new."""
        self._session.change("paste points", data=both, source="")
        workspace, data = workspace_of(both), self._session.document.data
        view = self._session.look.view
        if not shows(view, workspace.positions(data)):
            view = workspace.extent(data)
        self._session.adjust(view=view, selection=tuple(range(before, data.n)))

    # Saving ---------------------------------------------------------------------------------------------
    def export_data(self) -> None:
        """Ask for a file and save the points, or the model, in a format that other programs read."""
        path = ask_where(self._window, "Save data", "points.csv", point_formats())
        if path is not None:
            self.save_points(path)

    def save_points(self, path: Path) -> None:
        """Save the points, or as JSON the model, in the format of the file's suffix."""
        try:
            if path.suffix.lower() == ".json":
                frame = self._window.workbench.frame
                if frame is None:
                    raise BadInput("There is no fitted model to save yet.")
                formats.save_model(frame.model, path)
            else:
                formats.save_data(self._session.document.data, path)
        except BadInput as problem:
            self._window.complain(str(problem))
