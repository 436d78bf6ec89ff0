"""Walking an algorithm forward and back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import END
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.ui.sidebar.playback_bar import PlaybackBar
from kernelviz.ui.workbench.workbench import Workbench
from tests.ui.widgets.acting import LEFT

DATA = "moons(n=20)"


@pytest.fixture
def session():
    return Session(State(Document.of(dataset(DATA), kernel("rbf(gamma=1)"), algorithm("perceptron"), DATA)))


@pytest.fixture
def length(session):
    """The number of the perceptron's last step."""
    document = session.document
    return sum(1 for _ in document.algorithm.steps(Problem(document.data, document.kernel))) - 1


@pytest.fixture(params=[True, False], ids=["synchronous", "threaded"])
def workbench(qtbot, session, request):
    made = Workbench(session, synchronous=request.param)
    yield made
    made.stop()


@pytest.fixture
def bar(qtbot, workbench):
    made = PlaybackBar(workbench)
    qtbot.addWidget(made)
    made.resize(900, 44)
    made.show()
    workbench.refresh()
    yield made
    made.pause()


@pytest.fixture
def settled(qtbot, workbench):
    """Wait until the picture of the present state has arrived."""
    return lambda: qtbot.waitUntil(lambda: workbench.up_to_date)


def press(bar, name):
    assert bar.buttons[name].isEnabled()
    QTest.mouseClick(bar.buttons[name], LEFT)


def test_it_starts_live_and_says_so(bar, settled):
    settled()
    assert bar.mode.buttons["live"].isChecked()
    assert bar.counter.text() == ""
    assert not bar.buttons["step_back"].isEnabled()


def test_steps_go_forward_and_back_with_their_explanations(bar, settled, session, workbench):
    told = []
    for name in ("step_forward", "step_forward", "step_forward", "step_back", "step_back"):
        press(bar, name)
        settled()
        told.append((bar.counter.text(), bar.explanation.text()))
        assert bar.explanation.text() == workbench.frame.change.text
    assert [counter for counter, _ in told] == ["step 0", "step 1", "step 2", "step 1", "step 0"]
    assert told[1] == told[3]
    assert told[0] == told[4]
    assert session.look.mode == "watch"
    assert not bar.buttons["step_back"].isEnabled()


def test_run_to_the_end_and_step_back_from_there(bar, settled, session, length):
    press(bar, "run_to_end")
    settled()
    assert session.look.step == END
    assert bar.counter.text() == f"step {length}"
    assert bar.finished
    assert not bar.buttons["step_forward"].isEnabled()
    assert not bar.buttons["run_to_end"].isEnabled()
    press(bar, "step_back")
    settled()
    assert bar.counter.text() == f"step {length - 1}"
    assert not bar.finished
    press(bar, "step_forward")
    settled()
    assert bar.finished
    press(bar, "restart")
    settled()
    assert bar.counter.text() == "step 0"


def test_playing_shows_every_step_and_stops_at_the_end(qtbot, bar, settled, workbench, length):
    bar.speed.picked.emit(60, None)
    seen = []
    workbench.frame_arrived.connect(lambda frame: seen.append(frame.step))
    press(bar, "play_pause")
    assert bar.playing
    assert bar.buttons["play_pause"].accessibleName() == "Pause"
    qtbot.waitUntil(lambda: bar.finished)
    assert not bar.playing
    assert bar.buttons["play_pause"].accessibleName() == "Play"
    assert sorted(set(seen)) == list(range(length + 1))


def test_playing_at_the_end_starts_again(qtbot, bar, settled, session):
    press(bar, "run_to_end")
    settled()
    press(bar, "play_pause")
    settled()
    assert bar.playing
    assert session.look.step < 5


def test_pausing_holds_the_step(qtbot, bar, settled, session):
    press(bar, "play_pause")
    qtbot.waitUntil(lambda: bar.position > 0)
    press(bar, "play_pause")
    held = session.look.step
    settled()
    assert session.look.step == held
    assert not bar.playing


def test_editing_while_playing_starts_the_new_problem_from_its_first_step(qtbot, bar, settled, session):
    bar.speed.picked.emit(60, None)
    press(bar, "play_pause")
    qtbot.waitUntil(lambda: bar.position > 2)
    session.change("change kernel", kernel=kernel("rbf(gamma=2)"))
    assert session.look.step == 0
    assert bar.playing
    qtbot.waitUntil(lambda: bar.position > 0)


def test_speed_is_steps_per_second_also_beyond_the_screens_rate(bar):
    bar.speed.picked.emit(4, None)
    assert bar._interval == 250
    bar.speed.picked.emit(1000, None)
    assert bar._interval == 16


def test_going_back_to_live_shows_the_solution(bar, settled, session, workbench):
    press(bar, "step_forward")
    settled()
    QTest.mouseClick(bar.mode.buttons["live"], LEFT)
    settled()
    assert session.look.mode == "live"
    assert workbench.frame.finished
    assert bar.counter.text() == ""


def test_the_switch_works_from_the_keyboard(bar, session):
    bar.mode.buttons["watch"].setFocus()
    QTest.keyClick(bar.mode.buttons["watch"], Qt.Key.Key_Space)
    assert session.look.mode == "watch"


def test_an_algorithm_without_steps_cannot_be_watched_and_says_why(bar, settled, session):
    session.change("choose algorithm", algorithm=algorithm("ridge"))
    settled()
    assert not any(button.isEnabled() for button in bar.buttons.values())
    assert not bar.mode.buttons["watch"].isEnabled()
    assert "nothing to watch" in bar.mode.buttons["watch"].toolTip()
    for command in (bar.play_pause, bar.step_forward, bar.step_back, bar.run_to_end, bar.restart):
        command()
    assert session.look.mode == "live"
    assert not bar.playing


def test_a_problem_that_cannot_be_posed_stops_the_playback(qtbot, bar, settled, session):
    press(bar, "play_pause")
    session.change(
        "one class only", data=session.document.data.subset(session.document.data.z > 0), source=""
    )
    qtbot.waitUntil(lambda: not bar.playing)
