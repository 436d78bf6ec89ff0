"""What a user does to a window, and waiting until it has answered."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from kernelviz.ui.window.main_window import MainWindow


def settle(qtbot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.workbench.up_to_date)


def click(qtbot, window: MainWindow, x: float, y: float, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    area = window.canvas.area
    place = area.mapFromScene(area.box.mapViewToScene(QPointF(x, y)))
    qtbot.mouseClick(area.viewport(), Qt.MouseButton.LeftButton, modifier, place)
