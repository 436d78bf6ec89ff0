"""The window the soak benchmark runs: scripted drags and sliders, then a look at what is left."""

from __future__ import annotations

import gc
import json
import math
import os
import sys
import threading
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.engine.fits.solve import fit_data
from kernelviz.session.session import Session
from kernelviz.session.state import start_up
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.window.main_window import MainWindow

SETTLED = 0.2
"""Share of the run after which memory is first read: caches fill in the beginning."""
KERNELS = ("rbf(gamma=1)", "polynomial(degree=3, c=1)", "laplacian(gamma=1)", "rbf(gamma=1)*linear")
# Tight, so that the last frame and a fresh solve can be compared.
ALGORITHMS = ("soft-margin-svm(C=10, tol=1e-08)", "ridge(lam=0.1)", "logistic(lam=0.1)")


def memory() -> float:
    """Resident megabytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def act(window: MainWindow, t: int) -> None:
    """One beat of the script: mostly a drag, now and then a slider, a kernel, an algorithm, an undo."""
    session = window.session
    document = session.document
    if t % 97 == 0:
        session.change("change kernel", kernel=kernel(KERNELS[(t // 97) % len(KERNELS)]))
    elif t % 151 == 0:
        session.change("change algorithm", algorithm=algorithm(ALGORITHMS[(t // 151) % len(ALGORITHMS)]))
    elif t % 53 == 0:
        session.undo()
    elif t % 3 == 0 and hasattr(document.kernel, "gamma"):
        value = 10 ** math.sin(0.05 * t)
        session.change("change γ", gesture=t // 100, kernel=document.kernel.replace(gamma=value))
    else:
        row = (t // 40) % document.data.n
        place = document.data.X[row] + 0.02 * np.array([[math.cos(0.3 * t), math.sin(0.3 * t)]])
        session.change(
            "move point", gesture=("drag", t // 40), data=PlaneWorkspace().placed(document.data, [row], place)
        )


def settle(app: QApplication, window: MainWindow) -> None:
    """Wait for the picture of the present state."""
    deadline = time.perf_counter() + 10
    while not window.workbench.up_to_date and time.perf_counter() < deadline:
        app.processEvents()


def main(seconds: float) -> None:
    exceptions: list[str] = []
    sys.excepthook = lambda kind, error, _: exceptions.append(f"{kind.__name__}: {error}")
    app = QApplication([])
    before = set(threading.enumerate())
    window = MainWindow(Session(start_up()))
    window.show()
    frames = [0]
    window.workbench.frame_arrived.connect(lambda _: frames.__setitem__(0, frames[0] + 1))
    window.workbench.failed.connect(lambda failure: exceptions.append(failure.details or failure.sentence))
    begin = time.perf_counter()
    beats, settled = [0], [0.0]

    def beat() -> None:
        passed = time.perf_counter() - begin
        if not settled[0] and passed > SETTLED * seconds:
            gc.collect()
            settled[0] = memory()
        if passed > seconds:
            timer.stop()
            app.exit()  # quit() would ask whether to save
            return
        beats[0] += 1
        act(window, beats[0])

    timer = QTimer(interval=16)
    timer.timeout.connect(beat)
    timer.start()
    app.exec()
    window.session.change("change algorithm", algorithm=algorithm(ALGORITHMS[0]))
    settle(app, window)
    for t in (1, 2, 4):  # so that the last frame comes from a warm start
        act(window, t)
        settle(app, window)
    gc.collect()
    grown = memory() - settled[0]
    document = window.session.document
    fresh = fit_data(document.data, document.kernel, document.algorithm)
    difference = np.abs(window.workbench.frame.model.training_scores - fresh.training_scores).max()
    window.session.mark_saved()
    window.close()
    left = [t.name for t in threading.enumerate() if t not in before]
    result = {
        "grown": grown,
        "exceptions": exceptions,
        "threads": left,
        "difference": float(difference),
        "frames": frames[0],
    }
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]))
