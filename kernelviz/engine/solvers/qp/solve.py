"""The sequence of methods: a little SMO, then Newton, and an interior point as a rescue."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias

from kernelviz.engine.solvers.qp.interior import interior_point
from kernelviz.engine.solvers.qp.newton import Newton
from kernelviz.engine.solvers.qp.program import Dual, Optimality, Point, rounding
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

RESCUE = 3000  # Without one it is tried up to so many points.


def optimise(dual: Dual, point: Point, tol: float, warm: bool, rescue: bool = True) -> Work:
    """Bring the gap of `point` down to tol, in place, and return the optimality conditions at the end.

    Yields the work done since the last yield. `rescue` allows the slow but sure methods after Newton has
    used its budget."""
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
    if newton.done or not rescue or newton.optimality.gap <= rounding(dual, point.b):
        return newton.optimality
    if dual.rows.kernel.positive_definite and dual.n <= RESCUE:
        interior_point(dual, point, tol)
        yield 20 * dual.n**3 / 3
        newton = Newton(dual, point, tol, True, PATIENCE + dual.n // 2)
        yield from newton.rounds()
        if newton.done or rounding(dual, point.b) > tol:
            return newton.optimality
    return (yield from _patiently(dual, point, tol))


def _patiently(dual: Dual, point: Point, tol: float) -> Work:
    """Take many SMO steps as LIBSVM does, which converges for indefinite kernels too, if slowly."""
    for _ in range(50):
        Smo(dual, point).run(tol, 20 + dual.n)
        point.refresh(dual)
        optimality = Optimality(dual, point)
        if optimality.gap <= max(tol, rounding(dual, point.b)):
            break
        yield 10.0 * dual.n**2
    return optimality
