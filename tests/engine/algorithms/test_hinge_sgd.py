from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize_scalar

import kernelviz
from kernelviz.engine.algorithms.sgd import HingeSGD
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.dot_products import Linear, Sigmoid
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear.descent import (
    DualWalk,
    PrimalWalk,
    SubgradientStep,
    batch_change,
    best_offset,
    hinge_ending,
    hinge_lower_bound,
    hinge_objective,
    subgradient_steps,
)


def moons(n: int = 60) -> Data:
    rng = np.random.default_rng(1)
    z = np.where(np.arange(n) % 2, 1, -1)
    return Data.labelled(rng.normal(size=(n, 2)) + z[:, None], z)


@given(arrays(float, 7, elements=st.floats(-3, 3)), st.integers(0, 7))
def test_the_best_offset_minimises_the_hinge_loss(h: np.ndarray, positives: int) -> None:
    z = np.where(np.arange(7) < positives, 1.0, -1.0)

    def loss(b: float) -> float:
        return float(np.maximum(0, 1 - z * (h + b)).sum())

    found = minimize_scalar(loss, bounds=(-10, 10), method="bounded")
    assert loss(best_offset(h, z)) <= found.fun + 1e-6


def test_steps_on_points_and_steps_on_features_are_the_same_steps() -> None:
    rng = np.random.default_rng(0)
    Phi, z = rng.normal(size=(20, 3)), np.where(np.arange(20) % 2, 1.0, -1.0)
    dual, primal = DualWalk(Phi @ Phi.T), PrimalWalk(Phi)
    walks = [subgradient_steps(walk, z, 0.1, 5, 3, seed=4) for walk in (dual, primal)]
    for one, other in zip(*walks, strict=True):
        assert one.inside.tolist() == other.inside.tolist()
        np.testing.assert_allclose(dual.beta @ Phi, primal.w, atol=1e-12)
        np.testing.assert_allclose(dual.beta, primal.beta, atol=1e-12)
        assert dual.b == pytest.approx(primal.b)


def test_every_step_is_told_and_the_weights_stay_on_the_side_of_their_label() -> None:
    problem = Problem(moons(), Gaussian())
    for frame in HingeSGD(epochs=3, batch=4).steps(problem):
        assert frame.change.text
        assert (frame.model.beta * problem.z >= 0).all()
        if frame.change.kind == "batch" and frame.change.points:
            assert f"{frame.change.points[0] + 1}" in frame.change.text


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ([], "no point of the batch has z·s < 1: all weights shrink"),
        ([4], "batch of 20: point 5 with z·s < 1 gains weight"),
        ([4, 0], "batch of 20: points 5, 1 with z·s < 1 gain weight"),
        (range(8), "batch of 20: points 1, 2, 3, 4, 5, 6, 7, 8 with z·s < 1 gain weight"),
        (range(9), "batch of 20: points 1, 2, 3, 4, 5, 6, 7, 8, … with z·s < 1 gain weight"),
    ],
)
def test_a_step_names_the_points_inside_the_margin(inside: Sequence[int], text: str) -> None:
    change = batch_change(SubgradientStep(3, np.arange(20), np.array(inside, dtype=np.intp)))
    assert change.text == text
    assert change.points == tuple(inside)


def test_another_seed_takes_other_steps_to_the_same_place() -> None:
    problem = Problem(moons(), Gaussian())
    one, other = (HingeSGD(lam=0.05, epochs=500, seed=s).fit(problem) for s in (0, 1))
    assert not np.array_equal(one.training_scores, other.training_scores)
    np.testing.assert_allclose(one.training_scores, other.training_scores, atol=0.1)


def test_it_says_how_near_the_minimum_it_came() -> None:
    problem = Problem(moons(), Gaussian())
    near, far = HingeSGD(lam=0.05, epochs=500).fit(problem), HingeSGD(lam=1e-5, epochs=1).fit(problem)
    assert near.status is Status.CONVERGED
    assert "above its minimum" in near.message
    assert far.status is Status.LIMIT
    assert "more epochs" in far.message


@pytest.mark.parametrize(
    ("excess", "words"), [(0.0, "0.1%"), (1e-5, "0.1%"), (0.0101, "1.1%"), (0.151, "16%")]
)
@pytest.mark.parametrize("minimum", [0.25, 1.0, 3.0])
def test_what_is_said_to_be_the_most_is_rounded_up(excess: float, words: str, minimum: float) -> None:
    assert f" {words} above" in hinge_ending(7, minimum * (1.0 + excess), minimum)[1]


def test_a_minimum_of_zero_is_reached_or_far_away() -> None:
    reached, message = hinge_ending(7, 0.0, 0.0)
    assert reached is Status.CONVERGED
    assert "at most 0.1% above" in message
    missed, message = hinge_ending(7, 1e-9, 0.0)
    assert missed is Status.LIMIT
    assert "far above" in message


@pytest.mark.parametrize(("excess", "status"), [(0.019, Status.CONVERGED), (0.021, Status.LIMIT)])
def test_within_two_percent_counts_as_converged(excess: float, status: Status) -> None:
    assert hinge_ending(7, 5.0 * (1.0 + excess), 5.0)[0] is status


