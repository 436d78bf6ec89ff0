"""The control of a typeface: a list of those that come with the program and of those installed."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase

from kernelviz.engine.core.params import Parameter
from kernelviz.session.typefaces import BUNDLED
from kernelviz.ui.widgets.buttons import Combo
from kernelviz.ui.widgets.control import Control


class TypefaceControl(Control):
    """A list of typefaces, ours first; one that was chosen elsewhere is added to it."""

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__(parameter, owner)
        self.combo = Combo()
        self.combo.addItems([*BUNDLED, *(f for f in QFontDatabase.families() if f not in BUNDLED)])
        self.combo.activated.connect(lambda row: self.offer(self.combo.itemText(row)))
        self.lay_out(self.combo)
        self.show_value(parameter.default)

    def _show(self, value: str) -> None:
        if self.combo.findText(value) < 0:
            self.combo.addItem(value)
        self.combo.setCurrentText(value)
