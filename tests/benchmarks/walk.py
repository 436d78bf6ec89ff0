"""The walk of one mouse move: how many modules and functions of the package it passes, from the event to the
redrawn contour, in the window's thread and in the worker's. The canvas alone has a goal; in the whole window,
with no insight view open, every panel takes note of the change too.

The goal keeps the walk as short as it is: 70 modules and 388 functions, of which 31 and 181 are the engine's.
There is room for a helper or two, but not for one more layer between the mouse and the contour, which costs a
module and some seven functions. A change that needs more raises the goal and says why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType

from tests.benchmarks.report import Report

ROOT = Path(__file__).parents[2]
PACKAGE = str(ROOT / "kernelviz") + os.sep
MOST_MODULES, MOST_FUNCTIONS = 71, 394


def run(report: Report, quick: bool) -> None:
    """Drag one of 200 points on a canvas and in a window, each in a process of its own."""
    report.heading("One mouse move while one of 200 points is dragged")
    modules, functions = passed("canvas", tell=True)
    report.check("modules", modules <= MOST_MODULES, f"{modules} (at most {MOST_MODULES})")
    report.check("functions", functions <= MOST_FUNCTIONS, f"{functions} (at most {MOST_FUNCTIONS})")
    modules, functions = passed("main")
    print(f"  in the whole window: {modules} modules, {functions} functions")


def passed(window: str, tell: bool = False) -> tuple[int, int]:
    """Return the numbers of modules and functions passed, and print their names if asked to."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.benchmarks.walk", window]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    for module, names in sorted(found.items()) if tell else ():
        print(f"    {module}: {', '.join(names)}")
    return len(found), sum(map(len, found.values()))


class Hook:
    """Notes every function of the package that begins while it is `on`; for all threads begun after it."""

    def __init__(self) -> None:
        self.on = False
        self.passed: set[CodeType] = set()
        threading.setprofile(self)
        sys.setprofile(self)

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if self.on and event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            self.passed.add(frame.f_code)

    def by_module(self) -> dict[str, list[str]]:
        """Return the names of the functions by the module they are in."""
        found: dict[str, list[str]] = {}
        for code in sorted(self.passed, key=lambda code: (code.co_filename, code.co_firstlineno)):
            if not code.co_name.startswith("<"):
                module = code.co_filename.removeprefix(PACKAGE)
                found.setdefault(module, []).append(code.co_qualname)
        return found


def main() -> None:
    hook = Hook()  # before the worker's thread begins
    from PySide6.QtCore import QEvent, QStandardPaths
    from PySide6.QtWidgets import QApplication

    from kernelviz.session.session import Session
    from tests.benchmarks import drag_scene as scene

    QStandardPaths.setTestModeEnabled(True)
    app = QApplication([])
    canvas, stop = scene.open_window(Session(scene.on_the_plane(200)), sys.argv[1])
    bench = canvas.workbench
    scene.wait_until(app, lambda: bench.up_to_date)
    scene.pause(app, 0.5)
    row = int(bench.frame.model.support[0])
    x, y = canvas.editor.points[row]
    canvas.use("move")
    scene.send(canvas, QEvent.Type.MouseButtonPress, scene.pixel(canvas, x, y), scene.LEFT, scene.LEFT)
    watch, session = scene.Watch(canvas), bench.session

    def painted() -> None:
        """Stop once the fit of the moved point is on screen."""
        hook.on = hook.on and not watch.shows(session.document.data)

    watch.painted = painted
    for k in range(1, 6):  # the first moves begin the gesture, and fill what is kept
        scene.pause(app, 0.3)
        scene.wait_until(app, lambda: bench.up_to_date)
        hook.on = k == 5
        at = scene.pixel(canvas, x + 0.03 * k, y + 0.02 * k)
        scene.send(canvas, QEvent.Type.MouseMove, at, scene.NO_BUTTON, scene.LEFT)
    scene.wait_until(app, lambda: not hook.on)
    print(json.dumps(hook.by_module()), flush=True)
    stop()
    os._exit(0)  # the worker's thread may still be profiled


if __name__ == "__main__":
    main()
