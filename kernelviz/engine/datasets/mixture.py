"""A mixture of Gaussians in the manner of The Elements of Statistical Learning."""

from __future__ import annotations

from dataclasses import dataclass

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

    n: int = points(200)
    centres: int = integer(10, low=1, high=50, soft=(1, 20), help="Centres of each class")
    variance: float = real(0.2, low=0.0, high=5.0, soft=(0.0, 1.0), help="Variance around each centre")
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        def cloud(count: int, mean: Array) -> Array:
            centres = mean + rng.standard_normal((self.centres, 2))
            chosen = centres[rng.integers(self.centres, size=count)]
            return np.asarray(chosen + np.sqrt(self.variance) * rng.standard_normal((count, 2)))

        plus, minus = shares(self.n)
        return two_classes(cloud(plus, np.array([0.5, -0.5])), cloud(minus, np.array([-0.5, 0.5])))
