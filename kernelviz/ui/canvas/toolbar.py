"""The tools as buttons with their options, generated from their declarations."""

from __future__ import annotations

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolBar, QWidget

from kernelviz.scene.icons import icon
from kernelviz.ui.canvas.class_chooser import ClassChooser
from kernelviz.ui.canvas.gestures import Tool
from kernelviz.ui.canvas.pane import Pane
from kernelviz.ui.widgets.form import control_for

CONTROL_WIDTH = 215


class ToolOptions(QWidget):
    """A row with a control for every option of one tool."""

    def __init__(self, canvas: Pane, tool: Tool) -> None:
        super().__init__()
        assert tool.options is not None
        self._canvas = canvas
        self._tool = tool
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        self.controls = {}
        for parameter in tool.options.parameters():
            control = control_for(parameter, tool.name)
            control.show_value(getattr(tool.options, parameter.name))
            control.setFixedWidth(CONTROL_WIDTH)
            control.label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
            control.edited.connect(lambda value, _, name=parameter.name: self._set(name, value))
            row.addWidget(control.label)
            row.addWidget(control)
            self.controls[parameter.name] = control
        row.addStretch(1)

    def _set(self, name: str, value: object) -> None:
        assert self._tool.options is not None
        self._canvas.set_options(self._tool.name, self._tool.options.replace(**{name: value}))


class ToolBarPart:
    """The canvas's share of a toolbar: one button for each tool, the options of the one in use beside it."""

    def __init__(self, canvas: Pane, bar: QToolBar) -> None:
        self.actions: dict[str, QAction] = {}
        self.options: dict[str, ToolOptions] = {}
        self._places: dict[str, QAction] = {}
        group = QActionGroup(bar)
        for number, tool in enumerate(canvas.kinds_of_tools, start=1):
            action = QAction(icon(tool.icon), tool.title, group)
            action.setObjectName(f"tool {tool.name}")
            action.setCheckable(True)
            action.setShortcuts([QKeySequence(tool.shortcut), QKeySequence(str(number))])
            told = tool.help_for(canvas.workspace.has_classes)
            action.setToolTip(f"<qt><b>{tool.title}</b> ({tool.shortcut} or {number})<br>{told}</qt>")
            action.setStatusTip(told)
            action.triggered.connect(lambda _=False, name=tool.name: canvas.use(name))
            bar.addAction(action)
            self.actions[tool.name] = action
        self.classes = ClassChooser(canvas)
        self._classes_place = bar.addWidget(self.classes)
        for name, in_use in canvas.tools.items():
            if in_use.options is not None:
                self.options[name] = ToolOptions(canvas, in_use)
                self._places[name] = bar.addWidget(self.options[name])
        self._tools = canvas.tools
        self._in_use = canvas.tool.name
        canvas.tool_changed.connect(self.show_tool)
        self.classes.offered.connect(lambda: self.show_tool(self._in_use))
        self.show_tool(self._in_use)

    def show_all(self, on: bool) -> None:
        """Show all of it, or nothing: the canvas is in front or behind."""
        for action in (*self.actions.values(), self._classes_place, *self._places.values()):
            action.setVisible(on)
        if on:
            self.show_tool(self._in_use)

    def show_tool(self, name: str) -> None:
        """Press the button of the tool in use and show its options."""
        self._in_use = name
        self.actions[name].setChecked(True)
        self._classes_place.setVisible(self._tools[name].adds and self.classes.needed)
        self.classes.show_names(self._tools[name].options is None)
        for owner, action in self._places.items():
            action.setVisible(owner == name)
