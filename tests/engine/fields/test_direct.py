"""The sum node by node, also where a kernel is cheaper as a function of a product over the axes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fields.direct import Sources, direct, nodes_of
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.dot_products import Sigmoid

rng = np.random.default_rng(0)
POINTS, WEIGHTS = rng.standard_normal((50, 2)), rng.standard_normal(50)
X1, X2 = np.linspace(-3, 3, 30), np.linspace(-2, 4, 20)


def summed(k: Kernel, points: Array, weights: Array) -> Array:
    F: Array = k.gram(nodes_of(X1, X2), points) @ weights
    return F.reshape(len(X2), len(X1))


@settings(max_examples=100, deadline=None)
@given(
    gamma=st.floats(-6, 6),
    c=st.floats(-1e3, 1e3),
    far=st.sampled_from([1.0, 1e6]),
    spread=st.floats(0, 8),
    seed=st.integers(0, 1000),
)
def test_the_sigmoid_is_exact_however_steep_and_however_the_weights_cancel(
    gamma: float, c: float, far: float, spread: float, seed: int
) -> None:
    k = Sigmoid(gamma=10**gamma, c=c)
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((20, 2))
    points[0] *= far
    weights = rng.standard_normal(20) * 10.0 ** rng.uniform(-spread, spread, 20)
    expected = summed(k, points, weights)
    found = direct(k, Sources(points, weights), X1, X2)
    # What rounding x·x' changes is nobody's error: it may move tanh by the digits its argument has lost.
    lost = 1e-15 * k.gamma * np.abs(nodes_of(X1, X2)) @ np.abs(points.T) @ np.abs(weights)
    assert (np.abs(found - expected).ravel() <= 1e-10 * np.abs(expected).max() + lost).all()


def test_only_points_of_extreme_factors_go_another_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    k, points = Sigmoid(gamma=20.0), np.vstack((POINTS, [[30.0, -30.0], [-50.0, 50.0]]))
    weights = np.append(WEIGHTS, [3.0, -2.0])
    seen: list[int] = []
    of_scaled = Sigmoid.of_scaled

    def counted(self: Sigmoid, u: Array, spare: Array) -> Array:
        seen.append(u.shape[-1])
        return of_scaled(self, u, spare)

    monkeypatch.setattr(Sigmoid, "of_scaled", counted)
    found = direct(k, Sources(points, weights), X1, X2)
    assert 2 <= max(seen) < 0.5 * len(points)
    expected = summed(k, points, weights)
    assert np.abs(found - expected).max() <= 1e-10 * np.abs(expected).max()


def test_a_faint_field_of_large_weights_keeps_its_digits() -> None:
    k, points = Sigmoid(gamma=1e-6), np.array([[1.0, 0.0], [0.0, 1.0]])
    F = direct(k, Sources(points, np.array([1.0, -1.0])), X1, X2)
    expected = np.tanh(1e-6 * X1) - np.tanh(1e-6 * X2)[:, None]
    np.testing.assert_allclose(F, expected, rtol=1e-12, atol=1e-20)


@pytest.mark.parametrize(
    "expression",
    [
        "sigmoid",
        "sigmoid(gamma=0.3, c=0.7)",
        "matern32(l=0.4)",
        "matern52(l=2)",
        "rational_quadratic(l=0.7, alpha=0.5)",
        "rational_quadratic(l=0.7, alpha=1)",
        "rational_quadratic(l=0.7, alpha=2)",
        "rational_quadratic(l=0.7, alpha=2.5)",
        "ard(l1=0.5, l2=2)*sigmoid",
        "periodic(period=1.7, l=0.9)",
        "linear + sigmoid",
        "weight",
    ],
)
def test_any_kernel_has_a_direct_sum(expression: str) -> None:
    k = kernel(expression)
    expected = summed(k, POINTS, WEIGHTS)
    found = direct(k, Sources(POINTS, WEIGHTS), X1, X2)
    assert np.abs(found - expected).max() <= 1e-13 * np.abs(expected).max() * len(POINTS)


def test_the_foremost_points_are_those_with_the_largest_weights() -> None:
    sources = Sources(np.array([[0.0, 0], [1, 0], [2, 0]]), np.array([1.0, -3, 2]))
    assert sources.foremost(2).tolist() == [[1, 0], [2, 0]]
