"""ARFF, the format of Weka: attributes, then rows with their values, all or only those that are not 0."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.tables.delimited import as_numbers, unified
from kernelviz.session.tables.table import Reading, Table, TableColumn, check_lines, check_size, quoted

WORD = r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\""
ATTRIBUTE = re.compile(rf"@attribute\s+(?:{WORD}|([^\s'\"]\S*))\s+(.+)", re.I)
CELL = re.compile(rf"[ \t]*(?:(?:{WORD})[ \t]*|((?:[^\s,'\"][^,]*)?))(,|$)")
PLACED = re.compile(
    rf"[ \t]*(\d+)[ \t]+(?:{WORD}|([^,\s]+))[ \t]*(,|$)"
)  # A value in braces after its place.
NUMBERS = ("numeric", "real", "integer")
ROWS_PER_YIELD = 20_000


class Attribute(NamedTuple):
    """A column as the head of a file declares it. usual: the value that rows in braces leave out."""

    name: str
    numeric: bool
    usual: str


def looks_like(text: str) -> bool:
    """Return True if the first line that is neither empty nor a comment declares a relation."""
    lines = (line.strip() for line in unified(text[:100_000]).split("\n"))
    first = next((line for line in lines if line and not line.startswith("%")), "")
    return first[:9].lower() == "@relation"


def read(text: str, name: str) -> Reading:
    """Read numbers, names, texts and dates step by step; a value that is written ? is missing."""
    text = unified(text)
    check_lines(name, text)
    attributes: list[Attribute] = []
    rows: list[list[str]] = []
    numbers: list[int] = []
    inside = False
    for number, line in enumerate(map(str.strip, text.split("\n")), 1):
        if not line or line.startswith("%"):
            continue
        where = f"{name}, line {number}"
        if inside:
            rows.append(_row(line, attributes, where))
            numbers.append(number)
            if len(rows) % ROWS_PER_YIELD == 0:
                yield 0.8 * number / text.count("\n")
        elif line.lower().startswith("@attribute"):
            attributes.append(_attribute(line, where))
        elif line.lower().startswith("@data"):
            check_size(name, text.count("\n"), len(attributes))
            inside = True
    if not attributes or not inside:
        missing = "@data" if attributes else "attributes"
        raise BadInput(f"{name} cannot be read as ARFF: it has no {missing}.")
    columns = [tuple(column) for column in zip(*rows, strict=True)] or [()] * len(attributes)
    found = map(_column, attributes, columns)
    return Table(tuple(found), name, tuple(numbers))


def _attribute(line: str, where: str) -> Attribute:
    """Parse the declaration of an attribute; BadInput for a kind that is not read."""
    found = ATTRIBUTE.fullmatch(line)
    kind = "" if found is None else found[4].strip()
    names = kind.startswith("{") and kind.endswith("}")
    if found is None or not (names or kind.split()[0].lower() in (*NUMBERS, "string", "date")):
        raise BadInput(f"{where}: {quoted(line)} declares no attribute of numbers, names, texts or dates.")
    numeric = kind.lower() in NUMBERS
    first = CELL.match(kind.strip("{}"))
    return Attribute(_bare(found, 1), numeric, "0" if numeric or first is None else _bare(first, 1))


def _row(line: str, attributes: Sequence[Attribute], where: str) -> list[str]:
    """Return the cells of a line; BadInput if there is not one for each attribute."""
    if line.startswith("{"):
        return _row_in_braces(line, attributes, where)
    cells, at, more = [], 0, True
    while more:
        found = CELL.match(line, at)
        if found is None:
            raise BadInput(f"{where}: the quotation marks do not match.")
        cells.append(_bare(found, 1))
        at, more = found.end(), found[4] == ","
    if len(cells) != len(attributes):
        values = "1 value" if len(cells) == 1 else f"{len(cells)} values"
        raise BadInput(f"{where}: {values} for {len(attributes)} attributes.")
    return cells


def _row_in_braces(line: str, attributes: Sequence[Attribute], where: str) -> list[str]:
    """Return the cells of a line such as {0 1.5, 3 yes}, which has the values that are not 0."""
    cells, at, inner = [attribute.usual for attribute in attributes], 0, line.strip("{} \t")
    while at < len(inner):
        found = PLACED.match(inner, at)
        if found is None or int(found[1]) >= len(cells):
            raise BadInput(f"{where}: {quoted(line)} is no row of places and values.")
        cells[int(found[1])] = _bare(found, 2)
        at = found.end()
    return cells


def _bare(found: re.Match[str], group: int) -> str:
    """Return a value without its quotation marks and backslashes."""
    plain = found[group + 2]
    if plain is not None:
        return plain.strip()
    return re.sub(r"\\(.)", r"\1", found[group] if found[group] is not None else found[group + 1])


def _column(attribute: Attribute, cells: tuple[str, ...]) -> TableColumn:
    """Return the values of an attribute: numbers if all are, else texts, without those that are missing."""
    numbers = as_numbers(cells, ",") if attribute.numeric else None
    if numbers is not None:
        return TableColumn(attribute.name, numbers, cells)
    texts = tuple("" if cell == "?" else cell for cell in cells)
    return TableColumn(attribute.name, texts, cells, quoted=not attribute.numeric)
