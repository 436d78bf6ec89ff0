"""The course of an algorithm in numbers."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.algorithms.base import Iterate
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.runs import CAPACITY, TraceRecorder

X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]])


def iterate(step=0, data=None, weights=(1.0, 0.0, 0.0), **objectives):
    problem = Problem(data or Data.labelled(X, [1, 1, -1]), Linear())
    known = objectives.get("primal"), objectives.get("dual")
    model = KernelModel(problem, Ridge(), Status.RUNNING, "", step, np.array(weights), 0.25, objectives=known)
    return Iterate(step, model)


def test_a_row_has_the_numbers_of_its_step():
    recorder = TraceRecorder()
    recorder.see(4, iterate(4, primal=3.0, dual=2.0))
    trace = recorder.trace()
    scores = X[:, 0] + 0.25
    z = np.array([1, 1, -1])
    assert trace.column("step") == [4]
    assert trace.column("loss") == pytest.approx(((1 - z * scores) ** 2).mean())
    assert trace.column("training_error") == pytest.approx((z * scores <= 0).mean())
    assert (trace.column("primal"), trace.column("dual")) == ([3], [2])


def test_a_score_of_exactly_zero_counts_as_a_mistake():
    recorder = TraceRecorder()
    recorder.see(0, iterate(weights=(-0.25, 0.0, 0.0)))  # s(x_1) = 0.25 - 0.25
    assert recorder.trace().column("training_error")[0] == pytest.approx(2 / 3)


def test_what_is_undefined_is_not_a_number():
    recorder = TraceRecorder()
    recorder.see(0, iterate(data=Data.unlabelled(X)))
    assert np.isnan(recorder.trace().rows[0, 1:]).all()


def test_real_targets_have_a_loss_and_no_mistakes():
    recorder = TraceRecorder()
    recorder.see(0, iterate(data=Data.regression(X, [0.1, 0.2, 0.3])))
    residuals = np.array([0.1, 0.2, 0.3]) - X[:, 0] - 0.25
    assert recorder.trace().column("loss") == pytest.approx((residuals**2).mean())
    assert np.isnan(recorder.trace().column("training_error")).all()


def test_an_empty_trace_has_columns_too():
    assert len(TraceRecorder().trace()) == 0
    assert TraceRecorder().trace().column("dual").shape == (0,)


@pytest.mark.parametrize(
    ("first", "stride"), [(0, 1), (1, 2), (5, 7)], ids=["one by one", "odd numbers", "sevens"]
)
def test_a_long_course_is_thinned_evenly_however_the_steps_are_numbered(first, stride):
    recorder = TraceRecorder()
    model = iterate()
    steps = first + stride * np.arange(20 * CAPACITY + 3)
    for step in steps.tolist():
        recorder.see(step, model)
    shown = recorder.trace().column("step")
    assert CAPACITY // 2 <= len(shown) <= CAPACITY + 1
    assert (shown[0], shown[-1]) == (steps[0], steps[-1])
    assert len(set(np.diff(shown)[:-1])) == 1


def test_the_latest_step_is_always_there():
    recorder = TraceRecorder()
    for step in range(3 * CAPACITY):
        recorder.see(step, iterate(step))
        if step % 97 == 0:
            assert recorder.trace().column("step")[-1] == step


def test_a_trace_handed_out_does_not_change_any_more():
    recorder = TraceRecorder()
    recorder.see(0, iterate(0))
    trace = recorder.trace()
    recorder.see(1, iterate(1))
    assert len(trace) == 1
    assert not trace.rows.flags.writeable
