"""Views of a Gram matrix K, (n, n): normalised, centred, ordered, and as a sum over its eigenvectors.

All of it is geometry in feature space, known by inner products: lengths √K_ii, cosines K_ij/√(K_ii K_jj),
distances √(K_ii + K_jj - 2K_ij)."""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, degrees

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices, read_only
from kernelviz.engine.models.problem import Problem

MERCER = "Mercer's sum"


def normalised(K: Array) -> Array:
    """Return K_ij/sqrt(K_ii K_jj), the cosine between phi(x_i) and phi(x_j); 0 where one has no length."""
    lengths = np.sqrt(np.maximum(K.diagonal(), 0.0))
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return np.asarray(K * inverse[:, None] * inverse)


def centred(K: Array) -> Array:
    """Return (I - 1)K(I - 1), 1 the matrix of all 1/n: the inner products relative to the mean of the
    points."""
    if not len(K):
        return K
    means = K.mean(axis=0)
    return np.asarray(K - means[:, None] - means + means.mean())


def distances(K: Array) -> Array:
    """Return |phi(x_i) - phi(x_j)| = sqrt(K_ii + K_jj - 2K_ij); 0 where an indefinite kernel has none."""
    squares = K.diagonal()
    return np.sqrt(np.maximum(squares[:, None] + squares - 2.0 * K, 0.0))


def clustered(K: Array) -> Indices:
    """Return an order in which similar rows are neighbours: points are joined by average linkage of their
    distances in feature space, and a joined pair of groups stays together."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    groups: list[list[int]] = [[i] for i in range(len(K))]
    if len(K) > 1:
        D = distances(K)
        np.fill_diagonal(D, 0.0)
        for a, b in linkage(squareform(D, checks=False), "average")[:, :2].astype(np.intp).tolist():
            first, second = sorted((groups[a], groups[b]))  # the group with the earliest point first
            groups.append(first + second)
    return np.array(groups[-1] if groups else [], dtype=np.intp)


@dataclass(frozen=True)
class PointPair:
    """Two points in feature space."""

    product: float  # phi·phi' = K(x, x').
    cosine: float | None  # K(x, x')/sqrt(K(x, x) K(x', x')); None where one has no length.
    distance: float | None  # |phi - phi'|; None where its square is negative, as with an indefinite kernel.

    @property
    def angle(self) -> float | None:
        """The angle between the two, in degrees."""
        if self.cosine is None or abs(self.cosine) > 1.0 + 1e-9:  # more than by rounding
            return None
        return degrees(acos(max(-1.0, min(1.0, self.cosine))))


def pair(K: Array, i: int, j: int) -> PointPair:
    """Return the geometry of points i and j of a Gram matrix K, (n, n): product, cosine and distance."""
    own, other, product = float(K[i, i]), float(K[j, j]), float(K[i, j])
    square = own + other - 2.0 * product
    rounding = 1e-12 * max(abs(own), abs(other))  # of sums of many products
    lengths = own * other
    return PointPair(
        product,
        product / float(np.sqrt(lengths)) if lengths > 0.0 and own > 0.0 else None,
        None if square < -rounding else float(np.sqrt(square if square > rounding else 0.0)),
    )


@dataclass(frozen=True, eq=False)
class MercerSum:
    """K = sum_j λ_j v_j v_j', the uncentred eigenvectors of a Gram matrix, largest |λ| first.

    The eigenfunction of v_j is φ_j(x) = sum_i v_ij K(x_i, x)/√λ_j, of norm 1 in the space of the kernel; at
    the points it is √λ_j v_j, so that these are features whose inner products are K."""

    values: Array  # (n,)
    vectors: Array  # (n, n), a column for each.

    @classmethod
    def of(cls, problem: Problem) -> MercerSum:
        """Return the sum for a problem's points; it is computed once for each problem."""
        if MERCER not in problem.kept:
            values, vectors = np.linalg.eigh(problem.gram)
            order = np.argsort(-np.abs(values), kind="stable")
            problem.kept[MERCER] = cls(read_only(values[order]), read_only(vectors[:, order]))
        known: MercerSum = problem.kept[MERCER]
        return known

    def gram(self, m: int) -> Array:
        """Return the first m terms of K, (n, n)."""
        return np.asarray((self.vectors[:, :m] * self.values[:m]) @ self.vectors[:, :m].T)

    def features(self, m: int) -> Array:
        """Return √λ_j v_j for the first m terms, (n, m); 0 where λ_j is negative, as with no true kernel."""
        return np.asarray(self.vectors[:, :m] * np.sqrt(np.maximum(self.values[:m], 0.0)))

    def error(self, m: int) -> float:
        """Return the size of what m terms leave of K, as a share of its own size, by sums of squares."""
        squares = self.values**2
        return float(np.sqrt(squares[m:].sum() / (squares.sum() or 1.0)))

    def ridge(self, y: Array, lam: float, m: int) -> Array:
        """Return weights β of ridge regression on the first m eigenfunctions: sum_j v_j v_j'y/(λ_j + λ).

        With all n of them β = (K + λI)⁻¹y, kernel ridge itself."""
        V = self.vectors[:, :m]
        return np.asarray(V @ (V.T @ y / (self.values[:m] + lam)))
