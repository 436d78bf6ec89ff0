"""The linear kernel."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.engine.arrays import Array
from kernelviz.engine.kernels.base import InnerProductKernel

__all__ = ["Linear"]


@dataclass(frozen=True)
class Linear(InnerProductKernel):
    """k(x, x') = x·x'"""

    name = "linear"
    title = "Linear"
    latex = r"x \cdot x'"

    def of_inner_product(self, t: Array) -> Array:
        return t
