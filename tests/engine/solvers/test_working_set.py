"""The equations of a Newton step, and a candidate on a working set: whatever route it takes, it solves the
equations where it is free. A drag ends where a cold fit does."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.algorithms.dual_svm import SupportVectorMachine
from kernelviz.engine.algorithms.nu_svm import NuSVM, OneClassSVM
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM, SquaredSlackSVM
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.kernels.stationary import Laplacian
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.qp import working_set
from kernelviz.engine.solvers.qp.rows import GramRows
from kernelviz.engine.solvers.qp.working_set import Subproblem, System
from tests.engine.solvers.svm_problems import clouds

N, DELTA = 90, 0.02
X = np.random.default_rng(0).normal(size=(N, 2))
CLASSES = np.stack([np.arange(N) % 3 == 0, np.arange(N) % 3 != 0]).astype(float)
W = np.r_[3:40, 45:88]


def subproblem(rows: GramRows, W: Indices = W, grouped: bool = False, width: float = 0.6) -> Subproblem:
    """Slopes so steep that a good part of the step leaves the box."""
    rng = np.random.default_rng(7)
    g, b = 0.5 * rng.normal(size=len(W)), rng.uniform(-0.1, 0.1, size=len(W))
    E, lack = (CLASSES[:, W], (0.3, -0.4)) if grouped else (None, (0.2,))
    return Subproblem(rows, W, g, b, np.full(len(W), -width), np.full(len(W), width), lack, E)


def solves(posed: Subproblem, new: Array, K: Array, delta: float) -> bool:
    """Within the box, with the sums asked for, and no slope left but the offset's where it is free."""
    E = np.ones((1, len(posed.W))) if posed.E is None else posed.E
    d, free = new - posed.b, (new > posed.lo) & (new < posed.hi)
    slope = (K + delta * np.eye(len(d))) @ d + posed.g + np.asarray(posed.rho) @ E
    return (
        bool(((new >= posed.lo) & (new <= posed.hi)).all())
        and np.allclose(E @ d, posed.lack, atol=1e-9)
        and np.abs(slope[free]).max() < 1e-8
    )


ROUTES = {"bordering": (1, 1.0), "factorising": (10**6, 0.0), "both": (1, 0.1)}


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("width", [0.9, 0.7, 0.5])
@pytest.mark.parametrize("route", ROUTES)
def test_what_is_not_at_a_bound_solves_the_equations(monkeypatch, route, width, grouped):
    large, border = ROUTES[route]
    monkeypatch.setattr(working_set, "LARGE", large)
    monkeypatch.setattr(working_set, "BORDER", border)
    rows = GramRows(Gaussian(gamma=20.0), X)
    posed = subproblem(rows, grouped=grouped, width=width)
    new = posed.candidate(DELTA)
    assert new is not None
    clipped = int((np.abs(new) == width).sum())
    assert clipped > 2
    assert solves(posed, new, rows.K[np.ix_(W, W)], DELTA)
    again = route == "factorising" or (route == "both" and clipped > 0.1 * len(W))
    assert (posed.factorisations > 1) == again


@pytest.mark.parametrize("count", [30, 400])
def test_the_change_of_h_needs_no_rows_but_those_of_the_working_set(count):
    """With so many points, rows that nobody asked for hold anything."""
    points = np.random.default_rng(1).normal(size=(600, 2))
    kernel = Laplacian(gamma=1.0)
    rows = GramRows(kernel, points)
    rows.K[:] = np.nan
    chosen = np.arange(5, 5 + count)
    posed = subproblem(rows, chosen)
    d = np.linspace(-1.0, 1.0, count)
    np.testing.assert_allclose(posed.times(d), d @ kernel(points[chosen], points), rtol=1e-10, atol=1e-10)
    rows.need(np.arange(600))
    np.testing.assert_allclose(
        subproblem(rows, chosen).times(d), d @ kernel(points[chosen], points), rtol=1e-10, atol=1e-10
    )


def test_a_matrix_that_is_not_positive_definite_has_no_candidate():
    rows = GramRows(Gaussian(gamma=20.0), X)
    rows.K *= -1.0
    assert subproblem(rows).candidate(DELTA) is None


def by_hand(
    A: Array, right: Array, E: Array, lack: tuple[float, ...], fixed: dict[int, float]
) -> tuple[Array, Array]:
    """(d, rho) from all equations at once, those of fixed places replaced by d_i = t."""
    size, m = len(A), len(E)
    equations = np.zeros((size + m, size + m))
    equations[:size, :size] = A
    equations[:size, size:], equations[size:, :size] = E.T, E
    c = np.r_[right, lack]
    for place, target in fixed.items():
        equations[place] = 0.0
        equations[place, place] = 1.0
        c[place] = target
    solved = np.linalg.solve(equations, c)
    return solved[:size], solved[size:]


@pytest.mark.parametrize("fixed", [{}, {0: 0.5, 5: -0.25, 28: 0.75}], ids=["none fixed", "three fixed"])
@pytest.mark.parametrize("grouped", [False, True])
def test_a_step_of_the_system_solves_all_equations_and_holds_fixed_places(grouped, fixed):
    size, rng = 29, np.random.default_rng(1)
    A = Gaussian(gamma=2.0)(X[:size])
    right, lack = rng.normal(size=size), (0.3, -0.2) if grouped else (0.1,)
    E = CLASSES[:, :size] if grouped else None
    system = System.factorised(A.copy(), DELTA, right, E, lack)
    for places in ([0, 5], [28]) if fixed else ():  # a second time too
        system.fix(np.array(places), np.array([fixed[i] for i in places]))
    ones = np.ones((1, size)) if E is None else E
    d, rho = by_hand(A + DELTA * np.eye(size), right, ones, lack, fixed)
    np.testing.assert_allclose(system.step(), d, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(system.rho, rho, rtol=1e-8, atol=1e-10)
    assert system.fixed.tolist() == list(fixed)


MACHINES = [SoftMarginSVM(C=20.0), SquaredSlackSVM(lam=0.05), NuSVM(nu=0.3), OneClassSVM(nu=0.4)]


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
def test_a_drag_takes_fewer_factorisations_and_ends_where_a_cold_fit_does(
    machine: SupportVectorMachine, monkeypatch: pytest.MonkeyPatch
):
    sizes: list[int] = []
    factorised = System.factorised.__func__

    def counted(cls, A, *arguments):
        sizes.append(len(A))
        return factorised(cls, A, *arguments)

    monkeypatch.setattr(System, "factorised", classmethod(counted))
    rng, kernel = np.random.default_rng(3), Gaussian(gamma=8.0)
    machine = machine.replace(tol=1e-6)
    data = clouds(5, 120)
    model = machine.fit(Problem(data, kernel))
    assert sizes
    dragged, cold = 0, 0
    for k in range(15):
        data = edited(data, model, k, rng)
        sizes.clear()
        model = machine.fit(Problem(data, kernel), start=model)
        dragged += len(sizes)
        sizes.clear()
        fresh = machine.fit(Problem(data, kernel))
        cold += len(sizes)
        assert model.converged
        assert model.objectives[1] == pytest.approx(fresh.objectives[1], rel=1e-6)
        np.testing.assert_allclose(model.training_scores, fresh.training_scores, atol=2e-5)
    assert dragged < cold
