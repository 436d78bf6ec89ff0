"""The canvas's share of the toolbar: tools with their options, and the class of which points are added."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QIcon, QKeySequence, QPainter, QPixmap, QShortcut
from PySide6.QtWidgets import QSizePolicy, QToolBar, QWidget

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.glyphs import draw_glyphs
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.icons import icon
from kernelviz.scene.theme import current_theme
from kernelviz.session.state import State
from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.gestures import Tool
from kernelviz.ui.widgets.buttons import Combo
from kernelviz.ui.widgets.controls import Segment, Segments, control_for
from kernelviz.ui.widgets.labels import describe, literal, plain
from kernelviz.ui.widgets.layouts import fill, row

MANY = 6  # Classes that no longer fit side by side.
LONG = 12  # Letters of a name that fit on a button.
SIDE = 18
MIDDLE: Array = np.array([[0.0, 0.0]])


class ClassChooser(QWidget):
    """Chooses the class of new points: swatches with the shape, colour and name of each class, or a list
    where there are many. Ctrl and a number choose too.

    Two classes have a mouse button each, and are on offer only once a finger or a pen has been used, and on
    the stage. There it is large enough for fingers, and seen while the tool adds points."""

    offered = Signal()  # Other classes are on offer, or none any more.

    def __init__(self, canvas: Canvas, *, on_stage: bool = False) -> None:
        keys = 9
        super().__init__()
        self.canvas = canvas
        self._names: tuple[str, ...] = ()
        self._with_names = not on_stage
        self.segments: Segments | None = None
        self.combo: Combo | None = None
        self._layout = row((None, 1), on=self, margins=(8, 0, 8, 0))
        for k in range(0 if on_stage else keys):  # a key belongs to one of them
            shortcut = QShortcut(QKeySequence(f"Ctrl+{k + 1}"), self)
            shortcut.activated.connect(lambda k=k: canvas.choose_class(k))
        canvas.workbench.state_changed.connect(self._on_state)
        canvas.classes_offered.connect(self._offer_again)
        canvas.class_chosen.connect(self._show_chosen)
        self._offer(canvas.editor.classes)
        if on_stage:
            canvas.tool_changed.connect(self.come_or_go)
            self.offered.connect(self.come_or_go)

    def come_or_go(self) -> None:
        """Show the chooser if the tool adds points and there is a class to choose."""
        self.setVisible(self.needed and self.canvas.tool.adds)

    @property
    def needed(self) -> bool:
        """Return True if there is anything to choose from."""
        return bool(self._names)

    def show_names(self, wanted: bool) -> None:
        """Show the names next to the swatches, or only in tooltips where room is scarce."""
        self._with_names = wanted
        for name, button in zip(self._names, self._buttons, strict=False):
            short = name if len(name) <= LONG else f"{name[: LONG - 1]}…"
            button.setText(literal(short) if wanted else "")

    @property
    def _buttons(self) -> list[Segment]:
        """Return the swatches; none where there is a list."""
        return list(self.segments.buttons.values()) if self.segments is not None else []

    def _on_state(self, old: State, new: State) -> None:
        if old.document.data is not new.document.data:
            self._offer_again()

    def _offer_again(self) -> None:
        """Offer the present classes."""
        names = self.canvas.editor.classes
        if names != self._names:
            self._offer(names)
            self.offered.emit()

    def _offer(self, names: tuple[str, ...]) -> None:
        """Put up the buttons, or the list, for these classes."""
        self._names = names
        for gone in (self.segments, self.combo):
            if gone is not None:
                self._layout.removeWidget(gone)
                gone.deleteLater()
        self.segments = self.combo = None
        if not names:
            return
        if len(names) <= MANY:
            self.segments = self._row(names)
            self._layout.insertWidget(0, self.segments)
        else:
            self.combo = self._list(names)
            self._layout.insertWidget(0, self.combo)
        self._paint_swatches()
        self.show_names(self._with_names)
        self._show_chosen(self.canvas.editor.chosen)

    def _row(self, names: tuple[str, ...]) -> Segments:
        """Return a row of swatches for a few classes."""
        segments = Segments({str(k): name for k, name in enumerate(names)})
        segments.chosen.connect(lambda k: self.canvas.choose_class(int(k)))
        for k, button in enumerate(segments.buttons.values()):
            button.setProperty("swatch", True)
            name = f"Add points of class {names[k]}"
            describe(button, name, plain(f"{name} (Ctrl+{k + 1}); C goes to the next class"))
        return segments

    def _list(self, names: tuple[str, ...]) -> Combo:
        """Return a drop-down list for many classes."""
        combo = Combo()
        tip = "The class of new points; C goes to the next one, Ctrl+number to any"
        describe(combo, "Class of new points", tip)
        combo.addItems(names)
        combo.activated.connect(self.canvas.choose_class)
        return combo

    def _show_chosen(self, k: int) -> None:
        """Mark class k as the class of new points."""
        if self.segments is not None:
            self.segments.show_option(str(k))
        elif self.combo is not None:
            self.combo.setCurrentIndex(k)

    def _paint_swatches(self) -> None:
        """Draw the marks of all classes in the colours of the theme."""
        count = len(self._names)
        for k, button in enumerate(self._buttons):
            button.setIcon(swatch(k, count))
        if self.combo is not None:
            for k in range(count):
                self.combo.setItemIcon(k, swatch(k, count))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_swatches()


def swatch(k: int, count: int) -> QIcon:
    """Return the mark of class k as it is on the plane, in the present theme."""
    sharp = 5  # Device pixels per pixel of a swatch: enough for every screen and type size.
    made = QPixmap(sharp * SIDE, sharp * SIDE)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(sharp, sharp)
    painter.translate(QPointF(SIDE / 2, SIDE / 2))
    painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
    draw_glyphs(painter, Style(current_theme(), glyphs=1.3), MIDDLE, k, count)
    painter.end()
    return QIcon(made)


class ToolOptions(QWidget):
    """A row with a control for every option of one tool."""

    def __init__(self, tool: Tool) -> None:
        control_width = 215
        super().__init__()
        assert tool.options is not None
        self._tool = tool
        line = row(on=self, margins=(8, 0, 8, 0))
        self.controls = {}
        for parameter in tool.options.parameters():
            control = control_for(parameter, tool.name)
            control.show_value(getattr(tool.options, parameter.name))
            control.setFixedWidth(control_width)
            control.label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
            control.edited.connect(lambda value, _, name=parameter.name: self._set(name, value))
            fill(line, control.label, control)
            self.controls[parameter.name] = control
        fill(line, (None, 1))

    def _set(self, name: str, value: object) -> None:
        """Set one option of the tool."""
        assert self._tool.options is not None
        self._tool.options = self._tool.options.replace(**{name: value})


class ToolBarPart:
    """The canvas's share of a toolbar: a button for each tool, and the options of the one in use."""

    def __init__(self, canvas: Canvas, bar: QToolBar) -> None:
        self.actions: dict[str, QAction] = {}
        self.options: dict[str, ToolOptions] = {}
        self._places: dict[str, QAction] = {}
        self._group = group = QActionGroup(bar)
        for number, tool in enumerate(canvas.kinds_of_tools, start=1):
            action = QAction(icon(tool.icon), tool.title, group)
            action.setObjectName(f"tool {tool.name}")
            action.setCheckable(True)
            action.setShortcuts([QKeySequence(tool.shortcut), QKeySequence(str(number))])
            tip = tool.help_for(canvas.workspace.has_classes)
            action.setToolTip(f"<qt><b>{tool.title}</b> ({tool.shortcut} or {number})<br>{tip}</qt>")
            action.setStatusTip(tip)
            action.triggered.connect(lambda _=False, name=tool.name: canvas.use(name))
            bar.addAction(action)
            self.actions[tool.name] = action
        self.classes = ClassChooser(canvas)
        self._classes_place = bar.addWidget(self.classes)
        for name, in_use in canvas.tools.items():
            if in_use.options is not None:
                self.options[name] = ToolOptions(in_use)
                self._places[name] = bar.addWidget(self.options[name])
        self._canvas = canvas
        self._tools = canvas.tools
        self._in_use = canvas.tool.name
        canvas.tool_changed.connect(self.show_tool)
        self.classes.offered.connect(lambda: self.show_tool(self._in_use))
        self.show_tool(self._in_use)

    def show_tools(self) -> None:
        """Show the toolbar, or hide it while another canvas is in front."""
        for action in self.actions.values():
            action.setVisible(self._canvas.in_front)
        self.show_tool(self._in_use)

    def show_tool(self, name: str) -> None:
        """Press the button of the tool in use and show its options, if the canvas is in front."""
        self._in_use, seen = name, self._canvas.in_front
        self._group.setExclusive(name in self.actions)
        for own, action in self.actions.items():
            action.setChecked(own == name)
        self._classes_place.setVisible(seen and self._tools[name].adds and self.classes.needed)
        self.classes.show_names(self._tools[name].options is None)
        for owner, action in self._places.items():
            action.setVisible(seen and owner == name)
