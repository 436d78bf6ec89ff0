"""A window on a desk and an audience window in a hall; what happens is printed as JSON. With BY_XRANDR the
screen of the hall comes and goes by xrandr; otherwise it is there, and Qt's signals are emitted instead."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication

from kernelviz.session.session import Session
from kernelviz.session.state import start_up
from kernelviz.ui.window.main_window import MainWindow
from kernelviz.ui.workbench.settings import Settings

DESK, HALL = "1366/361x768/203+0+0", "1920/508x1080/286+1366+0"
BY_XRANDR = "BY_XRANDR" in os.environ


def xrandr(*arguments: str) -> None:
    subprocess.run(["xrandr", *arguments], check=True, stdout=subprocess.DEVNULL)


def screens() -> dict[str, QScreen]:
    return {screen.name(): screen for screen in QGuiApplication.screens()}


def wait_until(app: QApplication, done: Callable[[], bool], seconds: float = 20.0) -> bool:
    began = time.perf_counter()
    while not done() and time.perf_counter() - began < seconds:
        app.processEvents()
        time.sleep(0.01)
    return done()


def plug_in(app: QApplication, hall: QScreen | None) -> None:
    if hall is None:
        xrandr("--setmonitor", "hall", HALL, "none")
        wait_until(app, lambda: "hall" in screens())
    else:
        app.screenAdded.emit(hall)


def unplug(app: QApplication, hall: QScreen | None) -> None:
    if hall is None:
        xrandr("--delmonitor", "hall")
        wait_until(app, lambda: "hall" not in screens())
    else:
        app.screenRemoved.emit(hall)


def main() -> None:
    QStandardPaths.setTestModeEnabled(True)
    if BY_XRANDR:
        xrandr("--setmonitor", "desk", DESK, "screen")
        xrandr("--setmonitor", "hall", HALL, "none")
    app = QApplication([])
    with TemporaryDirectory() as folder:
        window = MainWindow(Session(start_up()), Settings(Path(folder) / "settings.ini"))
        window.setGeometry(20, 40, 1200, 680)
        window.show()
        wait_until(app, lambda: window.workbench.up_to_date and window.isActiveWindow())
        hall = None if BY_XRANDR else screens()["hall"]
        command = window.actions_by_name["audience_window"]

        def place() -> dict[str, object]:
            audience = window.audience
            there = screens()["hall"]
            wait_until(
                app, lambda: (audience.screen(), audience.geometry()) == (there, there.geometry()), 5.0
            )
            return {
                "screen": audience.screen().name(),
                "place": list(cast(tuple[int, ...], audience.geometry().getRect())),
                "full": audience.isFullScreen(),
                "visible": audience.isVisible(),
            }

        def active() -> str:
            """Where the window is that has the keyboard."""
            wait_until(app, lambda: False, 0.5)
            return "desk" if window.isActiveWindow() else "hall" if window.audience.isActiveWindow() else ""

        command.trigger()
        seen: dict[str, Any] = {"opened": place()}
        seen["keyboard"] = [active()]
        unplug(app, hall)
        wait_until(app, lambda: not window.audience.isVisible(), 5.0)
        seen["unplugged"] = window.audience.isVisible()
        plug_in(app, hall)
        wait_until(app, window.audience.isVisible, 5.0)
        seen["plugged in"] = place()
        seen["keyboard"].append(active())
        command.trigger()
        seen["closed"] = window.audience.isVisible()
        unplug(app, hall)
        plug_in(app, hall)
        app.processEvents()
        seen["plugged in again"] = window.audience.isVisible()
        window.session.mark_saved()
        window.close()
        print(json.dumps(seen), flush=True)


if __name__ == "__main__":
    main()
