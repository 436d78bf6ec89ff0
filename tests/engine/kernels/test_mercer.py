"""Mercer's condition on points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.fits.registry import kernels
from kernelviz.engine.kernels.mercer import MOST_JUDGED, mercer, positive
from tests.strategies import points

DATA = dataset("rings(n=80)")


@pytest.mark.parametrize(
    "name", [k for k, cls in kernels().items() if cls.positive_definite and cls.domain == "vectors"]
)
def test_every_kernel_declared_positive_definite_passes(name: str) -> None:
    found = mercer(kernel(name)(DATA.X))
    assert found.holds
    assert found.witness is None
    assert found.verdict.startswith("Positive semi-definite on these points")


def test_the_sigmoid_fails_with_a_witness_that_proves_it() -> None:
    K = kernel("sigmoid(gamma=1, c=-1)")(DATA.X)
    found = mercer(K)
    assert not found.holds
    assert found.witness @ K @ found.witness == pytest.approx(found.smallest)
    assert found.smallest < 0
    assert found.ratio < -1e-3
    assert "Not positive semi-definite" in found.verdict


def test_an_asymmetric_matrix_is_no_kernel() -> None:
    found = mercer(np.array([[1.0, 0.5], [0.0, 1.0]]))
    assert not found.holds
    assert not found.symmetric
    assert found.verdict.startswith("Not a kernel")


def test_an_overflowing_kernel_is_named_as_such() -> None:
    assert "overflow" in mercer(np.array([[np.inf]])).verdict
    assert not mercer(np.array([[np.inf]])).holds


def test_no_points_prove_nothing() -> None:
    assert mercer(np.empty((0, 0))).holds


def test_the_zero_kernel_is_positive_semi_definite() -> None:
    found = mercer(np.zeros((3, 3)))
    assert found.holds
    assert found.ratio == 0.0


def test_what_rounding_leaves_of_a_zero_eigenvalue_is_not_shown_as_a_number() -> None:
    x = np.linspace(-1.0, 1.0, 30)
    found = mercer(np.outer(x, x))
    assert found.smallest != 0.0
    assert "smallest eigenvalue about 0, largest 10.7" in found.verdict
    assert "smallest eigenvalue 0.001, largest 1" in mercer(np.diag([1e-3, 1.0])).verdict


def test_of_very_many_points_the_first_are_checked_and_the_verdict_says_so() -> None:
    n = MOST_JUDGED + 10
    found = mercer(np.eye(n))
    assert found.holds
    assert f"first {MOST_JUDGED} of {n}" in found.verdict
    indefinite = np.eye(n)
    indefinite[:2, :2] = [[0, 1], [1, 0]]
    witness = mercer(indefinite).witness
    assert len(witness) == n
    assert witness @ indefinite @ witness == pytest.approx(-1.0)


def test_the_matrix_of_the_first_points_is_enough() -> None:
    found = mercer(np.diag([-1.0] + [1.0] * (MOST_JUDGED - 1)), total=1000)
    assert f"first {MOST_JUDGED} of 1000" in found.verdict
    assert found.witness.shape == (1000,)


def test_zeros_but_for_rounding_have_a_cholesky_factor_and_the_matrix_is_left_as_it_is() -> None:
    x = np.linspace(-1.0, 1.0, 31)
    assert x[15] == 0.0
    K = np.outer(x, x)
    before = K.copy()
    assert positive(K)
    assert np.array_equal(K, before)


@settings(deadline=None, max_examples=50)
@given(points(rows=(1, 15)))
def test_any_product_of_features_with_themselves_passes(Phi: Array) -> None:
    assert mercer(Phi @ Phi.T).holds


@pytest.mark.parametrize(
    "expression", ["linear", "rbf(gamma=1)", "laplacian(gamma=1)", "sigmoid(gamma=1, c=-1)"]
)
@pytest.mark.parametrize("n", [3, 40])
def test_a_cholesky_factor_gives_the_same_verdict_as_the_eigenvalues(expression: str, n: int) -> None:
    K = kernel(expression)(np.random.default_rng(n).standard_normal((n, 2)))
    assert positive(K) == mercer(K).holds


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_the_unit_of_the_kernel_does_not_matter(scale: float) -> None:
    good, bad = (scale * kernel(k)(DATA.X) for k in ("rbf(gamma=1)", "sigmoid(gamma=1, c=-1)"))
    assert mercer(good).holds
    assert positive(good)
    assert not mercer(bad).holds
    assert not positive(bad)
    assert mercer(bad).ratio == pytest.approx(mercer(bad / scale).ratio)


def test_the_ratio_is_the_smallest_eigenvalue_relative_to_the_largest_in_size() -> None:
    assert mercer(np.diag([4.0, -1.0])).ratio == pytest.approx(-0.25)
    assert mercer(np.diag([1.0, -4.0])).ratio == pytest.approx(-1.0)
    assert mercer(np.diag([4.0, 1.0])).ratio == pytest.approx(0.25)


def test_asymmetry_within_rounding_of_the_largest_value_is_forgiven() -> None:
    K = np.array([[1e6, 1e-3], [1e-3 + 1e-9, 1e6]])
    assert mercer(K).symmetric
    assert not mercer(K + np.array([[0.0, 1e-3], [0.0, 0.0]])).symmetric


def test_a_single_infinite_value_is_an_overflow() -> None:
    assert "overflow" in mercer(np.array([[1.0, np.inf], [np.inf, 1.0]])).verdict
