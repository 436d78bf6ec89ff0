"""The soft-margin SVM: LIBSVM's digits, honest endings, warm starts that change nothing but the time."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.dot_products import Linear, Polynomial, Sigmoid
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.problem import Problem
from tests.engine.solvers.svm_problems import KERNELS, clouds, gap_of, ring, weights_of

MAKERS = (clouds, ring)


def fit(data: Data, kernel, start: Model | None = None, **parameters) -> Model:
    return SoftMarginSVM(**parameters).fit(Problem(data, kernel), start)


def dual_of(K: np.ndarray, beta: np.ndarray) -> float:
    return float(np.abs(beta).sum() - 0.5 * beta @ K @ beta)


class TestAgainstLibsvm:
    @pytest.mark.parametrize("make", MAKERS)
    @pytest.mark.parametrize("name", KERNELS)
    @pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
    @pytest.mark.parametrize("seed", range(3))
    def test_objective_scores_and_support_agree(self, make, name, C, seed):
        data, (kernel, other) = make(seed), KERNELS[name]
        model = fit(data, kernel, C=C, tol=1e-8)
        peer = SVC(C=C, tol=1e-8, **other).fit(data.X, data.target)
        theirs = weights_of(peer, data.n)
        K = model.problem.gram
        assert model.objectives[1] == pytest.approx(dual_of(K, theirs), rel=1e-6)
        free = (model.alpha > 0) & (model.alpha < C)
        if free.any():  # otherwise the offset is an interval, and the two may choose differently
            np.testing.assert_allclose(model.score(data.X), peer.decision_function(data.X), atol=1e-3)
        if name in ("wide", "narrow"):  # strictly positive definite: the dual is unique
            margins = data.z * model.training_scores - 1.0
            clear = (np.abs(margins) > 1e-4) | free
            np.testing.assert_array_equal((theirs != 0)[clear], (model.alpha > 0)[clear])

    def test_larger_problems_with_many_free_points_agree(self):
        data = ring(7, 400)
        model = fit(data, Gaussian(gamma=20.0), C=5.0, tol=1e-7)
        peer = SVC(C=5.0, gamma=20.0, tol=1e-7).fit(data.X, data.target)
        np.testing.assert_allclose(model.score(data.X), peer.decision_function(data.X), atol=1e-3)

    @pytest.mark.parametrize("noise", [0.15, 0.35])
    @pytest.mark.parametrize("C", [1.0, 100.0])
    def test_thousands_of_points_agree_cold_and_after_a_move(self, noise, C):
        data, kernel = kernelviz.dataset(f"moons(n=2200, noise={noise}, seed=3)"), Gaussian(gamma=2.0)
        model = fit(data, kernel, C=C)
        X = data.X.copy()
        X[model.support[:2]] += 0.2
        follower = fit(Data.labelled(X, data.target), kernel, model, C=C)
        for found in (model, follower):
            K = found.problem.gram
            assert found.converged
            assert gap_of(K, data.z, found.weights, C) <= 1e-3 + 1e-9
            peer = SVC(C=C, gamma=2.0).fit(found.problem.X, data.target)
            theirs = weights_of(peer, data.n)
            assert found.objectives[1] == pytest.approx(dual_of(K, theirs), rel=1e-4)


class TestOptimality:
    @pytest.mark.parametrize("C", [1e-8, 1e-3, 1.0, 1e3, 1e6, 1e10])
    @pytest.mark.parametrize("name", KERNELS)
    def test_any_C_ends_converged_with_the_violation_it_states(self, C, name):
        data = clouds(3, 80)
        model = fit(data, KERNELS[name][0], C=C)
        true = gap_of(model.problem.gram, data.z, model.beta, C)
        noise = 1e-14 * np.abs(model.beta).sum() * model.problem.gram.max()
        assert true <= 1e-3 + noise
        assert model.converged or "no more digits" in model.message
        assert model.violation == pytest.approx(max(true, 0.0), abs=1e-6 + noise)

    def test_weights_lie_in_the_box_and_sum_to_zero(self):
        model = fit(clouds(0, 150), Gaussian(gamma=2.0), C=3.0)
        assert model.alpha.min() >= 0.0
        assert model.alpha.max() <= 3.0
        assert abs(model.beta.sum()) < 1e-9
        assert (model.beta * model.problem.z >= 0).all()
        assert (model.alpha == 3.0).sum() > 5, "points at the bound are there exactly"
        np.testing.assert_array_equal(model.box, np.full(150, 3.0))

    def test_the_duality_gap_closes(self):
        model = fit(ring(1), Gaussian(gamma=3.0), C=10.0, tol=1e-9)
        primal, dual = model.objectives
        assert dual <= primal + 1e-9
        assert primal - dual < 1e-6 * dual

    def test_the_objectives_are_those_of_the_lecture(self):
        data = ring(1)
        model = fit(data, Gaussian(gamma=3.0), C=10.0)
        norm2 = model.beta @ model.problem.gram @ model.beta
        slack = np.maximum(0.0, 1.0 - data.z * model.score(data.X))
        assert model.objectives[0] == pytest.approx(0.5 * norm2 + 10.0 * slack.sum())
        assert model.objectives[1] == pytest.approx(model.alpha.sum() - 0.5 * norm2)

    def test_the_training_scores_handed_along_are_the_scores(self):
        model = fit(clouds(2), Gaussian(gamma=1.0), C=10.0)
        np.testing.assert_allclose(model.training_scores, model.score(model.problem.X), atol=1e-9)

    def test_without_a_free_support_vector_the_offset_is_in_the_middle(self):
        data = Data.labelled([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1])
        model = fit(data, Linear(), C=0.05)
        assert not ((model.alpha > 0) & (model.alpha < 0.05)).any()
        g = model.problem.gram @ model.beta - data.z
        can_grow = np.where(data.z > 0, model.alpha < 0.05, model.alpha > 0)
        can_shrink = np.where(data.z > 0, model.alpha > 0, model.alpha < 0.05)
        assert model.b == pytest.approx(-0.5 * (g[can_grow].min() + g[can_shrink].max()))

    def test_removing_all_points_that_are_no_support_vectors_leaves_the_solution(self):
        data = ring(4, 120)
        model = fit(data, Gaussian(gamma=2.0), C=5.0, tol=1e-9)
        assert len(model.support) < 100
        again = fit(data.subset(model.support), Gaussian(gamma=2.0), C=5.0, tol=1e-9)
        np.testing.assert_allclose(again.beta, model.beta[model.support], atol=1e-5)
        np.testing.assert_allclose(again.score(data.X), model.score(data.X), atol=1e-6)


class TestExtremes:
    def test_duplicates_with_both_labels_are_simply_hard(self):
        X = np.repeat(np.random.default_rng(0).normal(size=(20, 2)), 2, axis=0)
        data = Data.labelled(X, np.tile([1, -1], 20))
        for C in (1e-2, 1.0, 1e6, 1e10):
            model = fit(data, Gaussian(gamma=1.0), C=C)
            assert model.converged, (C, model.message)
            assert np.abs(model.training_scores).max() < 1e-3

    def test_all_points_in_one_place(self):
        model = fit(Data.labelled(np.ones((6, 2)), [1, -1] * 3), Gaussian(gamma=1.0), C=2.0)
        assert model.converged
        np.testing.assert_allclose(model.training_scores, 0.0, atol=1e-9)

    @pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=4), Gaussian(gamma=1e-6)])
    @pytest.mark.parametrize("C", [1.0, 1e5, 1e10])
    def test_a_singular_gram_matrix_is_no_obstacle(self, kernel, C):
        model = fit(clouds(5, 100), kernel, C=C)
        assert model.converged or "no more digits" in model.message

    @pytest.mark.parametrize("C", [1e-6, 1.0, 1e8])
    def test_columns_of_very_different_scale(self, C):
        data = clouds(6, 80)
        scaled = Data.labelled(data.X * [1.0, 1e6], data.target)
        for kernel in (Linear(), Gaussian(gamma=1e-12 * 1e6)):
            model = fit(scaled, kernel, C=C)
            assert model.status in (Status.CONVERGED, Status.LIMIT)
            assert np.isfinite(model.beta).all()
            assert np.isfinite(model.training_scores).all()

    @pytest.mark.parametrize("C", [0.1, 10.0, 1e5, 1e10])
    @pytest.mark.parametrize("c", [-2.0, 0.0, 1.0])
    def test_an_indefinite_kernel_ends_honestly(self, C, c):
        data = clouds(8, 70)
        model = fit(data, Sigmoid(gamma=2.0, c=c), C=C)
        true = gap_of(model.problem.gram, data.z, model.beta, C)
        assert model.converged == (true <= 1e-3 + 1e-14 * np.abs(model.beta).sum())

    def test_a_violation_that_only_more_digits_would_show_is_not_called_none(self):
        exact_gaps = []
        for seed in range(4, 12):
            data = clouds(seed, 120)
            far = data.X[:, :1] + 3e4
            model = fit(Data.labelled(far, data.target), Polynomial(degree=2), C=1e-6)
            exact = far.astype(np.longdouble)
            exact_gaps.append(gap_of((exact @ exact.T + 1.0) ** 2, data.z, model.beta, 1e-6))
            assert not model.converged
            assert "no more digits" in model.message
        assert max(exact_gaps) > 1e-3, "otherwise there was nothing to hide"

    def test_two_points_have_the_boundary_halfway(self):
        model = fit(Data.labelled([[0.0, 0.0], [2.0, 0.0]], [-1, 1]), Linear(), C=100.0)
        np.testing.assert_allclose(model.alpha, [0.5, 0.5])
        assert model.b == pytest.approx(-1.0)

    def test_one_class_alone_is_refused_in_words(self):
        with pytest.raises(BadInput, match="one class"):
            fit(Data.labelled([[0.0], [1.0]], [1, 1]), Linear())

    def test_values_too_large_are_refused_in_words(self):
        data = Data.labelled([[1e11], [-2e11]], [1, -1])
        with pytest.raises(BadInput, match="too large"):
            fit(data, Polynomial(degree=10))


class TestWatching:
    def test_pairs_climb_to_the_same_solution(self):
        problem = Problem(clouds(1, 40), Gaussian(gamma=1.0))
        machine = SoftMarginSVM(C=5.0)
        frames = list(machine.steps(problem))
        climb = [frame.objectives["dual"] for frame in frames]
        assert (np.diff(climb) >= -1e-9).all()
        assert frames[-1].done
        assert frames[-1].model.converged
        assert all(not frame.done for frame in frames[:-1])
        assert climb[-1] == pytest.approx(machine.fit(problem).objectives[1], rel=1e-4)

    def test_each_step_says_which_pair_and_what_it_gained(self):
        problem = Problem(clouds(1, 40), Gaussian(gamma=1.0))
        before = np.zeros(40)
        dual = 0.0
        for frame in islice(SoftMarginSVM(C=5.0).steps(problem), 1, 12):
            i, j = frame.change.points
            assert set(np.flatnonzero(frame.model.beta != before)) == {i, j}
            assert f"pair ({i + 1}, {j + 1})" in frame.change.text
            assert f"+{frame.objectives['dual'] - dual:.2g}"[:3] in frame.change.text
            before, dual = frame.model.beta, frame.objectives["dual"]

    def test_a_problem_too_long_to_watch_is_finished_exactly(self):
        problem = Problem(clouds(1, 30), Gaussian(gamma=0.1))
        *_, last = SoftMarginSVM(C=1e8).steps(problem)
        assert last.model.converged


@pytest.mark.parametrize("gamma", [0.3, 30.0])
def test_many_coinciding_points_far_from_the_origin_agree_with_libsvm(gamma):
    half = clouds(5, 400)
    X = np.concatenate([half.X, half.X[:300]]) + 50.0  # beyond the size where rows are computed on demand
    z = np.concatenate([half.z, half.z[:300]])
    model = fit(Data.labelled(X, z), Gaussian(gamma), C=10.0, tol=1e-6)
    theirs = SVC(C=10.0, gamma=gamma, tol=1e-6).fit(X, z)
    assert model.converged
    np.testing.assert_allclose(model.score(X), theirs.decision_function(X), atol=1e-3)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, 1e4])
@pytest.mark.parametrize("seed", range(12))
def test_both_classes_have_the_same_weight_also_where_the_kernel_has_fewer_dimensions_than_points(seed, C):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(8 + seed, 2)).round(1)
    z = np.where(X[:, 0] + rng.normal(size=len(X)) > 0, 1, -1)
    model = kernelviz.fit(X, z, "linear", f"soft-margin-svm(C={C})")
    assert abs(model.beta.sum()) <= 1e-10 * np.abs(model.beta).sum()


@pytest.mark.parametrize("C", [1, 100])
def test_raw_data_with_a_few_values_of_1e10_in_the_gram_matrix_are_solved(C: float) -> None:
    """What rounding leaves in a score is far less than the largest value of the kernel times all weights."""
    data = load_breast_cancer()
    z = np.where(data.target == 1, 1.0, -1.0)
    model = kernelviz.fit(data.data, z, "exponential(gamma=1e-6)", f"soft-margin-svm(C={C})")
    assert model.converged, model.message
    scores = model.problem.gram.astype(np.longdouble) @ model.beta + model.b
    assert (1 - z * scores)[model.alpha < C].max() <= 1e-3
    assert (z * scores - 1)[model.alpha > 0].max() <= 1e-3
    loss = np.maximum(0, 1 - z * scores).sum()
    assert model.objectives[0] == pytest.approx(
        float(0.5 * model.beta @ (scores - model.b) + C * loss), rel=1e-6
    )
