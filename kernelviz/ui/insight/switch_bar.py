"""The controls above a view: its menus and switches, at their end a remark, and numbers below."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from kernelviz.engine.core.params import CHOICE, FLAG, Kind, Parameter
from kernelviz.scene.icons import icon
from kernelviz.scene.view import Menu, Picker, Scene, View
from kernelviz.ui.insight.choosers import BriefCombo, LinesPopup, StepControl
from kernelviz.ui.widgets.buttons import CheckBox, Combo, ToolButton
from kernelviz.ui.widgets.controls import Control
from kernelviz.ui.widgets.form import control_for
from kernelviz.ui.widgets.labels import Label, describe, plain
from kernelviz.ui.widgets.layouts import Flow, column, row

APART = 12  # Pixels between two controls.


class SwitchBar(QWidget):
    """A compact control for every declared switch of a view, and for the menus, pickers and steppers of its
    scenes.

    A flag is a box, a choice a list, a number a slider below them. A scene says which of them apply and what
    they offer."""

    switched = Signal(str, object)  # (name of the switch, value)
    chosen = Signal(str)  # An entry of a menu.
    picked = Signal(str, object)  # (the field of a picker, the value picked)
    typed = Signal(object, str)  # (a line of the popup, what is typed into it)

    def __init__(self, kind: type[View]) -> None:
        super().__init__()
        self.boxes: dict[str, CheckBox] = {}
        self.lists: dict[str, Combo] = {}
        self.numbers: dict[str, Control] = {}
        self.menus = {menu.name: self._menu(menu) for menu in kind.menus}
        self.steppers = {stepper.field: StepControl(stepper) for stepper in kind.steppers}
        for field, control in self.steppers.items():
            control.stepped.connect(partial(self.switched.emit, field))
        self.pickers = {picker.field: self._picker(picker) for picker in kind.pickers}
        self._values: dict[str, list[Any]] = {}  # What the rows of a picker stand for.
        self.remark = Label(role="muted")
        self.remark.hide()
        self._parts: dict[str, tuple[QWidget, ...]] = {}  # The widgets of each switch.
        switches, numbers = Flow(spacing=APART), Flow(spacing=APART)
        column(switches, numbers, on=self, spacing=2, margins=(8, 4, 8, 0))
        for widget in (*self.menus.values(), *self.pickers.values(), *self.steppers.values()):
            switches.addWidget(widget)
        popup = kind.popup
        self.popup: LinesPopup | None = None
        inside = () if popup is None else popup.switches
        # Lists come before boxes: they choose what the boxes are about.
        rank: dict[Kind, int] = {CHOICE: 0, FLAG: 1}
        for switch in sorted(kind.parameters(), key=lambda p: rank.get(p.kind, 2)):
            make = {FLAG: self._box, CHOICE: self._list}.get(switch.kind, self._number)
            whole = make(switch, kind.title)
            if switch.name not in inside:
                (switches if switch.kind in rank else numbers).addWidget(whole)
        if popup is not None:
            controls = [self.numbers[name] for name in popup.switches]
            self.popup = opened = LinesPopup(self, popup.help_of_lines, controls)
            opened.typed.connect(self.typed)
            self.more = ToolButton(name=popup.name, help=popup.help, text=popup.text)
            self.more.clicked.connect(lambda: opened.open_at(self.more))
            switches.addWidget(self.more)
        switches.end_with(self.remark)

    def _box(self, switch: Parameter, owner: str) -> QWidget:
        box = self.boxes[switch.name] = CheckBox(switch.label)
        box.setChecked(switch.default)
        box.setToolTip(switch.help)
        box.toggled.connect(lambda on: self.switched.emit(switch.name, on))
        self._parts[switch.name] = (box,)
        return box

    def _list(self, switch: Parameter, owner: str) -> QWidget:
        chooser = self.lists[switch.name] = Combo()
        chooser.addItems(switch.options)
        chooser.setCurrentText(switch.default)
        chooser.setMinimumContentsLength(min(8, max(map(len, switch.options))))
        describe(chooser, switch.label, switch.help)
        chooser.currentTextChanged.connect(lambda option: self.switched.emit(switch.name, option))
        label = Label(switch.label)
        label.setToolTip(switch.help)
        return self._together(switch, label, chooser)

    def _number(self, switch: Parameter, owner: str) -> QWidget:
        control = self.numbers[switch.name] = control_for(switch, owner)
        control.edited.connect(lambda value, _gesture: self.switched.emit(switch.name, value))
        return self._together(switch, control.label, control)

    def _together(self, switch: Parameter, *widgets: QWidget) -> QWidget:
        """Put a label and its control into one widget, so that they stay in one row."""
        self._parts[switch.name] = widgets
        whole = QWidget()
        row(*widgets, on=whole)
        return whole

    def _menu(self, menu: Menu) -> ToolButton:
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

    def _picker(self, picker: Picker) -> Combo:
        chooser = BriefCombo() if picker.brief else Combo()
        describe(chooser, picker.name, picker.help)
        chooser.activated.connect(lambda row: self.picked.emit(picker.field, self._values[picker.field][row]))
        return chooser

    # What is shown --------------------------------------------------------------------------------------
    def show_scene(self, scene: Scene) -> None:
        """Show the controls that a scene names, with what it offers in them, and hide the others."""
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
        """Show the owners of names where all of them have room in one row."""
        brief = [chooser for chooser in self.pickers.values() if isinstance(chooser, BriefCombo)]
        wanted = sum(chooser.wanted(wide=True) + APART for chooser in brief) + APART
        for chooser in brief:
            chooser.give_room(wanted <= self.width())


def _fill(chooser: Combo, offered: Mapping[Any, str], chosen: object) -> None:
    """List the texts of what is offered and show one as chosen, which is no choice of the user's."""
    with QSignalBlocker(chooser):
        texts = list(offered.values())
        if [chooser.itemText(k) for k in range(chooser.count())] != texts:
            chooser.clear()
            chooser.addItems(texts)
        chooser.setCurrentIndex(list(offered).index(chosen) if chosen in offered else -1)
