"""Limits on the size of tables, and the sample that is taken of larger ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Sequence
from typing import TypeAlias

import numpy as np

from kernelviz.engine.algorithms.base import MOST_ROWS
from kernelviz.engine.core.arrays import read_only
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.held_out import proportional
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.problem import Problem
from kernelviz.session.state import Document
from kernelviz.session.tables.columns import Table

BYTES = 100_000_000
ROWS = 500_000
COLUMNS = 1000
CELLS = 5_000_000
LONGEST_LINE = 1_000_000

# A reader at work: yields the fraction done, may be dropped at every yield, returns the table.
Reading: TypeAlias = Generator[float, None, Table]


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


ROWS_ALL_TAKE = 2500  # Rows every algorithm takes.
UNLIKE = 10.0  # Times as wide a spread that hides the other column from a kernel of distances.
FEWEST_JUDGED = 5  # Fewer points may lie on a line because somebody puts them there one by one.


def standardised(data: Data, by: Data | None = None) -> Data:
    """Every column shifted to mean 0 and scaled to variance 1; a constant column is only shifted.

    by: other data whose mean and variance count, as for points a model of those is tested on."""
    measure = data if by is None else by
    if data.n == 0:
        return data
    if not isinstance(data.X, np.ndarray):
        raise BadInput("Only coordinates can be scaled to mean 0 and variance 1; these inputs are texts.")
    mean, spread = measure.X.mean(axis=0), measure.X.std(axis=0)
    # Below rounding of its own size a column is constant.
    spread[spread <= 1e-14 * np.abs(measure.X).max(axis=0)] = 1.0
    return dataclasses.replace(data, X=read_only((data.X - mean) / spread))


def unlike_columns(data: Data) -> tuple[str, str, float] | None:
    """(wide, narrow, times): the columns that spread farthest and least, by standard deviation, where that is
    at least tenfold; None where it is not, or a column does not spread at all."""
    if not isinstance(data.X, np.ndarray) or data.n < FEWEST_JUDGED or len(data.columns) < 2:
        return None
    spread = data.X.std(axis=0)
    wide, narrow = int(spread.argmax()), int(spread.argmin())
    if not 0.0 < UNLIKE * spread[narrow] <= spread[wide] < np.inf:
        return None
    return data.columns[wide], data.columns[narrow], float(spread[wide] / spread[narrow])


def subsample(data: Data, limit: int = MOST_ROWS, seed: int = 0) -> tuple[Data, str]:
    """(data, sentence): at most `limit` rows, drawn at random with the seed, the classes in proportion.

    The sentence says what was done; it is empty when nothing was."""
    if data.n <= limit:
        return data, ""
    rows = proportional(data, limit, seed)
    sentence = (
        f"{limit:,} of {data.n:,} rows are used, drawn at random in proportion to the classes (seed {seed})."
    )
    return data.subset(rows), sentence


def prepared(data: Data, fits: Sequence[Fit], standardise: bool = False) -> tuple[Data, str]:
    """(data, sentence): what the fits are given, and in words what was changed, if anything."""
    sentences = []
    if standardise:
        data = standardised(data)
        sentences.append("Each coordinate was scaled to mean 0 and variance 1.")
    data, sentence = subsample(data, min(_most_rows(data, fit) for fit in fits))
    sentences.append(sentence)
    return data, " ".join(filter(None, sentences))


def manageable(document: Document) -> tuple[Document, str]:
    """(document, sentence): the document itself, or with a sample of its points if they are too many for one
    of its algorithms, and what was done."""
    data, sentence = prepared(document.data, document.fits)
    return (document.replace(data=data) if sentence else document), sentence


def _most_rows(data: Data, fit: Fit) -> int:
    if data.n <= ROWS_ALL_TAKE:  # nearly always, and with every move of a point
        return data.n
    try:
        return fit.algorithm.most_rows(Problem(data, fit.kernel))
    except BadInput:  # kernel and algorithm do not go together, which the algorithm will say
        return MOST_ROWS
