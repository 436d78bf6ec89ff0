"""The Gaussian kernel, also called RBF or radial."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.kernels.base import RadialKernel
from kernelviz.engine.params import View, real

__all__ = ["Gaussian"]

WIDTHS = (
    View("sigma", "σ", "Width: γ = 1/(2σ²)", lambda s: 1 / (2 * s * s), lambda g: sqrt(1 / (2 * g))),
    View("l", "ℓ", "Length-scale, the same as σ", lambda s: 1 / (2 * s * s), lambda g: sqrt(1 / (2 * g))),
    View("variance", "σ²", "Squared width: γ = 1/(2σ²)", lambda v: 1 / (2 * v), lambda g: 1 / (2 * g)),
)


@dataclass(frozen=True)
class Gaussian(RadialKernel):
    """k(x, x') = exp(-γ |x - x'|²)"""

    name = "rbf"
    title = "Gaussian (RBF)"
    latex = r"e^{-\gamma\,\lVert x - x'\rVert^2}"

    gamma: float = real(
        1.0,
        low=1e-6,
        high=1e6,
        soft=(1e-3, 1e3),
        scale="log",
        label="γ",
        help="Inverse squared width",
        views=WIDTHS,
    )

    def of_squared_distance(self, d2: Array) -> Array:
        return np.exp(-self.gamma * d2)
