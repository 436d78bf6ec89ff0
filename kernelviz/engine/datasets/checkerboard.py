"""A checkerboard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, noise_of, points, seed_of, shares, two_classes
from kernelviz.engine.params import integer

__all__ = ["Checkerboard"]


@dataclass(frozen=True)
class Checkerboard(SeededDataSet):
    """Uniform on [-2, 2]²; + on the fields whose row and column add up to an even number."""

    name = "checkerboard"
    title = "Checkerboard"
    summary_line = "XOR many times over: the classes alternate from field to field."
    family = "For a curve"
    place = 7

    n: int = points(200)
    cells: int = integer(3, low=2, high=10, soft=(2, 6), label="fields", help="Fields along each side")
    noise: float = noise_of(0.0, "Shifts the points after they are labelled: blurs the fields")
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        fields = np.stack(np.meshgrid(np.arange(self.cells), np.arange(self.cells)), axis=-1).reshape(-1, 2)
        side = 4.0 / self.cells

        def on(parity: int, count: int) -> Array:
            mine = fields[fields.sum(axis=1) % 2 == parity]
            corner = mine[rng.integers(len(mine), size=count)]
            place = side * (corner + rng.uniform(0.0, 1.0, (count, 2))) - 2.0
            return np.asarray(place + self.noise * rng.standard_normal((count, 2)))

        plus, minus = shares(self.n)
        return two_classes(on(0, plus), on(1, minus))
