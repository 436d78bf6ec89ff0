"""The linear kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.vectors import InnerProductKernel

__all__ = ["Linear"]


@dataclass(frozen=True)
class Linear(InnerProductKernel):
    """k(x, x') = x·x'"""

    name = "linear"
    title = "Linear"
    summary_line = "The plain inner product: straight boundaries."
    family = "Linear and polynomial"
    place = 0
    latex = r"x \cdot x'"

    def of_inner_product(self, t: Array) -> Array:
        return t

    def power_coefficients(self) -> Array:
        return np.array([0.0, 1.0])
