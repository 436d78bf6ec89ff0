"""Presets of one's own in the dialogue for figures: everything that is set but the words, under a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QInputDialog, QWidget

from kernelviz.ui.widgets.buttons import Button, Combo
from kernelviz.ui.widgets.labels import describe
from kernelviz.ui.widgets.layouts import row


class OwnPresets(QWidget):
    """A list of the presets, and buttons that name the present choices and forget the chosen preset."""

    chosen = Signal(object)  # The choices of a preset.

    def __init__(self, kept: object, present: Callable[[], Mapping[str, Any]]) -> None:
        """kept: the presets by name, as the settings have them. present: returns the choices to be named."""
        super().__init__()
        self.kept: dict[str, Any] = dict(kept) if isinstance(kept, dict) else {}
        self._present = present
        self.combo = Combo()
        self.combo.activated.connect(self._on_activated)
        self.save_button = Button("Name…", do=self._ask)
        self.forget_button = Button("Forget", do=self._forget)
        describe(self.combo, "My presets", "Choices that you have named")
        describe(self.save_button, "Name the present choices", "Keep size and look under a name")
        describe(self.forget_button, "Forget the preset", "Forget the preset in the list")
        row((self.combo, 1), self.save_button, self.forget_button, on=self)
        self._show("")

    def _show(self, name: str) -> None:
        """List the presets, with one of them chosen, or none."""
        self.combo.clear()
        self.combo.addItems(["", *sorted(self.kept)])
        self.combo.setCurrentText(name)
        self.forget_button.setEnabled(bool(name))

    def _on_activated(self) -> None:
        name = self.combo.currentText()
        self.forget_button.setEnabled(bool(name))
        if isinstance(choices := self.kept.get(name), dict):
            self.chosen.emit(choices)

    def _ask(self) -> None:
        """Ask for the name under which the present choices are kept."""
        longest = 40
        name, accepted = QInputDialog.getText(self, "Name the preset", "Name:", text=self.combo.currentText())
        if accepted and (name := name.strip()[:longest]):
            self.kept[name] = dict(self._present())
            self._show(name)

    def _forget(self) -> None:
        self.kept.pop(self.combo.currentText(), None)
        self._show("")
