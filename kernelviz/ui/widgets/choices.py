"""Choosing one of a few options: a row of segments, and the control made of it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from kernelviz.engine.core.params import Parameter
from kernelviz.ui.widgets.base import Control
from kernelviz.ui.widgets.buttons import MOVES, PRESSES, Button, CheckBox, Combo
from kernelviz.ui.widgets.plain import Label


class Segment(Button):
    """One option; arrows go to the next, as in a row of radio buttons."""

    kept = PRESSES | MOVES


class Segments(QWidget):
    """A row of joined buttons for a handful of options."""

    chosen = Signal(object)  # The option the user pressed.

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


CHARACTERS_ABREAST = 22  # Characters that fit side by side in a narrow panel.


class ChoiceControl(Control):
    """A named option."""

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__(parameter, owner)
        shown = {option: option.replace("_", " ").replace("-", " ") for option in parameter.options}
        self.segments: Segments | None = None
        self.combo: Combo | None = None
        if len(shown) <= 3 and sum(map(len, shown.values())) <= CHARACTERS_ABREAST:
            self.segments = Segments(shown)
            self.segments.chosen.connect(self.offer)
            self.lay_out(self.segments)
        else:
            self.combo = Combo()
            for option, text in shown.items():
                self.combo.addItem(text, option)
            self.combo.activated.connect(self._on_activated)
            self.lay_out(self.combo)
        self.show_value(parameter.default)

    def _on_activated(self, row: int) -> None:
        assert self.combo is not None
        self.offer(self.combo.itemData(row))

    def _show(self, value: str) -> None:
        if self.segments is not None:
            self.segments.show_option(value)
        elif self.combo is not None:
            self.combo.setCurrentIndex(self.combo.findData(value))


class FlagControl(Control):
    """Yes or no; the box carries the label itself."""

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__(parameter, owner)
        self.label = Label("")
        self.box = CheckBox(parameter.label)
        self.box.clicked.connect(self._on_clicked)
        self.lay_out(self.box)
        self.show_value(parameter.default)

    def _on_clicked(self, checked: bool) -> None:
        self.offer(checked)

    def _show(self, value: bool) -> None:
        self.box.setChecked(value)
