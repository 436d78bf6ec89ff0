"""Gaussian processes against scikit-learn, kernel ridge and their own distribution."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    ExpSineSquared,
    Matern,
    RationalQuadratic,
    WhiteKernel,
)

import kernelviz
from kernelviz.engine.algorithms import gaussian_process as module
from kernelviz.engine.algorithms.gaussian_process import GaussianProcess, random_functions
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.kernels.base import LARGEST_VALUE
from kernelviz.engine.kernels.derivatives import Pairs
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.likelihood import NOISE as BY_NOISE
from kernelviz.engine.solvers.likelihood import ascent, climb_likelihood, likelihood

PAIRS = {
    "2*rbf(l=0.7)": ConstantKernel(2.0) * RBF(0.7),
    "matern32(l=0.7)": Matern(0.7, nu=1.5),
    "matern52(l=0.7)": Matern(0.7, nu=2.5),
    "rational_quadratic(l=0.7, alpha=0.8)": RationalQuadratic(0.7, 0.8),
    "periodic(period=2.2, l=0.9)": ExpSineSquared(0.9, 2.2),
    "2*rbf(l=0.7) + 0.5*periodic(period=2.2, l=0.9)": ConstantKernel(2.0) * RBF(0.7)
    + ConstantKernel(0.5) * ExpSineSquared(0.9, 2.2),
    "rbf(l=0.7)*periodic(period=2.2, l=0.9)": RBF(0.7) * ExpSineSquared(0.9, 2.2),
}
"""Ours and theirs. (scikit-learn gives the length-scale of a Gaussian where ours has gamma.)"""
both = pytest.mark.parametrize(("ours", "theirs"), PAIRS.items(), ids=list(PAIRS))
NOISE = 0.05
x = np.linspace(-3, 3, 61)[:, None]


def posed(kernel: str, n: int = 40) -> Problem:
    return Problem(kernelviz.dataset(f"sine(n={n})"), kernelviz.kernel(kernel))


@both
def test_mean_deviation_and_likelihood_are_scikit_learns(ours: str, theirs) -> None:
    p = posed(ours)
    model = GaussianProcess(NOISE).fit(p)
    other = GaussianProcessRegressor(theirs, alpha=NOISE, optimizer=None).fit(p.X, p.y)
    mean, deviation = other.predict(x, return_std=True)
    np.testing.assert_allclose(model.score(x), mean, atol=1e-9)
    np.testing.assert_allclose(model.deviation(x), deviation, atol=1e-7)
    value = other.log_marginal_likelihood_value_
    assert model.log_marginal_likelihood == pytest.approx(value, rel=1e-10)
    assert model.summary()["log_marginal_likelihood"] == pytest.approx(value, rel=1e-10)


@both
def test_the_gradient_is_scikit_learns(ours: str, theirs) -> None:
    p = posed(ours)
    found = likelihood(Pairs(p.X), p.y, p.kernel, NOISE)
    other = GaussianProcessRegressor(theirs + WhiteKernel(NOISE), alpha=0.0, optimizer=None).fit(p.X, p.y)
    value, by_logs = other.log_marginal_likelihood(other.kernel_.theta, eval_gradient=True)
    mine = []
    for path, slope in found.by_parameter.items():
        # gamma = 1/(2 l²), so that d/d ln l is -2 d/d ln gamma.
        mine.append(slope * p.kernel.at(path) * (-2.0 if path[-1] == "gamma" else 1.0))
    assert found.value == pytest.approx(value, rel=1e-10)
    np.testing.assert_allclose(sorted([*mine, NOISE * found.by_noise]), sorted(by_logs), rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("kernel", ["2*rbf(l=0.7)", "1.5*matern52(l=0.7)", "3*periodic(period=2.05)"])
def test_maximising_gets_as_high_as_scikit_learn_from_the_same_start(kernel: str) -> None:
    p = posed(kernel, 60)
    start = {
        "2*rbf(l=0.7)": ConstantKernel(2.0) * RBF(0.7),
        "1.5*matern52(l=0.7)": ConstantKernel(1.5) * Matern(0.7, nu=2.5),
        "3*periodic(period=2.05)": ConstantKernel(3.0) * ExpSineSquared(1.0, 2.05),
    }[kernel]
    other = GaussianProcessRegressor(start + WhiteKernel(0.1), alpha=0.0).fit(p.X, p.y)
    best, algorithm = finished(climb_likelihood(p, GaussianProcess(0.1)))
    highest = algorithm.fit(Problem(p.data, best)).log_marginal_likelihood
    assert highest >= other.log_marginal_likelihood_value_ - 1e-6 * abs(other.log_marginal_likelihood_value_)
    assert highest > GaussianProcess(0.1).fit(p).log_marginal_likelihood
    assert algorithm.noise == pytest.approx(0.15**2, rel=0.5)


@pytest.mark.parametrize(
    ("source", "kernel", "theirs"),
    [
        ("sine(n=60, seed=1)", "rbf(gamma=0.01)", 22.60887),
        ("step", "periodic(period=2)", 0.74013),
        ("sinc", "periodic(period=1)", 95.74479),
        ("sine(n=60, seed=1)", "rbf(gamma=3) + 0.5*linear + periodic(period=2)", 27.57381),
        ("gap", "rbf(gamma=3) + 0.5*linear + periodic(period=2)", 13.08012),
    ],
)
def test_a_start_on_the_wrong_hill_does_not_end_lower_than_scikit_learn(
    source: str, kernel: str, theirs: float
) -> None:
    """theirs: what GaussianProcessRegressor.fit reaches from there."""
    p = Problem(kernelviz.dataset(source), kernelviz.kernel(kernel))
    best, algorithm = finished(climb_likelihood(p, GaussianProcess(0.01)))
    assert algorithm.fit(Problem(p.data, best)).log_marginal_likelihood > theirs * (1.0 - 1e-6)


def test_at_the_maximum_every_slope_is_level() -> None:
    p = posed("2*rbf(l=0.7)", 60)
    kernel, algorithm = finished(climb_likelihood(p, GaussianProcess(0.1)))
    found = likelihood(Pairs(p.X), p.y, kernel, algorithm.noise)
    slopes = [kernel.at(path) * slope for path, slope in found.by_parameter.items()]
    np.testing.assert_allclose([*slopes, algorithm.noise * found.by_noise], 0.0, atol=1e-3)


def test_the_way_uphill_moves_only_what_is_asked_and_every_step_is_higher() -> None:
    p = posed("2*rbf(l=0.7)", 60)
    width = next(
        path for path in likelihood(Pairs(p.X), p.y, p.kernel, 0.1).by_parameter if path[-1] == "gamma"
    )
    found = finished(ascent(p, GaussianProcess(0.1), [width, BY_NOISE]))
    assert tuple(found.places[0]) == (p.kernel.at(width), 0.1)
    for (gamma, noise), height in zip(found.places, found.heights, strict=True):
        model = GaussianProcess(noise).fit(Problem(p.data, p.kernel.having(width, gamma)))
        assert height == pytest.approx(model.log_marginal_likelihood)
    assert (np.diff(found.heights) > 0.0).all()
    gamma, noise = found.places[-1]
    top = likelihood(Pairs(p.X), p.y, p.kernel.having(width, gamma), noise)
    np.testing.assert_allclose([gamma * top.by_parameter[width], noise * top.by_noise], 0.0, atol=1e-3)
    alone = finished(ascent(p, GaussianProcess(0.1), [BY_NOISE]))
    assert alone.places.shape[1] == 1
    assert alone.heights[-1] < found.heights[-1]


def test_what_has_no_slope_stays_where_it_is_on_the_way_uphill() -> None:
    p = posed("polynomial(degree=3)")
    found = finished(ascent(p, GaussianProcess(0.1), [("degree",), BY_NOISE]))
    assert set(found.places[:, 0]) == {3.0}
    assert len(found.heights) > 1


def test_what_cannot_be_a_covariance_is_refused_in_words() -> None:
    with pytest.raises(BadInput, match="positive semi-definite"):
        GaussianProcess(1e-6).fit(posed("sigmoid(gamma=3, c=-2)"))


def test_the_mean_is_kernel_ridge_with_the_variance_of_the_noise_as_lambda() -> None:
    p = posed("rbf(gamma=2) + linear")
    for noise in (1e-4, 0.1, 10.0):
        process, ridge = GaussianProcess(noise).fit(p), Ridge(noise).fit(p)
        np.testing.assert_allclose(process.score(x), ridge.score(x), atol=1e-8)
        np.testing.assert_allclose(process.hat, ridge.hat, atol=1e-12)


def test_noise_can_be_given_as_a_standard_deviation() -> None:
    model = kernelviz.fit(kernelviz.dataset("sine"), algorithm="gaussian-process(sd=0.2)")
    assert model.algorithm.noise == pytest.approx(0.04)


def test_the_band_is_narrow_at_the_points_and_as_wide_as_the_prior_far_away() -> None:
    p = Problem(kernelviz.dataset("gap(noise=0.01)"), kernelviz.kernel("2*rbf(gamma=8)"))
    model = GaussianProcess(1e-4).fit(p)
    at_points, in_the_gap, far = model.deviation(p.X), model.deviation([[0.0]]), model.deviation([[50.0]])
    assert at_points.max() < 0.1 * in_the_gap[0]
    assert far[0] == pytest.approx(np.sqrt(2.0))


# Functions drawn from it ------------------------------------------------------------------------------
@pytest.mark.parametrize("prior", [True, False])
@pytest.mark.parametrize(
    "kernel",
    [
        "rbf(gamma=2)",
        "matern32(l=0.5)",
        "rbf(gamma=0.5)*periodic(period=1)",
        "0.5*rbf(gamma=2) + 0.1*linear",
        "0.02*polynomial(degree=2)*rbf(gamma=0.1)",
    ],
)
def test_drawn_functions_have_the_mean_and_the_covariance_of_the_process(
    kernel: str, prior: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "COSINES_OF_DRAWS", 32)  # mean and covariance are the same for any number
    p = posed(kernel, 12)
    model = GaussianProcess(0.02).fit(p)
    at = np.linspace(-2.5, 2.5, 9)[:, None]
    drawn = model.draws(at, 4000, seed=3, prior=prior)
    K, k = p.kernel(at), p.kernel(at, p.X)
    A = p.gram + 0.02 * np.eye(p.n)
    mean = np.zeros(9) if prior else model.score(at)
    covariance = K if prior else K - k @ np.linalg.solve(A, k.T)
    np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=0.08)
    np.testing.assert_allclose(np.cov(drawn.T), covariance, atol=0.12)


def test_draws_move_smoothly_when_a_point_is_dragged_and_priors_not_at_all() -> None:
    p = posed("rbf(gamma=2)", 20)
    kernel, process = p.kernel, GaussianProcess(0.02)

    def after(distance: float, prior: bool) -> np.ndarray:
        X, y = p.X.copy(), p.y.copy()
        X[4], y[4] = X[4] + distance, y[4] + distance
        return process.fit(Problem(Data.regression(X, y), kernel)).draws(x, 5, prior=prior)

    np.testing.assert_array_equal(after(0.3, True), after(0.0, True))
    here = after(0.0, False)
    # As far as the drag goes, draw and curve go: ten times nearer, ten times less.
    small, tiny = (np.abs(after(d, False) - here).max() for d in (1e-3, 1e-4))
    assert 0 < small < 0.02
    assert tiny == pytest.approx(small / 10, rel=0.3)


@pytest.mark.parametrize("prior", [True, False])
@pytest.mark.parametrize(
    "kernel", ["rbf(gamma=2)", "laplacian", "polynomial(degree=3)", "exponential", "(rbf + linear)*matern52"]
)
def test_draws_are_the_same_functions_however_near_one_looks(kernel: str, prior: bool) -> None:
    model = GaussianProcess(0.02).fit(posed(kernel, 12))
    wide, near, far = (np.linspace(-w, w, 21) for w in (2.0, 0.2, 20.0))
    drawn = {w[-1]: model.draws(w[:, None], 3, prior=prior) for w in (wide, near, far)}
    assert np.ptp(drawn[2.0], axis=1).min() > 0.01
    for closer, wider in ((near, wide), (wide, far)):  # a tenth of the width: two inner places and the middle
        np.testing.assert_allclose(
            drawn[closer[-1]][:, [0, 10, 20]], drawn[wider[-1]][:, [9, 10, 11]], rtol=1e-9, atol=1e-9
        )


def test_without_noise_all_draws_go_through_the_points() -> None:
    p = Problem(Data.regression([[-1.0], [0.0], [1.5]], [0.5, -1.0, 2.0]), kernelviz.kernel("rbf(gamma=1)"))
    drawn = GaussianProcess(1e-10).fit(p).draws(p.X, 20)
    np.testing.assert_allclose(drawn, np.tile(p.y, (20, 1)), atol=1e-3)


def test_only_processes_have_bands_and_draws() -> None:
    model = Ridge().fit(posed("rbf(gamma=2)"))
    assert model.deviation(x) is None
    assert model.draws(x, 3) is None
    assert model.tube is None


@pytest.mark.parametrize(
    "kernel", ["rbf(gamma=1)", "2*matern32(l=0.5)", "rational_quadratic(l=0.7, alpha=0.8)"]
)
def test_who_is_at_the_maximum_stays_there(kernel: str) -> None:
    p, process = posed(kernel), GaussianProcess(NOISE)
    best, found = finished(climb_likelihood(p, process))
    assert (best, found) != (p.kernel, process)
    again = finished(climb_likelihood(Problem(p.data, best), found))
    assert again == (best, found)


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_of_targets_much_larger_than_the_kernel_the_likelihood_is_no_less_than_that_of_noise(
    seed: int,
) -> None:
    data = kernelviz.dataset(f"cubic(n=25, seed={seed})")
    p = Problem(Data.regression(data.X, 100.0 * data.y), kernelviz.kernel("rbf(gamma=100)"))
    kernel, process = finished(climb_likelihood(p, GaussianProcess(1e-4)))
    of_noise = -0.5 * p.n * (np.log(2.0 * np.pi * np.mean(p.y**2)) + 1.0)
    assert likelihood(Pairs(p.X), p.y, kernel, process.noise).value >= of_noise - 0.1


X = np.linspace(-2.0, 2.0, 15)[:, None]


def test_more_functions_leave_the_first_ones_alone_and_another_seed_draws_others() -> None:
    few, more, others = (random_functions(kernelviz.kernel("rbf"), X, *n) for n in ((2, 0), (5, 0), (2, 1)))
    np.testing.assert_array_equal(more[:2], few)
    assert np.abs(others - few).max() > 0.1


def test_functions_of_a_periodic_kernel_repeat_themselves() -> None:
    kernel = kernelviz.kernel("periodic(period=0.7)")
    here, there = (random_functions(kernel, X + shift, 3, 0) for shift in (0.0, 7.0))
    np.testing.assert_allclose(there, here, atol=1e-9)


@pytest.mark.parametrize("text", ["polynomial(degree=10)", "exponential", "polynomial(degree=10)*rbf"])
def test_far_out_they_are_still_numbers(text: str) -> None:
    functions = random_functions(kernelviz.kernel(text), 1e30 * X, 3, 0)
    assert functions is not None
    assert (np.abs(functions) <= LARGEST_VALUE).all()


def test_without_known_features_a_process_draws_what_fits_where_one_looks() -> None:
    kernel = kernelviz.kernel("rbf + 0.01*sigmoid(gamma=0.1, c=1)")
    assert random_functions(kernel, X, 3, 0) is None
    data = kernelviz.Data.regression(X, np.sin(X[:, 0]))
    drawn = kernelviz.fit(data, kernel=kernel, algorithm="gaussian-process(noise=1e-4)").draws(X, 3)
    np.testing.assert_allclose(drawn, np.tile(data.y, (3, 1)), atol=0.1)
