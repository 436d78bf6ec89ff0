"""Two Gaussian clouds that overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, points, seed_of, shares, two_classes
from kernelviz.engine.params import real

__all__ = ["Gaussians"]


@dataclass(frozen=True)
class Gaussians(SeededDataSet):
    """N(+m, s² I) against N(-m, s² I) with |2m| = distance and s = noise."""

    name = "gaussians"
    title = "Two Gaussians"
    summary_line = "Two round clouds that overlap: no boundary is without mistakes, a straight line is best."
    family = "For a line"
    place = 1

    n: int = points(100)
    distance: float = real(2.0, low=0.0, high=10.0, soft=(0.0, 5.0), help="Distance between the two means")
    noise: float = real(0.7, low=0.0, high=5.0, soft=(0.0, 2.0), help="Standard deviation of each cloud")
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        mean = 0.5 * self.distance * np.array([0.8, 0.6])
        plus, minus = shares(self.n)
        return two_classes(
            self.noise * rng.standard_normal((plus, 2)) + mean,
            self.noise * rng.standard_normal((minus, 2)) - mean,
        )
