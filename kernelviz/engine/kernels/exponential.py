"""The exponential kernel: monomials of all degrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.vectors import InnerProductKernel
from kernelviz.engine.features import FeatureMap, exponential_coefficients, monomials
from kernelviz.engine.pairs import Pairs
from kernelviz.engine.params import real

__all__ = ["Exponential"]

SATURATION = 300.0


@dataclass(frozen=True)
class Exponential(InnerProductKernel):
    """k(x, x') = exp(γ x·x')

    Exponents are cut off at 300. That is far beyond the largest value a Gram matrix may have, so it only
    keeps a field finite far from the data."""

    name = "exponential"
    title = "Exponential"
    summary_line = "Monomials of all degrees, each damped by its factorial; grows without bound."
    family = "Linear and polynomial"
    place = 4
    latex = r"e^{\gamma\, x \cdot x'}"
    separable = True

    gamma: float = real(
        1.0,
        low=1e-6,
        high=1e6,
        soft=(1e-3, 10),
        scale="log",
        label="γ",
        help="Factor of the inner product",
        simpler="smaller",
    )

    def of_inner_product(self, t: Array) -> Array:
        # float32 ends at e^88.
        most = SATURATION if t.dtype == np.float64 else 80.0
        return np.exp(np.clip(self.gamma * t, -SATURATION, most))

    @property
    def non_negative(self) -> bool:
        return True

    def log_gram(self, X: Array, Y: Array) -> Array:
        return self.gamma * self.statistic(X, Y)

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        return {"gamma": u * K}

    def axis_factor(self, j: int, x: Array, a: Array, dtype: Any = np.float64) -> Array | None:
        # A cut-off factor would be wrong where another one makes up for it.
        if self.gamma * np.abs(x).max(initial=0) * np.abs(a).max(initial=0) > SATURATION:
            return None
        return super().axis_factor(j, x, a, dtype)

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        return monomials(exponential_coefficients(self.gamma, degree), p)
