"""A table as it was read from a file or the clipboard, and the limits of its size."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import CELLS_NAMED, Array, read_only
from kernelviz.engine.core.errors import BadInput

BYTES = 100_000_000
ROWS = 500_000
COLUMNS = 1000
CELLS = 5_000_000
# Names of columns that are targets, the most certain first.
TARGET_NAMES = ("label", "labels", "class", "classes", "target", "species", "category", "group", "z")


class MissingCells(BadInput):
    """Some rows of a table lack a value, and nothing else is wrong with it."""


@dataclass(frozen=True, eq=False)
class TableColumn:
    """One column: numbers if every cell is one or missing, which is NaN then, else the text of the cells,
    which is empty where it is missing.

    written: the cells as they are in a text file. quoted: whether the column is meant as
    text, whatever it looks like."""

    name: str
    values: Array | tuple[str, ...]
    written: tuple[str, ...] | None = None
    quoted: bool = False

    @property
    def numeric(self) -> bool:
        """True if every cell is a number."""
        return isinstance(self.values, np.ndarray)

    @property
    def texts(self) -> tuple[str, ...]:
        """The cells as they are written."""
        return tuple(map(self.cell, range(len(self.values)))) if self.written is None else self.written

    @property
    def sample(self) -> tuple[str, ...]:
        """The first cells, as text."""
        sample = 200  # Cells by which the kind of a column is judged.
        return tuple(map(self.cell, range(min(sample, len(self.values)))))

    def cell(self, row: int) -> str:
        """Return a cell as text, numbers in six digits, and as it is written where it is missing."""
        value = self.values[row]
        missing = not value if isinstance(value, str) else np.isnan(value)
        if missing and self.written is not None:
            return self.written[row]
        return value if isinstance(value, str) else f"{value:g}"


@dataclass(frozen=True)
class ColumnChoice:
    """The columns that are coordinates, and those that are the target and the weights, if any."""

    coordinates: tuple[int, ...]
    target: int | None
    weights: int | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length.

    lines: the line of the file that each row comes from, where there are lines. given: the choice of columns,
    where the format determines it. left_out: columns before these that are no data. remarks: sentences about
    how the file was read."""

    columns: tuple[TableColumn, ...]
    source: str = ""
    lines: tuple[int, ...] = ()
    given: ColumnChoice | None = None
    left_out: int = 0
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        """The titles of the columns, x1, x2, … where the file has none."""
        return tuple(column.name for column in self.columns)

    def preview(self, rows: int = 10) -> list[tuple[str, ...]]:
        """Return the first rows as text."""
        return [tuple(c.cell(i) for c in self.columns) for i in range(min(rows, len(self)))]

    def number(self, j: int) -> int:
        """Return the number of column j in the file, from 1."""
        return self.left_out + j + 1

    def numbers(self, j: int) -> Array:
        """Return column j as finite numbers; BadInput names the cells that are none."""
        self.check((j,))
        values = self.columns[j].values
        assert isinstance(values, np.ndarray)
        return values

    def labels(self, j: int) -> list[float] | tuple[str, ...]:
        """Return column j as labels; BadInput names those that are missing."""
        values = self.columns[j].values
        if isinstance(values, np.ndarray):
            found: list[float] = self.numbers(j).tolist()
            return found
        self.check(labels=(j,))
        return values

    def lacking(self, j: int) -> NDArray[np.bool_]:
        """Return which rows lack a value in column j."""
        values = self.columns[j].values
        return np.isnan(values) if isinstance(values, np.ndarray) else np.array([not v for v in values], bool)

    def check(self, numbers: Sequence[int] = (), labels: Sequence[int] = ()) -> None:
        """Raise BadInput if cells of these columns are not finite numbers, or labels are missing. It names
        the first few in the order of the file, and says how many there are."""
        lacking = {j: self.lacking(j) for j in (*numbers, *labels)}
        for j, gaps in lacking.items():
            if len(self) > 1 and gaps.all():
                where = f"{self.source}, column" if self.source else "Column"
                raise BadInput(f"{where} {self.number(j)} ({self.columns[j].name}) is empty: choose another.")
        wrong = [(row, j) for j in numbers for row in self._not_finite(j)]
        wrong += [(row, j) for j in labels for row in np.flatnonzero(lacking[j]).tolist()]
        if not wrong:
            return
        told = [self._told(row, j, j in labels) for row, j in sorted(wrong)[:CELLS_NAMED]]
        if more := len(wrong) - len(told):
            told.append(f"and {more:,} more {'cell' if more == 1 else 'cells'}")
        sentence = "; ".join(told)
        where = f"{self.source}, {sentence}" if self.source else sentence[:1].upper() + sentence[1:]
        missing = all(lacking[j][row] for row, j in wrong)
        raise (MissingCells if missing else BadInput)(f"{where}.")

    def _not_finite(self, j: int) -> list[int]:
        """Return the rows in which column j has no finite number."""
        values = self.columns[j].values
        if isinstance(values, np.ndarray):
            rows: list[int] = np.flatnonzero(~np.isfinite(values)).tolist()
            return rows
        return wrong_cells(values)

    def _told(self, row: int, j: int, label: bool) -> str:
        """Return the place of a cell and why it cannot be read."""
        column = self.columns[j]
        cell = str(column.values[row])
        if column.written is not None and self.lacking(j)[row]:
            cell = column.written[row]
        if self.lacking(j)[row]:
            problem = f"the {'label' if label else 'number'} is missing{f' ({cell})' if cell else ''}"
        else:
            problem = f"{shortened(cell)} is not a finite" if column.numeric else f"{quoted(cell)} is not a"
            problem += " number"
        return f"{self._place(row, j)}: {problem}"

    def _place(self, row: int, j: int) -> str:
        """Return where a cell is in the file."""
        place = f"line {self.lines[row]}" if self.lines else f"row {row + 1}"
        named = f" ({self.columns[j].name})" if self.columns[j].name else ""
        return f"{place}, column {self.number(j)}{named}"

    def wrong(self, row: int, j: int, problem: str) -> BadInput:
        """Return an error about one cell, with its place in the file."""
        place = self._place(row, j)
        where = f"{self.source}, {place}" if self.source else place.capitalize()
        return BadInput(f"{where}: {problem}.")

    def subset(self, rows: NDArray[np.bool_]) -> Table:
        """Return the table with only some of its rows."""
        kept = np.flatnonzero(rows).tolist()

        def of(cells: Any) -> Any:
            if isinstance(cells, np.ndarray):
                return read_only(cells[rows])
            return cells and tuple(cells[i] for i in kept)

        columns = tuple(replace(c, values=of(c.values), written=of(c.written)) for c in self.columns)
        return replace(self, columns=columns, lines=of(self.lines))


