"""The smallest error any classifier can have, where the densities are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.stats import multivariate_normal, norm

from kernelviz.engine.datasets.clouds import Gaussians, Mixture, Returning
from kernelviz.engine.fits import registry


@pytest.mark.parametrize(("distance", "noise"), [(2.0, 0.7), (1.0, 1.0), (4.0, 0.5)])
def test_the_bayes_error_of_two_gaussians_is_that_of_the_closed_form(distance, noise):
    exact = norm.cdf(-distance / (2 * noise))
    assert Gaussians(distance=distance, noise=noise).bayes_error() == pytest.approx(exact, abs=2e-5)


def test_the_bayes_error_of_a_mixture_is_that_of_numerical_integration():
    made = Mixture(centres=2, variance=0.3, seed=5)
    minus, plus, spread = made.clouds()
    densities = [
        [multivariate_normal(centre, spread**2 * np.eye(2)) for centre in centres]
        for centres in (minus, plus)
    ]

    def smaller(y: float, x: float) -> float:
        return 0.5 * min(np.mean([cloud.pdf([x, y]) for cloud in clouds]) for clouds in densities)

    exact, _ = dblquad(smaller, -5, 5, -5, 5, epsabs=1e-4)
    assert made.bayes_error() == pytest.approx(exact, abs=3e-4)


@pytest.mark.parametrize("made", [Gaussians(), Mixture(seed=2), Returning()])
def test_the_classifier_of_the_larger_density_has_that_error_on_very_many_points(made):
    data = type(made).draw_fresh(made, made.replace(n=5000), np.random.default_rng(0))
    minus, plus = made.class_densities(data.X)
    error = np.mean(np.where(plus > minus, 1, -1) != data.z)
    assert error == pytest.approx(made.bayes_error(), abs=5 * np.sqrt(0.25 / 5000))


def test_where_densities_are_not_known_there_is_no_bayes_error():
    for name, kind in registry.datasets().items():
        made = kind()
        places = np.zeros((1, 2))
        assert (made.bayes_error() is None) == (made.class_densities(places) is None), name
    assert Gaussians(noise=0.0).bayes_error() is None
