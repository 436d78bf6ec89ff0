"""Drawing hints in data coordinates that an algorithm may add to its model: no Qt, no pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kernelviz.engine.arrays import Array

__all__ = ["Mark"]


@dataclass(frozen=True, eq=False)
class Mark:
    """A layer the algorithm declares.

    `xy` is (m, 2). "point": m labelled spots; "around": m points to be framed; "line": one polyline;
    "segments": pairs of rows;
    "wave": rows (frequency, and phase in `values`) of random-feature bases cos(w·x + phase)."""

    kind: Literal["point", "around", "line", "segments", "wave"]
    xy: Array
    label: str
    values: Array | None = None
    side: int = 0
    """-1, 0 or +1: the class it belongs to, for its colour."""
    of_class: int | None = None
    """The same among more than two classes, which are numbered from 0."""
