"""A user's hands on a generated control."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from kernelviz.ui.widgets.colours_control import ColoursControl
from kernelviz.ui.widgets.control import Control
from kernelviz.ui.widgets.controls import ChoiceControl, FlagControl
from kernelviz.ui.widgets.formula_control import FormulaControl
from kernelviz.ui.widgets.number_control import NumberControl, SeedControl
from kernelviz.ui.widgets.number_field import NumberField
from kernelviz.ui.widgets.slider import Slider

LEFT = Qt.MouseButton.LeftButton


class Counter(QObject):
    """How often a widget has had an event of a kind."""

    def __init__(self, widget: QWidget, kind: QEvent.Type) -> None:
        super().__init__(widget)
        self.seen = 0
        self._kind = kind
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.seen += event.type() == self._kind
        return False


def type_into(field: NumberField | QLineEdit, text: str) -> None:
    """Replace the text and press Return."""
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def drag(slider: Slider, to: float, moves: int = 5) -> None:
    """Press the knob, move it in several steps to a share of the groove, let go."""
    knob = slider.knob().center().toPoint()
    end = QPoint(round(slider.x_of(0) + to * (slider.x_of(slider.maximum()) - slider.x_of(0))), knob.y())
    QTest.mousePress(slider, LEFT, pos=knob)
    for k in range(1, moves + 1):
        QTest.mouseMove(slider, knob + (end - knob) * k / moves)
    QTest.mouseRelease(slider, LEFT, pos=end)


def change(control: Control) -> None:
    """Change the value to another, by keyboard only, whatever the kind of control."""
    if isinstance(control, NumberControl):
        up = control.slider.sliderPosition() < control.slider.maximum()
        QTest.keyClick(control.slider, Qt.Key.Key_PageUp if up else Qt.Key.Key_PageDown)
    elif isinstance(control, SeedControl):
        type_into(control.field, str(control.value + 7))
    elif isinstance(control, FlagControl):
        QTest.keyClick(control.box, Qt.Key.Key_Space)
    elif isinstance(control, ColoursControl):
        QTest.keyClick(control.combo, Qt.Key.Key_Down)
    elif isinstance(control, FormulaControl):
        type_into(control.line, f"2*x1 < {control.value}" if "<" in control.value else f"2*({control.value})")
    elif isinstance(control, ChoiceControl):
        other = next(o for o in control.parameter.options if o != control.value)
        if control.segments is not None:
            QTest.keyClick(control.segments.buttons[other], Qt.Key.Key_Space)
        else:
            last = control.combo.currentIndex() == control.combo.count() - 1
            QTest.keyClick(control.combo, Qt.Key.Key_Up if last else Qt.Key.Key_Down)
    else:
        raise AssertionError(f"nobody knows how to use {control!r}")
