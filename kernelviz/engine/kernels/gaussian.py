"""The Gaussian, its anisotropic form, and the rational quadratic, a mixture of Gaussians of all widths.

The Gaussian's features are monomials of all degrees, damped by exp(-γ|x|²): exp(-γ|x - x'|²) = exp(-γ|x|²)
exp(2γ x·x') exp(-γ|x'|²), and the middle factor is a power series in x·x'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.params import real
from kernelviz.engine.kernels.capabilities import QuickRows
from kernelviz.engine.kernels.derivatives import Pairs
from kernelviz.engine.kernels.features import FeatureMap, exponential_coefficients, monomials
from kernelviz.engine.kernels.vectors import (
    FARTHEST_DECAY,
    GAUSSIAN_WIDTHS,
    RadialKernel,
    StationaryKernel,
    clipped,
    decay,
    inverse_squared_width,
    length_of_gaussian,
    length_scale,
    squared_differences,
    typical_distance,
)

SIMPLE = (0.5, 1.0, 2.0)  # Powers that need no logarithm.


@dataclass(frozen=True)
class Gaussian(RadialKernel):
    """k(x, x') = exp(-γ |x - x'|²)"""

    name = "rbf"
    title = "Gaussian (RBF)"
    other_names = ("gaussian", "se", "squared-exponential")
    summary_line = "Similarity falls off with distance, the same in all directions; the usual first choice."
    family = "Gaussian and relatives"
    place = 1
    latex = r"e^{-\gamma\,\lVert x - x'\rVert^2}"
    separable = True
    analytic = True

    gamma: float = inverse_squared_width("Inverse squared width", GAUSSIAN_WIDTHS)

    def of_squared_distance(self, d2: Array) -> Array:
        return decay(d2, self.gamma)

    def log_of_statistic(self, u: Array) -> Array:
        return self.gamma * -u

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        return {"gamma": -K * u}

    def rows_of(self, X: Any) -> QuickRows | None:
        """Compute exp(u·u' - |u|²/2 - |u'|²/2), u = sqrt(2γ) (x - mean), by one matrix product.

        The rounding of the three terms is that of the exponent, so that points far apart compared with the
        width would lose digits. It has either sign, and in a sum over points counts as that of a typical
        one."""
        U = np.sqrt(2 * self.gamma) * (X - X.mean(axis=0))
        half = 0.5 * np.einsum("ij,ij->i", U, U)
        # Half the squared distance from the middle, in widths, up to which squares may stand for differences:
        # they cost three digits of sixteen.
        widest = 1e3
        if not half.max() <= widest:
            return None
        one = np.ones_like(half)
        along = np.column_stack((U, -half, one))
        across = np.ascontiguousarray(np.column_stack((U, one, -half)).T)
        least = -FARTHEST_DECAY
        deep = 4.0 * float(half.max()) > -least

        def rows(places: int | Indices) -> Array:
            exponent: Array = along[places].dot(across)
            # Rounding must not bring two points nearer than to themselves.
            np.minimum(exponent, 0.0, out=exponent)
            if deep:
                np.maximum(exponent, least, out=exponent)
            return np.exp(exponent, out=exponent)

        last_digit = 2.0**-52  # Of a number: twice the largest rounding error.
        return QuickRows(rows, last_digit * float(np.add.reduce(half)) / len(half))

    def scaled_to(self, X: Any) -> Self:
        return self.with_width(X, "gamma", lambda median: 1 / median)

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array:
        return np.asarray(np.sqrt(2 * self.gamma) * rng.standard_normal((q, p)))

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        """Return exp(-γ|x|²) times the features of exp(2γ x·x')."""
        inner = monomials(exponential_coefficients(2 * self.gamma, degree), p)
        if inner is None:
            return None

        def compute(X: Array) -> Array:
            damped: Array = np.exp(-self.gamma * np.einsum("ij,ij->i", X, X))[:, None] * inner.compute(X)
            return damped

        damping = rf"e^{{-{self.gamma:.4g} \lVert x\rVert^2}}"
        return FeatureMap(tuple(rf"{damping}\, {name}" for name in inner.names), compute)


@dataclass(frozen=True)
class AnisotropicGaussian(StationaryKernel):
    """k(x, x') = exp(-sum_j (x_j - x'_j)² / (2 ℓ_j²))

    ℓ₁ belongs to the first column and ℓ₂ to the second and all further ones."""

    name = "ard"
    title = "Anisotropic Gaussian"
    summary_line = (
        "A Gaussian with its own length-scale for each input; a long one makes an input irrelevant."
    )
    family = "Gaussian and relatives"
    place = 2
    latex = r"e^{-\frac{(x_1 - x_1')^2}{2 \ell_1^2} - \frac{(x_2 - x_2')^2}{2 \ell_2^2}}"
    separable = True
    analytic = True

    l1: float = length_scale("Length-scale of the first input", "ℓ₁")
    l2: float = length_scale("Length-scale of the second input and all further ones", "ℓ₂")

    def length(self, j: int) -> float:
        """Return the length-scale of column j."""
        return self.l1 if j == 0 else self.l2

    def along_axis(self, j: int, x: Array, a: Array) -> Array:
        d = squared_differences(x, a)
        d *= 1 / (2 * self.length(j) ** 2)
        return d

    def of_statistic(self, u: Array) -> Array:
        return decay(u)

    def log_of_statistic(self, u: Array) -> Array:
        return -u

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        first = pairs.each(lambda X, Y: self.along_axis(0, X[:, 0], Y[:, 0]))
        return {"l1": (2.0 / self.l1) * K * first, "l2": (2.0 / self.l2) * K * (u - first)}

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array:
        lengths = np.array([self.length(j) for j in range(p)])
        return np.asarray(rng.standard_normal((q, p)) / lengths)

    def scaled_to(self, X: Any) -> Self:
        """Return the kernel with the Gaussian's width, shared out in proportion to the spread of the
        columns."""
        X = self.checked(X)
        median = typical_distance(X, 2)
        if median is None:
            return self
        spread = X.var(axis=0)
        groups = {"l1": spread[0], "l2": spread[1:].mean() if X.shape[1] > 1 else 0.0}
        return self.replace(
            **{
                name: clipped(float(np.sqrt(0.5 * median * value / spread.mean())), self.parameter(name))
                for name, value in groups.items()
                if value > 0
            }
        )


@dataclass(frozen=True)
class RationalQuadratic(RadialKernel):
    """k(x, x') = (1 + |x - x'|² / (2 α ℓ²))^-α"""

    name = "rational_quadratic"
    title = "Rational quadratic"
    other_names = ("rq",)
    summary_line = "Gaussians of all widths mixed: near points count most, far ones never quite vanish."
    family = "Gaussian and relatives"
    place = 6
    latex = r"\left(1 + \frac{\lVert x - x'\rVert^2}{2 \ell^2 \alpha}\right)^{-\alpha}"
    analytic = True

    l: float = length_scale("Distance over which K falls off")  # noqa: E741
    alpha: float = real(
        1.0, low=1e-2, high=1e3, soft=(0.1, 100), scale="log", label="α", help="Large: nearly Gaussian"
    )

    def scaled_along(self, j: int, x: Array, a: Array) -> Array:
        """Return the parts of 1 + |x - x'|² / (2 α ℓ²)."""
        u = self.along_axis(j, x, a) * (0.5 / (self.alpha * self.l**2))
        return u + 1.0 if j == 0 else u

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

    def log_of_statistic(self, u: Array) -> Array:
        return np.asarray(-self.alpha * np.log1p(u * (0.5 / (self.alpha * self.l**2))))

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        """Return the derivatives, using ln(1 + |x - x'|²/(2αℓ²)) = -ln K/α."""
        share = u * (0.5 / (self.alpha * self.l**2))
        share /= 1.0 + share
        return {
            "l": (2.0 * self.alpha / self.l) * K * share,
            "alpha": K * (share + np.log(K) / self.alpha),
        }

    def _simple_power(self, base: Array) -> Array:
        """Return base^-α for an α of 1/2, 1 or 2, in place."""
        if self.alpha == 0.5:
            np.sqrt(base, out=base)
        elif self.alpha == 2.0:
            base *= base
        # Not np.reciprocal, which takes twice as long.
        return np.divide(1.0, base, out=base)

    def scaled_to(self, X: Any) -> Self:
        return self.with_width(X, "l", length_of_gaussian)

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array:
        """Draw from a Gaussian whose precision comes from a gamma distribution of mean one."""
        precision = rng.gamma(self.alpha, 1 / self.alpha, (q, 1))
        return np.asarray(np.sqrt(precision) / self.l * rng.standard_normal((q, p)))
