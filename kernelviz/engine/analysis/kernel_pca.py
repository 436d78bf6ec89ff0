"""Kernel principal components: the directions of feature space in which the points spread most.

K~ = K - 1K - K1 + 1K1, where 1 has the entries 1/n, is the Gram matrix of the points around their mean in
feature space. With its eigenvalues λ_c and unit eigenvectors v_c the projections of the points are √λ_c v_c,
of variance λ_c/n; a new point's row of K is centred with the means of the training points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.problem import Problem

__all__ = ["KernelPCA", "kernel_pca"]

ROUNDING = 1e-12
"""Relative to the largest eigenvalue: what is less is no direction, only rounding."""
FEW = 600
"""Points up to which all eigenvectors are computed at once; of more only those wanted."""


@dataclass(frozen=True, eq=False)
class KernelPCA:
    """Leading components of a problem's points in feature space, or as many as there are.

    vectors: (n, c) unit eigenvectors, the entry of largest size positive. spread: the sum of all positive
    eigenvalues, n times the variance of the points in feature space."""

    problem: Problem
    eigenvalues: Array
    vectors: Array
    spread: float
    means: Array
    """Of each column of the Gram matrix."""

    @property
    def components(self) -> int:
        """How many there are."""
        return len(self.eigenvalues)

    @property
    def projections(self) -> Array:
        """(n, c): where the points lie along the components."""
        return read_only(self.vectors * np.sqrt(self.eigenvalues))

    @property
    def shares(self) -> Array:
        """The part of the whole variance that each component shows."""
        return self.eigenvalues / self.spread if self.spread > 0.0 else np.zeros(self.components)

    @cached_property
    def expansion(self) -> tuple[Array, Array]:
        """Weights (n, c) and offsets (c,): a component is the function Σ_i w_i K(x_i, x) + b of x."""
        scaled = self.vectors / np.sqrt(self.eigenvalues)
        sums = scaled.sum(axis=0)
        middle = self.means.mean() if len(self.means) else 0.0
        return read_only(scaled - sums / max(1, len(scaled))), read_only(middle * sums - self.means @ scaled)

    def project(self, X: Any) -> Array:
        """(m, c): where other inputs lie along the components."""
        weights, offsets = self.expansion
        return np.asarray(self.problem.kernel(X, self.problem.X) @ weights + offsets)

    @property
    def ranked(self) -> bool:
        """Whether the components come most spread first; those that follow others may not."""
        return bool((np.diff(self.eigenvalues) <= 0.0).all())

    def following(self, before: KernelPCA, keep_order: bool = True) -> Self:
        """The same components with the signs, and in the order, in which they are most like earlier ones.

        So a map is not turned over, and moves smoothly where two eigenvalues change places. Points are the
        same if there are as many; of more or fewer it is asked where they would have been before."""
        if not self.components or not before.components or not _comparable(self.problem.X, before.problem.X):
            return self
        same = len(before.vectors) == len(self.vectors)
        alike = (before.vectors if same else before.project(self.problem.X)).T @ self.vectors
        mine, known = _matched(alike)
        order, signs = list(range(self.components)), np.ones(self.components)
        signs[mine] = known
        if keep_order:
            order = [*mine, *(c for c in order if c not in mine)]
        return replace(
            self,
            eigenvalues=read_only(self.eigenvalues[order]),
            vectors=read_only((self.vectors * signs)[:, order]),
        )


def _matched(alike: Array) -> tuple[list[int], Array]:
    """For each row its column, and the sign with which they are alike; the most alike pair first.

    An assignment of the largest sum would take scipy.optimize, which is long to import, for the same answer
    wherever components can be told apart."""
    rows, columns = alike.shape
    left, found = np.abs(alike), np.full(rows, -1)
    for _ in range(min(rows, columns)):
        i, j = np.unravel_index(int(np.argmax(left)), left.shape)
        found[i] = j
        left[i], left[:, j] = -1.0, -1.0
    known = np.flatnonzero(found >= 0)
    signs = np.where(alike[known, found[known]] < 0.0, -1.0, 1.0)
    return found[known].tolist(), signs


def _comparable(X: Any, Y: Any) -> bool:
    """Whether both are strings, or rows of equally many numbers."""
    return np.shape(X)[1:] == np.shape(Y)[1:] and isinstance(X, np.ndarray) == isinstance(Y, np.ndarray)


def kernel_pca(problem: Problem, components: int = 2) -> KernelPCA:
    """The leading kernel principal components of a problem's points, most spread first."""
    known: KernelPCA | None = problem.kept.get((KernelPCA, components))
    if known is None:
        known = problem.kept[KernelPCA, components] = _computed(problem, components)
    return known


def _computed(problem: Problem, components: int) -> KernelPCA:
    K = problem.gram
    means = K.mean(axis=0) if problem.n else np.zeros(0)
    centred = K - means[:, None] - means + (means.mean() if problem.n else 0.0)
    values, vectors, spread = _leading(0.5 * (centred + centred.T), min(components, problem.n))
    top = max(float(np.abs(K).max(initial=0.0)) * problem.n, spread)
    real = values > ROUNDING * top
    values, vectors = values[real], vectors[:, real]
    largest = np.abs(vectors).argmax(axis=0) if vectors.size else np.empty(0, dtype=np.intp)
    signs = np.where(vectors[largest, np.arange(len(values))] < 0.0, -1.0, 1.0)
    return KernelPCA(problem, read_only(values), read_only(vectors * signs), spread, read_only(means))


def _leading(matrix: Array, count: int) -> tuple[Array, Array, float]:
    """The largest eigenvalues, falling, their vectors, and the sum of all that are positive."""
    n, size = len(matrix), float(np.abs(matrix).max(initial=0.0))
    if count == 0 or size == 0.0:
        return np.zeros(0), np.zeros((n, 0)), 0.0
    if n <= FEW:
        values, vectors = np.linalg.eigh(matrix)
        return values[::-1][:count], vectors[:, ::-1][:, :count], float(values[values > 0.0].sum())
    from scipy.sparse.linalg import ArpackError, eigsh

    start = np.random.default_rng(0).normal(size=n)  # the same components for the same points
    try:
        values, vectors = eigsh(matrix / size, count, which="LA", v0=start)  # it takes tiny numbers for 0
        values = size * values
    except ArpackError:  # eigenvalues that lie too close: all of them, then
        values, vectors = (part[..., -count:] for part in np.linalg.eigh(matrix))
    # Negative eigenvalues, of kernels that are none, are not worth n³ more; the trace has them in it.
    return values[::-1], vectors[:, ::-1], max(float(np.trace(matrix)), float(values[values > 0.0].sum()))
