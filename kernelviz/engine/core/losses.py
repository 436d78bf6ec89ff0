"""Losses of a point, as functions of t = z·s(x), or for real targets of the residual r = y - s(x).

A `Loss` maps arrays elementwise and carries the formula that is displayed:

    HINGE.formula                             # max(0, 1 − z·s)
    HINGE.of(np.array([-1.0, 0.5, 2.0]))      # array([2. , 0.5, 0. ])"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kernelviz.engine.core.arrays import Array


@dataclass(frozen=True)
class Loss:
    """A loss with its name and formula.

    of: the loss of each t = z·s(x), or of each residual r = y - s(x) if `of_residual`. kinks: the places
    where it bends or jumps, which a drawn curve must not round off."""

    name: str
    of: Callable[[Array], Array]
    formula: str
    kinks: tuple[float, ...] = ()
    of_residual: bool = False  # Whether it is a function of r = y - s, not of z·s.
    # The probability of class + that a score estimates where the loss is minimised, if it estimates one.
    probability: Callable[[Array], Array] | None = None
    # What that is called: the estimate of least squares may leave the range from 0 to 1.
    estimate: Literal["p", "value"] = "p"

    def mean(self, t: Array) -> float:
        """Return the mean over all points, infinite where it overflows."""
        with np.errstate(over="ignore"):
            return float(self.of(t).mean())


HINGE = Loss("hinge", lambda t: np.maximum(0.0, 1.0 - t), "max(0, 1 − z·s)", (1.0,))
SQUARED_HINGE = Loss("squared hinge", lambda t: np.maximum(0.0, 1.0 - t) ** 2, "max(0, 1 − z·s)²")
LOGISTIC = Loss(
    "logistic",
    lambda t: np.logaddexp(0.0, -t),
    "ln(1 + exp(−z·s))",
    probability=lambda s: np.exp(-np.logaddexp(0.0, -s)),
)
SQUARED = Loss(
    "squared",
    lambda t: (1.0 - t) ** 2,
    "(1 − z·s)²",
    probability=lambda s: 0.5 * (s + 1.0),
    estimate="value",
)
# Of targets 0 and 1 and a score that is the fit less ½.
SQUARED_TO_HALF = Loss(
    "squared", lambda t: (0.5 - t) ** 2, "(½ − z·s)²", probability=lambda s: s + 0.5, estimate="value"
)
ZERO_ONE = Loss("0-1", lambda t: (np.asarray(t) <= 0).astype(np.float64), "1 if z·s ≤ 0, else 0", (0.0,))

SQUARED_ERROR = Loss("squared", np.square, "(y − s)²", of_residual=True)
ABSOLUTE_ERROR = Loss("absolute", np.abs, "|y − s|", (0.0,), of_residual=True)


def epsilon_insensitive(epsilon: float) -> Loss:
    """Return the loss max(0, |r| - epsilon), which is zero inside the tube."""
    return Loss(
        "epsilon-insensitive",
        lambda r: np.maximum(0.0, np.abs(r) - epsilon),
        "max(0, |y − s| − ε)",
        (-epsilon, epsilon),
        of_residual=True,
    )


def huber(delta: float = 1.0) -> Loss:
    """Return the loss that is r² for |r| <= delta and continues in straight lines, 2 delta |r| - delta²."""

    def of(r: Array) -> Array:
        size = np.minimum(np.abs(r), delta)
        return np.asarray(size * (2.0 * np.abs(r) - size))

    return Loss("Huber", of, "r² if |r| ≤ δ, else 2δ|r| − δ²,  r = y − s", of_residual=True)
