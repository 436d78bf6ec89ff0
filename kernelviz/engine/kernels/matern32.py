"""The Matern kernel of order 3/2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.matern import Matern

__all__ = ["Matern32"]


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
