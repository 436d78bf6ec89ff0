"""Gradient descent on points and on features, side by side: the same steps at different cost."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.generators import finished
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.least_squares_sgd import (
    DualDescent,
    PrimalDescent,
    batches,
    descend,
    runaway,
)

if TYPE_CHECKING:
    from kernelviz.engine.algorithms.kernel_sgd import KernelSGD

__all__ = ["SideBySide", "compare_descents", "side_by_side"]

MOST_STEPS = 2000


@dataclass(frozen=True, eq=False)
class SideBySide:
    """After each step, the first entry before any: half the mean squared error of both runs, and the
    multiplications either has spent. A step costs n for each of its points in the dual; in the primal q for
    its score and q for its part of the step."""

    features: int
    dual: Array
    primal: Array
    dual_cost: Array
    primal_cost: Array
    difference: float
    """The largest difference between the scores of the two, at any point and step."""


def side_by_side(problem: Problem, algorithm: KernelSGD) -> SideBySide | None:
    """The run of kernel-sgd and the same in explicit features; None where the kernel has no finite list."""
    return finished(compare_descents(problem, algorithm))


def compare_descents(problem: Problem, algorithm: KernelSGD) -> Generator[float, None, SideBySide | None]:
    """The same, with a share done after each step."""
    X, y = problem.X, problem.y
    phi = problem.kernel.feature_map(X.shape[1]) if isinstance(X, np.ndarray) else None
    if phi is None:
        return None
    K, Phi = problem.gram, phi(X)
    dual, primal = DualDescent(K), PrimalDescent(Phi)
    rows, difference = [], 0.0

    def note() -> None:
        nonlocal difference
        one, two = K @ dual.beta + dual.b, Phi @ primal.w + primal.b
        difference = max(difference, float(np.abs(one - two).max()))
        losses = (0.5 * float(np.square(y - s).mean()) for s in (one, two))
        rows.append((*losses, dual.multiplications, primal.multiplications))

    note()
    for count, batch in enumerate(batches(problem.n, algorithm.batch, algorithm.epochs, algorithm.seed)):
        largest, _ = (descend(run, y, batch, algorithm.rate, algorithm.bias) for run in (dual, primal))
        if not largest <= runaway(y):  # where the run of the algorithm itself ends
            break
        with np.errstate(over="ignore", invalid="ignore"):
            note()
        if not np.isfinite(rows[-1]).all():
            rows.pop()
            break
        if count + 1 == MOST_STEPS:
            break
        yield (count + 1) / MOST_STEPS
    one, two, cost, other = (read_only(column) for column in np.array(rows, dtype=np.float64).T)
    return SideBySide(phi.q, one, two, cost, other, difference)
