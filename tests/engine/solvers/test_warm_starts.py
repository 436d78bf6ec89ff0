"""The soft margin from an earlier solution: the same answer, only sooner."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.algorithms.svr import SupportVectorRegression
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.dot_products import Polynomial
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from tests.engine.solvers.svm_problems import clouds, gap_of, ring


def fit(data: Data, kernel, start: Model | None = None, **parameters) -> Model:
    return SoftMarginSVM(**parameters).fit(Problem(data, kernel), start)


def changed(data: Data, kind: str, rng: np.random.Generator) -> Data:
    """The same data after one act of editing."""
    X, z = data.X.copy(), data.target.copy()
    if kind.startswith("remove") and len(z) < 8:
        kind = "add"  # two points of both classes must be left
    i = int(rng.integers(len(z)))
    if kind == "move":
        X[i] += 0.3 * rng.normal(size=2)
    elif kind == "move many":
        X += 0.05 * rng.normal(size=X.shape)
    elif kind == "flip":
        z[i] = -z[i]
    elif kind == "add":
        X, z = np.r_[X, rng.normal(size=(1, 2))], np.r_[z, rng.choice([-1.0, 1.0])]
    elif kind == "insert":
        X, z = np.insert(X, i, rng.normal(size=2), axis=0), np.insert(z, i, 1.0)
    elif kind == "remove":
        X, z = np.delete(X, i, axis=0), np.delete(z, i)
    elif kind == "remove some":
        gone = rng.choice(len(z), size=5, replace=False)
        X, z = np.delete(X, gone, axis=0), np.delete(z, gone)
    elif kind == "shuffle":
        order = rng.permutation(len(z))
        X, z = X[order], z[order]
    if (z == z[0]).all():
        z[0] = -z[0]
    return Data.labelled(X, z)


KINDS = [
    "move",
    "move many",
    "flip",
    "add",
    "insert",
    "remove",
    "remove some",
    "shuffle",
    "C",
    "gamma",
    "kernel",
]


class TestWarmStarts:
    @settings(max_examples=40, deadline=None)
    @given(
        seed=st.integers(0, 10**6),
        kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=6),
        C=st.sampled_from([0.05, 1.0, 20.0, 1e3]),
        n=st.sampled_from([12, 40, 300]),
    )
    def test_warm_equals_cold_after_every_kind_of_change(self, seed, kinds, C, n):
        rng = np.random.default_rng(seed)
        data, kernel, machine = clouds(seed, n), Gaussian(gamma=2.0), SoftMarginSVM(C=C, tol=1e-6)
        model = machine.fit(Problem(data, kernel))
        for kind in kinds:
            if kind == "C":
                machine = machine.replace(C=machine.C * float(rng.choice([0.5, 1.05, 3.0])))
            elif kind == "gamma":
                kernel = Gaussian(gamma=2.0 * float(rng.uniform(0.5, 2.0)))
            elif kind == "kernel":
                kernel = Polynomial(degree=2)
            else:
                data = changed(data, kind, rng)
            model = machine.fit(Problem(data, kernel), start=model)
            cold = machine.fit(Problem(data, kernel))
            assert model.converged, (kind, model.message)
            assert model.objectives[1] == pytest.approx(cold.objectives[1], rel=1e-6, abs=1e-8)
            K = Problem(data, kernel).gram
            assert gap_of(K, data.z, model.beta, machine.C) <= 1e-6 + 1e-14 * np.abs(model.beta).sum()
            np.testing.assert_allclose(model.training_scores, K @ model.beta + model.b, atol=1e-7)

    @pytest.mark.parametrize("kind", ["remove", "remove some", "add", "insert", "shuffle", "move", "flip"])
    @pytest.mark.parametrize("kernel", [Gaussian(gamma=1.2), Polynomial(degree=2)], ids=str)
    @pytest.mark.parametrize("C", [1.0, 3.0])
    def test_points_kernel_and_box_may_change_at_once(self, kind, kernel, C):
        """As when several edits are undone together."""
        data = clouds(3, 60)
        for seed in range(5):
            before = fit(data, Gaussian(gamma=2.0), C=1.0, tol=1e-6)
            other = changed(data, kind, np.random.default_rng(seed))
            warm = fit(other, kernel, before, C=C, tol=1e-6)
            K = Problem(other, kernel).gram
            assert warm.converged
            assert gap_of(K, other.z, warm.beta, C) <= 1e-6 + 1e-14 * np.abs(warm.beta).sum()
            np.testing.assert_allclose(warm.training_scores, K @ warm.beta + warm.b, atol=1e-7)

    def test_dragging_a_point_that_is_not_a_support_vector_leaves_the_boundary_alone(self):
        data = ring(2, 150)
        model = fit(data, Gaussian(gamma=2.0), C=5.0)
        safe = int(np.argmax(data.z * model.training_scores))
        assert model.alpha[safe] == 0.0
        X = data.X.copy()
        X[safe] *= 0.99
        again = fit(Data.labelled(X, data.target), Gaussian(gamma=2.0), model, C=5.0)
        np.testing.assert_array_equal(again.beta, model.beta)
        assert again.b == pytest.approx(model.b, abs=1e-12)

    def test_a_long_drag_does_not_drift(self):
        rng = np.random.default_rng(0)
        data, kernel = clouds(9, 60), Gaussian(gamma=1.0)
        model = fit(data, kernel, C=50.0)
        for _ in range(300):
            data = changed(data, "move", rng)
            model = fit(data, kernel, model, C=50.0)
        K = Problem(data, kernel).gram
        np.testing.assert_allclose(model.training_scores, K @ model.beta + model.b, atol=1e-8)
        assert gap_of(K, data.z, model.beta, 50.0) <= 1e-3

    def test_points_that_coincide_may_come_and_go(self):
        X, z = np.round(clouds(4, 40).X), clouds(4, 40).target
        kernel, machine = Gaussian(gamma=1.0), SoftMarginSVM(C=5.0, tol=1e-8)
        model = machine.fit(Problem(Data.labelled(X, z), kernel))
        for rows in (np.r_[0:40, 3:9], np.r_[5:40], np.r_[39:-1:-1, 2, 2, 2], np.r_[0:40:2]):
            data = Data.labelled(X[rows], z[rows])
            model = machine.fit(Problem(data, kernel), model)
            cold = machine.fit(Problem(data, kernel))
            assert model.objectives[1] == pytest.approx(cold.objectives[1], rel=1e-7)
            np.testing.assert_allclose(model.training_scores, model.score(data.X), atol=1e-8)

    def test_a_start_can_be_used_twice(self):
        data, kernel = clouds(3), Gaussian(gamma=1.0)
        first = fit(data, kernel, C=1.0)
        once, twice = (fit(data, kernel, first, C=2.0, tol=1e-8) for _ in range(2))
        np.testing.assert_allclose(once.beta, twice.beta, atol=1e-6)

    def test_what_a_reader_holds_never_changes(self):
        data, kernel = clouds(3), Gaussian(gamma=1.0)
        first = fit(data, kernel, C=1.0)
        kept = first.problem.gram.copy(), first.beta.copy(), first.training_scores.copy()
        model = first
        for seed in range(5):
            model = fit(changed(data, "move", np.random.default_rng(seed)), kernel, model, C=1.0)
        for before, after in zip(kept, (first.problem.gram, first.beta, first.training_scores), strict=True):
            np.testing.assert_array_equal(before, after)
            assert not after.flags.writeable

    def test_the_model_of_another_algorithm_is_no_harm(self):
        from kernelviz.engine.algorithms.perceptron import Perceptron
        from kernelviz.engine.algorithms.soft_margin import SquaredSlackSVM

        problem = Problem(clouds(3), Gaussian(gamma=1.0))
        cold = SoftMarginSVM(tol=1e-8).fit(problem)
        for other in (Perceptron(), SquaredSlackSVM()):
            warm = SoftMarginSVM(tol=1e-8).fit(problem, other.fit(problem))
            np.testing.assert_allclose(warm.beta, cold.beta, atol=1e-5)

    def test_an_abandoned_solve_leaves_the_start_usable(self):
        data, kernel = ring(3, 600), Gaussian(gamma=30.0)
        start = fit(data, kernel, C=0.5)
        harder = SoftMarginSVM(C=100.0, tol=1e-9)
        abandoned = harder.solve(Problem(data, kernel), start)
        next(abandoned)
        abandoned.close()
        model = harder.fit(Problem(data, kernel), start)
        assert model.converged
        assert model.objectives[1] == pytest.approx(harder.fit(Problem(data, kernel)).objectives[1], rel=1e-9)

    def test_two_threads_may_start_from_the_same_model(self):
        data, kernel = clouds(3, 120), Gaussian(gamma=1.0)
        first = fit(data, kernel, C=1.0)
        found: list[Model] = []
        threads = [
            threading.Thread(target=lambda: found.append(fit(data, kernel, first, C=4.0, tol=1e-8)))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        np.testing.assert_allclose(found[0].beta, found[1].beta, atol=1e-6)


def test_the_norm_a_drag_goes_by_is_that_of_the_weights():
    rng, data, model = np.random.default_rng(5), ring(60), None
    for _ in range(30):
        data = changed(data, "move", rng)
        model = fit(data, Gaussian(2.0), model, C=10.0)
    assert model.problem.known_gram is None  # it took no matrix of all points
    assert model.squared_norm == pytest.approx(model.beta @ model.problem.gram @ model.beta, rel=1e-10)


@pytest.mark.parametrize("seed", [22, 24, 34, 35])
def test_weights_without_digits_are_no_start_for_a_fit_that_is_easy(seed):
    """A tube that holds all targets needs no weights; from those of a narrow one there was no way back."""
    rng = np.random.default_rng(seed)
    X = -1000.0 + rng.integers(-2, 3, (29, 1))
    problem = Problem(
        Data.regression(X, 0.4 * rng.normal(size=29).clip(-1.5, 1.5)), Polynomial(degree=4, gamma=1.7, c=3.0)
    )
    narrow = SupportVectorRegression(C=258.0, epsilon=0.05).fit(problem)
    assert not narrow.converged
    wide = SupportVectorRegression(C=258.0, epsilon=1.0).fit(problem, narrow)
    assert wide.converged
    assert not wide.beta.any()
