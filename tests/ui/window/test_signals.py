"""Ctrl-C, SIGTERM and the end of the terminal close the window, whatever is open, and lose nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QMessageBox

from kernelviz.engine.fits.parsing import kernel
from kernelviz.session.files import kviz
from kernelviz.ui import app
from tests.ui.window.answers import answering, ask_really
from tests.ui.window.ending import MOMENTS, ended

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of a terminal")
SIGNALS = [signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@pytest.fixture
def no_nohup():
    """A program that was not started by `nohup`, even if the tests were."""
    if not hasattr(signal, "SIGHUP"):
        yield
        return
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("unsaved", [False, True])
def test_a_signal_closes_the_window_and_loses_nothing(qtbot, no_nohup, window, tmp_path, number, unsaved):
    if unsaved:
        window.canvas.clear()
    interrupts = app.close_on_signals(window)
    try:
        os.kill(os.getpid(), number)
        qtbot.waitUntil(lambda: not window.isVisible())
    finally:
        interrupts.close()
    assert len(list(tmp_path.rglob("*.kviz"))) == unsaved


def test_signals_are_given_back_as_they_were(window):
    before = {n: signal.getsignal(n) for n in SIGNALS}
    app.close_on_signals(window).close()
    assert {n: signal.getsignal(n) for n in before} == before


def test_a_signal_is_heard_though_qt_runs_no_python(tmp_path):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "KERNELVIZ_STATE": str(tmp_path)}
    code = (
        "from kernelviz.ui import app\n"
        "begin = app.open_at_start\n"
        "app.open_at_start = lambda *a: (begin(*a), print('up', flush=True))\n"
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


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_signal_loses_nothing_whatever_is_open(moment, tmp_path):
    number = SIGNALS[MOMENTS.index(moment) % len(SIGNALS)]
    end = ended(moment, number, tmp_path / "state", times=2)
    assert (end.code, end.kept) == (0, (121,)), end.stderr


def test_work_that_cannot_be_kept_is_named_and_the_program_does_not_end_well(tmp_path):
    (tmp_path / "state").touch()
    end = ended("question on closing", signal.SIGTERM, tmp_path / "state")
    assert (end.code, end.kept) == (74, ())
    assert end.stderr.endswith(
        "kernelviz: The unsaved changes to Untitled could not be kept: not a directory.\n"
    )


def test_a_program_that_goes_on_when_its_terminal_closes_is_left_to_do_so(window):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        interrupts = app.close_on_signals(window)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        interrupts.close()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_autosave_goes_on_after_the_question_on_closing_is_cancelled(qtbot, window, monkeypatch):
    monkeypatch.setattr(QMessageBox, "question", ask_really)
    window.canvas.clear()
    with answering() as seen:
        window.close()
    assert window.isVisible()
    assert len(seen) == 1
    window.actions_by_name["undo"].trigger()
    window.session.change("change kernel", kernel=kernel("linear"))
    kept = window.files.recovery.path
    qtbot.waitUntil(lambda: kept.exists() and str(kviz.load(kept)[0].document.kernel) == "linear")
