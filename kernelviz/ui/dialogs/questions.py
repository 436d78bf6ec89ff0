"""Short questions: where to save, and what to do with pasted points."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMessageBox, QWidget

from kernelviz.engine.core.data import Data
from kernelviz.scene.wording import counted
from kernelviz.ui.widgets.labels import plain

YES, NO = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No


def completed(path: Path, filters: str, chosen: str = "") -> Path:
    """Return the path with the suffix of the chosen kind of file, unless it has one of those offered.

    filters: as Qt writes them, "CSV (*.csv);;numpy (*.npz)". A dot alone is not a suffix: "lecture 1.5"."""
    offered = _suffixes(filters)
    if path.suffix.lower() in offered:
        return path
    return path.with_name(path.name + (_suffixes(chosen) or offered)[0])


def _suffixes(filters: str) -> list[str]:
    """Return the suffixes in the filters of a file dialogue."""
    return re.findall(r"\*(\.\w+)", filters)


def ask_where(
    parent: QWidget,
    title: str,
    proposal: str,
    filters: str,
    first_of: Callable[[Path], Path] = lambda path: path,
) -> Path | None:
    """Ask for the file to write; return None if the user cancels.

    first_of: returns the first file that writing to a path creates, if that is not the path itself."""
    while True:
        name, chosen = QFileDialog.getSaveFileName(parent, title, proposal, filters)
        if not name:
            return None
        path = completed(Path(name), filters, chosen)
        first = first_of(path)
        # The file dialogue has already asked about the name that was typed. If a path cannot be looked at,
        # saving gives the reason.
        if first == Path(name) or not os.path.exists(first):
            return path
        question = plain(f"{first.name} exists already. Replace it?")
        if QMessageBox.question(parent, title, question, YES | NO, NO) == YES:
            return path
        proposal = str(path)


class PasteQuestion(QMessageBox):
    """Asks whether pasted points replace the present ones or are added; not modal for the event loop."""

    def __init__(
        self, there: int, pasted: Data, replace: Callable[[], None], add: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Paste {pasted.noun}s")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIcon(QMessageBox.Icon.Question)
        self.setText(f"Add {counted(pasted.n, pasted.noun)} to the {there} on the canvas, or replace them?")
        self.setInformativeText("You can undo either.")
        self.replace = self.addButton("&Replace", QMessageBox.ButtonRole.AcceptRole)
        self.add = self.addButton("&Add", QMessageBox.ButtonRole.AcceptRole)
        self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(self.replace)
        self._actions: dict[QAbstractButton, Callable[[], None]] = {self.replace: replace, self.add: add}
        self.buttonClicked.connect(self._on_clicked)

    def _on_clicked(self, button: QAbstractButton) -> None:
        """Replace the points, add to them, or do nothing."""
        if act := self._actions.get(button):
            act()


class GapsQuestion(QMessageBox):
    """Asks whether the rows of a table that lack a value are left out; not modal for the event loop."""

    def __init__(self, question: str, cells: str, leave_out: Callable[[], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Missing values")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIcon(QMessageBox.Icon.Question)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(question)
        self.setInformativeText(plain(cells))
        leave = self.addButton("&Leave out", QMessageBox.ButtonRole.AcceptRole)
        self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(leave)
        leave.clicked.connect(leave_out)
