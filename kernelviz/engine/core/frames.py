"""Data frames of any library: objects with `columns` that become arrays by `__array__`.

Their columns have names, which data keep, and by which the columns of further inputs are found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.errors import BadInput


def is_frame(X: Any) -> bool:
    """Return True for a data frame."""
    return hasattr(X, "columns") and hasattr(X, "__array__")


def names_of(X: Any) -> tuple[str, ...]:
    """Return the names of the columns of a data frame; none for anything else."""
    return tuple(map(str, X.columns)) if is_frame(X) else ()


def values_of(X: Any) -> Any:
    """Return the numbers of a data frame, (n, p) with NaN for missing values, or a list of texts if it has a
    single column of them; anything else as it is. BadInput names all columns that cannot be used, and why."""
    return _values(np.asarray(X), names_of(X)) if is_frame(X) else X


def arranged(X: Any, columns: Sequence[str]) -> Any:
    """Return the values of a data frame with the columns that were fitted, found by their names, in that
    order; anything else as it is. BadInput names those that it lacks.

    Points that were fitted without names of their own are x1, x2, …: a frame with other names stands for
    them as it is."""
    names = names_of(X)
    if not is_frame(X) or names == tuple(columns):
        return values_of(X)
    if missing := [name for name in columns if name not in names]:
        if len(names) == len(columns) and list(columns) == [f"x{j + 1}" for j in range(len(columns))]:
            return values_of(X)
        told = ", ".join(missing[:8]) + (", …" if len(missing) > 8 else "")
        raise BadInput(f"The data frame lacks columns that were fitted: {told}.")
    if repeated := [name for name in columns if names.count(name) > 1]:
        raise BadInput(f"The data frame has several columns called {repeated[0]}.")
    # In the same layout: sums over columns may differ in the last digit otherwise.
    return _values(np.ascontiguousarray(np.asarray(X)[:, [names.index(name) for name in columns]]), columns)


def _values(cells: NDArray[Any], names: Sequence[str]) -> Any:
    """Return cells as numbers, or a single column as texts."""
    if cells.ndim != 2 or cells.dtype.kind in "biuf":
        return cells
    if cells.shape[1] == 1 and (texts := _texts(cells[:, 0].tolist())):
        return texts
    problems, numbers = [], np.empty(cells.shape)
    for j, name in enumerate(names):
        if what := _what_it_has(cells[:, j]):
            problems.append(f"{name} has {what}")
        else:
            numbers[:, j] = [np.nan if is_missing(cell) else float(cell) for cell in cells[:, j].tolist()]
    if problems:
        raise BadInput(f"Columns must be numbers, but {'; '.join(problems)}. Leave them out or convert them.")
    return numbers


def _texts(cells: list[Any]) -> list[str | None]:
    """Return a column of texts, with None for missing ones; an empty list for any other column."""
    found = [None if is_missing(cell) or cell != cell else cell for cell in cells]
    texts = [cell for cell in found if cell is not None]
    return found if texts and all(isinstance(cell, str) for cell in texts) else []


def is_missing(cell: Any) -> bool:
    """Return True for what data frames write where a value is missing, other than NaN."""
    missing = ("NoneType", "NAType", "NaTType")  # Types of which a missing value is the only one.
    return type(cell).__name__ in missing


def _what_it_has(cells: NDArray[Any]) -> str:
    """Describe the cells of a column if they are not numbers; else return an empty text."""
    if cells.dtype.kind in "Mm":
        return "dates" if cells.dtype.kind == "M" else "durations"
    cell = next((cell for cell in cells.tolist() if not is_missing(cell) and not _is_number(cell)), None)
    if cell is None:
        return ""
    if isinstance(cell, str):
        return f"text, such as {cell[:30]!r}"
    return "dates" if hasattr(cell, "year") else f"values of type {type(cell).__name__}"


def _is_number(cell: Any) -> bool:
    """Return True for a real number of any library; a text that looks like one is none."""
    if isinstance(cell, str | bytes | complex):
        return False
    try:
        float(cell)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
