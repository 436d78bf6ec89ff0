"""The quadratic model of a Newton step, solved on points and on features, against the plain linear system."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.solvers.linear.bases import DualBasis, PrimalBasis, balanced

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


def test_where_no_offset_is_best_it_stays_at_zero() -> None:
    c, b = DualBasis(-5.0 * np.eye(N)).weighted_ridge(np.ones(N), SLOPE, SCORES, 1.0)
    assert b == 0.0
    np.testing.assert_allclose(c, (SLOPE + SCORES) / (1.0 - 5.0), rtol=1e-12)


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
