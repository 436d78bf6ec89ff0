"""The columns of a table that are the data: guessed, suggested, or chosen by name."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from kernelviz.engine.core.arrays import read_only
from kernelviz.engine.core.data import MOST_CATEGORIES, MOST_CLASSES, Data, Task, measured
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import nearest
from kernelviz.engine.fits.posing import gaps_left_out
from kernelviz.session.tables.gram import objects_in, why_no_gram
from kernelviz.session.tables.table import (
    TARGET_NAMES,
    ColumnChoice,
    Table,
    TableColumn,
    is_number,
    quoted,
    shortened,
    wrong_cells,
)
from kernelviz.session.workspaces.registry import workspace_of

# Numbers in a column of such a name stand for classes; a "target" may also be a quantity.
CLASS_NAMES = tuple(name for name in TARGET_NAMES if name != "target")
# Days and times of day, as spreadsheets write them.
DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}([ T].*)?|\d{1,2}:\d{2}(:\d{2})?")


def guess(table: Table) -> ColumnChoice:
    """Return the choice of the format, or the only sensible one for up to three columns; else BadInput
    asks."""
    if table.given is not None:
        return table.given
    if len(table.columns) > 3 and not _has_category(table, suggest(table)):
        listed = ", ".join(map(shortened, table.names[:8])) + (", …" if len(table.names) > 8 else "")
        question = (
            f"{table.source or 'The table'} has {len(table.columns)} columns ({listed}): "
            "choose the coordinates and the label, as in --columns 1,2,3."
        )
        raise BadInput(" ".join(filter(None, (question, why_no_gram(table)))))
    choice = suggest(table)
    if _has_category(table, choice):
        return choice
    if (j := _words_among(table, choice)) is not None:
        text = table.columns[j].values
        row = wrong_cells(cast("tuple[str, ...]", text))[0]
        problem = f"{quoted(str(text[row]))} is not a number; texts are one column and their label another"
        raise table.wrong(
            row, j, f"{problem}, as in --columns {table.number(j)},{table.number(cast(int, choice.target))}"
        )
    return choice


def _words_among(table: Table, choice: ColumnChoice) -> int | None:
    """Return the first of several coordinates that has only words, if any: then the choice is not right."""
    if len(choice.coordinates) == 1 or not len(table):
        return None

    def has_words(j: int) -> bool:
        return all(cell and not is_number(cell) for cell in table.columns[j].sample)

    return next(filter(has_words, choice.coordinates), None)


def suggest(table: Table) -> ColumnChoice:
    """Return the first choice of a column picker: a target found by its name or its words, and the first two
    columns of numbers."""
    count = len(table.columns)
    target = _likely_target(table) if count > 1 else None
    rest = [j for j in range(count) if j != target]
    numeric = [j for j in rest if _mostly_numbers(table.columns[j])]
    words = [j for j in rest if j not in numeric]
    if count == 4 and len(words) == 1:
        return ColumnChoice((*numeric, *words), target)
    return ColumnChoice(tuple((rest if count <= 3 else numeric)[:2]), target)


def _has_category(table: Table, choice: ColumnChoice) -> bool:
    """Return True if the coordinates are two columns of numbers and one of words, with repetitions."""
    words = [j for j in choice.coordinates if not _mostly_numbers(table.columns[j])]
    return (
        len(choice.coordinates) == 3
        and len(words) == 1
        and len(set(table.columns[words[0]].values)) <= min(MOST_CATEGORIES, len(table) // 2)
    )


def obvious(table: Table) -> Data | None:
    """Return the data of a table of one or two coordinates, or strings, a target and possibly a category, if
    a workspace can show them; or the objects of a Gram matrix.

    None when the user has to choose: among many columns, because there are words besides a label, or because
    three columns of numbers are two inputs and a target as well as two series."""
    labelled_columns = (2, 3)  # Columns of a table without a choice: coordinates and a target.
    if (found := objects_in(table)) is not None:
        return found
    choice = suggest(table)
    category = _has_category(table, choice)
    if len(table.columns) not in labelled_columns and not category:
        return None
    named = choice.target is not None and table.names[choice.target].lower() in TARGET_NAMES
    if table.given is None and named and not category and _words_among(table, choice) is not None:
        return None
    data = to_data(table, guess(table))
    if data.task is Task.REGRESSION and len(data.columns) == 2 and not named:
        return None
    complete = len(data.columns) == len(table.columns) - 1
    return data if complete and not workspace_of(data).refusal(data) else None


def choose(table: Table, text: str) -> ColumnChoice:
    """Return the columns named in a text: `a,b,label` or `1-30,31` by name or number from 1, the target last
    (`-`: none)."""
    no_target = "-"
    wanted = [part.strip() for part in text.split(",")]
    if "" in wanted:
        raise BadInput(f"Columns are named or numbered with commas between, as in a,b,label; not {text!r}.")
    if len(wanted) < 2:
        raise BadInput("Choose at least two columns: a coordinate and the label or target (- for none).")
    *coordinates, target = wanted
    found = tuple(j for name in coordinates for j in _range(table, name))
    choice = ColumnChoice(found, None if target == no_target else _find(table, target))
    if len(set(found)) < len(found) or choice.target in found:
        raise BadInput(f"Each column can be chosen once; {text!r} repeats one.")
    return choice


def weighed_by(table: Table, columns: str | None, weights: str) -> ColumnChoice:
    """Return the choice with a column of weights: of the columns named, or of a table without that one."""
    j = _find(table, weights)
    if columns is not None:
        choice = choose(table, columns)
        if j in (*choice.coordinates, choice.target):
            raise BadInput(
                f"The column {table.columns[j].name} cannot be both the weights and in {columns!r}."
            )
        return dataclasses.replace(choice, weights=j)
    rest = [k for k in range(len(table.columns)) if k != j]
    if not rest:
        raise BadInput("A table needs other columns besides the weights.")
    choice = guess(dataclasses.replace(table, columns=tuple(table.columns[k] for k in rest), given=None))
    target = None if choice.target is None else rest[choice.target]
    return ColumnChoice(tuple(rest[k] for k in choice.coordinates), target, j)


def to_data(
    table: Table, choice: ColumnChoice, regression: bool | None = None, as_texts: bool = False
) -> Data:
    """Return the chosen columns as data.

    regression: whether the target is a quantity; None decides by its values. as_texts: whether a single
    column is one of strings even if these have only digits. BadInput names file, line and column of the first
    cell that does not fit.

    >>> table = read_text("a,b,label\\n1,2,yes\\n3,4,no\\n")
    >>> to_data(table, guess(table)).class_names
    ('no', 'yes')"""
    if not choice.coordinates:
        raise BadInput(f"{table.source or 'The table'} has no column of numbers to use as a coordinate.")
    if len(table) == 0:
        raise BadInput(f"{table.source or 'The table'} has no rows of data.")
    if (category := _category(table, choice)) is not None:
        rest = ColumnChoice(tuple(j for j in choice.coordinates if j != category), choice.target)
        return _with_category(table, category, to_data(table, rest, regression))
    names = [table.columns[j].name for j in choice.coordinates]
    texts = _texts(table, choice, as_texts)
    if regression is None and choice.target is not None:
        regression = _is_quantity(
            table.columns[choice.target], len(choice.coordinates) if texts is None else 0
        )
    numbers = choice.coordinates if texts is None else ()
    target = () if choice.target is None else (choice.target,)
    quantity = regression or (target and table.columns[target[0]].numeric)
    table.check((*numbers, *target), ()) if quantity else table.check(numbers, target)
    X: Any = np.column_stack([table.numbers(j) for j in choice.coordinates]) if texts is None else texts
    if choice.target is None:
        return Data.unlabelled(X, names)
    if regression:
        return Data.regression(X, table.numbers(choice.target), names, _title(table, choice.target))
    called = table.columns[choice.target]
    if measured(called.values):
        raise BadInput(
            f"{table.source or 'The table'}, column {table.number(choice.target)} ({called.name}): nearly "
            "every row has a value of its own, so this is a measured quantity and no class."
        )
    _check_no_dates(table, choice.target)
    return Data.labelled(X, table.labels(choice.target), names)


def is_called_class(table: Table, choice: ColumnChoice) -> bool:
    """Return True if the name of the target means that its values are classes."""
    return choice.target is not None and table.names[choice.target].lower() in CLASS_NAMES


def without_gaps(table: Table, choice: ColumnChoice) -> tuple[Table, str]:
    """Return (table, sentence): the rows that have a value in each of the chosen columns, and how many are
    left out. A single column of texts lacks nothing where a text is empty."""
    chosen = [*choice.coordinates, *(j for j in (choice.target, choice.weights) if j is not None)]
    if len(choice.coordinates) == 1 and not table.columns[choice.coordinates[0]].numeric:
        chosen.remove(choice.coordinates[0])
    lacking = np.any([table.lacking(j) for j in chosen], axis=0)
    if not lacking.any():
        return table, ""
    if lacking.all():
        raise BadInput(f"{table.source or 'The table'}: every row lacks a value in one of the columns.")
    return table.subset(~lacking), gaps_left_out(int(lacking.sum()), len(table))


def _category(table: Table, choice: ColumnChoice) -> int | None:
    """Return the column of categories: the only one of three or more inputs with words, in every cell."""
    words = [j for j in choice.coordinates if not _mostly_numbers(table.columns[j])]
    if len(words) != 1 or len(choice.coordinates) < 3:
        return None
    return words[0] if not any(map(is_number, table.columns[words[0]].sample)) else None


def _with_category(table: Table, j: int, data: Data) -> Data:
    """Return the data with a column of words as categories, in the order of the alphabet."""
    cells = [str(cell) for cell in table.labels(j)]
    names = sorted(set(cells))
    X = read_only(np.column_stack([data.X, list(map(names.index, cells))]))
    made = dataclasses.replace(data, X=X, columns=(*data.columns, table.columns[j].name))
    return made.with_categories(names)


def _title(table: Table, j: int) -> str:
    """Return the name a user gave column j, "" where the reader had to make one up."""
    name = table.columns[j].name
    return "" if table.given is not None or name == f"x{table.number(j)}" else name


def _check_no_dates(table: Table, j: int) -> None:
    """Raise BadInput for a column of dates that all differ: it is neither a class nor a number."""
    cells = table.columns[j].values
    if isinstance(cells, np.ndarray) or len(set(cells)) < len(cells):
        return
    if all(map(DATE.fullmatch, cells)):
        problem = "is a date, and every row has its own: write dates as numbers, such as days"
        raise table.wrong(0, j, f"{quoted(cells[0])} {problem}")


def _texts(table: Table, choice: ColumnChoice, wanted: bool) -> tuple[str, ...] | None:
    """Return the column of strings, if a single column is chosen and has strings or is wanted as such; None
    for numbers."""
    column = table.columns[choice.coordinates[0]]
    if len(choice.coordinates) > 1 or (_mostly_numbers(column) and not wanted):
        return None
    return column.texts


def _is_quantity(target: TableColumn, coordinates: int) -> bool:
    """Return True if a target is a quantity and not a class.

    Words are classes. With one coordinate, numbers are the values of a curve, unless there are only two and
    the column is called a class. Otherwise two values are classes, and so are a few whole numbers."""
    if not isinstance(target.values, np.ndarray):
        return _mostly_numbers(target)
    distinct = np.unique(target.values)
    if len(distinct) <= 2:
        return coordinates == 1 and target.name.lower() not in CLASS_NAMES
    whole = bool(np.all(distinct == np.floor(distinct)))
    return coordinates == 1 or not whole or len(distinct) > MOST_CLASSES


def _likely_target(table: Table) -> int:
    """Return which column is most likely the target: the one with a usual name such as "label"; of two
    columns the one that labels the texts of the other, or y next to x; the only one with words; or else
    the last."""
    input_and_output = {"x", "y"}
    names = [name.lower() for name in table.names]
    for name in TARGET_NAMES:
        if name in names:
            return names.index(name)
    if len(names) == 2 and (text := _likely_text(table)) is not None:
        return 1 - text
    if len(names) == 2 and set(names) == input_and_output:
        return names.index("y")
    words = [j for j, column in enumerate(table.columns) if not _mostly_numbers(column)]
    return words[0] if len(words) == 1 else len(table.columns) - 1


def _likely_text(table: Table) -> int | None:
    """Return which of two columns has the strings to be classified, if one has.

    It is recognised by its name, or because most of its rows differ and those of the other, the labels, do
    not. Two columns may also be a number and its label."""
    text_names = ("text", "texts", "string", "strings", "word", "words", "sentence", "sentences")
    words = [j for j in (0, 1) if not _mostly_numbers(table.columns[j])]
    named = [j for j in words if table.names[j].lower() in text_names]
    if named or not words:
        return named[0] if named else None
    distinct = [len(set(table.columns[j].values)) for j in (0, 1)]
    text = max(words, key=lambda j: (distinct[j], -j))
    labelled = 2 * distinct[text] > len(table) and 2 * distinct[1 - text] <= len(table)
    return text if labelled or len(words) == 2 else None


def _mostly_numbers(column: TableColumn) -> bool:
    """Return True if a column is meant as numbers, even if a cell is wrong: the error then names that
    cell."""
    if column.numeric or column.quoted:
        return column.numeric
    sample = column.sample
    return sum(map(is_number, sample)) * 2 > len(sample)


def _range(table: Table, name: str) -> Sequence[int]:
    """Return the columns named by a part of a choice: a range such as 1-30, or one column."""
    ends = re.fullmatch(r"([0-9]{1,9})\s*[-–]\s*([0-9]{1,9})", name)
    if ends is None or name in table.names:
        return (_find(table, name),)
    first, last = (_find(table, end) for end in ends.groups())
    if last < first:
        raise BadInput(f"A range of columns goes from the smaller number to the larger, not {name!r}.")
    return range(first, last + 1)


def _find(table: Table, name: str) -> int:
    """Return the index of a column by its name, in any case, or by its number from 1. A name comes first: a
    column may be called 2."""
    for candidates in (table.names, [n.lower() for n in table.names]):
        matching = [j for j, n in enumerate(candidates) if n in (name, name.lower())]
        if len(matching) > 1:
            raise BadInput(f"{len(matching)} columns are named {name!r}; choose by number.")
        if matching:
            return matching[0]
    if name.isascii() and name.isdigit():
        first, last = table.number(0), table.number(len(table.columns) - 1)
        if first <= int(name) <= last:
            return int(name) - first
        raise BadInput(f"There is no column {name}; the columns are numbered {first} to {last}.")
    raise BadInput(f"There is no column {name!r}. {nearest(name, table.names)}")
