"""The control of a formula: a line of text, which becomes the value with Return or when it is left."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Parameter
from kernelviz.ui.widgets.control import Control


class FormulaControl(Control):
    """A line of text; what is wrong with it is said below, and the value stays."""

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__(parameter, owner)
        self.line = QLineEdit()
        self.line.editingFinished.connect(self._on_finished)
        self.lay_out(self.line)
        self.show_value(parameter.default)

    def _show(self, value: str) -> None:
        if self.line.text() != value:
            self.line.setText(value)

    def _on_finished(self) -> None:
        try:
            self.offer(self.parameter.check(self.line.text(), self.owner))
        except BadInput as problem:
            self.complain(str(problem))
