"""A lecture given from the first key to the last and back, on a desk and in a hall, whose screen is unplugged
and plugged in again in the middle. Arguments: the lecture, and a folder for pictures of both screens, if they
are wanted. What each key changed is printed as JSON. With BY_XRANDR keys come from xdotool and screens from
xrandr; otherwise both come from Qt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PySide6.QtCore import QStandardPaths, Qt, qInstallMessageHandler
from PySide6.QtGui import QImage, QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kernelviz.session.lessons.lecture import presses
from kernelviz.session.session import Session
from kernelviz.session.state import start_up
from kernelviz.ui.insight.scene_view import SceneView
from kernelviz.ui.lessons.lecturer import Lecturer
from kernelviz.ui.window.main_window import MainWindow
from kernelviz.ui.workbench.settings import Settings
from tests.ui.window.audience_scene import (
    BY_XRANDR,
    HALL,
    plug_in,
    screens,
    unplug,
    wait_until,
    xrandr,
)

DESK = os.environ.get("DESK", "1366/361x768/203+0+0")
KEYS = {Qt.Key.Key_PageDown: "Next", Qt.Key.Key_PageUp: "Prior"}  # As xdotool calls them.
REST = 0.05  # Seconds within which a view begins to follow.


@dataclass
class Given:
    """A lecture that is being given."""

    app: QApplication
    window: MainWindow
    folder: Path | None
    pictures: int = 0
    looked: dict[str, QImage] = field(default_factory=dict)
    seen: list[dict[str, Any]] = field(default_factory=list)

    @property
    def lecturer(self) -> Lecturer:
        return self.window.lessons.lecture.lecturer

    @property
    def place(self) -> tuple[int, int]:
        return self.lecturer.index, self.lecturer.press

    def quiet(self) -> bool:
        made = [view for view in self.window.insight.views.values() if isinstance(view, SceneView)]
        busy = any(view.busy or view.working for view in made if view.isVisible())
        return self.window.workbench.up_to_date and not self.lecturer.player.busy and not busy

    def settle(self) -> None:
        for _ in range(3):
            wait_until(self.app, self.quiet)
            wait_until(self.app, lambda: False, REST)

    def press(self, key: Qt.Key) -> None:
        """Press a key and note what it changed."""
        before, place = self.looked or self.looks(), self.place
        if BY_XRANDR:
            subprocess.run(["xdotool", "key", KEYS[key]], check=True)
        else:
            QTest.keyClick(QApplication.focusWidget() or self.window, key)
        wait_until(self.app, lambda: self.place != place, 5.0)
        self.settle()
        self.looked = self.looks()
        changed = [part for part, look in self.looked.items() if look != before[part]]
        where = f"{self.lecturer.stop.title}, {self.lecturer.press}"
        self.seen.append({"place": where, "changed": changed, "fits": self.fits()})

    def looks(self) -> dict[str, QImage]:
        """Return how each part looks that a press may change; the strip tells only where the lecture is."""
        window = self.window
        question = window.lessons.lecture.question
        parts = {"canvas": window.stage, "views": window.docks["insight"], "question": question}
        parts["hall"] = window.audience
        return {name: part.grab().toImage() for name, part in parts.items()}

    def fits(self) -> str:
        document = self.window.session.document
        return f"{document.data.n} points, {'; '.join(map(str, document.fits))}"

    def picture(self, name: str) -> None:
        if self.folder is not None:
            self.pictures += 1
            wait_until(self.app, lambda: False, 0.5)  # until the audience has painted sharp
            file = self.folder / f"{self.pictures:02} {name}.png"
            subprocess.run(["import", "-window", "root", str(file)], check=True)


def give(given: Given, hall: QScreen | None) -> dict[str, Any]:
    """Give the lecture to its end, and go back to its beginning."""
    app, window, lecturer = given.app, given.window, given.lecturer
    assert lecturer.lecture is not None
    count = len(lecturer.lecture.steps)
    given.settle()
    given.picture("first")
    every, shown = max(1, count // 12), 0
    while given.place != (count - 1, len(presses(lecturer.lecture.steps[-1]))):
        given.press(Qt.Key.Key_PageDown)
        if lecturer.index // every > shown:
            shown = lecturer.index // every
            given.picture(f"stop {lecturer.index + 1}")
        if given.place == (count // 2, 0):
            unplug(app, hall)
            gone = wait_until(app, lambda: not window.audience.isVisible(), 5.0)
            given.picture("unplugged")
            plug_in(app, hall)
            back = wait_until(app, window.audience.isVisible, 5.0)
            given.settle()
            given.looked = {}
            given.picture("plugged in")
    given.picture("last")
    there, given.seen = given.seen, []
    for _ in there:
        given.press(Qt.Key.Key_PageUp)
    found = {"there": there, "back": given.seen, "first": given.place}
    return found | {"hidden": gone, "shown again": back}


def main() -> None:
    path, folder = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None
    QStandardPaths.setTestModeEnabled(True)
    if BY_XRANDR:
        xrandr("--setmonitor", "desk", DESK, "screen")
        xrandr("--setmonitor", "hall", HALL, "none")
    messages: list[str] = []
    qInstallMessageHandler(lambda _kind, _where, text: messages.append(str(text)))
    app = QApplication([])
    with TemporaryDirectory() as settings:
        window = MainWindow(Session(start_up()), Settings(Path(settings) / "settings.ini"))
        window.set_type_size(int(os.environ.get("TYPE_SIZE", "100")))
        window.setGeometry(screens()["desk"].availableGeometry())
        window.show()
        if "FULL_SCREEN" in os.environ:
            window.actions_by_name["presentation"].trigger()
        wait_until(app, lambda: window.workbench.up_to_date and window.isActiveWindow())
        window.actions_by_name["audience_window"].trigger()
        window.files.open_path(path)
        wait_until(app, lambda: window.lessons.lecture.running)
        found = give(Given(app, window, folder), None if BY_XRANDR else screens()["hall"])
        window.lessons.end_lesson()
        window.session.mark_saved()
        window.close()
    print(json.dumps(found | {"messages": messages}), flush=True)


if __name__ == "__main__":
    main()
