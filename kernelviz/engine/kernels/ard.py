"""The anisotropic Gaussian kernel: a width for every input ("automatic relevance determination")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.decay import decay
from kernelviz.engine.families.vectors import StationaryKernel, squared_differences
from kernelviz.engine.families.widths import clipped, length_scale, typical_distance
from kernelviz.engine.pairs import Pairs

__all__ = ["AnisotropicGaussian"]


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
        """The length-scale of column j."""
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
        """The Gaussian's width, shared out in proportion to the spread of the columns."""
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
