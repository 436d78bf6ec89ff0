"""The nu-SVM in LIBSVM's convention."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC, NuSVC

from kernelviz.engine.algorithms.nu_svm import NuSVM
from kernelviz.engine.analysis.points import point_table
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.problem import Problem
from tests.engine.solvers.svm_problems import KERNELS, clouds, ring


def fit(data: Data, kernel, start=None, **parameters):
    return NuSVM(**parameters).fit(Problem(data, kernel), start)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("nu", [0.23, 0.47, 0.71])
@pytest.mark.parametrize("seed", range(3))
def test_scores_and_weights_agree_with_libsvm(name, nu, seed):
    data, (kernel, other) = clouds(seed, 71), KERNELS[name]
    largest = 2 * min((data.z > 0).sum(), (data.z < 0).sum()) / data.n
    nu = min(nu, largest - 0.013)
    model = fit(data, kernel, nu=nu, tol=1e-7)
    lost = model.status is Status.NOT_SEPARABLE
    peer = NuSVC(nu=nu, tol=1e-3 if lost else 1e-7, **other).fit(data.X, data.target)
    if lost:
        assert np.abs(peer.dual_coef_).max() > 100.0, "LIBSVM divides by what is left of the margin"
        return
    scale = max(1.0, np.abs(model.training_scores).max())
    np.testing.assert_allclose(model.score(data.X), peer.decision_function(data.X), atol=1e-3 * scale)
    assert model.alpha.sum() == pytest.approx(np.abs(peer.dual_coef_).sum(), rel=1e-4)


def test_it_is_the_soft_margin_svm_for_the_C_that_its_box_shows():
    data = ring(3)
    model = fit(data, Gaussian(gamma=2.0), nu=0.33, tol=1e-8)
    C = float(model.box[0])
    assert model.alpha.max() == C
    peer = SVC(C=C, gamma=2.0, tol=1e-8).fit(data.X, data.target)
    np.testing.assert_allclose(model.score(data.X), peer.decision_function(data.X), atol=1e-3)
    primal, dual = model.objectives
    assert primal == pytest.approx(dual, rel=1e-6)


@pytest.mark.parametrize("nu", [0.1, 0.3, 0.6])
def test_nu_bounds_margin_errors_and_support_vectors(nu):
    data = ring(5, 200)
    model = fit(data, Gaussian(gamma=3.0), nu=nu)
    errors = (data.z * model.training_scores < 1.0 - 2e-3).mean()
    assert errors <= nu
    assert len(model.support) / data.n >= nu - 1e-9


@pytest.mark.parametrize("fewer", [1, -1])
def test_an_infeasible_nu_is_refused_with_the_largest_feasible_value(fewer):
    data = Data.labelled(np.arange(10.0), [fewer] * 3 + [-fewer] * 7)
    with pytest.raises(BadInput, match=r"at most 0\.6"):
        fit(data, Linear(), nu=0.7)
    assert fit(data, Linear(), nu=0.6).converged


def test_a_nu_without_any_margin_is_said_to_have_none():
    model = fit(clouds(0, 100, apart=0.1), Linear(), nu=0.05)
    assert model.status is Status.NOT_SEPARABLE
    assert not model.beta.any()
    assert model.b == 0
    assert "larger" in model.message


def test_points_far_from_the_origin_have_the_same_margin():
    data = clouds(0, 60, apart=1.0)
    # νn/2 = 9.6 is not whole, so that each class has a free support vector and its margin one place only.
    here, there = (fit(Data.labelled(data.X + shift, data.z), Linear(), nu=0.32) for shift in (0.0, 1e4))
    assert here.converged
    assert there.converged
    np.testing.assert_allclose(there.training_scores, here.training_scores, atol=2e-3)


def test_warm_starts_give_the_cold_solution():
    data, kernel = clouds(2, 90), Gaussian(gamma=1.0)
    model = fit(data, kernel, nu=0.4, tol=1e-8)
    X = data.X.copy()
    for nu, step in ((0.42, 0.0), (0.42, 0.1), (0.3, 0.1), (0.3, 0.2)):
        X[7] += step
        here = Data.labelled(X, data.target)
        model, cold = fit(here, kernel, model, nu=nu, tol=1e-8), fit(here, kernel, nu=nu, tol=1e-8)
        np.testing.assert_allclose(model.training_scores, cold.training_scores, atol=1e-5)


def test_the_watched_run_ends_at_the_solution():
    problem = Problem(clouds(2, 50), Gaussian(gamma=1.0))
    *_, last = NuSVM(nu=0.4).steps(problem)
    solved = NuSVM(nu=0.4).fit(problem)
    assert last.model.objectives[1] == pytest.approx(solved.objectives[1], rel=1e-3)


def test_the_tolerance_holds_for_the_divided_scores():
    """Where the margin in the dual's own units is narrow, dividing by it makes what is left to do large."""
    model = fit(dataset("gaussians"), Gaussian(gamma=1.0), nu=0.01)
    unit = 1.0 / model.box.max()
    assert unit < 1e-3
    assert model.converged
    assert model.summary()["kkt_violation"] <= 1e-3
    assert point_table(model).residual.max() <= 1e-3


@pytest.mark.parametrize("nu", [0.13, 0.4])
def test_every_frame_of_the_watched_run_keeps_the_constraints(nu):
    problem = Problem(ring(3, 60), Gaussian(gamma=2.0))
    with_margin = 0
    for frame in NuSVM(nu=nu).steps(problem):
        model = frame.model
        assert model.beta.sum() == pytest.approx(0, abs=1e-9 * max(1.0, model.alpha.max()))
        assert (problem.z * model.beta >= 0).all()
        if model.alpha.any():
            with_margin += 1
            C = model.box.max()
            assert model.alpha.max() <= C * (1 + 1e-12)
            assert model.alpha.sum() == pytest.approx(nu * problem.n * C)
    assert with_margin > 3


@pytest.mark.parametrize("tol", [1e-3, 1e-1])
def test_the_violation_it_reports_is_that_of_the_scores_it_shows(tol):
    """Within a class no weight may grow where the score is lower than where another may shrink."""
    data = ring(3)
    model = fit(data, Gaussian(gamma=2.0), nu=0.05, tol=tol)
    C, z = model.box.max(), data.z
    assert C > 3
    h = model.training_scores
    violations = []
    for side in (z > 0, z < 0):
        may_grow = side & np.where(z > 0, model.beta < C, model.beta < 0)
        may_shrink = side & np.where(z > 0, model.beta > 0, model.beta > -C)
        violations.append(h[may_shrink].max() - h[may_grow].min())
    assert model.summary()["kkt_violation"] == pytest.approx(max(violations), rel=1e-6, abs=1e-9)
    assert 1e-9 < max(violations) <= tol


@pytest.mark.parametrize("seed", [20, 32, 164])
def test_a_narrow_margin_is_found_from_a_warm_start_too(seed):
    """Before they are exact the two levels may cross, which says nothing yet."""
    rng, data = np.random.default_rng(seed), clouds(seed, 80)
    kernel, machine = Gaussian(gamma=0.3), NuSVM(nu=0.05)
    model = machine.fit(Problem(data, kernel))
    for _ in range(5):
        kept = rng.permutation(data.n)[: data.n - 3]
        data = data.subset(np.sort(kept))
        model = machine.fit(Problem(data, kernel), start=model)
        cold = machine.fit(Problem(data, kernel))
        assert model.status is cold.status
        assert model.objectives[1] == pytest.approx(cold.objectives[1], rel=1e-2)
