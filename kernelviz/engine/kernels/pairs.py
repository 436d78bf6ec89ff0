"""All pairs of some points, so that symmetric functions are computed once per pair."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array

# Rows of a block, and blocks at most: more of them repeat fewer pairs, but cost more calls.
ROWS, MOST = 60, 8


class Pairs:
    """The pairs (i, j) with i <= j as a flat list: some rows with all columns from their first one on.

    A few pairs below the diagonal are listed too, with weight zero. Matrices are written to the same
    memory every time, as new memory costs more than computing the values."""

    def __init__(self, X: Any) -> None:
        self.X, self.n = X, len(X)
        size = max(ROWS, -(-self.n // MOST))
        self.blocks = [(begin, min(begin + size, self.n)) for begin in range(0, self.n, size)]
        self._matrix = np.empty((self.n, self.n))
        self._weights = np.empty(sum((end - begin) * (self.n - begin) for begin, end in self.blocks))
        self._kept: dict[str, Array] = {}

    def each(self, f: Callable[[Any, Any], Array], name: str = "") -> Array:
        """Return a symmetric function of two points, which is given two sets of rows, at all pairs.

        A function with a name is computed once, and its values must not be overwritten."""
        if name in self._kept:
            return self._kept[name]
        X = self.X
        values = np.concatenate([f(X[begin:end], X[begin:]).ravel() for begin, end in self.blocks])
        if name:
            values.flags.writeable = False
            self._kept[name] = values
        return values

    def upper(self, values: Array) -> Array:
        """Return the matrix with these values, filled on and above its diagonal."""
        A, at = self._matrix, 0
        for begin, end in self.blocks:
            count = (end - begin) * (self.n - begin)
            A[begin:end, begin:] = values[at : at + count].reshape(end - begin, -1)
            at += count
        return A

    def weights(self, beta: Array, lower: Array) -> Array:
        """Return the weight of each pair in ½ sum_ij (beta beta' - M)_ij S_ij for symmetric S; of M only
        the lower half is read."""
        at = 0
        for begin, end in self.blocks:
            count = (end - begin) * (self.n - begin)
            W = self._weights[at : at + count].reshape(end - begin, -1)
            np.multiply.outer(beta[begin:end], beta[begin:], out=W)
            W -= lower.T[begin:end, begin:]
            W[:, : end - begin] *= _once(end - begin)
            at += count
        return self._weights


@lru_cache(maxsize=8)
def _once(size: int) -> Array:
    """Return 1 above the diagonal, a half on it, and 0 below."""
    return np.triu(np.ones((size, size))) - 0.5 * np.eye(size)
