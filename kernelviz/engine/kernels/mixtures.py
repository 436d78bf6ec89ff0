"""Kernels that are Gaussians of many widths added up."""

from __future__ import annotations

import cmath
from dataclasses import dataclass
from math import lgamma, log, pi, sqrt

import numpy as np

from kernelviz.engine.core.arrays import Array


@dataclass(frozen=True)
class Gaussians:
    """sum_m c_m exp(-r_m |x - x'|²), r_{m+k} = 2 r_m: the narrower is the wider one squared."""

    rates: Array  # r_m > 0, ascending
    weights: Array  # c_m > 0, together 1
    per_octave: int  # k
    loose: int = 0  # How many at the beginning have rates of their own.

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
        k, a = 1, self.shape
        while log(2) + log_gamma(a + 2j * pi * k / log(2)) - lgamma(a) > log(error):
            k += 1
        return k

    def gaussians(self, tolerance: float, per_octave: int) -> Gaussians:
        """The trapezoidal rule, each end cut off where no more than twice the tolerance is left."""
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


def log_gamma(z: complex) -> float:
    """ln |Γ(z)| for Re z > 0, by Stirling's series beyond some steps of Γ(z) = Γ(z + 1) / z.

    SciPy's would take a twentieth of a second to import, in the middle of somebody's drag."""
    far = z + 8
    series = (far - 0.5) * cmath.log(far) - far + 1 / (12 * far) - 1 / (360 * far**3)
    return series.real + 0.5 * log(2 * pi) - sum(log(abs(z + j)) for j in range(8))
