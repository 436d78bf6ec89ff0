"""Rows of choices in the export dialogues: the controls of the panels, made from declared parameters.

`ParameterRows` has a control for each of some parameters; `SizeRow` and `SweepRows` have number fields that
belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared
from kernelviz.engine.selection.tunable import Knob, knobs
from kernelviz.session.state import Document
from kernelviz.ui.widgets.buttons import Combo, ToolButton
from kernelviz.ui.widgets.control import Control
from kernelviz.ui.widgets.controls import Segments, control_for
from kernelviz.ui.widgets.labels import Label, MessageLabel
from kernelviz.ui.widgets.layouts import column, form_rows, row
from kernelviz.ui.widgets.number_field import NumberField
from kernelviz.ui.widgets.painting import type_scale
from kernelviz.ui.widgets.scale import Scale, scale_of


class ParameterRows(QWidget):
    """A control with its label for each of some parameters.

    >>> rows = ParameterRows(FigureChoices, ("dpi", "theme"))
    >>> rows.edited.connect(print)"""

    edited = Signal(str, object)  # (parameter, value) the user chose.

    def __init__(self, choices: type[Declared], names: Iterable[str] = ()) -> None:
        super().__init__()
        self.controls: dict[str, Control] = {}
        self._labels: list[QWidget] = []
        self.grid = form_rows(self)
        for name in names:
            control = control_for(choices.parameter(name), choices.name, room=22)
            control.edited.connect(lambda value, _gesture, name=name: self.edited.emit(name, value))
            self.controls[name] = control
            self.add(control.label, control)

    def add(self, label: QWidget | str, field: QWidget) -> int:
        """Add a row and return its index. It is as wide as controls with their button for the default."""
        label = Label(label) if isinstance(label, str) else label
        self._labels.append(label)
        if isinstance(field, Control):
            self.grid.addRow(label, field)
        else:
            line = row((field, 1), spacing=0)
            line.addSpacing(ToolButton("undo").sizeHint().width() + 6)
            self.grid.addRow(label, line)
        self._align_labels()
        return self.grid.rowCount() - 1

    def show_choices(self, choices: Declared) -> None:
        """Show the values without emitting anything."""
        for name, control in self.controls.items():
            value = getattr(choices, name)
            if control.shows_options:  # so no button for the default is needed
                control.set_default(value)
            control.show_value(value)

    def _align_labels(self) -> None:
        """Give all labels the same width, and centre each on its editors."""
        label_width = 96  # Pixels, unscaled: the controls of all groups begin at the same place.
        for label in self._labels:
            label.setMinimumWidth(round(label_width * type_scale(self)))
        for control in self.controls.values():
            control.label.setFixedHeight(control.row_height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._align_labels()


class Fields(QWidget):
    """Number fields, and one message for refused input."""

    edited = Signal(str, object)  # (name, value) the user typed.

    def __init__(self, titles: Mapping[str, str]) -> None:
        """titles: the names for screen readers of the fields, by their own names."""
        super().__init__()
        self.message = MessageLabel("error")
        self.fields: dict[str, NumberField] = {}
        self.numbers: dict[str, float] = {}  # The values of the fields.
        for name, title in titles.items():
            field = self.fields[name] = NumberField(Scale(0.0, 1.0, 0.0, 1.0))
            field.setAccessibleName(title)
            field.typed.connect(lambda typed, name=name: self._on_typed(name, typed))
            field.stepped.connect(lambda typed, _gesture, name=name: self._on_typed(name, typed))

    def checked(self, name: str, typed: Any) -> float:
        """Return the value typed into a field, or raise BadInput."""
        raise NotImplementedError

    def show_number(self, name: str, value: float) -> None:
        """Show a value without emitting anything."""
        self.numbers[name] = value
        self.fields[name].show_value(value)

    def _on_typed(self, name: str, typed: Any) -> None:
        """Emit the typed value, or leave the text in its field and show why it is refused."""
        try:
            value = self.checked(name, typed)
        except BadInput as problem:
            self.fields[name].keep_text()
            self.message.say(str(problem))
            return
        self.message.say("")
        self.numbers[name] = value
        self.edited.emit(name, value)
        self.show_number(name, value)


class SizeRow(Fields):
    """Width × height, with a unit where there is a choice."""

    def __init__(self, choices: type[Declared]) -> None:
        declared = {parameter.name: parameter for parameter in choices.parameters()}
        self._parameters = {name: declared[name] for name in ("width", "height")}
        self._owner = choices.name
        super().__init__({name: parameter.label for name, parameter in self._parameters.items()})
        self.unit: Segments | None = None
        if "unit" in declared:
            self.unit = Segments({unit: unit for unit in declared["unit"].options})
            self.unit.chosen.connect(lambda unit: self.edited.emit("unit", unit))
        for name, parameter in self._parameters.items():
            low, high = parameter.low, parameter.high
            self.fields[name].scale = Scale(low, high, low, high, whole=self.unit is None)
            self.fields[name].setToolTip(parameter.label)
        width, height = self.fields.values()
        unit = (Label("px"), 0) if self.unit is None else (self.unit, 1)
        column(row((width, 1), Label("×"), (height, 1), unit), self.message, on=self)

    def checked(self, name: str, typed: Any) -> float:
        """Return the width or height within its declared bounds."""
        value: float = self._parameters[name].check(typed, self._owner)
        return value

    def show_choices(self, choices: Any) -> None:
        """Show the values without emitting anything."""
        self.message.say("")
        for name in self.fields:
            self.show_number(name, getattr(choices, name))
        if self.unit is not None:
            self.unit.show_option(choices.unit)


class SweepRows(Fields):
    """The number of a sweep and its two ends.

    They follow the document; what was chosen is kept while it still exists."""

    def __init__(self, document: Document) -> None:
        super().__init__({name: f"Sweep {name}" for name in ("from", "to")})
        self.choices: list[Knob] = []
        self.picker = Combo()
        self.picker.setAccessibleName("Parameter to sweep")
        self.picker.activated.connect(self._on_picked)
        ends = (part for name, field in self.fields.items() for part in (Label(name), (field, 1)))
        column(self.picker, row(*ends), self.message, on=self)
        self.show_document(document)

    @property
    def knob(self) -> Knob:
        """The number of the sweep; BadInput when the fit has none."""
        if not self.choices:
            raise BadInput("Neither the kernel nor the algorithm has a parameter to sweep.")
        return self.choices[self.picker.currentIndex()]

    def values(self, count: int) -> list[float]:
        """Return the values of the sweep. BadInput when there is no number, or its ends are wrong."""
        return self.knob.values(self.numbers["from"], self.numbers["to"], count)

    def checked(self, name: str, typed: Any) -> float:
        """Return an end of the sweep within the declared bounds of its number."""
        value: float = self.knob.parameter.check(typed, self.knob.owner)
        return value

    def show_document(self, document: Document) -> None:
        """Offer the numbers of a document."""
        old = self.knob if self.choices else None
        self.choices = knobs(document.fit)
        self.picker.clear()
        self.picker.addItems([knob.text for knob in self.choices])
        meant = (old.key, old.owner) if old is not None else None
        same = [k for k, knob in enumerate(self.choices) if (knob.key, knob.owner) == meant]
        if same:
            self.picker.setCurrentIndex(same[0])
        else:
            self._show_ends()

    def _on_picked(self) -> None:
        """Show the usual ends of another number, and report the change."""
        self._show_ends()
        self.edited.emit("", None)

    def _show_ends(self) -> None:
        """Show the default ends of the chosen number, on its scale."""
        self.message.say("")
        for k, (name, field) in enumerate(self.fields.items()):
            field.setEnabled(bool(self.choices))
            if self.choices:
                field.scale = scale_of(self.knob.parameter)
                self.show_number(name, self.knob.usual()[k])


class CheckBoxes(QGridLayout):
    """Check boxes in a grid."""

    def __init__(self, boxes: list[QWidget], columns: int) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self.setHorizontalSpacing(12)
        self.setVerticalSpacing(2)
        for number in range(columns):
            self.setColumnStretch(number, 1)
        self._boxes: list[QWidget] = []
        self.show_boxes(boxes)

    def show_boxes(self, boxes: list[QWidget]) -> None:
        """Show these boxes, without a gap, and hide all others."""
        if boxes == self._boxes:
            return
        for box in self._boxes:
            self.removeWidget(box)
            box.hide()
        self._boxes = boxes
        for k, box in enumerate(boxes):
            self.addWidget(box, k // self.columnCount(), k % self.columnCount())
            if box.parentWidget() is not None:  # without one it would open a window of its own
                box.show()
