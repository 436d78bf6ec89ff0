"""Mehrotra's primal-dual interior point method for the signed dual: the rescue when Newton is stuck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.solvers.qp.program import Dual, Mask, Point, feasible

ITERATIONS = 80
STEP = 0.995


def interior_point(dual: Dual, point: Point, tol: float) -> None:
    """Solve from scratch, and put the result in `point` if its objective is better."""
    with np.errstate(all="ignore"):
        best = _iterate(dual, tol)
    b = _on_bounds(dual, best)
    h = dual.times(b)
    point.steps += best.count
    if dual.objective(b, h) <= dual.objective(point.b, point.h):
        point.move_to(dual, b, h)


@dataclass
class _Iterate:
    b: Array
    rho: Array
    s: Array
    t: Array
    v: Array
    w: Array
    count: int = 0


def _iterate(dual: Dual, tol: float) -> _Iterate:
    n, lo, hi = dual.n, dual.lo, dual.hi
    below, above = np.isfinite(lo), np.isfinite(hi)
    E = np.ones((1, n)) if dual.groups is None else dual.groups
    totals = np.asarray(dual.totals)
    K = dual.rows.whole()
    scale = float(dual.rows.diagonal.max())
    x = _first(dual, below, above, scale)
    Kb = K @ x.b
    pairs = float(below.sum() + above.sum())
    for count in range(ITERATIONS):
        x.count = count
        residual = Kb - dual.p + E.T @ x.rho - x.v + x.w
        lack = E @ x.b - totals
        mu = float(x.s[below] @ x.v[below] + x.t[above] @ x.w[above]) / pairs
        size = max(abs(float(dual.p @ x.b)), 0.5 * abs(float(x.b @ Kb)))
        if (np.abs(residual).max() < 0.1 * tol and pairs * mu < 1e-9 * size) or not mu > 1e-300:
            return x
        D = np.where(below, x.v / x.s, 0.0) + np.where(above, x.w / x.t, 0.0)
        solve = _solver(K, D, scale)
        if solve is None:
            return x
        Z = solve(E.T)
        db, drho, dv, dw = _direction(x, residual, lack, E, Z, solve, D, below, above, x.v * x.s, x.w * x.t)
        step = _longest(x, db, dv, dw, below, above)
        ahead = float(
            (x.s + step * db)[below] @ (x.v + step * dv)[below]
            + (x.t - step * db)[above] @ (x.w + step * dw)[above]
        )
        sigma = (ahead / (pairs * mu)) ** 3
        vs = x.v * x.s + db * dv - sigma * mu
        wt = x.w * x.t - db * dw - sigma * mu
        db, drho, dv, dw = _direction(x, residual, lack, E, Z, solve, D, below, above, vs, wt)
        if not np.isfinite(db).all():
            return x
        step = min(1.0, STEP * _longest(x, db, dv, dw, below, above))
        x.b, x.rho = x.b + step * db, x.rho + step * drho
        x.s, x.t = np.where(below, x.s + step * db, 1.0), np.where(above, x.t - step * db, 1.0)
        x.v, x.w = np.where(below, x.v + step * dv, 0.0), np.where(above, x.w + step * dw, 0.0)
        Kb = K @ x.b
    return x


def _first(dual: Dual, below: Mask, above: Mask, scale: float) -> _Iterate:
    """Return a point strictly inside the box, not too far from zero."""
    reach = 10.0 / max(scale, 1e-300)
    width = np.where(below & above, dual.hi - dual.lo, np.inf)
    inside = np.minimum(0.5 * width, reach)
    b = np.where(below & (np.abs(dual.lo) <= np.abs(dual.hi)), dual.lo + inside, dual.hi - inside)
    s, t = np.where(below, b - dual.lo, 1.0), np.where(above, dual.hi - b, 1.0)
    one = np.ones(len(b))
    return _Iterate(b, np.zeros(len(dual.totals)), s, t, np.where(below, one, 0.0), np.where(above, one, 0.0))


def _solver(K: Array, D: Array, scale: float) -> Callable[[Array], Array] | None:
    """Return the function x -> (K + D)^-1 x, or None when K + D is not positive definite."""
    from scipy.linalg.lapack import dpotrf, dpotrs

    for ridge in (1e-13, 1e-9):
        M = np.array(K, order="F")
        M.flat[:: len(D) + 1] += D + ridge * scale
        whole, failed = dpotrf(M, lower=1, overwrite_a=1, clean=0)
        if not failed:
            return lambda x: np.asarray(dpotrs(whole, x, lower=1)[0])
    return None


def _direction(
    x: _Iterate,
    residual: Array,
    lack: Array,
    E: Array,
    Z: Array,
    solve: Callable[[Array], Array],
    D: Array,
    below: Mask,
    above: Mask,
    vs: Array,
    wt: Array,
) -> tuple[Array, Array, Array, Array]:
    """Return the Newton direction towards complementarity vs and wt; not finite if rounding leaves none."""
    right = -residual - np.where(below, vs / x.s, 0.0) + np.where(above, wt / x.t, 0.0)
    u = solve(right)
    sums, wanted = E @ Z, E @ u + lack
    drho = np.full(len(wanted), np.nan)
    if np.isfinite(sums).all() and np.isfinite(wanted).all():
        drho = np.asarray(np.linalg.lstsq(sums, wanted, rcond=None)[0], dtype=np.float64)
    db = u - Z @ drho
    dv = np.where(below, -(vs + x.v * db) / x.s, 0.0)
    dw = np.where(above, -(wt - x.w * db) / x.t, 0.0)
    return db, drho, dv, dw


def _longest(x: _Iterate, db: Array, dv: Array, dw: Array, below: Mask, above: Mask) -> float:
    """Return the longest step before a slack or a multiplier vanishes."""
    longest = 1.0
    for value, change, inside in ((x.s, db, below), (x.t, -db, above), (x.v, dv, below), (x.w, dw, above)):
        shrinking = inside & (change < 0)
        if shrinking.any():
            longest = min(longest, float((-value[shrinking] / change[shrinking]).min()))
    return longest


def _on_bounds(dual: Dual, x: _Iterate) -> Array:
    """Put variables with a slack smaller than its multiplier on their bound, and repair the sums."""
    b = np.clip(x.b, dual.lo, dual.hi)
    scale = float(dual.rows.diagonal.max())
    b = np.where(np.isfinite(dual.lo) & (x.s * scale < x.v), dual.lo, b)
    b = np.where(np.isfinite(dual.hi) & (x.t * scale < x.w), dual.hi, b)
    free = (b > dual.lo) & (b < dual.hi)
    for inside, total in zip(dual.members, dual.totals, strict=True):
        chosen = free & inside
        count = np.count_nonzero(chosen)
        if count:
            b[chosen] += (total - float(b[inside].sum())) / count
    return feasible(dual, b)
