"""Controls above a view that are not declared switches: lists that shorten their texts, steps, lines to type
into."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QFrame, QLineEdit, QStyleOptionComboBox, QWidget

from kernelviz.engine.selection.tunable import DASH
from kernelviz.scene.view import Line, Stepper
from kernelviz.ui.widgets.buttons import Combo, ToolButton
from kernelviz.ui.widgets.controls import Control
from kernelviz.ui.widgets.labels import Label, Message, describe
from kernelviz.ui.widgets.layouts import row
from kernelviz.ui.widgets.scale import Scale
from kernelviz.ui.widgets.slider import Slider

LINE_WIDTH = 190  # Pixels of a line to type into.
MOST_LINES = 2
SLACK = 6  # Pixels around the text of a list that is as wide as that.


class BriefCombo(Combo):
    """A list as wide as the text it shows: a name and its owner ("γ – Gaussian (RBF)"), or the name alone
    where there is no room for both."""

    def __init__(self) -> None:
        super().__init__()
        self._wide = True
        self.setMinimumContentsLength(0)

    def give_room(self, wide: bool) -> None:
        """Show the owner too, or not."""
        self._wide = wide
        self.updateGeometry()

    def wanted(self, wide: bool) -> int:
        """Return the width for the whole text, or for the name alone."""
        text = self.currentText() if wide else self.currentText().partition(DASH)[0]
        return super().sizeHint().width() + self.fontMetrics().horizontalAdvance(text) + SLACK

    def sizeHint(self) -> QSize:
        return QSize(self.wanted(self._wide), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.wanted(wide=False), super().minimumSizeHint().height())

    def shortened(self, option: QStyleOptionComboBox) -> str:
        if not self._wide:
            option.currentText = option.currentText.partition(DASH)[0]
        return super().shortened(option)


class StepControl(QWidget):
    """A slider between two buttons that take one step back and one on."""

    stepped = Signal(object)  # (what the steps belong to, the step)

    def __init__(self, stepper: Stepper) -> None:
        super().__init__()
        self._key: object = None
        self._step, self._most = 0, 1
        self.slider = Slider(Scale(0, 1, 0, 1, whole=True))
        describe(self.slider, stepper.name, stepper.help)
        self.slider.picked.connect(lambda step, _gesture: self._go(step))
        self.back = ToolButton("step-back", stepper.back, do=lambda: self._go(self._step - 1))
        self.forward = ToolButton("step-forward", stepper.forward, do=lambda: self._go(self._step + 1))
        for button in (self.back, self.forward):
            button.setAutoRepeat(True)
        row(self.back, (self.slider, 1), self.forward, on=self)
        self.hide()

    def show_step(self, key: object, step: int, most: int) -> None:
        """Show how far something is that has so many steps."""
        if most != self._most:
            self.slider.set_scale(Scale(0, max(1, most), 0, max(1, most), whole=True))
        self._key, self._step, self._most = key, step, most
        self.slider.show_value(step)
        self.back.setEnabled(step > 0)
        self.forward.setEnabled(step < most)

    def _go(self, step: float) -> None:
        self.stepped.emit((self._key, max(0, min(int(step), self._most))))


class LinesPopup(QFrame):
    """Shows the lines that a scene names, below them what is wrong with a text, and below that controls."""

    typed = Signal(object, str)  # (the Line, what is typed into it)

    def __init__(self, parent: QWidget, help_of_lines: str, controls: Iterable[Control]) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._shown: tuple[Line, ...] = ()
        self._help = help_of_lines
        self.lines = [QLineEdit() for _ in range(MOST_LINES)]
        self.labels = [Label() for _ in range(MOST_LINES)]
        self.message = Message("error")
        self._form = QFormLayout(self)
        for k, (label, line) in enumerate(zip(self.labels, self.lines, strict=True)):
            label.setBuddy(line)
            line.setMinimumWidth(LINE_WIDTH)
            line.editingFinished.connect(lambda k=k: self._take(k))
            self._form.addRow(label, line)
        self._form.addRow(self.message)
        for control in controls:
            self._form.addRow(control.label, control)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Offer these lines; what is being typed into one that stays the same is not touched."""
        if tuple(lines) == self._shown:
            return
        self._shown = tuple(lines)
        self.message.say("")
        for k, field in enumerate(self.lines):
            self._form.setRowVisible(field, k < len(lines))
            if k < len(lines):
                self.labels[k].setText(lines[k].label)
                describe(field, f"Values of {lines[k].label}", self._help)
                field.setPlaceholderText(lines[k].hint)
                field.setText(lines[k].text)

    def _take(self, k: int) -> None:
        self.message.say("")
        self.typed.emit(self._shown[k], self.lines[k].text().strip())

    def open_at(self, button: QWidget) -> None:
        """Open above a button, so that the picture below stays visible; or below it where there is no room
        above."""
        self.adjustSize()
        room = button.screen().availableGeometry()
        right, top = button.width() - self.width(), -self.height()
        if button.mapToGlobal(QPoint(0, top)).y() < room.top():
            top = button.height()
        corner = button.mapToGlobal(QPoint(right, top))
        corner.setX(max(room.left(), min(corner.x(), room.right() - self.width())))
        self.move(corner)
        self.show()
        self.lines[0].setFocus(Qt.FocusReason.PopupFocusReason)
