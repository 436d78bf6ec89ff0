"""The one-class SVM in LIBSVM's convention."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import OneClassSVM as Peer

from kernelviz.engine.algorithms.nu_svm import OneClassSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.dot_products import Exponential, Linear, Polynomial
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.problem import Problem
from tests.engine.solvers.svm_problems import KERNELS, clouds, weights_of


def fit(data: Data, kernel, start=None, **parameters):
    return OneClassSVM(**parameters).fit(Problem(data, kernel), start)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("nu", [0.07, 0.33, 0.83])
@pytest.mark.parametrize("seed", range(3))
def test_scores_and_weights_agree_with_libsvm(name, nu, seed):
    data, (kernel, other) = clouds(seed, 61), KERNELS[name]  # nu n is no whole number: some point is free
    model = fit(data, kernel, nu=nu, tol=1e-8)
    peer = Peer(nu=nu, tol=1e-6, **other).fit(data.X)
    scale = max(1.0, np.abs(model.training_scores).max())
    np.testing.assert_allclose(model.score(data.X), peer.decision_function(data.X), atol=1e-3 * scale)
    assert model.alpha.sum() == pytest.approx(peer.dual_coef_.sum())
    if name in ("wide", "narrow"):
        theirs = weights_of(peer, data.n)
        np.testing.assert_allclose(model.alpha, theirs, atol=1e-4)


def test_unlabelled_data_and_a_single_class_will_do():
    X = np.random.default_rng(0).normal(size=(40, 2))
    alone = fit(Data.unlabelled(X), Gaussian(gamma=1.0), nu=0.2)
    one = fit(Data.labelled(X, ["a"] * 40), Gaussian(gamma=1.0), nu=0.2)
    many = fit(Data.labelled(X, np.arange(40) % 3), Gaussian(gamma=1.0), nu=0.2)
    assert alone.converged
    for other in (one, many):
        np.testing.assert_array_equal(alone.beta, other.beta)


@pytest.mark.parametrize("nu", [0.05, 0.2, 0.5])
def test_nu_bounds_what_is_outside_and_the_support_vectors(nu):
    model = fit(clouds(1, 200), Gaussian(gamma=1.0), nu=nu)
    assert (model.training_scores < -1e-3).mean() <= nu
    assert len(model.support) / 200 >= nu - 1e-9


def test_the_duality_gap_closes():
    primal, dual = fit(clouds(1, 90), Gaussian(gamma=1.0), nu=0.3, tol=1e-9).objectives
    assert primal == pytest.approx(dual, rel=1e-6)


@pytest.mark.parametrize("nu", [1e-4, 1.0])
def test_extreme_nu_converges(nu):
    for n in (1, 2, 30):
        model = fit(Data.unlabelled(np.random.default_rng(0).normal(size=(n, 2))), Gaussian(gamma=1.0), nu=nu)
        assert model.converged, (n, model.message)
        assert model.alpha.sum() == pytest.approx(nu * n)


def test_warm_starts_give_the_cold_solution():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 2))
    model = fit(Data.unlabelled(X), Gaussian(gamma=1.0), nu=0.3, tol=1e-8)
    for nu, n in ((0.3, 80), (0.35, 80), (0.35, 81), (0.2, 79)):
        X = rng.normal(size=(81, 2))[:n] * 0.05 + np.resize(X, (n, 2))
        data = Data.unlabelled(X)
        model = fit(data, Gaussian(gamma=1.0), model, nu=nu, tol=1e-8)
        cold = fit(data, Gaussian(gamma=1.0), nu=nu, tol=1e-8)
        np.testing.assert_allclose(model.beta, cold.beta, atol=1e-5)


def test_the_watched_run_ends_at_the_solution():
    problem = Problem(clouds(2, 50), Gaussian(gamma=1.0))
    *_, last = OneClassSVM(nu=0.3).steps(problem)
    solved = OneClassSVM(nu=0.3).fit(problem)
    np.testing.assert_allclose(last.model.training_scores, solved.training_scores, atol=2e-3)


@pytest.mark.parametrize("nu", [0.07, 0.33, 1.0])
def test_every_frame_of_the_watched_run_keeps_the_constraints(nu):
    for frame in OneClassSVM(nu=nu).steps(Problem(clouds(2, 50), Gaussian(gamma=1.0))):
        alpha = frame.model.beta
        assert alpha.min() >= 0
        assert alpha.max() <= 1
        assert alpha.sum() == pytest.approx(nu * 50)


def test_the_watched_run_starts_at_the_loneliest_points():
    X = np.vstack([0.1 * np.random.default_rng(0).normal(size=(18, 2)), [[5.0, 5.0], [-5.0, 5.0]]])
    first = next(OneClassSVM(nu=0.125).steps(Problem(Data.unlabelled(X), Gaussian(gamma=1.0)))).model
    assert first.beta[18:].tolist() == [1.0, 1.0]
    assert first.beta[:18].max() == 0.5


def violation(model, K):
    """Return the largest KKT violation at the weights of a model, by another K."""
    h = K @ model.beta
    return float(h[model.beta > 0].max() - h[model.beta < 1].min()), float(h[model.beta > 0].max())


@pytest.mark.parametrize("kernel", [Exponential(gamma=1.0), Polynomial(degree=5)])
@pytest.mark.parametrize("seed", [1, 3, 13, 20, 26, 37])
def test_a_kernel_value_far_above_the_scores_does_not_widen_the_tolerance(kernel, seed):
    X = 2.0 * np.random.default_rng(seed).normal(size=(20, 2))
    model = fit(Data.unlabelled(X), kernel, nu=0.227)
    gap, size = violation(model, model.problem.gram.astype(np.longdouble))
    assert not model.converged or gap <= 1.1e-3 * size
    assert model.converged or "Stopped at the limit: values of the kernel so large" in model.message


def test_a_violation_that_is_small_only_next_to_the_largest_kernel_value_is_solved_for():
    """One point far away has a K(x, x) of e^25, the others have scores of about 1."""
    X = np.vstack([0.3 * np.random.default_rng(0).normal(size=(30, 2)), [[5.0, 0.0]]])
    model = fit(Data.unlabelled(X), Exponential(gamma=1.0), nu=0.3)
    gap, size = violation(model, model.problem.gram)
    assert model.converged
    assert gap <= 1.1e-3 * size


def test_a_point_at_the_origin_is_the_solution_of_a_linear_kernel():
    model = fit(Data.unlabelled([[0.0, 0.0], [1.0, 1.0]]), Linear(), nu=0.3)
    assert model.converged
    np.testing.assert_array_equal(model.beta, [0.6, 0.0])


@pytest.mark.parametrize("tol", [1e-3, 1e-8, 1e-10])
def test_where_the_origin_is_among_the_points_the_message_says_that_they_cancel(tol):
    angles = 2 * np.pi * np.arange(40) / 40
    model = fit(Data.unlabelled(np.c_[np.cos(angles), np.sin(angles)]), Linear(), nu=0.5, tol=tol)
    assert model.converged
    assert model.objectives == (None, None)
    assert "the points cancel each other" in model.message
    assert "price of slack" not in model.message
