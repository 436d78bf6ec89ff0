"""A curve with an empty stretch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.datasets.base import CurveDataSet, noise_of, points, seed_of
from kernelviz.engine.params import real

__all__ = ["Gap"]


@dataclass(frozen=True)
class Gap(CurveDataSet):
    """f(x) = sin(πx) for gap/2 <= |x| <= 2"""

    name = "gap"
    title = "Gap"
    summary_line = "A sine without any points around 0: there a Gaussian process says that it does not know."
    family = "Curves that are hard"
    place = 6

    n: int = points(40)
    noise: float = noise_of(0.1, "Standard deviation of the noise added to y")
    gap: float = real(1.2, low=0.0, high=3.5, label="gap", help="Empty stretch around 0")
    seed: int = seed_of()

    def truth(self, x: Array) -> Array:
        return np.sin(np.pi * x)

    def inputs(self, rng: np.random.Generator, n: int) -> Array:
        side = np.where(rng.uniform(size=n) < 0.5, -1.0, 1.0)
        return np.asarray(side * rng.uniform(0.5 * self.gap, self.reach, n))
