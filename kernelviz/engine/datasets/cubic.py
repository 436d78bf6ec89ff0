"""A cubic polynomial."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.engine.arrays import Array
from kernelviz.engine.datasets.base import CurveDataSet, noise_of, points, seed_of

__all__ = ["Cubic"]


@dataclass(frozen=True)
class Cubic(CurveDataSet):
    """f(x) = x³/2 - x for |x| <= 2"""

    name = "cubic"
    title = "Cubic"
    summary_line = "A cubic polynomial: degree 3 fits it, a higher degree fits the noise."
    family = "Smooth curves"
    place = 3

    n: int = points(20)
    noise: float = noise_of(0.3, "Standard deviation of the noise added to y")
    seed: int = seed_of()

    def truth(self, x: Array) -> Array:
        return 0.5 * x**3 - x
