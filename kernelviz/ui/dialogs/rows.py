"""Rows of choices in the export dialogues: the controls of the panels, made from declared parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QGridLayout, QHBoxLayout, QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import CHOICE, Declared
from kernelviz.scene.icons import icon
from kernelviz.ui.widgets.buttons import CheckBox, ToolButton
from kernelviz.ui.widgets.controls import Control, Segments
from kernelviz.ui.widgets.form import control_for
from kernelviz.ui.widgets.labels import Label, Message
from kernelviz.ui.widgets.number_field import NumberField
from kernelviz.ui.widgets.scale import Scale

LABEL_WIDTH = 88


class Rows(QWidget):
    """A control with its label for each of some parameters."""

    edited = Signal(str, object)  # (parameter, value) the user chose.

    def __init__(self, choices: type[Declared], names: Iterable[str]) -> None:
        super().__init__()
        self.controls: dict[str, Control] = {}
        self.grid = QFormLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setHorizontalSpacing(10)
        self.grid.setVerticalSpacing(6)
        self.grid.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.grid.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for name in names:
            control = control_for(choices.parameter(name), choices.name)
            control.edited.connect(lambda value, _gesture, name=name: self.edited.emit(name, value))
            self.controls[name] = control
            self.add(control.label, control)
        self._align_labels()

    def add(self, label: QWidget | str, field: QWidget) -> int:
        """Add a row and return its index. It is as wide as controls with their button for the default."""
        label = Label(label) if isinstance(label, str) else label
        label.setMinimumWidth(LABEL_WIDTH)
        if isinstance(field, Control):
            self.grid.addRow(label, field)
        else:
            row = QHBoxLayout()
            row.setSpacing(0)
            row.addWidget(field, 1)
            row.addSpacing(_aside())
            self.grid.addRow(label, row)
        return self.grid.rowCount() - 1

    def show_choices(self, choices: Declared) -> None:
        """Show the values without emitting anything."""
        for name, control in self.controls.items():
            value = getattr(choices, name)
            if control.parameter.kind is CHOICE:
                control.set_default(value)  # all options are visible, so no button for the default is needed
            control.show_value(value)

    def _align_labels(self) -> None:
        for control in self.controls.values():
            control.label.setFixedHeight(control.row_height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._align_labels()


def _aside() -> int:
    """Return the width of the button with which a control goes back to its default."""
    button = ToolButton()
    button.setIcon(icon("undo"))
    return button.sizeHint().width() + 6


class SizeRow(QWidget):
    """Width × height, with a unit where there is a choice."""

    edited = Signal(str, object)

    def __init__(self, choices: type[Declared]) -> None:
        super().__init__()
        names = {parameter.name: parameter for parameter in choices.parameters()}
        self._parameters = {name: names[name] for name in ("width", "height")}
        self._owner = choices.name
        self.fields: dict[str, NumberField] = {}
        self.message = Message("error")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.setSpacing(6)
        for name, parameter in self._parameters.items():
            whole = "unit" not in names  # pixels
            field = NumberField(
                Scale(parameter.low, parameter.high, parameter.low, parameter.high, whole=whole)
            )
            field.setAccessibleName(parameter.label)
            field.setToolTip(parameter.label)
            field.typed.connect(lambda value, name=name: self._on_typed(name, value))
            field.stepped.connect(lambda value, _gesture, name=name: self._on_typed(name, value))
            self.fields[name] = field
        row.addWidget(self.fields["width"], 1)
        row.addWidget(Label("×"))
        row.addWidget(self.fields["height"], 1)
        self.unit: Segments | None = None
        if "unit" in names:
            self.unit = Segments({unit: unit for unit in names["unit"].options})
            self.unit.chosen.connect(lambda unit: self.edited.emit("unit", unit))
            row.addWidget(self.unit, 1)
        else:
            row.addWidget(Label("px"))
        grid.addLayout(row, 0, 0)
        grid.addWidget(self.message, 1, 0)

    def show_choices(self, choices: Any) -> None:
        self.message.say("")
        for name, field in self.fields.items():
            field.show_value(getattr(choices, name))
        if self.unit is not None:
            self.unit.show_option(choices.unit)

    def _on_typed(self, name: str, value: Any) -> None:
        try:
            checked = self._parameters[name].check(value, self._owner)
        except BadInput as problem:
            self.fields[name].keep_text()
            self.message.say(str(problem))
            return
        self.message.say("")
        self.edited.emit(name, checked)
        self.fields[name].show_value(checked)


def ticks(boxes: dict[str, CheckBox], columns: int = 3) -> QGridLayout:
    """Return check boxes in a grid."""
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(2)
    for k, box in enumerate(boxes.values()):
        grid.addWidget(box, k // columns, k % columns)
    for column in range(columns):
        grid.setColumnStretch(column, 1)
    return grid
