"""Keyboard shortcuts: the sheet that lists them, and what they focus."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import cast

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QDockWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from kernelviz.scene.listing import listed_scenes
from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.gestures import Tool
from kernelviz.ui.canvas.keys import ADDING, HELP, MOVING, TYPING
from kernelviz.ui.canvas.tools import TOOLS
from kernelviz.ui.insight.inspector import PointInspector
from kernelviz.ui.insight.slot import Slot
from kernelviz.ui.sidebar.algorithm_panel import AlgorithmPanel
from kernelviz.ui.sidebar.kernel_panel import KernelPanel
from kernelviz.ui.widgets.focus import takes_tab
from kernelviz.ui.widgets.in_points import type_scale
from kernelviz.ui.widgets.picker import Picker
from kernelviz.ui.window.actions import MENUS, OF_CLASSES, OF_MOVABLE, Command
from kernelviz.ui.window.docks import keys
from kernelviz.ui.window.panel_dock import PanelDock
from kernelviz.ui.window.shell import Shell

# Where points have classes, and where they have none.
CLICKS = {
    True: (
        ("Left click", "add a + point (tool: add)"),
        ("Right click, Shift+click", "add a − point"),
        ("With several classes", "left adds the class chosen in the toolbar, right or Shift the next one"),
    ),
    False: (("Click", "add a point (tool: add)"),),
}
DRAG = (("Drag a point", "move it; the fit follows"),)
MOUSE = (
    ("Wheel", "zoom around the pointer"),
    ("Middle drag", "move the view"),
    ("Hover", "read a point's numbers; all views mark it"),
)


def sheet(classes: bool = True, movable: bool = True, kinds_of_tools: Sequence[type[Tool]] = TOOLS) -> str:
    """The sheet as HTML: mouse, tools, then every menu with its shortcuts; where points have classes, or
    none, and can be moved, or not."""
    tools = [
        (f"{tool.shortcut} or {number}", tool.help_for(classes))
        for number, tool in enumerate(kinds_of_tools, start=1)
    ]
    mouse = (*CLICKS[classes], *DRAG, *MOUSE) if movable else MOUSE
    canvas = (*ADDING[classes], *MOVING, *HELP) if movable else (*TYPING, *HELP)
    missing = (() if classes else OF_CLASSES) + (() if movable else OF_MOVABLE)
    panels = [(key, f"go to {title}, or hide it from there") for title, key in keys().items()]
    panels.extend((keys.name, keys.help) for listed in listed_scenes() for keys in listed.view.keys)
    panels.append(("Tab, Shift+Tab", "from control to control"))
    panels.append(("Escape", "from a panel back to the canvas"))
    sections = [
        (title, [(escape(keys), escape(text)) for keys, text in rows])
        for title, rows in (("Mouse", mouse), ("Tools", tools), ("Canvas", canvas), ("Panels", panels))
    ]
    for title, entries in MENUS.items():
        rows = [
            (escape(entry.shortcut), escape(entry.help))
            for entry in entries
            if isinstance(entry, Command) and entry.shortcut and entry.name not in missing
        ]
        sections.append((title.replace("&", ""), rows))
    return "".join(_section(title, rows) for title, rows in sections if rows)


def _section(title: str, rows: list[tuple[str, str]]) -> str:
    lines = "".join(
        f"<tr><td style='padding:2px 18px 2px 0; white-space:nowrap'><b>{keys}</b></td><td>{text}</td></tr>"
        for keys, text in rows
    )
    return f"<h3>{title}</h3><table>{lines}</table>"


class ShortcutsSheet(QDialog):
    """A window beside the work, not in its way."""

    def __init__(self, parent: QWidget, canvas: Canvas) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard and mouse")
        self.setModal(False)
        room = self.screen().availableSize() - QSize(8, 48)  # for its title bar
        self.resize((QSize(520, 640) * type_scale(self)).boundedTo(room))
        text = QTextBrowser(self)
        text.setAccessibleName("All keys and what they do")
        workspace = canvas.workspace
        text.setHtml(sheet(workspace.has_classes, workspace.movable, canvas.kinds_of_tools))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        layout.addWidget(buttons)


BY_KEY = Qt.FocusReason.ShortcutFocusReason
LINE = 12  # Pixels: controls whose middles are so near stand side by side.


class Keyboard:
    """The keys of one window that are about no point and no step."""

    def __init__(self, window: Shell) -> None:
        self.window = window

    def go_home(self) -> bool:
        """To the canvas, whose Space and arrow keys are, or to a picture with keys of its own that has its
        place; whether it was elsewhere."""
        home: QWidget = self.window.insight.large_picture or self.window.canvas
        if self.window.isVisible() and not home.isVisible():  # a view without keys has its place
            home = self.window
        if home.hasFocus():
            return False
        if isinstance(QApplication.activeWindow(), QDockWidget):  # one that floats
            self.window.activateWindow()
        home.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def lead_to(self, dock: PanelDock, keys: str) -> None:
        """Have keys lead to a panel, also while the menu that says so is out of sight."""
        action = QAction(self.window)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: self.go_to(dock))
        self.window.addAction(action)
        dock.toggleViewAction().setText(f"{dock.windowTitle()}\t{keys}")

    def go_to(self, dock: PanelDock) -> None:
        """Show a panel and go to its first control; from within, put it away. On the stage show it or put
        it away, and stay at the canvas."""
        presenting = self.window.presentation.on
        if self._is_in(dock.widget()) or (presenting and dock.isVisible()):
            dock.put_away()
            self.go_home()
            return
        dock.reveal()
        if not presenting:
            (_first_stop(dock.widget()) or dock.widget()).setFocus(BY_KEY)

    def edit_point(self) -> None:
        """To the coordinates of the point under the mouse, or of the selected one."""
        inspector = self.window.insight.view("inspector")
        if isinstance(inspector, PointInspector) and inspector.point is not None:
            self._show_view("inspector")
            inspector.edit()

    def go_to_view(self, name: str) -> None:
        """Show an insight view and go to its first control; from within, put it away. On the stage show it
        or put it away, and stay at the canvas."""
        area, presenting = self.window.insight, self.window.presentation.on
        slot, view = area.slot_of(name), area.views.get(name)
        seen = presenting and slot is not None and view is not None and view.isVisible()
        if seen or self._is_in(slot) or self._is_in(view):
            area.put_away(name)
            self.go_home()
            return
        slot = self._show_view(name)
        if not presenting:
            (_first_stop(area.view(name)) or slot.picker).setFocus(BY_KEY)

    def _show_view(self, name: str) -> Slot:
        self.window.docks["insight"].reveal()
        return self.window.insight.show_view(name)

    def _is_in(self, part: QWidget | None) -> bool:
        """Whether the keyboard is in a part of the window, and not in the canvas there."""
        here = QApplication.focusWidget()
        if here is None or part is None or self.window.canvas.isAncestorOf(here):
            return False
        return part.isAncestorOf(here)

    # Kernel and algorithm ------------------------------------------------------------------------------
    @property
    def _kernels(self) -> KernelPanel:
        return cast(KernelPanel, self.window.docks["kernel"].widget())

    @property
    def _algorithms(self) -> AlgorithmPanel:
        return cast(AlgorithmPanel, self.window.docks["algorithm"].widget())

    def next_kernel(self) -> None:
        self._step(self._kernels.picker, "Kernel", 1)

    def previous_kernel(self) -> None:
        self._step(self._kernels.picker, "Kernel", -1)

    def _step(self, picker: Picker, what: str, by: int) -> None:
        """Choose a neighbour in a list, which may be out of sight, and name it over the canvas."""
        picker.step(by)
        self.window.notice.say(f"{what}: {picker.currentText()}")

    def kernel_up(self) -> None:
        self._kernels.form.step(1)

    def kernel_down(self) -> None:
        self._kernels.form.step(-1)

    def next_algorithm(self) -> None:
        self._step(self._algorithms.picker, "Algorithm", 1)

    def previous_algorithm(self) -> None:
        self._step(self._algorithms.picker, "Algorithm", -1)

    def algorithm_up(self) -> None:
        self._algorithms.form.step(1)

    def algorithm_down(self) -> None:
        self._algorithms.form.step(-1)


def _first_stop(panel: QWidget) -> QWidget | None:
    """Where Tab begins in a panel: it follows the eye.

    Not by `nextInFocusChain`: PySide takes what that returns for a child of the widget asked, and for gone
    once that widget is, be it a menu or the window itself."""
    stops = [
        widget
        for widget in panel.findChildren(QWidget)
        if takes_tab(widget) and widget.isEnabled() and widget.isVisibleTo(panel)
    ]
    return min(stops, key=lambda widget: _place(widget, panel), default=None)


def _place(widget: QWidget, panel: QWidget) -> tuple[int, int]:
    """The line of a panel that a control is in, and where it begins."""
    at = widget.mapTo(panel, QPoint(0, widget.height() // 2))
    return round(at.y() / LINE), at.x()
