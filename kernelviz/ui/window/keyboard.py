"""Keyboard shortcuts: the sheet that lists them, and those that move the focus or change the fit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partialmethod
from html import escape
from typing import cast

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QDockWidget,
    QMenu,
    QTextBrowser,
    QWidget,
)

from kernelviz.scene.insight import view_class
from kernelviz.session.view_listing import listed_scenes
from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.gestures import Tool
from kernelviz.ui.canvas.points import ADDING, HELP, MOVING, TYPING
from kernelviz.ui.canvas.tools import TOOLS
from kernelviz.ui.insight.area import ViewSlot
from kernelviz.ui.insight.inspector import PointInspector
from kernelviz.ui.sidebar.panel import Panel
from kernelviz.ui.widgets.focus import takes_tab
from kernelviz.ui.widgets.layouts import column
from kernelviz.ui.widgets.painting import type_scale
from kernelviz.ui.widgets.picker import grouped
from kernelviz.ui.window.commands import MENUS, Command, Situation
from kernelviz.ui.window.docks import PanelDock, keys
from kernelviz.ui.window.shell import Shell

# Where points have classes (True), and where they have none.
CLICKS = {
    True: (
        ("Left click", "add a + point (tool: add)"),
        ("Right click, Shift+click", "add a − point"),
        ("With several classes", "left adds the class chosen in the toolbar, right or Shift the next one"),
    ),
    False: (("Click", "add a point (tool: add)"),),
}
MOUSE = (
    ("Wheel", "zoom around the pointer"),
    ("Shift+wheel over a point", "change its weight in the fit, or that of all selected points"),
    ("Middle drag", "move the view"),
    ("Hover", "read a point's numbers; all views mark it"),
    ("Finger", "tap to click, move to drag, two to zoom and pan; rest on a point for its menu"),
    ("Pen", "a mouse; its other end erases"),
)
BY_KEY = Qt.FocusReason.ShortcutFocusReason


def sheet(classes: bool = True, movable: bool = True, kinds_of_tools: Sequence[type[Tool]] = TOOLS) -> str:
    """Return the sheet as HTML: mouse, tools, then every menu with its shortcuts.

    classes: points have classes here. movable: they can be moved."""
    tools = [
        (f"{tool.shortcut} or {number}", tool.help_for(classes))
        for number, tool in enumerate(kinds_of_tools, start=1)
    ]
    drag = (("Drag a point", "move it; the fit follows"),)
    mouse = (*CLICKS[classes], *drag, *MOUSE) if movable else MOUSE
    canvas = (*ADDING[classes], *MOVING, *HELP) if movable else (*TYPING, *HELP)
    now = Situation(has_classes=classes, movable=movable)
    panels = [(key, f"go to {title}, or close it from there") for title, key in keys().items()]
    panels.extend(
        (keys.name, keys.help) for listed in listed_scenes() for keys in view_class(listed.name).keys
    )
    panels.append(("Tab, Shift+Tab", "next or previous control"))
    panels.append(("Arrow keys", "move the slider that was clicked or reached by Tab"))
    panels.append(("Escape", "back to the canvas"))
    sections = [
        (title, [(escape(keys), escape(text)) for keys, text in rows])
        for title, rows in (("Mouse", mouse), ("Tools", tools), ("Canvas", canvas), ("Panels", panels))
    ]
    for title, entries in MENUS.items():
        rows = [
            (escape(entry.shortcut), escape(entry.help))
            for entry in entries
            if isinstance(entry, Command) and entry.shortcut and entry.offered(now)
        ]
        sections.append((title.replace("&", ""), rows))
    return "".join(_section(title, rows) for title, rows in sections if rows)


def _section(title: str, rows: list[tuple[str, str]]) -> str:
    """Return a heading and its table of keys, as HTML."""
    lines = "".join(
        f"<tr><td style='padding:2px 18px 2px 0; white-space:nowrap'><b>{keys}</b></td><td>{text}</td></tr>"
        for keys, text in rows
    )
    return f"<h3>{title}</h3><table>{lines}</table>"


class ShortcutsSheet(QDialog):
    """A window that lists all shortcuts while one goes on working."""

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
        column(text, buttons, on=self, margins=(9, 9, 9, 9))


class Keyboard:
    """The shortcuts of a window for panels, insight views, kernels and algorithms.

    Alt and a digit leads to a panel or a view and, pressed there, closes it. The methods without arguments
    are commands of the table in `commands`."""

    def __init__(self, window: Shell) -> None:
        self.window = window

    def go_home(self) -> bool:
        """Focus the canvas, or an enlarged view with keys of its own; return True if the focus was
        elsewhere."""
        home: QWidget = self.window.insight.large_picture or self.window.canvas
        if self.window.isVisible() and not home.isVisible():  # a view without keys is enlarged
            home = self.window
        if home.hasFocus():
            return False
        if isinstance(QApplication.activeWindow(), QDockWidget):  # a floating panel
            self.window.activateWindow()
        home.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def add_panel_keys(self) -> None:
        """Give every panel its shortcut, which works while the menu that shows it is closed."""
        for dock in self.window.docks.values():
            if (key := keys().get(dock.windowTitle())) is not None:
                action = QAction(self.window)
                action.setShortcut(QKeySequence(key))
                action.triggered.connect(lambda _checked=False, dock=dock: self.go_to(dock))
                self.window.addAction(action)
                dock.toggleViewAction().setText(f"{dock.windowTitle()}\t{key}")

    def go_to(self, dock: PanelDock) -> None:
        """Show a panel and focus its first control; from within, close it.

        In presentation mode show or close it, and leave the focus on the canvas."""
        presenting = self.window.presentation.on
        if self._is_in(dock.widget()) or (presenting and dock.isVisible()):
            dock.put_away()
            self.go_home()
            return
        dock.reveal()
        if not presenting:
            (_first_stop(dock.widget()) or dock.widget()).setFocus(BY_KEY)

    def edit_point(self) -> None:
        """Focus the coordinates of the point under the mouse, or of the selected one."""
        inspector = self.window.insight.view("inspector")
        if isinstance(inspector, PointInspector) and inspector.point is not None:
            self._show_view("inspector")
            inspector.edit()

    def go_to_view(self, name: str) -> None:
        """Show an insight view and focus its first control; from within, close it.

        In presentation mode show or close it, and leave the focus on the canvas."""
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

    def _show_view(self, name: str) -> ViewSlot:
        self.window.docks["insight"].reveal()
        return self.window.insight.show_view(name)

    def _is_in(self, part: QWidget | None) -> bool:
        """Return True if the focus is in a part of the window, and not in a canvas inside it."""
        here = QApplication.focusWidget()
        if here is None or part is None or self.window.canvas.isAncestorOf(here):
            return False
        return part.isAncestorOf(here)

    # Kernel and algorithm ------------------------------------------------------------------------------
    def list_kinds(self, name: str, menu: QMenu) -> None:
        """Add a submenu for each family of kernels or algorithms, as in the list of their panel. They are
        filled when the menu opens, with what is offered then."""
        picker = cast(Panel, self.window.docks[name].widget()).picker
        families: dict[str, QMenu] = {}
        groups: dict[str, QActionGroup] = {}  # One entry of each family is ticked at most.
        end = menu.addSeparator()

        def fill() -> None:
            offered = grouped(picker.kinds)
            for family in [*families, *offered]:
                if family not in families:
                    families[family] = QMenu(family or "Other", menu, toolTipsVisible=True)
                    groups[family] = QActionGroup(families[family])
                    menu.insertMenu(end, families[family])
                families[family].clear()
                families[family].menuAction().setVisible(family in offered)
            for family, kinds in offered.items():
                for kind in kinds:
                    entry = families[family].addAction(kind.title)
                    entry.setToolTip(kind.summary_line)
                    entry.setCheckable(True)
                    entry.setActionGroup(groups[family])
                    entry.setChecked(kind.name == picker.currentData())
                    entry.triggered.connect(lambda _=False, name=kind.name: picker.pick(name))

        menu.aboutToShow.connect(fill)

    def _choose_neighbour(self, name: str, by: int) -> None:
        """Choose a neighbour in the list of a panel, which may be hidden, and show its name over the canvas;
        in presentation mode among those next to it in the list."""
        picker = cast(Panel, self.window.docks[name].widget()).picker
        picker.step(by)
        if not self.window.presentation.on:
            self.window.notice.say(f"{name.capitalize()}: {picker.currentText()}")
            return
        around, names = 2, picker.names()  # How many are shown on either side of it.
        titles = {kind.name: kind.title for kind in picker.kinds}
        at = names.index(picker.currentData())
        near = range(at - around, at + around + 1)
        lines = [f"{titles[names[k % len(names)]]}{'  ←' if k == at else ''}" for k in near]
        self.window.notice.say("\n".join(lines))

    def _turn(self, name: str, by: int) -> None:
        """Increase (1) or decrease (-1) the main parameter of a panel."""
        cast(Panel, self.window.docks[name].widget()).form.step(by)

    next_kernel = partialmethod(_choose_neighbour, "kernel", 1)
    previous_kernel = partialmethod(_choose_neighbour, "kernel", -1)
    kernel_up = partialmethod(_turn, "kernel", 1)
    kernel_down = partialmethod(_turn, "kernel", -1)
    next_algorithm = partialmethod(_choose_neighbour, "algorithm", 1)
    previous_algorithm = partialmethod(_choose_neighbour, "algorithm", -1)
    algorithm_up = partialmethod(_turn, "algorithm", 1)
    algorithm_down = partialmethod(_turn, "algorithm", -1)


def _first_stop(panel: QWidget) -> QWidget | None:
    """Return the first control of a panel: of its first line, the one furthest left.

    `nextInFocusChain` is not asked: PySide takes its answer for a child of the widget asked, and for deleted
    once that widget is, be it a menu or the window itself."""
    places = {
        widget: widget.mapTo(panel, QPoint(0, widget.height() // 2))
        for widget in panel.findChildren(QWidget)
        if takes_tab(widget) and widget.isEnabled() and widget.isVisibleTo(panel)
    }
    top = min((at.y() for at in places.values()), default=0)
    line = 12  # Pixels: controls whose middles are closer than this are in one line.
    first_line = [widget for widget, at in places.items() if at.y() < top + line]
    return min(first_line, key=lambda widget: places[widget].x(), default=None)
