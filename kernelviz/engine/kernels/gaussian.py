"""The Gaussian kernel, also called RBF or radial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.families.decay import decay, farthest
from kernelviz.engine.families.vectors import RadialKernel
from kernelviz.engine.families.widths import (
    GAUSSIAN_WIDTHS,
    clipped,
    inverse_squared_width,
    typical_distance,
)
from kernelviz.engine.features import FeatureMap, exponential_coefficients, monomials
from kernelviz.engine.kernels.base import MakeRows
from kernelviz.engine.pairs import Pairs

__all__ = ["Gaussian"]

WIDEST = 1e3
"""Half the squared distance from the middle, in widths, up to which squares may stand for differences: they
cost three digits of sixteen."""


@dataclass(frozen=True)
class Gaussian(RadialKernel):
    """k(x, x') = exp(-γ |x - x'|²)"""

    name = "rbf"
    title = "Gaussian (RBF)"
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

    def rows_of(self, X: Any) -> MakeRows | None:
        """exp(u·u' - |u|²/2 - |u'|²/2), u = sqrt(2γ) (x - mean): one product of matrices, no differences.

        Points far apart compared with the width would lose digits in it."""
        U = np.sqrt(2 * self.gamma) * (X - X.mean(axis=0))
        half = 0.5 * np.einsum("ij,ij->i", U, U)
        if not half.max() <= WIDEST:
            return None
        one = np.ones_like(half)
        along = np.column_stack((U, -half, one))
        across = np.ascontiguousarray(np.column_stack((U, one, -half)).T)
        least = -farthest(half)
        deep = 4.0 * float(half.max()) > -least

        def rows(places: int | Indices) -> Array:
            exponent: Array = along[places].dot(across)
            # Rounding must not bring two points nearer than to themselves.
            np.minimum(exponent, 0.0, out=exponent)
            if deep:
                np.maximum(exponent, least, out=exponent)
            return np.exp(exponent, out=exponent)

        return rows

    def scaled_to(self, X: Any) -> Self:
        median = typical_distance(self.checked(X), 2)
        return self if median is None else self.replace(gamma=clipped(1 / median, self.parameter("gamma")))

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array:
        return np.asarray(np.sqrt(2 * self.gamma) * rng.standard_normal((q, p)))

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        """exp(-γ|x|²) times the features of exp(2γ x·x')."""
        inner = monomials(exponential_coefficients(2 * self.gamma, degree), p)
        if inner is None:
            return None

        def compute(X: Array) -> Array:
            damped: Array = np.exp(-self.gamma * np.einsum("ij,ij->i", X, X))[:, None] * inner.compute(X)
            return damped

        damping = rf"e^{{-{self.gamma:.4g} \lVert x\rVert^2}}"
        return FeatureMap(tuple(rf"{damping}\, {name}" for name in inner.names), compute)
