"""The parts of the quadratic programme's solvers, each against its definition and against each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kernelviz
from kernelviz.engine.algorithms.nu_svm import NuSVM, OneClassSVM
from kernelviz.engine.algorithms.objectives import Solution
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM, SquaredSlackSVM
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.qp import rows as qp_rows
from kernelviz.engine.solvers.qp import rows as qp_store
from kernelviz.engine.solvers.qp.newton import Newton
from kernelviz.engine.solvers.qp.program import EVEN, Dual, Optimality, Point, feasible, snap_to_bounds
from kernelviz.engine.solvers.qp.rows import GramRows
from kernelviz.engine.solvers.qp.smo import Smo
from kernelviz.engine.solvers.qp.solve import interior_point
from kernelviz.engine.solvers.qp.warm import origins
from tests.engine.solvers.svm_problems import clouds, ring

MACHINES = [SoftMarginSVM(C=3.0), SquaredSlackSVM(lam=0.3), NuSVM(nu=0.4), OneClassSVM(nu=0.3)]


def ask(rows: GramRows, X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    rows.need(rng.permutation(len(X))[: len(X) // 3])
    rows.row(int(rng.integers(len(X))))
    return X


def move(rows: GramRows, X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    places = np.sort(rng.permutation(len(X))[: int(rng.integers(1, 3))])
    b = np.where(rng.uniform(size=len(X)) < 0.3, 1.0, 0.0)
    h, X = rows.times(b), X.copy()
    X[places] += 0.5
    rows.move(places, X, b, h)
    np.testing.assert_allclose(h, (Gaussian(gamma=2.0)(X) + rows.ridge * np.eye(len(X))) @ b, atol=1e-12)
    return X


def leave_some(rows: GramRows, X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    origin = np.sort(rng.permutation(len(X))[: max(2, len(X) - int(rng.integers(1, 9)))])
    rows.remap(origin, X[origin])
    return X[origin]


def shuffle(rows: GramRows, X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    origin = rng.permutation(len(X))
    rows.remap(origin, X[origin])
    return X[origin]


def drop_last(rows: GramRows, X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    rows.remap(np.arange(len(X) - 1), X[:-1])
    return X[:-1]


def join_at_the_end(rows: GramRows, X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    X = np.concatenate((X, rng.normal(size=(2, 2))))
    rows.remap(np.r_[: len(X) - 2, -1, -1], X)
    return X


EDITS = [ask, move, leave_some, shuffle, drop_last, join_at_the_end]


def posed(machine, kernel=None, data=None) -> tuple[Dual, Point]:
    """A machine's dual with its first point."""
    problem = Problem(data or clouds(1, 50), kernel or Gaussian(gamma=1.0))
    dual = machine.dual(problem, GramRows.for_problem(problem, machine.ridge))
    b = machine.first(dual)
    return dual, Point(b, dual.rows.times(b))


def objective(dual: Dual, b: np.ndarray) -> float:
    return float(0.5 * b @ dual.rows.K @ b - dual.p @ b)


def is_feasible(dual: Dual, b: np.ndarray) -> bool:
    in_box = (b >= dual.lo).all() and (b <= dual.hi).all()
    return bool(in_box) and max(map(abs, dual.shortfalls(b))) <= 1e-9 * max(1.0, np.abs(b).sum())


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: m.name)
class TestMethodsAgree:
    def test_pairs_newton_and_interior_point_reach_the_same_objective(self, machine):
        found = []
        for method in ("pairs", "newton", "interior"):
            dual, point = posed(machine)
            if method == "pairs":
                Smo(dual, point).run(1e-8, 20_000)
            elif method == "newton":
                for _ in Newton(dual, point, 1e-8, False, 200).rounds():
                    pass
            else:
                interior_point(dual, point, 1e-8)
            assert is_feasible(dual, point.b), method
            np.testing.assert_allclose(point.h, dual.rows.K @ point.b, atol=1e-9)
            found.append(objective(dual, point.b))
        np.testing.assert_allclose(found, found[0], rtol=1e-6)

    def test_every_newton_round_improves_the_objective(self, machine):
        dual, point = posed(machine)
        before = objective(dual, point.b)
        for _ in Newton(dual, point, 1e-8, False, 200).rounds():
            after = objective(dual, point.b)
            assert after <= before + 1e-12 * abs(before)
            assert is_feasible(dual, point.b)
            before = after

    def test_every_pair_gains_what_it_says(self, machine):
        dual, point = posed(machine)
        smo = Smo(dual, point)
        before = objective(dual, point.b)
        for _ in range(30):
            pair = smo.step(1e-3)
            if pair is None:
                break
            after = objective(dual, point.b)
            assert before - after == pytest.approx(pair.gain, abs=1e-9)
            before = after

    def test_steps_in_a_row_end_where_steps_one_by_one_end(self, machine):
        dual, point = posed(machine)
        other = Point(point.b.copy(), point.h.copy())
        Smo(dual, point).run(1e-6, 20_000)
        walk = Smo(dual, other)
        while walk.step(1e-6) is not None:
            pass
        walk.write_scores()
        assert objective(dual, point.b) == pytest.approx(objective(dual, other.b), rel=1e-6)
        np.testing.assert_allclose(other.h, dual.rows.K @ other.b, atol=1e-9)


