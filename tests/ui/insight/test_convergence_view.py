"""The course of the algorithm."""

from __future__ import annotations

import dataclasses

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from kernelviz.drawing.figure.style import Style
from kernelviz.engine.analysis.gap import about_the_gap
from kernelviz.runtime.messages import END
from kernelviz.ui.insight.convergence_view import ConvergenceView


@pytest.fixture
def watched(bench, show, qapp):
    """A run watched to its end."""

    def make(how="soft-margin-svm(C=1)"):
        workbench = bench(how=how, mode="watch")
        workbench.session.adjust(step=END)
        qapp.processEvents()
        return show(ConvergenceView(workbench))

    return make


def names(view):
    from kernelviz.drawing.theme import LIGHT

    return [[curve.name for curve, _ in group] for group in view._groups(LIGHT)]


def test_losses_are_above_and_objectives_below(watched):
    assert names(watched()) == [["mean hinge", "training error"], ["primal", "dual", "gap"]]


def test_an_algorithm_without_objectives_has_the_losses_only(watched):
    view = watched("perceptron")
    assert names(view)[0] == ["mean hinge", "training error"]
    assert all("gap" not in group for group in names(view))


def test_the_steps_reach_to_the_end_of_the_axis(watched):
    view = watched()
    steps = view.trace.column("step")
    assert view._steps.low == 0
    assert view._steps.high >= steps[-1]


def test_the_gap_closes(watched):
    from kernelviz.drawing.theme import LIGHT

    gap = watched()._groups(LIGHT)[1][2][1]
    assert 0 <= gap[-1] < 1e-2 * gap[0]


def test_a_logarithmic_axis_shows_the_gap_in_decades(watched, qtbot):
    view = watched()
    assert not any(axis.log for pair in view._axes() for axis in pair)
    qtbot.mouseClick(view.log, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert all(y.log for _, y in view._axes())
    view.grab()


def test_clicking_while_watching_goes_to_that_step(watched, qtbot, to_pixel, qapp):
    view = watched()
    inner = view._plots[0].inner
    qtbot.mouseClick(
        view.picture, Qt.MouseButton.LeftButton, pos=to_pixel(QPointF(inner.left(), inner.center().y()))
    )
    qapp.processEvents()
    assert view.workbench.session.look.step == 0
    assert view.workbench.frame.step == 0
    assert len(view.workbench.frame.trace) > 5


def test_clicking_in_live_mode_does_nothing(bench, show, qtbot):
    view = show(ConvergenceView(bench()))
    qtbot.mouseClick(view.picture, Qt.MouseButton.LeftButton)
    assert view.workbench.session.look.step == 0
    assert view.workbench.session.look.mode == "live"


def test_the_mark_moves_with_the_step(watched, painted, qapp):
    view = watched()
    at_end = painted(view, Style())
    view.workbench.session.adjust(step=2)
    qapp.processEvents()
    view.catch_up()
    assert painted(view, Style()) != at_end


def test_a_result_of_a_single_step_has_no_course(bench, show):
    view = show(ConvergenceView(bench(how="prototype")))
    assert len(view.trace) == 1
    assert "single step" in view.nothing_to_show()


def test_a_live_result_of_many_iterations_is_not_said_to_be_one_of_a_single_step(bench, show):
    view = show(ConvergenceView(bench(how="soft-margin-svm(C=10)")))
    assert view.taken.model.numbers["iterations"] > 1
    assert "Watch" in view.nothing_to_show()


def test_a_hidden_view_rests(watched, qapp):
    view = watched()
    view.hide()
    assert not view._soon.isActive()
    taken = view.taken
    view.workbench.session.adjust(step=1)
    qapp.processEvents()
    assert view.taken is taken


def test_a_much_shorter_run_gets_a_shorter_axis(watched, qapp):
    view = watched()
    long = view._steps.high
    session = view.workbench.session
    session.change("change algorithm", algorithm=session.document.algorithm.replace(C=1e-6))
    session.adjust(step=END)
    qapp.processEvents()
    last = view.trace.column("step")[-1]
    assert last < long / 2
    assert last <= view._steps.high < long


def test_a_tall_hinge_loss_leaves_the_error_a_plot_of_its_own(watched, monkeypatch):
    view = watched()
    tallest = max(view.trace.column("hinge_loss"))
    monkeypatch.setattr("kernelviz.ui.insight.convergence_view.TALL", tallest / 2)
    assert names(view)[:2] == [["mean hinge"], ["training error"]]
    error = view._axes()[1][1]
    assert error.high < 2 * max(view.trace.column("training_error"))


def test_a_wide_gap_beside_converged_is_explained(bench, show):
    workbench = bench(how="soft-margin-svm(C=1e5)")
    view = show(ConvergenceView(workbench))
    assert view.remark.text() == view.remark.toolTip() == ""
    model = dataclasses.replace(workbench.frame.model, objectives=(48.0, 2.0))
    view.taken = dataclasses.replace(workbench.frame, model=model)
    view.take(view.taken)
    assert view.remark.text() == "gap 23 times the dual"
    assert view.remark.toolTip() == about_the_gap(model)
    assert view.minimumSizeHint().width() <= 310
