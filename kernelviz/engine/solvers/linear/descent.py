"""Stochastic gradient descent for least squares, in dual and primal form, and both run side by side."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices, read_only
from kernelviz.engine.models.problem import Problem

RUNAWAY = 1e6  # Times the largest target: errors that large only grow.


class Descent(Protocol):
    """The state of a run."""

    b: float
    multiplications: int  # Spent on scores and steps so far.

    def scores(self, batch: Indices) -> Array:
        """Return w·phi(x_i) for the points of a batch."""
        ...

    def step(self, batch: Indices, change: Array) -> None:
        """Subtract sum_B change_i phi(x_i) from w."""
        ...


class DualDescent:
    """w = sum_i beta_i phi(x_i), known by beta and the Gram matrix."""

    def __init__(self, K: Array) -> None:
        self.K, self.beta, self.b, self.multiplications = K, np.zeros(len(K)), 0.0, 0

    def scores(self, batch: Indices) -> Array:
        self.multiplications += len(batch) * len(self.beta)
        return np.asarray(self.K[batch] @ self.beta)

    def step(self, batch: Indices, change: Array) -> None:
        self.beta[batch] -= change


class PrimalDescent:
    """w itself, on explicit features."""

    def __init__(self, Phi: Array) -> None:
        self.Phi, self.w, self.b, self.multiplications = Phi, np.zeros(Phi.shape[1]), 0.0, 0

    def scores(self, batch: Indices) -> Array:
        self.multiplications += 2 * len(batch) * len(self.w)  # for the scores, and for the step to come
        return np.asarray(self.Phi[batch] @ self.w)

    def step(self, batch: Indices, change: Array) -> None:
        self.w -= change @ self.Phi[batch]


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


def descend(run: Descent, y: Array, batch: Indices, rate: float, bias: bool) -> float:
    """Take one step in place; return the largest error of the batch before it."""
    with np.errstate(over="ignore", invalid="ignore"):
        errors = run.scores(batch) + run.b - y[batch]
        change = rate / len(batch) * errors
        run.step(batch, change)
        if bias:
            run.b -= float(change.sum())
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
    for count, points in enumerate(batches(problem.n, batch, epochs, seed)):
        largest, _ = (descend(run, y, points, rate, bias) for run in (dual, primal))
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
