"""A small window that opens from a button above a view: lines to type into, and a few controls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QFrame, QLineEdit, QWidget

from kernelviz.scene.view import Line
from kernelviz.ui.widgets.controls import Control
from kernelviz.ui.widgets.labels import Label, Message, describe

WIDTH = 190  # Pixels of a line.
MOST_LINES = 2


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
            line.setMinimumWidth(WIDTH)
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

    def open_beside(self, button: QWidget) -> None:
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
