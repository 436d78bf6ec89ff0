"""Explicit feature maps: phi(x) as a matrix whose columns have names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
