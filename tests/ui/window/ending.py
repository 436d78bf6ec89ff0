"""A kernelviz of its own with unsaved work, ended by a signal at a given moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from kernelviz.session.files import kviz
from kernelviz.session.files.crashed_sessions import crashed_sessions

PROGRAM = """
import sys
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu, QMessageBox
from kernelviz import cli
from kernelviz.ui import app

moment = sys.argv.pop(1)
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def press(key, modifiers):
    return lambda window: QTest.keyClick(window, key, modifiers)


def choose(name):
    return lambda window: window.actions_by_name[name].trigger()


def open_a_menu(window):
    menu = QMenu(window)
    menu.addAction("anything")
    menu.exec()


def answer_save(window):
    def save():
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            QTest.keyClick(box.button(QMessageBox.StandardButton.Save), Qt.Key.Key_Space)
        else:
            QTimer.singleShot(20, save)

    QTimer.singleShot(20, save)
    window.close()


ACTIONS = {
    "nothing open": lambda window: None,
    "question on closing": lambda window: window.close(),
    "question on New": choose("new"),
    "file dialogue on closing": answer_save,
    "file dialogue on Save as": press(Qt.Key.Key_S, CTRL | SHIFT),
    "file dialogue on Open": press(Qt.Key.Key_O, CTRL),
    "export of a figure": choose("export_figure"),
    "export of a film": choose("export_animation"),
    "file dialogue of an export": lambda window: (
        window.exports.export_figure(), window.exports._dialogs["figure"].ask_where()
    ),
    "menu": open_a_menu,
}
AWAITED = {"question": QMessageBox, "file": QFileDialog, "export": None, "menu": QMenu}


def is_open(window):
    kind = moment.split()[0]
    if kind == "nothing":
        return True
    if kind == "export":
        return any(dialog.isVisible() for dialog in window.exports._dialogs.values())
    return any(isinstance(w, AWAITED[kind]) and w.isVisible() for w in QApplication.topLevelWidgets())


def tell(window):
    if is_open(window):
        print("up", flush=True)
    else:
        QTimer.singleShot(20, lambda: tell(window))


def begin(window, *files):
    port = window.canvas.area.viewport()
    corner = (port.rect().center() + 3 * port.rect().bottomRight()) / 4  # the legend may be in the upper one
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=corner - QPoint(0, 60))
    if window.session.document.data.n != 121 or not window.session.unsaved:
        print("there is nothing to lose", flush=True)
        window.leave()
    QTimer.singleShot(0, lambda: tell(window))
    QTimer.singleShot(0, lambda: ACTIONS[moment](window))


app.open_at_start = begin
sys.exit(cli.main())
"""
MOMENTS = (
    "nothing open",
    "question on closing",
    "question on New",
    "file dialogue on closing",
    "file dialogue on Save as",
    "file dialogue on Open",
    "export of a figure",
    "export of a film",
    "file dialogue of an export",
    "menu",
)
PATIENCE = 60


@dataclass(frozen=True)
class End:
    """How the program ended, and the number of points in each session it left for the next start."""

    code: int
    stderr: str
    kept: tuple[int, ...]


def ended(moment: str, number: signal.Signals, state: Path, *, times: int = 1) -> End:
    """Start the program, wait for the moment, send it the signal so many times."""
    home = state.parent / "home"
    home.mkdir(exist_ok=True)
    own = {"QT_QPA_PLATFORM": "offscreen", "KERNELVIZ_STATE": str(state), "HOME": str(home)}
    own["XDG_CONFIG_HOME"] = str(home)
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, moment],
        env=os.environ | own,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_as_in_a_terminal,
    )
    try:
        assert child.stdout is not None
        first = child.stdout.readline()
        for _ in range(times if first == "up\n" else 0):
            child.send_signal(number)
        _, told = child.communicate(timeout=PATIENCE)
        assert first == "up\n", told
    finally:
        child.kill()
        child.communicate()
    left = crashed_sessions(state / "recovery")
    kept = tuple(kviz.load(orphan.path)[0].document.data.n for orphan in left)
    return End(child.returncode, told, kept)


def _as_in_a_terminal() -> None:
    """Signals mean what they usually mean, though the tests may run in the background."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
