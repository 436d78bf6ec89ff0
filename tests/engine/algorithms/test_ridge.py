from __future__ import annotations

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

import kernelviz
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.dot_products import Linear, Polynomial
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.ridge import GramSpectrum

KERNELS = [Gaussian(gamma=0.5), Polynomial(degree=2, gamma=1.0, c=1.0), Linear()]


def noisy(n: int, seed: int) -> Data:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return Data.labelled(X, np.where((X**2).sum(axis=1) + 0.5 * rng.normal(size=n) > 1.4, "out", "in"))


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("lam", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("seed", range(5))
def test_it_agrees_with_kernel_ridge_of_scikit_learn(kernel: object, lam: float, seed: int) -> None:
    data = noisy(60, seed)
    theirs = KernelRidge(alpha=lam, kernel="precomputed").fit(kernel(data.X), data.z)
    model = Ridge(lam).fit(Problem(data, kernel))
    np.testing.assert_allclose(model.beta, theirs.dual_coef_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(model.training_scores, theirs.predict(kernel(data.X)), rtol=1e-6, atol=1e-8)
    assert model.b == 0.0


def test_real_targets_are_regression() -> None:
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-3, 3, 40))
    y = np.sin(x) + 0.1 * rng.normal(size=40)
    theirs = KernelRidge(alpha=0.1, kernel="rbf", gamma=1.0).fit(x[:, None], y)
    model = Ridge(0.1).fit(Problem(Data.regression(x, y), Gaussian(gamma=1.0)))
    grid = np.linspace(-3, 3, 9)
    np.testing.assert_allclose(model.score(grid), theirs.predict(grid[:, None]), rtol=1e-8)
    assert model.summary()["training_error"] is None


def test_a_chain_of_lambdas_uses_one_eigendecomposition(monkeypatch: pytest.MonkeyPatch) -> None:
    data, kernel = noisy(50, 1), Gaussian()
    model = Ridge(1.0).fit(Problem(data, kernel))
    model = Ridge(0.5).fit(Problem(data, kernel), model)
    monkeypatch.setattr(GramSpectrum, "of", None)
    monkeypatch.setattr(np.linalg, "solve", None)
    for lam in (1e-3, 0.1, 3.0):
        model = Ridge(lam).fit(Problem(data, kernel), model)
        residual = kernel(data.X) @ model.beta + lam * model.beta - data.z
        assert np.abs(residual).max() < 1e-10


def test_other_points_or_another_kernel_start_afresh() -> None:
    data = noisy(50, 1)
    start = Ridge(0.5).fit(Problem(data, Gaussian()), Ridge(1.0).fit(Problem(data, Gaussian())))
    assert start.memory is not None
    for other in (Problem(noisy(50, 2), Gaussian()), Problem(data, Gaussian(gamma=2.0))):
        warm, cold = Ridge(0.1).fit(other, start), Ridge(0.1).fit(other)
        np.testing.assert_array_equal(warm.beta, cold.beta)


def test_flipped_labels_reuse_the_eigenvectors() -> None:
    data, kernel = noisy(50, 1), Gaussian()
    start = Ridge(0.5).fit(Problem(data, kernel), Ridge(1.0).fit(Problem(data, kernel)))
    flipped = Data.labelled(data.X, -data.z)
    np.testing.assert_allclose(Ridge(0.5).fit(Problem(flipped, kernel), start).beta, -start.beta)


def test_a_hopeless_system_is_not_called_solved() -> None:
    X = np.random.default_rng(0).normal(size=(30, 2)) * 1e6
    z = np.where(np.arange(30) % 2, 1, -1)
    model = Ridge(1e-8).fit(Problem(Data.labelled(X, z), Linear()))
    residual = model.problem.gram @ model.beta + 1e-8 * model.beta - z
    assert (np.abs(residual).max() < 1e-6) == (model.status is Status.CONVERGED)
    assert model.converged or "larger λ" in model.message


