"""Two spirals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, noise_of, points, seed_of, shares, two_classes
from kernelviz.engine.params import real

__all__ = ["Spirals"]


@dataclass(frozen=True)
class Spirals(SeededDataSet):
    """r = 2t at angle 2π · turns · t for t from 0.1 to 1; the other class is the same, turned by half."""

    name = "spirals"
    title = "Spirals"
    summary_line = "Two arms wound around each other: needs a narrow kernel."
    family = "For a curve"
    place = 6

    n: int = points(160)
    turns: float = real(1.25, low=0.1, high=5.0, soft=(0.25, 3.0), help="How often the arms go round")
    noise: float = noise_of(0.05)
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        arms = []
        for side, count in zip((1.0, -1.0), shares(self.n), strict=True):
            # Equal steps in t² spread the points evenly along the arm.
            t = np.sqrt(np.linspace(0.01, 1.0, count))
            turn = 2 * np.pi * self.turns * t
            arm = side * 2.0 * t[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
            arms.append(arm + self.noise * rng.standard_normal(arm.shape))
        return two_classes(*arms)
