"""Which values of the chosen numbers are tried out, and by which folds, behind a small button."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QFrame, QLineEdit, QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import INTEGER, Parameter
from kernelviz.engine.selection.grid import Axis, over_slider
from kernelviz.engine.selection.tunable import Knob, parse_range
from kernelviz.ui.widgets.labels import Label, Message
from kernelviz.ui.widgets.number_control import SeedControl

SEED = Parameter("seed", INTEGER, 0, 0, 2**31, (0, 999), label="Seed", help="How the folds are drawn")
WIDTH = 190  # Pixels of a line.


class SettingRanges(QFrame):
    """A line LOW:HIGH:COUNT for each number, as on the command line, and the seed of the folds. An empty line
    stands for the range of the slider. What was typed stays with its number."""

    edited = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._typed: dict[Hashable, str] = {}
        self._knobs: list[Knob] = []
        self.lines = [QLineEdit(), QLineEdit()]
        self.labels = [Label(), Label()]
        self.message = Message("error")
        self.seed = SeedControl(SEED, "the folds")
        self.seed.edited.connect(lambda _value, _gesture: self.edited.emit())
        self._form = QFormLayout(self)
        for k, (label, line) in enumerate(zip(self.labels, self.lines, strict=True)):
            label.setBuddy(line)
            line.setMinimumWidth(WIDTH)
            line.setToolTip("LOW:HIGH:COUNT, and :log or :linear for another scale than that of the slider")
            line.editingFinished.connect(lambda k=k: self._take(k))
            self._form.addRow(label, line)
        self._form.addRow(self.message)
        self._form.addRow(self.seed.label, self.seed)

    @property
    def key(self) -> Hashable:
        """What the answer depends on."""
        return tuple(self._typed.get(knob.key, "") for knob in self._knobs), self.seed.value

    def axes(self, count: int) -> tuple[Axis, ...]:
        """The numbers with their values, so many where nobody says otherwise."""
        return tuple(self._axis(knob, self._typed.get(knob.key, ""), count) for knob in self._knobs)

    def _axis(self, knob: Knob, text: str, count: int) -> Axis:
        if not text:
            return over_slider(knob, count)
        values = parse_range(text, knob.parameter, knob.owner, count)
        return Axis(knob, tuple(values), knob.parameter.name)

    def show_knobs(self, chosen: Sequence[Knob], count: int) -> None:
        """Offer a line for each of the chosen numbers."""
        self._knobs = list(chosen)
        self.message.say("")
        for k, line in enumerate(self.lines):
            self._form.setRowVisible(line, k < len(chosen))
            if k < len(chosen):
                knob = chosen[k]
                low, high = knob.parameter.soft
                name = f"{knob.parameter.label} of {knob.owner}"
                self.labels[k].setText(name)
                line.setAccessibleName(f"Values of {name}")
                line.setPlaceholderText(f"{low:g}:{high:g}:{count}")
                line.setText(self._typed.get(knob.key, ""))

    def _take(self, k: int) -> None:
        knob, text = self._knobs[k], self.lines[k].text().strip()
        if text == self._typed.get(knob.key, ""):
            return
        try:
            self._axis(knob, text, 2)
        except BadInput as problem:
            self.message.say(str(problem))
            return
        self.message.say("")
        self._typed[knob.key] = text
        self.edited.emit()

    def open_beside(self, button: QWidget) -> None:
        """Above the button that asks for it, so that the picture below is seen; or below where that would
        leave the screen."""
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
