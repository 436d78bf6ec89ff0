"""Garbage is looked for in the window's thread alone."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import QObject

from kernelviz.ui.process import check_scale, collect_garbage, garbage_timer


class Knot:
    """Refers to itself, so that only a search finds that nobody else does; tells in which thread it goes."""

    def __init__(self, told: list[threading.Thread]) -> None:
        self.itself = self
        self._told = told

    def __del__(self) -> None:
        self._told.append(threading.current_thread())


def test_garbage_goes_in_the_thread_of_the_window_whoever_needs_memory(qtbot):
    told: list[threading.Thread] = []
    kept: list[list[int]] = []
    Knot(told)
    # So many objects that Python would look for garbage by itself.
    other = threading.Thread(target=lambda: kept.extend([k] for k in range(200_000)))
    other.start()
    other.join()
    assert told == []
    owner = QObject()
    timer = garbage_timer(owner)
    timer.start()
    qtbot.waitUntil(lambda: told == [threading.main_thread()])
    timer.stop()


def test_what_has_grown_old_is_found_in_its_time(qapp):
    told: list[threading.Thread] = []
    knot, kept = Knot(told), []
    gc.collect(0)
    gc.collect(1)
    del knot
    for _ in range(500):
        kept += [[k] for k in range(1_000)]
        collect_garbage()
    assert told == [threading.main_thread()]


START = """
import gc
from kernelviz.session.state import start_up
from kernelviz.ui.app import open_window
app, window = open_window(start_up())
while window.workbench.frame is None:
    app.processEvents()
app.processEvents()
print(gc.isenabled(), gc.get_freeze_count() > 10_000)
window.close()
"""


@pytest.mark.parametrize("platform", ["offscreen"])
def test_the_program_searches_when_it_says_so_and_not_among_what_stays(tmp_path, platform):
    done = subprocess.run(
        [sys.executable, "-c", START],
        env={
            **os.environ,
            "QT_QPA_PLATFORM": platform,
            "XDG_STATE_HOME": str(tmp_path),
            "HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "False True\n", done.stderr


@pytest.mark.parametrize("given", ["0", "nan", "inf", "-1", "1e9", "large"])
def test_a_scale_of_which_no_window_can_be_made_is_left_out_and_named(monkeypatch, capsys, given):
    monkeypatch.setenv("QT_SCALE_FACTOR", given)
    check_scale()
    assert "QT_SCALE_FACTOR" not in os.environ
    assert capsys.readouterr().err == (
        f"kernelviz: QT_SCALE_FACTOR={given} is ignored: it must be a number from 0.25 to 8.\n"
    )


def test_a_usable_scale_is_kept(monkeypatch, capsys):
    monkeypatch.setenv("QT_SCALE_FACTOR", "1.5")
    check_scale()
    assert os.environ["QT_SCALE_FACTOR"] == "1.5"
    monkeypatch.delenv("QT_SCALE_FACTOR")
    check_scale()
    assert capsys.readouterr().err == ""
