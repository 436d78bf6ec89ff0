"""The equations of a Newton step, from a new factorisation and from one of nearly the same points."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.algorithms.dual_svm import SupportVectorMachine
from kernelviz.engine.algorithms.nu_svm import NuSVM, OneClassSVM
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM, SquaredSlackSVM
from kernelviz.engine.core import cholesky
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.kernels.matern import Laplacian
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.qp import working_set
from kernelviz.engine.solvers.qp.rows import Rows
from kernelviz.engine.solvers.qp.system import Factor, System
from tests.engine.solvers.svm_problems import clouds

N, DELTA = 40, 0.01
X = np.random.default_rng(0).normal(size=(N, 2))
K = Gaussian(gamma=2.0)(X)
CLASSES = np.stack([np.arange(N) % 3 == 0, np.arange(N) % 3 != 0]).astype(float)


def by_hand(
    W: Indices, right: Array, E: Array, lack: tuple[float, ...], fixed: dict[int, float]
) -> tuple[Array, Array]:
    """(d, rho) from all equations at once, those of fixed places replaced by d_i = t."""
    size, m = len(W), len(E)
    A = np.zeros((size + m, size + m))
    A[:size, :size] = K[np.ix_(W, W)] + DELTA * np.eye(size)
    A[:size, size:], A[size:, :size] = E.T, E
    c = np.r_[right, lack]
    for place, target in fixed.items():
        A[place] = 0.0
        A[place, place] = 1.0
        c[place] = target
    solved = np.linalg.solve(A, c)
    return solved[:size], solved[size:]


def factor_of(P: Indices) -> Factor:
    L = cholesky.factorise(K[np.ix_(P, P)] + DELTA * np.eye(len(P)))
    assert L is not None
    return Factor(L, DELTA, P, N)


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(
    "P",
    [None, np.arange(2, 30), np.arange(5, 33), np.r_[0:10, 14:38], np.arange(31, 1, -1)],
    ids=["its own", "one less at an end", "others at both ends", "a gap", "backwards"],
)
@pytest.mark.parametrize("forgotten", [(), (7,), (7, 20, 21)], ids=["none moved", "one", "three"])
class TestSystem:
    W = np.arange(2, 31)

    def posed(self, P: Indices | None, forgotten: tuple[int, ...], grouped: bool) -> tuple[System, tuple]:
        right = np.random.default_rng(1).normal(size=len(self.W))
        E = CLASSES[:, self.W] if grouped else None
        lack = (0.3, -0.2) if grouped else (0.1,)
        if P is None:
            system = System.of(K[np.ix_(self.W, self.W)], DELTA, right, E, lack)
            assert system is not None
        else:
            factor = factor_of(P)
            factor.forget(np.array(forgotten, dtype=np.intp))
            system = System.near(factor, self.W, K.__getitem__, right, E, lack)
        return system, (self.W, right, np.ones((1, len(self.W))) if E is None else E, lack)

    def test_its_step_solves_all_equations(self, P, forgotten, grouped):
        system, equations = self.posed(P, forgotten, grouped)
        d, rho = by_hand(*equations, {})
        np.testing.assert_allclose(system.step(), d, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(system.rho, rho, rtol=1e-8, atol=1e-10)

    def test_fixed_places_stay_where_they_are_held(self, P, forgotten, grouped):
        system, equations = self.posed(P, forgotten, grouped)
        system.fix(np.array([0, 5]), np.array([0.5, -0.25]))
        system.fix(np.array([28]), np.array([0.75]))  # a second time, and a point some factors do not know
        d, rho = by_hand(*equations, {0: 0.5, 5: -0.25, 28: 0.75})
        np.testing.assert_allclose(system.step(), d, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(system.rho, rho, rtol=1e-8, atol=1e-10)
        assert system.fixed.tolist() == [0, 5, 28]


def test_a_matrix_that_is_not_positive_definite_has_no_system():
    assert System.of(-K[:5, :5], DELTA, np.ones(5), None, (0.0,)) is None


class TestFactor:
    def test_strangers_are_those_only_one_side_has(self):
        factor = factor_of(np.arange(10, 20))
        assert factor.strangers(np.arange(10, 20)) == 0
        assert factor.strangers(np.arange(11, 23)) == 1 + 3
        factor.forget(np.array([12]))
        assert factor.strangers(np.arange(10, 20)) == 2  # what it was has to go, what it is to come

    def test_points_are_found_again_in_their_new_places(self):
        factor = factor_of(np.array([3, 4, 6]))
        factor.remap(np.array([0, 6, 3, -1, 9]))  # point 4 is gone, one is new
        assert factor.position.tolist() == [-1, 2, 0, -1, -1]


def rows_with_factor() -> Rows:
    rows = Rows(Gaussian(gamma=2.0), X)
    rows.factor = factor_of(np.arange(N))
    return rows


class TestRowsKnowWhatTheirFactorKnows:
    def test_a_moved_point_is_forgotten(self):
        rows, other = rows_with_factor(), X.copy()
        other[[3, 8]] += 0.1
        rows.move(np.array([3, 8]), other, np.zeros(N), np.zeros(N))
        assert rows.factor is not None
        assert np.flatnonzero(rows.factor.position < 0).tolist() == [3, 8]

    def test_another_order_is_followed(self):
        rows, order = rows_with_factor(), np.r_[5:N, 0:4]
        rows.remap(order, X[order])
        assert rows.factor is not None
        assert (rows.factor.position == order).all()

    @pytest.mark.parametrize(
        "change", [lambda rows: rows.renew(Laplacian(), X), lambda rows: rows.set_ridge(1.0)]
    )
    def test_another_matrix_has_another_factor(self, change):
        rows = rows_with_factor()
        change(rows)
        assert rows.factor is None


MACHINES = [SoftMarginSVM(C=20.0), SquaredSlackSVM(lam=0.05), NuSVM(nu=0.3), OneClassSVM(nu=0.4)]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of what is factorised; factors are kept for small systems too."""
    sizes: list[int] = []
    monkeypatch.setattr(working_set, "WORTH", 4)
    whole = System.of.__func__

    def of(cls, M, *arguments):
        sizes.append(len(M))
        return whole(cls, M, *arguments)

    monkeypatch.setattr(System, "of", classmethod(of))
    return sizes


