"""The quadratic model of a Newton step, solved on points and on features, against the plain linear system."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.models.base import Model
from kernelviz.engine.solvers.linear.bases import (
    DualBasis,
    LowRankBasis,
    PrimalBasis,
    balanced,
    dual_basis,
    partial_cholesky,
)

rng = np.random.default_rng(0)
N, Q = 30, 4
PHI = rng.standard_normal((N, Q)) + np.array([0.0, 3.0, -5.0, 1.0])
WEIGHT, SLOPE, SCORES = rng.uniform(0.01, 1.0, N), rng.standard_normal(N), rng.standard_normal(N)


def on_features(scores: Array, lam: float) -> tuple[Array, float]:
    """The gradient of the model along w and b is zero."""
    F = np.column_stack([PHI, np.ones(N)])
    A = F.T @ (WEIGHT[:, None] * F) + np.diag([lam] * Q + [0.0])
    *w, b = np.linalg.solve(A, F.T @ (WEIGHT * scores + SLOPE))
    return np.array(w), float(b)


def on_points(K: Array, lam: float) -> tuple[Array, float]:
    """lam c + W (Kc + b) = slope + W s and sum c = 0."""
    A = np.zeros((N + 1, N + 1))
    A[:N, :N] = lam * np.eye(N) + WEIGHT[:, None] * K
    A[:N, N], A[N, :N] = WEIGHT, 1.0
    *c, b = np.linalg.solve(A, np.append(SLOPE + WEIGHT * SCORES, 0.0))
    return np.array(c), float(b)


@pytest.mark.parametrize("lam", [0.01, 1.0, 100.0])
def test_both_bases_find_the_minimum_of_the_model(lam: float) -> None:
    w, b = on_features(SCORES, lam)
    found, offset = PrimalBasis(PHI).weighted_ridge(WEIGHT, SLOPE, SCORES, lam)
    np.testing.assert_allclose(np.append(found, offset), np.append(w, b), rtol=1e-9, atol=1e-12)
    c, offset = DualBasis(PHI @ PHI.T).weighted_ridge(WEIGHT, SLOPE, SCORES, lam)
    np.testing.assert_allclose(np.append(c @ PHI, offset), np.append(w, b), rtol=1e-8, atol=1e-10)


def test_an_indefinite_gram_matrix_still_gives_the_stationary_point() -> None:
    K = np.tanh(0.1 * PHI @ PHI.T - 2)
    S = np.sqrt(WEIGHT)
    assert np.linalg.eigvalsh(np.eye(N) + S * K * S[:, None] / 0.1)[0] < 0
    c, b = DualBasis(K).weighted_ridge(WEIGHT, SLOPE, SCORES, 0.1)
    expected, offset = on_points(K, 0.1)
    np.testing.assert_allclose(np.append(c, b), np.append(expected, offset), rtol=1e-8, atol=1e-10)


def test_where_no_offset_is_best_it_is_the_stationary_one() -> None:
    c, b = DualBasis(-5.0 * np.eye(N)).weighted_ridge(np.ones(N), SLOPE, SCORES, 1.0)
    np.testing.assert_allclose(c, (SLOPE + SCORES - b) / (1.0 - 5.0), rtol=1e-12)
    assert c.sum() == pytest.approx(0.0, abs=1e-12)


def test_what_all_scores_have_in_common_goes_to_the_offset_alone() -> None:
    w, b = on_features(SCORES, 1.0)
    found, offset = PrimalBasis(PHI).weighted_ridge(WEIGHT, SLOPE, SCORES + 1e9, 1.0)
    np.testing.assert_allclose(found, w, rtol=0, atol=2e-7)
    assert offset - 1e9 == pytest.approx(b, abs=1e-5)


def test_both_bases_know_scores_and_inner_products() -> None:
    c, d = rng.standard_normal((2, N))
    primal, dual = PrimalBasis(PHI), DualBasis(PHI @ PHI.T)
    assert (primal.size, dual.size) == (Q, N)
    np.testing.assert_allclose(primal.scores(c @ PHI), dual.scores(c), rtol=1e-10)
    inner = primal.inner(c @ PHI, d @ PHI, primal.scores(d @ PHI))
    assert inner == pytest.approx((c @ PHI) @ (d @ PHI))
    assert dual.inner(c, d, dual.scores(d)) == pytest.approx(inner)


def test_the_heavier_class_is_scaled_down_to_the_lighter() -> None:
    z = np.array([1.0, 1.0, -1.0, -1.0])
    np.testing.assert_allclose(balanced(np.array([1.0, 3.0, 1.0, 1.0]), z), [0.5, 1.5, 1.0, 1.0])
    np.testing.assert_allclose(balanced(np.array([1.0, 1.0, 1.0, 3.0]), z), [1.0, 1.0, 0.5, 1.5])
    assert not balanced(np.array([1.0, 3.0, 0.0, 0.0]), z).any()


DATA = kernelviz.dataset("moons(n=800, noise=0.2)")


def gram(kernel: str) -> np.ndarray:
    return np.asarray(kernelviz.kernel(kernel)(DATA.X))


@pytest.mark.parametrize("kernel", ["rbf(gamma=0.1)", "rbf(gamma=0.3)", "polynomial(degree=3)"])
@pytest.mark.parametrize("lam", [1e-4, 0.1, 100.0])
def test_a_newton_step_is_that_of_the_whole_matrix(kernel: str, lam: float) -> None:
    K, rng = gram(kernel), np.random.default_rng(0)
    weight, slope, scores = rng.uniform(0.0, 0.25, 800) + 1e-12, rng.normal(size=800), rng.normal(size=800)
    basis = dual_basis(K, lam, True)
    assert isinstance(basis, LowRankBasis)
    c, b = basis.weighted_ridge(weight, slope, scores, lam)
    # Stationary: lam c + W (Kc + b) = slope + W s, sum c = 0.
    right = slope + weight * scores
    left = lam * c + weight * (K @ c + b)
    assert np.abs(left - right).max() <= 1e-7 * np.abs(right).max()
    assert abs(c.sum()) <= 1e-9 * np.abs(c).sum()


@pytest.mark.parametrize("lam", [1e-4, 0.1])
def test_scores_are_those_of_the_whole_matrix(lam: float, monkeypatch: pytest.MonkeyPatch) -> None:
    def fitted() -> Model:
        return kernelviz.fit(DATA, None, "rbf(gamma=0.5)", f"logistic(lam={lam})")

    quick = fitted()
    monkeypatch.setattr("kernelviz.engine.algorithms.logistic.dual_basis", lambda K, *_: DualBasis(K))
    whole = fitted()
    assert quick.converged
    assert quick.iterations == whole.iterations
    np.testing.assert_allclose(quick.training_scores, whole.training_scores, atol=1e-6)


@pytest.mark.parametrize("kernel", ["rbf(gamma=100)", "laplacian(gamma=1)"])
def test_a_kernel_without_a_low_rank_is_given_up_after_a_few_columns(kernel: str) -> None:
    rows = Counting(gram(kernel))
    assert partial_cholesky(rows, 1e-9, 160) is None  # type: ignore[arg-type]
    assert rows.asked <= 33


class Counting:
    """A matrix that counts the rows it is asked for."""

    def __init__(self, K: np.ndarray) -> None:
        self.K, self.asked = K, 0

    def diagonal(self) -> np.ndarray:
        return self.K.diagonal()

    def __len__(self) -> int:
        return len(self.K)

    def __getitem__(self, i: int) -> np.ndarray:
        self.asked += 1
        return self.K[i]


def test_few_points_and_indefinite_kernels_keep_the_whole_matrix() -> None:
    assert type(dual_basis(gram("rbf(gamma=0.3)")[:300, :300], 0.1, True)) is DualBasis
    assert type(dual_basis(gram("sigmoid(gamma=0.3)"), 0.1, False)) is DualBasis


def test_a_factor_leaves_out_no_more_than_it_may() -> None:
    K = gram("rbf(gamma=1)")
    V = partial_cholesky(K, 1e-8, 400)
    rest = K - V @ V.T
    assert 0.0 <= rest.diagonal().max() <= 1e-8
    assert np.abs(rest).max() <= 1.01e-8
