"""Residuals, leverages, what each point does to the fit, and the numbers of real targets."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge as LinearRidge
from sklearn.metrics import r2_score
from sklearn.neighbors import KNeighborsRegressor

import kernelviz
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.losses import ABSOLUTE_ERROR, SQUARED_ERROR, epsilon_insensitive, huber
from kernelviz.engine.fits.held_out import fresh
from kernelviz.engine.numbers.of_fit import on_held_out, residual_table

LINEAR_IN_Y = [
    "ridge(lam=0.1)",
    "ridge(lam=1e-4)",
    "gaussian-process(noise=0.02)",
    "nadaraya-watson",
    "feature-map(features=monomials, degree=5, model=ridge)",
]
DATA = kernelviz.dataset("sine(n=25)")
x = np.linspace(-2, 2, 40)[:, None]


def fitted(algorithm: str, data: Data = DATA):
    return kernelviz.fit(data, kernel="rbf(gamma=3)", algorithm=algorithm)


@pytest.mark.parametrize("algorithm", LINEAR_IN_Y)
def test_leaving_one_out_in_closed_form_is_leaving_it_out(algorithm: str) -> None:
    model = fitted(algorithm)
    table = residual_table(model)
    for i in range(DATA.n):
        without = fitted(algorithm, DATA.subset(np.arange(DATA.n) != i))
        assert table.left_out[i] == pytest.approx(DATA.y[i] - without.score(DATA.X[i : i + 1])[0], abs=1e-6)
        moved = np.sqrt(np.mean((without.score(DATA.X) - model.training_scores) ** 2))
        if algorithm != "nadaraya-watson":
            assert table.influence[i] == pytest.approx(moved, abs=1e-6)


def left_out_in_long_double(K: Array, lam: float, y: Array) -> Array:
    """β_i / (A⁻¹)_ii with A = K + lam I inverted by Gauss and Jordan."""
    n = len(K)
    A = np.hstack([K.astype(np.longdouble) + np.longdouble(lam) * np.eye(n), np.eye(n)])
    for i in range(n):
        A[i] /= A[i, i]
        others = np.arange(n) != i
        A[others] -= np.outer(A[others, i], A[i])
    inverse = A[:, n:]
    return np.asarray(inverse @ y / inverse.diagonal(), dtype=np.float64)


@pytest.mark.parametrize("kernel", ["matern32", "laplacian", "1000*rbf(gamma=100)"])
@pytest.mark.parametrize(
    ("algorithm", "lam"),
    [
        ("gaussian-process(noise=1e-10)", 1e-10),
        ("gaussian-process(noise=1e-9)", 1e-9),
        ("ridge(lam=1e-8)", 1e-8),
    ],
)
def test_leaving_one_out_keeps_its_digits_where_the_fit_all_but_interpolates(
    algorithm: str, lam: float, kernel: str
) -> None:
    model = kernelviz.fit(DATA, kernel=kernel, algorithm=algorithm)
    wanted = left_out_in_long_double(model.problem.gram, lam, DATA.y)
    assert residual_table(model).left_out == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("algorithm", LINEAR_IN_Y)
def test_the_hat_matrix_gives_the_fit_of_any_targets(algorithm: str) -> None:
    H = fitted(algorithm).hat
    y = np.random.default_rng(1).normal(size=DATA.n)
    np.testing.assert_allclose(
        H @ y, fitted(algorithm, Data.regression(DATA.X, y)).training_scores, atol=1e-8
    )


def test_degrees_of_freedom_go_from_n_to_none_as_lambda_grows() -> None:
    found = [fitted(f"ridge(lam={lam})").summary()["degrees_of_freedom"] for lam in (1e-8, 0.1, 1.0, 1e8)]
    assert found == sorted(found, reverse=True)
    assert found[0] > 15
    assert found[-1] < 1e-6
    H = residual_table(fitted("ridge(lam=0.1)"))
    assert H.degrees_of_freedom == pytest.approx(H.leverage.sum())


def test_of_very_many_points_nobody_waits_for_the_hat_matrix() -> None:
    assert fitted("ridge", kernelviz.dataset("sine(n=1200)")).hat is None


def test_a_fit_that_is_not_linear_in_y_has_residuals_alone() -> None:
    table = residual_table(fitted("svr(C=1, epsilon=0.1)"))
    assert table.leverage is None
    assert table.left_out is None
    np.testing.assert_array_equal(table.residual, DATA.y - fitted("svr(C=1, epsilon=0.1)").training_scores)
    assert residual_table(kernelviz.fit(kernelviz.dataset("rings"))) is None


def test_ridge_is_scikit_learns_and_so_are_neighbours() -> None:
    ridge = KernelRidge(alpha=0.1, kernel="rbf", gamma=3.0).fit(DATA.X, DATA.y)
    np.testing.assert_allclose(fitted("ridge(lam=0.1)").score(x), ridge.predict(x), atol=1e-9)
    for k in (1, 4, 25):
        theirs = KNeighborsRegressor(k).fit(DATA.X, DATA.y)
        np.testing.assert_allclose(fitted(f"nearest-neighbours(k={k})").score(x), theirs.predict(x))


@pytest.mark.parametrize("algorithm", ["feature-map(features=monomials, degree=7", "random-features(q=40"])
def test_a_linear_model_on_features_is_scikit_learns_ridge_on_them(algorithm: str) -> None:
    model = fitted(f"{algorithm}, model=ridge, lam=0.01)")
    theirs = LinearRidge(alpha=0.01, solver="svd").fit(model.features(DATA.X), DATA.y)
    np.testing.assert_allclose(model.score(x), theirs.predict(model.features(x)), atol=1e-6)


def test_the_summary_has_the_numbers_of_the_residuals() -> None:
    model = fitted("svr(C=1, epsilon=0.2)")
    found, r = model.summary(), DATA.y - model.score(DATA.X)
    assert found["mean_squared_error"] == pytest.approx((r**2).mean())
    assert found["mean_absolute_error"] == pytest.approx(np.abs(r).mean())
    assert found["epsilon_loss"] == found["loss"] == pytest.approx(np.maximum(0, np.abs(r) - 0.2).mean())
    assert found["r2"] == pytest.approx(r2_score(DATA.y, model.score(DATA.X)))
    assert found["log_marginal_likelihood"] is None
    assert fitted("ridge").summary()["epsilon_loss"] is None
    held = fresh("sine(n=25)", 200).data
    test = on_held_out(model, held).summary()["test_mean_squared_error"]
    assert test == pytest.approx(((held.y - model.score(held.X)) ** 2).mean())


def test_classes_have_no_numbers_of_residuals() -> None:
    assert "r2" not in kernelviz.fit(kernelviz.dataset("rings")).summary()


def test_of_targets_that_are_all_alike_no_variance_is_explained() -> None:
    assert fitted("ridge", Data.regression(DATA.X, np.full(25, 2.0))).summary()["r2"] is None


@pytest.mark.parametrize(
    "algorithm",
    [
        "ridge(lam=0.3)",
        "svr(C=2, epsilon=0.1)",
        "nu-svr(C=2, nu=0.4)",
        "gaussian-process",
        "random-features(model=ridge)",
    ],
)
def test_fit_and_complexity_add_up_to_what_is_minimised(algorithm: str) -> None:
    model = fitted(algorithm)
    fit, complexity = model.algorithm.fit_and_complexity(model)
    assert fit + complexity == pytest.approx(model.numbers["primal_objective"], rel=1e-6)
    assert min(fit, complexity) > 0


def test_losses_of_the_residual() -> None:
    r = np.array([-2.0, -0.5, 0.0, 0.1, 3.0])
    np.testing.assert_allclose(SQUARED_ERROR.of(r), r**2)
    np.testing.assert_allclose(ABSOLUTE_ERROR.of(r), np.abs(r))
    np.testing.assert_allclose(epsilon_insensitive(0.5).of(r), [1.5, 0, 0, 0, 2.5])
    np.testing.assert_allclose(huber(1.0).of(r), [3.0, 0.25, 0.0, 0.01, 5.0])
    assert all(loss.of_residual for loss in (SQUARED_ERROR, ABSOLUTE_ERROR, huber()))
