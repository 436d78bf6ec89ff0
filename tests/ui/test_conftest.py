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


def output_with_the_net(tmp_path: Path, tests: str) -> str:
    """Run tests with the fixtures and little patience in another process; return what pytest prints."""
    (tmp_path / "conftest.py").write_text(
        re.sub(r"^PATIENCE = .*", "PATIENCE = 0.1", FIXTURES.read_text(), flags=re.M)
    )
    (tmp_path / "test_it.py").write_text(tests)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "."],
        cwd=tmp_path,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    ).stdout


def test_leaked_threads_timers_and_windows_fail_their_tests(tmp_path):
    printed = output_with_the_net(tmp_path, LEAKS)
    assert "4 passed, 3 errors" in printed
    for what in ("thread forgotten", "timer of", "window QMainWindow"):
        assert what in printed


LOOKS = """
from kernelviz.session.themes import DARK
from kernelviz.ui.window.appearance import apply_theme

def look(qapp):
    return qapp.font().toString(), qapp.styleSheet(), qapp.palette(), qapp.property("kernelviz-theme")

seen = []

def test_before(qapp):
    seen.append(look(qapp))

def test_large_and_dark(qapp):
    apply_theme(qapp, DARK, 1.6)

def test_after(qapp):
    assert look(qapp) == seen[0]
"""


def test_type_and_colours_of_one_test_are_not_those_of_the_next(tmp_path):
    assert "3 passed" in output_with_the_net(tmp_path, LOOKS)
