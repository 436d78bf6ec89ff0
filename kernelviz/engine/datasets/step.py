"""A jump."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.datasets.base import CurveDataSet, noise_of, points, seed_of

__all__ = ["Step"]


@dataclass(frozen=True)
class Step(CurveDataSet):
    """f(x) = -1 for x < 0, +1 from there on, |x| <= 2"""

    name = "step"
    title = "Step"
    summary_line = "A jump from -1 to +1: what is smooth rounds it off or swings on both sides."
    family = "Curves that are hard"
    place = 4

    n: int = points(60)
    noise: float = noise_of(0.1, "Standard deviation of the noise added to y")
    seed: int = seed_of()

    def truth(self, x: Array) -> Array:
        return np.where(x < 0, -1.0, 1.0)
