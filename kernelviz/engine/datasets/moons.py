"""Two half moons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, noise_of, points, seed_of, shares, two_classes

__all__ = ["Moons"]


@dataclass(frozen=True)
class Moons(SeededDataSet):
    """Two interleaved half circles of radius 1.2, turned about their common centre."""

    name = "moons"
    title = "Moons"
    summary_line = "Two half circles that reach into each other."
    family = "For a curve"
    place = 2

    n: int = points(120)
    noise: float = noise_of(0.15)
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        upper, lower = (np.linspace(0.0, np.pi, count) for count in shares(self.n))
        plus = 1.2 * np.column_stack([np.cos(upper) - 0.5, np.sin(upper) - 0.25])
        minus = 1.2 * np.column_stack([0.5 - np.cos(lower), 0.25 - np.sin(lower)])
        return two_classes(
            plus + self.noise * rng.standard_normal(plus.shape),
            minus + self.noise * rng.standard_normal(minus.shape),
        )
