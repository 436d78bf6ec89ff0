"""Kernel principal components: the directions of feature space in which the points spread most.

K~ = K - 1K - K1 + 1K1, where 1 has the entries 1/n, is the Gram matrix of the points around their mean in
feature space. With its eigenvalues λ_c and unit eigenvectors v_c the projections of the points are √λ_c v_c,
of variance λ_c/n; a new point's row of K is centred with the means of the training points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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

    def project(self, X: Any) -> Array:
        """(m, c): where other inputs lie along the components."""
        rows = self.problem.kernel(X, self.problem.X)
        centred = rows - rows.mean(axis=1, keepdims=True) - self.means + self.means.mean()
        return np.asarray(centred @ (self.vectors / np.sqrt(self.eigenvalues)))

    def following(self, before: KernelPCA) -> Self:
        """The same components in the order and with the signs in which they are most like earlier ones.

        So a map moves smoothly where two eigenvalues change places."""
        if before.vectors.shape[0] != self.vectors.shape[0] or not self.components:
            return self
        from scipy.optimize import linear_sum_assignment

        alike = before.vectors.T @ self.vectors
        theirs, mine = linear_sum_assignment(-np.abs(alike))
        order = [*mine, *sorted(set(range(self.components)) - set(mine.tolist()))]
        signs = np.ones(self.components)
        signs[: len(mine)] = np.where(alike[theirs, mine] < 0.0, -1.0, 1.0)
        return replace(
            self,
            eigenvalues=read_only(self.eigenvalues[order]),
            vectors=read_only(self.vectors[:, order] * signs),
        )


def kernel_pca(problem: Problem, components: int = 2) -> KernelPCA:
    """The leading kernel principal components of a problem's points, most spread first."""
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
    n = len(matrix)
    if count == 0:
        return np.zeros(0), np.zeros((n, 0)), 0.0
    if n <= FEW:
        values, vectors = np.linalg.eigh(matrix)
        return values[::-1][:count], vectors[:, ::-1][:, :count], float(values[values > 0.0].sum())
    from scipy.linalg import eigh

    values, vectors = eigh(matrix, subset_by_index=[n - count, n - 1])
    # Negative eigenvalues, of kernels that are none, are not worth n³ more; the trace has them in it.
    return values[::-1], vectors[:, ::-1], max(float(np.trace(matrix)), float(values[values > 0.0].sum()))
