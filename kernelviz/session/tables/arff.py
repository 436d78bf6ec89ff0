"""ARFF, the format of Weka, read by scipy."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import read_only
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.tables.delimited import unified
from kernelviz.session.tables.table import Reading, Table, TableColumn, check_lines, check_size

CHARACTER = re.compile(r"&#([0-9]{1,7});")  # A letter that is not ASCII; scipy reads no others.


def looks_like(text: str) -> bool:
    """Return True if the first line that is neither empty nor a comment declares a relation."""
    lines = (line.strip() for line in unified(text[:100_000]).split("\n"))
    first = next((line for line in lines if line and not line.startswith("%")), "")
    return first[:9].lower() == "@relation"


def read(text: str, name: str) -> Reading:
    """Read numbers, nominal attributes and dates; a value that is written ? is missing."""
    from scipy.io import arff  # takes long to import, and few files are of this format

    text = unified(text)
    check_lines(name, text)
    check_size(name, text.count("\n"), len(re.findall(r"(?im)^[ \t]*@attribute\b", text)))
    yield 0.1
    longest = csv.field_size_limit()
    try:
        rows, about = arff.loadarff(io.StringIO(text.encode("ascii", "xmlcharrefreplace").decode("ascii")))
        columns = tuple(_column(_letters(title), about[title][0], rows[title]) for title in about.names())
    except Exception as problem:  # whatever this text makes the parser stumble over
        why = " ".join(_letters(str(problem)).split())[:200]
        raise BadInput(f"{name} cannot be read as ARFF: {why or 'it is cut short'}.") from None
    finally:
        csv.field_size_limit(longest)  # which scipy lifts for the whole program
    if not columns:
        raise BadInput(f"{name} has no attributes.")
    return Table(columns, name)


def _column(title: str, kind: str, values: NDArray[Any]) -> TableColumn:
    """Return an attribute as a column: numbers, or the names of its values."""
    if kind == "numeric":
        return TableColumn(title, read_only(np.asarray(values, float)))
    if kind == "nominal":
        cells = [_letters(value.decode("ascii")) for value in values.tolist()]
        return TableColumn(title, tuple("" if cell == "?" else cell for cell in cells), quoted=True)
    if kind == "date":
        return TableColumn(title, tuple(map(str, values.tolist())))
    raise ValueError(f"{title} is {kind}")


def _letters(text: str) -> str:
    """Return a text with the letters that were written as numbers for scipy."""
    return CHARACTER.sub(lambda found: chr(min(int(found[1]), 0x10FFFF)), text)
