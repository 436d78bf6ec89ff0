"""Two clouds that a line just separates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, points, seed_of, shares, two_classes
from kernelviz.engine.params import real

__all__ = ["NORMAL", "BarelySeparable", "clouds_apart"]

NORMAL = np.array([0.8, 0.6])
"""Unit normal of the line through the origin that the clouds keep away from."""


@dataclass(frozen=True)
class BarelySeparable(SeededDataSet):
    """Two clouds with an empty strip of width `gap` along a slanted line between them."""

    name = "barely_separable"
    title = "Barely separable"
    summary_line = "A line separates the classes, with hardly any room: the hard margin is small."
    family = "For a line"
    place = 2

    n: int = points(80)
    gap: float = real(0.15, low=1e-3, high=3.0, soft=(0.01, 1.0), help="Width of the empty strip")
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        return two_classes(*clouds_apart(rng, self.n, self.gap))


def clouds_apart(rng: np.random.Generator, n: int, gap: float) -> tuple[Array, Array]:
    """(plus, minus): every point at least gap/2 from the line on its own side, the nearest exactly there."""
    along = np.array([-NORMAL[1], NORMAL[0]])
    sides = []
    for side, count in zip((1.0, -1.0), shares(n), strict=True):
        distance = np.abs(rng.standard_normal(count)) * 0.7
        distance += 0.5 * gap - distance.min()
        sides.append(side * distance[:, None] * NORMAL + 0.8 * rng.standard_normal((count, 1)) * along)
    return sides[0], sides[1]
