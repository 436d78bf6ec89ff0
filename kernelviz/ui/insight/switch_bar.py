"""The controls above a view: its menus and switches, at their end a remark, and numbers below."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from kernelviz.engine.core.params import CHOICE, FLAG, Kind, Parameter
from kernelviz.scene.icons import icon
from kernelviz.scene.view import Line, Menu, Picker, Stepper, View
from kernelviz.scene.wording import Remark
from kernelviz.ui.insight.choosers import BriefCombo, StepControl
from kernelviz.ui.insight.popup import LinesPopup
from kernelviz.ui.widgets.buttons import CheckBox, Combo, ToolButton
from kernelviz.ui.widgets.controls import Control
from kernelviz.ui.widgets.form import control_for
from kernelviz.ui.widgets.labels import Label, describe, plain
from kernelviz.ui.widgets.layouts import Flow, column, row

APART = 12  # Pixels between two controls.


class SwitchBar(QWidget):
    """A compact control for every declared switch of a view."""

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
        self.steppers = {stepper.field: self._stepper(stepper) for stepper in kind.steppers}
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
            self.more.clicked.connect(lambda: opened.open_beside(self.more))
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

    def _stepper(self, stepper: Stepper) -> StepControl:
        control = StepControl(stepper)
        control.stepped.connect(partial(self.switched.emit, stepper.field))
        return control

    def _picker(self, picker: Picker) -> Combo:
        chooser = BriefCombo() if picker.brief else Combo()
        describe(chooser, picker.name, picker.help)
        chooser.activated.connect(lambda row: self.picked.emit(picker.field, self._values[picker.field][row]))
        return chooser

    # What is shown --------------------------------------------------------------------------------------
    def offer(self, names: Collection[str]) -> None:
        """Show the switches of these names and hide the others."""
        for name, widgets in self._parts.items():
            for widget in widgets:
                widget.setVisible(name in names)

    def show_options(self, options: Mapping[str, tuple[str, Collection[str]]]) -> None:
        """List these options, and show one of each as chosen, which is no choice of the user's."""
        for name, (chosen, offered) in options.items():
            chooser = self.lists[name]
            with QSignalBlocker(chooser):
                if [chooser.itemText(k) for k in range(chooser.count())] != list(offered):
                    chooser.clear()
                    chooser.addItems(list(offered))
                chooser.setCurrentText(chosen)

    def show_picks(self, picks: Mapping[str, tuple[object, Mapping[Any, str]]]) -> None:
        """List what can be picked, and show what is; pickers that have nothing to offer are hidden."""
        for name, chooser in self.pickers.items():
            chooser.setVisible(name in picks)
        for name, (chosen, offered) in picks.items():
            chooser, texts = self.pickers[name], list(offered.values())
            self._values[name] = list(offered)
            if [chooser.itemText(k) for k in range(chooser.count())] != texts:
                chooser.clear()
                chooser.addItems(texts)
            chooser.setCurrentIndex(self._values[name].index(chosen) if chosen in offered else -1)
        self._give_room()

    def show_steps(self, steps: Mapping[str, tuple[object, int, int]]) -> None:
        """Show these steppers and hide the others."""
        for name, control in self.steppers.items():
            control.setVisible(name in steps)
            if name in steps:
                control.show_step(*steps[name])

    def show_menus(self, names: Collection[str] | None) -> None:
        """Show the menus of these names and hide the others."""
        for name, button in self.menus.items():
            button.setVisible(names is None or name in names)

    def show_lines(self, lines: tuple[Line, ...]) -> None:
        """Offer these lines in the popup."""
        if self.popup is not None:
            self.popup.show_lines(lines)

    def refuse(self, sentence: str) -> None:
        """Say in the popup why a text cannot be used."""
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

    def show_remark(self, remark: Remark) -> None:
        """Show a few words, and what they mean as a tooltip."""
        self.remark.setText(remark.words)
        self.remark.setToolTip(plain(remark.meaning))
        self.remark.setVisible(bool(remark.words))
        self.setVisible(bool(self._parts or self.menus or self.pickers or remark.words))
