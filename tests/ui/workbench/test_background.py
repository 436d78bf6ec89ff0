"""Long work beside the window's thread."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from PySide6.QtCore import QObject

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.jobs import Job
from kernelviz.runtime.processes import KILLED
from kernelviz.ui.workbench.background import Background
from tests.elsewhere import exists, pids_in, staying
from tests.patience import PATIENCE


@pytest.fixture
def background(qtbot):
    owner = QObject()
    made = Background("kernelviz-test", owner)
    yield made
    assert made.stop()
    qtbot.wait(1)
    owner.deleteLater()


def counting(to: int, result: object = "done"):
    """Work of so many steps."""

    def work(beat):
        for k in range(to):
            beat()
            yield (k + 1) / to
        return result

    return work


def test_work_is_done_on_another_thread_and_heard_on_this_one(qtbot, background):
    threads, heard, shares = [], [], []

    def work(beat):
        threads.append(threading.current_thread())
        yield from counting(3)(beat)
        return 42

    background.progressed.connect(shares.append)
    background.done.connect(lambda result: heard.append((result, threading.current_thread())))
    with qtbot.waitSignal(background.idle):
        background.start(work)
        assert background.busy
    assert threads[0] is not threading.main_thread()
    assert heard == [(42, threading.main_thread())]
    assert shares == pytest.approx([1 / 3, 2 / 3, 1.0])
    assert not background.busy


def test_of_what_waits_only_the_newest_is_done(qtbot, background):
    gate, heard = threading.Event(), []

    def first(beat):
        gate.wait(PATIENCE)
        yield 1.0
        return 0

    background.done.connect(heard.append)
    with qtbot.waitSignal(background.idle):
        background.start(first)
        for k in range(1, 5):
            background.start(counting(1, k))
        gate.set()
    assert heard == [0, 4]
    assert not background.busy


def test_cancelled_work_ends_at_its_next_beat_and_is_not_heard_of(qtbot, background):
    started, heard, closed = threading.Event(), [], []

    def work(beat):
        try:
            while True:
                started.set()
                beat()
                yield 0.5
        finally:
            closed.append(True)

    background.done.connect(heard.append)
    background.failed.connect(heard.append)
    background.start(work)
    assert started.wait(PATIENCE)
    with qtbot.waitSignal(background.idle):
        background.cancel()
        assert not background.busy
    assert closed == [True]
    assert heard == []


@pytest.mark.parametrize(
    ("problem", "sentence"), [(BadInput("Too large."), "Too large."), (MemoryError(), Job.no_memory)]
)
def test_bad_input_and_a_lack_of_memory_are_sentences(qtbot, background, problem, sentence):
    def work(beat):
        yield 0.1
        raise problem

    with qtbot.waitSignal(background.failed) as said:
        background.start(work)
    assert said.args == [sentence]


def test_a_mistake_in_the_program_reaches_the_window_and_the_next_work_is_done(qtbot, background):
    def work(beat):
        yield 0.1
        raise RuntimeError("boom")

    with qtbot.captureExceptions() as raised, qtbot.waitSignal(background.idle):
        background.start(work)
    assert [str(error) for _, error, _ in raised] == ["boom"]
    with qtbot.waitSignal(background.done) as done:
        background.start(counting(2, "fine"))
    assert done.args == ["fine"]
    qtbot.waitUntil(lambda: not background.busy)


def test_stopping_joins_the_thread(qtbot, background):
    background.start(counting(10**9))
    assert background.stop()
    assert not any(t.name == "kernelviz-test" for t in threading.enumerate())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="looks at processes as Unix has them")
def test_stopping_ends_the_processes_of_the_work_too(qtbot, background, tmp_path):
    background.start(staying(tmp_path))
    qtbot.waitUntil(lambda: len(list(tmp_path.iterdir())) == 2, timeout=1000 * PATIENCE)
    assert background.stop()
    assert not any(map(exists, pids_in(tmp_path)))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="looks at processes as Unix has them")
def test_work_whose_process_is_killed_twice_fails_with_a_sentence(qtbot, background, tmp_path):
    heard, killed = [], set()
    background.failed.connect(heard.append)

    def kill_another(least: int) -> None:
        qtbot.waitUntil(lambda: len(list(tmp_path.iterdir())) >= least, timeout=1000 * PATIENCE)
        found = {int(path.name) for path in tmp_path.iterdir()} - killed
        newest = max(found, key=lambda pid: (tmp_path / str(pid)).stat().st_mtime_ns)
        killed.add(newest)
        os.kill(newest, signal.SIGKILL)

    with qtbot.waitSignal(background.idle, timeout=1000 * PATIENCE):
        background.start(staying(tmp_path))
        kill_another(2)
        kill_another(3)  # the call is made once more, in a process of its own
    assert heard == [KILLED]
