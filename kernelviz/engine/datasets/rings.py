"""The bull's eye of the lecture notes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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

__all__ = ["Rings"]


@dataclass(frozen=True)
class Rings(SeededDataSet):
    """+ uniform in a disc of radius 0.7, - on a ring of radius 1.6, both blurred by noise."""

    name = "rings"
    title = "Rings (bull's eye)"
    summary_line = "A disc of + inside a ring of -: no line separates them, a circle does."
    family = "For a curve"
    place = 1

    n: int = points(120)
    noise: float = noise_of(0.12)
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        inner, outer = shares(self.n)
        turn = rng.uniform(0.0, 2 * np.pi, outer)
        disc = in_disc(rng, inner, 0.7)
        ring = 1.6 * np.column_stack([np.cos(turn), np.sin(turn)])
        return two_classes(
            disc + self.noise * rng.standard_normal((inner, 2)),
            ring + self.noise * rng.standard_normal((outer, 2)),
        )
