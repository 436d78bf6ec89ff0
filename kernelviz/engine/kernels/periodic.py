"""The periodic kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import real
from kernelviz.engine.kernels.derivatives import Pairs
from kernelviz.engine.kernels.vectors import StationaryKernel, clipped, decay, length_scale


@dataclass(frozen=True)
class Periodic(StationaryKernel):
    """k(x, x') = exp(-(2/ℓ²) sum_j sin²(π (x_j - x'_j) / T)), a product over the columns"""

    name = "periodic"
    title = "Periodic"
    summary_line = "Repeats itself with period T along every input."
    family = "Others"
    place = 2
    latex = r"e^{-\frac{2}{\ell^2} \sum_j \sin^2 \frac{\pi (x_j - x_j')}{T}}"
    separable = True
    analytic = True

    period: float = real(1.0, low=1e-15, high=1e15, soft=(0.1, 10), scale="log", label="T", help="Period")
    l: float = length_scale("Smoothness within a period: small makes sharp bumps")  # noqa: E741

    def along_axis(self, j: int, x: Array, a: Array) -> Array:
        turns = np.subtract.outer(x, a) / self.period
        turns -= np.rint(turns)  # whole periods away first: sin loses the digits of a large argument
        s = np.sin(np.pi * turns)
        s *= s
        return np.asarray(s)

    def of_statistic(self, u: Array) -> Array:
        return decay(u, 2 / self.l**2)

    def log_of_statistic(self, u: Array) -> Array:
        return (-2.0 / self.l**2) * u

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        """Return the derivatives: sin² changes with T by (π d / T²) sin(2π d / T) for each difference d."""
        rate = 2.0 / self.l**2

        def turning(X: Array, Y: Array) -> Array:
            d = X[:, None, :] - Y[None, :, :]
            return np.asarray((d * np.sin((2.0 * np.pi / self.period) * d)).sum(axis=2))

        return {
            "period": (rate * np.pi / self.period**2) * K * pairs.each(turning),
            "l": (2.0 * rate / self.l) * K * u,
        }

    def starts(self, X: Any) -> tuple[Self, ...]:
        """Return kernels with one and two periods over the range of the points: for each number of periods
        the likelihood has another maximum."""
        spread = float(np.ptp(self.checked(X), axis=0).max(initial=0.0))
        declared = self.parameter("period")
        return tuple(self.replace(period=clipped(spread / turns, declared)) for turns in (1, 2))

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array:
        """Draw multiples of 2π/T: exp((cos θ - 1)/ℓ²) is the characteristic function of the difference of
        two Poisson variables of mean 1/(2ℓ²)."""
        mean = 1 / (2 * self.l**2)
        steps = rng.poisson(mean, (q, p)) - rng.poisson(mean, (q, p))
        return np.asarray(2 * np.pi / self.period * steps)
