"""The identities of the lecture notes, each as a test that says what it shows."""

from __future__ import annotations

from itertools import product
from math import comb, factorial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as LinearRidge

import kernelviz
from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.hard_margin import HardMarginSVM
from kernelviz.engine.algorithms.logistic import Logistic
from kernelviz.engine.algorithms.neighbours import NearestNeighbours, Prototype
from kernelviz.engine.algorithms.on_features import RandomFeatures
from kernelviz.engine.algorithms.perceptron import OnlinePerceptron, Perceptron
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.algorithms.sgd import HingeSGD
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM, SquaredSlackSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.dot_products import Linear, Polynomial
from kernelviz.engine.kernels.features import FeatureMap
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.bounds import mistake_bound

SEEDS = range(4)


def problem(kernel: Kernel, seed: int = 0, n: int = 40, gap: float = 1.0) -> Problem:
    """Two clouds `gap` apart from the line x1 + x2 = 0.5, overlapping when it is negative."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    side = X.sum(axis=1) - 0.5
    z = np.where(side > 0, 1, -1)
    if gap < 0:
        z = np.where(side + abs(gap) * rng.normal(size=n) > 0, 1, -1)
    else:
        X = X + 0.5 * gap * z[:, None]
    return Problem(Data.labelled(X, z), kernel)


def features_of(p: Problem) -> FeatureMap:
    found = p.kernel.feature_map(p.X.shape[1])
    assert found is not None
    return found


@pytest.mark.parametrize(("p", "degree"), [(1, 3), (2, 3), (3, 2), (4, 2)])
def test_a_power_series_counts_every_ordered_product_of_the_inputs_once(p: int, degree: int) -> None:
    X = np.random.default_rng(p).normal(size=(12, p))
    ordered = [chosen for d in range(degree + 1) for chosen in product(range(p), repeat=d)]
    assert len(ordered) == sum(p**d for d in range(degree + 1))
    Phi = np.column_stack([X[:, list(chosen)].prod(axis=1) for chosen in ordered])
    K = kernelviz.kernel(f"power_series(degree={degree})")(X)
    np.testing.assert_allclose(Phi @ Phi.T, K, rtol=1e-10)


@pytest.mark.parametrize("degree", [2, 3])
def test_the_features_of_one_degree_grow_as_a_power_of_the_number_of_inputs(degree: int) -> None:
    """p^d/d! for many inputs, and not d^p."""

    def count(p: int) -> int:
        found = kernelviz.kernel(f"homogeneous(degree={degree})").feature_map(p)
        return found.q

    assert [count(p) for p in (1, 2, 3)] == [comb(p + degree - 1, degree) for p in (1, 2, 3)]
    assert count(40) / (40**degree / factorial(degree)) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("f", ["gaussian", "norm", "inverse-norm", "sum"])
def test_weighting_a_kernel_multiplies_its_features_by_the_weight(f: str) -> None:
    """f(x) K(x, x') f(x') has the features f(x) phi(x)."""
    X = np.random.default_rng(1).normal(size=(12, 2))
    inner = kernelviz.kernel("polynomial(degree=2)").feature_map(2)
    weight = kernelviz.kernel(f"weight(f={f}, gamma=0.7)")
    both = (weight * kernelviz.kernel("polynomial(degree=2)")).feature_map(2)
    # K(x, x') = f(x) f(x') gives f up to its sign, which no inner product knows.
    size = np.sqrt(weight.diagonal(X))[:, None]
    np.testing.assert_allclose(np.abs(both(X)), np.abs(size * inner(X)), rtol=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=2, c=1.0)], ids=str)
def test_the_dual_perceptron_makes_the_mistakes_of_the_primal_one(kernel: Kernel, seed: int) -> None:
    p = problem(kernel, seed)
    phi = features_of(p)
    Phi, z = phi(p.X), p.z
    w, b, R2 = np.zeros(phi.q), 0.0, float((Phi**2).sum(axis=1).max())
    mistakes = []
    clean = False
    while not clean:
        clean = True
        for i in range(p.n):
            if z[i] * (Phi[i] @ w + b) <= 0:
                w, b, clean = w + z[i] * Phi[i], b + z[i] * R2, False
                mistakes.append(i)
    dual = list(Perceptron(sweeps=1000).steps(p))
    assert [i.change.points[0] for i in dual if i.change and i.change.kind == "mistake"] == mistakes
    model = dual[-1].model
    np.testing.assert_allclose(model.score(p.X), Phi @ w + b, rtol=1e-9)
    np.testing.assert_allclose(model.alpha, np.bincount(mistakes, minlength=p.n))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(gamma=1.0), Polynomial(degree=3, c=1.0)], ids=str)
def test_mistakes_never_exceed_the_bound(kernel: Kernel, seed: int) -> None:
    p = problem(kernel, seed)
    bound = mistake_bound(p.gram, p.z)
    model = OnlinePerceptron(passes=10_000).fit(p)
    if bound is None:
        assert not model.converged
    else:
        assert model.converged
        assert model.iterations <= bound


@pytest.mark.parametrize("seed", SEEDS)
def test_the_perceptron_converges_exactly_where_a_hard_margin_exists(seed: int) -> None:
    for gap in (1.0, -1.0):
        p = problem(Linear(), seed, gap=gap)
        assert Perceptron(sweeps=1000).fit(p).converged == HardMarginSVM().fit(p).converged == (gap > 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_prototype_in_feature_space_is_the_nearest_mean_of_the_explicit_features(seed: int) -> None:
    p = problem(Polynomial(degree=2, c=1.0), seed, gap=-1.0)
    phi = features_of(p)
    Phi = phi(p.X)
    plus, minus = Phi[p.z > 0].mean(axis=0), Phi[p.z < 0].mean(axis=0)
    new = np.random.default_rng(seed + 50).normal(size=(30, 2))
    nearer = ((phi(new) - minus) ** 2).sum(axis=1) - ((phi(new) - plus) ** 2).sum(axis=1)
    np.testing.assert_allclose(Prototype().fit(p).score(new), 0.5 * nearer, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("lam", [1e-3, 0.1, 10.0])
def test_linear_kernel_ridge_is_ridge(lam: float) -> None:
    p = problem(Linear(), gap=-1.0)
    theirs = LinearRidge(alpha=lam, fit_intercept=False).fit(p.X, p.z)
    np.testing.assert_allclose(Ridge(lam).fit(p).score(p.X), theirs.predict(p.X), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("lam", [1e-3, 0.1])
def test_ridge_on_the_mean_of_the_squares_has_n_times_the_lambda_of_the_sum(lam: float) -> None:
    """(K + n lam I)^-1 z minimises |z - K beta|^2/n + lam beta'K beta, as (K + lam I)^-1 z does the sum."""
    p = problem(Gaussian(gamma=1.0), gap=-1.0)
    K, z, n = p.gram, p.z, p.n
    beta = Ridge(n * lam).fit(p).beta
    slope = K @ (K @ beta - z) / n + lam * K @ beta
    np.testing.assert_allclose(slope, 0.0, atol=1e-12)
    other = Ridge(lam).fit(p).beta
    assert np.abs(K @ (K @ other - z) / n + lam * K @ other).max() > 1e-4 * lam


