"""Whoever hears the window instead of seeing it is told what every control is and what it is for."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QWidget

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.session.files.crashed_sessions import CrashedSession, Examined
from kernelviz.session.tables.formats import read_text
from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.points import LimitsDialog
from kernelviz.ui.dialogs.animation_dialog import AnimationDialog
from kernelviz.ui.dialogs.column_picker import ColumnPicker
from kernelviz.ui.dialogs.figure_dialog import FigureDialog
from kernelviz.ui.dialogs.recovery_dialog import RecoveryDialog
from kernelviz.ui.widgets.focus import takes_tab
from kernelviz.ui.window.canvases import Canvases
from kernelviz.ui.window.keyboard import ShortcutsSheet

SAYS_NOTHING = (QAccessible.Role.NoRole, QAccessible.Role.Client)


def controls(top: QWidget) -> list[QWidget]:
    """What is pressed, or reached by Tab; the parts Qt makes controls of are not on their own."""
    return [
        widget
        for widget in top.findChildren(QWidget)
        if (isinstance(widget, QAbstractButton) or takes_tab(widget))
        and not widget.objectName().startswith("qt_")
        and not isinstance(widget, Canvas | Canvases)  # their place in the order is the plot's
        and not widget.window().inherits("QComboBoxPrivateContainer")
    ]


def nameless(top: QWidget) -> list[str]:
    found = []
    for widget in controls(top):
        told = QAccessible.queryAccessibleInterface(widget)
        name, role = told.text(QAccessible.Text.Name), told.role()
        # Of a widget drawn by hand Qt tells its name and its description, whatever it is.
        vague = role in SAYS_NOTHING and not told.text(QAccessible.Text.Description)
        if not name.strip() or vague:
            found.append(f"{widget} in {widget.parentWidget()}: {name!r}, {role}")
    return found


def test_every_control_of_the_window_has_a_name_and_a_role(window):
    for dock in window.docks.values():
        dock.show()
    for chosen in (
        {"algorithm": algorithm("random-features")},
        {"algorithm": algorithm("hinge-sgd")},
        {"kernel": kernel("rbf(gamma=1) + 0.5*ard(l1=2)*linear")},
    ):
        window.session.change("choose", **chosen)
        assert len(controls(window)) > 60
        assert nameless(window) == []


def test_every_control_of_every_data_set_has_a_name_and_a_role(window):
    panel = window.docks["data"].widget()
    for name in panel.picker.names():
        panel.picker.picked.emit(name)
        assert len(panel.form.current.controls) == len(panel.form.current.declared.parameters())
        assert nameless(panel) == [], name


DIALOGUES = {
    "figure": lambda window: FigureDialog(window.exports.source(), window),
    "animation": lambda window: AnimationDialog(window.exports.source(), window),
    "columns": lambda window: ColumnPicker(read_text("a,b,c,kind\n1,2,3,x\n4,5,6,y\n"), window),
    "limits": lambda window: LimitsDialog(window.session.look.view, ("a", "b"), window),
    "recovery": lambda window: RecoveryDialog([Examined(CrashedSession(Path("a.kviz"), 0.0, 0), 3)], window),
    "shortcuts": lambda window: ShortcutsSheet(window, window.canvas),
}


def test_every_control_of_every_dialogue_has_a_name_and_a_role(qtbot, window):
    for name, make in DIALOGUES.items():
        dialogue = make(window)
        qtbot.addWidget(dialogue)
        assert controls(dialogue), name
        assert nameless(dialogue) == [], name
