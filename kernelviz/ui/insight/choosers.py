"""Controls above a view that are not declared switches: lists that shorten their texts, and steps."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QStyleOptionComboBox, QWidget

from kernelviz.engine.selection.tunable import DASH
from kernelviz.scene.view import Stepper
from kernelviz.ui.widgets.buttons import Combo, ToolButton
from kernelviz.ui.widgets.labels import describe
from kernelviz.ui.widgets.layouts import row
from kernelviz.ui.widgets.scale import Scale
from kernelviz.ui.widgets.slider import Slider

SLACK = 6  # Pixels around the text of a list that is as wide as that.


class BriefCombo(Combo):
    """A list as wide as the text it shows: a name and its owner, or the name alone where there is no room."""

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
