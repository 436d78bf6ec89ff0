"""Random features approach the kernel."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import cauchy, norm, t

from kernelviz.engine.algorithms.on_features import exact_limit
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.fits.registry import kernels
from kernelviz.engine.kernels.random_features import (
    RandomCosines,
    along_first_axis,
    approximation_error,
    expected_error,
    mean_of_cosines,
    spectral_density,
)

X = dataset("rings(n=40)").X
SPECTRAL = [
    name
    for name, cls in kernels().items()
    if cls.domain == "vectors" and cls().frequencies(2, 1, np.random.default_rng(0)) is not None
]


@pytest.mark.parametrize("name", SPECTRAL)
def test_the_error_shrinks_as_one_over_the_root_of_q(name: str) -> None:
    def error(q: int) -> float:
        return float(
            np.mean([approximation_error(kernel(name), X, q, s).root_mean_square for s in range(12)])
        )

    assert error(1600) == pytest.approx(error(100) / 4, rel=0.2)


def test_the_largest_error_is_not_below_the_typical_one() -> None:
    found = approximation_error(kernel("rbf(gamma=2)"), X, 50)
    assert found.largest >= found.root_mean_square > 0


@pytest.mark.parametrize("seed", range(4))
def test_both_errors_are_those_of_the_inner_products(seed: int) -> None:
    k = kernel("rbf(gamma=2)")
    phi = RandomCosines.draw(k, X, 5, np.random.Generator(np.random.PCG64(seed)))(X)
    error = (phi @ phi.T - np.exp(-2 * ((X[:, None] - X) ** 2).sum(axis=-1))).ravel()
    found = approximation_error(k, X, 5, seed)
    assert found.largest == pytest.approx(max(error.max(), -error.min()))
    assert found.root_mean_square == pytest.approx(np.sqrt(error @ error / len(error)))


def test_a_scaled_kernel_is_approached_at_its_own_height() -> None:
    plain = approximation_error(kernel("rbf(gamma=1)"), X, 200)
    scaled = approximation_error(kernel("4*rbf(gamma=1)"), X, 200)
    assert scaled.root_mean_square == pytest.approx(4 * plain.root_mean_square)


def test_a_kernel_without_a_spectrum_is_refused_in_words() -> None:
    with pytest.raises(BadInput, match="spectral density"):
        approximation_error(kernel("linear"), X, 10)


@pytest.mark.parametrize("name", SPECTRAL)
def test_measured_errors_lie_on_the_line_of_the_theory(name: str) -> None:
    for q in (4, 64):
        squares = [approximation_error(kernel(name), X, q, s).root_mean_square ** 2 for s in range(150)]
        assert np.sqrt(np.mean(squares)) == pytest.approx(expected_error(kernel(name), X, q), rel=0.12)


def test_the_expected_error_falls_as_one_over_the_root_of_q() -> None:
    assert expected_error(kernel("rbf"), X, 400) == pytest.approx(expected_error(kernel("rbf"), X, 4) / 10)


def test_the_exact_limit_is_what_many_features_come_near_to() -> None:
    from kernelviz.engine.algorithms.on_features import RandomFeatures
    from kernelviz.engine.models.problem import Problem

    problem = Problem(dataset("moons(n=40, seed=2)"), kernel("rbf(gamma=1)"))
    exact = exact_limit(problem, RandomFeatures(), 1.0)

    def off(q: int) -> float:
        fits = [RandomFeatures(q=q, model="ridge", lam=1.0, seed=s).fit(problem) for s in range(5)]
        return float(np.mean([np.abs(f.training_scores - exact.training_scores).max() for f in fits]))

    assert off(1000) < 0.12
    assert off(1000) < 0.4 * off(50)


def test_the_exact_limit_minimises_the_penalised_squares() -> None:
    from kernelviz.engine.algorithms.on_features import RandomFeatures
    from kernelviz.engine.models.problem import Problem

    problem = Problem(dataset("sine(n=25, seed=2)"), kernel("rbf(gamma=2)"))
    best, K, y = exact_limit(problem, RandomFeatures(), 0.3), problem.gram, problem.y

    def cost(beta: np.ndarray, b: float) -> float:
        return float(np.square(y - K @ beta - b).sum() + 0.3 * beta @ K @ beta)

    least, rng = cost(best.beta, best.b), np.random.default_rng(0)
    for _ in range(20):
        assert cost(best.beta + 0.01 * rng.normal(size=25), best.b + 0.01 * rng.normal()) > least


@pytest.mark.parametrize(
    ("text", "density"),
    [
        ("rbf(gamma=2)", norm(scale=2.0)),
        ("laplacian(gamma=3)", cauchy(scale=3.0)),
        ("matern32(l=0.5)", t(3, scale=2.0)),
        ("matern52(l=2)", t(5, scale=0.5)),
    ],
)
@pytest.mark.parametrize("p", [1, 2])
def test_the_spectral_density_is_the_known_one(text: str, density, p: int) -> None:
    w = np.linspace(-6, 6, 25)
    np.testing.assert_allclose(spectral_density(kernel(text), p, w), density.pdf(w), atol=1e-4)


@pytest.mark.parametrize("name", [name for name in SPECTRAL if name != "periodic"])
def test_the_spectral_density_is_never_negative_and_belongs_to_what_is_drawn(name: str) -> None:
    w = np.linspace(-1, 1, 101)
    assert spectral_density(kernel(name), 2, 50 * w).min() > -1e-4
    drawn = kernel(name).frequencies(2, 20_000, np.random.default_rng(1))[:, 0]
    share = np.trapezoid(spectral_density(kernel(name), 2, w), w)
    assert np.mean(np.abs(drawn) < 1.0) == pytest.approx(share, abs=0.02)


def test_a_periodic_kernel_has_no_density() -> None:
    assert spectral_density(kernel("periodic(period=2, l=0.1)"), 1, np.zeros(1)) is None


def test_the_mean_of_cosines_tends_to_the_kernel() -> None:
    k, d = kernel("rbf(gamma=1)"), np.linspace(0, 3, 31)
    drawn = k.frequencies(2, 100_000, np.random.default_rng(0))[:, 0]
    np.testing.assert_allclose(along_first_axis(k, 2, d), np.exp(-(d**2)))
    np.testing.assert_allclose(mean_of_cosines(drawn, d), np.exp(-(d**2)), atol=0.01)
