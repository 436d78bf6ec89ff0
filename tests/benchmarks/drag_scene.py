"""A window that is dragged about in; arguments: points, seconds, clicks, and canvas, main, tested (with
held-out points shown and the sweep open), lesson (with a task to be done on the points), compare (two fits
side by side), an algorithm for the curve, with its band and bumps, view:NAME for an insight view with the
face that costs most, audience for a window of 1920 x 1080 pixels that shows the canvas once more, or
audience:NAME with a view in both."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, QPointF, QStandardPaths, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.held_out import fresh
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel, parse_fit
from kernelviz.session.lessons.reader import parse_lesson
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui import process
from kernelviz.ui.canvas.points import PointsCanvas
from kernelviz.ui.workbench.workbench import Workbench

HEARTBEAT = 0.004
MOUSE = 8
"""Milliseconds between two events of the mouse."""
CURVES = {"svr": "svr(C=10, epsilon=0.1)", "gaussian-process": "gaussian-process(noise=0.04)"}
DEAREST = {"gram": {"order": "alike"}, "weights": {"face": "conditions"}}
"""What costs most to draw, by view."""
LESSON = """+++
format = 1
title  = "Dragging"
shows  = ["kernel.gamma", "algorithm.C", "canvas", "status"]
+++

## One step

```stage
data   = "moons(n={points}, noise=0.2, seed=1)"
fit    = "rbf(gamma=1) ; soft-margin-svm(C=10)"
points = {{ p = 1, q = 2 }}
```

```task
say   = "Do what cannot be done."
check = "training_error > 0.9 and support_vectors < 1"
do    = "kernel.gamma = 2"
miss  = [["training_error <= 0.9", "Not yet."]]
```
"""
NO_BUTTON, LEFT = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton


class Watch(QObject):
    """Counts paints of the plane, and which of them show a result for the first time; where fits are side by
    side, paints of either and results of both."""

    def __init__(self, canvas: PointsCanvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self.paints = self.fresh = 0
        self.painted: Callable[[], None] = lambda: None
        self._last: object = None
        self._plots = list(canvas.row.shown)
        for each in self._plots:
            each.area.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.paints += watched is self.canvas.area.viewport()
            shown = [each.scene.decoration for each in self._plots]
            requests = {None if each is None else each.frame.request for each in shown}
            if len(requests) == 1 and shown != self._last:
                self.fresh += 1
                self._last = shown
            QTimer.singleShot(0, self, self.painted)
        return False

    def shows(self, data: Data) -> bool:
        """Return True if the canvas shows the fit of these data."""
        shown = self.canvas.scene.decoration
        return shown is not None and shown.frame.data is data


def main() -> None:
    points, seconds, times, window = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    process.begin()  # as the program does when it starts
    QStandardPaths.setTestModeEnabled(True)
    app = QApplication([])
    session = Session(on_the_curve(points, window) if window in CURVES else on_the_plane(points))
    canvas, stop = open_window(session, window)
    bench, watch = canvas.workbench, Watch(canvas)
    wait_until(app, lambda: bench.up_to_date)
    if window == "lesson":  # its stage is made on another thread
        pause(app, 1.0)
    process.freeze_garbage()  # as it does with the first picture
    process.garbage_timer(canvas).start()
    pause(app, 0.5)
    found = dragged(app, canvas, watch, seconds)
    wait_until(app, lambda: bench.up_to_date)
    clicks = clicked(app, canvas, watch, times)
    found |= {"click_median": float(np.median(clicks)), "click_95": float(np.quantile(clicks, 0.95))}
    stop()
    print(json.dumps(found), flush=True)


def on_the_plane(points: int) -> State:
    data = dataset(f"moons(n={points}, noise=0.2, seed=1)")
    document = Document.of(data, kernel("rbf(gamma=1)"), algorithm("soft-margin-svm(C=10)"))
    return State(document, PlaneWorkspace().look(data))


def on_the_curve(points: int, how: str) -> State:
    source = f"sine(n={points}, noise=0.2, seed=1)"
    data = dataset(source)
    look = workspace_of(data).look(data)
    document = Document.of(data, kernel("rbf(gamma=3)"), algorithm(CURVES[how]), source)
    return State(document, look.replace(shown=look.shown | {"bumps"}))


def open_window(session: Session, window: str) -> tuple[PointsCanvas, Callable[[], object]]:
    if window != "canvas":
        from kernelviz.ui.window.main_window import MainWindow
        from kernelviz.ui.workbench.settings import Settings

        # Of its own: the views somebody left open would be measured too.
        folder = TemporaryDirectory()
        whole = MainWindow(session, Settings(Path(folder.name) / "settings.ini"))
        if window == "tested":
            held = fresh(f"moons(n={session.document.data.n}, noise=0.2, seed=1)")
            session.change("hold out", held_out=held)
            session.adjust(shown=session.look.shown | {"held_out"})
            whole.insight.show_view("sweep")
        if window == "compare":
            session.replace("compare", session.document.with_fit(parse_fit("rbf(gamma=5) ; logistic")))
        if window == "lesson":
            whole.lessons.begin(parse_lesson(LESSON.format(points=session.document.data.n), "dragging.md"))
        whole.resize(1280, 800)
        whole.show()
        if window.startswith("audience"):
            whole.actions_by_name["audience_window"].trigger()
            whole.audience.setGeometry(1280, 0, 1920, 1080)
        if window.startswith(("view:", "audience:")):
            name = window.partition(":")[2]
            whole.keyboard.go_to_view(name)
            view = whole.insight.views[name]
            session.adjust(selection=(0,))
            for switch, option in DEAREST.get(name, {}).items():
                view.lists[switch].setCurrentText(option)

        def close() -> None:
            session.mark_saved()
            whole.close()
            folder.cleanup()

        return whole.canvas, close
    bench = Workbench(session)
    canvas = PointsCanvas(bench)
    canvas.resize(900, 800)
    canvas.show()
    bench.refresh()
    return canvas, bench.stop


# Time ----------------------------------------------------------------------------------------------------
def wait_until(app: QApplication, done: Callable[[], bool], timeout: float = 30.0) -> None:
    """Sleep between events: a loop that spins would take the worker's time."""
    began = perf_counter()
    alarm = QTimer()
    alarm.start(100)
    while not done():
        if perf_counter() - began > timeout:
            raise TimeoutError
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def pause(app: QApplication, seconds: float) -> None:
    loop = QEventLoop(app)  # quitting the application would close its windows
    QTimer.singleShot(round(1000 * seconds), loop, loop.quit)
    loop.exec()


