"""The sequence of methods: a little SMO, then Newton, and Mehrotra's interior point method as a rescue."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.cholesky import factorise, solve, with_ridge
from kernelviz.engine.solvers.qp.newton import Newton
from kernelviz.engine.solvers.qp.program import Dual, Optimality, Point, closer_rounding, feasible
from kernelviz.engine.solvers.qp.smo import Smo

# Yields floating point operations done, returns where the solver stands in the end.
Work: TypeAlias = Generator[float, None, Optimality]

# The KKT violation, as a share of the size of a score, at which SMO hands over to Newton, and the number of
# its steps, as a share of that of the points, after which it does so in any case.
ROUGH, STEPS = 0.03, 0.5

# The same for regression: where weights change branches at 0 a round of Newton gains less.
ROUGH_IN_A_TUBE, STEPS_IN_A_TUBE = 0.005, 1.0

# Factorisations that Newton may use; and one more for every two points where a rescue would be dear.
PATIENCE = 60

RESCUE = 3000  # The number of points up to which it is tried without one.

ITERATIONS, STEP = 80, 0.995  # Of the rescue, and the part of the way to the nearest bound that each goes.


def optimise(dual: Dual, point: Point, tol: float, warm: bool, rescue: bool = True) -> Work:
    """Bring the gap of `point` down to tol, in place, and return the optimality conditions at the end.

    Yields the work done since the last yield. `rescue` allows the slow but sure methods after Newton has
    used its budget: the interior point, and for whatever is left many SMO steps as LIBSVM takes them, which
    converge for indefinite kernels too, if slowly."""
    if not warm:
        rough, steps = (ROUGH_IN_A_TUBE, STEPS_IN_A_TUBE) if dual.fold else (ROUGH, STEPS)
        Smo(dual, point).run(max(tol, rough * dual.spread), int(steps * dual.n))
    newton = Newton(dual, point, tol, warm, PATIENCE)
    if newton.done:
        return newton.optimality
    yield from newton.rounds()
    if not newton.done:
        newton.budget += dual.n // 2
        yield from newton.rounds()
    if newton.done or not rescue or newton.optimality.gap <= closer_rounding(dual, point.b):
        return newton.optimality
    if dual.rows.kernel.positive_definite and dual.n <= RESCUE:
        interior_point(dual, point, tol)
        yield 20 * dual.n**3 / 3
        newton = Newton(dual, point, tol, True, PATIENCE + dual.n // 2)
        yield from newton.rounds()
        if newton.done or closer_rounding(dual, point.b) > tol:
            return newton.optimality
    for _ in range(50):
        Smo(dual, point).run(tol, 20 + dual.n)
        point.refresh(dual)
        optimality = Optimality(dual, point)
        if optimality.gap <= tol or optimality.gap <= closer_rounding(dual, point.b):
            break
        yield 10.0 * dual.n**2
    return optimality


class _Interior:
    """A point strictly inside the box, with its multipliers, and Mehrotra's way from there to the optimum.

    The two bounds are the two rows of S = (b - lo, hi - b) and of their multipliers V > 0; where a bound is
    infinite, `bounded` is False, S is 1 and V is 0. Optimal is Kb - p + E'rho - V_0 + V_1 = 0, Eb = totals
    and SV = 0, with E the rows of the groups."""

    def __init__(self, dual: Dual) -> None:
        lo, hi = dual.lo, dual.hi
        self.dual, self.K, self.steps = dual, dual.rows.whole(), 0
        self.E = np.ones((1, dual.n)) if dual.groups is None else dual.groups
        self.bounded = np.isfinite((lo, hi))
        self.side = np.array([[1.0], [-1.0]])  # By how much a slack grows with b.
        self.scale = float(dual.rows.diagonal.max())
        # Not too far from zero.
        width = np.where(self.bounded.all(axis=0), hi - lo, np.inf)
        inside = np.minimum(0.5 * width, 10.0 / max(self.scale, 1e-300))
        self.b = np.where(self.bounded[0] & (np.abs(lo) <= np.abs(hi)), lo + inside, hi - inside)
        self.rho = np.zeros(len(dual.totals))
        self.S = np.where(self.bounded, (self.b - lo, hi - self.b), 1.0)
        self.V = np.where(self.bounded, 1.0, 0.0)

    def run(self, tol: float) -> None:
        """Iterate until the conditions hold, or as far as rounding allows."""
        pairs = float(np.count_nonzero(self.bounded))
        for count in range(ITERATIONS):
            self.steps, Kb = count, self.K @ self.b
            residual = Kb - self.dual.p + self.E.T @ self.rho - (self.side * self.V).sum(axis=0)
            mu = float((self.S * self.V).sum()) / pairs
            size = max(abs(float(self.dual.p @ self.b)), 0.5 * abs(float(self.b @ Kb)))
            if (np.abs(residual).max() < 0.1 * tol and pairs * mu < 1e-9 * size) or not mu > 1e-300:
                return
            L = self._factor()
            if L is None:
                return
            db, drho, dV = self._direction(L, residual, self.S * self.V)
            ahead, dS = self._longest(db, dV), self.side * db
            sigma = (float(((self.S + ahead * dS) * (self.V + ahead * dV)).sum()) / (pairs * mu)) ** 3
            db, drho, dV = self._direction(L, residual, self.S * self.V + dS * dV - sigma * mu)
            if not np.isfinite(db).all():
                return
            step = min(1.0, STEP * self._longest(db, dV))
            self.b, self.rho, self.V = self.b + step * db, self.rho + step * drho, self.V + step * dV
            self.S = np.where(self.bounded, self.S + step * self.side * db, 1.0)

    def _factor(self) -> Array | None:
        """Return the Cholesky factor of K + sum of V/S, or None if rounding leaves none."""
        for ridge in (1e-13, 1e-9):
            L = factorise(with_ridge(self.K, (self.V / self.S).sum(axis=0) + ridge * self.scale))
            if L is not None:
                return L
        return None

    def _direction(self, L: Array, residual: Array, target: Array) -> tuple[Array, Array, Array]:
        """Return the Newton step of b, rho and V towards SV = SV - target; not finite if rounding leaves
        none."""
        target = np.where(self.bounded, target, 0.0)
        Z = solve(L, self.E.T)
        u = solve(L, -residual - (self.side * target / self.S).sum(axis=0))
        sums, wanted = self.E @ Z, self.E @ u + (self.E @ self.b - self.dual.totals)
        drho = np.full(len(wanted), np.nan)
        if np.isfinite(sums).all() and np.isfinite(wanted).all():
            drho = np.asarray(np.linalg.lstsq(sums, wanted, rcond=None)[0], dtype=np.float64)
        db = u - Z @ drho
        return db, drho, -(target + self.V * self.side * db) / self.S

    def _longest(self, db: Array, dV: Array) -> float:
        """Return the longest step, at most 1, before a slack or a multiplier vanishes."""
        shares = [-change / value for value, change in ((self.S, self.side * db), (self.V, dV))]
        return 1.0 / max(1.0, *(float(share[self.bounded].max(initial=0.0)) for share in shares))

    def on_bounds(self) -> Array:
        """Return b with the weights whose slack is smaller than its multiplier on their bound, and the sums
        repaired."""
        lo, hi = self.dual.lo, self.dual.hi
        b = np.clip(self.b, lo, hi)
        near = self.bounded & (self.S * self.scale < self.V)
        b = np.where(near[1], hi, np.where(near[0], lo, b))
        free = (b > lo) & (b < hi)
        for inside, total in zip(self.dual.members, self.dual.totals, strict=True):
            chosen = free & inside
            if count := np.count_nonzero(chosen):
                b[chosen] += (total - float(b[inside].sum())) / count
        return feasible(self.dual, b)


def interior_point(dual: Dual, point: Point, tol: float) -> None:
    """Solve from scratch, and put the result in `point` if its objective is better."""
    inside = _Interior(dual)
    with np.errstate(all="ignore"):
        inside.run(tol)
    b = inside.on_bounds()
    h = dual.times(b)
    point.steps += inside.steps
    if dual.objective(b, h) <= dual.objective(point.b, point.h):
        point.move_to(dual, b, h)
