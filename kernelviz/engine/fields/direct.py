"""Fields node by node: F[k, l] = sum_i w_i K(a_i, (x1_l, x2_k)) for any kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.kernels.base import Kernel, Product
from kernelviz.engine.kernels.vectors import AdditiveKernel

VALUES_AT_A_TIME = 1 << 16  # Kernel values computed at a time, so that they stay in the cache.
EXTREME = 1e130  # Products of two such numbers are numbers still, and so are their reciprocals.
# Where a field is this small compared with sum |w_i|, values exact to some 1e-14 are not enough.
CANCELLED = 1e-3


@dataclass(frozen=True)
class Sources:
    """The points a_i with their weights w_i."""

    points: Array
    weights: Array

    def foremost(self, m: int) -> Array:
        """Return the m points with the largest weights."""
        return self.points[np.argsort(-np.abs(self.weights))[:m]]


def direct(kernel: Kernel, sources: Sources, x1: Array, x2: Array) -> Array:
    """Return the field node by node, in pieces that fit the cache."""
    factors = kernel.parts if isinstance(kernel, Product) else (kernel,)
    additive = tuple(factor for factor in factors if isinstance(factor, AdditiveKernel))
    if len(additive) == len(factors):
        F = _direct_product(additive[0], sources, x1, x2) if len(additive) == 1 else None
        if F is not None:
            return F
        return _direct_additive(additive, sources, x1, x2)
    nodes = nodes_of(x1, x2)
    F = np.empty(len(nodes))
    rows = max(16, VALUES_AT_A_TIME // len(sources.points))
    for begin in range(0, len(nodes), rows):
        part = slice(begin, begin + rows)
        F[part] = kernel.gram(nodes[part], sources.points) @ sources.weights
    return F.reshape(len(x2), len(x1))


def _direct_additive(factors: tuple[AdditiveKernel, ...], sources: Sources, x1: Array, x2: Array) -> Array:
    """Return the field of prod f(u_1 + u_2): the parts along the axes are computed once, so that a node
    costs an addition."""
    a1, a2 = sources.points.T
    along = [
        Factor(np.add, k.scaled_along(0, x1, a1), k.scaled_along(1, x2, a2), k.of_scaled) for k in factors
    ]
    return _row_by_row(along, sources.weights)


def _direct_product(kernel: AdditiveKernel, sources: Sources, x1: Array, x2: Array) -> Array | None:
    """Return the field of f from products of numbers along the axes, or None if there are none or digits
    would be missing.

    Points for which such a number is too large or too small are computed additively."""
    p1 = kernel.multiplied_along(0, x1, sources.points[:, 0])
    p2 = kernel.multiplied_along(1, x2, sources.points[:, 1])
    if p1 is None or p2 is None:
        return None
    fine = np.all([(p.max(axis=0) < EXTREME) & (p.min(axis=0) > 1 / EXTREME) for p in (p1, p2)], axis=0)
    if not fine.any():
        return None
    along1, along2 = p1.compress(fine, axis=1), p2.compress(fine, axis=1)
    values = Factor(np.multiply, along1, along2, lambda p, _spare: kernel.of_product(p))
    F = _row_by_row([values], sources.weights[fine])
    if not fine.all():
        rest = Sources(sources.points[~fine], sources.weights[~fine])
        F += _direct_additive((kernel,), rest, x1, x2)
    return F if np.abs(F).max() >= CANCELLED * np.abs(sources.weights).sum() else None


@dataclass(frozen=True)
class Factor:
    """finish(combine(along1_l, along2_k)) for all points at a node; `finish` may overwrite both arguments."""

    combine: np.ufunc
    along1: Array
    along2: Array
    finish: Callable[[Array, Array], Array]


def _row_by_row(factors: list[Factor], weights: Array) -> Array:
    """Return F[k, l] = sum_i w_i times the product of the factors."""
    if len(factors[0].along2) > len(factors[0].along1):
        # Few long rows rather than many short ones: each costs some calls.
        return _row_by_row([replace(f, along1=f.along2, along2=f.along1) for f in factors], weights).T
    height, width = len(factors[0].along2), len(factors[0].along1)
    F = np.empty((height, width))
    columns = max(1, VALUES_AT_A_TIME // len(weights))
    for begin in range(0, width, columns):
        part = slice(begin, begin + columns)
        # A buffer each: a kernel may hand its own back.
        buffers = [(np.empty_like(f.along1[part]), np.empty_like(f.along1[part])) for f in factors]
        for k in range(height):
            values = [
                f.finish(f.combine(f.along1[part], f.along2[k], out=u), spare)
                for f, (u, spare) in zip(factors, buffers, strict=True)
            ]
            F[k, part] = reduce(np.multiply, values) @ weights
    return F


def nodes_of(x1: Array, x2: Array) -> Array:
    """Return the nodes (x1_l, x2_k), row by row of the grid."""
    return np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
