"""Delimited text (CSV, TSV, blanks): find the separator, then read or write rows."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.strings import Given
from kernelviz.session.tables.columns import CLASS_NAMES
from kernelviz.session.tables.table import (
    TARGET_NAMES,
    Reading,
    Table,
    TableColumn,
    check_lines,
    check_size,
    is_number,
)

BLANKS = " "
# How missing labels are written, in small letters, and how missing numbers are: "none" may be a class.
NO_LABEL = frozenset({"", "?", "na", "n/a", "n.a.", "nan", "<na>", "#n/a", "#nv", "#na"})
MISSING = NO_LABEL | {"null", "none", "-", "--", "."}
HINT = re.compile(r'"?sep=([\t;,])"?(?=\r?\n)', re.I)  # The first line of tables that Excel is to read.
THOUSANDS = re.compile(r"[-+]?\d{1,3}(\.\d{3})+,\d+")
SEPARATORS = ("\t", ";", ",", BLANKS)
LINES_JUDGED, LETTERS_JUDGED = 40, 100_000  # The beginning of a text by which its separator is found.
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
COMMENT = ("#", "%")
MINUS = "\u2212"  # As word processors write it.
MARK = "\0"  # Put after the quotation mark that opens a cell, which csv drops; no text file has it.
REST_OF_QUOTED = re.compile(r'(?:[^"]|"")*("?)')


class Quoted(str):
    """A cell in quotation marks, which keeps its blanks."""

    __slots__ = ()


def unified(text: str) -> str:
    """Return the text with every line ended by a single newline character."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines with their line ends, of any kind."""
    return (found.group() for found in LINE.finditer(text))


