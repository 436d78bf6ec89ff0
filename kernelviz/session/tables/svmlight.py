"""The sparse text format of SVMlight and LIBSVM: `label index:value index:value … # comment`."""

from __future__ import annotations

import re

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.tables.delimited import unified
from kernelviz.session.tables.table import (
    COLUMNS,
    ColumnChoice,
    Reading,
    Table,
    TableColumn,
    check_lines,
    check_size,
)

LINE = re.compile(r"\s*[^\s:#]+(\s+qid:\d+)?(\s+\d+:[^\s:]+)+\s*(#.*)?")


def looks_like(text: str) -> bool:
    """Return True if the first line that is not empty is a label followed by index:value pairs."""
    for line in unified(text[:10_000]).split("\n", 50):
        if line.strip() and not line.lstrip().startswith("#"):
            return LINE.fullmatch(line.strip()) is not None
    return False


def read(text: str, name: str) -> Reading:
    """Read a text step by step. The label is the last column; values that are left out are 0."""
    rows_per_yield = 5_000
    text = unified(text)
    check_lines(name, text)
    lines = text.split("\n")
    labels: list[str] = []
    numbers: list[int] = []
    entries: list[tuple[int, int, float]] = []
    for number, line in enumerate(lines, 1):
        parts = line.split("#", 1)[0].split()
        if parts:
            row = len(labels)
            entries += [
                (row, *_entry(pair, name, number)) for pair in parts[1:] if not pair.startswith("qid:")
            ]
            labels.append(parts[0])
            numbers.append(number)
        if number % rows_per_yield == 0:
            yield number / len(lines)
    if not entries:
        raise BadInput(f"{name} has no index:value pairs.")
    X = _dense(entries, len(labels), name)
    columns = [TableColumn(f"x{j + 1}", read_only(X[:, j])) for j in range(X.shape[1])]
    p = len(columns)
    return Table(
        (*columns, TableColumn("label", _targets(labels))),
        name,
        tuple(numbers),
        ColumnChoice(tuple(range(p)), p),
    )


def _entry(pair: str, name: str, line: int) -> tuple[int, float]:
    """Return (index, value) of a pair such as 3:0.5; BadInput names the line of any other text."""
    index, colon, value = pair.partition(":")
    try:
        if colon and index.isascii() and index.isdigit() and "_" not in value:
            if int(index[:10]) > COLUMNS:
                raise BadInput(
                    f"{name}, line {line}: index {index[:12]} is too large; at most {COLUMNS:,} are read."
                )
            return int(index), float(value)
    except ValueError as problem:
        if isinstance(problem, BadInput):
            raise
    raise BadInput(f"{name}, line {line}: {pair[:30]!r} is not an index:value pair.")


def _dense(entries: list[tuple[int, int, float]], n: int, name: str) -> Array:
    """Return the entries (row, index, value) as an array (n, p) with zeros elsewhere; BadInput where an index
    is given twice in a row."""
    rows = np.array([entry[0] for entry in entries])
    indices = np.array([entry[1] for entry in entries])
    first = 0 if indices.min() == 0 else 1  # indices count from 1, in some files from 0
    p = int(indices.max()) - first + 1
    check_size(name, n, p)
    cells = rows * p + indices - first
    if len(np.unique(cells)) < len(cells):
        order = np.sort(cells)
        row = int(order[:-1][np.diff(order) == 0][0]) // p
        raise BadInput(f"{name}, row {row + 1}: an index is given twice.")
    X = np.zeros(n * p)
    X[cells] = [entry[2] for entry in entries]
    return X.reshape(n, p)


def _targets(labels: list[str]) -> Array | tuple[str, ...]:
    """Return the labels as numbers if all are, or else as texts."""
    try:
        return read_only(np.array(list(map(float, labels))))
    except ValueError:
        return tuple(labels)


def write(data: Data) -> bytes:
    """Return the text of a file, with labels +1 and -1 (0, 1, 2 … for more classes).

    Zeros are written too: what is read back is exactly the same."""
    targets = [0.0] * data.n if data.target is None else data.target.tolist()
    if data.task is Task.REGRESSION:
        labels = [repr(target) for target in targets]
    else:
        sign = "+" if data.task is Task.TWO_CLASSES else ""
        labels = [f"{int(target):{sign}d}" for target in targets]
    rows = np.asarray(data.X, dtype=np.float64).tolist()
    lines = (
        " ".join([label, *(f"{j}:{value!r}" for j, value in enumerate(row, 1))])
        for label, row in zip(labels, rows, strict=True)
    )
    return "".join(f"{line}\n" for line in lines).encode("ascii")
