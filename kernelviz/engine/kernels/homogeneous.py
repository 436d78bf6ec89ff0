"""The homogeneous polynomial kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.powers import degree, inner_scale, power
from kernelviz.engine.families.vectors import InnerProductKernel
from kernelviz.engine.pairs import Pairs

__all__ = ["Homogeneous"]


@dataclass(frozen=True)
class Homogeneous(InnerProductKernel):
    """k(x, x') = (γ x·x')^d"""

    name = "homogeneous"
    title = "Homogeneous polynomial"
    summary_line = "All monomials of exactly one degree."
    family = "Linear and polynomial"
    place = 2
    latex = r"\left(\gamma\, x \cdot x'\right)^{d}"

    degree: int = degree(2, "Degree of all monomials")
    gamma: float = inner_scale()

    def of_inner_product(self, t: Array) -> Array:
        return power(self.gamma * t, self.degree)

    def power_coefficients(self) -> Array:
        return np.append(np.zeros(self.degree), self.gamma**self.degree)

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        return {"gamma": (self.degree / self.gamma) * K}

    @property
    def non_negative(self) -> bool:
        return self.degree % 2 == 0
