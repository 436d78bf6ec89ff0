"""The representer theorem made visible: what is orthogonal to the span of the points only costs norm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.algebra import Scaled, Sum
from kernelviz.engine.algorithms.ridge import Spectrum
from kernelviz.engine.arrays import Array, as_points, read_only
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.model import Model
from kernelviz.engine.problem import Problem

__all__ = ["Bump", "orthogonal_bump", "terms_of_a_sum"]

NOTHING = 1e-8
"""Of K(x, x): less left of it beyond the span of the points is rounding."""

CUT = 1e-12
"""Eigenvalues below this share of the largest are rounding."""


@dataclass(frozen=True, eq=False)
class Bump:
    """u = scale (K(x*, ·) - sum_i c_i K(x_i, ·)), orthogonal to every K(x_i, ·): so u(x_i) = 0 for all i."""

    problem: Problem
    place: Array
    """x*, a single row."""
    weights: Array
    """c"""
    scale: float
    squared_norm: float
    """||u||², by which adding u raises the squared norm of any function in the span."""

    def __call__(self, X: Any) -> Array:
        kernel = self.problem.kernel
        return np.asarray(
            self.scale * (kernel(X, self.place)[:, 0] - kernel(X, self.problem.X) @ self.weights)
        )


def orthogonal_bump(problem: Problem, place: Any, height: float = 1.0) -> Bump | None:
    """What K(x*, ·) has beyond the span of the points, scaled to a height at x*; None where that is nothing
    but rounding, as at a point itself or close to several.

    c = K^-1 k(x*); u(x*) = ||K(x*, ·) - …||² = K(x*, x*) - k'c before it is scaled."""
    place = read_only(as_points(place).reshape(1, -1))
    kernel = problem.kernel
    k, own = kernel(place, problem.X)[0], float(kernel(place)[0, 0])
    spectrum = Spectrum.of(problem.gram)
    values = np.where(spectrum.values > CUT * np.abs(spectrum.values).max(), spectrum.values, np.inf)
    c = np.asarray(spectrum.vectors @ ((k @ spectrum.vectors) / values))
    rest = own - 2.0 * float(k @ c) + float(c @ problem.gram @ c)
    if not rest > NOTHING * own:
        return None
    scale = height / (own - float(k @ c))
    return Bump(problem, place, read_only(c), scale, scale * scale * rest)


def terms_of_a_sum(model: Model, X: Any) -> tuple[tuple[Kernel, Array], ...]:
    """For a kernel K_1 + K_2 + … the functions sum_i beta_i K_j(x_i, ·) at X, one for each term: with b they
    add up to s. Nothing for other kernels."""
    kernel, beta, support = model.problem.kernel, model.beta, model.support
    scale = 1.0
    if isinstance(kernel, Scaled):
        scale, kernel = kernel.scale, kernel.inner
    if not isinstance(kernel, Sum) or beta is None or not (model.algorithm.uses_kernel and len(support)):
        return ()
    points, weights = model.problem.data.subset(support).X, scale * beta[support]
    return tuple((term, np.asarray(term(X, points) @ weights)) for term in kernel.terms)