@settings(max_examples=50, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    machine=st.sampled_from(MACHINES),
    scale=st.sampled_from([1e-6, 1.0, 1e6]),
)
def test_the_feasible_point_is_feasible_and_nearest_along_its_direction(seed, machine, scale):
    dual, _ = posed(machine)
    b = scale * np.random.default_rng(seed).normal(size=dual.n)
    nearest = feasible(dual, b)
    assert is_feasible(dual, nearest)
    inside = (nearest > dual.lo) & (nearest < dual.hi)
    for members in dual.members:
        shift = (nearest - np.clip(b, dual.lo, dual.hi))[inside & members]
        if len(shift) > 2:  # all but the one that took the rounding moved by the same amount
            assert np.median(np.abs(shift - np.median(shift))) <= 1e-6 * max(scale, 1.0)


@pytest.mark.parametrize("reach", [1e-6, 1.0, 1e6, np.inf])
@pytest.mark.parametrize("n", [2, 50, 1000])
def test_the_sum_of_a_feasible_point_is_met_to_all_its_digits(n, reach):
    rows, box = GramRows(Linear(), np.zeros((n, 1))), np.full(n, reach)
    for seed in range(20):
        b = min(reach, 1e9) * np.random.default_rng(seed).normal(size=n)
        dual = Dual(rows, np.zeros(n), -box, box, (0.3 * min(reach, 1.0),))
        b = feasible(dual, b)
        assert abs(dual.shortfalls(b)[0]) <= EVEN * np.abs(b).sum()


def test_the_gap_is_the_largest_violation_of_any_pair():
    dual, point = posed(SoftMarginSVM(C=1.0))
    Smo(dual, point).run(1e-3, 12)
    g = dual.rows.K @ point.b - dual.p
    pairs = [
        g[j] - g[i] for i in np.flatnonzero(point.b < dual.hi) for j in np.flatnonzero(point.b > dual.lo)
    ]
    assert Optimality(dual, point).gap == pytest.approx(max(pairs))


def test_weights_within_rounding_of_a_bound_are_put_on_it():
    dual, point = posed(SoftMarginSVM(C=1.0))
    point.b[:] = 0.0
    plus, minus = int(np.argmax(dual.p > 0)), int(np.argmax(dual.p < 0))
    point.b[plus], point.b[minus] = 1.0 - 1e-15, -1.0 + 1e-15
    point.refresh(dual)
    optimality = snap_to_bounds(dual, point, Optimality(dual, point), 1e-3)
    assert point.b[plus] == 1.0
    assert point.b[minus] == -1.0
    assert not optimality.free.any()


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_a_machine_that_did_not_converge_names_a_cause(machine):
    dual, point = posed(machine)
    far = Solution(point.b, point.h, 0.0, gap=0.7)
    status, message = machine.verdict(dual, far)
    assert status is Status.LIMIT
    assert message == (
        "Stopped at the limit: no step brought it any further, "
        "the largest KKT violation is 7.0e-01, above 0.001."
    )


