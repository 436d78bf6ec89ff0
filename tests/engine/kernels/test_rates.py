"""Kernels that say they are mixtures of Gaussians are, to the tolerance asked for."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.engine.fits import registry
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.mixtures import GammaRates, log_gamma
from tests.strategies import declared

MIXTURES = {
    name: cls
    for name, cls in registry.kernels().items()
    if cls.domain == "vectors" and cls().gaussian_rates() is not None
}
DISTANCES = np.append(0.0, np.geomspace(1e-6, 1e4, 3000))


def test_the_rational_quadratic_and_the_matern_kernels_are_mixtures() -> None:
    assert set(MIXTURES) >= {"rational_quadratic", "matern32", "matern52"}


@pytest.mark.parametrize("cls", MIXTURES.values(), ids=MIXTURES)
@settings(max_examples=40, deadline=None)
@given(data=st.data(), digits=st.sampled_from([6, 9, 11, 13]))
def test_the_gaussians_add_up_to_the_kernel(cls: type[Kernel], data: st.DataObject, digits: int) -> None:
    kernel = data.draw(declared(cls, soft=True))
    rates = kernel.gaussian_rates()
    assert rates is not None
    tolerance = 10.0**-digits
    found = rates.gaussians(tolerance, rates.per_octave(3 * tolerance))
    points = np.stack((DISTANCES, np.zeros_like(DISTANCES)), axis=1)
    expected = kernel.gram(np.zeros((1, 2)), points)[0]
    total = np.exp(-np.multiply.outer(DISTANCES**2, found.rates)) @ found.weights
    assert np.abs(total - expected).max() <= 5 * tolerance + 1e-14


@settings(max_examples=40, deadline=None)
@given(shape=st.floats(0.05, 100), relative=st.sampled_from([1e-10, 1e-6]))
def test_a_relative_tolerance_holds_where_the_kernel_is_small(shape: float, relative: float) -> None:
    rates = GammaRates(shape, 1.0)
    found = rates.gaussians(1e-14, rates.per_octave(relative))
    u = np.append(0.0, np.geomspace(1e-4, 1e4, 2000))
    expected = np.exp(-shape * np.log1p(u))
    total = np.exp(-np.multiply.outer(u, found.rates)) @ found.weights
    assert (np.abs(total - expected) <= 1.1 * relative * expected + 5e-14).all()
    wrong = np.abs(np.exp(-np.multiply.outer(u, found.rates[::2])) @ found.weights[::2] * 2 - expected)
    assert wrong.max() > relative  # half as many would not do


@pytest.mark.parametrize("rates", [GammaRates(0.7, 3.0), GammaRates(20.0, 0.1), GammaRates(1.5, 2.0, True)])
def test_a_narrower_gaussian_is_a_wider_one_squared(rates: GammaRates) -> None:
    found = rates.gaussians(1e-11, rates.per_octave(1e-11))
    k = found.per_octave
    assert (np.diff(found.rates) > 0).all()
    np.testing.assert_allclose(found.rates[k:], 2 * found.rates[:-k], rtol=1e-12)


@pytest.mark.parametrize("shape", [0.3, 2.0, 100.0])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-13])
def test_no_width_is_computed_that_the_tolerance_does_not_ask_for(shape: float, tolerance: float) -> None:
    law = scipy.stats.gamma(shape)
    step = 2 ** (1 / 8)
    rates = GammaRates(shape, 3.0).gaussians(tolerance, 8).rates / 3.0
    assert law.ppf(tolerance) / step < rates[0] < law.ppf(2 * tolerance) * step
    assert law.isf(2 * tolerance) / step < rates[-1] < law.isf(tolerance) * step
    inverse = GammaRates(shape, 3.0, inverse=True).gaussians(tolerance, 8).rates / 3.0
    np.testing.assert_allclose(inverse, 1 / rates[::-1], rtol=1e-12)


@given(real=st.floats(0.01, 1000), imaginary=st.floats(0, 300))
def test_the_logarithm_of_the_gamma_function_is_scipys(real: float, imaginary: float) -> None:
    z = complex(real, imaginary)
    np.testing.assert_allclose(log_gamma(z), scipy.special.loggamma(z).real, rtol=1e-7, atol=1e-7)


def test_coarser_tolerances_need_fewer_gaussians() -> None:
    rates = GammaRates(2.5, 1.0, inverse=True)
    counts = [len(rates.gaussians(t, rates.per_octave(t))) for t in (1e-13, 1e-10, 1e-6)]
    assert counts[0] > counts[1] > counts[2]
    assert counts[2] <= 25
