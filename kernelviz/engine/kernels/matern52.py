"""The Matern kernel of order 5/2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.kernels.matern import Matern

__all__ = ["Matern52"]


@dataclass(frozen=True)
class Matern52(Matern):
    """k(x, x') = (1 + s + s²/3) exp(-s), s = √5 |x - x'| / ℓ"""

    name = "matern52"
    title = "Matérn 5/2"
    summary_line = "Between the Laplacian and the Gaussian: functions that can be differentiated twice."
    latex = (
        r"\left(1 + \frac{\sqrt{5}\,\lVert x - x'\rVert}{\ell} "
        r"+ \frac{5\,\lVert x - x'\rVert^2}{3 \ell^2}\right) e^{-\sqrt{5}\,\lVert x - x'\rVert / \ell}"
    )
    order = 5

    def of_scaled_distance(self, s: Array) -> Array:
        value = np.negative(s)
        np.exp(value, out=value)
        factor = s / 3
        factor += 1
        factor *= s
        factor += 1
        value *= factor
        return value
