"""The Laplacian kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.decay import decay
from kernelviz.engine.families.vectors import MANY, StationaryKernel
from kernelviz.engine.families.widths import clipped, inverse_squared_width, typical_distance
from kernelviz.engine.pairs import Pairs

__all__ = ["Laplacian"]


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

    def gram(self, X: Array, Y: Array) -> Array:
        if len(X) != 1 or Y.shape[1] <= MANY:
            return super().gram(X, Y)
        D = Y - X
        return self.of_statistic(np.add.reduce(np.abs(D, out=D), axis=1))[None, :]

    def scaled_to(self, X: Any) -> Self:
        median = typical_distance(self.checked(X), 1)
        return self if median is None else self.replace(gamma=clipped(1 / median, self.parameter("gamma")))

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array:
        return self.gamma * rng.standard_cauchy((q, p))
