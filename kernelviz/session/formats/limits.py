"""How much a reader takes, so that a wrong file costs a sentence and not the machine."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias

from kernelviz.engine.errors import BadInput
from kernelviz.session.tables import Table

__all__ = ["BYTES", "CELLS", "COLUMNS", "LONGEST_LINE", "ROWS", "Reading", "check_lines", "check_size"]

BYTES = 100_000_000
ROWS = 500_000
COLUMNS = 1000
CELLS = 5_000_000
LONGEST_LINE = 1_000_000

Reading: TypeAlias = Generator[float, None, Table]
"""A reader at work: yields the fraction done, may be dropped at every yield, returns the table."""


def check_size(name: str, rows: int, columns: int) -> None:
    """BadInput when a table is larger than what is read."""
    if rows > ROWS:
        raise BadInput(f"{name} has {rows:,} rows; at most {ROWS:,} are read. Thin it out first.")
    if columns > COLUMNS:
        raise BadInput(f"{name} has {columns:,} columns; at most {COLUMNS:,} are read.")
    if rows * columns > CELLS:
        raise BadInput(f"{name} has {rows:,} rows of {columns:,} columns; at most {CELLS:,} cells are read.")


def check_lines(name: str, text: str) -> None:
    """BadInput when a text has more or longer lines than are read: in pieces they would fill the memory."""
    check_size(name, text.count("\n") + (not text.endswith("\n")), 1)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise BadInput(
                f"{name}, line {number}: {len(line):,} letters; at most {LONGEST_LINE:,} are read in a line."
            )
