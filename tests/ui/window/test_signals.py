"""Ctrl-C in the terminal and SIGTERM from the system close the window and lose nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from kernelviz.ui import app

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of a terminal")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("unsaved", [False, True])
def test_a_signal_closes_the_window_and_loses_nothing(qtbot, window, tmp_path, number, unsaved):
    if unsaved:
        window.canvas.clear()
    interrupts = app.heed_signals(window)
    try:
        os.kill(os.getpid(), number)
        qtbot.waitUntil(lambda: not window.isVisible())
    finally:
        interrupts.close()
    assert len(list(tmp_path.rglob("*.kviz"))) == unsaved


def test_signals_are_given_back_as_they_were(window):
    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
    app.heed_signals(window).close()
    assert {n: signal.getsignal(n) for n in before} == before


def test_a_signal_is_heard_though_qt_runs_no_python(tmp_path):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "KERNELVIZ_STATE": str(tmp_path)}
    code = (
        "from kernelviz.ui import app\n"
        "begin = app._begin\n"
        "app._begin = lambda *a: (begin(*a), print('up', flush=True))\n"
        "raise SystemExit(app.main())"
    )
    child = subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "up\n"
        child.send_signal(signal.SIGTERM)
        assert child.wait() == 0
    finally:
        child.kill()
        child.stdout.close()
