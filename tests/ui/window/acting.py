"""What a user does to a window, and waiting until it has answered."""

from __future__ import annotations

import time

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget

from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.window.main_window import MainWindow
from tests.patience import PATIENCE

LEFT = Qt.MouseButton.LeftButton
PLAIN, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
STILL_TURNS = 8  # Turns of the event loop without a change after which a window is at rest.
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def settle(qtbot, window: MainWindow) -> None:
    """Wait for the picture of the present state."""
    qtbot.waitUntil(lambda: window.workbench.up_to_date)


def resize(window: MainWindow, width: int, height: int) -> None:
    """Give a window another size, and let it take the shape for that."""
    window.resize(width, height)
    QApplication.processEvents()


def focus_canvas(window: MainWindow) -> None:
    """Activate the window and give the keyboard to its canvas."""
    window.activateWindow()
    window.canvas.setFocus()


def shown_panels(window: MainWindow) -> set[str]:
    """Return the names of the panels that can be seen."""
    return {name for name, dock in window.docks.items() if dock.isVisible()}


def click(qtbot, window: MainWindow, x: float, y: float, modifier=PLAIN) -> None:
    """Click on a place of the canvas, in its coordinates."""
    area = window.canvas.area
    place = area.mapFromScene(area.box.mapViewToScene(QPointF(x, y)))
    qtbot.mouseClick(area.viewport(), LEFT, modifier, place)


def press(qtbot, key: Qt.Key, modifier=PLAIN) -> None:
    """Press a key, whatever has the focus."""
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def panel(window: MainWindow, name: str) -> QWidget:
    """Return a panel or an insight view by name."""
    return window.docks[name].widget() if name in window.docks else window.insight.view(name)


def add_a_point(window: MainWindow, x: float = 0.3, y: float = 0.1) -> None:
    """Add a point to the plane, so that there is something to save."""
    data = PlaneWorkspace().added(window.session.document.data, np.array([[x, y]]), 1)
    window.session.change("add point", data=data, source="")


def enter(qtbot, window: MainWindow, workspace: str) -> MainWindow:
    """Go to a workspace by the switch of the toolbar."""
    qtbot.mouseClick(window.canvases.switch.buttons[workspace], LEFT)
    settle(qtbot, window)
    return window


def present(window: MainWindow) -> None:
    """Enter or leave presentation mode, and wait until it is done."""
    window.actions_by_name["presentation"].trigger()
    come_to_rest(window)


def come_to_rest(window: MainWindow) -> None:
    """Wait until the window is painted again and its canvas has kept its place for some turns of the loop.

    The parts of the window are laid out one after the other, each in a turn of its own."""
    deadline = time.monotonic() + PATIENCE
    place, still = window.stage.geometry(), 0
    while still < STILL_TURNS:
        assert time.monotonic() < deadline, "the window does not come to rest"
        QApplication.processEvents()
        time.sleep(0.005)
        now = window.stage.geometry()
        still = still + 1 if now == place and window.updatesEnabled() else 0
        place = now


def chosen_in_menu(window: MainWindow, title: str) -> QAction:
    """Return the entry of a panel in View > Panels in presentation."""
    view = next(a.menu() for a in window.menuBar().actions() if a.text() == "&View")
    menu = next(a.menu() for a in view.actions() if a.menu() and "presentation" in a.text().replace("&", ""))
    return next(a for a in menu.actions() if a.text() == title)
