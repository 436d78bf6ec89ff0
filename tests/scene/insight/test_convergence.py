"""The course of the algorithm."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from kernelviz.engine.analysis.remarks import about_the_gap
from kernelviz.engine.fits.parsing import kernel
from kernelviz.runtime.messages import END
from kernelviz.scene.insight import convergence
from kernelviz.scene.insight.convergence import ConvergenceView
from kernelviz.scene.nodes import Stack
from kernelviz.scene.plot_layers import Lines
from kernelviz.scene.view import GoTo, Now, ViewMemory
from kernelviz.scene.wording import about_mistakes
from tests.scene.insight.helpers import done, exported, laid_out, pixel


def make(frame, view=None, memory=None, **now):
    return (view or ConvergenceView()).scene(frame, Now(**now), memory or ViewMemory())


@pytest.fixture
def watched(frame_of):
    """A run watched to its end."""
    return lambda how="soft-margin-svm(C=1)": make(frame_of(how=how, step=END))


def plots(scene):
    return [plot for plot, _ in scene.root.children]


def series(scene):
    """The curves of each plot by name."""
    return [
        {layer.part: layer.y for layer in plot.layers if isinstance(layer, Lines)} for plot in plots(scene)
    ]


def names(scene):
    return [list(group) for group in series(scene)]


def steps(scene):
    return plots(scene)[0].layers[0].x


def test_losses_are_above_and_objectives_below(watched):
    assert names(watched()) == [["mean hinge", "training error"], ["primal", "dual", "gap"]]


def test_an_algorithm_without_objectives_has_the_losses_only(watched):
    assert names(watched("perceptron")) == [["training error"]]
    assert names(watched("hinge-sgd"))[0] == ["mean hinge", "training error"]


def test_the_steps_reach_to_the_end_of_the_axis(watched):
    scene = watched()
    for plot in plots(scene):
        assert plot.x.low == 0
        assert plot.x.high >= steps(scene)[-1]
    lefts = {leaf.inner.left() for leaf in laid_out(scene).leaves}
    assert len(lefts) == 1, "the axes begin at the same place"


def test_the_gap_closes(watched):
    gap = series(watched())[1]["gap"]
    assert 0 <= gap[-1] < 1e-2 * gap[0]


def test_a_logarithmic_axis_shows_the_gap_in_decades(frame_of):
    frame = frame_of(step=END)
    assert not any(plot.x.log or plot.y.log for plot in plots(make(frame)))
    assert all(plot.y.log for plot in plots(make(frame, ConvergenceView(log=True))))


def test_a_click_goes_to_the_step_below_its_place(watched, rect):
    scene = watched()
    layout = laid_out(scene, rect)
    plot = layout.leaves[0]
    for step in steps(scene)[:: max(1, len(steps(scene)) // 7)].tolist():
        hit = layout.hit(QPointF(float(plot.at(step, 0.0)[0, 0]), plot.inner.center().y()))
        assert ConvergenceView().on_click(hit, Now()) == GoTo(int(step))
    left = layout.hit(QPointF(plot.rect.left() + 1, plot.inner.center().y()))
    assert ConvergenceView().on_click(left, Now()) == GoTo(0)


def test_the_mark_moves_with_the_step(frame_of, painted):
    frame, memory = frame_of(step=END), ViewMemory()
    at_end, earlier = make(frame, memory=memory), make(dataclasses.replace(frame, step=2), memory=memory)
    assert painted(earlier) != painted(at_end)
    assert laid_out(earlier).ground == laid_out(at_end).ground


def test_a_result_of_a_single_step_has_no_course(frame_of):
    frame = frame_of(how="prototype")
    assert len(frame.trace) == 1
    assert "single step" in make(frame).reason


def test_at_the_start_of_a_run_the_course_is_yet_to_come(frame_of):
    frame = frame_of(step=0)
    assert not frame.finished
    assert make(frame).reason == "The iterations appear here step by step."


def test_a_live_result_of_many_iterations_is_not_said_to_be_one_of_a_single_step(frame_of):
    frame = frame_of(how="soft-margin-svm(C=10)")
    assert frame.model.numbers["iterations"] > 1
    assert "when you stop editing" in make(frame).reason


def test_the_course_beside_a_live_result_says_that_it_is_another_run(frame_of):
    live, run = frame_of(how="soft-margin-svm(C=10)"), frame_of(how="soft-margin-svm(C=10)", step=END)
    iterations = live.model.numbers["iterations"]
    scene = make(live, result=done(ConvergenceView().needs(None, live)))
    assert steps(scene)[-1] == run.trace.rows[-1, 0] != iterations
    assert scene.remark.words == "the run step by step"
    assert f"in a faster way, in {iterations} iterations" in scene.remark.meaning
    assert make(run).remark.words == ""


def test_a_much_shorter_run_gets_a_shorter_axis(frame_of):
    memory = ViewMemory()
    long = plots(make(frame_of(step=END), memory=memory))[0].x.high
    short = make(frame_of(how="soft-margin-svm(C=1e-6)", step=END), memory=memory)
    assert steps(short)[-1] < long / 2
    assert steps(short)[-1] <= plots(short)[0].x.high < long


def test_a_tall_hinge_loss_leaves_the_error_a_plot_of_its_own(frame_of, monkeypatch):
    trace = (frame := frame_of(step=END)).trace
    monkeypatch.setattr(convergence, "TALL", max(trace.column("loss")) / 2)
    scene = make(frame)
    assert names(scene)[:2] == [["mean hinge"], ["training error"]]
    assert plots(scene)[1].y.high < 2 * np.nanmax(trace.column("training_error"))


def test_a_wide_gap_beside_converged_is_explained(frame_of):
    frame = frame_of(how="soft-margin-svm(C=1e5)")
    assert make(frame).remark.words == ""
    model = dataclasses.replace(frame.model, objectives=(48.0, 2.0))
    remark = make(dataclasses.replace(frame, model=model)).remark
    assert remark.words == "gap 23 times the dual"
    assert remark.meaning == about_the_gap(model)


def test_a_perceptrons_mistakes_are_named_even_where_there_is_no_course_to_show(answers):
    frame, verdict = answers("barely_separable(n=60, gap=1.5)", "linear", "perceptron")
    scene = make(frame, verdict=verdict)
    assert scene.remark == about_mistakes(frame, verdict)
    assert scene.remark.words


# In explicit features too -----------------------------------------------------------------------------------
HOW = "kernel-sgd(rate=0.02, batch=10, epochs=20)"


@pytest.fixture
def run(answers):
    """The scene once its course has been run, live or watched."""

    def make_scene(kernel_text, how=HOW, step=None, data="cubic(n=60, seed=1)"):
        frame, verdict = answers(data, kernel_text, how, step)
        result = done(ConvergenceView().needs(None, frame))
        return make(frame, verdict=verdict, result=result)

    return make_scene


@pytest.mark.parametrize("step", [None, END], ids=["live", "watched"])
def test_both_courses_are_the_same_steps_and_their_names_say_what_a_step_costs(run, step):
    scene = run("polynomial(degree=3)", step=step)
    (group,) = series(scene)
    dual, primal = group.values()
    assert list(group) == ["mean squared, dual (600 products a step)", "primal (80)"]
    assert len(dual) == len(steps(scene)) > 100
    np.testing.assert_allclose(primal, dual, rtol=1e-8)
    assert scene.remark.words == "n = 60 against 2q = 8"
    assert "same steps" in scene.remark.meaning


def test_without_finite_features_there_is_the_dual_alone_and_it_is_said(run):
    scene = run("rbf(gamma=1)")
    assert names(scene) == [["mean squared, dual"]]
    assert scene.remark.words == "no finite features: dual only"
    assert "n = 60 products" in scene.remark.meaning


def test_a_course_longer_than_the_comparison_goes_on_alone(run):
    scene = run("linear", "kernel-sgd(rate=0.02, batch=1, epochs=60)")
    dual, primal = series(scene)[0].values()
    assert np.isfinite(dual).all()
    known = np.isfinite(primal)
    assert steps(scene)[known].max() <= 2001 < steps(scene)[-1]
    np.testing.assert_allclose(primal[known], dual[known], rtol=1e-8)


def test_where_both_courses_are_equal_both_are_seen(run, painted):
    both = run("polynomial(degree=3)")
    ((plot, size),) = both.root.children
    dual, _primal, step = plot.layers
    alone = dataclasses.replace(plot, layers=(dual, step))
    assert painted(both) != painted(dataclasses.replace(both, root=Stack(((alone, size),))))


def test_other_algorithms_are_shown_as_before(run):
    scene = run("rbf", "soft-margin-svm", data="gaussians(n=40, seed=3)")
    assert {"primal", "dual", "gap"} <= set(series(scene)[-1])
    assert "features" not in scene.remark.words


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def running(bench, opened, qapp):
    """A run running to its end."""
    workbench = bench(mode="watch")
    workbench.session.adjust(step=END)
    qapp.processEvents()
    return opened("convergence", workbench=workbench)


def test_ticking_the_box_shows_powers_of_ten(running, qtbot):
    qtbot.mouseClick(running.boxes["log"], Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert all(plot.y.log for plot in plots(running.scene))
    running.grab()


def test_clicking_while_watching_goes_to_that_step(running, qtbot, qapp):
    sheet = running.sheet
    inner = sheet.layout_of_scene.leaves[0].inner
    at = pixel(QPointF(inner.left(), inner.center().y()))
    qtbot.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=at)
    qapp.processEvents()
    assert running.workbench.session.look.step == 0
    assert running.workbench.frame.step == 0
    assert len(running.workbench.frame.trace) > 5


def test_clicking_in_live_mode_does_nothing(bench, opened, qtbot):
    view = opened("convergence", workbench=bench())
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton)
    assert view.workbench.session.look.step == 0
    assert view.workbench.session.look.mode == "live"


def test_the_mark_follows_the_step(running, qapp):
    at_end = running.grab().toImage()
    running.workbench.session.adjust(step=2)
    qapp.processEvents()
    running.catch_up()
    assert plots(running.scene)[0].layers[-1].x == 2
    assert running.grab().toImage() != at_end


def test_a_perceptrons_mistakes_stand_beside_the_switch(bench, opened, qtbot):
    workbench = bench("rings(n=60, seed=2)", "rbf(gamma=1)", "perceptron")
    view = opened("convergence", workbench=workbench)
    qtbot.waitUntil(lambda: "at most" in view.bar.remark.text())
    assert "‖g‖²" in view.bar.remark.toolTip()
    assert view.minimumSizeHint().width() <= 310


# Live -----------------------------------------------------------------------------------------------------
def test_live_the_iterations_are_run_once_nothing_moves_and_end_where_the_optimum_is(bench, opened, qtbot):
    workbench = bench(how="soft-margin-svm(C=1, tol=1e-6)")
    view = opened("convergence", workbench=workbench)
    assert "when you stop editing" in view.scene.reason
    qtbot.waitUntil(lambda: not view.scene.reason)
    qtbot.waitUntil(lambda: not view.working)
    optimum = workbench.frame.model.summary()["dual_objective"]
    goals = series(view.scene)[-1]
    assert goals["dual"][-1] == pytest.approx(optimum, rel=1e-4)
    assert goals["gap"][-1] < 1e-3 * abs(goals["gap"][0])
    assert goals["dual"][0] < goals["dual"][-1]


def test_live_the_course_of_another_fit_is_not_shown_for_this_one(bench, opened, qtbot, qapp):
    workbench = bench()
    view = opened("convergence", workbench=workbench)
    qtbot.waitUntil(lambda: not view.scene.reason)
    workbench.session.change("x", kernel=kernel("rbf(gamma=3)"))
    qapp.processEvents()
    view.catch_up()
    assert "when you stop editing" in view.scene.reason
    qtbot.waitUntil(lambda: not view.scene.reason)


def test_hidden_nothing_is_run(bench, opened, qtbot):
    view = opened("convergence", workbench=bench())
    view.hide()
    assert not view.working


def test_live_the_course_is_exported_as_it_is_shown(bench, opened, qtbot):
    workbench = bench()
    view = opened("convergence", workbench=workbench)
    qtbot.waitUntil(lambda: not view.scene.reason)
    assert not exported(view).reason


@pytest.mark.parametrize("mode", ["live", "watch"])
def test_gradient_steps_are_shown_in_both_forms_with_the_cost_of_each(bench, opened, qtbot, mode):
    view = opened(
        "convergence", workbench=bench("cubic(n=60, seed=1)", "linear", "kernel-sgd(epochs=5)", mode=mode)
    )
    if mode == "watch":
        view.workbench.session.adjust(step=12)
    qtbot.waitUntil(lambda: "against" in view.bar.remark.text())
    assert view.bar.remark.text() == "n = 60 against 2q = 2"
    assert [name.split(" (")[0] for name in series(view.scene)[0]] == ["mean squared, dual", "primal"]


def test_a_kernel_without_finite_features_is_said_to_have_the_dual_alone(bench, opened, qtbot):
    view = opened("convergence", workbench=bench("cubic(n=60, seed=1)", "rbf", "kernel-sgd(epochs=5)"))
    qtbot.waitUntil(lambda: not view.scene.reason)
    assert view.bar.remark.text() == "no finite features: dual only"
    assert "rbf" in view.bar.remark.toolTip()
