"""Derivatives, logarithms and signs that kernels declare, against their values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kernelviz
from kernelviz.engine.core.params import REAL
from kernelviz.engine.fits import registry
from kernelviz.engine.kernels.derivatives import Pairs
from tests.strategies import kernels

NAMES = sorted(name for name, kind in registry.kernels().items() if kind.domain == "vectors")
X = np.random.default_rng(5).normal(size=(14, 2))


def weighed(kernel, W: np.ndarray) -> tuple[np.ndarray, dict]:
    """(K, sum W dK by parameter) for symmetric weights, which are those of -M = W."""
    pairs = Pairs(X)
    K, slopes = kernel.differentiated(pairs)
    return pairs.upper(K), slopes(pairs.weights(np.zeros(len(X)), -2.0 * W))


@pytest.mark.parametrize("name", NAMES)
def test_every_real_parameter_has_its_derivative(name: str) -> None:
    kind = registry.kernels()[name]
    kernel = kind()
    _, found = weighed(kernel, np.eye(len(X)))
    assert {path[0] for path in found} == {p.name for p in kind.parameters() if p.kind is REAL}


@settings(deadline=None, max_examples=60)
@given(kernel=kernels(), seed=st.integers(0, 99))
def test_derivatives_are_what_differences_approach(kernel, seed: int) -> None:
    W = np.random.default_rng(seed).normal(size=(len(X), len(X)))
    W = W + W.T
    K = kernel(X)
    assume(np.abs(K).max() < 1e6)
    upper, found = weighed(kernel, W)
    np.testing.assert_allclose(np.triu(upper), np.triu(K), rtol=1e-9, atol=1e-12)
    for path, slope in found.items():
        value, parameter = kernel.at(path), kernel.declared(path)
        step = 1e-5 * max(abs(value), 1e-3)
        assume(parameter.low < value - step)
        assume(value + step < parameter.high)
        above, below = kernel.having(path, value + step)(X), kernel.having(path, value - step)(X)
        difference = (W * (above - below)).sum() / (2 * step)
        error = 1e-9 * np.abs(W * K).sum() / step
        size = np.abs(W * (above - below)).sum() / (2 * step)
        assert slope == pytest.approx(difference, rel=1e-3, abs=1e-4 * size + error)


@settings(deadline=None, max_examples=60)
@given(kernel=kernels())
def test_a_kernel_declared_non_negative_is_and_has_its_logarithm(kernel) -> None:
    if kernel.non_negative:
        K = kernel(X)
        assert (K >= 0).all()
        assume(K.max() < 1e90)
        logs = kernel.log_gram(X, X)
        seen = 1e-60 * max(K.max(), 1e-30) < K
        np.testing.assert_allclose(logs[seen], np.log(K[seen]), rtol=1e-8, atol=1e-8)


def test_a_parameter_inside_a_composition_is_found_and_changed() -> None:
    kernel = kernelviz.kernel("2*rbf(gamma=3) + linear*periodic(period=2)")
    assert kernel.at((0, 0, "gamma")) == 3
    assert kernel.at((1, 1, "period")) == 2
    assert str(kernel.having((1, 1, "period"), 4.0)) == str(
        kernelviz.kernel("2*rbf(gamma=3) + linear*periodic(period=4)")
    )