def test_the_objective_is_the_penalised_sum_of_squares() -> None:
    model = Ridge(0.3).fit(Problem(noisy(40, 0), Gaussian()))
    K, z, beta = model.problem.gram, model.problem.z, model.beta
    by_hand = ((z - K @ beta) ** 2).sum() + 0.3 * beta @ K @ beta
    assert model.summary()["primal_objective"] == pytest.approx(by_hand)


@pytest.mark.parametrize("scale", [1.0, 10.0, 30.0, 100.0])
def test_solved_means_that_the_scores_anybody_computes_solve_the_system(scale: float) -> None:
    data = noisy(90, 1)
    model = Ridge(0.1).fit(Problem(Data.labelled(scale * data.X, data.z), Polynomial(degree=3)))
    off = np.abs(data.z - model.score(scale * data.X) - 0.1 * model.beta).max()
    assert off < 1e-3 or not model.converged
    assert model.converged or scale > 1.0


# Powers of two, by which floating point numbers are multiplied exactly: also where K has no digits to spare.
@pytest.mark.parametrize("unit", [2.0**-20, 2.0**20])
def test_the_unit_of_the_targets_does_not_matter(unit: float) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    for kernel, lam in ((Gaussian(), 0.1), (Polynomial(degree=8, c=1e4), 1e-8)):
        one, other = (Ridge(lam).fit(Problem(Data.regression(X, y * u), kernel)) for u in (1.0, unit))
        assert other.status is one.status
        np.testing.assert_allclose(
            other.training_scores, unit * one.training_scores, rtol=1e-3, atol=1e-3 * unit
        )


class TestZeroAndOne:
    """The first lecture's example: classes 0 and 1 as they are, a Gaussian with gamma = 1, lambda = 0.1."""

    def example(self) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(82)
        X = np.c_[rng.integers(18, 60, 80), rng.poisson(3.0, 80)].astype(float)
        return X, (rng.uniform(size=80) < 1.0 / (1.0 + np.exp(0.1 * X[:, 0] - X[:, 1]))).astype(int)

    def test_weights_and_fits_are_those_of_the_closed_form(self) -> None:
        X, t = self.example()
        d2 = ((X[:, None] - X[None]) ** 2).sum(axis=2)
        K = np.exp(-d2)
        weights = np.linalg.solve(K + 0.1 * np.eye(len(t)), t)
        model = kernelviz.fit(X, t, "rbf(gamma=1)", "ridge(lam=0.1, targets=zero-one)")
        np.testing.assert_allclose(model.beta, weights, atol=1e-10)
        np.testing.assert_allclose(model.training_scores + 0.5, K @ weights, atol=1e-10)
        new = X + 0.3
        d2 = ((new[:, None] - X[None]) ** 2).sum(axis=2)
        np.testing.assert_allclose(model.score(new) - model.b, np.exp(-d2) @ weights, atol=1e-10)

    def test_the_class_is_one_where_the_fit_exceeds_a_half(self) -> None:
        X, t = self.example()
        model = kernelviz.fit(X, t, "rbf(gamma=1)", "ridge(lam=0.1, targets=zero-one)")
        assert model.b == -0.5
        fits = model.training_scores + 0.5
        np.testing.assert_array_equal(model.predict(X), (fits > 0.5).astype(int))
        assert model.summary()["training_error"] == np.mean((fits > 0.5) != t)
        assert "0 and 1" in model.message

    def test_another_lambda_from_a_warm_start_keeps_the_targets(self) -> None:
        X, t = self.example()
        model = None
        for lam in (0.1, 1.0, 10.0):
            model = kernelviz.fit(X, t, "rbf(gamma=1)", f"ridge(lam={lam}, targets=zero-one)", start=model)
            K = model.problem.gram
            np.testing.assert_allclose(K @ model.beta + lam * model.beta, t, atol=1e-10)

    def test_real_targets_are_left_as_they_are(self) -> None:
        x = np.linspace(0.0, 3.0, 20)
        plain, asked = (
            Ridge(0.1, targets).fit(Problem(Data.regression(x, x**2), Gaussian()))
            for targets in ("signs", "zero-one")
        )
        np.testing.assert_array_equal(plain.beta, asked.beta)
        assert asked.b == 0.0


