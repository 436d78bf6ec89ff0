"""Forms for anything with declared parameters, generated from the declarations."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFormLayout, QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, Parameter
from kernelviz.ui.widgets.control import Control
from kernelviz.ui.widgets.controls import control_for
from kernelviz.ui.widgets.layouts import Section, column, form_rows, soon
from kernelviz.ui.widgets.number_control import NumberControl


class ParameterForm(QWidget):
    """A control for every parameter of a class.

    The technical (silent) parameters are in the section "More", whose controls are made when it is opened.

    >>> form = ParameterForm(Gaussian)
    >>> form.show_declared(Gaussian(gamma=2))
    >>> form.edited.connect(lambda kernel, gesture, name: session.change(name, kernel=kernel))"""

    edited = Signal(object, object, str)  # (the changed object, gesture, name of the undo step)
    grown = Signal()  # Controls were added.
    renamed = Signal()  # A number is shown in other terms.

    def __init__(
        self,
        declared_class: type[Declared],
        parameters: tuple[Parameter, ...] | None = None,
        *,
        plays: bool = False,
    ) -> None:
        """parameters: those to edit, if not all of the class."""
        super().__init__()
        self._plays = plays
        self.declared: Declared | None = None
        self._made: dict[str, Control] = {}
        self._rows_with: dict[str, QFormLayout] = {}
        self._hidden: frozenset[str] = frozenset()
        self._owner = declared_class.name
        whole = column(on=self, spacing=4)
        if parameters is None:
            parameters = declared_class.parameters()
        main = [p for p in parameters if not p.silent]
        self._put_off = [p for p in parameters if p.silent]
        if main:
            whole.addLayout(self._rows(main))
        if self._put_off:
            self.more = Section("More", open=False, level=2)
            self.more.opening.connect(self._complete)
            self.more.set_open(not main)
            whole.addWidget(self.more)
        self.has_parameters = bool(parameters)

    @property
    def controls(self) -> dict[str, Control]:
        """All controls by the names of their parameters; those that were put off are made."""
        self._complete()
        return self._made

    @property
    def main(self) -> NumberControl | None:
        """The control of the main parameter: the first number that is not technical."""
        numbers = (made for made in self._made.values() if isinstance(made, NumberControl))
        seen = (made for made in numbers if not (made.parameter.silent or self._hides(made.parameter)))
        return next(seen, None)

    def hide_controls(self, names: frozenset[str]) -> None:
        """Show the controls of all parameters but these, which may be named as one of their views is."""
        self._hidden = names
        for name, control in self._made.items():
            self._rows_with[name].setRowVisible(control, not self._hides(control.parameter))

    def _hides(self, parameter: Parameter) -> bool:
        return not self._hidden.isdisjoint(parameter.names)

    def _complete(self) -> None:
        """Make the controls that were put off."""
        if not self._put_off:
            return
        parameters, self._put_off = self._put_off, []
        self.more.body.addLayout(self._rows(parameters))
        for parameter in parameters:
            if self.declared is not None:
                self._made[parameter.name].show_value(getattr(self.declared, parameter.name))
        self.hide_controls(self._hidden)
        if self.isVisible():
            self._align_labels()
        self.grown.emit()

    def _rows(self, parameters: list[Parameter]) -> QFormLayout:
        """Return a row for each parameter, with its label and its control."""
        rows = form_rows()
        for parameter in parameters:
            # Technical numbers are not worth playing through.
            control = control_for(parameter, self._owner, plays=self._plays and not parameter.silent)
            control.edited.connect(self._on_edited)
            if isinstance(control, NumberControl):
                control.renamed.connect(self.renamed)
            self._made[parameter.name], self._rows_with[parameter.name] = control, rows
            if control.carries_label:
                rows.addRow(control)
            else:
                rows.addRow(control.label, control)
        return rows

    def _align_labels(self) -> None:
        """Centre each label on its editors, not on an error message below them."""
        for control in self._made.values():
            control.label.setFixedHeight(control.row_height())

    def showEvent(self, event: QShowEvent) -> None:
        self._align_labels()  # heights are known once the style has been applied
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.isVisible():
            # After the controls have changed too.
            soon(self, self._align_labels)

    def show_declared(self, declared: Declared) -> None:
        """Show an object's values without emitting anything."""
        if declared is self.declared:
            return
        self.declared = declared
        for name, control in self._made.items():
            control.show_value(getattr(declared, name))

    def _on_edited(self, value: Any, gesture: object) -> None:
        """Emit the object with its new value, or show in the control why that combination is not allowed."""
        control = self.sender()
        assert isinstance(control, Control)
        old = self.declared
        if old is None:
            return
        name = control.parameter.name
        try:
            new = old.replace(**{name: value})
        except BadInput as problem:  # the combination is not allowed
            control.show_value(getattr(old, name))
            control.complain(str(problem))
            return
        self.declared = new
        label = control.name_shown if isinstance(control, NumberControl) else control.parameter.label
        self.edited.emit(new, gesture, f"change {label}")


class FormStack(QWidget):
    """Shows the form of any declared object: a kernel, an algorithm, a data set.

    Each form is kept for its next use, with the units in which it shows its numbers. `forget_hidden` deletes
    those that are not in view, before every widget is restyled."""

    edited = Signal(object, object, str)
    grown = Signal()  # Controls were added.
    renamed = Signal()  # A number is shown in other terms.

    def __init__(self, *, plays: bool = True) -> None:
        """plays: numbers get a button that moves them through their range."""
        super().__init__()
        self._plays = plays
        self._forms: dict[tuple[type[Declared], tuple[Parameter, ...]], ParameterForm] = {}
        self._column = column(on=self)
        self.current: ParameterForm | None = None
        self.hidden: frozenset[str] = frozenset()  # The parameters whose controls are not shown.

    def show_declared(self, declared: Declared, parameters: tuple[Parameter, ...] | None = None) -> None:
        """Show the form of an object, for all of its parameters or for some, without emitting anything.

        The form of each class is kept, so that a control shows a number by the name that was chosen for it
        before."""
        kind = type(declared), declared.parameters() if parameters is None else parameters
        form = self._forms.get(kind)
        if form is None:
            form = self._forms[kind] = ParameterForm(*kind, plays=self._plays)
            form.edited.connect(self.edited)
            form.grown.connect(self.grown)
            form.renamed.connect(self.renamed)
            self._column.addWidget(form)
            form.hide_controls(self.hidden)
            self.grown.emit()
        form.show_declared(declared)
        if form is not self.current:
            if self.current is not None:
                self.current.hide()
            form.show()
            self.current = form
        self.setVisible(form.has_parameters)

    def hide_controls(self, names: frozenset[str]) -> None:
        """Show the controls of all parameters but these, in every form."""
        self.hidden = names
        for form in self._forms.values():
            form.hide_controls(names)

    @property
    def main(self) -> NumberControl | None:
        """The control of the main parameter of the shown object, if it has one."""
        return None if self.current is None or self.isHidden() else self.current.main

    def step(self, by: int) -> None:
        """Increase (1) or decrease (-1) the main parameter."""
        if self.main is not None:
            self.main.step(by)

    def forget_hidden(self) -> None:
        """Delete the hidden forms, without waiting for the event loop: restyling one takes as long as making
        it."""
        for kind, form in list(self._forms.items()):
            if form is not self.current:
                del self._forms[kind]
                form.deleteLater()
                QCoreApplication.sendPostedEvents(form, QEvent.Type.DeferredDelete.value)