def edited(data: Data, model: Model, k: int, rng: np.random.Generator) -> Data:
    """A support vector dragged a little; now and then a point comes or goes."""
    points, z = data.X.copy(), data.target
    i = int(rng.choice(model.support))
    if k % 5 == 3:
        points, z = np.delete(points, i, axis=0), np.delete(z, i)
    elif k % 5 == 4:
        points, z = np.vstack([points, points[i] + 0.3]), np.append(z, z[i])
    else:
        points[i] += 0.02 * rng.normal(size=2)
    return Data.labelled(points, z)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: m.name)
def test_a_drag_reuses_the_factor_and_ends_where_a_cold_fit_does(
    machine: SupportVectorMachine, counted: list[int]
):
    rng, kernel = np.random.default_rng(3), Gaussian(gamma=8.0)
    machine = machine.replace(tol=1e-6)
    data = clouds(5, 120)
    model = machine.fit(Problem(data, kernel))
    assert counted
    dragged, cold = [], []
    for k in range(15):
        data = edited(data, model, k, rng)
        counted.clear()
        model = machine.fit(Problem(data, kernel), start=model)
        dragged.append(len(counted))
        counted.clear()
        fresh = machine.fit(Problem(data, kernel))
        cold.append(len(counted))
        assert model.converged
        assert model.objectives[1] == pytest.approx(fresh.objectives[1], rel=1e-6)
        np.testing.assert_allclose(model.training_scores, fresh.training_scores, atol=2e-5)
    assert dragged.count(0) >= 5
    assert sum(dragged) < sum(cold) / 2
