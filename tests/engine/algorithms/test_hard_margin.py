"""The hard-margin SVM: the widest margin, or a plain word that there is none."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.svm import SVC

from kernelviz.engine.algorithms import dual_svm
from kernelviz.engine.algorithms.hard_margin import HardMarginSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.kernels.dot_products import Linear, Polynomial, Sigmoid
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.kernels.stationary import Matern32
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.problem import Problem
from tests.engine.algorithms.test_conformance import assert_sentence
from tests.engine.solvers.svm_problems import clouds, separable


def fit(data: Data, kernel, start=None, **parameters):
    return HardMarginSVM(**parameters).fit(Problem(data, kernel), start)


def has_a_line(data: Data) -> bool:
    """Whether a line separates the points, by a linear programme."""
    rows = -data.z[:, None] * np.c_[data.X, np.ones(data.n)]
    return linprog(np.zeros(3), A_ub=rows, b_ub=-np.ones(data.n), bounds=(None, None)).status == 0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(gamma=1.0), Polynomial(degree=2)])
class TestSeparable:
    def test_the_margin_is_one_over_the_root_of_the_sum_of_alpha(self, seed, kernel):
        data = separable(seed)
        model = fit(data, kernel, tol=1e-9)
        assert model.converged
        norm = np.sqrt(model.beta @ model.problem.gram @ model.beta)
        margin = (data.z * model.score(data.X)).min() / norm
        assert margin == pytest.approx(1.0 / np.sqrt(model.alpha.sum()), rel=1e-6)

    def test_the_primal_objective_is_never_below_the_dual(self, seed, kernel):
        for tol in (1e-3, 1e-6):
            numbers = fit(separable(seed), kernel, tol=tol).summary()
            assert 0.0 <= numbers["duality_gap"] <= 10 * tol * numbers["dual_objective"]

    def test_while_it_is_watched_the_primal_objective_is_that_of_a_line_that_separates(self, seed, kernel):
        problem = Problem(separable(seed), kernel)
        for frame in HardMarginSVM().steps(problem):
            level = (problem.z * frame.model.training_scores).min()
            norm = frame.model.numbers["norm"]
            if level < 0.1:
                assert "primal" not in frame.objectives
            else:
                assert frame.objectives["primal"] == pytest.approx(0.5 * (norm / level) ** 2)
                assert frame.objectives["dual"] <= frame.objectives["primal"] * (1 + 1e-12)
        assert "primal" in frame.objectives

    def test_the_offset_is_halfway_between_the_closest_points(self, seed, kernel):
        data = separable(seed)
        model = fit(data, kernel, tol=1e-9)
        s = model.score(data.X)
        assert s[data.z > 0].min() == pytest.approx(1.0, abs=1e-6)
        assert s[data.z < 0].max() == pytest.approx(-1.0, abs=1e-6)

    def test_libsvm_with_a_huge_C_agrees(self, seed, kernel):
        data = separable(seed)
        model = fit(data, kernel, tol=1e-8)
        peer = SVC(C=1e9, kernel=kernel, tol=1e-8).fit(data.X, data.target)
        np.testing.assert_allclose(model.score(data.X), peer.decision_function(data.X), atol=2e-3)


class TestNotSeparable:
    @pytest.mark.parametrize("seed", range(4))
    def test_overlapping_clouds_are_said_to_overlap_and_nothing_is_drawn(self, seed):
        model = fit(clouds(seed), Linear())
        assert model.status is Status.NOT_SEPARABLE
        assert not model.converged
        assert "Not separable" in model.message
        assert len(model.support) == 0
        assert model.b == 0.0
        assert (model.score(np.random.default_rng(0).normal(size=(9, 2))) == 0.0).all()
        assert model.objectives == (None, None)

    @pytest.mark.parametrize("seed", range(12))
    def test_the_verdict_is_that_of_a_linear_programme(self, seed):
        data = clouds(seed, 14, apart=1.2)
        assert fit(data, Linear()).converged == has_a_line(data)

    @pytest.mark.parametrize("shift", [0.3, 1e-1, 1e-2, 1e-3, -1e-3, -1e-2, -1e-1])
    def test_barely_separable_and_barely_not_are_told_apart(self, shift):
        rng = np.random.default_rng(0)
        x = np.r_[rng.uniform(-1, 0, 30), 0.0, rng.uniform(0, 1, 30) + shift, shift]
        data = Data.labelled(np.c_[x, rng.normal(size=62)], [-1] * 31 + [1] * 31)
        flat = Data.labelled(x, data.target)
        assert fit(flat, Linear()).converged == (shift > 0)
        assert fit(data, Linear()).converged == has_a_line(data)

    @pytest.mark.parametrize("shift", [0.0, 1e3, 1e5])
    def test_points_far_from_the_origin_are_judged_by_their_distances(self, shift):
        for data in (separable(1), clouds(1)):
            here, there = (fit(Data.labelled(data.X + s, data.z), Linear()) for s in (0.0, shift))
            assert there.status is here.status
            np.testing.assert_allclose(there.training_scores, here.training_scores, atol=2e-3)

    def test_a_gaussian_separates_distinct_points_so_only_rounding_is_blamed(self):
        model = fit(Data.labelled([[0.0], [1e-8], [1.0]], [1, -1, 1]), Gaussian(gamma=1.0))
        assert model.status is Status.NOT_SEPARABLE
        assert "as far as rounding can tell" in model.message

    @pytest.mark.parametrize("seed", range(3))
    def test_features_of_hopeless_scale_end_in_words(self, seed):
        data = clouds(seed, 40)
        far = Data.labelled(data.X[:, :1] + 3000.0, data.target)
        assert not fit(far, Polynomial(degree=3)).converged

    def test_coinciding_points_with_both_labels_are_named(self):
        data = Data.labelled([[0.0, 0.0], [1.0, 2.0], [3.0, 1.0], [1.0, 2.0]], [-1, 1, 1, -1])
        model = fit(data, Gaussian(gamma=1.0))
        assert model.status is Status.NOT_SEPARABLE
        assert "points 2 and 4 coincide" in model.message

    def test_watching_shows_the_verdict_as_the_only_frame(self):
        frames = list(HardMarginSVM().steps(Problem(clouds(0), Linear())))
        assert len(frames) == 1
        assert frames[0].model.status is Status.NOT_SEPARABLE

    def test_an_indefinite_kernel_ends_in_words(self):
        model = fit(clouds(0), Sigmoid(gamma=3.0, c=-2.0))
        assert model.status in (Status.NOT_SEPARABLE, Status.CONVERGED, Status.LIMIT)
        assert np.isfinite(model.training_scores).all()


class TestWarm:
    def test_dragging_through_separable_and_not_gives_the_cold_answers(self):
        data = separable(3, 40, gap=0.2)
        model = fit(data, Linear(), tol=1e-7)
        X = data.X.copy()
        start = X[5].copy()
        for t in np.linspace(0.0, 1.0, 25):
            X[5] = start + t * (-2.0 * start)  # through the other class
            here = Data.labelled(X, data.target)
            model, cold = fit(here, Linear(), model, tol=1e-7), fit(here, Linear(), tol=1e-7)
            assert model.status is cold.status
            np.testing.assert_allclose(model.beta, cold.beta, atol=1e-4 * max(1.0, cold.alpha.max()))

    @pytest.mark.parametrize("separable", [True, False])
    def test_a_long_look_for_a_margin_can_be_watched_and_left(self, separable, monkeypatch):
        monkeypatch.setattr(dual_svm, "PAUSE", 0.0)
        data = clouds(0, apart=6.0 if separable else 0.5)
        frames = list(HardMarginSVM().steps(Problem(data, Linear())))
        looking = [f for f in frames if f.change is not None and f.change.text.startswith("testing")]
        assert 0 < len(looking) < len(frames)
        assert [f.step for f in frames] == list(range(len(frames)))
        assert all(f.model.status is Status.RUNNING for f in looking)
        assert frames[-1].model.converged == separable

    def test_the_watched_run_ends_at_the_solution(self):
        problem = Problem(separable(1), Gaussian(gamma=1.0))
        *_, last = HardMarginSVM().steps(problem)
        assert last.model.objectives[1] == pytest.approx(HardMarginSVM().fit(problem).objectives[1], rel=1e-3)


def stretched(n: int, factor: float, overlap: bool = False) -> Data:
    """Two clouds beside each other, their second column `factor` times as wide as the first."""
    rng = np.random.default_rng(1)
    z = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, 2))
    X[:, 0] += z * (0.3 if overlap else 5.0)
    X[:, 1] *= factor
    return Data.labelled(X, z)


class TestColumnsOfDifferentSize:
    @pytest.mark.parametrize("factor", [1e6, 1e-6])
    @pytest.mark.parametrize("n", [10, 200])
    def test_a_line_is_found_among_columns_a_million_apart(self, n, factor):
        data = stretched(n, factor)
        model = fit(data, Linear())
        assert model.converged
        margins = data.z * model.score(data.X)
        assert margins.min() == pytest.approx(1.0, abs=1e-3)
        np.testing.assert_allclose(margins[model.support], 1.0, atol=1e-3)
        assert model.objectives[0] == pytest.approx(model.objectives[1], rel=1e-3)

    @pytest.mark.parametrize("factor", [1e6, 1e-6])
    def test_overlap_is_seen_among_columns_a_million_apart(self, factor):
        model = fit(stretched(200, factor, overlap=True), Linear())
        assert model.status is Status.NOT_SEPARABLE
        assert "rounding" not in model.message

    def test_a_margin_that_no_digits_are_left_for_is_not_called_inseparable(self):
        model = fit(stretched(200, 1e6), Polynomial(degree=3, c=1.0))
        assert model.status is Status.LIMIT
        assert "can be separated" in model.message
        assert (model.training_scores == 0.0).all()


class TestVerdicts:
    @pytest.mark.parametrize("kernel", [Linear(), Gaussian(gamma=1.0), Gaussian(gamma=1000.0)])
    def test_one_point_of_each_class_is_divided_in_the_middle(self, kernel):
        model = fit(Data.labelled([[0.0, 0.0], [1.0, 3.0]], [-1, 1]), kernel)
        assert model.converged
        np.testing.assert_allclose(model.training_scores, [-1.0, 1.0], atol=1e-3)

    def test_points_on_a_line_are_judged_by_their_order(self):
        x = np.arange(10.0)
        X = np.c_[x, 2.0 * x + 1.0]
        assert fit(Data.labelled(X, np.where(x < 4, -1, 1)), Linear()).converged
        apart = fit(Data.labelled(X, np.where((x < 4) | (x == 7), -1, 1)), Linear())
        assert apart.status is Status.NOT_SEPARABLE

    def test_touching_hulls_are_not_separable(self):
        X = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 5.0]]
        assert fit(Data.labelled(X, [-1, -1, 1, 1]), Linear()).status is Status.NOT_SEPARABLE

    @pytest.mark.parametrize("gap", [1e-3, 1e-5, 1e-7])
    def test_a_gap_however_narrow_is_found_and_its_width_is_right(self, gap):
        rng = np.random.default_rng(2)
        x = np.r_[-np.append(rng.uniform(0, 1, 20), 0.0), np.append(rng.uniform(0, 1, 20), 0.0) + gap]
        data = Data.labelled(np.c_[x, rng.normal(size=42)][:, :1], [-1] * 21 + [1] * 21)
        model = fit(data, Linear())
        assert 2.0 / np.sqrt(model.alpha.sum()) == pytest.approx(gap, rel=1e-3)

    @pytest.mark.parametrize("name", ["barely_separable", "just_not_separable"])
    @pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=2), Gaussian(gamma=3.0)])
    def test_the_clouds_at_the_edge_are_told_apart_as_libsvm_does(self, name, kernel):
        data = dataset(f"{name}(n=120)")
        model = fit(data, kernel, tol=1e-6)
        if isinstance(kernel, Linear):
            assert model.converged == has_a_line(data)
        if model.converged:
            peer = SVC(C=1e10, kernel=kernel, tol=1e-6).fit(data.X, data.target)
            beta = peer.dual_coef_[0]
            expected = np.abs(beta).sum() - 0.5 * beta @ kernel(data.X[peer.support_]) @ beta
            assert model.objectives[1] == pytest.approx(expected, rel=1e-5)
            np.testing.assert_allclose(
                model.score(data.X), peer.decision_function(data.X), rtol=1e-3, atol=1e-3
            )

    @pytest.mark.parametrize("kernel", [Gaussian(gamma=1.0), Gaussian(gamma=20.0), Matern32(l=1.0)])
    def test_hundreds_of_points_of_pure_noise_can_be_abandoned_at_any_moment(self, kernel):
        rng = np.random.default_rng(0)
        data = Data.labelled(rng.normal(size=(600, 2)), np.where(rng.random(600) < 0.5, 1.0, -1.0))
        frames = list(HardMarginSVM().solve(Problem(data, kernel)))
        assert len(frames) > 2
        model = frames[-1].model
        assert model.iterations > 0
        assert model.converged == (model.status is not Status.NOT_SEPARABLE)
        if model.converged:
            assert (data.z * model.training_scores).min() == pytest.approx(1.0, abs=2e-3)

    def test_a_thread_can_abandon_the_run_of_another(self):
        rng = np.random.default_rng(0)
        data = Data.labelled(rng.normal(size=(600, 2)), np.where(rng.random(600) < 0.5, 1.0, -1.0))
        for count in range(1, 12):
            run = HardMarginSVM().solve(Problem(data, Gaussian(gamma=1.0)))
            other = Thread(target=lambda run=run, count=count: [next(run, None) for _ in range(count)])
            other.start()
            other.join()
            run.close()
            assert np.geterr()["divide"] == "warn"


def room(phi: np.ndarray, z: np.ndarray) -> float:
    """The most by which a plane can separate, in units of the columns' sizes: a linear programme."""
    V = phi - phi.mean(axis=0)
    sizes = np.abs(V).max(axis=0)
    V = V[:, sizes > 0] / sizes[sizes > 0]
    n, q = V.shape
    rows = np.c_[-z[:, None] * V, -z, np.ones(n)]
    bounds = [(-1, 1)] * q + [(None, None), (None, 1)]
    return -linprog(np.append(np.zeros(q + 1), -1.0), A_ub=rows, b_ub=np.zeros(n), bounds=bounds).fun


