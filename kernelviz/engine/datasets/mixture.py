"""A mixture of Gaussians in the manner of The Elements of Statistical Learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, points, seed_of, shares, two_classes
from kernelviz.engine.params import integer, real

__all__ = ["Mixture"]


@dataclass(frozen=True)
class Mixture(SeededDataSet):
    """A class has centres from N(±(1/2, -1/2), I); its points are N(one of its centres, variance I)."""

    name = "mixture"
    title = "Mixture (ESL)"
    summary_line = (
        "Two classes of many small clouds each: the best boundary is crooked, and not without mistakes."
    )
    family = "For a curve"
    place = 8

    n: int = points(200)
    centres: int = integer(10, low=1, high=50, soft=(1, 20), help="Centres of each class")
    variance: float = real(0.2, low=0.0, high=5.0, soft=(0.0, 1.0), help="Variance around each centre")
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        (_, plus), (_, minus) = self._clouds(rng)
        return two_classes(plus, minus)

    def draw_fresh(self, larger: Self, rng: np.random.Generator) -> Data:
        (around_plus, _), (around_minus, _) = self._clouds(self._stream())
        plus, minus = shares(larger.n)
        return two_classes(self._around(around_plus, plus, rng), self._around(around_minus, minus, rng))

    def _clouds(self, rng: np.random.Generator) -> list[tuple[Array, Array]]:
        """For + and for -: the centres and the points around them."""
        clouds = []
        for side, count in zip((1.0, -1.0), shares(self.n), strict=True):
            centres = side * np.array([0.5, -0.5]) + rng.standard_normal((self.centres, 2))
            clouds.append((centres, self._around(centres, count, rng)))
        return clouds

    def _around(self, centres: Array, count: int, rng: np.random.Generator) -> Array:
        chosen = centres[rng.integers(len(centres), size=count)]
        return np.asarray(chosen + np.sqrt(self.variance) * rng.standard_normal((count, 2)))
