"""The net itself: a test that leaves something behind must fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

FIXTURES = Path(__file__).parents[1] / "qt_fixtures.py"

LEAKS = """
import threading
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMainWindow

kept = []

def test_leaks_a_thread():
    threading.Thread(target=threading.Event().wait, daemon=True, name="forgotten").start()

def test_leaks_a_timer(qapp):
    timer = QTimer()
    timer.start(1000)
    kept.append(timer)

def test_leaks_a_window(qapp):
    window = QMainWindow()
    window.show()
    kept.append(window)

def test_leaks_nothing(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.show()
"""


def test_leaked_threads_timers_and_windows_fail_their_tests(tmp_path):
    (tmp_path / "conftest.py").write_text(
        re.sub(r"^PATIENCE = .*", "PATIENCE = 0.1", FIXTURES.read_text(), flags=re.M)
    )
    (tmp_path / "test_leaks.py").write_text(LEAKS)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "."],
        cwd=tmp_path,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "4 passed, 3 errors" in run.stdout
    for what in ("thread forgotten", "timer of", "window QMainWindow"):
        assert what in run.stdout
