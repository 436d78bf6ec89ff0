"""Exclusive or in the plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, noise_of, points, seed_of, shares, two_classes

__all__ = ["Xor"]


@dataclass(frozen=True)
class Xor(SeededDataSet):
    """Clouds around (±1, ±1); + where exactly one of the two coordinates is positive."""

    name = "xor"
    title = "XOR"
    summary_line = "Four clouds on the corners of a square, opposite corners alike."
    family = "For a curve"
    place = 4

    n: int = points(100)
    noise: float = noise_of(0.35)
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        def cloud(count: int, sign: int) -> Array:
            first = np.where(np.arange(count) % 2 == 0, 1.0, -1.0)
            corners = np.column_stack([first, sign * first])
            return corners + self.noise * rng.standard_normal((count, 2))

        plus, minus = shares(self.n)
        return two_classes(cloud(plus, -1), cloud(minus, +1))