@pytest.mark.parametrize("machine", [HardMarginSVM(tol=1e-8), SquaredSlackSVM(lam=0.3, tol=1e-8)], ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_points_that_are_no_support_vectors_can_go_and_nothing_moves(machine: Algorithm, seed: int) -> None:
    p = problem(Gaussian(gamma=0.3), seed)
    model = machine.fit(p)
    assert 0 < len(model.support) < p.n
    left = machine.fit(Problem(p.data.subset(model.support), p.kernel))
    np.testing.assert_allclose(left.score(p.X), model.training_scores, atol=1e-5)


def test_only_at_the_hard_margin_optimum_is_the_squared_norm_the_sum_of_alpha() -> None:
    frames = list(HardMarginSVM(tol=1e-8).steps(problem(Linear())))
    off = [abs(f.model.squared_norm / f.model.alpha.sum() - 1) for f in frames if f.model.alpha.any()]
    assert off[-1] < 1e-6
    assert max(off) > 0.01


@pytest.mark.parametrize("C", [0.1, 3.0])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(gamma=1.0)], ids=str)
def test_the_soft_margin_minimises_mean_hinge_loss_plus_lambda_times_the_squared_norm(
    kernel: Kernel, C: float
) -> None:
    """With lambda = 1/(2nC): its primal objective divided by nC, and nothing around it is lower."""
    p = problem(kernel, gap=-1.0)
    model = SoftMarginSVM(C=C, tol=1e-9).fit(p)
    K, z, lam = p.gram, p.z, 1 / (2 * p.n * C)

    def objective(beta: np.ndarray, b: float) -> float:
        return float(np.maximum(0, 1 - z * (K @ beta + b)).mean() + lam * beta @ K @ beta)

    least = objective(model.beta, model.b)
    assert least == pytest.approx(model.numbers["primal_objective"] / (p.n * C), rel=1e-6)
    rng = np.random.default_rng(0)
    for size in (1e-4, 1e-2, 1.0):
        for _ in range(30):
            step = size * rng.normal(size=p.n + 1)
            assert objective(model.beta + step[1:], model.b + step[0]) > least - 1e-9


