"""A circle in a square."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import (
    SeededDataSet,
    in_disc,
    noise_of,
    points,
    seed_of,
    shares,
    two_classes,
)

__all__ = ["CircleInSquare"]

HALF_SIDE = float(np.sqrt(np.pi / 2))
"""The square has twice the area of the unit disc, so that half of its points are in the disc."""


@dataclass(frozen=True)
class CircleInSquare(SeededDataSet):
    """Uniform in a square; + where x1² + x2² <= 1, - otherwise. Noise comes after labelling."""

    name = "circle_in_square"
    title = "Circle in a square"
    summary_line = "Uniform points, + inside the unit circle: a straight cut once x1² + x2² is a feature."
    family = "For a curve"
    place = 3

    n: int = points(150)
    noise: float = noise_of(0.0, "Shifts the points after they are labelled: blurs the circle")
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        inside, outside = shares(self.n)
        disc, rest = in_disc(rng, inside, 1.0), _outside_disc(rng, outside)
        return two_classes(
            disc + self.noise * rng.standard_normal(disc.shape),
            rest + self.noise * rng.standard_normal(rest.shape),
        )


def _outside_disc(rng: np.random.Generator, n: int) -> Array:
    """n points uniform in the square without the disc, by rejection."""
    kept = np.empty((0, 2))
    while len(kept) < n:
        drawn = rng.uniform(-HALF_SIDE, HALF_SIDE, (2 * n + 10, 2))
        kept = np.concatenate([kept, drawn[np.square(drawn).sum(axis=1) > 1.0]])
    return kept[:n]
