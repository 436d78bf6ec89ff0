"""What the Matern kernels share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.decay import farthest
from kernelviz.engine.families.rates import GammaRates
from kernelviz.engine.families.vectors import RadialKernel
from kernelviz.engine.families.widths import length_scale, with_length_of
from kernelviz.engine.pairs import Pairs

__all__ = ["Matern"]


@dataclass(frozen=True)
class Matern(RadialKernel):
    """k(x, x') = f(s), s = sqrt(2ν) |x - x'| / ℓ"""

    order: ClassVar[int]
    """2ν"""

    l: float = length_scale("Distance over which K falls off")  # noqa: E741

    @abstractmethod
    def of_scaled_distance(self, s: Array, spare: Array) -> Array:
        """f(s), elementwise, for s so small that exp(-s) is a normal number; overwrites both arrays."""

    def of_squared_distance(self, d2: Array) -> Array:
        s = np.sqrt(d2 * (self.order / self.l**2))
        # Where exp(-s) is cut off, what it is multiplied by must be cut off too.
        return self.of_scaled_distance(np.fmin(s, farthest(s), out=s), np.empty_like(s))

    def log_of_statistic(self, u: Array) -> Array:
        """f is a polynomial times exp(-s): where that is cut off, the rest of -s is added."""
        s = np.sqrt(u * (self.order / self.l**2))
        return np.asarray(np.log(self.of_squared_distance(u)) - np.maximum(s - farthest(s), 0.0))

    @abstractmethod
    def falling(self, s: Array) -> Array:
        """-f'(s)/f(s), elementwise."""

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        """ds/dℓ = -s/ℓ"""
        s = np.sqrt(u * (self.order / self.l**2))
        return {"l": K * s * self.falling(s) / self.l}

    def scaled_along(self, j: int, x: Array, a: Array, dtype: Any = np.float64) -> Array:
        """The parts of s², together no more than where exp(-s) is cut off."""
        u: Array = (self.along_axis(j, x, a) * (self.order / self.l**2)).astype(dtype, copy=False)
        return np.minimum(u, 0.5 * farthest(u) ** 2, out=u)

    def of_scaled(self, u: Array, spare: Array) -> Array:
        return self.of_scaled_distance(np.sqrt(u, out=u), spare)

    def effort(self) -> float:
        return 1.4

    def gaussian_rates(self) -> GammaRates:
        """f(s) = E exp(-s² / 4g), g of shape ν."""
        return GammaRates(self.order / 2, self.order / (4 * self.l**2), inverse=True)

    def scaled_to(self, X: Any) -> Self:
        return with_length_of(self, X)

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array:
        """A multivariate t distribution with 2ν degrees of freedom."""
        chi = rng.chisquare(self.order, (q, 1))
        return np.asarray(np.sqrt(self.order / chi) / self.l * rng.standard_normal((q, p)))
