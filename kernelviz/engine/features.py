"""Explicit feature maps: phi(x) as a matrix whose columns have names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array, as_points

__all__ = ["FeatureMap"]


@dataclass(frozen=True)
class FeatureMap:
    """phi: (n, p) -> (n, q) with a LaTeX name for each of the q features."""

    names: tuple[str, ...]
    compute: Callable[[Array], Array]

    @property
    def q(self) -> int:
        return len(self.names)

    def __call__(self, X: Any) -> Array:
        return self.compute(as_points(X))

    def on_grid(self, weights: Array, x1: Array, x2: Array) -> Array:
        """F[k, l] = sum_j weights_j phi_j(x1_l, x2_k), row by row of the grid."""
        F = np.empty((len(x2), len(x1)))
        for k, height in enumerate(x2):
            F[k] = self.compute(np.column_stack([x1, np.full(len(x1), height)])) @ weights
        return F
