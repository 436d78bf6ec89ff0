"""Gram matrices in tables: a square of numbers, a class for each row, and possibly a name."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.objects import ASYMMETRY, objects
from kernelviz.session.tables.table import TARGET_NAMES, Table

FEWEST_OBJECTS = 4  # Rows from which a symmetric square of numbers cannot be an accident.


def objects_in(table: Table, wanted: bool = False) -> Data | None:
    """Return the objects of a table that is a Gram matrix, with their classes; None for any other table.

    Such a table has as many columns of numbers as rows, a column with the classes, and possibly one with the
    names of the objects. It is recognised because it is symmetric or because the columns have the names of
    the rows. wanted: whether it must be a Gram matrix; BadInput then says why it is none."""
    target, numbers = _target(table), _numbers(table)
    words = [j for j, column in enumerate(table.columns) if not column.numeric and j != target]
    n, source, titles = len(table), table.source or "The table", [table.names[j] for j in numbers]
    repeated = next((j for j in words if titles and list(table.columns[j].texts) == titles), None)
    if not (wanted or repeated is not None or (n >= FEWEST_OBJECTS and _is_symmetric(table, numbers))):
        return None
    if not n:
        raise BadInput(f"{source} has no rows: there is no Gram matrix in it.")
    if len(numbers) != n:
        raise BadInput(
            f"{source}: a Gram matrix has as many columns as rows; this has {n} rows and {len(numbers)} "
            "columns of numbers."
        )
    others = [j for j in words if j != repeated]
    if target is None and others:
        target = others.pop()
    if target is None:
        raise BadInput(
            f"{source} is a Gram matrix without classes. Add a column called label to a table, or save "
            "the matrix with its labels by numpy.savez(file, K=K, labels=labels)."
        )
    K = np.column_stack([table.numbers(j) for j in numbers])
    names = list(table.columns[others[0]].texts) if others and repeated is None else titles
    return Data.labelled(objects(K, names, source), table.labels(target), ["object"])


def why_no_gram(table: Table) -> str:
    """Explain why a table is not a Gram matrix although it seems to be meant as one: it has a column of
    classes, and as many columns of numbers as rows, give or take one. Empty for any other table."""
    if might_be_gram(table):
        return "If it is a Gram matrix, say so by --kernel gram."
    if (
        _target(table) is None
        or len(table) < FEWEST_OBJECTS - 1
        or abs(len(_numbers(table)) - len(table)) > 1
    ):
        return ""
    try:
        objects_in(table, wanted=True)
    except BadInput as problem:
        return f"It is no Gram matrix either, which is square, finite and symmetric: {problem}"
    return ""


def might_be_gram(table: Table) -> bool:
    """Return True for a table of three rows that may be a Gram matrix, or symmetric by accident: the user
    knows."""
    return (
        len(table) == FEWEST_OBJECTS - 1
        and _target(table) is not None
        and _is_symmetric(table, _numbers(table))
    )


def is_square(table: Table) -> bool:
    """Return True if a table has as many columns of numbers as rows, without classes and counts of rows."""
    return len(_numbers(table)) == len(table)


def _target(table: Table) -> int | None:
    """Return the column of classes that the format determines, or that has a usual name; None without one."""
    if table.given is not None:
        return table.given.target
    return next((j for j, name in enumerate(table.names) if name.lower() in TARGET_NAMES), None)


def _numbers(table: Table) -> list[int]:
    """Return the columns of numbers that are not the classes."""
    target = _target(table)
    return [j for j, column in enumerate(table.columns) if column.numeric and j != target]


def _is_symmetric(table: Table, numbers: list[int]) -> bool:
    """Return True if these columns are a symmetric matrix of finite numbers."""
    if len(numbers) != len(table) or not numbers:
        return False
    K = np.column_stack([np.asarray(table.columns[j].values) for j in numbers])
    return bool(np.isfinite(K).all()) and bool(np.abs(K - K.T).max() <= ASYMMETRY * np.abs(K).max())