# The mouse -----------------------------------------------------------------------------------------------
def pixel(canvas: PointsCanvas, x: float, y: float) -> QPoint:
    return canvas.area.mapFromScene(canvas.area.box.mapViewToScene(QPointF(x, y)))


def send(
    canvas: PointsCanvas, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton, held: Qt.MouseButton
) -> None:
    viewport = canvas.area.viewport()
    event = QMouseEvent(
        kind, QPointF(at), QPointF(viewport.mapToGlobal(at)), button, held, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(viewport, event)


def dragged(app: QApplication, canvas: PointsCanvas, watch: Watch, seconds: float) -> dict[str, float]:
    """Drag a support vector around in a circle."""
    row = int(canvas.workbench.frame.model.support[0])
    x, y = canvas.editor.points[row]
    radius = 0.4
    beats: list[float] = []
    began = perf_counter()

    def move() -> None:
        angle = 2.5 * (perf_counter() - began)
        at = pixel(canvas, x + radius * (math.cos(angle) - 1), y + radius * math.sin(angle))
        send(canvas, QEvent.Type.MouseMove, at, NO_BUTTON, LEFT)

    heart, mouse = QTimer(canvas), QTimer(canvas)
    for timer, interval in ((heart, round(1000 * HEARTBEAT)), (mouse, MOUSE)):
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.setInterval(interval)
    heart.timeout.connect(lambda: beats.append(perf_counter()))
    mouse.timeout.connect(move)
    canvas.use("move")
    send(canvas, QEvent.Type.MouseButtonPress, pixel(canvas, x, y), LEFT, LEFT)
    watch.paints = watch.fresh = 0
    heart.start()
    mouse.start()
    pause(app, seconds)
    took = perf_counter() - began
    paints, fresh = watch.paints, watch.fresh
    heart.stop()
    mouse.stop()
    send(canvas, QEvent.Type.MouseButtonRelease, pixel(canvas, x, y), LEFT, NO_BUTTON)
    stalls = np.maximum(0.0, np.diff(beats) - HEARTBEAT)
    return {
        "paints": paints / took,
        "fresh": fresh / took,
        "stall_95": float(np.quantile(stalls, 0.95)),
        "stall_99": float(np.quantile(stalls, 0.99)),
        "stall_max": float(stalls.max()),
    }


def clicked(app: QApplication, canvas: PointsCanvas, watch: Watch, times: int) -> list[float]:
    """Seconds from a click that adds a point to the paint of the fit that has it."""
    canvas.use("add")
    session, bench = canvas.workbench.session, canvas.workbench
    rng = np.random.default_rng(0)
    taken = []
    view = canvas.area.view
    while len(taken) < times:
        x = rng.uniform(
            view.left + 0.1 * (view.right - view.left), view.right - 0.3 * (view.right - view.left)
        )
        y = rng.uniform(
            view.bottom + 0.1 * (view.top - view.bottom), view.top - 0.1 * (view.top - view.bottom)
        )
        done: list[float] = []

        def painted(done: list[float] = done) -> None:
            if watch.shows(session.document.data):
                done.append(perf_counter())

        n = session.document.data.n
        watch.painted = painted
        at = pixel(canvas, float(x), float(y))
        began = perf_counter()
        send(canvas, QEvent.Type.MouseButtonPress, at, LEFT, LEFT)
        send(canvas, QEvent.Type.MouseButtonRelease, at, LEFT, NO_BUTTON)
        if session.document.data.n == n:
            continue  # it hit a point
        wait_until(app, lambda done=done: bool(done))
        taken.append(done[0] - began)
        watch.painted = lambda: None
        session.undo()
        wait_until(app, lambda: bench.up_to_date)
        pause(app, 0.05)
    return taken


if __name__ == "__main__":
    main()
