"""A curve with a few points far from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import CurveDataSet, noise_of, points, seed_of
from kernelviz.engine.params import real

__all__ = ["Outliers"]


@dataclass(frozen=True)
class Outliers(CurveDataSet):
    """f(x) = sin(πx/2) for |x| <= 2; a share of the points lies 2 to 4 above it"""

    name = "outliers"
    title = "Outliers"
    summary_line = (
        "A sine with some points thrown far up: squares are drawn to them, absolute values are not."
    )
    family = "Curves that are hard"
    place = 5

    n: int = points(60)
    noise: float = noise_of(0.1, "Standard deviation of the noise added to y")
    share: float = real(0.1, low=0.0, high=0.5, label="share", help="Part of the points that are thrown up")
    seed: int = seed_of()

    def truth(self, x: Array) -> Array:
        return np.sin(0.5 * np.pi * x)

    def draw(self, rng: np.random.Generator) -> Data:
        around = super().draw(rng)
        thrown = np.zeros(self.n)
        thrown[rng.permutation(self.n)[: round(self.share * self.n)]] = 1.0
        return Data.regression(around.X, around.y + thrown * rng.uniform(2.0, 4.0, self.n), around.columns)
