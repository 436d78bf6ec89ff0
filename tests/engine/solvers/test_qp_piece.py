"""A candidate step on a working set: whatever route it takes, it solves the equations where it is free."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.kernels.matern import Laplacian
from kernelviz.engine.solvers.qp import working_set
from kernelviz.engine.solvers.qp.rows import Rows
from kernelviz.engine.solvers.qp.working_set import Piece

N, DELTA = 90, 0.02
X = np.random.default_rng(0).normal(size=(N, 2))
CLASSES = np.stack([np.arange(N) % 3 == 0, np.arange(N) % 3 != 0]).astype(float)
W = np.r_[3:40, 45:88]


def piece(rows: Rows, W: Indices = W, grouped: bool = False, width: float = 0.6, free: int = 0) -> Piece:
    """Slopes so steep that a good part of the step leaves the box."""
    rng = np.random.default_rng(7)
    g, b = 0.5 * rng.normal(size=len(W)), rng.uniform(-0.1, 0.1, size=len(W))
    E, lack = (CLASSES[:, W], (0.3, -0.4)) if grouped else (None, (0.2,))
    return Piece(rows, W, g, b, np.full(len(W), -width), np.full(len(W), width), lack, E, free)


def solves(posed: Piece, new: Array, K: Array, delta: float) -> bool:
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
    rows = Rows(Gaussian(gamma=20.0), X)
    posed = piece(rows, grouped=grouped, width=width)
    new = posed.candidate(DELTA)
    assert new is not None
    clipped = int((np.abs(new) == width).sum())
    assert clipped > 2
    assert solves(posed, new, rows.K[np.ix_(W, W)], DELTA)
    again = route == "factorising" or (route == "both" and clipped > 0.1 * len(W))
    assert (posed.factorisations > 1) == again


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("route", ["bordering", "factorising"])
def test_the_factor_of_other_points_gives_the_same(monkeypatch, route, grouped):
    large, border = ROUTES[route]
    monkeypatch.setattr(working_set, "WORTH", 4)
    monkeypatch.setattr(working_set, "LARGE", large)
    monkeypatch.setattr(working_set, "BORDER", border)
    rows = Rows(Gaussian(gamma=20.0), X)
    before = piece(rows, W=np.r_[0:40, 46:84], grouped=grouped, width=100.0)
    assert before.candidate(1.1 * DELTA) is not None
    posed = piece(rows, grouped=grouped)
    new = posed.nearby(DELTA)
    assert new is not None
    # A ridge that is alike will do; only what is factorised anew has the one asked for.
    used = DELTA if posed.factorisations else 1.1 * DELTA
    assert solves(posed, new, rows.K[np.ix_(W, W)], used)
    assert (posed.factorisations == 0) == (route == "bordering")


def test_a_factor_of_another_ridge_or_of_too_many_other_points_is_left_alone(monkeypatch):
    monkeypatch.setattr(working_set, "WORTH", 4)
    rows = Rows(Gaussian(gamma=20.0), X)
    posed = piece(rows, width=100.0)
    assert posed.nearby(DELTA) is None
    assert posed.candidate(DELTA) is not None
    assert posed.nearby(DELTA) is not None
    assert posed.nearby(3.0 * DELTA) is None
    assert posed.nearby(DELTA / 3.0) is None
    assert piece(rows, W[:50]).nearby(DELTA) is None
    monkeypatch.setattr(working_set, "WORTH", len(W) + 1)
    assert posed.nearby(DELTA) is None


def test_a_huge_factor_is_not_kept(monkeypatch):
    monkeypatch.setattr(working_set, "WORTH", 4)
    rows = Rows(Gaussian(gamma=20.0), X)
    for huge, kept in ((len(W) - 1, False), (len(W), True)):
        monkeypatch.setattr(working_set, "HUGE", huge)
        assert piece(rows, width=100.0).candidate(DELTA) is not None
        assert (rows.factor is not None) == kept


def test_a_candidate_that_leaves_too_few_points_free_is_given_up():
    rows = Rows(Gaussian(gamma=20.0), X)
    assert piece(rows, width=0.5, free=0).candidate(DELTA) is not None
    assert piece(rows, width=0.5, free=10 * N).candidate(DELTA) is None


@pytest.mark.parametrize("count", [30, 400])
def test_the_change_of_h_needs_no_rows_but_those_of_the_working_set(count):
    """With so many points, rows that nobody asked for hold anything."""
    points = np.random.default_rng(1).normal(size=(600, 2))
    kernel = Laplacian(gamma=1.0)
    rows = Rows(kernel, points)
    rows.K[:] = np.nan
    chosen = np.arange(5, 5 + count)
    posed = piece(rows, chosen)
    d = np.linspace(-1.0, 1.0, count)
    np.testing.assert_allclose(posed.times(d), d @ kernel(points[chosen], points), rtol=1e-10, atol=1e-10)
    rows.need(np.arange(600))
    np.testing.assert_allclose(
        piece(rows, chosen).times(d), d @ kernel(points[chosen], points), rtol=1e-10, atol=1e-10
    )


def test_a_matrix_that_is_not_positive_definite_has_no_candidate():
    rows = Rows(Gaussian(gamma=20.0), X)
    rows.K *= -1.0
    assert piece(rows).candidate(DELTA) is None
