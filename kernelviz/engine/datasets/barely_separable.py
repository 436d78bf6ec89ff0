"""Two clouds that a line just separates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, points, seed_of, two_classes
from kernelviz.engine.datasets.clouds import clouds_apart
from kernelviz.engine.params import real

__all__ = ["BarelySeparable"]


@dataclass(frozen=True)
class BarelySeparable(SeededDataSet):
    """Two clouds with an empty strip of width `gap` along a slanted line between them."""

    name = "barely_separable"
    title = "Barely separable"
    summary_line = "A line separates the classes, with hardly any room: the hard margin is small."

    n: int = points(80)
    gap: float = real(0.15, low=1e-3, high=3.0, soft=(0.01, 1.0), help="Width of the empty strip")
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        return two_classes(*clouds_apart(rng, self.n, self.gap))