@pytest.mark.parametrize(("times", "words"), [(9.9, "may be 890% above"), (10.1, "may be far above")])
def test_beyond_ten_times_the_bound_no_percentage_is_given(times: float, words: str) -> None:
    assert words in hinge_ending(7, times * 2.0, 2.0)[1]


@pytest.mark.parametrize("lam", [0.02, 0.1, 2.0])
def test_the_lower_bound_is_below_the_minimum_wherever_the_walk_is_and_close_in_the_end(lam: float) -> None:
    """The minimum is that of the soft-margin SVM with C = 1/(2 n lam), times 2 lam."""
    problem = Problem(moons(), Gaussian())
    K, z = problem.gram, problem.z
    C = 1 / (2 * problem.n * lam)
    primal, dual = SoftMarginSVM(C=C, tol=1e-9).fit(problem).objectives
    assert primal == pytest.approx(dual, rel=1e-6)
    minimum, rng = 2 * lam * primal, np.random.default_rng(0)
    walk = DualWalk(K)
    for size in (0.01, 0.3, 1.0, 3.0, 100.0):
        walk.beta = size * C * (z * rng.random(problem.n) + 0.1 * rng.normal(size=problem.n))
        assert 0 <= hinge_lower_bound(walk, z, lam) <= minimum * (1 + 1e-9)
    walk = DualWalk(K)
    for _ in subgradient_steps(walk, z, lam, 1000, 10, seed=0):
        pass
    walk.refresh()
    assert minimum * 0.97 <= hinge_lower_bound(walk, z, lam) <= minimum * (1 + 1e-9)
    assert minimum * (1 - 1e-9) <= hinge_objective(walk, z, lam) <= minimum * 1.03


def test_the_lower_bound_is_as_near_as_its_formula_says() -> None:
    """2 lam (sum alpha - |w|²/2) for weights that are in the box and balanced already."""
    problem, lam = Problem(moons(), Gaussian()), 0.05
    C = 1 / (2 * problem.n * lam)
    model = SoftMarginSVM(C=C, tol=1e-9).fit(problem)
    assert (model.alpha > 0.9 * C).any()
    walk = DualWalk(problem.gram)
    assert hinge_lower_bound(walk, problem.z, lam) == 0.0
    walk.beta = np.array(model.beta)
    assert hinge_lower_bound(walk, problem.z, lam) == pytest.approx(2 * lam * model.objectives[1], rel=1e-6)
    walk.beta = 2 * C * problem.z  # outside the box: cut off at C
    everything = C * problem.n - 0.5 * C**2 * problem.z @ problem.gram @ problem.z
    assert hinge_lower_bound(walk, problem.z, lam) == pytest.approx(max(0.0, 2 * lam * everything))


@pytest.mark.parametrize("seed", range(4))
def test_the_last_scores_have_not_drifted(seed: int) -> None:
    far = np.random.default_rng(seed).normal(size=(90, 2)) + 2.3e8
    model = HingeSGD(lam=0.2, batch=145).fit(Problem(Data.labelled(far, np.arange(90) % 2), Linear()))
    np.testing.assert_array_equal(model.training_scores, model.problem.gram @ model.beta + model.b)


def test_with_an_indefinite_kernel_no_distance_from_the_minimum_is_claimed() -> None:
    """The dual bounds the minimum only where |w|² cannot be negative."""
    problem = Problem(kernelviz.dataset("rings(n=60)"), Sigmoid())
    model = HingeSGD(lam=0.01).fit(problem)
    assert model.beta @ problem.gram @ model.beta < 0
    assert model.status is Status.LIMIT
    assert "indefinite" in model.message
    assert model.summary()["dual_objective"] is None


@pytest.mark.parametrize("lam", [0.05, 0.2, 0.6, 1.0])
@pytest.mark.parametrize("batch", [7, 20])
def test_the_first_steps_follow_the_formula(batch: int, lam: float) -> None:
    """w <- (1 - 1/t) w + 1/(2 lam t |B|) sum of z x over the points of B with z s < 1, then into the ball."""
    data, seed = moons(20), 3
    X, z = data.X, data.z
    order = np.random.Generator(np.random.PCG64(seed)).permutation(20)
    w, b = np.zeros(2), 0.0
    frames = list(HingeSGD(lam=lam, epochs=1, batch=batch, seed=seed).steps(Problem(data, Linear())))
    for t, begin in enumerate(range(0, 20, batch), start=1):
        rows = order[begin : begin + batch]
        inside = rows[z[rows] * (X[rows] @ w + b) < 1]
        w = (1 - 1 / t) * w + (z[inside] @ X[inside]) / (2 * lam * t * len(rows))
        b += z[inside].sum() / (len(rows) * np.sqrt(t))
        w /= max(1.0, np.sqrt(lam * w @ w))
        if begin + batch >= 20:
            b = best_offset(X @ w, z)
        np.testing.assert_allclose(frames[t].model.beta @ X, w, atol=1e-12)
        assert frames[t].model.b == pytest.approx(b)
        assert frames[t].objectives["primal"] == pytest.approx(
            np.maximum(0, 1 - z * (X @ w + b)).mean() + lam * w @ w
        )
