"""Having the algorithm find better parameters by itself, as a user acts."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import Fit, algorithm, kernel
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.likelihood import climb_likelihood
from kernelviz.session.workspaces.curve import CurveWorkspace
from kernelviz.ui.sidebar.algorithm_panel import AlgorithmPanel

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(shown, session):
    session.visit(CurveWorkspace())
    session.change("choose", kernel=kernel("rbf(gamma=9)"), algorithm=GaussianProcess())
    return shown(AlgorithmPanel)


@pytest.fixture
def endless(monkeypatch):
    """An improvement that goes on until it is allowed to end; says that it has been abandoned."""
    go, closed = threading.Event(), threading.Event()

    def improved(self, problem):
        try:
            while not go.wait(0.001):
                yield 0.5
            return problem.kernel, self.replace(noise=0.123)
        finally:
            closed.set()

    monkeypatch.setattr(GaussianProcess, "improved", improved)
    yield go, closed
    go.set()


def test_a_click_sets_kernel_and_noise_to_the_largest_likelihood_as_one_step_of_undo(panel, session, qtbot):
    before = session.document
    steps = len(session.history)
    best = finished(climb_likelihood(Problem(before.data, before.kernel), before.algorithm))
    qtbot.mouseClick(panel.improvement.button, LEFT)
    assert session.document is before  # nothing is computed on the window's thread
    qtbot.waitUntil(lambda: session.document is not before)
    assert session.document.fit == Fit(*best)
    assert len(session.history) == steps + 1
    assert session.history.undo_name == "maximise likelihood"
    assert panel.form.current.controls["noise"].value == best[1].noise
    session.undo()
    assert session.document is before


def test_the_keyboard_reaches_the_button_and_presses_it(panel, session, qtbot):
    before, button = session.document, panel.improvement.button
    assert button.accessibleName() == "Maximise likelihood"
    panel.picker.setFocus()
    for _ in range(20):
        if button.hasFocus():
            break
        QTest.keyClick(panel.window().focusWidget(), Qt.Key.Key_Tab)
    QTest.keyClick(panel.window().focusWidget(), Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: session.document is not before)
    assert session.history.undo_name == "maximise likelihood"


@pytest.mark.parametrize("name", registry.algorithms())
def test_the_button_is_there_for_algorithms_that_declare_an_improvement_alone(panel, session, name):
    session.change("choose algorithm", algorithm=algorithm(name))
    assert panel.improvement.isVisible() == bool(algorithm(name).improvement)


def test_a_long_search_shows_its_progress_and_can_be_stopped(panel, session, qtbot, endless):
    before, part = session.document, panel.improvement
    qtbot.mouseClick(part.button, LEFT)
    qtbot.waitUntil(part.progress.isVisible)
    qtbot.waitUntil(lambda: part.progress.value() == 50)
    assert part.button.text() == "Stop"
    qtbot.mouseClick(part.button, LEFT)
    assert part.button.text() == "Maximise likelihood"
    assert part.progress.isHidden()
    qtbot.waitUntil(endless[1].is_set)
    assert session.document is before


def test_a_double_click_searches_once(panel, session, qtbot, endless):
    before = session.document
    for _ in range(2):
        qtbot.mouseClick(panel.improvement.button, LEFT)
    endless[0].set()
    qtbot.waitUntil(lambda: session.document is not before)
    assert session.document.algorithm.noise == 0.123


@pytest.mark.parametrize(
    "change",
    [
        lambda session: session.change("change σ²", algorithm=GaussianProcess(noise=0.5)),
        lambda session: session.change("change γ", kernel=kernel("rbf(gamma=2)")),
        lambda session: session.change(
            "move point", data=CurveWorkspace().placed(session.document.data, [0], [[0.0, 5.0]]), source=""
        ),
        lambda session: session.change("choose algorithm", algorithm=algorithm("ridge")),
        lambda session: session.undo(),
    ],
    ids=["noise", "kernel", "points", "algorithm", "undo"],
)
def test_what_changed_meanwhile_wins(panel, session, qtbot, endless, change):
    qtbot.mouseClick(panel.improvement.button, LEFT)
    change(session)
    changed = session.document
    with qtbot.waitSignal(panel.improvement.background.idle):
        endless[0].set()
    assert session.document is changed


def test_where_there_is_no_likelihood_a_sentence_says_so_and_nothing_changes(panel, session, qtbot):
    session.change("choose kernel", kernel=kernel("sigmoid(gamma=1, c=-1)"))
    before, part = session.document, panel.improvement
    qtbot.mouseClick(part.button, LEFT)
    qtbot.waitUntil(part.message.isVisible)
    assert part.message.sentence == (
        "The likelihood cannot be computed here: give more noise, or another kernel."
    )
    assert part.message.tone == "error"
    assert session.document is before
    session.change("choose kernel", kernel=kernel("rbf"))
    assert part.message.isHidden()


def test_without_points_the_sentence_is_that_of_the_fit(panel, session, qtbot):
    session.change("clear", data=CurveWorkspace().empty(), source="")
    qtbot.mouseClick(panel.improvement.button, LEFT)
    qtbot.waitUntil(lambda: panel.improvement.message.sentence == "There are no points yet. Add some.")
