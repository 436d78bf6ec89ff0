"""The cardinal sine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.datasets.base import CurveDataSet, noise_of, points, seed_of

__all__ = ["Sinc"]


@dataclass(frozen=True)
class Sinc(CurveDataSet):
    """f(x) = sin(πx)/(πx) for |x| <= 4"""

    name = "sinc"
    title = "Sinc"
    summary_line = "A peak with ripples that die away: the usual test of support vector regression."
    family = "Smooth curves"
    place = 2
    reach = 4.0

    n: int = points(80)
    noise: float = noise_of(0.05, "Standard deviation of the noise added to y")
    seed: int = seed_of()

    def truth(self, x: Array) -> Array:
        return np.asarray(np.sinc(x))
