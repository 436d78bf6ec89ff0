"""What every generated control has: a label, help, a way back to the default, a place for a complaint."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kernelviz.drawing.icons import icon
from kernelviz.engine.core.params import FLAG, Parameter
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.message import Message
from kernelviz.ui.widgets.plain import Label, plain
from kernelviz.ui.widgets.scale import digits


class Control(QWidget):
    """The editor of one parameter. Shows values from outside silently; emits only what the user does."""

    # (checked value, gesture): changes of one gesture belong to one step of undo.
    edited = Signal(object, object)

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__()
        self.parameter = parameter
        self.owner = owner
        self.value: Any = parameter.default
        self.label: QWidget = Label(parameter.label)
        self.message = Message("error")
        self._reset = ToolButton()
        self._reset.setIcon(icon("undo"))
        self._reset.setAccessibleName(f"Reset {parameter.label}")
        self._reset.clicked.connect(self.reset)
        keeps_its_place = self._reset.sizePolicy()
        keeps_its_place.setRetainSizeWhenHidden(True)
        self._reset.setSizePolicy(keeps_its_place)
        self._reset.hide()
        self.set_default(parameter.default)

    def set_default(self, default: Any) -> None:
        """Where the way back leads to from the next value on, if that is not the declared default."""
        self.parameter = replace(self.parameter, default=default)
        self._reset.setToolTip(plain(f"Back to the default, {_shown(default)}"))

    def lay_out(self, *editors: QWidget, first: QWidget | None = None) -> None:
        """Put the editors in a row, the first one stretching, the complaint below; before them `first`, which
        is no editor."""
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        if first is not None:
            row.addWidget(first)
            row.setSpacing(4)
        for k, editor in enumerate(editors):
            row.addWidget(editor, 1 if k == 0 else 0)
            editor.setToolTip(tooltip(self.parameter))
            editor.setAccessibleName(self.parameter.label)
            editor.setAccessibleDescription(self.parameter.help)
        row.addWidget(self._reset)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.message)
        # No focus proxy: what stands in for another widget is a stop of its own on Tab's way.
        self.editor = editors[0]
        self.label.setToolTip(tooltip(self.parameter))
        if isinstance(self.label, Label):
            self.label.setBuddy(editors[0])

    def row_height(self) -> int:
        """Height of label and editors without the complaint: what the label is centred on."""
        return max(part.sizeHint().height() for part in (self.label, self.editor, self._reset))

    # Values -------------------------------------------------------------------------------------------
    def show_value(self, value: Any) -> None:
        """Show a value without emitting anything. A complaint goes when the value is another."""
        if value != self.value:
            self.message.say("")
        self.value = value
        self._reset.setVisible(value != self.parameter.default)
        self._show(value)

    def _show(self, value: Any) -> None:
        raise NotImplementedError

    def reset(self) -> None:
        """Back to the default, as an edit of the user."""
        self.offer(self.parameter.default)

    def offer(self, value: Any, gesture: object = None) -> None:
        """Emit a value the user chose, unless it is the present one."""
        self.message.say("")
        if value != self.value:
            self.show_value(value)
            self.edited.emit(value, gesture)

    def complain(self, sentence: str) -> None:
        """Say what is wrong, in place."""
        self.message.say(sentence)


def tooltip(parameter: Parameter) -> str:
    """Help, bounds and default, wrapped by Qt because it is rich text."""
    lines = [escape(parameter.help)] if parameter.help else []
    if parameter.kind is not FLAG:
        known = (parameter.kind.bounds(parameter), f"Default: {_shown(parameter.default)}.")
        lines.append(escape(" ".join(filter(None, known))))
    return f"<qt>{'<br>'.join(lines)}</qt>" if lines else ""


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value.replace("_", " ") if isinstance(value, str) else digits(value)
