"""The sigmoid "kernel", which is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.vectors import InnerProductKernel
from kernelviz.engine.pairs import Pairs
from kernelviz.engine.params import real

__all__ = ["Sigmoid"]


@dataclass(frozen=True)
class Sigmoid(InnerProductKernel):
    """k(x, x') = tanh(γ x·x' + c): not positive semi-definite, kept as the counter-example"""

    name = "sigmoid"
    title = "Sigmoid"
    summary_line = "Looks like a neural network's unit, but is not positive semi-definite: no feature space."
    family = "Others"
    place = 3
    latex = r"\tanh\left(\gamma\, x \cdot x' + c\right)"
    positive_definite = False
    bounded = True

    gamma: float = real(
        1.0, low=1e-6, high=1e6, soft=(1e-3, 10), scale="log", label="γ", help="Factor of the inner product"
    )
    c: float = real(0.0, low=-1e6, high=1e6, soft=(-3, 3), label="c", help="Shift")

    def scaled_along(self, j: int, x: Array, a: Array, dtype: Any = np.float64) -> Array:
        u = self.gamma * self.along_axis(j, x, a)
        return (u + self.c if j == 0 else u).astype(dtype, copy=False)

    def of_scaled(self, u: Array, spare: Array) -> Array:
        return np.tanh(u, out=u)

    def multiplied_along(self, j: int, x: Array, a: Array) -> Array | None:
        """The factors of exp(2γ x·x' + 2c)."""
        u = 2 * self.scaled_along(j, x, a)
        with np.errstate(over="ignore", under="ignore"):
            return np.exp(u, out=u)

    def of_product(self, p: Array) -> Array:
        """tanh t = 1 - 2 / (e^2t + 1)"""
        p += 1.0
        np.divide(-2.0, p, out=p)
        p += 1.0
        return p

    def of_inner_product(self, t: Array) -> Array:
        u = self.gamma * t
        u += self.c
        return np.tanh(u, out=u)

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        rest = 1.0 - K * K
        return {"gamma": u * rest, "c": rest}