@pytest.mark.parametrize("seed", range(60))
def test_whatever_the_units_the_verdict_is_that_of_a_linear_programme(seed):
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(4, 40)), int(rng.integers(1, 4))
    z = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, p)) + z[:, None] * rng.normal(size=p) * rng.uniform(0, 2)
    X = X * 10.0 ** rng.uniform(-4, 4, p)
    for kernel in (Linear(), Polynomial(degree=2, c=1.0)):
        model = fit(Data.labelled(X, z), kernel)
        best = room(kernel.feature_map(p)(X), z)
        if best > 1e-6:
            assert model.status is not Status.NOT_SEPARABLE
        elif best < 1e-9:
            assert model.status is Status.NOT_SEPARABLE
        if model.converged:
            assert (z * model.score(X)).min() > 0.995


@pytest.mark.parametrize(("seed", "degree"), [(24, 10), (7594, 9)])
def test_features_that_nearly_depend_on_each_other_get_a_margin_or_a_sentence(seed, degree):
    model = fit(dataset(f"gaussians(n=100, seed={seed})"), Polynomial(degree=degree))
    assert model.status in (Status.CONVERGED, Status.LIMIT)
    assert (model.problem.z * model.training_scores > 0).all()
    assert_sentence(model.message)


@pytest.mark.parametrize("seed", range(40))
def test_a_cold_start_finds_the_margin_that_a_warm_one_finds(seed):
    """Columns of very different size: where the features alone give no margin, Newton's method goes on."""
    rng = np.random.default_rng(seed)
    data = dataset(f"{'gaussians' if seed % 2 else 'just_not_separable'}(n=20, seed={seed})")
    X, kernel = 10.0 ** rng.uniform(0, 1.3) * data.X, Polynomial(degree=int(rng.integers(5, 8)))
    warm = None
    for _ in range(3):
        X = X.copy()
        X[rng.integers(len(X))] += 0.1 * X.std() * rng.normal(size=2)
        data = Data.labelled(X, data.z)
        warm, cold = fit(data, kernel, warm), fit(data, kernel)
        assert cold.status is warm.status
        if cold.converged:
            assert cold.numbers["margin"] == pytest.approx(warm.numbers["margin"], rel=1e-2)
