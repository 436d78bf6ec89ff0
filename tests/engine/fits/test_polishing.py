"""Small problems are solved to all their digits, so that hand calculations agree with what is shown."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.engine.fits.solve import MOST_POLISHED, algorithm_for, can_be_polished, in_full, polished
from kernelviz.engine.models.problem import Problem

MACHINES = ["soft-margin-svm(C=10)", "squared-slack-svm(lam=0.1)", "nu-svm(nu=0.4)", "hard-margin-svm"]


def rough(data, kernel, algorithm):
    data = kernelviz.dataset(data) if isinstance(data, str) else data
    chosen = algorithm_for(data, algorithm)
    return chosen.fit(Problem(data, kernelviz.kernel(kernel)))


def test_three_points_agree_with_the_calculation_by_hand():
    """(0, -1) and (1, -1) against (1, 1): the boundary is x2 = 0, w = (0, 1)."""
    data = kernelviz.dataset("three_points")
    model = kernelviz.fit(data, kernel="linear", algorithm="hard-margin-svm")
    np.testing.assert_allclose(data.z * model.training_scores, np.ones(3), atol=1e-12)
    assert model.alpha.sum() == pytest.approx(model.squared_norm, abs=1e-12)
    assert model.summary()["margin"] == pytest.approx(1.0, abs=1e-12)
    assert model.summary()["margin_width"] == pytest.approx(1.0, abs=1e-12)
    assert model.b == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("C", [0.3, 2.0])
def test_two_points_and_a_gaussian_agree_with_the_calculation_by_hand(C):
    """alpha = min(C, 1/(1 - k)), k = K(x, x'); b = 0 by symmetry."""
    model = kernelviz.fit([[0.0, 0.0], [1.0, 0.0]], [-1, 1], "rbf(gamma=1)", f"soft-margin-svm(C={C})")
    alpha = min(C, 1.0 / (1.0 - np.exp(-1.0)))
    np.testing.assert_allclose(model.alpha, alpha, rtol=1e-10)
    assert model.b == pytest.approx(0.0, abs=1e-10)
    assert model.summary()["dual_objective"] == pytest.approx(2 * alpha - alpha**2 * (1 - np.exp(-1.0)))


@pytest.mark.parametrize("algorithm", ["soft-margin-svm(C=10)", "soft-margin-svm(C=0.5)", "nu-svm(nu=0.4)"])
@pytest.mark.parametrize("data", ["moons(n=120, noise=0.2)", "gaussians(n=150)", "rings(n=200)"])
def test_free_support_vectors_lie_on_the_margin_to_ten_digits(data, algorithm):
    model = kernelviz.fit(kernelviz.dataset(data), kernel="rbf(gamma=1)", algorithm=algorithm)
    free = (model.alpha > 0) & (model.alpha < model.box)
    assert free.any()
    np.testing.assert_allclose(model.problem.z[free] * model.training_scores[free], 1.0, atol=1e-9)


@pytest.mark.parametrize("algorithm", MACHINES)
def test_polishing_keeps_the_algorithm_and_lowers_the_violation(algorithm):
    before = rough("moons(n=100, noise=0.1)", "rbf(gamma=2)", algorithm)
    steps, violation = before.iterations, before.violation
    after = in_full(before)
    assert after.converged
    assert after.violation <= min(violation, 1e-9)
    assert after.algorithm == before.algorithm
    assert str(after.algorithm) == str(before.algorithm)
    assert after.iterations >= steps
    np.testing.assert_allclose(after.training_scores, before.training_scores, atol=0.02)


def test_several_classes_are_polished_pair_by_pair():
    model = kernelviz.fit(kernelviz.dataset("blobs(n=60, classes=3, noise=0.8)"), kernel="rbf(gamma=1)")
    for pair in model.pairs:
        assert pair.model.violation < 1e-9
    assert model.iterations == sum(pair.model.iterations for pair in model.pairs)


def test_a_chosen_tolerance_and_many_points_are_left_alone():
    chosen = rough("moons(n=100)", "rbf(gamma=2)", "soft-margin-svm(C=10, tol=0.01)")
    assert in_full(chosen) is chosen
    many = rough(f"moons(n={MOST_POLISHED + 2})", "rbf(gamma=2)", "soft-margin-svm(C=10)")
    assert not can_be_polished(many)


def test_where_there_are_no_more_digits_the_answer_stays_converged():
    model = kernelviz.fit(
        kernelviz.dataset("gaussians(n=200)"),
        kernel="polynomial(degree=3)",
        algorithm="soft-margin-svm(C=1000)",
    )
    assert model.converged
    assert model.violation <= 1e-3


def test_a_polished_model_is_still_a_start_for_the_next():
    data = kernelviz.dataset("moons(n=100, noise=0.2)")
    model = kernelviz.fit(data, kernel="rbf(gamma=1)")
    again = kernelviz.fit(data, kernel="rbf(gamma=1)", start=model)
    assert again.iterations == 0
    np.testing.assert_allclose(again.alpha, model.alpha, atol=1e-8)


@pytest.mark.parametrize("C", [0.01, 1.0, 10.0, 1000.0])
def test_weights_carried_over_leave_no_dust_where_the_new_kernel_is_mostly_zero(C):
    """Of the short strings "ab" and "cd" there are no eight letters: φ = 0, and they take all the weight."""
    texts = ["ab", "cd", "apple pie", "banana split", "cherry tart", "plum pie", "red, green", "sea, sand"]
    data = Data.labelled(texts, ["x", *["y"] * 7])
    machine = algorithm(f"soft-margin-svm(C={C})")
    model = None
    for length in (2, 8):
        problem = Problem(data, kernel(f"subsequence(length={length}, normalised=true)"))
        model = finished(polished(machine.fit(problem, model)))
    assert model.alpha.tolist() == [C, C, 0, 0, 0, 0, 0, 0]
    assert model.squared_norm == 0.0
    assert model.b == 1.0
