"""Fields: F[k, l] = sum_i w_i K(a_i, (x1_l, x2_k)), by the fastest route a kernel's structure allows.

A kernel is first written as a sum of terms, each a product of
  - functions f(x) f(x'), which only re-weight points and grid,
  - polynomials in x·x', which collapse to one polynomial in the plane, independent of the number of points,
  - products over the two axes (Gaussian, Laplacian, periodic, exponential): two thin factors and a GEMM,
  - anything else: interpolated where it is smooth, or evaluated node by node.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from math import comb, prod
from operator import mul

import numpy as np

from kernelviz.engine.core.arrays import Array, parts
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fields.interpolation import interpolated
from kernelviz.engine.kernels.base import LARGEST_VALUE, Kernel, Product, Scaled, Sum
from kernelviz.engine.kernels.vectors import AdditiveKernel, InnerProductKernel, RankOneKernel

# Compared with sum |w_i|: where so little is left, the factors along the axes have been cut off. What the
# cuts leave would look like stripes along the axes with a boundary between them.
NOTHING = 1e-85
VALUES_AT_A_TIME = 1 << 16  # Kernel values computed at a time, so that they stay in the cache.


@dataclass(frozen=True)
class Sources:
    """The points a_i, (n, 2), with their weights w_i, (n,)."""

    points: Array
    weights: Array

    def foremost(self, m: int) -> Array:
        """Return the m points with the largest weights."""
        return self.points[np.argsort(-np.abs(self.weights))[:m]]


@dataclass(frozen=True)
class FieldTerm:
    """scale · prod f(x) f(x') · p(x·x') · prod of kernels that factor over the axes · prod of others."""

    scale: float = 1.0
    rank_one: tuple[RankOneKernel, ...] = ()
    polynomials: tuple[InnerProductKernel, ...] = ()
    separable: tuple[AdditiveKernel, ...] = ()
    others: tuple[Kernel, ...] = ()

    def __mul__(self, other: FieldTerm) -> FieldTerm:
        return FieldTerm(
            self.scale * other.scale,
            self.rank_one + other.rank_one,
            self.polynomials + other.polynomials,
            self.separable + other.separable,
            self.others + other.others,
        )

    def coefficients(self) -> Array:
        """Return p_0, p_1, … of the product of the polynomials."""
        found = [np.asarray(k.power_coefficients()) for k in self.polynomials]
        return reduce(np.convolve, found, np.ones(1))


def field(kernel: Kernel, points: Array, weights: Array, x1: Array, x2: Array) -> Array:
    """Return F[k, l] = sum_i weights_i K(points_i, (x1_l, x2_k)), of shape (len(x2), len(x1)).

    points: (n, 2); weights: (n,); x1 and x2: the axes of the grid. The error is at most 1e-9 of max|F|.
    Values too large to compute with are cut off at 1e100 in size, and values below NOTHING of the weights'
    sum are zero."""
    if kernel.domain != "vectors" or np.ndim(points) != 2 or np.shape(points)[1] != 2:
        raise BadInput("Only a model of two numeric inputs has a field in the plane.")
    x1, x2 = np.asarray(x1, dtype=np.float64), np.asarray(x2, dtype=np.float64)
    sources = Sources(np.asarray(points, dtype=np.float64), np.asarray(weights, dtype=np.float64))
    F: Array = np.zeros((len(x2), len(x1)))
    if len(points) == 0 or F.size == 0:
        return F
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for term in terms(kernel):
            F += of_term(term, sources, x1, x2)
        largest = max(F.max(), -F.min())
    if not largest <= LARGEST_VALUE:
        np.nan_to_num(F, copy=False, nan=0.0, posinf=LARGEST_VALUE, neginf=-LARGEST_VALUE)
        np.clip(F, -LARGEST_VALUE, LARGEST_VALUE, out=F)
    return F


# The structure of a kernel ------------------------------------------------------------------------------
def terms(kernel: Kernel) -> list[FieldTerm]:
    """Return the kernel as a sum of products; a product of sums is multiplied out only where that is
    faster."""
    if isinstance(kernel, Sum):
        return [term for part in kernel.parts for term in terms(part)]
    if isinstance(kernel, Scaled):
        return [replace(term, scale=kernel.scale * term.scale) for term in terms(kernel.inner)]
    most_terms = 12
    if isinstance(kernel, Product):
        expanded = [terms(factor) for factor in kernel.parts]
        few = prod(map(len, expanded)) <= most_terms
        together = [reduce(FieldTerm.__mul__, chosen) for chosen in product(*expanded)] if few else []
        if len(together) == 1 or (together and not any(term.others for term in together)):
            return together
        rank_one = tuple(k for k in kernel.parts if isinstance(k, RankOneKernel))
        return [FieldTerm(rank_one=rank_one, others=tuple(k for k in kernel.parts if k not in rank_one))]
    if isinstance(kernel, RankOneKernel):
        return [FieldTerm(rank_one=(kernel,))]
    if isinstance(kernel, InnerProductKernel) and kernel.power_coefficients() is not None:
        return [FieldTerm(polynomials=(kernel,))]
    if isinstance(kernel, AdditiveKernel) and kernel.separable:
        return [FieldTerm(separable=(kernel,))]
    return [FieldTerm(others=(kernel,))]


# One term -----------------------------------------------------------------------------------------------
def of_term(term: FieldTerm, sources: Sources, x1: Array, x2: Array) -> Array:
    """Return the field of one term."""
    weights = term.scale * sources.weights
    for kernel in term.rank_one:
        weights = weights * kernel.of_points(sources.points)
    sources = Sources(sources.points, weights)
    if not term.separable and not term.others:
        F = polynomial(term.coefficients(), sources, x1, x2)
    else:
        F = opaque(term, sources, x1, x2) if term.others else _over_axes(term, sources, x1, x2)
        F[np.abs(F) < NOTHING * np.abs(weights).sum()] = 0.0
    if term.rank_one:
        nodes = nodes_of(x1, x2)
        for kernel in term.rank_one:
            F = F * kernel.of_points(nodes).reshape(F.shape)
    return F


def _over_axes(term: FieldTerm, sources: Sources, x1: Array, x2: Array) -> Array:
    """Return the field of a separable term, interpolated where a polynomial makes every node expensive."""
    if term.polynomials and all(k.analytic for k in term.separable):
        # Samples are cheap here: the calls cost more than the nodes, so a single round is best.
        F = interpolated(lambda u, v: separable(term, sources, u, v), x1, x2, sources.foremost(8), (48,))
        if F is not None:
            return F
    return separable(term, sources, x1, x2)


def separable(term: FieldTerm, sources: Sources, x1: Array, x2: Array) -> Array:
    """Return the field of K = k1(x1, x1') k2(x2, x2') p(x·x')."""
    A = _axis_factor(term, 0, x1, sources.points[:, 0])
    B = _axis_factor(term, 1, x2, sources.points[:, 1])
    if A is None or B is None:
        return opaque(term, sources, x1, x2)
    if term.polynomials:
        return _times_polynomial(A, B, term.coefficients(), sources, x1, x2)
    A *= sources.weights
    return np.asarray(B @ A.T)


def _axis_factor(term: FieldTerm, j: int, x: Array, a: Array) -> Array | None:
    """Return the product of the factors of column j, of shape (len(x), len(a)); None if one has none."""
    result: Array | None = None
    for kernel in term.separable:
        factor = kernel.axis_factor(j, x, a)
        if factor is None:
            return None
        result = factor if result is None else result * factor
    bounded = all(k.bounded for k in term.separable)
    # Factors below this are set to zero: they change nothing, but tiny floats would slow the product down.
    negligible = 1e-100
    if result is not None and bounded and result.min() < negligible:
        result *= result >= negligible
    return result


def polynomial(coefficients: Array, sources: Sources, x1: Array, x2: Array) -> Array:
    """Return the field of K = sum_m p_m (x·x')^m, which depends on the points by their moments only.

    F(x) = sum_jl p_{j+l} (j+l choose j) M_jl x1^j x2^l with M_jl = sum_i w_i a_i1^j a_i2^l."""
    d = len(coefficients) - 1
    a1, a2 = (np.vander(column, d + 1, increasing=True) for column in sources.points.T)
    moments = (a1 * sources.weights[:, None]).T @ a2
    C = np.zeros((d + 1, d + 1))
    for j in range(d + 1):
        for m in range(d + 1 - j):
            C[j, m] = coefficients[j + m] * comb(j + m, j) * moments[j, m]
    V1, V2 = (np.vander(x, d + 1, increasing=True) for x in (x1, x2))
    return np.asarray(V2 @ C.T @ V1.T)


def _times_polynomial(
    A: Array, B: Array, coefficients: Array, sources: Sources, x1: Array, x2: Array
) -> Array:
    """Return the field of K = k1(x1, x1') k2(x2, x2') p(x·x'), A and B holding k1 and k2.

    p(s + t) = sum_j s^j q_j(t), s and t the parts of x·x' along the axes: one GEMM for each j."""
    d = len(coefficients) - 1
    s = np.multiply.outer(x1, sources.points[:, 0])
    t = np.multiply.outer(x2, sources.points[:, 1])
    left = A * sources.weights
    F = np.zeros((len(x2), len(x1)))
    for j in range(d + 1):
        q = [coefficients[m] * comb(m, j) for m in range(j, d + 1)]
        right = np.full_like(t, q[-1])
        for lower in q[-2::-1]:
            right *= t
            right += lower
        right *= B
        F += right @ left.T
        left *= s
    return F


# Kernels without such structure -------------------------------------------------------------------------
def opaque(term: FieldTerm, sources: Sources, x1: Array, x2: Array) -> Array:
    """Return the field of the product of all kernels of a term but those of rank one.

    It is interpolated where the product is smooth enough, and otherwise computed node by node."""
    kernel = reduce(mul, term.polynomials + term.separable + term.others)
    F = None
    if kernel.analytic:
        F = interpolated(lambda u, v: direct(kernel, sources, u, v), x1, x2, sources.foremost(8))
    return direct(kernel, sources, x1, x2) if F is None else F


def direct(kernel: Kernel, sources: Sources, x1: Array, x2: Array) -> Array:
    """Return the field of any kernel node by node, in pieces that fit the cache."""
    factors = kernel.parts if isinstance(kernel, Product) else (kernel,)
    additive = [factor for factor in factors if isinstance(factor, AdditiveKernel)]
    if len(additive) == len(factors):
        return _row_by_row(additive, sources, x1, x2)
    nodes = nodes_of(x1, x2)
    F = np.empty(len(nodes))
    rows = max(16, VALUES_AT_A_TIME // len(sources.points))
    for part in parts(len(nodes), rows):
        F[part] = kernel.gram(nodes[part], sources.points) @ sources.weights
    return F.reshape(len(x2), len(x1))


def _row_by_row(factors: list[AdditiveKernel], sources: Sources, x1: Array, x2: Array) -> Array:
    """Return the field of a product of kernels f(u_1 + u_2): u_1 and u_2 are computed once for each axis, so
    that a node costs an addition."""
    along1, along2 = (
        [k.scaled_along(j, x, sources.points[:, j]) for k in factors] for j, x in ((0, x1), (1, x2))
    )
    turned = len(x2) > len(x1)  # few long rows rather than many short ones: each costs some calls
    if turned:
        along1, along2 = along2, along1
    width, height = len(along1[0]), len(along2[0])
    F = np.empty((height, width))
    columns = max(1, VALUES_AT_A_TIME // len(sources.weights))
    for part in parts(width, columns):
        # Buffers for each factor: a kernel may return one of its own.
        buffers = [(np.empty_like(u1[part]), np.empty_like(u1[part])) for u1 in along1]
        for row in range(height):
            values = [
                k.of_scaled(np.add(u1[part], u2[row], out=u), spare)
                for k, u1, u2, (u, spare) in zip(factors, along1, along2, buffers, strict=True)
            ]
            F[row, part] = reduce(np.multiply, values) @ sources.weights
    return F.T if turned else F


def nodes_of(x1: Array, x2: Array) -> Array:
    """Return the nodes (x1_l, x2_k), row by row of the grid."""
    return np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
