"""How a text table is written: which separator, and is the comma a decimal point?"""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator

__all__ = ["BLANKS", "is_number", "lines_of", "records", "sniff", "unified"]

BLANKS = " "
SEPARATORS = ("\t", ";", ",", BLANKS)
LINES_JUDGED = 40
LONGEST_LINE = 100_000

# Digits are taken by one part only: two neighbours that both may take them try every way to share them.
NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)


def is_number(cell: str, separator: str) -> bool:
    """Whether a cell reads as a number; the comma is a decimal point unless it separates."""
    return NUMBER.fullmatch(cell.strip()) is not None and not (separator == "," and "," in cell)


def unified(text: str) -> str:
    """The same lines, however they end, with one way to end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> Iterator[str]:
    """Lines however they end; comments become empty, so that line numbers stay right."""
    for line in unified(text).split("\n"):
        yield "" if line.startswith(("#", "%")) else line


def records(lines: Iterable[str], separator: str, strict: bool = True) -> Iterator[tuple[int, list[str]]]:
    """(line number, stripped cells) of every line that is not empty; quotes may hold separators.

    csv.Error on bad quoting."""
    if separator == BLANKS:
        for number, line in enumerate(lines, 1):
            cells = line.split() if '"' not in line else _between_blanks(line)
            if cells:
                yield number, cells
        return
    reader = csv.reader(
        (f"{line}\n" for line in lines), delimiter=separator, skipinitialspace=True, strict=strict
    )
    for row in reader:
        cells = [cell.strip() for cell in row]
        if any(cells):
            yield reader.line_num, cells


def _between_blanks(line: str) -> list[str]:
    return [(quoted or bare).strip() for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', line)]


def sniff(text: str) -> str:
    """The separator under which the first lines make the most regular and most numeric table."""
    head = text[:LONGEST_LINE]
    sample = list(itertools.islice((line for line in lines_of(head) if line.strip()), LINES_JUDGED))
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
