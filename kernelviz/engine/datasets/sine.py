"""A sine wave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.datasets.base import CurveDataSet, noise_of, points, seed_of

__all__ = ["Sine"]


@dataclass(frozen=True)
class Sine(CurveDataSet):
    """f(x) = sin(πx) for |x| <= 2"""

    name = "sine"
    title = "Sine"
    summary_line = "Two turns of a sine wave: smooth, and a periodic kernel knows how it goes on."
    family = "Smooth curves"
    place = 1

    n: int = points(60)
    noise: float = noise_of(0.15, "Standard deviation of the noise added to y")
    seed: int = seed_of()

    def truth(self, x: Array) -> Array:
        return np.sin(np.pi * x)
