"""Which method when: a little SMO and then Newton; an interior point for few features or as a rescue."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kernelviz.engine.algorithms import smo
from kernelviz.engine.algorithms.interior import interior_point
from kernelviz.engine.algorithms.newton import newton
from kernelviz.engine.algorithms.qp import Dual, Point, kkt_gap
from kernelviz.engine.arrays import Array

__all__ = ["optimise"]

FEATURES = 40
"""An explicit feature space of at most so many dimensions makes the interior point the first choice."""

RESCUE = 3000
"""The dense interior point is tried up to so many points."""


def optimise(dual: Dual, point: Point, tol: float, warm: bool, rescue: bool = True) -> Iterator[float]:
    """Bring `point.gap` down to tol, in place. Yields the work done since the last yield.

    `rescue` allows the slow but sure methods after Newton has used its budget."""
    V = None if warm else _features(dual)
    if V is not None:
        interior_point(dual, point, tol, V)
        yield V.size * 1e3
    elif not warm:
        smo.run(dual, point, max(tol, 0.1), dual.n)
    yield from newton(dual, point, tol, warm or V is not None, 60 + dual.n // 2)
    if point.gap > tol and rescue:
        if dual.rows.kernel.positive_definite and dual.n <= RESCUE:
            interior_point(dual, point, tol)
            yield 20 * dual.n**3 / 3
            yield from newton(dual, point, tol, True, 30)
        if point.gap > tol:
            yield from _patiently(dual, point, tol)


def _features(dual: Dual) -> Array | None:
    """V with K = VV', when the kernel has few enough explicit features for the number of points."""
    X = dual.rows.X
    if not isinstance(X, np.ndarray) or dual.rows.ridge:
        return None
    phi = dual.rows.kernel.feature_map(X.shape[1])
    if phi is None or phi.q > FEATURES or 4 * phi.q > dual.n:
        return None
    return phi(X)


def _patiently(dual: Dual, point: Point, tol: float) -> Iterator[float]:
    """Many SMO steps, the way of LIBSVM: converges for indefinite kernels too, if slowly."""
    for _ in range(50):
        smo.run(dual, point, tol, 20 + dual.n)
        point.h[:] = dual.rows.times(point.b)
        point.gap = kkt_gap(dual, point.b, point.h - dual.p)[0]
        if point.gap <= tol:
            return
        yield 10.0 * dual.n**2
