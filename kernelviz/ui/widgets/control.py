"""The base of controls, the editors of declared parameters: label, help, default and error message."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.params import FLAG, Parameter
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.labels import Label, MessageLabel, plain
from kernelviz.ui.widgets.layouts import column, row
from kernelviz.ui.widgets.scale import digits


class Control(QWidget):
    """The editor of one parameter, with a label, help, a button back to the default and room for an error.

    Subclasses make their widgets, pass them to `lay_out` and show a value in `_show`. Values shown by the
    program emit nothing; `edited` reports only what the user does."""

    carries_label: ClassVar[bool] = False  # Whether its editor has the label, so that it fills a row.
    shows_options: ClassVar[bool] = False  # Whether one sees all values there are, the default among them.
    edited = Signal(object, object)  # (checked value, gesture): changes of one gesture are one step of undo.

    def __init__(self, parameter: Parameter, owner: str) -> None:
        """owner: the name of the parameter's owner, for error messages."""
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
        """Show an error below the editors."""
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
    if value in ("", ()):
        return "nothing"
    if isinstance(value, bool):
        return "on" if value else "off"
    return value.replace("_", " ") if isinstance(value, str) else digits(value)
