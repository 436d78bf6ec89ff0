"""Fits as vectors of the space of functions of their kernel: inner products, distances, norms by points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.kernel_model import KernelModel

__all__ = ["Comparison", "compared", "inner_product", "norm_terms"]


def inner_product(f: KernelModel, g: KernelModel) -> float:
    """<f, g> = beta_f' K(X_f, X_g) beta_g, of both functions without their b. They need not be fits of the
    same points, but of the same kernel."""
    if f.problem.kernel != g.problem.kernel:
        raise ValueError("functions of two kernels have no common space")
    if f.problem.data is g.problem.data:
        return float(f.weights @ (f.problem.gram @ g.weights))
    rows, columns = f.support, g.support
    if not len(rows) or not len(columns):
        return 0.0
    K = f.problem.kernel(f.problem.data.subset(rows).X, g.problem.data.subset(columns).X)
    return float(f.weights[rows] @ K @ g.weights[columns])


def norm_terms(f: KernelModel) -> Array:
    """beta_i (K beta)_i, what each point adds to ||f||² = sum over i; a term may be negative, the sum not."""
    return read_only(f.weights * (f.problem.gram @ f.weights))


@dataclass(frozen=True)
class Comparison:
    """Two functions f and g of one space."""

    product: float
    """<f, g>"""
    norms: tuple[float, float]
    """||f||, ||g||"""

    @property
    def distance(self) -> float:
        """||f - g||, from <f, f> - 2 <f, g> + <g, g>."""
        f, g = self.norms
        return float(np.sqrt(max(0.0, f * f - 2.0 * self.product + g * g)))

    @property
    def cosine(self) -> float | None:
        """Of the angle between them; None where one is 0."""
        f, g = self.norms
        return self.product / (f * g) if f * g > 0.0 else None


def compared(f: KernelModel, g: KernelModel) -> Comparison:
    """The geometry of two fits of one kernel."""
    f2, g2 = (max(0.0, inner_product(h, h)) for h in (f, g))
    return Comparison(inner_product(f, g), (float(np.sqrt(f2)), float(np.sqrt(g2))))
