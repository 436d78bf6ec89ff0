"""A proximal active-set Newton method for the signed dual: the workhorse, warm or after a little SMO.

Each round solves the programme on a working set W (the free points and those that want to leave their
bound) with a small ridge delta, clips to the box, and keeps the step only when the dual objective improves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms import smo
from kernelviz.engine.algorithms.qp import Dual, Point, feasible, kkt_gap
from kernelviz.engine.arrays import Array, Indices

__all__ = ["newton"]

CLIPS = 12
"""Times a candidate may be clipped and solved again."""

TRIES = 9
"""Times the ridge may grow within one round."""

FEW = 6
"""Working sets of so few points are left to SMO when a candidate fails."""


@dataclass
class _Ridge:
    """delta, adapted like a trust region: shrinks while steps succeed, grows when they fail."""

    least: float
    first: float
    delta: float
    jumped: bool = False
    burnt: bool = False
    """A jump to the least ridge has failed before."""

    def succeeded(self) -> None:
        self.jumped = False
        if self.burnt:
            self.delta = max(self.least, 0.03 * self.delta)
        else:
            self.delta *= 0.1
            if self.delta < 0.09 * self.first:
                self.jumped = self.delta > self.least
                self.delta = self.least


def newton(dual: Dual, point: Point, tol: float, warm: bool, budget: int) -> Iterator[float]:
    """Improve `point` in place until its gap is at most `tol` or the budget of factorisations is used.

    Yields the work done since the last yield, in floating point operations; b and h are consistent then."""
    largest = dual.largest
    scale = float(dual.rows.diagonal.max())
    least = 1e-10 * scale
    first = max(least, 0.03 / largest if 0 < largest < np.inf else 0.03 * dual.rows.ridge)
    ridge = _Ridge(least, first, least if warm else first)
    free_only = warm
    while True:
        g = point.h - dual.p
        point.gap, middle = kkt_gap(dual, point.b, g)
        off = _off(dual, point.b)
        balanced = np.abs(off).max() <= 1e-12 * max(1.0, float(np.abs(point.b).sum()))
        if point.gap <= tol and balanced:
            if point.updates <= 8:
                return
            point.h[:] = dual.rows.times(point.b)
            point.updates = 0
            continue
        if budget <= 0:
            return
        W = _working_set(dual, point, g, middle, tol, free_only)
        free_only = False
        work, used = 0.0, 0
        step = None
        if len(W) > 0:
            step, work, used = _search(dual, point, g, W, off, balanced, ridge)
            budget -= used
        if step is not None:
            _take(dual, point, W, step)
        elif balanced:
            smo.run(dual, point, tol, 20)
            budget -= 1
        else:
            point.b[:] = feasible(dual, point.b)
            point.h[:] = dual.rows.times(point.b)
            point.updates = 0
            budget -= 1
        yield work


def _off(dual: Dual, b: Array) -> Array:
    """What each group's sum lacks."""
    if dual.groups is None:
        return np.array([dual.totals[0] - float(b.sum())])
    return np.asarray(dual.totals) - dual.groups @ b


def _working_set(dual: Dual, point: Point, g: Array, middle: Array, tol: float, free_only: bool) -> Indices:
    b = point.b
    above, below = b > dual.lo, b < dual.hi
    free = above & below
    if free_only and free.any():
        return np.flatnonzero(free)
    rho = middle if point.steps == 0 else point.rho
    slope = g + (rho[0] if dual.groups is None else rho @ dual.groups)
    wants = np.where(above, slope > 0.25 * tol, slope < -0.25 * tol)
    W = np.flatnonzero(free | wants)
    if len(W) < 2 or point.steps == 0 or not wants.any():
        slope = g + (middle[0] if dual.groups is None else middle @ dual.groups)
        wants = np.where(above, slope > 0.25 * tol, slope < -0.25 * tol)
        W = np.flatnonzero(free | wants)
    return W


