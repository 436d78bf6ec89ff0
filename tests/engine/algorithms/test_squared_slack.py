"""The SVM with squared slack: the identities of the lecture."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.algorithms.soft_margin import SquaredSlackSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.kernels.dot_products import Sigmoid
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.problem import Problem
from tests.engine.solvers.svm_problems import KERNELS, clouds, ring, weights_of

CASES = [(name, lam) for name in KERNELS for lam in (1e-3, 0.1, 10.0)]


def fitted(name: str, lam: float, tol: float = 1e-9):
    return SquaredSlackSVM(lam=lam, tol=tol).fit(Problem(clouds(4, 90), KERNELS[name][0]))


@pytest.mark.parametrize(("name", "lam"), CASES)
class TestIdentities:
    def test_the_slack_is_lambda_times_alpha(self, name, lam):
        model = fitted(name, lam)
        slack = np.maximum(0.0, 1.0 - model.problem.z * model.score(model.problem.X))
        np.testing.assert_allclose(slack, lam * model.alpha, atol=1e-6)

    def test_the_norm_follows_from_the_weights(self, name, lam):
        model = fitted(name, lam)
        norm2 = model.beta @ model.problem.gram @ model.beta
        assert norm2 == pytest.approx(model.alpha.sum() - lam * (model.alpha**2).sum(), rel=1e-6)

    def test_the_duality_gap_closes(self, name, lam):
        primal, dual = fitted(name, lam).objectives
        assert primal == pytest.approx(dual, rel=1e-6)


@pytest.mark.parametrize("lam", [1e-2, 1.0])
def test_it_is_the_hard_margin_of_libsvm_with_lambda_on_the_diagonal(lam):
    data = ring(2, 100)
    model = SquaredSlackSVM(lam=lam, tol=1e-8).fit(Problem(data, Gaussian(gamma=2.0)))
    K = model.problem.gram + lam * np.eye(100)
    peer = SVC(C=1e10, kernel="precomputed", tol=1e-8).fit(K, data.target)
    theirs = weights_of(peer, 100)
    np.testing.assert_allclose(model.beta, theirs, atol=1e-4 * np.abs(theirs).max())
    assert model.b == pytest.approx(peer.intercept_[0], abs=1e-3)


def test_a_new_lambda_from_a_warm_start_is_the_cold_solution():
    problem = Problem(clouds(1), Gaussian(gamma=1.0))
    model = SquaredSlackSVM(lam=1.0, tol=1e-8).fit(problem)
    for lam in (0.9, 2.0, 0.01):
        model = SquaredSlackSVM(lam=lam, tol=1e-8).fit(problem, model)
        cold = SquaredSlackSVM(lam=lam, tol=1e-8).fit(problem)
        np.testing.assert_allclose(model.beta, cold.beta, atol=1e-5 * cold.alpha.max())


@pytest.mark.parametrize("lam", [1e-8, 1e8])
def test_extreme_lambda_converges(lam):
    for make in (clouds, ring):
        assert SquaredSlackSVM(lam=lam).fit(Problem(make(0), Gaussian(gamma=1.0))).converged


def test_a_dual_without_a_maximum_is_refused_with_the_lambda_it_needs():
    data = Data.labelled([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], [-1, -1, -1, 1])
    with pytest.raises(BadInput, match="λ above"):
        SquaredSlackSVM(lam=1e-8).fit(Problem(data, Sigmoid(gamma=10.0, c=-3.0)))
    model = SquaredSlackSVM(lam=10.0).fit(Problem(data, Sigmoid(gamma=10.0, c=-3.0)))
    assert model.converged


def test_the_lambda_it_needs_is_where_solutions_begin():
    problem = Problem(dataset("rings(n=20)"), Sigmoid(gamma=1.0, c=-1.0))
    with pytest.raises(BadInput) as refused:
        SquaredSlackSVM(lam=1e-3).fit(problem)
    least = float(re.search(r"λ above ([\d.e+-]+):", str(refused.value))[1])
    assert least == pytest.approx(-np.linalg.eigvalsh(problem.gram)[0], rel=5e-3)
    with pytest.raises(BadInput):
        SquaredSlackSVM(lam=0.99 * least).fit(problem)
    assert SquaredSlackSVM(lam=1.01 * least).fit(problem).converged


def test_points_that_coincide_stay_distinct_when_others_go():
    data = dataset("iris")
    before = SquaredSlackSVM(lam=1.0).fit(Problem(data, Gaussian()))
    left = Problem(data.subset(np.r_[1:60:2, 60:100]), Gaussian())
    *_, warm = SquaredSlackSVM(lam=1.0).solve(left, before)
    *_, other = SquaredSlackSVM(lam=0.05).solve(left, warm.model)
    for lam, model in ((1.0, warm.model), (0.05, other.model)):
        cold = SquaredSlackSVM(lam=lam).fit(left)
        np.testing.assert_allclose(model.training_scores, cold.training_scores, atol=5e-3)


def test_the_norm_keeps_its_digits_where_the_ridge_is_much_larger_than_the_kernel():
    data, k = kernelviz.dataset("moons"), kernelviz.kernel("1e-10*rbf(gamma=1)")
    model = kernelviz.fit(data.X, data.z, k, "squared-slack-svm(lam=1e4)")
    assert model.summary()["norm"] == pytest.approx(np.sqrt(model.beta @ k(data.X) @ model.beta), rel=1e-9)
