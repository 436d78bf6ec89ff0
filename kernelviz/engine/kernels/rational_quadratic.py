"""The rational quadratic kernel: Gaussians of many widths added up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.rates import GammaRates
from kernelviz.engine.families.vectors import RadialKernel
from kernelviz.engine.families.widths import length_scale, with_length_of
from kernelviz.engine.pairs import Pairs
from kernelviz.engine.params import real

__all__ = ["RationalQuadratic"]

SIMPLE = {0.5: 0.5, 1.0: 0.21, 2.0: 0.23}
"""Powers that need no logarithm, and their effort."""


@dataclass(frozen=True)
class RationalQuadratic(RadialKernel):
    """k(x, x') = (1 + |x - x'|² / (2 α ℓ²))^-α"""

    name = "rational_quadratic"
    title = "Rational quadratic"
    summary_line = "Gaussians of all widths mixed: near points count much, far ones never quite nothing."
    family = "Gaussian and relatives"
    place = 6
    latex = r"\left(1 + \frac{\lVert x - x'\rVert^2}{2 \ell^2 \alpha}\right)^{-\alpha}"
    analytic = True

    l: float = length_scale("Distance over which K falls off")  # noqa: E741
    alpha: float = real(
        1.0, low=1e-2, high=1e3, soft=(0.1, 100), scale="log", label="α", help="Large: nearly Gaussian"
    )

    def scaled_along(self, j: int, x: Array, a: Array, dtype: Any = np.float64) -> Array:
        """The parts of 1 + |x - x'|² / (2 α ℓ²)."""
        u = self.along_axis(j, x, a) * (0.5 / (self.alpha * self.l**2))
        return (u + 1.0 if j == 0 else u).astype(dtype, copy=False)

    def of_scaled(self, u: Array, spare: Array) -> Array:
        if self.alpha not in SIMPLE:
            np.log(u, out=u)
            u *= -self.alpha
            return np.exp(u, out=u)
        return self._simple_power(u)

    def of_squared_distance(self, d2: Array) -> Array:
        base = d2 * (0.5 / (self.alpha * self.l**2))
        if self.alpha not in SIMPLE:
            # exp and log1p are several times faster than a power, and exact for distances near zero.
            return np.exp(-self.alpha * np.log1p(base, out=base))
        base += 1.0
        return self._simple_power(base)

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        """ln(1 + |x - x'|²/(2αℓ²)) = -ln K/α"""
        share = u * (0.5 / (self.alpha * self.l**2))
        share /= 1.0 + share
        return {
            "l": (2.0 * self.alpha / self.l) * K * share,
            "alpha": K * (share + np.log(K) / self.alpha),
        }

    def _simple_power(self, base: Array) -> Array:
        """base^-α for an α of 1/2, 1 or 2, in place."""
        if self.alpha == 0.5:
            np.sqrt(base, out=base)
        elif self.alpha == 2.0:
            base *= base
        # Not np.reciprocal, which takes twice as long.
        return np.divide(1.0, base, out=base)

    def effort(self) -> float:
        return SIMPLE.get(self.alpha, 1.8)

    def gaussian_rates(self) -> GammaRates:
        """(1 + u)^-α = E exp(-g u), g of shape α."""
        return GammaRates(self.alpha, 0.5 / (self.alpha * self.l**2))

    def scaled_to(self, X: Any) -> Self:
        return with_length_of(self, X)

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array:
        """A Gaussian's, its precision drawn from a gamma distribution of mean one."""
        precision = rng.gamma(self.alpha, 1 / self.alpha, (q, 1))
        return np.asarray(np.sqrt(precision) / self.l * rng.standard_normal((q, p)))
