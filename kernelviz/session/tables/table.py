"""A table as it was read from a file or the clipboard, and the limits of its size."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput

BYTES = 100_000_000
ROWS = 500_000
COLUMNS = 1000
CELLS = 5_000_000
LONGEST_LINE = 1_000_000
# Names of columns that are targets, the most certain first.
TARGET_NAMES = ("label", "labels", "class", "classes", "target", "species", "category", "group", "z")
SAMPLE = 200  # Cells by which the kind of a column is judged.


@dataclass(frozen=True, eq=False)
class Column:
    """One column: numbers if every cell is one, else the text of the cells.

    written: the text of the numbers, if they come from a text file. quoted: whether the column is meant as
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
    def sample(self) -> tuple[str, ...]:
        """The first cells, as text."""
        return tuple(map(self.cell, range(min(SAMPLE, len(self.values)))))

    def cell(self, row: int) -> str:
        """Return a cell as text, numbers in six digits."""
        value = self.values[row]
        return value if isinstance(value, str) else f"{value:g}"


@dataclass(frozen=True)
class Choice:
    """Which columns are coordinates, and which one is the target, if any."""

    coordinates: tuple[int, ...]
    target: int | None


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length.

    lines: the line of the file that each row comes from, where there are lines. given: the choice of columns,
    where the format determines it."""

    columns: tuple[Column, ...]
    source: str = ""
    lines: tuple[int, ...] = ()
    given: Choice | None = None

    def __len__(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        """The titles of the columns, x1, x2, … where the file has none."""
        return tuple(column.name for column in self.columns)

    def preview(self, rows: int = 10) -> list[tuple[str, ...]]:
        """Return the first rows as text."""
        return [tuple(c.cell(i) for c in self.columns) for i in range(min(rows, len(self)))]

    def numbers(self, j: int) -> Array:
        """Return column j as finite numbers; BadInput names line and column of the first that is not."""
        values = self.columns[j].values
        if isinstance(values, np.ndarray):
            bad = np.flatnonzero(~np.isfinite(values))
            if len(bad):
                raise self.wrong(int(bad[0]), j, f"{values[bad[0]]} is not a finite number")
            return values
        row = first_wrong(values)
        cell = values[row]
        raise self.wrong(row, j, f"{quoted(cell)} is not a number" if cell else "the number is missing")

    def labels(self, j: int) -> list[float] | tuple[str, ...]:
        """Return column j as labels; BadInput if one is missing."""
        values = self.columns[j].values
        if isinstance(values, np.ndarray):
            found: list[float] = self.numbers(j).tolist()
            return found
        if "" in values:
            raise self.wrong(values.index(""), j, "the label is missing")
        return values

    def wrong(self, row: int, j: int, problem: str) -> BadInput:
        """Return an error about one cell, with its place in the file."""
        place = f"line {self.lines[row]}" if self.lines else f"row {row + 1}"
        named = f" ({self.columns[j].name})" if self.columns[j].name else ""
        where = f"{self.source}, {place}" if self.source else place.capitalize()
        return BadInput(f"{where}, column {j + 1}{named}: {problem}.")


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
    check_size(name, text.count("\n") + (not text.endswith("\n")), 1)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise BadInput(
                f"{name}, line {number}: {len(line):,} letters; at most {LONGEST_LINE:,} are read in a line."
            )


def first_wrong(cells: tuple[str, ...]) -> int:
    """Return the first cell that is not a number, preferably not even with a decimal comma."""
    certain = (i for i, cell in enumerate(cells) if not is_number(cell))
    return next(certain, next((i for i, cell in enumerate(cells) if "," in cell), 0))


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
