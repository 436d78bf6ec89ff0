"""From a user's labels to classes: any hashable values, in an order people expect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from types import NoneType
from typing import Any, NamedTuple

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.errors import BadInput

__all__ = ["MOST_CLASSES", "Classes", "classes_of", "measured"]

MOST_CLASSES = 20


class Classes(NamedTuple):
    """codes: z in {-1, +1}, or 0..k-1 for more than two classes. names and labels: in that order, as words to
    show and as the values the user gave."""

    codes: Array
    names: tuple[str, ...]
    labels: tuple[Any, ...]


def classes_of(labels: Any, n: int) -> Classes:
    """The classes of n points.

    Of two values the larger is +1, so that 0/1, -1/+1 and -/+ mean what they say."""
    values = _listed(labels)
    if len(values) != n:
        raise BadInput(f"There are {n} points but {len(values)} labels.")
    distinct = set(values)
    if any(map(_is_missing, distinct)):
        row = next(row for row, value in enumerate(values) if _is_missing(value))
        raise BadInput(f"The label of row {row + 1} is missing or not a finite number.")
    order = _in_order(distinct)
    if len(order) > MOST_CLASSES:
        raise BadInput(
            f"The labels take {len(order)} different values; at most {MOST_CLASSES} classes make sense here. "
            "Is the label column a measured quantity?"
        )
    if len(order) < 2:
        return _lone_class(order, n)
    position = {value: float(k) for k, value in enumerate(order)}
    codes = np.array(list(map(position.__getitem__, values)))
    names = tuple(map(_shown, order))
    return Classes(2.0 * codes - 1.0 if len(order) == 2 else codes, names, tuple(order))


def measured(target: Any) -> bool:
    """Whether these are numbers with decimals of which few are alike: a quantity rather than classes."""
    try:
        values = np.asarray(target)
    except ValueError:  # ragged
        return False
    if values.dtype.kind != "f" or values.ndim == 0 or not np.isfinite(values).all():
        return False
    distinct = np.unique(values)
    return len(distinct) > max(2, values.size // 2) and bool((distinct != np.floor(distinct)).any())


def _listed(labels: Any) -> list[Any]:
    """The labels as plain Python values."""
    if isinstance(labels, str | Set | Mapping) or not isinstance(labels, Iterable):
        raise BadInput("The labels must be a list with one value for each point.")
    array = np.asarray(labels) if hasattr(labels, "__array__") else None
    values = list(labels) if array is None else array.reshape(-1).tolist()
    if array is not None and array.ndim > 1 and array.size != len(array):
        raise BadInput(
            f"The labels must be a list with one value for each point, not {array.ndim}-dimensional."
        )
    # A hundred thousand labels have a handful of types.
    kinds = set(map(type, values))
    if any(issubclass(kind, np.generic) for kind in kinds):
        values = [value.item() if isinstance(value, np.generic) else value for value in values]
        kinds = set(map(type, values))
    if not all(issubclass(kind, str | int | float | NoneType) for kind in kinds):
        raise BadInput("The labels must be numbers or words.")
    return values


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not np.isfinite(value)) or value == ""


def _in_order(distinct: set[Any]) -> list[Any]:
    """The distinct values, smaller first; - before +, and numbers before words."""
    if distinct <= {"+", "-"}:
        return sorted(distinct, reverse=True)
    return sorted(distinct, key=lambda value: (isinstance(value, str), value))


def _lone_class(order: list[Any], n: int) -> Classes:
    """No label or a single one, which keeps its sign when it has one; the other class is just - or +."""
    if not order:
        return Classes(np.empty(0), ("-", "+"), (-1, 1))
    (label,) = order
    word = isinstance(label, str)
    if label in ("-", "-1") or (not word and label <= 0):
        return Classes(np.full(n, -1.0), (_shown(label), "+"), (label, "+" if word else 1))
    return Classes(np.full(n, 1.0), ("-", _shown(label)), ("-" if word else -1, label))


def _shown(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
