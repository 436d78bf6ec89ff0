"""Array types and the checks that every input passes through once.

Arrays that are handed out are read-only float64; `as_points` turns what a user gives into (n, p) finite rows,
or raises BadInput with the row that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.frames import names_of, values_of

LARGEST_INPUT = 1e12  # Of coordinates and targets, in size: squares and their sums must keep their digits.
CELLS_NAMED = 3  # Cells that a message names when more are wrong.

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]


def read_only(values: Any) -> Array:
    """Return the values as a read-only float64 array, copied unless it already is one."""
    array = np.asarray(values, dtype=np.float64)
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array


def without_results(self: Any) -> dict[str, Any]:
    """Return the fields of a dataclass object without the results that it keeps; as `__getstate__` it makes
    pickles small."""
    return {name: self.__dict__[name] for name in self.__dataclass_fields__ if name in self.__dict__}


def parts(n: int, size: int) -> Iterator[slice]:
    """Yield slices of at most `size` places, one after the other, that cover all of n."""
    return (slice(begin, min(begin + size, n)) for begin in range(0, n, size))


def distinct(codes: NDArray[np.integer[Any]]) -> list[int]:
    """Return the different codes of an array, in ascending order.

    `np.unique` would import `numpy.ma` for it, which takes as long as the first fit."""
    return sorted(set(codes.tolist()))


def as_points(X: Any, what: str = "The inputs", most: float = 1e140) -> Array:
    """Return X as (n, p) finite float64 rows; a flat list becomes one column.

    BadInput names the first wrong cells; `what` is the subject of its sentence. most: the largest size of a
    number, by default one whose squared distances are still finite."""
    if hasattr(X, "toarray"):
        raise BadInput(f"{what} are sparse, which kernelviz does not compute with: give X.toarray().")
    names, X = names_of(X), values_of(X)
    try:
        array = np.asarray(X)
        if array.dtype.kind in "cMm":  # complex numbers and dates would be cast silently
            raise TypeError
        array = array.astype(np.float64, copy=False)
        if isinstance(X, np.ndarray) and hasattr(X, "mask"):  # values below a mask are not meant to be used
            array = np.where(X.mask, np.nan, array)
    except (TypeError, ValueError, OverflowError):
        if isinstance(X, list) and None in X and any(isinstance(x, str) for x in X):
            raise BadInput(f"The text of row {X.index(None) + 1} is missing.") from None
        raise BadInput(f"{what} must be numbers in rows of equal length.") from None
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise BadInput(f"{what} must be a table of rows and columns, not {array.ndim}-dimensional.")
    if array.shape[1] == 0 and len(array) > 0:
        raise BadInput(f"{what} have no columns.")
    if array.size and not max(array.max(), -array.min()) <= most:
        if len(bad := np.argwhere(~np.isfinite(array))):
            raise BadInput(f"{what} must be finite numbers: {_cells(array, bad, names)}.")
        told = _cells(array, np.argwhere(np.abs(array) > most)[:1], names)  # as all have one scale
        raise BadInput(
            f"{what} are too large to compute with: {told}. They may reach {most:g} in size; bring them to a "
            "smaller scale."
        )
    return array


def _cells(array: Array, bad: Indices, names: Sequence[str]) -> str:
    """Return the first of the cells that are wrong, with their values."""
    told = [
        f"row {i + 1}, column {names[j] if names else j + 1} is {array[i, j]}"
        for i, j in bad[:CELLS_NAMED].tolist()
    ]
    if more := len(bad) - len(told):
        told.append(f"and {more:,} more")
    return "; ".join(told)


def is_single_point(x: Any) -> bool:
    """Return True if x is one row of p numbers rather than a table of rows."""
    if isinstance(x, np.ndarray):
        return x.ndim == 1 and len(x) > 0
    return isinstance(x, list | tuple) and len(x) > 0 and np.isscalar(x[0])


def comparable(X: Array, points: Array) -> Array:
    """Return X, or raise BadInput if its rows have another number of columns than the points.

    An X without rows fits any points."""
    p = points.shape[1]
    if len(X) == 0:
        return X.reshape(0, p)
    if len(points) and X.shape[1] != p:
        raise BadInput(f"Rows of {X.shape[1]} and of {p} columns cannot be compared.")
    return X
