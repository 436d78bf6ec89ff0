"""All pairs of some points once: what is symmetric need not be computed twice."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["Pairs"]

FEW, MANY = 4, 8
"""Blocks of rows, for small and for large matrices: more of them repeat fewer pairs, but cost more calls."""
LARGE = 300


class Pairs:
    """The pairs (i, j) with i <= j, as a flat list: some rows with all columns from their first one on.

    A few pairs below the diagonal are listed too; they weigh nothing."""

    def __init__(self, X: Any) -> None:
        self.X, self.n = X, len(X)
        size = -(-self.n // (FEW if self.n <= LARGE else MANY))
        self.blocks = [(begin, min(begin + size, self.n)) for begin in range(0, self.n, size)]

    def each(self, f: Callable[[Any, Any], Array]) -> Array:
        """A symmetric function of two points, which gets some rows and others, at all pairs."""
        X = self.X
        return np.concatenate([f(X[begin:end], X[begin:]).ravel() for begin, end in self.blocks])

    def upper(self, values: Array) -> Array:
        """The matrix with these values, as far as its diagonal and what is above it go."""
        A, at = np.empty((self.n, self.n)), 0
        for begin, end in self.blocks:
            count = (end - begin) * (self.n - begin)
            A[begin:end, begin:] = values[at : at + count].reshape(end - begin, -1)
            at += count
        return A

    def weights(self, beta: Array, lower: Array) -> Array:
        """Of each pair in sum_ij (beta beta' - M)_ij S_ij for a symmetric S; M is known by its lower half."""
        parts = []
        for begin, end in self.blocks:
            W = np.multiply.outer(2.0 * beta[begin:end], beta[begin:])
            half = lower.T[begin:end, begin:]
            W -= half
            W -= half
            W[:, : end - begin] *= _once(end - begin)
            parts.append(W.ravel())
        return np.concatenate(parts)


@lru_cache(maxsize=8)
def _once(size: int) -> Array:
    """1 above the diagonal, a half on it, 0 below."""
    return np.triu(np.ones((size, size))) - 0.5 * np.eye(size)
