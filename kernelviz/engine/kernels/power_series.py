"""The truncated geometric series of the inner product."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.powers import degree
from kernelviz.engine.families.vectors import InnerProductKernel

__all__ = ["PowerSeries"]


@dataclass(frozen=True)
class PowerSeries(InnerProductKernel):
    """k(x, x') = 1 + x·x' + (x·x')² + … + (x·x')^d"""

    name = "power_series"
    title = "Power series"
    summary_line = "All products of up to d inputs, every order weighted alike."
    family = "Linear and polynomial"
    place = 3
    latex = r"\sum_{k=0}^{d} \left(x \cdot x'\right)^k"
    looks_like_a_sum = True

    degree: int = degree(3, "Largest order")

    def of_inner_product(self, t: Array) -> Array:
        total = 1.0 + t
        for _ in range(self.degree - 1):
            total *= t
            total += 1.0
        return total

    def power_coefficients(self) -> Array:
        return np.ones(self.degree + 1)

    @property
    def non_negative(self) -> bool:
        return self.degree % 2 == 0
