"""Kernels that are Gaussians of many widths added up."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log, pi, sqrt

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["GammaRates", "Gaussians"]


@dataclass(frozen=True)
class Gaussians:
    """sum_m c_m exp(-r_m |x - x'|²), r_{m+k} = 2 r_m: the narrower is the wider one squared."""

    rates: Array
    """r_m > 0, ascending"""
    weights: Array
    """c_m > 0, together 1"""
    per_octave: int
    """k"""
    loose: int = 0
    """How many at the beginning have rates of their own."""

    def __len__(self) -> int:
        return len(self.rates)


@dataclass(frozen=True)
class GammaRates:
    """K(x, x') = E exp(-r |x - x'|²), r = scale · g or scale / g, g drawn from a gamma distribution."""

    shape: float
    scale: float
    inverse: bool = False

    def gaussians(self, tolerance: float, relative: float = 0.0) -> Gaussians:
        """A sum that differs from K by no more than 2 tolerance + max(3 tolerance, relative K).

        Of inverse rates nothing relative can be said."""
        m, weights, k = _lattice(self.shape, tolerance, 0.0 if self.inverse else relative)
        if self.inverse:
            m, weights = -m[::-1], weights[::-1]
        return Gaussians(self.scale * 2.0 ** (m / k), weights, k)


def _lattice(a: float, tolerance: float, relative: float) -> tuple[Array, Array, int]:
    """(m, c_m, k): E f(ln g) ≈ sum_m c_m f(m h), h = ln 2 / k, g of shape a, by the trapezoidal rule.

    With g = e^t the density exp(a t - e^t) / Γ(a) falls off on both sides, and the rule is wrong by about
    twice its Fourier transform at 2π/h, |Γ(a + 2πi/h)| / Γ(a), which falls off exponentially in 1/h. Times
    exp(-u e^t) it is (1 + u)^-a times that."""
    from scipy.special import loggamma

    k = 1
    while 2 * np.exp(loggamma(a + 2j * pi * k / log(2)).real - lgamma(a)) > max(3 * tolerance, relative):
        k += 1
    h, digits = log(2) / k, -log(tolerance)
    # P(g < e^t) <= e^{at} / Γ(a + 1), and Chernoff's bound on the other side.
    lowest = (lgamma(a + 1) - digits) / a
    highest = log(a + sqrt(2 * a * digits) + digits)
    m = np.arange(int(lowest / h) - 1, int(highest / h) + 2)
    weights = h * np.exp(a * h * m - np.exp(h * m) - lgamma(a))
    needed = (np.cumsum(weights) > tolerance) & (np.cumsum(weights[::-1])[::-1] > tolerance)
    return m[needed].astype(np.float64), weights[needed], k