# A reader: yields the fraction done, may be stopped at every yield, returns the table.
Reading: TypeAlias = Generator[float, None, Table]


def check_size(name: str, rows: int, columns: int) -> None:
    """Raise BadInput when a table is too large to be read."""
    if rows > ROWS:
        raise BadInput(f"{name} has {rows:,} rows; at most {ROWS:,} are read. Thin it out first.")
    if columns > COLUMNS:
        raise BadInput(f"{name} has {columns:,} columns; at most {COLUMNS:,} are read.")
    if rows * columns > CELLS:
        raise BadInput(f"{name} has {rows:,} rows of {columns:,} columns; at most {CELLS:,} cells are read.")


def check_lines(name: str, text: str) -> None:
    """Raise BadInput when a text has too many or too long lines: split into cells they would fill the
    memory."""
    longest_line = 1_000_000
    check_size(name, text.count("\n") + (not text.endswith("\n")), 1)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > longest_line:
            raise BadInput(
                f"{name}, line {number}: {len(line):,} letters; at most {longest_line:,} are read in a line."
            )


def wrong_cells(cells: tuple[str, ...]) -> list[int]:
    """Return the cells that are not numbers, not even with a decimal comma; if there are none, those with a
    comma."""
    certain = [i for i, cell in enumerate(cells) if not is_number(cell)]
    return certain or [i for i, cell in enumerate(cells) if "," in cell] or [0]


def is_number(cell: str) -> bool:
    """Return True if a cell is a number, with a decimal point or comma; 1_000 is none."""
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return "_" not in cell


def shortened(name: str) -> str:
    """Return a name with at most 30 letters, for a message."""
    return name if len(name) <= 30 else name[:29] + "…"


def quoted(cell: str) -> str:
    """Return a cell in quotation marks with at most 30 letters, for a message."""
    return repr(shortened(cell))
