"""The course of the algorithm, touched."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from kernelviz.engine.fits.parsing import kernel
from kernelviz.runtime.messages import END
from kernelviz.scene.layers import Lines
from kernelviz.ui.insight.views import VIEWS


def opened(show, workbench):
    return show(VIEWS["convergence"].widget(workbench))


def plots(view):
    return [plot for plot, _ in view.scene.root.children]


def series(plot):
    """The curves of a plot by name."""
    return {layer.part: layer.y for layer in plot.layers if isinstance(layer, Lines)}


@pytest.fixture
def watched(bench, show, qapp):
    """A run watched to its end."""
    workbench = bench(mode="watch")
    workbench.session.adjust(step=END)
    qapp.processEvents()
    return opened(show, workbench)


def test_ticking_the_box_shows_powers_of_ten(watched, qtbot):
    qtbot.mouseClick(watched.boxes["log"], Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert all(plot.y.log for plot in plots(watched))
    watched.grab()


def test_clicking_while_watching_goes_to_that_step(watched, qtbot, to_pixel, qapp):
    sheet = watched.sheet
    inner = sheet.layout_of_scene.leaves[0].inner
    at = to_pixel(QPointF(inner.left(), inner.center().y()))
    qtbot.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=at)
    qapp.processEvents()
    assert watched.workbench.session.look.step == 0
    assert watched.workbench.frame.step == 0
    assert len(watched.workbench.frame.trace) > 5


def test_clicking_in_live_mode_does_nothing(bench, show, qtbot):
    view = opened(show, bench())
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton)
    assert view.workbench.session.look.step == 0
    assert view.workbench.session.look.mode == "live"


def test_the_mark_follows_the_step(watched, qapp):
    at_end = watched.grab().toImage()
    watched.workbench.session.adjust(step=2)
    qapp.processEvents()
    watched.catch_up()
    assert plots(watched)[0].layers[-1].x == 2
    assert watched.grab().toImage() != at_end


def test_a_perceptrons_mistakes_stand_beside_the_switch(bench, show, qtbot):
    workbench = bench("rings(n=60, seed=2)", "rbf(gamma=1)", "perceptron")
    view = opened(show, workbench)
    qtbot.waitUntil(lambda: "at most" in view.bar.remark.text())
    assert "‖g‖²" in view.bar.remark.toolTip()
    assert view.minimumSizeHint().width() <= 310


# Live -------------------------------------------------------------------------------------------------
def test_live_the_iterations_are_run_once_nothing_moves_and_end_where_the_optimum_is(bench, show, qtbot):
    workbench = bench(how="soft-margin-svm(C=1, tol=1e-6)")
    view = opened(show, workbench)
    assert "when you stop editing" in view.scene.reason
    qtbot.waitUntil(lambda: not view.scene.reason)
    qtbot.waitUntil(lambda: not view.working)
    optimum = workbench.frame.model.summary()["dual_objective"]
    goals = series(plots(view)[-1])
    assert goals["dual"][-1] == pytest.approx(optimum, rel=1e-4)
    assert goals["gap"][-1] < 1e-3 * abs(goals["gap"][0])
    assert goals["dual"][0] < goals["dual"][-1]


def test_live_the_course_of_another_fit_is_not_shown_for_this_one(bench, show, qtbot, qapp):
    workbench = bench()
    view = opened(show, workbench)
    qtbot.waitUntil(lambda: not view.scene.reason)
    workbench.session.change("x", kernel=kernel("rbf(gamma=3)"))
    qapp.processEvents()
    view.catch_up()
    assert "when you stop editing" in view.scene.reason
    qtbot.waitUntil(lambda: not view.scene.reason)


def test_hidden_nothing_is_run(bench, show, qtbot):
    view = opened(show, bench())
    view.hide()
    assert not view.working


def test_live_the_course_is_exported_as_it_is_shown(bench, show, qtbot):
    workbench = bench()
    view = opened(show, workbench)
    qtbot.waitUntil(lambda: not view.scene.reason)
    assert not view.maker_now().make(workbench.frame).scene.reason


# In explicit features too -----------------------------------------------------------------------------
@pytest.mark.parametrize("mode", ["live", "watch"])
def test_gradient_steps_are_shown_in_both_forms_with_the_cost_of_each(bench, show, qtbot, mode):
    view = opened(show, bench("cubic(n=60, seed=1)", "linear", "kernel-sgd(epochs=5)", mode=mode))
    if mode == "watch":
        view.workbench.session.adjust(step=12)
    qtbot.waitUntil(lambda: "against" in view.bar.remark.text())
    assert view.bar.remark.text() == "n = 60 against 2q = 2"
    assert [name.split(" (")[0] for name in series(plots(view)[0])] == ["mean squared, dual", "primal"]


def test_a_kernel_without_finite_features_is_said_to_have_the_dual_alone(bench, show, qtbot):
    view = opened(show, bench("cubic(n=60, seed=1)", "rbf", "kernel-sgd(epochs=5)"))
    qtbot.waitUntil(lambda: not view.scene.reason)
    assert view.bar.remark.text() == "no finite features: dual only"
    assert "rbf" in view.bar.remark.toolTip()
