"""Tables as text: comma, semicolon, tab or blanks; header or none; decimal point or comma; quotes."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput
from kernelviz.session.formats.dialect import (
    BLANKS,
    MINUS,
    Quoted,
    is_number,
    lines_of,
    records,
    sniff,
    unified,
)
from kernelviz.session.formats.limits import Reading, check_lines, check_size
from kernelviz.session.tables import CLASS_NAMES, TARGET_NAMES, Column, Table

__all__ = ["meant_as_table", "read", "write"]

ROWS_PER_YIELD = 20_000
"""Rows between two yields."""


def read(text: str, name: str) -> Reading:
    """Parse a text table; yields the fraction done."""
    lined = unified(text)
    expected = lined.count("\n") + (not lined.endswith("\n"))
    check_lines(name, lined)
    separator = sniff(text)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        for line, cells in records(lines_of(text), separator):
            if rows and len(cells) != len(rows[0]):
                _ragged(name, line, len(cells), lines[0], len(rows[0]))
            if not rows:
                check_size(name, expected, len(cells))
            rows.append(cells)
            lines.append(line)
            if len(rows) % ROWS_PER_YIELD == 0:
                yield 0.6 * min(1.0, len(rows) / expected)
    except csv.Error as problem:
        where = lines[-1] + 1 if lines else 1
        if "field larger" in str(problem):
            most = csv.field_size_limit()
            raise BadInput(f"{name}, line {where}: a cell is longer than {most:,} letters.") from None
        raise BadInput(
            f"{name}, line {where} or later: the quotation marks do not match ({problem})."
        ) from None
    if not rows:
        raise BadInput(f"{name} is empty.")
    table = yield from _columns(rows, lines, separator, name)
    return table


def meant_as_table(text: str) -> bool:
    """Whether most lines have as many cells as the first, and one of the columns labels: by its name, or
    because its cells come again. Blanks also stand between the words of a sentence, and make no cells."""
    separator = sniff(text)
    try:
        rows = [cells for _, cells in records(lines_of(text), separator, strict=False)]
    except csv.Error:
        return False
    whole = [cells for cells in rows if len(cells) == len(rows[0]) > 1]
    if separator == BLANKS or 2 * len(whole) <= len(rows):
        return False
    columns = list(zip(*whole, strict=True))
    return any(column[0].lower() in TARGET_NAMES or 2 * len(set(column)) <= len(column) for column in columns)


def _columns(rows: list[list[str]], lines: list[int], separator: str, name: str) -> Reading:
    titled = _has_header(rows, separator)
    body = rows[1:] if titled else rows
    by_column = list(zip(*body, strict=True)) if body else [()] * len(rows[0])
    width = len(by_column)
    if width > 1 and not any(by_column[-1]) and not (titled and rows[0][-1]):
        width -= 1  # every line ends in a separator
    bare = not all(map(_all_quoted, rows))
    columns = []
    for j in range(width):
        title = (rows[0][j].strip() if titled else "") or f"x{j + 1}"
        cells, quoted = tuple(map(str, by_column[j])), bare and _all_quoted(by_column[j])
        numbers = None if quoted else _numbers(cells, separator)
        columns.append(Column(title, cells if numbers is None else numbers, cells, quoted))
        yield 0.6 + 0.4 * (j + 1) / width
    return Table(tuple(columns), name, tuple(lines[1:] if titled else lines))


def _all_quoted(cells: Sequence[str]) -> bool:
    """Whether all are in quotation marks: beside others that are not, what looks like numbers is text."""
    return bool(cells) and all(isinstance(cell, Quoted) for cell in cells)


def _has_header(rows: list[list[str]], separator: str) -> bool:
    """Words above numbers in most columns of numbers; or 0, 1, 2 as pandas counts, and a named target."""
    first = [is_number(cell, separator) for cell in rows[0]]
    if len(rows) == 1:
        return not any(first)
    above = [a for a, b in zip(first, rows[1], strict=True) if is_number(b, separator)]
    if 2 * above.count(False) > len(above):
        return True
    bare = [j for j, cell in enumerate(rows[0]) if not isinstance(cell, Quoted)]
    if len(rows) > 2 and any(_all_quoted([row[j] for row in rows[1:]]) for j in bare):
        return True
    counted = all(
        cell == str(j) for j, (cell, number) in enumerate(zip(rows[0], first, strict=True)) if number
    )
    return counted and any(cell.lower() in TARGET_NAMES for cell in rows[0])


def _numbers(cells: tuple[str, ...], separator: str) -> Array | None:
    """The cells as numbers, or None when one of them is not."""
    if not cells or not any(cells):
        return None
    cells = tuple(cell.replace(MINUS, "-") for cell in cells)
    try:
        numbers = list(map(float, cells))
    except ValueError:
        if separator == ",":
            return None  # a quoted 1,234 may be a thousand or a decimal: better ask than guess
        try:
            numbers = [float(cell.replace(",", ".")) for cell in cells]
        except ValueError:
            return None
    # float() also takes 1_000.
    return None if any("_" in cell for cell in cells) else read_only(np.array(numbers))


def _ragged(name: str, line: int, found: int, first: int, wanted: int) -> NoReturn:
    values = "1 value" if found == 1 else f"{found} values"
    raise BadInput(f"{name}, line {line}: {values}, but line {first} has {wanted}.")


def write(data: Data) -> bytes:
    """Comma-separated, with a header; the label column holds the user's own names. Reads back exactly."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    if texts := data.domain == "strings":
        columns = [list(data.X)]
    else:
        columns = [list(map(repr, column)) for column in np.asarray(data.X, dtype=np.float64).T.tolist()]
    header = list(data.columns)
    if data.task is Task.REGRESSION:
        header.append("y" if data.target_name.lower() in CLASS_NAMES else data.target_name or "y")
        columns.append(list(map(repr, data.y.tolist())))
    elif data.class_names:
        header.append("label")
        columns.append(data.class_of_each)
    writer.writerow(header)
    for row in zip(*columns, strict=True):
        if texts:  # in quotation marks: nothing in them means anything, nor are they numbers
            quoted = row[0].replace('"', '""')
            stream.write(f'"{quoted}"{"," if row[1:] else ""}')
        if rest := row[texts:]:
            writer.writerow(rest)
        else:
            stream.write("\n")
    return stream.getvalue().encode("utf-8")
