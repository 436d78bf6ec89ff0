"""Pasted points while there are others: added to them, or in their place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QWidget

from kernelviz.drawing.numbers import counted
from kernelviz.engine.data import Data

__all__ = ["PasteQuestion"]


class PasteQuestion(QMessageBox):
    """Asks without stopping the window's clock; nothing happens until one of the two is chosen."""

    def __init__(
        self, there: int, pasted: Data, replace: Callable[[], None], add: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Paste {pasted.noun}s")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIcon(QMessageBox.Icon.Question)
        self.setText(
            f"Add {counted(pasted.n, pasted.noun)} to the {there} there are, or put them in their place?"
        )
        self.setInformativeText("Undo takes back either.")
        self.replace = self.addButton("&Replace", QMessageBox.ButtonRole.AcceptRole)
        self.add = self.addButton("&Add", QMessageBox.ButtonRole.AcceptRole)
        self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(self.replace)
        self._actions: dict[QAbstractButton, Callable[[], None]] = {self.replace: replace, self.add: add}
        self.buttonClicked.connect(self._on_clicked)

    def _on_clicked(self, button: QAbstractButton) -> None:
        if act := self._actions.get(button):
            act()
