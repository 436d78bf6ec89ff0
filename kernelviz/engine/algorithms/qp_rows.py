"""Gram rows on demand: a solver that meets few support vectors pays for few rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.errors import BadInput
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.problem import Problem, finite

__all__ = ["LARGEST", "Rows", "pick"]

LARGEST = 20_000
"""Points an exact solver accepts: the matrix of so many takes 3 GB."""

WHOLE = 256
"""Up to so many points the whole matrix is computed at once."""

CHUNK = 1 << 15
"""Entries computed together, so that temporaries stay in the cache."""


def pick(X: Any, rows: Indices | Sequence[int]) -> Any:
    """Some of the inputs, which may be rows of an array or a tuple of strings."""
    return X[rows] if isinstance(X, np.ndarray) else tuple(X[i] for i in rows)


class Rows:
    """K + ridge I by rows. `K` is private to its owner and only valid in the rows that are `known`."""

    def __init__(self, problem: Problem, ridge: float = 0.0) -> None:
        n = problem.n
        if n > LARGEST:
            raise BadInput(
                f"{n} points are too many for an exact solver (at most {LARGEST}). "
                "Take a part of them, or use random-features."
            )
        self.kernel: Kernel = problem.kernel
        self.X: Any = self.kernel.checked(problem.X)
        self.ridge = ridge
        shared = problem.__dict__.get("gram")
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            self.diagonal: Array = finite(
                (self.kernel.diagonal(self.X) if shared is None else shared.diagonal()) + ridge
            )
        self.K: Array = np.empty((n, n)) if shared is None else shared.copy()
        self.known = np.full(n, shared is not None)
        self.complete = shared is not None
        if self.complete:
            self.K.flat[:: n + 1] += ridge
        elif n <= WHOLE:
            self.need(np.arange(n))

    def need(self, rows: Indices) -> None:
        """Compute those of the rows that are not known yet."""
        if self.complete:
            return
        missing = rows[~self.known[rows]]
        if len(missing) == 0:
            return
        n = len(self.known)
        size = max(1, CHUNK // n)
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            for begin in range(0, len(missing), size):
                part = missing[begin : begin + size]
                self.K[part] = finite(self.kernel.gram(pick(self.X, part), self.X))
        self.K[missing, missing] = self.diagonal[missing]
        self.known[missing] = True
        self.complete = bool(self.known.all())

    def row(self, i: int) -> Array:
        if not self.known[i]:
            self.need(np.array([i]))
        return self.K[i]

    def times(self, b: Array) -> Array:
        """K b, from the rows where b is not zero."""
        support = np.flatnonzero(b)
        self.need(support)
        if len(support) * 2 > len(b) and self.complete:
            return np.asarray(self.K @ b)
        return np.asarray(b[support] @ self.K[support])

    def move(self, places: Indices, X: Any, b: Array, h: Array) -> None:
        """The inputs at some places changed to those of X: renew their rows and columns, and h = Kb."""
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            fresh = finite(self.kernel.gram(pick(X, places), X))
        fresh[np.arange(len(places)), places] += self.ridge
        weights = b[places]
        self.X = X
        self.diagonal[places] = fresh[np.arange(len(places)), places]
        stale = weights.any()
        if stale and self.known[places].all():
            h += weights @ (fresh - self.K[places])
            stale = False
        self.K[places] = fresh
        self.K[:, places] = fresh.T
        self.known[places] = True
        h[places] = fresh @ b
        if stale:
            h[:] = self.times(b)

    def remap(self, origin: Indices, X: Any) -> None:
        """Rows in another order, some gone and some (origin -1) new."""
        n = len(origin)
        kept = np.flatnonzero(origin >= 0)
        K = np.empty((n, n))
        K[np.ix_(kept, kept)] = self.K[np.ix_(origin[kept], origin[kept])]
        known, diagonal = np.zeros(n, dtype=bool), np.empty(n)
        known[kept], diagonal[kept] = self.known[origin[kept]], self.diagonal[origin[kept]]
        added = np.flatnonzero(origin < 0)
        self.X, self.K, self.known, self.diagonal = X, K, known, diagonal
        if len(added):
            with np.errstate(over="ignore", invalid="ignore", under="ignore"):
                fresh = finite(self.kernel.gram(pick(X, added), X))
            fresh[np.arange(len(added)), added] += self.ridge
            K[added] = fresh
            K[:, added] = fresh.T
            known[added] = True
            diagonal[added] = fresh[np.arange(len(added)), added]
        self.complete = bool(known.all())

    def set_ridge(self, ridge: float) -> None:
        """Change what is added to the diagonal."""
        self.diagonal = self.diagonal + (ridge - self.ridge)
        self.K.flat[:: len(self.known) + 1] = self.diagonal
        self.ridge = ridge