@pytest.mark.parametrize(
    ("seed", "kernel", "lam"),
    [
        (37, "polynomial(degree=6)", 0.00862),
        (187, "polynomial(degree=6)", 0.00799),
        (393, "exponential(gamma=0.1)", 0.00722),
    ],
)
def test_an_earlier_fit_costs_no_digit_of_the_solution(seed: int, kernel: str, lam: float) -> None:
    """The eigenvectors that it leaves may have none of the small eigenvalues."""
    rng = np.random.default_rng(440000 + seed)
    n, p = int(rng.choice([10, 30, 60])), int(rng.choice([1, 2, 5]))
    X = rng.normal(size=(n, p))
    X[0] *= rng.choice([1, 3, 10])
    z = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    z[:2] = 1, -1
    cold = kernelviz.fit(X, z, kernel, f"ridge(lam={lam})")
    z[2] = -z[2]
    start = kernelviz.fit(X, z, kernel, f"ridge(lam={lam})")
    z[2] = -z[2]
    warm = kernelviz.fit(X, z, kernel, f"ridge(lam={lam})", start=start)
    assert cold.converged
    assert warm.converged
    np.testing.assert_allclose(warm.training_scores, cold.training_scores, rtol=0, atol=1e-5)


def test_an_interpolation_that_misses_its_targets_is_not_called_exact() -> None:
    X, y = np.array([[1.0], [2.0], [3.0]]), np.array([1.0, 2.0, 3.0 + 1e-5])
    model = kernelviz.fit(X, y, "linear", "ridge(lam=0)", task="regression")
    assert np.abs(y - X @ (X.T @ model.beta)).max() > 1e-6
    assert not model.converged


def degrees_of_freedom_in_long_double(K: np.ndarray, lam: float) -> float:
    A = K.astype(np.longdouble) + lam * np.eye(len(K))
    for k in range(len(A)):  # the Cholesky factor, in place
        A[k, k] = np.sqrt(A[k, k])
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k + 1 :, k])
    inverse = np.eye(len(A), dtype=np.longdouble)
    for k in range(len(A)):
        inverse[k] = (inverse[k] - A[k, :k] @ inverse[:k]) / A[k, k]
    return float(len(A) - lam * np.square(inverse).sum())


@pytest.mark.parametrize(
    ("kernel", "lam"),
    [("polynomial(degree=2, gamma=1e-3)", 1e-3), ("rbf(gamma=1e-6)", 1e-6), ("polynomial(degree=2)", 100)],
)
def test_degrees_of_freedom_are_known_to_six_digits_or_not_shown(kernel: str, lam: float) -> None:
    rng = np.random.default_rng(0)
    X = np.array([50.0, 26.0, 95.0, 190.0, 115.0]) + np.array([13, 4, 14, 35, 30]) * rng.normal(size=(120, 5))
    y = 150.0 + 77.0 * rng.normal(size=120)
    model = kernelviz.fit(X, y, kernel, f"ridge(lam={lam})", task="regression")
    shown = model.summary()["degrees_of_freedom"]
    if model.converged:
        true = degrees_of_freedom_in_long_double(model.problem.gram, lam)
        assert shown == pytest.approx(true, rel=1e-6)
    else:
        assert shown is None


def test_degrees_of_freedom_are_not_shown_of_a_fit_that_has_no_digits() -> None:
    X = 1e3 * np.random.default_rng(1).normal(size=(40, 3))
    model = kernelviz.fit(X, X[:, 0], "polynomial(degree=5)", "ridge(lam=1e-3)", task="regression")
    assert not model.converged
    assert model.summary()["degrees_of_freedom"] is None


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])
def test_a_curve_through_every_point_costs_nothing(unit):
    X, y = np.arange(6.0)[:, None], unit * np.array([0.5, -1.0, 1.0, 0.0, 1.2, -0.4])
    for gamma in (100.0, 2.0, 0.2):
        model = kernelviz.fit(X, y, f"rbf(gamma={gamma})", "ridge(lam=0)", task="regression")
        assert model.summary()["primal_objective"] == 0
        assert model.message == "Solved exactly: one linear system."
