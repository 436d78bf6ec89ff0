"""A field for a number: any number within the bounds can be typed, and the arrow keys step."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox

from kernelviz.engine.core.params import number
from kernelviz.ui.widgets.buttons import LeavesUndo
from kernelviz.ui.widgets.focus import return_focus
from kernelviz.ui.widgets.scale import Scale, digits


def read_number(text: str) -> float | int | str:
    """Return the number that a text means (1e-3, 0,5, −2), or the text itself if it is not a number."""
    plain = text.strip().replace("−", "-").replace(" ", "")
    if "," in plain and "." not in plain:
        plain = plain.replace(",", ".")
    for kind in (int, float):
        try:
            return kind(plain)
        except ValueError:
            continue
    return text.strip()


class NumberField(LeavesUndo, QAbstractSpinBox):
    """Shows a number in a few digits, or in all of them while it has the focus.

    What is typed is emitted on Return or when the focus leaves. A brief one, for numbers that are measured
    rather than chosen, shows all digits only of a number that has been typed."""

    typed = Signal(object)  # A number, or the text if it is not one.
    stepped = Signal(object, object)  # (value, gesture) of an arrow key or button.
    entered = Signal()  # The field got the focus.

    def __init__(self, scale: Scale, *, brief: bool = False) -> None:
        self._edited = False
        super().__init__()
        self.scale = scale
        self._brief = brief
        self._last_typed: object = None
        self._value: float = scale.low
        self._refused = False
        self._gesture: object = object()
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().setMaxLength(40)
        self.lineEdit().textEdited.connect(self._on_text_edited)

    def show_value(self, value: float) -> None:
        """Show a value without emitting anything; text being typed stays unless the value changed."""
        if value == self._value and (self._edited or self._refused):
            return
        self._value = value
        self._refused = False
        self._show_text()

    def has_typed(self) -> bool:
        """Return True if the text has been edited since the number was shown."""
        return self._edited

    def keep_text(self) -> None:
        """Keep the refused text, so that it can be corrected."""
        self._refused = True

    def _show_text(self) -> None:
        """Show the number in a few digits, or in all of them."""
        self._edited = False
        in_full = self.hasFocus() and (not self._brief or self._value == self._last_typed)
        self.lineEdit().setText(number(self._value) if in_full else digits(self._value))
        self.lineEdit().setCursorPosition(0)

    def _on_text_edited(self) -> None:
        self._edited = True

    def _commit(self) -> None:
        """Emit the typed text, if there is any."""
        if self._edited:
            self._edited = self._refused = False
            self._last_typed = read_number(self.lineEdit().text())
            self.typed.emit(self._last_typed)

    # Qt's questions -----------------------------------------------------------------------------------
    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Accept any text: it is checked when it is emitted."""
        return QValidator.State.Acceptable, text, position

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """Return which arrows can be pressed: none leads out of the bounds."""
        flag = QAbstractSpinBox.StepEnabledFlag
        up = flag.StepUpEnabled if self._value < self.scale.most else flag.StepNone
        down = flag.StepDownEnabled if self._value > self.scale.least else flag.StepNone
        return up | down

    def stepBy(self, steps: int) -> None:
        """Emit the typed text, then the value some steps away."""
        self._commit()
        value = self.scale.stepped(self._value, steps)
        self.stepped.emit(int(value) if self.scale.whole else value, self._gesture)
        self.selectAll()

    def sizeHint(self) -> QSize:
        wide = self.fontMetrics().horizontalAdvance("0.001234") + 30
        return QSize(wide, max(28, super().sizeHint().height()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    # Events -------------------------------------------------------------------------------------------
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Use the text on Return; on Escape bring the number back. The arrow keys step."""
        if not event.isAutoRepeat():
            self._gesture = object()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._commit()
            if not self._refused:
                self.selectAll()
        elif event.key() == Qt.Key.Key_Escape and (self._edited or self._refused):
            self._edited = self._refused = False
            self.typed.emit(self._value)
            self._show_text()
            return_focus(self)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._gesture = object()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        return_focus(self)  # only the arrows get here: the text is a widget of its own

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show all digits, selected, ready to be replaced."""
        super().focusInEvent(event)
        self.entered.emit()
        if not self._refused:
            self._show_text()
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Use the typed text, and show a few digits again."""
        self._commit()
        super().focusOutEvent(event)
        if not self._refused:
            self._show_text()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
