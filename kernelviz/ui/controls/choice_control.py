"""One of a few: side by side when they fit, else a list. Yes or no: a check box."""

from __future__ import annotations

from kernelviz.engine.params import Parameter
from kernelviz.ui.controls.base import Control
from kernelviz.ui.controls.keys import CheckBox, Combo
from kernelviz.ui.controls.plain import Label
from kernelviz.ui.controls.segments import Segments

__all__ = ["ChoiceControl", "FlagControl"]

CHARACTERS_ABREAST = 22
"""Characters that fit side by side in a narrow panel."""


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
