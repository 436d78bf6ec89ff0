"""Kernels of x - x' besides the Gaussian: Laplacian, Matérn 3/2 and 5/2, box and periodic.

They differ in how smooth their functions are: continuous for the Laplacian, differentiable once and twice for
Matérn 3/2 and 5/2, without end for the Gaussian."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import real
from kernelviz.engine.kernels.derivatives import Pairs
from kernelviz.engine.kernels.vectors import (
    FARTHEST_DECAY,
    MANY_COLUMNS,
    RadialKernel,
    StationaryKernel,
    clipped,
    decay,
    inverse_squared_width,
    length_of_gaussian,
    length_scale,
)

# The s up to which Simpson's rule has more digits of ln f than the logarithm of f, which is 1 - O(s²).
NEAR = 1e-3


@dataclass(frozen=True)
class Laplacian(StationaryKernel):
    """k(x, x') = exp(-γ sum_j |x_j - x'_j|)"""

    name = "laplacian"
    title = "Laplacian"
    summary_line = (
        "Like the Gaussian, but with the sum of the coordinate distances: peaked, with sharp ridges."
    )
    family = "Gaussian and relatives"
    place = 3
    latex = r"e^{-\gamma\,\lVert x - x'\rVert_1}"
    separable = True
    statistic_name = "|x - x'|"

    gamma: float = inverse_squared_width("Inverse width")

    def along_axis(self, j: int, x: Array, a: Array) -> Array:
        d = np.subtract.outer(x, a)
        return np.abs(d, out=d)

    def of_statistic(self, u: Array) -> Array:
        return decay(u, self.gamma)

    def log_of_statistic(self, u: Array) -> Array:
        return self.gamma * -u

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        return {"gamma": -K * u}

    def statistic(self, X: Array, Y: Array) -> Array:
        if len(X) != 1 or Y.shape[1] <= MANY_COLUMNS:
            return super().statistic(X, Y)
        D = Y - X
        return np.asarray(np.abs(D, out=D).sum(axis=1))[None, :]

    def scaled_to(self, X: Any) -> Self:
        return self.with_width(X, "gamma", lambda median: 1 / median, power=1)

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array:
        return self.gamma * rng.standard_cauchy((q, p))


@dataclass(frozen=True)
class Matern(RadialKernel):
    """k(x, x') = f(s), s = sqrt(2ν) |x - x'| / ℓ"""

    order: ClassVar[int]  # 2ν

    l: float = length_scale("Distance over which K falls off")  # noqa: E741

    @abstractmethod
    def of_scaled_distance(self, s: Array, spare: Array) -> Array:
        """Return f(s), elementwise, for s so small that exp(-s) is a normal number; overwrites both
        arrays."""

    def of_squared_distance(self, d2: Array) -> Array:
        s = np.sqrt(d2 * (self.order / self.l**2))
        # Where exp(-s) is cut off, what it is multiplied by must be cut off too.
        return self.of_scaled_distance(np.fmin(s, FARTHEST_DECAY, out=s), np.empty_like(s))

    def log_of_statistic(self, u: Array) -> Array:
        """Return ln f, where f is a polynomial times exp(-s).

        Where exp(-s) is cut off the rest of -s is added. Close to s = 0, where f rounds to 1, ln f is the
        integral of f'/f by Simpson's rule."""
        s = np.sqrt(u * (self.order / self.l**2))
        near = np.minimum(s, NEAR)
        integral = near / 6 * (4 * self.falling(near / 2) + self.falling(near))
        far = np.log(self.of_squared_distance(u)) - np.maximum(s - FARTHEST_DECAY, 0.0)
        return np.where(s < NEAR, -integral, far)

    @abstractmethod
    def falling(self, s: Array) -> Array:
        """Return -f'(s)/f(s), elementwise."""

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        """Return the derivative by ℓ, using ds/dℓ = -s/ℓ."""
        s = np.sqrt(u * (self.order / self.l**2))
        return {"l": K * s * self.falling(s) / self.l}

    def scaled_along(self, j: int, x: Array, a: Array) -> Array:
        """Return the parts of s², together at most where exp(-s) is cut off."""
        u: Array = self.along_axis(j, x, a) * (self.order / self.l**2)
        return np.minimum(u, 0.5 * FARTHEST_DECAY**2, out=u)

    def of_scaled(self, u: Array, spare: Array) -> Array:
        return self.of_scaled_distance(np.sqrt(u, out=u), spare)

    def scaled_to(self, X: Any) -> Self:
        return self.with_width(X, "l", length_of_gaussian)

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array:
        """Draw from a multivariate t distribution with 2ν degrees of freedom."""
        chi = rng.chisquare(self.order, (q, 1))
        return np.asarray(np.sqrt(self.order / chi) / self.l * rng.standard_normal((q, p)))


@dataclass(frozen=True)
class Matern32(Matern):
    """k(x, x') = (1 + s) exp(-s), s = √3 |x - x'| / ℓ"""

    name = "matern32"
    title = "Matérn 3/2"
    summary_line = "Between the Laplacian and the Gaussian: functions that can be differentiated once."
    family = "Gaussian and relatives"
    place = 4
    latex = (
        r"\left(1 + \frac{\sqrt{3}\,\lVert x - x'\rVert}{\ell}\right) "
        r"e^{-\sqrt{3}\,\lVert x - x'\rVert / \ell}"
    )
    order = 3

    def of_scaled_distance(self, s: Array, spare: Array) -> Array:
        np.negative(s, out=spare)
        np.exp(spare, out=spare)
        s += 1
        spare *= s
        return spare

    def falling(self, s: Array) -> Array:
        return np.asarray(s / (1.0 + s))


@dataclass(frozen=True)
class Matern52(Matern):
    """k(x, x') = (1 + s + s²/3) exp(-s), s = √5 |x - x'| / ℓ"""

    name = "matern52"
    title = "Matérn 5/2"
    summary_line = "Between the Laplacian and the Gaussian: functions that can be differentiated twice."
    family = "Gaussian and relatives"
    place = 5
    latex = (
        r"\left(1 + \frac{\sqrt{5}\,\lVert x - x'\rVert}{\ell} "
        r"+ \frac{5\,\lVert x - x'\rVert^2}{3 \ell^2}\right) e^{-\sqrt{5}\,\lVert x - x'\rVert / \ell}"
    )
    order = 5

    def of_scaled_distance(self, s: Array, spare: Array) -> Array:
        np.negative(s, out=spare)
        np.exp(spare, out=spare)
        # 1 + s + s²/3 = (s + 3/2)²/3 + 1/4
        s += 1.5
        s *= s
        s *= 1 / 3
        s += 0.25
        spare *= s
        return spare

    def falling(self, s: Array) -> Array:
        return np.asarray(s * (1.0 + s) / (3.0 + s * (3.0 + s)))


@dataclass(frozen=True)
class Box(RadialKernel):
    """k(x, x') = 1 if |x - x'| ≤ ℓ, else 0"""

    name = "box"
    title = "Box"
    summary_line = "1 within a distance and 0 beyond: weights for a local mean, but no inner product."
    family = "Gaussian and relatives"
    place = 9
    latex = r"\mathbb{1}\{\lVert x - x'\rVert \le \ell\}"
    positive_definite = False
    weights_only = True
    non_negative = True

    l: float = length_scale("Distance up to which K is 1")  # noqa: E741

    def of_squared_distance(self, d2: Array) -> Array:
        return (d2 <= self.l**2).astype(np.float64)

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        """Return 0: K changes only where a pair is exactly as far apart as ℓ."""
        return {"l": np.zeros_like(K)}


@dataclass(frozen=True)
class Periodic(StationaryKernel):
    """k(x, x') = exp(-(2/ℓ²) sum_j sin²(π (x_j - x'_j) / T)), a product over the columns"""

    name = "periodic"
    title = "Periodic"
    other_names = ("exp-sine-squared",)
    summary_line = "Repeats itself with period T along every input."
    family = "Others"
    place = 2
    latex = r"e^{-\frac{2}{\ell^2} \sum_j \sin^2 \frac{\pi (x_j - x_j')}{T}}"
    separable = True
    analytic = True

    period: float = real(1.0, low=1e-15, high=1e15, soft=(0.1, 10), scale="log", label="T", help="Period")
    l: float = length_scale("Smoothness within a period: small makes sharp bumps")  # noqa: E741

    def along_axis(self, j: int, x: Array, a: Array) -> Array:
        # Whole periods away first, which `fmod` does exactly: a difference of large numbers loses digits.
        turns = np.subtract.outer(np.fmod(x, self.period), np.fmod(a, self.period)) / self.period
        turns -= np.rint(turns)
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
