"""What a point costs, as a function of t = z·s(x)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["HINGE", "LOGISTIC", "SQUARED", "SQUARED_HINGE", "SQUARED_TO_HALF", "ZERO_ONE", "Loss"]


@dataclass(frozen=True)
class Loss:
    """A loss by name, with its formula; `kinks` are where it bends or jumps."""

    name: str
    of: Callable[[Array], Array]
    formula: str
    kinks: tuple[float, ...] = ()

    def mean(self, t: Array) -> float:
        """Over all points; infinite where it overflows."""
        with np.errstate(over="ignore"):
            return float(self.of(t).mean())


HINGE = Loss("hinge", lambda t: np.maximum(0.0, 1.0 - t), "max(0, 1 − z·s)", (1.0,))
SQUARED_HINGE = Loss("squared hinge", lambda t: np.maximum(0.0, 1.0 - t) ** 2, "max(0, 1 − z·s)²")
LOGISTIC = Loss("logistic", lambda t: np.logaddexp(0.0, -t), "ln(1 + exp(−z·s))")
SQUARED = Loss("squared", lambda t: (1.0 - t) ** 2, "(1 − z·s)²")
SQUARED_TO_HALF = Loss("squared", lambda t: (0.5 - t) ** 2, "(½ − z·s)²")
"""Of targets 0 and 1 and a score that is the fit less ½."""
ZERO_ONE = Loss("0-1", lambda t: (np.asarray(t) <= 0).astype(np.float64), "1 if z·s ≤ 0, else 0", (0.0,))
