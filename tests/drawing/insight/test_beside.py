"""Gradient steps in the weights of the points and in explicit features, on one plot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernelviz.drawing.insight.convergence import ConvergencePicture, CourseMaker
from kernelviz.engine.core.generators import finished
from kernelviz.runtime.convergence_runs import CourseRun
from kernelviz.runtime.messages import END

HOW = "kernel-sgd(rate=0.02, batch=10, epochs=20)"


@pytest.fixture
def picture_of(answers):
    """The picture once its course has been run, live or watched."""

    def make(kernel_text, how=HOW, step=None, data="cubic(n=60, seed=1)"):
        frame, verdict = answers(data, kernel_text, how, step)
        problem = frame.model.problem
        trace = finished(CourseRun(frame.model.algorithm, problem).work(lambda: None))
        return replace(CourseMaker.of(ConvergencePicture), course=(problem, trace)).make(frame, verdict)

    return make


@pytest.mark.parametrize("step", [None, END], ids=["live", "watched"])
def test_both_courses_are_the_same_steps_and_their_names_say_what_a_step_costs(picture_of, step):
    picture = picture_of("polynomial(degree=3)", step=step)
    (group,) = picture.groups
    dual, primal = group.series.values()
    assert list(group.series) == ["mean squared, dual (600 products a step)", "primal (80)"]
    assert len(dual) == len(picture.steps) > 100
    np.testing.assert_allclose(primal, dual, rtol=1e-8)
    assert picture.remark.words == "n = 60 against 2q = 8"
    assert "same steps" in picture.remark.meaning


def test_without_finite_features_there_is_the_dual_alone_and_it_is_said(picture_of):
    picture = picture_of("rbf(gamma=1)")
    assert [list(group.series) for group in picture.groups] == [["mean squared, dual"]]
    assert picture.remark.words == "no finite features: dual only"
    assert "n = 60 products" in picture.remark.meaning


def test_a_course_longer_than_the_comparison_goes_on_alone(picture_of):
    picture = picture_of("linear", "kernel-sgd(rate=0.02, batch=1, epochs=60)")
    dual, primal = picture.groups[0].series.values()
    assert np.isfinite(dual).all()
    known = np.isfinite(primal)
    assert picture.steps[known].max() <= 2001 < picture.steps[-1]
    np.testing.assert_allclose(primal[known], dual[known], rtol=1e-8)


def test_where_both_courses_are_equal_both_are_seen(picture_of, painted):
    both = picture_of("polynomial(degree=3)")
    (group,) = both.groups
    name, values = next(iter(group.series.items()))
    alone = replace(both, groups=(replace(group, series={name: values}),))
    assert painted(both) != painted(alone)


def test_other_algorithms_are_shown_as_before(picture_of):
    picture = picture_of("rbf", "soft-margin-svm", data="gaussians(n=40, seed=3)")
    assert {"primal", "dual", "gap"} <= set(picture.groups[-1].series)
    assert "features" not in picture.remark.words
