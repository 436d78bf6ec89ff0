"""Kernels on a category column, which is the last column of the inputs.

K = ρ + (1 - ρ)[c = c'] compares only the categories; times a kernel on numbers it lets each category have a
function of its own, and the share ρ is what the functions have in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add, mul
from typing import Any, ClassVar

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Domain
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import real
from kernelviz.engine.kernels.base import Kernel, Scaled, Sum, VectorKernel
from kernelviz.engine.kernels.derivatives import Pairs
from kernelviz.engine.kernels.vectors import InnerProductKernel


@dataclass(frozen=True)
class Category(VectorKernel):
    """K(c, c') = 1 for equal categories and ρ for different ones, so that K = ρ + (1 - ρ)[c = c'].

    In sums and products the kernels on numbers compare all columns but the last. A product with ρ = 0 keeps
    the categories apart as if each were fitted alone; with ρ = 1 it ignores them."""

    name = "category"
    title = "Category"
    summary_line = "1 for points of the same category, a share ρ for points of different ones."
    family = "For categories"
    place = 1
    latex = r"\left(\rho + (1 - \rho)\,[c = c']\right)"
    domain: ClassVar[Domain] = "categories"
    bounded: ClassVar[bool] = True
    non_negative = True

    share: float = real(
        0.0,
        low=0.0,
        high=1.0,
        label="ρ",
        help="How much different categories have in common",
        simpler="larger",
    )

    def checked(self, X: Any) -> Array:
        points = super().checked(X)
        last = points[:, -1]
        if (last != np.floor(last)).any():
            row = int((last != np.floor(last)).argmax())
            raise BadInput(
                f"{self.name} compares the last column, whole numbers that stand for categories; "
                f"row {row + 1} has {last[row]:g} there."
            )
        return points

    def gram(self, X: Array, Y: Array) -> Array:
        return np.where(np.equal.outer(X[:, -1], Y[:, -1]), 1.0, self.share)

    def diagonal(self, X: Any) -> Array:
        return np.ones(len(self.checked(X)))

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        return {"share": pairs.each(lambda X, Y: np.not_equal.outer(X[:, -1], Y[:, -1]) * 1.0)}


@dataclass(frozen=True)
class _One(InnerProductKernel):
    """K(x, x') = 1, which a category becomes between points of the same one."""

    def of_inner_product(self, t: Array) -> Array:
        return np.ones_like(t)

    def power_coefficients(self) -> Array:
        return np.ones(1)


def ignoring_categories(kernel: Kernel) -> Kernel:
    """Return a kernel on numbers as one for inputs with a category column, which it ignores."""
    return kernel * Category(share=1.0)


def on_numbers(kernel: Kernel, alike: bool) -> Kernel:
    """Return the kernel on numbers that a kernel becomes between points of the same category, or of two
    different ones."""
    if isinstance(kernel, Category):
        return _One() * (1.0 if alike else kernel.share)
    if kernel.domain != "categories":
        return kernel
    parts = [on_numbers(part, alike) for part in kernel.parts]
    if isinstance(kernel, Scaled):
        return parts[0] * kernel.scale
    return reduce(add if isinstance(kernel, Sum) else mul, parts)
