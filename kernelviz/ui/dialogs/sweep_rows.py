"""The rows in which the number of a sweep and its ends are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.selection.tunable import Knob, knobs
from kernelviz.scene.theme import current_theme
from kernelviz.session.state import Document
from kernelviz.ui.widgets.buttons import Combo
from kernelviz.ui.widgets.labels import Label, Message
from kernelviz.ui.widgets.number_field import NumberField
from kernelviz.ui.widgets.scale import Scale, scale_of

if TYPE_CHECKING:
    from superqt import QRangeSlider


SPAN_HEIGHT = 26


class SweepRows(QWidget):
    """Rows that follow the document; the chosen number and its ends are kept while they still exist."""

    edited = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.choices: list[Knob] = []
        self.picker = Combo()
        self.picker.setAccessibleName("Parameter to sweep")
        self.picker.activated.connect(self._on_picked)
        self.message = Message("error")
        self.fields = {name: self._field(name) for name in ("from", "to")}
        self.ends: dict[str, float] = {}
        self.span = self._span()
        row = QHBoxLayout()
        row.setSpacing(6)
        for name, field in self.fields.items():
            row.addWidget(Label(name))
            row.addWidget(field, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.picker)
        column.addLayout(row)
        column.addWidget(self.span)
        column.addWidget(self.message)
        self.show_document(document)

    def _field(self, name: str) -> NumberField:
        field = NumberField(Scale(0.0, 1.0, 0.0, 1.0))
        field.setAccessibleName(f"Sweep {name}")
        field.typed.connect(lambda typed: self._on_typed(name, typed))
        field.stepped.connect(lambda typed, _gesture: self._on_typed(name, typed))
        return field

    def _span(self) -> QRangeSlider:
        """Return a slider with two handles for both ends."""
        from superqt import QRangeSlider  # imported here because that takes longer than opening the dialogue

        slider = QRangeSlider(Qt.Orientation.Horizontal)
        slider.setAccessibleName("Sweep from and to")
        slider.setToolTip("Where the sweep begins and ends")
        slider.setMinimumHeight(SPAN_HEIGHT)
        slider.setStyleSheet(f"qproperty-barColor: {current_theme().accent};")
        slider.valueChanged.connect(self._on_slid)
        return slider

    @property
    def knob(self) -> Knob | None:
        """The number of the sweep; None when the fit has none."""
        row = self.picker.currentIndex()
        return self.choices[row] if 0 <= row < len(self.choices) else None

    def values(self, count: int) -> list[float]:
        """Return the values of the sweep. BadInput when there is no number, or its ends are wrong."""
        knob = self.knob
        if knob is None:
            raise BadInput("Neither kernel nor algorithm has a number to sweep.")
        return knob.values(self.ends["from"], self.ends["to"], count)

    def show_document(self, document: Document) -> None:
        """Offer the numbers of a document."""
        old = self.knob
        self.choices = knobs(document.fit)
        self.picker.clear()
        self.picker.addItems([knob.text for knob in self.choices])
        keys = [knob.key for knob in self.choices]
        same = old is not None and old.key in keys and self._means(keys.index(old.key), old)
        if old is not None and same:
            self.picker.setCurrentIndex(keys.index(old.key))
        else:
            self._show_ends()

    def _means(self, row: int, old: Knob) -> bool:
        return self.choices[row].owner == old.owner

    def _on_picked(self) -> None:
        self._show_ends()
        self.edited.emit()

    def _show_ends(self) -> None:
        """Show the default ends of the chosen number, on its scale."""
        self.message.say("")
        knob = self.knob
        for name, field in self.fields.items():
            field.setEnabled(knob is not None)
            if knob is not None:
                field.scale = scale_of(knob.parameter)
                self.ends[name] = knob.usual()[name == "to"]
                field.show_value(self.ends[name])
        self._show_span()

    def _show_span(self) -> None:
        """Move the handles of the slider to the ends, without emitting signals."""
        knob = self.knob
        self.span.setEnabled(knob is not None)
        if knob is None:
            return
        scale = scale_of(knob.parameter)
        self.span.blockSignals(True)
        self.span.setRange(0, len(scale.values) - 1)
        self.span.setValue(sorted(scale.position(end) for end in self.ends.values()))
        self.span.blockSignals(False)

    def _on_slid(self, positions: tuple[int, int]) -> None:
        knob = self.knob
        if knob is None:
            return
        values = [scale_of(knob.parameter).values[position] for position in positions]
        if self.ends["from"] > self.ends["to"]:
            values.reverse()  # a sweep downwards stays one
        for name, value in zip(("from", "to"), values, strict=True):
            self.ends[name] = value
            self.fields[name].show_value(value)
        self.message.say("")
        self.edited.emit()

    def _on_typed(self, name: str, typed: Any) -> None:
        knob = self.knob
        if knob is None:
            return
        try:
            value = knob.parameter.check(typed, knob.owner)
        except BadInput as problem:
            self.fields[name].keep_text()
            self.message.say(str(problem))
            return
        self.message.say("")
        self.ends[name] = value
        self.fields[name].show_value(value)
        self._show_span()
        self.edited.emit()