def _search(
    dual: Dual, point: Point, g: Array, W: Indices, off: Array, balanced: bool, ridge: _Ridge
) -> tuple[Array | None, float, int]:
    """(a step d on W that improves the objective, or None; the work; the factorisations)."""
    dual.rows.need(W)
    A = dual.rows.K[np.ix_(W, W)]
    gW, bW = g[W], point.b[W]
    lo, hi = dual.lo[W] - bW, dual.hi[W] - bW
    E = np.ones((1, len(W))) if dual.groups is None else dual.groups[:, W]
    work, used = 0.0, 0
    for attempt in range(TRIES):
        found = _candidate(A, gW, lo, hi, E, off, ridge.delta)
        used += found.factorisations
        work += found.work
        if found.d is not None:
            slope = float(found.d @ gW)
            if slope + 0.5 * float(found.d @ (A @ found.d)) < 0.0 or not balanced:
                point.rho = found.rho
                if attempt == 0:
                    ridge.succeeded()
                else:
                    ridge.jumped = False
                return found.d, work, used
        if ridge.jumped:
            ridge.burnt, ridge.jumped = True, False
            ridge.delta = max(ridge.first * 0.01, ridge.delta * 5)
        else:
            ridge.delta = max(ridge.first, ridge.delta * 5)
        if len(W) <= FEW and balanced:
            break
    return None, work, used


@dataclass
class _Found:
    d: Array | None
    rho: Array
    work: float
    factorisations: int


def _candidate(A: Array, g: Array, lo: Array, hi: Array, E: Array, off: Array, delta: float) -> _Found:
    """Solve (A + delta I) d + E'rho = -g, E d = off; clip to [lo, hi], fix the clipped, solve for the rest."""
    from scipy.linalg.lapack import dpotrf, dpotrs

    m, size = E.shape
    d = np.zeros(size)
    rest = np.arange(size)
    rho = np.zeros(m)
    work, used = 0.0, 0
    right = -g
    lack = off
    for _ in range(CLIPS):
        whole = len(rest) == size
        M = A.copy(order="F") if whole else np.asfortranarray(A[np.ix_(rest, rest)])
        M.flat[:: len(rest) + 1] += delta
        factor, failed = dpotrf(M, lower=1, overwrite_a=1, clean=0)
        used += 1
        work += len(rest) ** 3 / 3
        if failed:
            return _Found(None, rho, work, used)
        columns = np.empty((1 + m, len(rest)))
        columns[0] = right[rest]
        columns[1:] = E[:, rest]
        solved, _ = dpotrs(factor, columns.T, lower=1)
        u, V = solved[:, 0], solved[:, 1:]
        rho = _multipliers(E[:, rest], u, V, lack)
        part = u - V @ rho
        low, high = lo[rest], hi[rest]
        out = (part < low) | (part > high)
        if not out.any():
            d[rest] = part
            return _Found(_spread(d, lo, hi, E, off, rest), rho, work, used)
        fixed = rest[out]
        d[fixed] = np.clip(part[out], low[out], high[out])
        rest = rest[~out]
        if len(rest) == 0 or not all(E[k, rest].any() for k in range(m)):
            break
        right = -g - A[:, fixed] @ d[fixed] if whole else right - A[:, fixed] @ d[fixed]
        lack = off - E @ d if whole else lack - E[:, fixed] @ d[fixed]
    d[rest] = 0.0
    if np.abs(E @ d - off).max() > 1e-12 * max(1.0, float(np.abs(d).sum())):
        return _Found(None, rho, work, used)
    return _Found(d, rho, work, used)


def _multipliers(E: Array, u: Array, V: Array, lack: Array) -> Array:
    if len(E) == 1:
        return np.array([(float(u.sum()) - float(lack[0])) / float(V[:, 0].sum())])
    try:
        return np.linalg.solve(E @ V, E @ u - lack)
    except np.linalg.LinAlgError:
        return np.zeros(len(E))


def _spread(d: Array, lo: Array, hi: Array, E: Array, off: Array, rest: Indices) -> Array:
    """Share the rounding error of the sums among the free entries."""
    for k in range(len(E)):
        members = rest[E[k, rest] > 0]
        error = float(off[k]) - float(E[k] @ d)
        if error != 0.0 and len(members):
            d[members] = np.clip(d[members] + error / len(members), lo[members], hi[members])
    return d


def _take(dual: Dual, point: Point, W: Indices, d: Array) -> None:
    moved = np.flatnonzero(d)
    where, step = W[moved], d[moved]
    b = point.b
    lo, hi = dual.lo[where], dual.hi[where]
    old = b[where]
    new = old + step
    new = np.where(step == lo - old, lo, np.where(step == hi - old, hi, new))
    b[where] = np.clip(new, lo, hi)
    point.h += step @ dual.rows.K[where]
    point.steps += 1
    point.updates += 1
