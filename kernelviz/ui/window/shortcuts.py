"""Help > Shortcuts: one sheet, generated from the commands and tools themselves."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.keys import ADDING, HELP, MOVING, TYPING
from kernelviz.ui.canvas.tools import TOOLS, Tool
from kernelviz.ui.controls.in_points import type_scale
from kernelviz.ui.insight.keyed_sheet import SteppingSheet
from kernelviz.ui.insight.turning_sheet import TurningSheet
from kernelviz.ui.window.actions import MENUS, OF_CLASSES, OF_MOVABLE, Command
from kernelviz.ui.window.docks import keys

__all__ = ["ShortcutsSheet", "sheet"]

CLICKS = {
    True: (
        ("Left click", "add a + point (tool: add)"),
        ("Right click, Shift+click", "add a − point"),
        ("With several classes", "left adds the class chosen in the toolbar, right or Shift the next one"),
    ),
    False: (("Click", "add a point (tool: add)"),),
}
"""Where points have classes, and where they have none."""
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
        (f"{tool.shortcut} or {number}", tool.told(classes))
        for number, tool in enumerate(kinds_of_tools, start=1)
    ]
    mouse = (*CLICKS[classes], *DRAG, *MOUSE) if movable else MOUSE
    canvas = (*ADDING[classes], *MOVING, *HELP) if movable else (*TYPING, *HELP)
    missing = (() if classes else OF_CLASSES) + (() if movable else OF_MOVABLE)
    panels = [(key, f"go to {title}, or hide it from there") for title, key in keys().items()]
    panels.extend(TurningSheet.keys + SteppingSheet.keys)
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
