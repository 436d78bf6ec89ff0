"""The Matern kernel of order 5/2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.matern import Matern

__all__ = ["Matern52"]


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
