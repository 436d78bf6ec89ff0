"""A linear function that changes step by step, known by the weights of the points or of the features; and
stochastic gradient descent for least squares in both forms, run side by side."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices, read_only
from kernelviz.engine.models.problem import Problem

RUNAWAY = 1e6  # Times the largest target: errors that large only grow.


class DualWalk:
    """w = sum_i beta_i phi(x_i), moved by rows of the Gram matrix; scores are kept up to date."""

    def __init__(self, K: Array) -> None:
        self.K = K
        self.beta = np.zeros(len(K))
        self.b = 0.0
        self._h = np.zeros(len(K))

    def refresh(self) -> None:
        """Compute the scores from the weights: over many steps rounding adds up."""
        self._h = self.K @ self.beta

    def at(self, rows: Indices) -> Array:
        """Return w·phi(x_i) for some points."""
        return self._h[rows]

    def everywhere(self) -> Array:
        """Return w·phi(x_i) for all points."""
        return self._h

    def norm2(self) -> float:
        """Return |w|²."""
        return float(self.beta @ self._h)

    def shrink(self, factor: float) -> None:
        """Set w <- factor w."""
        self.beta *= factor
        self._h *= factor

    def push(self, rows: Indices, amounts: Array) -> None:
        """Set w <- w + sum of amounts_i phi(x_i)."""
        self.beta[rows] += amounts
        self._h += amounts @ self.K[rows]

    def norm2_of(self, beta: Array) -> float:
        """Return |sum_i beta_i phi(x_i)|² for any weights."""
        return float(beta @ self.K @ beta)


class PrimalWalk:
    """w itself, on explicit features Phi: the cost of a step depends on its batch, not on the number of
    points.

    It has the methods of `DualWalk`."""

    def __init__(self, Phi: Array) -> None:
        self.Phi = Phi
        self.beta = np.zeros(len(Phi))
        self.b = 0.0
        self.w = np.zeros(Phi.shape[1])

    def at(self, rows: Indices) -> Array:
        return np.asarray(self.Phi[rows] @ self.w)

    def everywhere(self) -> Array:
        return np.asarray(self.Phi @ self.w)

    def norm2(self) -> float:
        return float(self.w @ self.w)

    def shrink(self, factor: float) -> None:
        self.beta *= factor
        self.w *= factor

    def push(self, rows: Indices, amounts: Array) -> None:
        self.beta[rows] += amounts
        self.w += amounts @ self.Phi[rows]

    def norm2_of(self, beta: Array) -> float:
        w = beta @ self.Phi
        return float(w @ w)


def batches(n: int, batch: int, epochs: int, seed: int) -> Iterator[Indices]:
    """Yield the minibatches of each epoch: all points once, in an order drawn with the seed."""
    rng = np.random.Generator(np.random.PCG64(seed))
    for _ in range(epochs):
        order = rng.permutation(n)
        for begin in range(0, n, batch):
            yield order[begin : begin + batch]


def runaway(y: Array) -> float:
    """Return the error beyond which a run is given up."""
    return RUNAWAY * max(float(np.abs(y).max()), 1e-100)


def descend(walk: DualWalk | PrimalWalk, y: Array, batch: Indices, rate: float, bias: bool) -> float:
    """Take one step of least squares in place, w <- w - rate/|B| sum over the batch B of (s(x_i) - y_i)
    phi(x_i); return the largest error of the batch before it."""
    with np.errstate(over="ignore", invalid="ignore"):
        errors = walk.at(batch) + walk.b - y[batch]
        change = rate / len(batch) * errors
        walk.push(batch, -change)
        if bias:
            walk.b -= float(change.sum())
        return float(np.abs(errors).max())


MOST_STEPS = 2000


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The course of both runs, the first entry before any step: half the mean squared error, and the
    multiplications spent.

    A step costs n for each of its points in the dual; in the primal q for its score and q for its part of
    the step."""

    features: int
    dual: Array
    primal: Array
    dual_cost: Array
    primal_cost: Array
    difference: float  # The largest difference between the scores of the two, at any point and step.


def compare_descents(
    problem: Problem, rate: float, batch: int, epochs: int, bias: bool, seed: int
) -> Generator[float, None, SideBySide | None]:
    """Run the descent in the dual and the same in explicit features, yielding the share done after each step.

    None if the kernel has no finite list of features. The settings are the parameters of kernel-sgd."""
    X, y = problem.X, problem.y
    phi = problem.kernel.feature_map(X.shape[1]) if isinstance(X, np.ndarray) else None
    if phi is None:
        return None
    dual, primal = DualWalk(problem.gram), PrimalWalk(phi(X))
    rows, difference, visited = [], 0.0, 0

    def note() -> None:
        nonlocal difference
        dual.refresh()
        one, two = (walk.everywhere() + walk.b for walk in (dual, primal))
        difference = max(difference, float(np.abs(one - two).max()))
        losses = (0.5 * float(np.square(y - s).mean()) for s in (one, two))
        rows.append((*losses, visited * problem.n, visited * 2 * phi.q))

    note()
    for count, points in enumerate(batches(problem.n, batch, epochs, seed)):
        largest, _ = (descend(walk, y, points, rate, bias) for walk in (dual, primal))
        visited += len(points)
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
