"""Minibatch gradient descent on half the mean squared error, in dual and in primal form.

For a minibatch B with errors e_i = s(x_i) - y_i, all taken at the old values:

    dual     beta_i -= rate/|B| e_i for i in B            K beta costs n multiplications for each i in B
    primal   w -= rate/|B| sum_B e_i phi(x_i)             w·phi(x) costs q of them
    both     b -= rate/|B| sum_B e_i

As w = sum_i beta_i phi(x_i), both take the same steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from kernelviz.engine.arrays import Array, Indices

__all__ = ["DualDescent", "PrimalDescent", "batches", "descend", "runaway"]

RUNAWAY = 1e6
"""Times the largest target: errors that large only grow."""


class Descent(Protocol):
    """Where a run stands."""

    b: float
    multiplications: int
    """Spent on scores and steps so far."""

    def scores(self, batch: Indices) -> Array:
        """w·phi(x_i) for the points of a batch."""
        ...

    def step(self, batch: Indices, change: Array) -> None:
        """w -= sum_B change_i phi(x_i)"""
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
    """The minibatches of each epoch: all points once, in an order drawn with the seed."""
    rng = np.random.Generator(np.random.PCG64(seed))
    for _ in range(epochs):
        order = rng.permutation(n)
        for begin in range(0, n, batch):
            yield order[begin : begin + batch]


def runaway(y: Array) -> float:
    """The error beyond which a run is given up."""
    return RUNAWAY * max(float(np.abs(y).max()), 1e-100)


def descend(run: Descent, y: Array, batch: Indices, rate: float, bias: bool) -> float:
    """One step, in place; returns the largest error of the batch before it."""
    with np.errstate(over="ignore", invalid="ignore"):
        errors = run.scores(batch) + run.b - y[batch]
        change = rate / len(batch) * errors
        run.step(batch, change)
        if bias:
            run.b -= float(change.sum())
        return float(np.abs(errors).max())
