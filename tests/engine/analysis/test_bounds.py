"""The bounds of the lecture, at values worked out by hand, and never exceeded by what they bound."""

from __future__ import annotations

from math import e, log

import numpy as np
import pytest

from kernelviz import BadInput, dataset, fit, kernel
from kernelviz.engine.analysis.bounds import (
    Bound,
    compression_bound,
    error_bounds,
    margin_bound,
    mistake_bound,
    slack_ratio,
    smallest_separating_norm,
)


def test_the_margin_bound_is_its_formula() -> None:
    n, m, R, delta = 10**6, 0.9, 1.0, 0.05
    expected = 2 / n * (64 / m**2 * log(e * n * m**2 / 8) * log(32 * n / m**2) + log(4 / delta))
    assert margin_bound(n, m, R, delta).value == pytest.approx(expected)


def test_the_margin_bound_needs_enough_points_and_a_margin() -> None:
    few = margin_bound(79, 0.9, 1.0, 0.05)
    assert few.value is None
    assert "more than 79 points" in few.sentence
    assert margin_bound(80, 0.9, 1.0, 0.05).value is not None
    assert margin_bound(10**6, -0.1, 1.0, 0.05).value is None


def test_a_wider_margin_promises_less_error() -> None:
    narrow, wide = (margin_bound(10**7, m, 1.0, 0.05).value for m in (0.2, 0.9))
    assert narrow is not None
    assert wide is not None
    assert wide < narrow


def test_the_compression_bound_is_its_formula_and_needs_no_mistakes() -> None:
    assert compression_bound(100, 5, 0.0, 0.05).value == pytest.approx(
        (5 * log(e * 100 / 5) + log(100 / 0.05)) / 95
    )
    assert compression_bound(100, 5, 0.01, 0.05).value is None
    assert compression_bound(5, 5, 0.0, 0.05).value is None
    assert compression_bound(100, 0, 0.0, 0.05).value == pytest.approx(log(100 / 0.05) / 100)


def test_a_bound_of_one_or_more_is_called_vacuous() -> None:
    bound = compression_bound(20, 15, 0.0, 0.05)
    assert bound.vacuous
    assert "vacuous" in bound.sentence
    assert not compression_bound(1000, 5, 0.0, 0.05).vacuous


def test_the_slack_ratio_is_that_of_geometric_margin_and_slacks() -> None:
    hinge, norm, R = np.array([0.0, 0.5, 2.0]), 4.0, 3.0
    m, h = 1 / norm, hinge / norm
    assert f"{(R**2 + h @ h) / m**2:.4g}" in slack_ratio(hinge, norm, R).sentence


def test_a_fitted_classifier_has_all_three() -> None:
    names = [bound.name for bound in error_bounds(fit(dataset("rings(n=60)")))]
    assert names == ["perfect separation", "slack", "compression"]


def test_without_support_vectors_nothing_is_compressed() -> None:
    for algorithm in ("random-features(model=logistic)", "feature-map(model=ridge)"):
        model = fit(dataset("rings(n=60)"), algorithm=algorithm)
        assert model.summary()["support_vectors"] is None
        assert [bound.name for bound in error_bounds(model)] == ["perfect separation", "slack"]


def test_they_apply_to_two_classes_with_a_norm_only() -> None:
    assert error_bounds(fit(dataset("blobs(n=30, classes=3)"))) == ()
    assert error_bounds(fit(dataset("rings(n=30)"), algorithm="nearest-neighbours")) == ()


def test_radius_and_margin_belong_to_the_same_space() -> None:
    by_features = fit(dataset("gaussians(n=40)"), algorithm="feature-map(features=coordinates, model=hinge)")
    scores, z = by_features.training_scores, by_features.problem.z
    lengths = np.linalg.norm(by_features.problem.X, axis=1)
    by_hand = slack_ratio(np.maximum(0.0, 1.0 - z * scores), by_features.summary()["norm"], lengths.max())
    assert error_bounds(by_features)[1] == by_hand


@pytest.mark.parametrize("delta", [0.0, 1.0, -1.0, 2.0])
def test_delta_is_a_probability(delta: float) -> None:
    with pytest.raises(BadInput):
        error_bounds(fit(dataset("rings(n=10)")), delta)


def test_the_smallest_separating_norm_of_one_point_is_one_over_its_length() -> None:
    K = np.array([[4.0]])
    assert smallest_separating_norm(K, np.array([1.0])) == pytest.approx(0.5)


def test_it_is_that_of_a_hard_margin_through_the_origin() -> None:
    data = dataset("xor(n=30, noise=0.2)")
    K = kernel("homogeneous(degree=2)")(data.X)
    norm = smallest_separating_norm(K, data.z)
    assert norm is not None
    from scipy.optimize import minimize

    def dual(a: np.ndarray) -> tuple[float, np.ndarray]:
        q = data.z * (K @ (data.z * a))
        return 0.5 * float(a @ q) - a.sum(), q - 1

    solved = minimize(
        dual, np.zeros(data.n), jac=True, bounds=[(0, None)] * data.n, options={"maxiter": 5000}
    )
    assert norm**2 == pytest.approx(-2 * solved.fun, rel=1e-3)


def test_opposite_labels_on_one_point_cannot_be_separated() -> None:
    K = kernel("rbf(gamma=1)")(np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]]))
    assert smallest_separating_norm(K, np.array([1.0, -1.0, 1.0])) is None
    assert mistake_bound(K, np.array([1.0, -1.0, 1.0])) is None


def test_an_indefinite_kernel_has_no_space_to_bound_mistakes_in() -> None:
    data = dataset("rings(n=20)")
    assert mistake_bound(kernel("sigmoid(gamma=1, c=-1)")(data.X), data.z) is None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("expression", ["rbf(gamma=1)", "polynomial(degree=2)"])
