"""How a text table is written: which separator, and is the comma a decimal point?"""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator

__all__ = ["BLANKS", "MINUS", "Quoted", "is_number", "lines_of", "records", "sniff", "unified"]

BLANKS = " "
SEPARATORS = ("\t", ";", ",", BLANKS)
LINES_JUDGED = 40
LONGEST_LINE = 100_000

# Digits are taken by one part only: two neighbours that both may take them try every way to share them.
NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
COMMENT = ("#", "%")
MINUS = "\u2212"
"""As word processors write it."""
MARK = "\0"
"""Set after the quotation mark that opens a cell, as csv does not tell; no text file has it."""
REST_OF_QUOTED = re.compile(r'(?:[^"]|"")*("?)')


class Quoted(str):
    """A cell in quotation marks: blanks belong to it."""

    __slots__ = ()


def is_number(cell: str, separator: str) -> bool:
    """Whether a cell reads as a number; the comma is a decimal point unless it separates."""
    return NUMBER.fullmatch(cell.strip().replace(MINUS, "-")) is not None and not (
        separator == "," and "," in cell
    )


def unified(text: str) -> str:
    """The same lines, however they end, with one way to end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> Iterator[str]:
    """Lines with their ends, whichever these are."""
    return (found.group() for found in LINE.finditer(text))


def records(lines: Iterable[str], separator: str, strict: bool = True) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells) of every line that is neither empty nor a comment; quotes may hold separators and
    ends of lines, and keep blanks.

    csv.Error on bad quoting."""
    if separator == BLANKS:
        for number, line in enumerate(lines, 1):
            cells = [*map(_bare, line.split())] if '"' not in line else _between_blanks(line)
            if cells and not line.startswith(COMMENT):
                yield number, cells
        return
    marked = _marked(lines, separator)
    reader = csv.reader(marked, delimiter=separator, skipinitialspace=True, strict=strict)
    for row in reader:
        cells = [Quoted(cell[1:]) if cell.startswith(MARK) else _bare(cell) for cell in row]
        if any(cell or isinstance(cell, Quoted) for cell in cells):
            yield reader.line_num, cells


def _bare(cell: str) -> str:
    """A cell without quotation marks: blanks around it are nothing, and a lone minus is one."""
    cell = cell.strip()
    return "-" if cell == MINUS else cell


def _between_blanks(line: str) -> list[str]:
    found = re.finditer(r'"([^"]*)"|\S+', line)
    return [_bare(cell.group()) if cell[1] is None else Quoted(cell[1]) for cell in found]


def _marked(lines: Iterable[str], separator: str) -> Iterator[str]:
    """The lines with a mark in every cell in quotation marks; comments become empty, so that line numbers
    stay right, and what ends a line outside of quotation marks becomes one sign."""
    opening, inside = re.compile(f'(?:^|{re.escape(separator)}) *"'), False
    for line in lines:
        if not inside and line.startswith(COMMENT):
            yield "\n"
            continue
        parts, at = [], 0
        while True:
            if inside:
                rest = REST_OF_QUOTED.match(line, at)
                assert rest is not None
                parts.append(rest.group())
                at, inside = rest.end(), not rest[1]
            found = None if inside or '"' not in line else opening.search(line, at)
            if found is None:
                break
            parts += [line[at : found.end()], MARK]
            at, inside = found.end(), True
        parts.append(line[at:])
        whole = "".join(parts)
        yield whole if inside else whole.rstrip("\r\n") + "\n"


def sniff(text: str) -> str:
    """The separator under which the first lines make the most regular and most numeric table."""
    head = text[:LONGEST_LINE]
    sample = list(
        itertools.islice(
            (line for line in lines_of(head) if line.strip() and not line.startswith(COMMENT)), LINES_JUDGED
        )
    )
    if len(head) < len(text) and len(sample) < LINES_JUDGED:
        sample = sample[:-1] or sample
    best = max(SEPARATORS, key=lambda separator: _regularity(sample, separator))
    return best if _regularity(sample, best) > 0 else ","


def _regularity(sample: list[str], separator: str) -> float:
    try:
        rows = [cells for _, cells in records(sample, separator, strict=False)]
    except csv.Error:
        return 0.0
    if not rows:
        return 0.0
    width, agreeing = Counter(map(len, rows)).most_common(1)[0]
    if width < 2:
        return 0.0
    body = rows[1:] or rows
    cells = [cell for row in body for cell in row]
    numeric = sum(is_number(cell, separator) for cell in cells) / len(cells)
    return agreeing / len(rows) * (0.1 + numeric)
