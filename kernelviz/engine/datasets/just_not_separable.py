"""Two clouds that a line just fails to separate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.barely_separable import NORMAL, clouds_apart
from kernelviz.engine.datasets.base import SeededDataSet, points, seed_of, two_classes
from kernelviz.engine.params import real

__all__ = ["JustNotSeparable"]


@dataclass(frozen=True)
class JustNotSeparable(SeededDataSet):
    """As barely_separable, but one + sits in the middle of the three - points nearest to the line.

    It is a convex combination of - points, so no line can cut it off."""

    name = "just_not_separable"
    title = "Just not separable"
    summary_line = "A single + among the - is enough: the hard margin has no solution, a soft one does."
    family = "For a line"
    place = 3

    n: int = points(80, low=8)
    gap: float = real(0.15, low=1e-3, high=3.0, soft=(0.01, 1.0), help="Width of the strip between the rest")
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        plus, minus = clouds_apart(rng, self.n, self.gap)
        nearest = np.argsort(-(minus @ NORMAL), kind="stable")[:3]
        plus[np.argmin(plus @ NORMAL)] = minus[nearest].mean(axis=0)
        return two_classes(plus, minus)
