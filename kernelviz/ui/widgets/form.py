"""The form of anything with declared parameters, generated from the declarations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import CHOICE, FLAG, Declared, Kind, Parameter
from kernelviz.ui.widgets.base import Control
from kernelviz.ui.widgets.choices import ChoiceControl, FlagControl
from kernelviz.ui.widgets.layouts import Section
from kernelviz.ui.widgets.number_control import NumberControl, SeedControl

# The widget of each kind of parameter that is no number.
CONTROLS: Mapping[Kind, Callable[[Parameter, str], Control]] = {CHOICE: ChoiceControl, FLAG: FlagControl}


def control_for(parameter: Parameter, owner: str = "this", *, plays: bool = False) -> Control:
    """The widget that edits a parameter; `owner` is named in its complaints. `plays`: a number can run
    through its range by itself."""
    if parameter.name == "seed":
        return SeedControl(parameter, owner)
    if parameter.is_number:
        return NumberControl(parameter, owner, plays=plays)
    return CONTROLS[parameter.kind](parameter, owner)


class ParameterForm(QWidget):
    """A control for every parameter of a class; the technical (silent) ones wait under "More", and are not
    even made before it is opened."""

    edited = Signal(object, object, str)  # (the changed object, gesture, name of the undo step)
    grown = Signal()  # There are controls that there were not.
    renamed = Signal()  # A number is shown in other terms.

    def __init__(
        self,
        declared_class: type[Declared],
        parameters: tuple[Parameter, ...] | None = None,
        *,
        plays: bool = False,
    ) -> None:
        """parameters: those that there is something to choose of, if not all."""
        super().__init__()
        self._plays = plays
        self.declared: Declared | None = None
        self._made: dict[str, Control] = {}
        self._owner = declared_class.name
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        if parameters is None:
            parameters = declared_class.parameters()
        main = [p for p in parameters if not p.silent]
        self._put_off = [p for p in parameters if p.silent]
        if main:
            column.addLayout(self._rows(main))
        if self._put_off:
            self.more = Section("More", open=False, level=2)
            self.more.opening.connect(self._complete)
            self.more.set_open(not main)
            column.addWidget(self.more)
        self.has_parameters = bool(parameters)

    @property
    def controls(self) -> dict[str, Control]:
        """By the names of their parameters, all of them."""
        self._complete()
        return self._made

    @property
    def main(self) -> NumberControl | None:
        """The control of the main parameter: of those that are not technical the first number."""
        numbers = (made for made in self._made.values() if isinstance(made, NumberControl))
        return next((made for made in numbers if not made.parameter.silent), None)

    def _complete(self) -> None:
        """Make what has been put off."""
        if not self._put_off:
            return
        parameters, self._put_off = self._put_off, []
        self.more.body.addLayout(self._rows(parameters))
        for parameter in parameters:
            if self.declared is not None:
                self._made[parameter.name].show_value(getattr(self.declared, parameter.name))
        if self.isVisible():
            self._align_labels()
        self.grown.emit()

    def _rows(self, parameters: list[Parameter]) -> QFormLayout:
        rows = QFormLayout()
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setHorizontalSpacing(10)
        rows.setVerticalSpacing(6)
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for parameter in parameters:
            # Of a technical number nobody wants to see all values.
            control = control_for(parameter, self._owner, plays=self._plays and not parameter.silent)
            control.edited.connect(self._on_edited)
            if isinstance(control, NumberControl):
                control.renamed.connect(self.renamed)
            self._made[parameter.name] = control
            if parameter.kind is FLAG:
                rows.addRow(control)
            else:
                rows.addRow(control.label, control)
        return rows

    def _align_labels(self) -> None:
        for control in self._made.values():
            control.label.setFixedHeight(control.row_height())

    def showEvent(self, event: QShowEvent) -> None:
        self._align_labels()  # not before: heights are known once the style has been put on
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.isVisible():
            # Once the controls have changed too.
            QTimer.singleShot(0, self, self._align_labels)

    def show_declared(self, declared: Declared) -> None:
        """Show an object's values without emitting anything."""
        if declared is self.declared:
            return
        self.declared = declared
        for name, control in self._made.items():
            control.show_value(getattr(declared, name))

    def _on_edited(self, value: Any, gesture: object) -> None:
        control = self.sender()
        assert isinstance(control, Control)
        old = self.declared
        if old is None:
            return
        name = control.parameter.name
        try:
            new = old.replace(**{name: value})
        except BadInput as problem:  # the parameters do not go together
            control.show_value(getattr(old, name))
            control.complain(str(problem))
            return
        self.declared = new
        label = control.name_shown if isinstance(control, NumberControl) else control.parameter.label
        self.edited.emit(new, gesture, f"change {label}")
