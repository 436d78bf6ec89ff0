"""The controls above a view: its menus, switches and numbers, and at their end a remark.

All of them are made once, from the declarations of the view; each scene says which of them apply and which
options the lists have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QLineEdit,
    QMenu,
    QStyleOptionComboBox,
    QToolButton,
    QWidget,
)

from kernelviz.engine.core.params import CHOICE, FLAG, Kind, Parameter
from kernelviz.engine.selection.tunable import DASH
from kernelviz.scene.icons import icon
from kernelviz.scene.view import Menu, OptionPicker, Scene, Stepper, TextField, View
from kernelviz.ui.widgets.buttons import CheckBox, Combo, ToolButton
from kernelviz.ui.widgets.control import Control
from kernelviz.ui.widgets.controls import control_for
from kernelviz.ui.widgets.labels import Label, MessageLabel, describe, plain
from kernelviz.ui.widgets.layouts import Flow, column, row
from kernelviz.ui.widgets.scale import Scale
from kernelviz.ui.widgets.slider import Slider

APART, EDGE = 12, 8  # Pixels between two controls, and at both ends of a row.


class SwitchBar(QWidget):
    """A compact control for every declared switch of a view, and for the menus, pickers and steppers of its
    scenes.

    A flag is a box, a choice a list; after them come the controls of other kinds. A scene says which of them
    apply, and their options."""

    switched = Signal(str, object, object)  # (name of the switch, value, gesture)
    chosen = Signal(str)  # An entry of a menu.
    picked = Signal(str, object)  # (the field of a picker, the value picked)
    typed = Signal(object, str)  # (a line of the popup, the text typed into it)

    def __init__(self, kind: type[View]) -> None:
        super().__init__()
        self.boxes: dict[str, CheckBox] = {}
        self.lists: dict[str, Combo] = {}
        self.numbers: dict[str, Control] = {}
        self.menus = {menu.name: self._menu(menu) for menu in kind.menus}
        self.steppers = {stepper.field: StepControl(stepper) for stepper in kind.steppers}
        for field, control in self.steppers.items():
            control.stepped.connect(lambda step, field=field: self.switched.emit(field, step, None))
        self.pickers = {picker.field: self._picker(picker) for picker in kind.pickers}
        self._values: dict[str, list[Any]] = {}  # The values of the rows of a picker.
        self.remark = Label(role="muted")
        self.remark.hide()
        self._parts: dict[str, tuple[QWidget, ...]] = {}  # The widgets of each switch.
        switches = self._switches = Flow(spacing=APART)
        column(switches, on=self, margins=(EDGE, 4, EDGE, 0))
        for widget in (*self.menus.values(), *self.pickers.values(), *self.steppers.values()):
            switches.addWidget(widget)
        popup = kind.popup
        self.popup: LinesPopup | None = None
        inside = () if popup is None else popup.switches
        # Lists come before boxes, because they decide which boxes apply.
        brief: dict[Kind, Callable[[Parameter], QWidget]] = {CHOICE: self._list, FLAG: self._box}
        order = list(brief)
        for switch in sorted(kind.parameters(), key=lambda p: [*order, p.kind].index(p.kind)):
            if switch.kind in brief:
                switches.addWidget(brief[switch.kind](switch))
                continue
            whole = self._control(switch, kind.title)
            if switch.name not in inside:
                switches.add_elastic(whole)
        if popup is not None:
            controls = [self.numbers[name] for name in popup.switches]
            self.popup = opened = LinesPopup(self, popup.help_of_lines, controls)
            opened.typed.connect(self.typed)
            self.more = ToolButton(name=popup.name, help=popup.help, text=popup.text)
            self.more.clicked.connect(lambda: opened.open_at(self.more))
            switches.addWidget(self.more)
        switches.end_with(self.remark)

    def _box(self, switch: Parameter) -> QWidget:
        """Make the box of a flag."""
        box = self.boxes[switch.name] = CheckBox(switch.label)
        box.setChecked(switch.default)
        box.setToolTip(switch.help)
        box.toggled.connect(lambda on: self.switched.emit(switch.name, on, None))
        self._parts[switch.name] = (box,)
        return box

    def _list(self, switch: Parameter) -> QWidget:
        """Make the list of a choice with its label."""
        chooser = self.lists[switch.name] = Combo()
        chooser.addItems(switch.options)
        chooser.setCurrentText(switch.default)
        chooser.setMinimumContentsLength(min(8, max(map(len, switch.options))))
        describe(chooser, switch.label, switch.help)
        chooser.currentTextChanged.connect(lambda option: self.switched.emit(switch.name, option, None))
        label = Label(switch.label)
        label.setToolTip(switch.help)
        return self._together(switch, label, chooser)

    def _control(self, switch: Parameter, owner: str) -> QWidget:
        """Make the control of another kind of switch, such as a slider and a field, with its label."""
        control = self.numbers[switch.name] = control_for(switch, owner)
        control.edited.connect(lambda value, gesture: self.switched.emit(switch.name, value, gesture))
        return self._together(switch, control.label, control)

    def _together(self, switch: Parameter, *widgets: QWidget) -> QWidget:
        """Put a label and its control into one widget, so that they stay in one row."""
        self._parts[switch.name] = widgets
        whole = QWidget()
        row(*widgets, on=whole)
        return whole

    def _menu(self, menu: Menu) -> ToolButton:
        """Make the button of a menu, or a plain button for a menu without entries."""
        button = ToolButton(name=menu.name, help=menu.help, text=menu.text)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        if not menu.entries:
            button.setIcon(icon(menu.icon))
            button.clicked.connect(partial(self.chosen.emit, menu.name))
            return button
        entries = QMenu(button)
        for entry in menu.entries:
            entries.addAction(entry, partial(self.chosen.emit, entry))
        button.setMenu(entries)
        return button

    def _picker(self, picker: OptionPicker) -> Combo:
        """Make the list of a picker; scenes fill it."""
        chooser = BriefCombo() if picker.brief else Combo()
        describe(chooser, picker.name, picker.help)
        chooser.activated.connect(lambda row: self.picked.emit(picker.field, self._values[picker.field][row]))
        return chooser

    # What is shown --------------------------------------------------------------------------------------
    def show_scene(self, scene: Scene) -> None:
        """Show the controls that a scene names, with their options, and hide the others."""
        if scene.switches is not None or not scene.reason:
            for name, widgets in self._parts.items():
                for widget in widgets:
                    widget.setVisible(scene.switches is None or name in scene.switches)
        for name, (option, options) in scene.options.items():
            _fill(self.lists[name], {one: one for one in options}, option)
        for field, chooser in self.pickers.items():
            chooser.setVisible(field in scene.picks)
        for field, (picked, offered) in scene.picks.items():
            self._values[field] = list(offered)
            _fill(self.pickers[field], offered, picked)
        for field, control in self.steppers.items():
            control.setVisible(field in scene.steps)
            if field in scene.steps:
                control.show_step(*scene.steps[field])
        for name, button in self.menus.items():
            button.setVisible(scene.menus is None or name in scene.menus)
        if self.popup is not None:
            self.popup.show_lines(scene.lines)
        self.remark.setText(scene.remark.words)
        self.remark.setToolTip(plain(scene.remark.meaning))
        self.remark.setVisible(bool(scene.remark.words))
        self.setVisible(bool(self._parts or self.menus or self.pickers or scene.remark.words))
        self._give_room()

    def show_value(self, name: str, value: object) -> None:
        """Show the value of a switch that something else has set."""
        if name in self.boxes:
            with QSignalBlocker(self.boxes[name]):
                self.boxes[name].setChecked(bool(value))
        elif name in self.lists:
            with QSignalBlocker(self.lists[name]):
                self.lists[name].setCurrentText(str(value))
        elif name in self.numbers:
            self.numbers[name].show_value(value)

    def refuse(self, sentence: str) -> None:
        """Show in the popup why a text cannot be used."""
        if self.popup is not None:
            self.popup.message.say(sentence)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_room()

    def _give_room(self) -> None:
        """Show the owners of names where all of them have room in one row, unless all controls have room in
        one row without them."""
        brief = [chooser for chooser in self.pickers.values() if isinstance(chooser, BriefCombo)]
        wanted = sum(chooser.wanted(wide=True) + APART for chooser in brief) + APART
        owners = sum(chooser.wanted(wide=True) - chooser.wanted(wide=False) for chooser in brief)
        shown = sum(chooser.sizeHint().width() - chooser.wanted(wide=False) for chooser in brief)
        names_alone = self._switches.width_of_one_row - shown
        room = self.width() - 2 * EDGE
        saves_a_row = names_alone <= room < names_alone + owners
        for chooser in brief:
            chooser.give_room(wanted <= self.width() and not saves_a_row)


def _fill(chooser: Combo, offered: Mapping[Any, str], chosen: object) -> None:
    """List the options and show one as chosen, without emitting a choice of the user."""
    with QSignalBlocker(chooser):
        texts = list(offered.values())
        if [chooser.itemText(k) for k in range(chooser.count())] != texts:
            chooser.clear()
            chooser.addItems(texts)
        chooser.setCurrentIndex(list(offered).index(chosen) if chosen in offered else -1)


# Controls that are not declared switches --------------------------------------------------------------------
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
        slack = 6  # Pixels around the text of a list that is as wide as that.
        text = self.currentText() if wide else self.currentText().partition(DASH)[0]
        return super().sizeHint().width() + self.fontMetrics().horizontalAdvance(text) + slack

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

    stepped = Signal(object)  # (the owner of the steps, the step)

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
        """Show step `step` of `most`."""
        if most != self._most:
            self.slider.set_scale(Scale(0, max(1, most), 0, max(1, most), whole=True))
        self._key, self._step, self._most = key, step, most
        self.slider.show_value(step)
        self.back.setEnabled(step > 0)
        self.forward.setEnabled(step < most)

    def _go(self, step: float) -> None:
        self.stepped.emit((self._key, max(0, min(int(step), self._most))))


class LinesPopup(QFrame):
    """Shows the lines that a scene names, below them an error message, and below that controls."""

    typed = Signal(object, str)  # (the TextField, the text typed into it)

    def __init__(self, parent: QWidget, help_of_lines: str, controls: Iterable[Control]) -> None:
        line_width = 190  # Pixels of a line to type into.
        most_lines = 2
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._shown: tuple[TextField, ...] = ()
        self._help = help_of_lines
        self.lines = [QLineEdit() for _ in range(most_lines)]
        self.labels = [Label() for _ in range(most_lines)]
        self.message = MessageLabel("error")
        self._form = QFormLayout(self)
        for k, (label, line) in enumerate(zip(self.labels, self.lines, strict=True)):
            label.setBuddy(line)
            line.setMinimumWidth(line_width)
            line.editingFinished.connect(lambda k=k: self._take(k))
            self._form.addRow(label, line)
        self._form.addRow(self.message)
        for control in controls:
            self._form.addRow(control.label, control)

    def show_lines(self, lines: Sequence[TextField]) -> None:
        """Offer these lines; a line that stays the same keeps the text being typed."""
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
