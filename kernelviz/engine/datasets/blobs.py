"""Round clouds, two or more classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, noise_of, points, seed_of, shares, with_labels
from kernelviz.engine.params import integer

__all__ = ["Blobs"]


@dataclass(frozen=True)
class Blobs(SeededDataSet):
    """One Gaussian cloud per class, the centres evenly on a circle of radius 1.5."""

    name = "blobs"
    title = "Blobs"
    summary_line = "One cloud for each of two or more classes."
    family = "Several classes"
    place = 2

    n: int = points(120, low=8)
    classes: int = integer(3, low=2, high=8, help="Number of classes")
    noise: float = noise_of(0.45)
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        return self._around(rng.uniform(), rng)

    def draw_fresh(self, larger: Self, rng: np.random.Generator) -> Data:
        return larger._around(self._stream().uniform(), rng)

    def _around(self, start: float, rng: np.random.Generator) -> Data:
        """Clouds around centres of which the first is that part of a turn away from the x1 axis."""
        turn = 2 * np.pi * (np.arange(self.classes) / self.classes + start)
        centres = 1.5 * np.column_stack([np.cos(turn), np.sin(turn)])
        clouds = [
            centre + self.noise * rng.standard_normal((count, 2))
            for centre, count in zip(centres, shares(self.n, self.classes), strict=True)
        ]
        names = ["+", "-"] if self.classes == 2 else list("ABCDEFGH"[: self.classes])
        return with_labels(clouds, names)
