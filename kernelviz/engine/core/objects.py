"""Objects that are known only by a matrix of their similarities, such as trees or graphs.

A `GramItem` is a string, the object's name, with its row in the Gram matrix K: the kernel `gram` looks K(s,
t) up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array, as_points, read_only
from kernelviz.engine.core.errors import BadInput

# How far K(x, x') and K(x', x) may differ, relative to themselves or to the root of K(x, x) K(x', x').
ASYMMETRY = 1e-8
MOST_OBJECTS = 1000


class GramItem(str):
    """The name of an object, with its row in a Gram matrix. Two items are equal if they are the same row of
    the same matrix, whatever their names."""

    place: int  # Its row in the matrix.
    matrix: Array  # The similarities of all objects, of which this is one; read-only.

    def __new__(cls, name: str, place: int, matrix: Array) -> GramItem:
        made = super().__new__(cls, name)
        made.place, made.matrix = place, matrix
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:  # copies and pickles are made by it
        return str(self), self.place, self.matrix

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GramItem) and self.place == other.place and same(self.matrix, other.matrix)

    def __hash__(self) -> int:
        return hash((str.__hash__(self), self.place))


class Items(tuple[GramItem, ...]):
    """Some objects of one Gram matrix, possibly none."""


def same(first: Array, second: Array) -> bool:
    """Return True if two matrices are the same object or have the same values."""
    return first is second or np.array_equal(first, second)


def objects(K: Any, names: Sequence[str] = (), source: str = "The Gram matrix") -> Items:
    """Return the objects of a Gram matrix, as inputs for the kernel `gram`.

    K: (n, n), symmetric up to rounding. names: one for each object; by default they are numbered from 1.
    BadInput says what is wrong with the matrix, which the message calls `source`. A matrix with negative
    eigenvalues is accepted: the check of Mercer's condition reports them.

    >>> model = kernelviz.fit(kernelviz.objects(K), z, kernel="gram")"""
    try:
        shape = np.shape(K)
    except ValueError:
        raise BadInput(f"{source} must be square; its rows have different lengths.") from None
    if len(shape) == 2 and max(shape) > MOST_OBJECTS:
        raise BadInput(f"{source} has {max(shape):,} objects; at most {MOST_OBJECTS:,} are read.")
    matrix = as_points(K, f"{source}: the values", np.inf)
    n = len(matrix)
    if matrix.shape != (n, n):
        rows, columns = matrix.shape
        raise BadInput(f"{source} must be square; it has {rows} rows and {columns} columns.")
    sizes = np.sqrt(np.abs(matrix.diagonal()))
    largest = np.maximum(np.abs(matrix), np.abs(matrix.T))
    excess = np.abs(matrix - matrix.T) - ASYMMETRY * np.maximum(largest, np.multiply.outer(sizes, sizes))
    if n and excess.max() > 0.0:
        i, j = map(int, np.unravel_index(excess.argmax(), excess.shape))
        raise BadInput(
            f"{source} must be symmetric: row {i + 1}, column {j + 1} is {matrix[i, j]:g}, "
            f"but row {j + 1}, column {i + 1} is {matrix[j, i]:g}."
        )
    if names and len(names) != n:
        raise BadInput(f"{source} has {n} objects, but there are {len(names)} names.")
    matrix = read_only(0.5 * (matrix + matrix.T))
    every = names or [str(i + 1) for i in range(n)]
    return Items(GramItem(str(name), i, matrix) for i, name in enumerate(every))
