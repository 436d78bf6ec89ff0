"""Logistic regression by a factor of low rank: the same answer without n³ operations."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.models.base import Model
from kernelviz.engine.solvers.linear.bases import DualBasis, LowRankBasis, dual_basis, partial_cholesky

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
