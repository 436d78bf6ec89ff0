"""Gram rows on demand: a solver that meets few support vectors pays for few rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.kernels.base import Kernel, MakeRows
from kernelviz.engine.problem import Problem, finite
from kernelviz.engine.solvers.qp_system import Factor

__all__ = ["Rows", "pick"]

WHOLE, IN_ROWS = 512, 300
"""Up to so many points the whole matrix is computed at once; up to fewer when a kernel has quick rows."""

TOUCHING, ROUNDING = 1e-10, 1e-13
"""Relative to squared distances in feature space, and to the diagonal of K."""

FEW_STRETCHES = 6
"""Stretches of columns up to which copying them one by one is faster than by index."""

CHUNK = 1 << 14
"""Entries computed together: temporaries stay in the cache and are not given back to the system."""


def pick(X: Any, rows: Indices | slice) -> Any:
    """Some of the inputs, which may be rows of an array or a tuple of strings."""
    if isinstance(X, np.ndarray) or isinstance(rows, slice):
        return X[rows]
    return tuple(X[i] for i in rows)


class Rows:
    """K + ridge I by rows. `K` is private to its owner and only valid in the rows that are `known`.

    `complete` says that all are, once somebody has noticed."""

    def __init__(self, kernel: Kernel, X: Any, ridge: float = 0.0, shared: Array | None = None) -> None:
        """`shared` is the Gram matrix when somebody has it already; it is copied."""
        n = len(X)
        self.kernel, self.X, self.ridge = kernel, X, ridge
        self.K: Array
        self.known: NDArray[np.bool_]
        self._make: MakeRows | None = kernel.rows_of(X) if IN_ROWS < n <= WHOLE else None
        self.complete = shared is not None or (n <= WHOLE and self._make is None)
        self.known = np.full(n, self.complete)
        if self.complete:
            self.K = kernel(X) if shared is None else shared.copy()
            self._diagonal(self.K.diagonal() + ridge)
            self.K.flat[:: n + 1] = self.diagonal
        else:
            self.K = np.empty((n, n))
            self._diagonal(finite(kernel.diagonal(X)) + ridge)
        self.factor: Factor | None = None
        self._scratch = np.empty(0)
        self._store = self.K
        self._spare = np.empty((0, 0))

    @classmethod
    def of(cls, problem: Problem, ridge: float = 0.0) -> Rows:
        """The rows of a problem, whose Gram matrix is used when it has been computed already."""
        kernel = problem.kernel
        return cls(kernel, kernel.checked(problem.X), ridge, problem.known_gram)

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
        missing = rows[~self.known[rows]]
        if len(missing) == 0:
            return
        size = max(1, CHUNK // len(self.known))
        make = self._maker()
        for begin in range(0, len(missing), size):
            part = missing[begin : begin + size]
            self.K[part] = make(part)
        self.K[missing, missing] = self.diagonal[missing]
        self.known[missing] = True
        self.complete = bool(self.known.all())

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
        row: Array = self.K[i]
        if not self.complete and not self.known[i]:
            row[:] = self._maker()(i)
            row[i] = self.diagonal[i]
            self.known[i] = True
        return row

    def touching(self) -> float:
        """A squared distance in feature space that counts as none.

        That is a small part of |phi(x_i) - phi(x_0)|² = K_ii - 2 K_i0 + K_00, which unlike K does not grow
        when all points are shifted away from the origin; and never less than rounding leaves of K."""
        spread = float((self.diagonal - 2.0 * self.row(0)).max() + self.diagonal[0])
        return max(TOUCHING * spread, ROUNDING * self.scale)

    def block(self, W: Indices) -> tuple[Array, Array]:
        """(the rows of W, K_WW), in memory that the next call overwrites."""
        self.need(W)
        rows = self.wide(W)
        return rows[:, : len(self.known)], rows.take(W, axis=1, mode="clip")

    def wide(self, W: Indices) -> Array:
        """The rows of W with what their memory has to spare beyond the last column; overwritten likewise."""
        size, n, width = len(W), len(self.known), len(self._store)
        if len(self._scratch) < size * width:
            self._scratch = np.empty(min(n, size + size // 2 + 8) * width)
        rows = self._scratch[: size * width].reshape(size, width)
        # From the whole store: `take` would first make a copy of a part of it.
        self._store.take(W, axis=0, out=rows, mode="clip")
        return rows

    def times(self, b: Array) -> Array:
        """K b, from the rows where b is not zero."""
        support = b.nonzero()[0]
        self.need(support)
        if self.complete and 3 * len(support) > len(b):
            return np.asarray(self.K @ b)
        return np.asarray(b[support] @ self.K[support])

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
        if stale and self.known[places].all():
            h += weights @ (fresh - self.K[places])
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
        K, weight, was_known = self.K, float(b[i]), self.known[i]
        if weight and was_known:
            h += weight * (fresh - K[i])
        K[i] = fresh
        K[:, i] = fresh
        if self.diagonal[i] != fresh[i]:
            self.diagonal[i] = fresh[i]
            self._rescale()
        self.known[i] = True
        h[i] = fresh.dot(b)
        if weight and not was_known:
            h[:] = self.times(b)

    def _write(self, places: Indices, fresh: Array) -> None:
        self.K[places] = fresh
        self.K[:, places] = fresh.T
        self.diagonal[places] = fresh[np.arange(len(places)), places]
        self._rescale()
        self.known[places] = True

    def renew(self, kernel: Kernel, X: Any) -> None:
        """Another kernel, or many other inputs: every row is computed again when it is needed."""
        n = len(X)
        if n != len(self.known):
            self.K, self.known = np.empty((n, n)), np.zeros(n, dtype=bool)
            self._store = self.K
        self.kernel, self.X, self._make, self.factor = kernel, X, None, None
        self.known[:] = self.complete = False
        self._diagonal(finite(kernel.diagonal(X)) + self.ridge)

    def remap(self, origin: Indices, X: Any) -> None:
        """Rows in another order, some gone and some (origin -1) new."""
        n = len(origin)
        kept, added = (origin >= 0).nonzero()[0], (origin < 0).nonzero()[0]
        old = origin[kept]
        known, diagonal = np.zeros(n, dtype=bool), np.empty(n)
        known[kept], diagonal[kept] = self.known[old], self.diagonal[old]
        self.K = self._rearranged(n, kept, old)
        self.X, self.known, self.diagonal, self._make = X, known, diagonal, None
        if self.factor is not None:
            self.factor.remap(origin)
        if len(added):
            fresh = self._fresh(added)
            if self.ridge:
                fresh[np.arange(len(added)), added] += self.ridge
            self._write(added, fresh)
        else:
            self._rescale()
        self.complete = bool(known.all())

    def _rearranged(self, n: int, kept: Indices, old: Indices) -> Array:
        """An (n, n) matrix with the entries of old points in their new places.

        When points come and go at the end alone nothing has to move. Otherwise the last store but one is
        written to, as memory that was used before is faster."""
        if n <= len(self._store) and np.array_equal(kept, old):
            return self._store[:n, :n]
        room = n + n // 8 + 8
        store = self._spare if len(self._spare) > n else np.empty((room, room))
        self._copy(store, kept, old)
        self._store, self._spare = store, self._store
        return store[:n, :n]

    def _copy(self, K: Array, kept: Indices, old: Indices) -> None:
        """Write the known entries by stretches, of which an edit leaves few."""
        stretches = list(_stretches(kept, old))
        valid = self.known[old]
        if len(stretches) > FEW_STRETCHES:
            to, of = kept[valid], old[valid]
            K[np.ix_(to, kept)] = self.K[np.ix_(of, old)]
        elif 2 * np.count_nonzero(valid) > len(old):
            for (here, there), (across, before) in product(stretches, stretches):
                K[here, across] = self.K[there, before]
        else:
            for i, j in zip(kept[valid].tolist(), old[valid].tolist(), strict=True):
                row, source = K[i], self.K[j]
                for across, before in stretches:
                    row[across] = source[before]

    def set_ridge(self, ridge: float) -> None:
        """Change what is added to the diagonal."""
        # Not by the difference of the ridges: beside a large one the diagonal has lost its digits.
        self._diagonal(finite(self.kernel.diagonal(self.X)) + ridge)
        self.K.flat[:: len(self.known) + 1] = self.diagonal
        self.ridge, self.factor = ridge, None


def _stretches(kept: Indices, old: Indices) -> Iterator[tuple[slice, slice]]:
    """Slices of `kept` and `old` that run through both in steps of one: an edit leaves few of them."""
    if len(kept) == 0:
        return
    breaks = np.flatnonzero((np.diff(kept) != 1) | (np.diff(old) != 1)) + 1
    for begin, end in pairwise((0, *breaks.tolist(), len(kept))):
        first, source = int(kept[begin]), int(old[begin])
        yield slice(first, first + end - begin), slice(source, source + end - begin)
