"""Exclusive or on a line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, points, seed_of, shares, two_classes
from kernelviz.engine.params import real

__all__ = ["XorLine"]


@dataclass(frozen=True)
class XorLine(SeededDataSet):
    """+ uniform on |x1| <= 1 - gap/2, - uniform on 1 + gap/2 <= |x1| <= 2; x2 is only jitter."""

    name = "xor_line"
    title = "XOR on a line"
    summary_line = "One input decides: - at both ends, + between. Adding x² makes it a straight cut."
    family = "For a curve"
    place = 5

    n: int = points(40)
    gap: float = real(0.4, low=0.0, high=1.5, label="gap", help="Empty stretch between the classes")
    jitter: float = real(
        0.0, low=0.0, high=1.0, label="jitter", help="Standard deviation of x2, which says nothing"
    )
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        def off_the_line(x: Array) -> Array:
            return np.column_stack([x, self.jitter * rng.standard_normal(len(x))])

        plus, minus = shares(self.n)
        edge = 0.5 * self.gap
        middle = rng.uniform(edge - 1.0, 1.0 - edge, plus)
        ends = np.where(np.arange(minus) % 2 == 0, 1.0, -1.0) * rng.uniform(1.0 + edge, 2.0, minus)
        return two_classes(off_the_line(middle), off_the_line(ends))
