"""Controls: the editors of declared parameters, here those of an option and of a flag.

`Control` has the label, the button back to the default and the error message. A subclass makes its editors
and shows a value in them. `form.control_for` returns the control of a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QWidget

from kernelviz.engine.core.params import FLAG, Parameter
from kernelviz.ui.widgets.buttons import MOVES, PRESSES, Button, CheckBox, Combo, ToolButton
from kernelviz.ui.widgets.labels import Label, MessageLabel, plain
from kernelviz.ui.widgets.layouts import column, row
from kernelviz.ui.widgets.scale import digits

SEGMENTS_LENGTH = 22  # Characters that fit side by side in a narrow panel.


class Control(QWidget):
    """The editor of one parameter, with a label, help, a button back to the default and room for an error.

    Subclasses make their widgets, pass them to `lay_out` and show a value in `_show`. Values shown by the
    program emit nothing; `edited` reports only what the user does."""

    edited = Signal(object, object)  # (checked value, gesture): changes of one gesture are one step of undo.

    def __init__(self, parameter: Parameter, owner: str) -> None:
        """owner: the name of what the parameter belongs to, for error messages."""
        super().__init__()
        self.parameter = parameter
        self.owner = owner
        self.value: Any = parameter.default
        self.label: QWidget = Label(parameter.label)
        self.message = MessageLabel("error")
        self._reset = ToolButton("undo", f"Reset {parameter.label}", do=self.reset)
        keeps_its_place = self._reset.sizePolicy()
        keeps_its_place.setRetainSizeWhenHidden(True)
        self._reset.setSizePolicy(keeps_its_place)
        self._reset.hide()
        self.set_default(parameter.default)

    def set_default(self, default: Any) -> None:
        """Set the value that the reset button restores, if it is not the declared default."""
        self.parameter = replace(self.parameter, default=default)
        self._reset.setToolTip(plain(f"Back to the default, {_as_text(default)}"))

    def lay_out(self, *editors: QWidget, first: QWidget | None = None) -> None:
        """Put the editors in a row, the first one stretching, above the error message.

        first: a widget before them that is not an editor, such as a play button."""
        for editor in editors:
            editor.setToolTip(tooltip(self.parameter))
            editor.setAccessibleName(self.parameter.label)
            editor.setAccessibleDescription(self.parameter.help)
        stretching = (editors[0], 1)
        if first is None:
            line = row(stretching, *editors[1:], self._reset)
        else:
            line = row(first, stretching, *editors[1:], self._reset, spacing=4)
        column(line, self.message, on=self, spacing=2)
        # Not a focus proxy: Qt makes a widget with a proxy a stop of its own for Tab.
        self.editor = editors[0]
        self.label.setToolTip(tooltip(self.parameter))
        if isinstance(self.label, Label):
            self.label.setBuddy(self.editor)

    def row_height(self) -> int:
        """Return the height of label and editors without the error message; the label is centred on it."""
        return max(part.sizeHint().height() for part in (self.label, self.editor, self._reset))

    def show_value(self, value: Any) -> None:
        """Show a value without emitting anything. A different value clears the error message."""
        if value != self.value:
            self.message.say("")
        self.value = value
        self._reset.setVisible(value != self.parameter.default)
        self._show(value)

    def _show(self, value: Any) -> None:
        """Show a value in the editors; each kind of control does this in its own way."""
        raise NotImplementedError

    def reset(self) -> None:
        """Go back to the default, as an edit of the user."""
        self.offer(self.parameter.default)

    def offer(self, value: Any, gesture: object = None) -> None:
        """Emit a value the user chose, unless it is the present one."""
        self.message.say("")
        if value != self.value:
            self.show_value(value)
            self.edited.emit(value, gesture)

    def complain(self, sentence: str) -> None:
        """Show what is wrong below the editors."""
        self.message.say(sentence)


def tooltip(parameter: Parameter) -> str:
    """Return help, bounds and default of a parameter as rich text, which Qt wraps."""
    lines = [escape(parameter.help)] if parameter.help else []
    if parameter.kind is not FLAG:
        known = (parameter.kind.bounds(parameter), f"Default: {_as_text(parameter.default)}.")
        lines.append(escape(" ".join(filter(None, known))))
    return f"<qt>{'<br>'.join(lines)}</qt>" if lines else ""


def _as_text(value: Any) -> str:
    """Return a value as people write it: on and off, words without underscores, numbers in four digits."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return value.replace("_", " ") if isinstance(value, str) else digits(value)


class Segment(Button):
    """One option of a row; the arrow keys go to the next, as among radio buttons."""

    kept = PRESSES | MOVES


class Segments(QWidget):
    """A row of joined buttons for a handful of options, one of which is pressed."""

    chosen = Signal(object)  # The option the user pressed.

    def __init__(self, options: Mapping[str, str]) -> None:
        """options: the text on each button, by the option it stands for."""
        super().__init__()
        self.setObjectName("segments")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, Segment] = {}
        for k, (option, text) in enumerate(options.items()):
            button = Segment(text)
            button.setCheckable(True)
            button.setProperty("place", "first" if k == 0 else "last" if k == len(options) - 1 else "middle")
            button.setAccessibleName(text)
            self._group.addButton(button)
            self.buttons[option] = button
        row(*((button, 1) for button in self.buttons.values()), on=self, spacing=0)
        self._shown = next(iter(options))
        self._group.buttonToggled.connect(self._on_toggled)

    def setToolTip(self, text: str) -> None:
        """Give all buttons the same tooltip."""
        super().setToolTip(text)
        for button in self.buttons.values():
            button.setToolTip(text)

    def show_option(self, option: str) -> None:
        """Press the button of an option without emitting anything."""
        self._shown = option
        self.buttons[option].setChecked(True)

    def _on_toggled(self, button: Segment, on: bool) -> None:
        """Emit an option that the user has pressed; the one that is shown already emits nothing."""
        option = next(o for o, b in self.buttons.items() if b is button)
        if on and option != self._shown:
            self._shown = option
            self.chosen.emit(option)


class ChoiceControl(Control):
    """One of several named options: a row of segments where they fit, else a drop-down list.

    Up to three short options are segments, all of which can be seen; `segments` or `combo` is None."""

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__(parameter, owner)
        texts = {option: option.replace("_", " ").replace("-", " ") for option in parameter.options}
        self.segments: Segments | None = None
        self.combo: Combo | None = None
        if len(texts) <= 3 and sum(map(len, texts.values())) <= SEGMENTS_LENGTH:
            self.segments = Segments(texts)
            self.segments.chosen.connect(self.offer)
            self.lay_out(self.segments)
        else:
            combo = self.combo = Combo()
            for option, text in texts.items():
                combo.addItem(text, option)
            combo.activated.connect(lambda row: self.offer(combo.itemData(row)))
            self.lay_out(combo)
        self.show_value(parameter.default)

    def _show(self, value: str) -> None:
        if self.segments is not None:
            self.segments.show_option(value)
        elif self.combo is not None:
            self.combo.setCurrentIndex(self.combo.findData(value))


class FlagControl(Control):
    """A check box, which carries the label itself."""

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__(parameter, owner)
        self.label = Label("")
        self.box = CheckBox(parameter.label)
        self.box.clicked.connect(lambda on: self.offer(on))
        self.lay_out(self.box)
        self.show_value(parameter.default)

    def _show(self, value: bool) -> None:
        self.box.setChecked(value)
