"""Rows of the kernel matrix, computed on demand and kept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.capabilities import MakeRows
from kernelviz.engine.models.problem import Problem, finite

FEW_STRETCHES = 6  # Stretches of columns up to which copying them one by one is faster than by index.

# Entries set aside before memory has to grow, which copies it. Setting aside costs nothing: the system gives
# memory where it is first written to, and rows fill it from its beginning.
AT_FIRST = 1 << 25

ROOMY, ALWAYS = 4, 64  # Memory for rows this many times longer, and some entries, is given back.
# Up to this many points the whole matrix is computed; up to fewer if a kernel has quick rows.
WHOLE, IN_ROWS = 512, 300
TOUCHING, ROUNDING = 1e-10, 1e-13  # Relative to squared distances in feature space, and to the diagonal of K.
# Entries computed together: temporaries stay in the cache and are not given back to the system.
CHUNK = 1 << 14


class Store:
    """Rows of n entries. Row i is in `K` at the place `at[i]`, which is -1 while it is unknown.

    The first `count` places are taken; `owner` has the index of the row at each."""

    def __init__(self, n: int, whole: Array | None = None) -> None:
        """`whole` are all rows in order, kept as they are."""
        self._drop_spare_memory()
        self.n = -1
        if whole is None:
            self.forget_all(n)
        else:
            self.n = self.count = n
            self.at, self.owner = np.arange(n), np.arange(n)
            self._keep(whole)

    def _drop_spare_memory(self) -> None:
        """Give back the memory that holds no rows."""
        self._scratch, self._spare = np.empty(0), np.empty((0, 0))

    def _keep(self, store: Array) -> None:
        """Use this memory for rows; it may be wider than they are."""
        self._store, self.K = store, store[:, : self.n]

    def forget_all(self, n: int) -> None:
        """Forget all rows; from now on there are n."""
        self.count = 0
        if n == self.n:
            self.at[:] = -1
            return
        self._drop_spare_memory()
        self.n, self.at = n, np.full(n, -1)
        self._keep(np.empty((min(n, AT_FIRST // n + 1), n)))
        self.owner = np.empty(len(self._store), dtype=np.intp)

    @property
    def complete(self) -> bool:
        """True if all rows are known."""
        return self.count == self.n

    def knows(self, rows: Indices) -> bool:
        """Return True if all of these rows are known."""
        return self.complete or bool((self.at[rows] >= 0).all())

    def room(self, more: int) -> Array:
        """Return memory for that many more rows."""
        begin, end = self.count, self.count + more
        if end > len(self._store):
            old, size = self._store, min(max(end, begin + begin // 2), self.n)
            self._keep(np.empty((size, old.shape[1])))
            self._store[:begin] = old[:begin]
            self.owner = np.resize(self.owner, size)
        room: Array = self.K[begin:end]
        return room

    def admit(self, rows: Indices) -> None:
        """Register the rows that were written into the room."""
        end = self.count + len(rows)
        self.at[rows] = np.arange(self.count, end)
        self.owner[self.count : end] = rows
        self.count = end

    def admit_one(self, i: int) -> None:
        """Register one row, without the cost of index arrays."""
        self.at[i], self.owner[self.count] = self.count, i
        self.count += 1

    def wide(self, W: Indices) -> Array:
        """Return the rows of W with the spare memory beyond the last column; valid until the next call."""
        size, width = len(W), self._store.shape[1]
        if len(self._scratch) < size * width:
            self._scratch = np.empty(min(self.n, size + size // 2 + 8) * width)
        rows = self._scratch[: size * width].reshape(size, width)
        # From the whole store: `take` would first make a copy of a part of it.
        self._store.take(self.at[W], axis=0, out=rows, mode="clip")
        return rows

    def rearrange(self, n: int, kept: Indices, old: Indices) -> None:
        """Move the entries of old points to their new places.

        If points come and go only at the end nothing has to move. Otherwise the last store but one is
        written to, as memory that was used before is faster, unless it is far too large: that of thousands of
        points would stay for as long as the fits that follow."""
        known = self.at[old] >= 0
        rows, of = kept[known], self.at[old[known]]
        count, (_, width) = len(rows), self._store.shape
        self.n, at = n, np.full(n, -1)
        most = ROOMY * (n + ALWAYS)
        if n <= width <= most and count == of.max(initial=-1) + 1 and np.array_equal(kept, old):
            at[rows] = of
            self._keep(self._store)
        else:
            at[rows] = np.arange(count)
            store, room = self._spare, n + n // 8 + 8
            if not n < store.shape[1] <= most or len(store) < min(n, 2 * count):
                store = np.empty((min(room, max(2 * count, AT_FIRST // n + 1)), room))
            _copy(store, kept, self._store, of, old)
            self._spare = self._store
            if width > most:
                self._drop_spare_memory()
            self._keep(store)
            self.owner = np.empty(len(store), dtype=np.intp)
            self.owner[:count] = rows
        self.at, self.count = at, count


def _copy(to: Array, kept: Indices, source: Array, of: Indices, old: Indices) -> None:
    """Copy rows `of` in columns `old` to the first rows in columns `kept`, by stretches if they are few."""
    across = list(_stretches(kept, old))
    down = list(_stretches(np.arange(len(of)), of))
    if len(across) > FEW_STRETCHES:
        to[: len(of), kept] = source[np.ix_(of, old)]
    elif len(down) <= FEW_STRETCHES:
        for (here, there), (columns, before) in product(down, across):
            to[here, columns] = source[there, before]
    else:
        for columns, before in across:
            to[: len(of), columns] = source[of, before]


def _stretches(kept: Indices, old: Indices) -> Iterator[tuple[slice, slice]]:
    """Yield slices of `kept` and `old` that run through both in steps of one: an edit leaves few of them."""
    if len(kept) == 0:
        return
    breaks = np.flatnonzero((np.diff(kept) != 1) | (np.diff(old) != 1)) + 1
    for begin, end in pairwise((0, *breaks.tolist(), len(kept))):
        first, source = int(kept[begin]), int(old[begin])
        yield slice(first, first + end - begin), slice(source, source + end - begin)


def pick(X: Any, rows: Indices | slice) -> Any:
    """Return some of the inputs, which may be rows of an array or a tuple of strings."""
    if isinstance(X, np.ndarray) or isinstance(rows, slice):
        return X[rows]
    return tuple(X[i] for i in rows)


class GramRows(Store):
    """K + ridge I by rows, each computed on first use.

    A ridge of its own for each point is for rows that stay as they are: only one number follows `move`,
    `remap` and `renew`."""

    def __init__(
        self, kernel: Kernel, X: Any, ridge: float | Array = 0.0, shared: Array | None = None
    ) -> None:
        """`shared` is the Gram matrix if it is known already; it is copied."""
        n = len(X)
        self.kernel, self.X, self.ridge = kernel, X, ridge
        self._make: MakeRows | None = None
        self.error = 0.0  # Of the entries that a quicker way than the kernel has made.
        if shared is not None or n <= IN_ROWS or (n <= WHOLE and self._maker() == self._fresh):
            super().__init__(n, kernel(X) if shared is None else shared.copy())
            self._diagonal(self.K.diagonal() + ridge)
            self.K.flat[:: n + 1] = self.diagonal
        else:
            super().__init__(n)
            self._diagonal(finite(kernel.diagonal(X)) + ridge)

    @classmethod
    def for_problem(cls, problem: Problem, ridge: float | Array = 0.0) -> GramRows:
        """Return the rows of a problem; its Gram matrix is used if it is known, or if the kernel is slow."""
        kernel = problem.kernel
        known = problem.gram if kernel.slow else problem.known_gram
        return cls(kernel, kernel.checked(problem.X), ridge, known)

    def _diagonal(self, values: Array) -> None:
        self.diagonal = values
        self._rescale()

    def _rescale(self) -> None:
        """Set the size of the matrix, the largest entry of its diagonal."""
        self.scale = float(np.abs(self.diagonal).max())

    @property
    def ridged(self) -> bool:
        """Whether there is a ridge."""
        return not isinstance(self.ridge, float) or self.ridge != 0.0

    def energy_of_ridge(self, b: Array) -> float:
        """Return the part of b'(K + ridge I)b that is the ridge's."""
        if isinstance(self.ridge, float):
            return self.ridge * float(b.dot(b))
        return float((self.ridge * b).dot(b))

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
        """Return the function that computes rows."""
        if self._make is None:
            quick = self.kernel.rows_of(self.X)
            self._make = self._fresh if quick is None else quick.make
            self.error = max(self.error, 0.0 if quick is None else quick.error)
        return self._make

    def refine(self) -> None:
        """Compute the known rows again if a quicker way, which costs digits, made some of them."""
        if self.error == 0.0:
            return
        self.error, self._make = 0.0, self._fresh
        known, size = self.owner[: self.count], max(1, CHUNK // self.n)
        for begin in range(0, self.count, size):
            some = slice(begin, min(begin + size, self.count))
            self.K[some] = self._fresh(known[some])
        self.K[np.arange(self.count), known] = self.diagonal[known]

    def _fresh(self, places: int | Indices | slice) -> Array:
        """Return the row of K at one place, or the rows at some, without the ridge."""
        if isinstance(places, int):
            row: Array = self._fresh(slice(places, places + 1))[0]
            return row
        fresh = self.kernel.gram(pick(self.X, places), self.X)
        return fresh if self.kernel.bounded else finite(fresh)

    def row(self, i: int) -> Array:
        """Return K_i, in memory that stays valid."""
        if self.at[i] < 0:
            fresh = self.room(1)[0]
            fresh[:] = self._maker()(i)
            fresh[i] = self.diagonal[i]
            self.admit_one(i)
        row: Array = self.K[self.at[i]]
        return row

    def some(self, rows: Indices) -> Array:
        """Return a copy of some rows."""
        self.need(rows)
        return self.K[self.at[rows]]

    def whole(self) -> Array:
        """Return the whole matrix."""
        everywhere = np.arange(self.n)
        self.need(everywhere)
        return self.K[: self.n] if np.array_equal(self.at, everywhere) else self.K[self.at]

    def touching(self) -> float:
        """Return a squared distance in feature space that counts as zero.

        That is a small part of |phi(x_i) - phi(x_0)|² = K_ii - 2 K_i0 + K_00, which unlike K does not grow
        when all points are shifted away from the origin; and never less than rounding leaves of K."""
        spread = float((self.diagonal - 2.0 * self.row(0)).max() + self.diagonal[0])
        return max(TOUCHING * spread, ROUNDING * self.scale)

    def times(self, b: Array) -> Array:
        """Return K b, from the rows where b is not zero."""
        support = b.nonzero()[0]
        self.need(support)
        at = self.at[support]
        if 3 * len(support) > self.count:  # a product with all known rows takes less than a copy of these
            weights = np.zeros(self.count)
            weights[at] = b[support]
            return np.asarray(weights.dot(self.K[: self.count]))
        return np.asarray(b[support].dot(self.K[at]))

    def move(self, places: Indices, X: Any, b: Array, h: Array) -> None:
        """Update rows and columns, and h = Kb, after the inputs at some places have changed to those of X."""
        self.X, self._make = X, None
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
        """Update for one moved point, without the cost of index arrays."""
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
        """Start again with another kernel or other inputs: every row is computed when it is needed."""
        self.kernel, self.X, self._make, self.error = kernel, X, None, 0.0
        self.forget_all(len(X))
        self._diagonal(finite(kernel.diagonal(X)) + self.ridge)

    def remap(self, origin: Indices, X: Any) -> None:
        """Reorder the rows; some are gone and some (origin -1) are new."""
        kept, added = (origin >= 0).nonzero()[0], (origin < 0).nonzero()[0]
        old = origin[kept]
        diagonal = np.empty(len(origin))
        diagonal[kept] = self.diagonal[old]
        self.rearrange(len(origin), kept, old)
        self.X, self.diagonal, self._make = X, diagonal, None
        if len(added):
            fresh = self._fresh(added)
            if self.ridge:
                fresh[np.arange(len(added)), added] += self.ridge
            self._write(added, fresh)
        else:
            self._rescale()

    def set_ridge(self, ridge: float) -> None:
        """Change the number added to the diagonal."""
        # Not by the difference of the ridges: added to a large one the diagonal has lost its digits.
        self._diagonal(finite(self.kernel.diagonal(self.X)) + ridge)
        owner = self.owner[: self.count]
        self.K[np.arange(self.count), owner] = self.diagonal[owner]
        self.ridge = ridge
