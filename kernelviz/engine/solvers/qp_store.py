"""Memory for Gram rows that come one by one: what was never asked for takes none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np

from kernelviz.engine.arrays import Array, Indices

__all__ = ["Store"]

FEW_STRETCHES = 6
"""Stretches of columns up to which copying them one by one is faster than by index."""

AT_FIRST = 1 << 25
"""Entries set aside before memory has to grow, which copies it.

Setting aside costs nothing: the system gives memory where it is first written to, and rows fill it from
its beginning."""


class Store:
    """Rows of n entries. Row i stands in `K` at the place `at[i]`, which is -1 as long as it is unknown.

    The first `count` places are taken; `owner` tells whose rows are there."""

    def __init__(self, n: int, whole: Array | None = None) -> None:
        """`whole` are all rows in order, kept as they are."""
        self._scratch = np.empty(0)
        self._spare = np.empty((0, 0))
        self.n = -1
        if whole is None:
            self.forget_all(n)
        else:
            self.n = self.count = n
            self.at, self.owner = np.arange(n), np.arange(n)
            self._keep(whole)

    def _keep(self, store: Array) -> None:
        """Memory for rows, perhaps wider than they are."""
        self._store, self.K = store, store[:, : self.n]

    def forget_all(self, n: int) -> None:
        """No row is known of now n."""
        self.count = 0
        if n == self.n:
            self.at[:] = -1
            return
        self.n, self.at = n, np.full(n, -1)
        self._keep(np.empty((min(n, AT_FIRST // n + 1), n)))
        self.owner = np.empty(len(self._store), dtype=np.intp)

    @property
    def complete(self) -> bool:
        """Whether all rows are known."""
        return self.count == self.n

    def knows(self, rows: Indices) -> bool:
        """Whether all of these rows are known."""
        return self.complete or bool((self.at[rows] >= 0).all())

    def room(self, more: int) -> Array:
        """Memory for so many more rows."""
        begin, end = self.count, self.count + more
        if end > len(self._store):
            old, size = self._store, min(max(end, begin + begin // 2), self.n)
            self._keep(np.empty((size, old.shape[1])))
            self._store[:begin] = old[:begin]
            self.owner = np.resize(self.owner, size)
        room: Array = self.K[begin:end]
        return room

    def admit(self, rows: Indices) -> None:
        """Say whose rows were written into the room."""
        end = self.count + len(rows)
        self.at[rows] = np.arange(self.count, end)
        self.owner[self.count : end] = rows
        self.count = end

    def admit_one(self, i: int) -> None:
        """The same for one row, without the cost of index arrays."""
        self.at[i], self.owner[self.count] = self.count, i
        self.count += 1

    def wide(self, W: Indices) -> Array:
        """The rows of W and what their memory has to spare beyond the last column, until the next call."""
        size, width = len(W), self._store.shape[1]
        if len(self._scratch) < size * width:
            self._scratch = np.empty(min(self.n, size + size // 2 + 8) * width)
        rows = self._scratch[: size * width].reshape(size, width)
        # From the whole store: `take` would first make a copy of a part of it.
        self._store.take(self.at[W], axis=0, out=rows, mode="clip")
        return rows

    def rearrange(self, n: int, kept: Indices, old: Indices) -> None:
        """Bring the entries of old points to their new places.

        When points come and go at the end alone nothing has to move. Otherwise the last store but one is
        written to, as memory that was used before is faster."""
        known = self.at[old] >= 0
        rows, of = kept[known], self.at[old[known]]
        count, (_, width) = len(rows), self._store.shape
        self.n, at = n, np.full(n, -1)
        if n <= width and count == of.max(initial=-1) + 1 and np.array_equal(kept, old):
            at[rows] = of
            self._keep(self._store)
        else:
            at[rows] = np.arange(count)
            store, room = self._spare, n + n // 8 + 8
            if store.shape[1] <= n or len(store) < min(n, 2 * count):
                store = np.empty((min(room, max(2 * count, AT_FIRST // n + 1)), room))
            _copy(store, kept, self._store, of, old)
            self._spare = self._store
            self._keep(store)
            self.owner = np.empty(len(store), dtype=np.intp)
            self.owner[:count] = rows
        self.at, self.count = at, count


def _copy(to: Array, kept: Indices, source: Array, of: Indices, old: Indices) -> None:
    """Rows `of` in columns `old` become the first rows in columns `kept`, by stretches where they are few."""
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
    """Slices of `kept` and `old` that run through both in steps of one: an edit leaves few of them."""
    if len(kept) == 0:
        return
    breaks = np.flatnonzero((np.diff(kept) != 1) | (np.diff(old) != 1)) + 1
    for begin, end in pairwise((0, *breaks.tolist(), len(kept))):
        first, source = int(kept[begin]), int(old[begin])
        yield slice(first, first + end - begin), slice(source, source + end - begin)