def test_the_online_perceptron_never_exceeds_its_mistake_bound(seed: int, expression: str) -> None:
    data = dataset(f"rings(n=60, noise=0.05, seed={seed})")
    bound = mistake_bound(kernel(expression)(data.X), data.z)
    assert bound is not None
    model = fit(data, kernel=expression, algorithm="online-perceptron(passes=200)")
    assert model.alpha is not None
    assert 0 < model.alpha.sum() <= bound


@pytest.mark.parametrize("n", [20, 150])
@pytest.mark.parametrize("expression", ["polynomial(degree=2)", "rbf(gamma=0.3)", "rbf(gamma=30)"])
def test_the_separating_norm_is_not_below_what_the_dual_proves(expression: str, n: int) -> None:
    data = dataset(f"rings(n={n}, noise=0.02)")
    K, z = kernel(expression)(data.X), data.z
    norm = smallest_separating_norm(K, z)
    assert norm is not None
    # Any weights a >= 0 bound it from below: ||g||² >= 2 sum a - ||sum a_i z_i K(x_i, ·)||².
    model = fit(data.X, z, kernel=expression, algorithm="hard-margin-svm(tol=1e-8)")
    assert model.alpha is not None
    a = model.alpha * model.alpha.sum() / ((z * model.alpha) @ K @ (z * model.alpha))
    assert norm**2 >= (2 * a.sum() - (z * a) @ K @ (z * a)) * (1 - 1e-6)


@pytest.mark.parametrize("R", [0.5, 3.0])
def test_in_the_margin_bound_radius_and_margin_meet_as_a_ratio(R: float) -> None:
    """But for the second logarithm: math.md's correction 7 of the notes."""
    n, m, delta = 10**7, 0.9 * R, 0.05
    ratio = R**2 / m**2
    expected = 2 / n * (64 * ratio * log(e * n / (8 * ratio)) * log(32 * n / m**2) + log(4 / delta))
    assert margin_bound(n, m, R, delta).value == pytest.approx(expected)
    assert margin_bound(int(64 * ratio), m, R, delta).value is None
    assert margin_bound(int(64 * ratio) + 1, m, R, delta).value is not None


def test_the_margin_bound_needs_more_than_two_over_epsilon_points_too() -> None:
    bound = margin_bound(100, 90.0, 100.0, 0.05)  # ε would be negative
    assert bound.value is None
    assert "2/ε" in bound.sentence


def test_a_margin_of_zero_separates_nothing() -> None:
    assert margin_bound(10**9, 0.0, 1.0, 0.05).value is None


@pytest.mark.parametrize(("value", "vacuous"), [(None, False), (0.99, False), (1.0, True), (7.0, True)])
def test_vacuous_begins_at_one(value: float | None, vacuous: bool) -> None:
    assert Bound("any", value, "").vacuous is vacuous


def test_with_an_offset_the_mistake_bound_is_that_of_the_kernel_plus_its_step() -> None:
    """K + R² is the kernel of the features and one more, R: there the perceptron needs no b."""
    data = dataset("barely_separable(n=30, gap=0.5)")
    model = fit(data, kernel="linear", algorithm="perceptron(sweeps=10000)")
    K, z = model.problem.gram, data.z
    R2 = K.diagonal().max()
    lifted = np.column_stack([data.X, np.full(data.n, np.sqrt(R2))])
    g = smallest_separating_norm(lifted @ lifted.T, z)
    assert g is not None
    bound = model.algorithm.mistake_bound(model.problem)
    assert bound == pytest.approx(g**2 * 2 * R2)
    assert model.converged
    assert model.iterations <= bound


def test_where_nothing_separates_mistakes_have_no_bound() -> None:
    model = fit(dataset("xor(n=8)"), kernel="linear", algorithm="perceptron(sweeps=3)")
    assert model.algorithm.mistake_bound(model.problem) == np.inf


def test_without_a_radius_only_the_confidence_is_left_of_the_margin_bound() -> None:
    assert margin_bound(100, 1.0, 0.0, 0.9).value == pytest.approx(2 / 100 * log(4 / 0.9))


@pytest.mark.parametrize("unit", [1e-12, 1e12])
def test_the_separating_norm_does_not_mind_the_unit_of_the_kernel(unit: float) -> None:
    data = dataset("rings(n=40, noise=0.02)")
    K = kernel("polynomial(degree=2)")(data.X)
    norm, other = smallest_separating_norm(K, data.z), smallest_separating_norm(unit * K, data.z)
    assert norm is not None
    assert other is not None
    assert other * np.sqrt(unit) == pytest.approx(norm, rel=1e-5)
    inseparable = kernel("linear")(data.X)
    assert smallest_separating_norm(unit * inseparable, data.z) is None


def test_no_norm_separates_in_a_space_that_does_not_exist_or_holds_nothing() -> None:
    one_side = np.ones(2)
    assert smallest_separating_norm(np.array([[1.0, 2.0], [2.0, 1.0]]), one_side) is None
    assert smallest_separating_norm(np.zeros((2, 2)), one_side) is None


def test_a_bound_says_what_it_promises_and_how_surely() -> None:
    promised = compression_bound(1000, 5, 0.0, 0.1)
    assert promised.value is not None
    assert promised.sentence == f"At most {promised.value:.1%} errors on new data, with probability 90%."
    nothing = compression_bound(20, 10, 0.0, 0.05)
    assert nothing.value is not None
    assert 1 <= nothing.value < 3
    assert nothing.sentence == f"ε = {nothing.value:.3g}: vacuous, it promises nothing."
