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

    def per_octave(self, error: float) -> int:
        """k for an error relative to K; for inverse rates relative to K(x, x).

        With g = e^t the expectation is an integral over t, and the trapezoidal rule with step h = ln 2 / k is
        wrong by about twice the Fourier transform of what is integrated at 2π/h: |Γ(a + 2πi/h)| / Γ(a) times
        K, a the shape. It falls off exponentially in 1/h."""
        from scipy.special import loggamma

        k, a = 1, self.shape
        while 2 * np.exp(loggamma(a + 2j * pi * k / log(2)).real - lgamma(a)) > error:
            k += 1
        return k

    def gaussians(self, tolerance: float, per_octave: int) -> Gaussians:
        """The trapezoidal rule, each end cut off where no more than the tolerance is left."""
        a, k = self.shape, per_octave
        h, digits = log(2) / k, -log(tolerance)
        # P(g < e^t) <= e^{at} / Γ(a + 1), and Chernoff's bound on the other side.
        lowest = (lgamma(a + 1) - digits) / a
        highest = log(a + sqrt(2 * a * digits) + digits)
        m = np.arange(int(lowest / h) - 1, int(highest / h) + 2)
        weights = h * np.exp(a * h * m - np.exp(h * m) - lgamma(a))
        needed = (np.cumsum(weights) > tolerance) & (np.cumsum(weights[::-1])[::-1] > tolerance)
        m, weights = m[needed], weights[needed]
        if self.inverse:
            m, weights = -m[::-1], weights[::-1]
        return Gaussians(self.scale * 2.0 ** (m / k), weights, k)
