"""All numbers of the training points as the columns of a table, for the table view and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelviz.engine.analysis.points import PointTable
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.models.base import Model
from kernelviz.session.workspaces.registry import workspace_of


@dataclass(frozen=True, eq=False)
class PointColumn:
    """A column with a value for every point: numbers, or words."""

    title: str
    values: Array | Sequence[str]
    coordinate: int | None = None  # The index of the input, which can be edited; None for other columns.

    @property
    def numbers(self) -> Array | None:
        """The values, if they are numbers; None for words."""
        return self.values if isinstance(self.values, np.ndarray) else None

    @cached_property
    def largest(self) -> float:
        """The largest absolute value; 0 for a column of words or without numbers."""
        numbers = self.numbers
        return 0.0 if numbers is None else float(np.nan_to_num(np.abs(numbers), posinf=0.0).max(initial=0.0))

    def order(self, descending: bool) -> Indices:
        """Return the points sorted by this column; equal ones stay in their order."""
        keys = self.values if self.numbers is not None else np.array(self.values, dtype=object)
        order = np.argsort(keys, kind="stable")
        return order[::-1] if descending else order


def columns_of(model: Model, table: PointTable) -> list[PointColumn]:
    """Return number, coordinates, class, weights, score, margin, slack and status, as far as they apply."""
    data = model.problem.data
    found = [PointColumn("#", np.arange(1.0, data.n + 1))]
    names: tuple[str, ...] = ()
    if isinstance(data.X, np.ndarray):
        workspace = workspace_of(data)
        names, values = workspace.typable(data), workspace.values(data)
        found += [PointColumn(name, values[:, j], j) for j, name in enumerate(names)]
        if data.categories is not None:
            found.append(PointColumn(data.columns[-1], data.category_of_each))
    else:
        found.append(PointColumn(data.columns[0], data.X))
    if data.class_names:
        found.append(PointColumn("class", data.class_of_each))
    elif data.target is not None and len(names) == len(data.columns):
        found.append(PointColumn("y", data.target))
    numbers = {
        "α": table.alpha if model.residuals is None else None,
        "β": model.beta if table.alpha is not None else None,
        "s(x)": table.score if table.score.ndim == 1 else None,
        "p(x)" if model.own_loss.estimate == "p" else "value": model.fitted_values,
        "y − s(x)": model.residuals,
        "z·s": table.product,
        "margin": table.margin,
        "slack": table.slack,
    }
    found += [PointColumn(title, values) for title, values in numbers.items() if values is not None]
    wrong = np.zeros(data.n, dtype=bool) if table.misclassified is None else table.misclassified
    status = [f"{kind}, misclassified" if w else str(kind) for kind, w in zip(table.kind, wrong, strict=True)]
    return [*found, PointColumn("status", status)]


def as_csv(columns: Sequence[PointColumn], rows: Sequence[int]) -> str:
    """Return the table as CSV with these rows, numbers with all their digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.title for column in columns])
    for i in rows:
        writer.writerow([_cell(column, i) for column in columns])
    return text.getvalue()


def _cell(column: PointColumn, i: int) -> str:
    """Return a cell as text, with all digits of a number; the number of a point is whole."""
    if column.numbers is None:
        return str(column.values[i])
    value = float(column.numbers[i])
    return str(int(value)) if column.title == "#" else repr(value)
