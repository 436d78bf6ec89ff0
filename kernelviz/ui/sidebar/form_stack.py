"""The forms of all the kinds a panel has shown, one of them visible."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kernelviz.engine.core.params import Declared, Parameter
from kernelviz.ui.widgets.form import ParameterForm
from kernelviz.ui.widgets.number_control import NumberControl


class FormStack(QWidget):
    """Shows the form of any declared object, keeping each form (and the names it shows) for next time."""

    edited = Signal(object, object, str)
    grown = Signal()  # There are controls that there were not.
    renamed = Signal()  # A number is shown in other terms.

    def __init__(self) -> None:
        super().__init__()
        self._forms: dict[tuple[type[Declared], tuple[Parameter, ...]], ParameterForm] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.current: ParameterForm | None = None

    def show_declared(self, declared: Declared, parameters: tuple[Parameter, ...] | None = None) -> None:
        """Show the form of an object, without emitting anything; of all its parameters or of some."""
        kind = type(declared), declared.parameters() if parameters is None else parameters
        form = self._forms.get(kind)
        if form is None:
            form = self._forms[kind] = ParameterForm(*kind, plays=True)
            form.edited.connect(self.edited)
            form.grown.connect(self.grown)
            form.renamed.connect(self.renamed)
            self._column.addWidget(form)
            self.grown.emit()
        form.show_declared(declared)
        if form is not self.current:
            if self.current is not None:
                self.current.hide()
            form.show()
            self.current = form
        self.setVisible(form.has_parameters)

    @property
    def main(self) -> NumberControl | None:
        """The control of the main parameter of what is shown, if it has one."""
        return None if self.current is None or self.isHidden() else self.current.main

    def step(self, by: int) -> None:
        """More or less of the main parameter."""
        if self.main is not None:
            self.main.step(by)

    def forget_hidden(self) -> None:
        """Let go at once of the forms out of sight: styling a form takes as long as making it."""
        for kind, form in list(self._forms.items()):
            if form is not self.current:
                del self._forms[kind]
                form.deleteLater()
                QCoreApplication.sendPostedEvents(form, QEvent.Type.DeferredDelete.value)
