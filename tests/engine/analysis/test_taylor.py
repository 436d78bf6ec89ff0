"""The Gaussian kernel by degrees."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.analysis.functions import taylor_sums
from kernelviz.engine.fits.parsing import kernel

RNG = np.random.default_rng(5)
X, CENTRE = RNG.normal(size=(20, 2)), np.array([0.7, -0.4])


def test_the_sums_tend_to_the_gaussian() -> None:
    exact = kernel("rbf(gamma=0.8)")(X, CENTRE[None])[:, 0]
    errors = [float(np.abs(row - exact).max()) for row in taylor_sums(0.8, X, CENTRE, 30)]
    assert errors[30] < 1e-12
    assert errors[30] < errors[8] < errors[2] < errors[0]


def test_up_to_a_degree_they_are_the_monomials_of_that_degree() -> None:
    """exp(-γ|x|²) times the power series kernel's terms (2γ x·c)^d/d!, worked out one by one."""
    gamma, t = 0.5, X @ CENTRE
    weight = np.exp(-gamma * (np.square(X).sum(axis=1) + CENTRE @ CENTRE))
    second = weight * (1 + t + t**2 / 2)
    assert taylor_sums(gamma, X, CENTRE, 2)[2] == pytest.approx(second)
