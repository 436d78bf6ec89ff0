"""The Gram matrix with its rows and columns in an order to be seen in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.analysis.gram import centred, clustered, normalised
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem

ROWS_SHOWN = 300
"""Rows shown; of more points every so-many-th."""
VERSIONS: dict[str, Callable[[Array], Array]] = {
    "K": lambda K: K,
    "normalised": normalised,
    "centred": centred,
}


def by_class(data: Data) -> Indices:
    """The points sorted by class, at most ROWS_SHOWN of them, evenly taken."""
    return _evenly(np.arange(data.n) if data.target is None else np.argsort(-data.target, kind="stable"))


def _evenly(order: Indices) -> Indices:
    if len(order) <= ROWS_SHOWN:
        return order
    return order[np.linspace(0, len(order) - 1, ROWS_SHOWN).astype(np.intp)]


def _ordered(model: Model, how: str) -> Indices:
    """The rows shown; those that behave alike are found among them later."""
    data = model.problem.data
    if how == "index":
        return _evenly(np.arange(data.n))
    if how == "score" and len(model.training_scores) == data.n:
        return _evenly(np.argsort(-model.training_scores, kind="stable"))
    return by_class(data)


@dataclass(frozen=True, eq=False)
class SortedGram:
    """K of a problem's points in the order shown; itself the key of what is drawn of it."""

    problem: Problem
    how: tuple[str, str]
    """Order and version."""
    order: Indices
    raw: Array
    """K itself."""
    values: Array
    """The version shown."""

    @classmethod
    def of(cls, model: Model, order: str, version: str, before: SortedGram | None) -> SortedGram:
        problem, rows = model.problem, _ordered(model, order)
        if before is not None and before.shows(problem, (order, version), rows):
            return before
        raw = _values(problem, rows)
        if order == "alike" and len(raw):
            found = clustered(raw)
            rows, raw = rows[found], raw[np.ix_(found, found)]
        return cls(problem, (order, version), rows, raw, VERSIONS[version](raw))

    def as_csv(self) -> str:
        """All digits, a row a line, in the order shown."""
        return "".join(",".join(map(repr, row)) + "\n" for row in self.values.tolist())

    def as_latex(self, digits: int = 4) -> str:
        """A matrix for a paper."""
        rows = [" & ".join(f"{value:.{digits}g}" for value in row) for row in self.values.tolist()]
        return "\\begin{pmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{pmatrix}\n"

    def shows(self, problem: Problem, how: tuple[str, str], rows: Indices) -> bool:
        """Whether it is what would be made of these."""
        same = self.problem.data is problem.data and self.problem.kernel == problem.kernel
        return same and self.how == how and (how[0] == "alike" or np.array_equal(self.order, rows))

    @property
    def borders(self) -> list[int]:
        """The rows at which another class begins."""
        data = self.problem.data
        if self.how[0] != "class" or data.target is None or not data.class_names:
            return []
        return [int(k) + 1 for k in np.flatnonzero(np.diff(data.target[self.order]))]

    def row_of(self, point: int | None) -> int | None:
        """The row of a point; None when it is not among those shown."""
        if point is None:
            return None
        rows = np.flatnonzero(self.order == point)
        return int(rows[0]) if len(rows) else None


def _values(problem: Problem, order: Indices) -> Array:
    """The rows and columns shown, from the Gram matrix if it has been computed anyway."""
    if (known := problem.known_gram) is not None:
        return np.asarray(known[np.ix_(order, order)])
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            K = problem.kernel(problem.data.subset(order).X)
    except BadInput:  # too large for numbers; an algorithm that needs no kernel may have fitted all the same
        return np.empty((0, 0))
    return K if np.isfinite(K).all() else np.empty((0, 0))
