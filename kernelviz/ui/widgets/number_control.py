"""Controls of numbers: a slider over the usual range, and a field that takes any allowed number.

A parameter has one canonical value. Where it has views, the slider and the field show it in other terms (σ =
1/√(2γ)), and what is typed there is converted back. A button lets the slider run back and forth by itself."""

from __future__ import annotations

import random
from html import escape
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup, QHideEvent
from PySide6.QtWidgets import QMenu, QToolButton

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Parameter, Unit, number
from kernelviz.scene.icons import icon
from kernelviz.scene.wording import shown
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.control import Control, tooltip
from kernelviz.ui.widgets.labels import describe
from kernelviz.ui.widgets.number_field import NumberField
from kernelviz.ui.widgets.scale import digits, scale_of
from kernelviz.ui.widgets.slider import Slider, SliderAnimation


class FieldControl(Control):
    """A control with a field to type a number into."""

    field: NumberField

    def _checked(self, typed: Any) -> Any:
        """Return the checked value of a typed number, or raise BadInput."""
        return self.parameter.check(typed, self.owner)

    def _take_typed(self, typed: Any) -> None:
        """Use a typed number; if it is not allowed, keep the text and show why."""
        try:
            value = self._checked(typed)
        except BadInput as problem:
            self.field.keep_text()
            self.complain(str(problem))
            return
        self.offer(value)
        self._show(self.value)


