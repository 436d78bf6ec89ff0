"""Two clouds on either side of a slanted line, for the data sets at the edge of separability."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.datasets.base import shares

__all__ = ["NORMAL", "clouds_apart"]

NORMAL = np.array([0.8, 0.6])
"""Unit normal of the line through the origin that the clouds keep away from."""


def clouds_apart(rng: np.random.Generator, n: int, gap: float) -> tuple[Array, Array]:
    """(plus, minus): every point at least gap/2 from the line on its own side, the nearest exactly there."""
    along = np.array([-NORMAL[1], NORMAL[0]])
    sides = []
    for side, count in zip((1.0, -1.0), shares(n), strict=True):
        distance = np.abs(rng.standard_normal(count)) * 0.7
        distance += 0.5 * gap - distance.min()
        sides.append(side * distance[:, None] * NORMAL + 0.8 * rng.standard_normal((count, 1)) * along)
    return sides[0], sides[1]
