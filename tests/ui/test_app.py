"""What the start of the program costs."""

from __future__ import annotations

import subprocess
import sys

FIRST_PICTURE = """
import sys
from kernelviz.session.state import start_up
from kernelviz.ui.app import open_window
app, window = open_window(start_up())
from PySide6.QtCore import QEventLoop
while window.workbench.frame is None:
    app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
print(*sys.modules)
window.close()
"""


def test_the_first_picture_loads_of_scipy_only_the_routines_of_lapack(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("KERNELVIZ_STATE", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PICTURE], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = {name for name in done.stdout.split() if name.startswith("scipy.") and "._" not in name}
    assert loaded <= {"scipy.version", "scipy.linalg"}
    assert "kernelviz.session.lessons.facts" not in done.stdout.split()
