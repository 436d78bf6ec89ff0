"""The inhomogeneous polynomial kernel."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.powers import degree, inner_scale, power
from kernelviz.engine.families.vectors import InnerProductKernel
from kernelviz.engine.pairs import Pairs
from kernelviz.engine.params import real

__all__ = ["Polynomial"]


@dataclass(frozen=True)
class Polynomial(InnerProductKernel):
    """k(x, x') = (γ x·x' + c)^d"""

    name = "polynomial"
    title = "Polynomial"
    summary_line = "All monomials up to a degree: curved boundaries that reach across the whole plane."
    family = "Linear and polynomial"
    place = 1
    latex = r"\left(\gamma\, x \cdot x' + c\right)^{d}"

    degree: int = degree(3, "Largest degree of the monomials")
    gamma: float = inner_scale()
    c: float = real(1.0, low=0.0, high=1e6, soft=(0.0, 10.0), label="c", help="Weight of the lower degrees")

    def of_inner_product(self, t: Array) -> Array:
        return power(self.gamma * t + self.c, self.degree)

    def power_coefficients(self) -> Array:
        d, g, c = self.degree, self.gamma, self.c
        return np.array([comb(d, m) * g**m * c ** (d - m) for m in range(d + 1)])

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        inner: Array = self.degree * power(self.gamma * u + self.c, self.degree - 1)
        return {"gamma": u * inner, "c": inner}

    @property
    def non_negative(self) -> bool:
        return self.degree % 2 == 0