def records(lines: Iterable[str], separator: str, strict: bool = True) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) of every line that is neither empty nor a comment.

    Cells in quotation marks may contain separators and line ends, and keep their blanks. csv.Error on bad
    quoting."""
    if separator == BLANKS:
        for number, line in enumerate(lines, 1):
            cells = [*map(_bare, line.split())]
            if '"' in line:
                found = re.finditer(r'"([^"]*)"|\S+', line)
                cells = [_bare(cell.group()) if cell[1] is None else Quoted(cell[1]) for cell in found]
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
    """Return a cell without quotation marks: stripped of blanks, with a lone typographic minus as a
    hyphen."""
    cell = cell.strip()
    return "-" if cell == MINUS else cell


def _marked(lines: Iterable[str], separator: str) -> Iterator[str]:
    """Yield the lines with a mark in every cell in quotation marks.

    Comments become empty lines, so that line numbers stay right, and a line end outside quotation marks
    becomes a newline character."""
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


def beginning(text: str) -> list[str]:
    """Return the first lines that are whole, and neither empty nor comments."""
    head = text[:LETTERS_JUDGED]
    sample = list(
        itertools.islice(
            (line for line in lines_of(head) if line.strip() and not line.startswith(COMMENT)), LINES_JUDGED
        )
    )
    if len(head) < len(text) and len(sample) < LINES_JUDGED:
        sample = sample[:-1] or sample
    return sample


def sniff(text: str) -> str:
    """Return the separator with which the first lines make the most regular and most numeric table."""
    sample = beginning(text)
    best = max(SEPARATORS, key=lambda separator: _regularity(sample, separator))
    return best if _regularity(sample, best) > 0 else ","


def _is_number(cell: str, separator: str) -> bool:
    """Return True if a cell is a number; a comma is a decimal point unless it is the separator."""
    if separator != "," and THOUSANDS.fullmatch(cell):
        return True
    return is_number(cell.replace(MINUS, "-")) and not (separator == "," and "," in cell)


def _regularity(sample: list[str], separator: str) -> float:
    """Return how regular and numeric a table is: the share of rows of equal length, weighted by numbers."""
    try:
        rows = [cells for _, cells in records(sample, separator, strict=False)]
    except csv.Error:
        return 0.0
    if not rows:
        return 0.0
    width, agreeing = Counter(map(len, rows)).most_common(1)[0]
    if width < 2:
        return 0.0
    agreeing += len(rows[0]) == width - 1  # titles without one for the names of the rows
    body = rows[1:] or rows
    cells = [cell for row in body for cell in row]
    numeric = sum(_is_number(cell, separator) for cell in cells) / len(cells)
    return agreeing / len(rows) * (0.1 + numeric)


def read(text: str, name: str) -> Reading:
    """Parse a text table; yield the fraction done and return the table."""
    rows_per_yield = 20_000  # Rows between two yields.
    lined = unified(text)
    expected = lined.count("\n") + (not lined.endswith("\n"))
    check_lines(name, lined)
    if hint := HINT.match(text):
        text = COMMENT[0] + text
    separator = hint[1] if hint else sniff(text)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        for line, cells in records(lines_of(text), separator):
            if rows and len(cells) != len(rows[0]):
                values = "1 value" if len(cells) == 1 else f"{len(cells)} values"
                raise BadInput(f"{name}, line {line}: {values}, but line {lines[0]} has {len(rows[0])}.")
            if not rows and _lacks_a_title(beginning(text), separator):
                cells.insert(0, "")
            if not rows:
                check_size(name, expected, len(cells))
            rows.append(cells)
            lines.append(line)
            if len(rows) % rows_per_yield == 0:
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
    """Return True if a text is meant as a table, not as lines of words.

    Most lines have as many cells as the first, and one column is a label: by its name, or because its cells
    repeat. Blanks do not count as separators, because they also separate the words of a sentence."""
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
    """Turn rows of cells into a table of named columns; yield the fraction done. A column is numbers if every
    cell is one; an empty last column, which a separator at the end of each line makes, is dropped."""
    titled = _has_header(rows, separator)
    body = rows[1:] if titled else rows
    by_column = list(zip(*body, strict=True)) if body else [()] * len(rows[0])
    width, first = len(by_column), int(titled and _counts_rows(rows[0], by_column))
    if width > 1 and not any(by_column[-1]) and not (titled and rows[0][-1]):
        width -= 1  # every line ends in a separator
    bare = not all(map(_all_quoted, rows))
    columns = []
    for j in range(first, width):
        title = (rows[0][j].strip() if titled else "") or f"x{j + 1}"
        cells, quoted = tuple(map(str, by_column[j])), bare and _all_quoted(by_column[j])
        numbers = None if quoted else as_numbers(cells, separator)
        texts = tuple("" if _is_missing(cell) else str(cell) for cell in by_column[j])
        columns.append(TableColumn(title, texts if numbers is None else numbers, cells, quoted))
        yield 0.6 + 0.4 * (j + 1) / width
    remarks = (f"The first column of {name} has no name and counts the rows: it is left out.",) * first
    of_rows = tuple(lines[1:] if titled else lines)
    return Table(tuple(columns), name, of_rows, left_out=first, remarks=remarks)


def _lacks_a_title(sample: list[str], separator: str) -> bool:
    """Return True if the first row has a title for each column but one, as R writes tables: the names of the
    rows have none."""
    titles, *rows = (cells for _, cells in records(sample, separator, strict=False))
    widths = {len(row) for row in rows}
    return widths == {len(titles) + 1} and not any(_is_number(title, separator) for title in titles)


def _counts_rows(titles: list[str], columns: Sequence[tuple[str, ...]]) -> bool:
    """Return True if the first of several columns has no name and is 0, 1, 2 … or 1, 2, 3 …, as data frames
    are written."""
    cells = columns[0]
    if len(columns) < 2 or not cells or titles[0].strip() not in ("", "Unnamed: 0"):
        return False
    return any(cells == tuple(map(str, range(k, k + len(cells)))) for k in (0, 1))


def _all_quoted(cells: Sequence[str]) -> bool:
    """Return True if all cells are in quotation marks: if others are not, numbers in such a column are
    text."""
    return bool(cells) and all(isinstance(cell, Quoted) for cell in cells)


def _has_header(rows: list[list[str]], separator: str) -> bool:
    """Return True if the first row has names: words above numbers in most columns of numbers, or 0, 1, 2 …,
    as pandas counts, and a named target."""
    first = [_is_number(cell, separator) for cell in rows[0]]
    if len(rows) == 1:
        return not any(first)
    above = [a for a, b in zip(first, rows[1], strict=True) if _is_number(b, separator)]
    if 2 * above.count(False) > len(above):
        return True
    bare = [j for j, cell in enumerate(rows[0]) if not isinstance(cell, Quoted)]
    if len(rows) > 2 and any(_all_quoted([row[j] for row in rows[1:]]) for j in bare):
        return True
    counted = all(
        cell == str(j) for j, (cell, number) in enumerate(zip(rows[0], first, strict=True)) if number
    )
    return counted and any(cell.lower() in TARGET_NAMES for cell in rows[0])


def _is_missing(cell: str) -> bool:
    """Return True for a word that means a missing text or label, unless it is in quotation marks."""
    return cell.lower() in NO_LABEL and not isinstance(cell, Quoted)


def as_numbers(cells: tuple[str, ...], separator: str) -> Array | None:
    """Return the cells as numbers, with NaN for those that are missing, or None when one is neither."""
    if not any(cells):
        return None
    missing = [cell.lower() for cell in cells if cell.lower() in MISSING]
    words = sum(cell not in ("", "nan") for cell in missing)
    if words and len(cells) - len(missing) <= words:  # these are names
        return None
    if missing:
        cells = tuple("nan" if cell.lower() in MISSING else cell for cell in cells)
    cells = tuple(cell.replace(MINUS, "-") for cell in cells)
    try:
        numbers = list(map(float, cells))
    except ValueError:
        if separator == ",":
            return None  # a quoted 1,234 may be a thousand or a decimal, so the user is asked
        if any(map(THOUSANDS.fullmatch, cells)):  # 1.234,5 stands for 1234.5, and so 1.234 for 1234
            cells = tuple(re.sub(r"\.(?=\d{3}(\D|$))", "", cell) for cell in cells)
        try:
            numbers = [float(cell.replace(",", ".")) for cell in cells]
        except ValueError:
            return None
    # float() also takes 1_000.
    return None if any("_" in cell for cell in cells) else read_only(np.array(numbers))


def write(data: Data) -> bytes:
    """Return comma-separated text with a header; labels are the user's own names. It is read back exactly."""
    stream = io.StringIO()
    if data.domain == "objects":
        quoting = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        quoting.writerow(["name", *data.X, "label"])
        for item, row, label in zip(data.X, Given()(data.X).tolist(), data.class_of_each, strict=True):
            quoting.writerow([item, *row, label])
        return stream.getvalue().encode("utf-8")
    writer = csv.writer(stream, lineterminator="\n")
    if texts := data.domain == "strings":
        columns = [list(data.X)]
    else:
        columns = [
            list(map(repr, column)) for column in np.asarray(data.numbers, dtype=np.float64).T.tolist()
        ]
        columns += [data.category_of_each] if data.categories is not None else []
    header = list(data.columns)
    if data.task is Task.REGRESSION:
        header.append("y" if data.target_name.lower() in CLASS_NAMES else data.target_name or "y")
        columns.append(list(map(repr, data.y.tolist())))
    elif data.class_names:
        header.append("label")
        columns.append(data.class_of_each)
    writer.writerow(header)
    for row in zip(*columns, strict=True):
        if texts:  # in quotation marks, so that nothing in them has a special meaning
            quoted = row[0].replace('"', '""')
            stream.write(f'"{quoted}"{"," if row[1:] else ""}')
        if rest := row[texts:]:
            writer.writerow(rest)
        else:
            stream.write("\n")
    return stream.getvalue().encode("utf-8")
