"""The Gaussian and the exponential kernel by degrees."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.analysis.functions import taylor_sums
from kernelviz.engine.fits.parsing import kernel

RNG = np.random.default_rng(5)
X, CENTRE = RNG.normal(size=(20, 2)), np.array([0.7, -0.4])


@pytest.mark.parametrize("text", ["rbf(gamma=0.8)", "exponential(gamma=1.5)"])
def test_the_sums_tend_to_the_kernel(text: str) -> None:
    exact = kernel(text)(X, CENTRE[None])[:, 0]
    errors = [float(np.abs(row - exact).max()) for row in taylor_sums(kernel(text), X, CENTRE, 30)]
    assert errors[30] < 1e-12
    assert errors[30] < errors[8] < errors[2] < errors[0]


def test_up_to_a_degree_they_are_the_monomials_of_that_degree() -> None:
    """The terms t^d/d!, worked out one by one; of the Gaussian damped by exp(-γ|x|²)."""
    t = X @ CENTRE
    second = 1 + t + t**2 / 2
    weight = np.exp(-0.5 * (np.square(X).sum(axis=1) + CENTRE @ CENTRE))
    assert taylor_sums(kernel("exponential(gamma=1)"), X, CENTRE, 2)[2] == pytest.approx(second)
    assert taylor_sums(kernel("rbf(gamma=0.5)"), X, CENTRE, 2)[2] == pytest.approx(weight * second)
