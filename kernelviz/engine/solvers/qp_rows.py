"""Gram rows on demand: a solver that meets few support vectors pays for few rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.kernels.base import Kernel, MakeRows
from kernelviz.engine.problem import Problem, finite
from kernelviz.engine.solvers.qp_store import Store
from kernelviz.engine.solvers.qp_system import Factor

__all__ = ["Rows", "pick"]

WHOLE, IN_ROWS = 512, 300
"""Up to so many points the whole matrix is computed at once; up to fewer when a kernel has quick rows."""

TOUCHING, ROUNDING = 1e-10, 1e-13
"""Relative to squared distances in feature space, and to the diagonal of K."""

CHUNK = 1 << 14
"""Entries computed together: temporaries stay in the cache and are not given back to the system."""


def pick(X: Any, rows: Indices | slice) -> Any:
    """Some of the inputs, which may be rows of an array or a tuple of strings."""
    if isinstance(X, np.ndarray) or isinstance(rows, slice):
        return X[rows]
    return tuple(X[i] for i in rows)


class Rows(Store):
    """K + ridge I by rows, each computed when it is first asked for."""

    def __init__(self, kernel: Kernel, X: Any, ridge: float = 0.0, shared: Array | None = None) -> None:
        """`shared` is the Gram matrix when somebody has it already; it is copied."""
        n = len(X)
        self.kernel, self.X, self.ridge = kernel, X, ridge
        self._make: MakeRows | None = kernel.rows_of(X) if IN_ROWS < n <= WHOLE else None
        self.factor: Factor | None = None
        if shared is not None or (n <= WHOLE and self._make is None):
            super().__init__(n, kernel(X) if shared is None else shared.copy())
            self._diagonal(self.K.diagonal() + ridge)
            self.K.flat[:: n + 1] = self.diagonal
        else:
            super().__init__(n)
            self._diagonal(finite(kernel.diagonal(X)) + ridge)

    @classmethod
    def of(cls, problem: Problem, ridge: float = 0.0) -> Rows:
        """The rows of a problem, whose Gram matrix is used when it has been computed already, or is best
        computed at once."""
        kernel = problem.kernel
        known = problem.gram if kernel.laborious else problem.known_gram
        return cls(kernel, kernel.checked(problem.X), ridge, known)

    def _diagonal(self, values: Array) -> None:
        self.diagonal = values
        self._rescale()

    def _rescale(self) -> None:
        """The size of the matrix: the largest of its diagonal."""
        self.scale = float(np.abs(self.diagonal).max())

    def need(self, rows: Indices) -> None:
        """Compute those of the rows that are not known yet."""
        if self.complete:
            return
        missing = rows[self.at[rows] < 0]
        if len(missing) == 0:
            return
        size = max(1, CHUNK // self.n)
        make = self._maker()
        fresh = self.room(len(missing))
        for begin in range(0, len(missing), size):
            fresh[begin : begin + size] = make(missing[begin : begin + size])
        fresh[np.arange(len(missing)), missing] = self.diagonal[missing]
        self.admit(missing)

    def _maker(self) -> MakeRows:
        """What computes rows."""
        if self._make is None:
            self._make = self.kernel.rows_of(self.X) or self._fresh
        return self._make

    def _fresh(self, places: int | Indices | slice) -> Array:
        """The row of K at one place, or those at some, without the ridge."""
        if isinstance(places, int):
            row: Array = self._fresh(slice(places, places + 1))[0]
            return row
        fresh = self.kernel.gram(pick(self.X, places), self.X)
        return fresh if self.kernel.bounded else finite(fresh)

    def row(self, i: int) -> Array:
        """K_i, in memory that stays."""
        if self.at[i] < 0:
            fresh = self.room(1)[0]
            fresh[:] = self._maker()(i)
            fresh[i] = self.diagonal[i]
            self.admit_one(i)
        row: Array = self.K[self.at[i]]
        return row

    def some(self, rows: Indices) -> Array:
        """A copy of some rows."""
        self.need(rows)
        return self.K[self.at[rows]]

    def whole(self) -> Array:
        """The matrix."""
        everywhere = np.arange(self.n)
        self.need(everywhere)
        return self.K[: self.n] if np.array_equal(self.at, everywhere) else self.K[self.at]

    def touching(self) -> float:
        """A squared distance in feature space that counts as none.

        That is a small part of |phi(x_i) - phi(x_0)|² = K_ii - 2 K_i0 + K_00, which unlike K does not grow
        when all points are shifted away from the origin; and never less than rounding leaves of K."""
        spread = float((self.diagonal - 2.0 * self.row(0)).max() + self.diagonal[0])
        return max(TOUCHING * spread, ROUNDING * self.scale)

    def times(self, b: Array) -> Array:
        """K b, from the rows where b is not zero."""
        support = b.nonzero()[0]
        self.need(support)
        if self.complete and 3 * len(support) > self.n:
            return np.asarray(self.K[: self.n].dot(b)[self.at])
        return np.asarray(b[support] @ self.K[self.at[support]])

    def move(self, places: Indices, X: Any, b: Array, h: Array) -> None:
        """The inputs at some places changed to those of X: renew their rows and columns, and h = Kb."""
        self.X, self._make = X, None
        if self.factor is not None:
            self.factor.forget(places)
        if len(places) == 1:
            self._move_one(int(places[0]), b, h)
            return
        fresh = self._fresh(places)
        fresh[np.arange(len(places)), places] += self.ridge
        weights = b[places]
        stale = bool(weights.any())
        if stale and self.knows(places):
            h += weights @ (fresh - self.K[self.at[places]])
            stale = False
        self._write(places, fresh)
        h[places] = fresh @ b
        if stale:
            h[:] = self.times(b)

    def _move_one(self, i: int, b: Array, h: Array) -> None:
        """The same for one point, without the cost of index arrays."""
        fresh: Array = self._fresh(slice(i, i + 1))[0]
        if self.ridge:
            fresh[i] += self.ridge
        weight, was_known = float(b[i]), self.at[i] >= 0
        if not was_known:
            self.room(1)
            self.admit_one(i)
        row = self.K[self.at[i]]
        if weight and was_known:
            h += weight * (fresh - row)
        row[:] = fresh
        self.K[: self.count, i] = fresh[self.owner[: self.count]]
        if self.diagonal[i] != fresh[i]:
            self.diagonal[i] = fresh[i]
            self._rescale()
        h[i] = fresh.dot(b)
        if weight and not was_known:
            h[:] = self.times(b)

    def _write(self, places: Indices, fresh: Array) -> None:
        new = places[self.at[places] < 0]
        self.room(len(new))
        self.admit(new)
        self.K[self.at[places]] = fresh
        self.K[: self.count, places] = fresh.T[self.owner[: self.count]]
        self.diagonal[places] = fresh[np.arange(len(places)), places]
        self._rescale()

    def renew(self, kernel: Kernel, X: Any) -> None:
        """Another kernel, or many other inputs: every row is computed again when it is needed."""
        self.kernel, self.X, self._make, self.factor = kernel, X, None, None
        self.forget_all(len(X))
        self._diagonal(finite(kernel.diagonal(X)) + self.ridge)

    def remap(self, origin: Indices, X: Any) -> None:
        """Rows in another order, some gone and some (origin -1) new."""
        kept, added = (origin >= 0).nonzero()[0], (origin < 0).nonzero()[0]
        old = origin[kept]
        diagonal = np.empty(len(origin))
        diagonal[kept] = self.diagonal[old]
        self.rearrange(len(origin), kept, old)
        self.X, self.diagonal, self._make = X, diagonal, None
        if self.factor is not None:
            self.factor.remap(origin)
        if len(added):
            fresh = self._fresh(added)
            if self.ridge:
                fresh[np.arange(len(added)), added] += self.ridge
            self._write(added, fresh)
        else:
            self._rescale()

    def set_ridge(self, ridge: float) -> None:
        """Change what is added to the diagonal."""
        # Not by the difference of the ridges: beside a large one the diagonal has lost its digits.
        self._diagonal(finite(self.kernel.diagonal(self.X)) + ridge)
        owner = self.owner[: self.count]
        self.K[np.arange(self.count), owner] = self.diagonal[owner]
        self.ridge, self.factor = ridge, None