@pytest.mark.parametrize("lam", [1e-2, 0.1, 10.0])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=3, c=1.0)], ids=str)
def test_kernel_logistic_regression_is_logistic_regression_on_the_features(
    kernel: Kernel, lam: float
) -> None:
    p = problem(kernel, gap=-1.0)
    phi = features_of(p)
    # scikit-learn penalises every feature, so the constant one is left to the intercept of both.
    theirs = LogisticRegression(C=1 / lam, solver="newton-cholesky", tol=1e-12, max_iter=500)
    theirs.fit(phi(p.X), p.z)
    np.testing.assert_allclose(Logistic(lam).fit(p).score(p.X), theirs.decision_function(phi(p.X)), atol=1e-5)


def test_logistic_alphas_are_the_probabilities_of_being_wrong() -> None:
    p = problem(Gaussian(gamma=1.0), gap=-1.0)
    model = Logistic(lam=0.5).fit(p)
    wrong = 1 / (1 + np.exp(p.z * model.training_scores))
    np.testing.assert_allclose(0.5 * model.alpha, wrong, atol=1e-9)
    np.testing.assert_allclose(model.beta, model.alpha * p.z)


@pytest.mark.parametrize("lam", [1e-3, 1e-2, 0.1])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(gamma=1.0)], ids=str)
def test_subgradient_steps_approach_the_objective_of_the_soft_margin(kernel: Kernel, lam: float) -> None:
    p = problem(kernel, n=60, gap=-1.0)
    machine = SoftMarginSVM(C=1 / (2 * p.n * lam), tol=1e-8).fit(p)
    least = 2 * lam * machine.numbers["primal_objective"]
    excess = [HingeSGD(lam=lam, epochs=e).fit(p).numbers["primal_objective"] - least for e in (5, 2000)]
    assert excess[0] > excess[1] > -1e-9
    assert excess[1] < 0.01 * least


def test_the_lower_bound_of_the_subgradient_method_is_one() -> None:
    for seed in SEEDS:
        p = problem(Gaussian(gamma=1.0), seed, gap=-1.0)
        machine = SoftMarginSVM(C=1 / (2 * p.n * 0.01), tol=1e-8).fit(p)
        for epochs in (1, 10, 100):
            model = HingeSGD(lam=0.01, epochs=epochs, seed=seed).fit(p)
            assert model.numbers["dual_objective"] <= 2 * 0.01 * machine.numbers["primal_objective"] + 1e-9


@pytest.mark.parametrize("model", ["logistic", "ridge"])
def test_more_random_features_come_nearer_to_the_kernel_as_one_over_the_root_of_q(model: str) -> None:
    p = problem(Gaussian(gamma=0.5), gap=-1.0)
    lam = 1.0
    exact = Logistic(lam).fit(p) if model == "logistic" else None
    target = exact.training_scores if exact else _centred_ridge(p, lam)

    def error(q: int) -> float:
        fits = [RandomFeatures(q=q, model=model, lam=lam, seed=s).fit(p).training_scores for s in range(20)]
        return float(np.sqrt(np.mean((np.array(fits) - target) ** 2)))

    assert 2.0 < error(30) / error(480) < 8.0  # the root of 16 is 4


def _centred_ridge(p: Problem, lam: float) -> np.ndarray:
    """Kernel ridge with an unpenalised offset, from its own normal equations."""
    n = p.n
    A = np.block([[p.gram + lam * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    solution = np.linalg.solve(A, np.append(p.z, 0.0))
    return p.gram @ solution[:n] + solution[n]


def test_neighbours_under_a_radial_kernel_are_neighbours_in_the_plane() -> None:
    data = problem(Linear(), gap=-1.0).data
    new = np.random.default_rng(9).normal(size=(200, 2)) * 4
    plain = NearestNeighbours(k=7).fit(Problem(data, Linear())).score(new)
    for expression in ("rbf(gamma=30)", "matern32", "rational_quadratic"):
        kernel = kernelviz.kernel(expression)
        np.testing.assert_array_equal(NearestNeighbours(k=7).fit(Problem(data, kernel)).score(new), plain)
