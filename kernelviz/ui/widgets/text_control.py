"""The control of a label, or of several with semicolons between them."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLineEdit

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Parameter
from kernelviz.ui.widgets.control import Control


class TextControl(Control):
    """A line of text that is offered while it is typed."""

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__(parameter, owner)
        self.line = QLineEdit()
        self.line.setPlaceholderText("first; second" if parameter.kind.several else "")
        self.line.textChanged.connect(self._on_changed)
        self.lay_out(self.line)

    def _on_changed(self, typed: str) -> None:
        try:
            self.offer(self._checked(typed))
        except BadInput as problem:
            self.complain(str(problem))

    def _checked(self, typed: str) -> Any:
        return self.parameter.kind.check(typed, self.parameter, self.parameter.label)

    def _show(self, value: Any) -> None:
        """Show a value; what is being typed stays as it is, with a blank at its end."""
        try:
            same = self._checked(self.line.text()) == value
        except BadInput:
            same = False
        if not same:
            self.line.setText(value if isinstance(value, str) else "; ".join(value))
