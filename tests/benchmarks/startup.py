"""Starting: from the first import to the fitted example on screen, beside the bare imports."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.report import Report

ROOT = Path(__file__).parents[2]
MOST = 2.5
"""Times the bare imports that the first picture may take."""
IMPORT_MOST = 1.5

CLOCK = "import time; begin = time.perf_counter()\n"
BARE = CLOCK + "import numpy, PySide6.QtWidgets, pyqtgraph\nprint(time.perf_counter() - begin)"
NUMPY = CLOCK + "import numpy\nprint(time.perf_counter() - begin)"
LIBRARY = CLOCK + "import kernelviz\nprint(time.perf_counter() - begin)"
WINDOW = (
    CLOCK
    + """
import kernelviz.runtime.runner
from kernelviz.ui.app import open_window
from kernelviz.session.state import start_up
app, window = open_window(start_up())
from PySide6.QtCore import QEventLoop
while window.workbench.frame is None:
    app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)  # spinning would slow the worker
window.canvas.scene.flush(resting=True)
window.canvas.area.viewport().repaint()
print(time.perf_counter() - begin)
window.close()
"""
)
"""What `kernelviz` does until the fitted example is painted."""


def run(report: Report, quick: bool) -> None:
    """Each side in fresh processes, alternating; the fastest of each counts."""
    times = 4 if quick else 8
    report.heading("Starting")
    library, numpy = _fastest(LIBRARY, NUMPY, times=times)
    report.check(
        "import kernelviz", library < IMPORT_MOST * numpy, f"{library / numpy:.2f} x import numpy (under 1.5)"
    )
    if not shutil.which("xvfb-run") and not os.environ.get("DISPLAY"):
        report.check("first picture", False, "needs xvfb-run or a display")
        return
    window, bare = _fastest(WINDOW, BARE, times=times)
    detail = f"{window / bare:.2f} x the bare imports (under {MOST}): {window:.2f} s against {bare:.2f} s"
    report.check("first picture of the fitted example", window < MOST * bare, detail)


def _fastest(ours: str, theirs: str, times: int) -> tuple[float, float]:
    pairs = [(_run(ours), _run(theirs)) for _ in range(times + 1)][1:]  # the first one warms the disk
    return min(a for a, _ in pairs), min(b for _, b in pairs)


def _run(code: str) -> float:
    command = [sys.executable, "-c", code]
    if server := shutil.which("xvfb-run"):
        command = [server, "-a", "-s", "-screen 0 1920x1080x24", *command]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "KERNELVIZ_STATE": "/tmp/kernelviz-benchmark"}
    for variable in ("QT_QPA_PLATFORM", "PYTHONDONTWRITEBYTECODE"):  # installed programs are compiled once
        environment.pop(variable, None)
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])
