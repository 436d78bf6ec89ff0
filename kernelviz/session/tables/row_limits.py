"""Limits on the size of tables, scaling, and the sample that is taken of too many rows."""

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

# A reader: yields the fraction done, may be stopped at every yield, returns the table.
Reading: TypeAlias = Generator[float, None, Table]


def check_size(name: str, rows: int, columns: int) -> None:
    """Raise BadInput when a table is too large to be read."""
    if rows > ROWS:
        raise BadInput(f"{name} has {rows:,} rows; at most {ROWS:,} are read. Thin it out first.")
    if columns > COLUMNS:
        raise BadInput(f"{name} has {columns:,} columns; at most {COLUMNS:,} are read.")
    if rows * columns > CELLS:
        raise BadInput(f"{name} has {rows:,} rows of {columns:,} columns; at most {CELLS:,} cells are read.")


def check_lines(name: str, text: str) -> None:
    """Raise BadInput when a text has too many or too long lines: split into cells they would fill the
    memory."""
    check_size(name, text.count("\n") + (not text.endswith("\n")), 1)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise BadInput(
                f"{name}, line {number}: {len(line):,} letters; at most {LONGEST_LINE:,} are read in a line."
            )


ROWS_ALL_TAKE = 2500  # Rows that every algorithm can take.
UNLIKE = 10.0  # Ratio of standard deviations from which distances hardly depend on the narrower column.
FEWEST_JUDGED = 5  # Fewer points may lie on a line because the user is still placing them one by one.


def standardised(data: Data, by: Data | None = None) -> Data:
    """Return the data with every column shifted to mean 0 and scaled to variance 1; a constant column is only
    shifted.

    by: other data whose mean and variance are used, for points that a model of those is tested on."""
    measure = data if by is None else by
    if data.n == 0:
        return data
    if not isinstance(data.X, np.ndarray):
        raise BadInput("Only coordinates can be scaled to mean 0 and variance 1; these inputs are texts.")
    mean, spread = measure.X.mean(axis=0), measure.X.std(axis=0)
    # A column whose spread is below rounding of its values is constant.
    spread[spread <= 1e-14 * np.abs(measure.X).max(axis=0)] = 1.0
    return dataclasses.replace(data, X=read_only((data.X - mean) / spread))


def unlike_columns(data: Data) -> tuple[str, str, float] | None:
    """Return (wide, narrow, ratio): the columns of largest and smallest standard deviation, if their ratio is
    at least ten; None if it is not, or if a column is constant."""
    if not isinstance(data.X, np.ndarray) or data.n < FEWEST_JUDGED or len(data.columns) < 2:
        return None
    spread = data.X.std(axis=0)
    wide, narrow = int(spread.argmax()), int(spread.argmin())
    if not 0.0 < UNLIKE * spread[narrow] <= spread[wide] < np.inf:
        return None
    return data.columns[wide], data.columns[narrow], float(spread[wide] / spread[narrow])


def subsample(data: Data, limit: int = MOST_ROWS, seed: int = 0) -> tuple[Data, str]:
    """Return (data, sentence): at most `limit` rows, drawn at random with the seed, classes in proportion.

    The sentence says what was done; it is empty when nothing was."""
    if data.n <= limit:
        return data, ""
    rows = proportional(data, limit, seed)
    sentence = (
        f"{limit:,} of {data.n:,} rows are used, drawn at random in proportion to the classes (seed {seed})."
    )
    return data.subset(rows), sentence


def prepared(data: Data, fits: Sequence[Fit], standardise: bool = False) -> tuple[Data, str]:
    """Return (data, sentence): the data that the fits get, and what was changed, if anything."""
    sentences = []
    if standardise:
        data = standardised(data)
        sentences.append("Each coordinate was scaled to mean 0 and variance 1.")
    data, sentence = subsample(data, min(_most_rows(data, fit) for fit in fits))
    sentences.append(sentence)
    return data, " ".join(filter(None, sentences))


def manageable(document: Document) -> tuple[Document, str]:
    """Return (document, sentence): the document, with a sample of its points if they are too many for one of
    its algorithms, and what was done, if anything."""
    data, sentence = prepared(document.data, document.fits)
    return (document.replace(data=data) if sentence else document), sentence


def _most_rows(data: Data, fit: Fit) -> int:
    """Return how many of the rows a fit can take."""
    if data.n <= ROWS_ALL_TAKE:
        return data.n
    try:
        return fit.algorithm.most_rows(Problem(data, fit.kernel))
    except BadInput:  # kernel and algorithm do not suit each other, which the fit will report
        return MOST_ROWS