class TestRows:
    @pytest.mark.parametrize("n", [30, 1100])
    def test_rows_on_demand_are_the_matrix(self, n):
        problem = Problem(ring(1, n), Gaussian(gamma=2.0))
        rows = GramRows.for_problem(problem, ridge=0.5)
        some = np.array([3, 0, n - 1])
        rows.need(some)
        exact = problem.kernel(problem.X) + 0.5 * np.eye(n)
        np.testing.assert_allclose(rows.some(some), exact[some])
        b = np.zeros(n)
        b[[5, 7]] = 1.0, -2.0
        np.testing.assert_allclose(rows.times(b), exact @ b, atol=1e-12)

    def test_refined_rows_have_the_digits_that_quick_ones_cost(self):
        X = np.random.default_rng(1).normal(size=(60, 2))
        rows = GramRows(Gaussian(gamma=40.0), X, ridge=0.25)
        rows.renew(Gaussian(gamma=60.0), X)
        some = np.array([3, 0, 59])
        exact = Gaussian(gamma=60.0)(X) + 0.25 * np.eye(60)
        off = np.abs(rows.some(some) - exact[some]).max()
        assert 1e-15 < off < 10.0 * rows.error
        rows.refine()
        np.testing.assert_array_equal(rows.some(some), exact[some])
        np.testing.assert_array_equal(rows.some(np.array([7])), exact[[7]])
        assert rows.error == 0.0

    @pytest.mark.parametrize("n", [30, 1100])
    def test_pairs_on_demand_need_few_rows(self, n):
        problem = Problem(ring(1, n), Gaussian(gamma=0.5))
        rows = GramRows.for_problem(problem)
        dual = SoftMarginSVM(C=100.0).dual(problem, rows)
        point = Point(np.zeros(n), np.zeros(n))
        Smo(dual, point).run(0.5, 10)
        np.testing.assert_allclose(point.h, problem.gram @ point.b, atol=1e-9)
        assert rows.complete == (n == 30)

    @settings(max_examples=60, deadline=None)
    @given(seed=st.integers(0, 10**6), edits=st.lists(st.sampled_from(EDITS), max_size=8))
    def test_rows_stay_true_through_any_edits(self, seed, edits):
        """Rows come in any order and memory grows; whatever is known is a row of the matrix as it is now."""
        rng, n = np.random.default_rng(seed), 23
        X = rng.normal(size=(n, 2))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(qp_rows, "WHOLE", 0)
            patch.setattr(qp_store, "AT_FIRST", 40)
            rows = GramRows(Gaussian(gamma=2.0), X, ridge=0.5)
            for edit in edits:
                X = edit(rows, X, rng)
                exact = Gaussian(gamma=2.0)(X) + 0.5 * np.eye(len(X))
                known = (rows.at >= 0).nonzero()[0]
                assert rows.count == len(known)
                np.testing.assert_array_equal(rows.owner[rows.at[known]], known)
                np.testing.assert_allclose(rows.K[rows.at[known]], exact[known], rtol=1e-12)
            exact = Gaussian(gamma=2.0)(X) + 0.5 * np.eye(len(X))
            np.testing.assert_allclose(rows.whole(), exact, rtol=1e-12)
            b = rng.normal(size=len(X))
            np.testing.assert_allclose(rows.times(b), exact @ b, atol=1e-12)

    def test_a_cold_fit_of_many_points_computes_few_rows(self):
        data = kernelviz.dataset("blobs(n=3000, classes=2, seed=1)")
        model = SoftMarginSVM(C=10.0).fit(Problem(data, Gaussian(gamma=2.0)))
        assert model.converged
        rows = model.memory.held[0].dual.rows
        assert len(model.support) <= rows.count < 0.1 * data.n
        assert rows.at.max() < rows.count, "known rows stand at the beginning of the memory"

    def test_a_fit_of_few_points_after_one_of_many_keeps_no_memory_for_many(self):
        X = ring(1, 2000).X
        for few in (np.arange(20), np.arange(1000, 1020)):
            rows = GramRows(Gaussian(), X)
            rows.need(np.arange(0, 2000, 100))
            rows.remap(few, X[few])
            np.testing.assert_allclose(rows.whole(), Gaussian()(X[few]), rtol=1e-12)
            rows.remap(np.arange(19)[::-1], X[few][18::-1])  # the memory before this one may be kept
            kept = [v for v in vars(rows).values() if isinstance(v, np.ndarray)]
            assert max(v.shape[-1] for v in kept) < 1000

    def test_memory_used_again_serves_matrices_of_any_size(self):
        X = ring(1, 60).X
        rows = GramRows(Gaussian(), X)
        for n in (59, 58, 60, 5, 2, 60):
            rows.remap(np.where(np.arange(n) < rows.n, np.arange(n), -1), X[:n])
            np.testing.assert_allclose(rows.whole(), Gaussian()(X[:n]), rtol=1e-12)


class TestOrigins:
    @settings(max_examples=60, deadline=None)
    @given(seed=st.integers(0, 10**6), n=st.integers(1, 30), m=st.integers(0, 30))
    def test_a_row_found_again_is_equal(self, seed, n, m):
        rng = np.random.default_rng(seed)
        old = rng.integers(0, 4, size=(n, 2)).astype(float)
        new = np.concatenate((old[rng.permutation(n)[: n // 2]], rng.integers(0, 6, size=(m, 2))))
        found = origins(old, new)
        assert len(found) == len(new)
        np.testing.assert_array_equal(old[found[found >= 0]], new[found >= 0])
        assert len(set(found[found >= 0])) == np.count_nonzero(found >= 0), "one old row for two new ones"

    @settings(max_examples=40, deadline=None)
    @given(seed=st.integers(0, 10**6), n=st.integers(2, 30), m=st.integers(1, 10))
    def test_whatever_is_left_of_distinct_rows_is_found(self, seed, n, m):
        rng = np.random.default_rng(seed)
        old = rng.normal(size=(n, 2))
        left = np.sort(rng.permutation(n)[: n - 1 - seed % (n - 1)])
        new = np.concatenate((old[left], rng.normal(size=(m, 2))))
        if len(new) != n:  # with as many rows as before, rows are compared in their places
            np.testing.assert_array_equal(origins(old, new)[: len(left)], left)

    def test_strings_are_found_too(self):
        np.testing.assert_array_equal(origins(("a", "b", "c"), ("c", "x", "a")), [2, -1, 0])
