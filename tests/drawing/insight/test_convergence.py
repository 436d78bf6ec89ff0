"""The course of the algorithm."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight import convergence
from kernelviz.drawing.insight.convergence import ConvergencePicture, CourseMaker
from kernelviz.drawing.insight.picture import PictureMaker
from kernelviz.engine.analysis.remarks import about_the_gap
from kernelviz.runtime.messages import END

maker = PictureMaker.of(ConvergencePicture)


@pytest.fixture
def watched(frame_of):
    """A run watched to its end."""
    return lambda how="soft-margin-svm(C=1)": maker.make(frame_of(how=how, step=END))


def names(picture):
    return [list(group.series) for group in picture.groups]


def test_losses_are_above_and_objectives_below(watched):
    assert names(watched()) == [["mean hinge", "training error"], ["primal", "dual", "gap"]]


def test_an_algorithm_without_objectives_has_the_losses_only(watched):
    assert names(watched("perceptron")) == [["training error"]]
    assert names(watched("hinge-sgd"))[0] == ["mean hinge", "training error"]


def test_the_steps_reach_to_the_end_of_the_axis(watched):
    picture = watched()
    assert picture.extent.low == 0
    assert picture.extent.high >= picture.steps[-1]


def test_the_gap_closes(watched):
    gap = watched().groups[1].series["gap"]
    assert 0 <= gap[-1] < 1e-2 * gap[0]


def test_a_logarithmic_axis_shows_the_gap_in_decades(frame_of):
    frame = frame_of(step=END)
    assert not any(axis.log for pair in maker.make(frame).axes for axis in pair)
    assert all(y.log for _, y in maker.switched("log", True).make(frame).axes)


def test_every_step_is_found_below_its_place(watched, rect, qapp):
    picture, style = watched(), Style()
    plot = picture._plots(rect, style)[0]
    for step in picture.steps[:: max(1, len(picture.steps) // 7)].tolist():
        x = float(plot.at(step, plot.y.low)[0, 0])
        assert picture.step_at(QPointF(x, plot.inner.center().y()), rect, style) == step
    assert picture.step_at(rect.topLeft(), rect, style) == 0
    assert picture.step_at(rect.topRight(), rect, style) <= picture.extent.high


def test_the_mark_moves_with_the_step(watched, painted):
    at_end = watched()
    earlier = dataclasses.replace(at_end, step=2)
    assert painted(earlier) != painted(at_end)
    assert earlier.ground == at_end.ground


def test_a_result_of_a_single_step_has_no_course(frame_of):
    frame = frame_of(how="prototype")
    assert len(frame.trace) == 1
    assert "single step" in maker.make(frame).reason


def test_at_the_start_of_a_run_the_course_is_yet_to_come(frame_of):
    frame = frame_of(step=0)
    assert not frame.finished
    assert maker.make(frame).reason == "The course appears here, step by step."


def test_a_live_result_of_many_iterations_is_not_said_to_be_one_of_a_single_step(frame_of):
    frame = frame_of(how="soft-margin-svm(C=10)")
    assert frame.model.numbers["iterations"] > 1
    assert "when you stop editing" in maker.make(frame).reason


def test_the_course_beside_a_live_result_says_that_it_is_another_run(frame_of):
    live, run = frame_of(how="soft-margin-svm(C=10)"), frame_of(how="soft-margin-svm(C=10)", step=END)
    iterations = live.model.numbers["iterations"]
    assert run.trace.rows[-1, 0] != iterations
    course = CourseMaker.of(ConvergencePicture)
    picture = dataclasses.replace(course, course=(live.model.problem, run.trace)).make(live)
    assert picture.remark.words == "the run step by step"
    assert f"in a faster way, in {iterations} iterations" in picture.remark.meaning
    assert maker.make(run).remark.words == ""


def test_a_much_shorter_run_gets_a_shorter_axis(frame_of, watched):
    long = watched()
    short = maker.make(frame_of(how="soft-margin-svm(C=1e-6)", step=END), before=long)
    assert short.steps[-1] < long.extent.high / 2
    assert short.steps[-1] <= short.extent.high < long.extent.high


def test_a_tall_hinge_loss_leaves_the_error_a_plot_of_its_own(frame_of, monkeypatch):
    trace = (frame := frame_of(step=END)).trace
    monkeypatch.setattr(convergence, "TALL", max(trace.column("loss")) / 2)
    picture = maker.make(frame)
    assert names(picture)[:2] == [["mean hinge"], ["training error"]]
    assert picture.axes[1][1].high < 2 * np.nanmax(trace.column("training_error"))


def test_a_wide_gap_beside_converged_is_explained(frame_of):
    frame = frame_of(how="soft-margin-svm(C=1e5)")
    assert maker.make(frame).remark.words == ""
    model = dataclasses.replace(frame.model, objectives=(48.0, 2.0))
    remark = maker.make(dataclasses.replace(frame, model=model)).remark
    assert remark.words == "gap 23 times the dual"
    assert remark.meaning == about_the_gap(model)
