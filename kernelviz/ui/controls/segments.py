"""A few options side by side, one of them pressed."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from kernelviz.ui.controls.keys import MOVES, PRESSES, Button

__all__ = ["Segment", "Segments"]


class Segment(Button):
    """One option; arrows go to the next, as in a row of radio buttons."""

    kept = PRESSES | MOVES


class Segments(QWidget):
    """A row of joined buttons for a handful of options."""

    chosen = Signal(object)
    """The option the user pressed."""

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__()
        self.setObjectName("segments")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, Segment] = {}
        for k, (option, text) in enumerate(options.items()):
            button = Segment(text)
            button.setCheckable(True)
            button.setProperty("place", _place(k, len(options)))
            button.setAccessibleName(text)
            self._group.addButton(button)
            self.buttons[option] = button
            row.addWidget(button, 1)
        self._shown = next(iter(options))
        self._group.buttonToggled.connect(self._on_toggled)
        self._quiet = False

    def setToolTip(self, text: str) -> None:
        super().setToolTip(text)
        for button in self.buttons.values():
            button.setToolTip(text)

    def show_option(self, option: str) -> None:
        """Press an option without telling anyone."""
        self._quiet = True
        self._shown = option
        self.buttons[option].setChecked(True)
        self._quiet = False

    def _on_toggled(self, button: Segment, on: bool) -> None:
        option = next(o for o, b in self.buttons.items() if b is button)
        if on and not self._quiet and option != self._shown:
            self._shown = option
            self.chosen.emit(option)


def _place(k: int, count: int) -> str:
    return "first" if k == 0 else "last" if k == count - 1 else "middle"