class NumberControl(FieldControl):
    """The control of a real or whole number.

    Where the parameter has views (γ, σ, ℓ, σ²), the label is a menu that chooses one to show the number
    in."""

    renamed = Signal()  # The number is shown in other terms.

    def __init__(self, parameter: Parameter, owner: str, *, plays: bool) -> None:
        super().__init__(parameter, owner)
        self._view: Unit | None = None
        scale = scale_of(parameter)
        self.slider = Slider(scale)
        self.field = NumberField(scale)
        if parameter.views:
            self.label = self._view_chooser()
        self._animation = SliderAnimation(self)
        self._own_step = False
        self._animation.moved.connect(self._on_animated)
        self._animation.switched.connect(self._on_switched)
        self.play = ToolButton(
            "play",
            f"Move {parameter.label} back and forth",
            "Move through the range and back; press again to stop",
            self._on_play,
        )
        self.play.setCheckable(True)
        self.play.setObjectName("play")
        # With a parent even when it is not shown: without one Python may delete the button while Qt restyles
        # every widget.
        self.play.setParent(self)
        self.play.setVisible(plays)
        self.lay_out(self.slider, self.field, first=self.play if plays else None)
        self.slider.picked.connect(self.turn)
        self.field.stepped.connect(self.turn)
        self.field.typed.connect(self._on_typed)
        self.show_value(parameter.default)

    # Moving by itself ----------------------------------------------------------------------------------
    def _on_play(self, on: bool) -> None:
        """Start or stop moving through the range."""
        if on:
            self._animation.begin(scale_of(self.parameter, self._view), self._own(self.value))
        else:
            self._animation.end()

    def _on_switched(self, on: bool) -> None:
        """Show on the button whether the number moves by itself."""
        self.play.setChecked(on)
        self.play.setIcon(icon("pause" if on else "play"))

    def _on_animated(self, value: float, gesture: object) -> None:
        """Take the next value of the animation, unless the user has taken over."""
        if self.slider.isSliderDown() or self.field.hasFocus():
            self._animation.end()  # the user has taken over
            return
        self._own_step = True
        self.turn(value, gesture)
        self._own_step = False

    def show_value(self, value: Any) -> None:
        """Show a value; a change from elsewhere stops the animation."""
        if value != self.value and not self._own_step:
            self._animation.end()
        super().show_value(value)

    def hideEvent(self, event: QHideEvent) -> None:
        self._animation.end()
        super().hideEvent(event)

    # Views --------------------------------------------------------------------------------------------
    def _view_chooser(self) -> QToolButton:
        """Return the label as a menu of the terms in which the number can be shown."""
        chooser = ToolButton()
        chooser.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(chooser)
        group = QActionGroup(menu)
        for view in (None, *self.parameter.views):
            terms = view or self.parameter
            action = QAction(f"{terms.label}   {terms.help}", group)
            action.setCheckable(True)
            action.setChecked(view is None)
            action.triggered.connect(lambda _=False, view=view: self.show_in(view))
            menu.addAction(action)
        chooser.setMenu(menu)
        chooser.setText(f"{self.parameter.label} ▾")
        names = " or ".join((self.parameter.label, *(view.label for view in self.parameter.views)))
        chooser.setAccessibleName(f"{self.parameter.label}, show as {names}")
        return chooser

    def show_in(self, view: Unit | None) -> None:
        """Show the same value in the terms of a view, or in its own."""
        self._view = view
        terms = view or self.parameter
        if isinstance(self.label, QToolButton):
            self.label.setText(f"{terms.label} ▾")
        scale = scale_of(self.parameter, view)
        self.slider.set_scale(scale)
        self.field.scale = scale
        self.message.say("")
        self.show_value(self.value)
        for widget in (self.slider, self.field):
            widget.setAccessibleName(terms.label)
        self.renamed.emit()

    @property
    def view(self) -> Unit | None:
        """The unit in which the number is shown; None for its own."""
        return self._view

    @property
    def name_shown(self) -> str:
        """The label of the terms in which the number is shown."""
        return (self._view or self.parameter).label

    @property
    def name_and_value(self) -> str:
        """Name and value as they are shown, such as γ = 1."""
        return f"{self.name_shown} = {shown(self.own_value)}"

    @property
    def own_value(self) -> float:
        """The value in the terms that are shown."""
        return self._own(self.value)

    def mirror(self, slider: Slider) -> None:
        """Make another slider show the same number and range."""
        slider.set_scale(self.field.scale)
        slider.show_value(self._own(self.value), self._own(self.parameter.default))
        slider.setAccessibleName(self.name_shown)
        slider.setAccessibleDescription(self.parameter.help)
        slider.setToolTip(self.slider.toolTip())

    def _own(self, value: float) -> float:
        """Return a canonical value in the terms that are shown."""
        return value if self._view is None else self._view.from_canonical(value)

    # Values -------------------------------------------------------------------------------------------
    def _show(self, value: float) -> None:
        """Show a value. The tooltip says what the number means, with all digits where fewer are shown."""
        own, view = self._own(value), self._view
        self.slider.show_value(own, self._own(self.parameter.default))
        self.field.show_value(own)
        text = tooltip(self.parameter) if view is None else f"<qt>{escape(view.help)}</qt>"
        if digits(own) != (whole := number(own)):
            text = text.replace("<qt>", f"<qt>{self.name_shown} = {whole}<br>", 1)
        for widget in (self.slider, self.field):
            widget.setToolTip(text)

    def step(self, by: int) -> None:
        """Increase (1) or decrease (-1) the number by a shortcut; repeated presses are one step of undo."""
        stops_per_key = 3  # Arrow presses that one shortcut of the window is worth.
        scale, own = self.field.scale, self._own(self.value)
        self.turn(scale.stepped(own, by if scale.whole or scale.log else by * stops_per_key), self)

    def turn(self, value: float, gesture: object) -> None:
        """Set a value, in the terms that are shown, as an edit of the user."""
        self.offer(self._checked(value), gesture)

    def _on_typed(self, typed: Any) -> None:
        """Use a typed number, unless it is the old one."""
        if typed == self._own(self.value):
            self.message.say("")
            self._show(self.value)
            return
        self._take_typed(typed)

    def _checked(self, own: Any) -> Any:
        """Return the canonical value of a number typed in the terms that are shown, or raise BadInput."""
        if self._view is not None:
            return self._view.check(own, self.parameter, self.owner)
        return super()._checked(own)


class SeedControl(FieldControl):
    """The control of a seed, whose size has no meaning: a die instead of a slider."""

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__(parameter, owner)
        self.field = NumberField(scale_of(parameter))
        self.die = ToolButton("dice", do=self.roll)
        self.die.setObjectName("die")
        self.field.stepped.connect(self.offer)
        self.field.typed.connect(self._take_typed)
        self.lay_out(self.field, self.die)
        describe(self.die, "New seed", "Choose another seed at random")
        self.show_value(parameter.default)

    def roll(self) -> None:
        """Choose another seed at random, small enough to remember."""
        others = [s for s in range(1000) if s != self.value]
        self.offer(random.choice(others))

    def _show(self, value: int) -> None:
        self.field.show_value(value)
