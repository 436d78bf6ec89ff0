"""The course of the algorithm, touched."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from kernelviz.drawing.insight.convergence import ConvergencePicture
from kernelviz.engine.fits.parsing import kernel
from kernelviz.runtime.messages import END
from kernelviz.ui.insight.convergence_view import ConvergenceView


@pytest.fixture
def watched(bench, show, qapp):
    """A run watched to its end."""
    workbench = bench(mode="watch")
    workbench.session.adjust(step=END)
    qapp.processEvents()
    return show(ConvergenceView(workbench))


def test_ticking_the_box_shows_powers_of_ten(watched, qtbot):
    qtbot.mouseClick(watched.boxes["log"], Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert all(y.log for _, y in watched.picture.axes)
    watched.grab()


def test_clicking_while_watching_goes_to_that_step(watched, qtbot, to_pixel, qapp):
    picture, sheet = watched.picture, watched.sheet
    inner = picture._plots(sheet.room, sheet.style_of_picture)[0].inner
    at = to_pixel(QPointF(inner.left(), inner.center().y()))
    qtbot.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=at)
    qapp.processEvents()
    assert watched.workbench.session.look.step == 0
    assert watched.workbench.frame.step == 0
    assert len(watched.workbench.frame.trace) > 5


def test_clicking_in_live_mode_does_nothing(bench, show, qtbot):
    view = show(ConvergenceView(bench()))
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton)
    assert view.workbench.session.look.step == 0
    assert view.workbench.session.look.mode == "live"


def test_the_mark_follows_the_step(watched, qapp):
    at_end = watched.grab().toImage()
    watched.workbench.session.adjust(step=2)
    qapp.processEvents()
    watched.catch_up()
    assert watched.picture.step == 2
    assert watched.grab().toImage() != at_end


def test_a_perceptrons_mistakes_stand_beside_the_switch(bench, show, qtbot):
    workbench = bench("rings(n=60, seed=2)", "rbf(gamma=1)", "perceptron")
    view = show(ConvergenceView(workbench))
    qtbot.waitUntil(lambda: "at most" in view.remark.text())
    assert "‖g‖²" in view.remark.toolTip()
    assert view.minimumSizeHint().width() <= 310


# Live -------------------------------------------------------------------------------------------------
def test_live_the_iterations_are_run_once_nothing_moves_and_end_where_the_optimum_is(bench, show, qtbot):
    workbench = bench(how="soft-margin-svm(C=1, tol=1e-6)")
    view = show(ConvergenceView(workbench))
    assert "when you stop editing" in view.picture.reason
    qtbot.waitUntil(lambda: isinstance(view.picture, ConvergencePicture))
    qtbot.waitUntil(lambda: not view._background.busy)
    optimum = workbench.frame.model.summary()["dual_objective"]
    goals = view.picture.groups[-1].series
    assert goals["dual"][-1] == pytest.approx(optimum, rel=1e-4)
    assert goals["gap"][-1] < 1e-3 * abs(goals["gap"][0])
    assert goals["dual"][0] < goals["dual"][-1]


def test_live_the_course_of_another_fit_is_not_shown_for_this_one(bench, show, qtbot, qapp):
    workbench = bench()
    view = show(ConvergenceView(workbench))
    qtbot.waitUntil(lambda: isinstance(view.picture, ConvergencePicture))
    workbench.session.change("x", kernel=kernel("rbf(gamma=3)"))
    qapp.processEvents()
    view.catch_up()
    assert "when you stop editing" in view.picture.reason
    qtbot.waitUntil(lambda: isinstance(view.picture, ConvergencePicture))


def test_hidden_nothing_is_run(bench, show, qtbot):
    view = show(ConvergenceView(bench()))
    view.hide()
    assert not view._rest.isActive()
    assert not view._background.busy


def test_live_the_course_is_exported_as_it_is_shown(bench, show, qtbot):
    workbench = bench()
    view = show(ConvergenceView(workbench))
    qtbot.waitUntil(lambda: isinstance(view.picture, ConvergencePicture))
    assert isinstance(view.maker.make(workbench.frame), ConvergencePicture)


# In explicit features too -----------------------------------------------------------------------------
@pytest.mark.parametrize("mode", ["live", "watch"])
def test_gradient_steps_are_shown_in_both_forms_with_the_cost_of_each(bench, show, qtbot, mode):
    view = show(ConvergenceView(bench("cubic(n=60, seed=1)", "linear", "kernel-sgd(epochs=5)", mode=mode)))
    if mode == "watch":
        view.workbench.session.adjust(step=12)
    qtbot.waitUntil(lambda: "against" in view.remark.text())
    assert view.remark.text() == "n = 60 against 2q = 2"
    assert [name.split(" (")[0] for name in view.picture.groups[0].series] == ["mean squared, dual", "primal"]


def test_a_kernel_without_finite_features_is_said_to_have_the_dual_alone(bench, show, qtbot):
    view = show(ConvergenceView(bench("cubic(n=60, seed=1)", "rbf", "kernel-sgd(epochs=5)")))
    qtbot.waitUntil(lambda: isinstance(view.picture, ConvergencePicture))
    assert view.remark.text() == "no finite features: dual only"
    assert "rbf" in view.remark.toolTip()
