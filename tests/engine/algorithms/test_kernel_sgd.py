"""Gradient descent in dual form, and the same in explicit features."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.algorithms.sgd import KernelSGD
from kernelviz.engine.core.generators import finished
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear.descent import batches


def posed(kernel: str, n: int = 30) -> Problem:
    return Problem(kernelviz.dataset(f"cubic(n={n})"), kernelviz.kernel(kernel))


@pytest.mark.parametrize("kernel", ["linear", "polynomial(degree=3, gamma=0.3)", "power_series(degree=2)"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("batch", [1, 7, 30])
def test_steps_on_points_are_steps_on_features(kernel: str, bias: bool, batch: int) -> None:
    p = posed(kernel)
    algorithm = KernelSGD(rate=0.01, batch=batch, epochs=5, bias=bias, seed=2)
    Phi, y = p.kernel.feature_map(1)(p.X), p.y
    w, b = np.zeros(Phi.shape[1]), 0.0
    frames = [f for f in algorithm.steps(p) if f.change.kind == "batch"]
    drawn = list(batches(p.n, batch, 5, 2))
    assert len(frames) == len(drawn)
    for frame, rows in zip(frames, drawn, strict=True):
        errors = Phi[rows] @ w + b - y[rows]
        w = w - 0.01 / len(rows) * errors @ Phi[rows]
        b -= 0.01 / len(rows) * errors.sum() * bias
        np.testing.assert_allclose(frame.model.training_scores, Phi @ w + b, atol=1e-10)
        assert frame.model.b == pytest.approx(b, abs=1e-12)
        assert set(frame.change.points) == set(rows.tolist())


def test_side_by_side_the_losses_agree_and_the_costs_are_n_and_twice_q_for_each_point_of_a_step() -> None:
    p = posed("polynomial(degree=3, gamma=0.3)")
    algorithm = KernelSGD(rate=0.01, batch=10, epochs=20)
    found = finished(algorithm.in_features(p))
    np.testing.assert_allclose(found.dual, found.primal, rtol=1e-9)
    assert found.difference < 1e-9
    np.testing.assert_array_equal(np.diff(found.dual_cost), 10 * 30)
    np.testing.assert_array_equal(np.diff(found.primal_cost), 10 * 2 * found.features)
    objectives = [f.objectives["primal"] for f in algorithm.steps(p)][:-1]
    np.testing.assert_allclose(found.dual, objectives, rtol=1e-9)
    assert finished(algorithm.in_features(posed("rbf(gamma=1)"))) is None


def test_without_a_bias_b_stays_zero() -> None:
    assert KernelSGD(bias=False).fit(posed("rbf(gamma=1)")).b == 0.0


def test_with_many_small_steps_it_reaches_least_squares() -> None:
    p = posed("linear")
    model = KernelSGD(rate=0.3, batch=30, epochs=3000).fit(p)
    line = np.polyfit(p.X[:, 0], p.y, 1)
    np.testing.assert_allclose(model.training_scores, np.polyval(line, p.X[:, 0]), atol=1e-6)


def test_steps_that_are_too_long_end_in_words_with_numbers_left() -> None:
    model = KernelSGD(rate=100.0).fit(posed("polynomial(degree=3)"))
    assert "smaller rate" in model.message
    assert not model.converged
    assert np.isfinite(model.training_scores).all()
    found = finished(KernelSGD(rate=100.0).in_features(posed("polynomial(degree=3)")))
    assert np.isfinite(found.dual).all()
    assert np.isfinite(found.primal).all()


@pytest.mark.parametrize(
    ("kernel", "algorithm"),
    [
        ("power_series(degree=10)", KernelSGD(rate=1e-4, batch=5, epochs=20)),
        ("linear", KernelSGD(rate=100.0)),
    ],
)
def test_runs_that_diverge_have_the_losses_of_the_same_steps_side_by_side(
    kernel: str, algorithm: KernelSGD
) -> None:
    p = Problem(kernelviz.dataset("cubic(n=5)"), kernelviz.kernel(kernel))
    found = finished(algorithm.in_features(p))
    run = list(algorithm.steps(p))
    assert "smaller rate" in run[-1].model.message
    losses = [iterate.objectives["primal"] for iterate in run[:-1]]  # the last says only that it has ended
    assert found.dual == pytest.approx(losses)
    assert found.primal == pytest.approx(losses)
    assert (np.diff(found.dual_cost) > 0).all()


def test_the_same_seed_takes_the_same_steps_and_another_others() -> None:
    p = posed("rbf(gamma=1)")
    one, same, other = (KernelSGD(epochs=2, seed=s).fit(p).beta for s in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_the_last_frame_does_not_count_its_steps_in_another_way() -> None:
    *_, last = KernelSGD(batch=10, epochs=7).steps(posed("rbf(gamma=1)"))
    assert last.change.text == "Stopped as asked, after 7 epochs."
