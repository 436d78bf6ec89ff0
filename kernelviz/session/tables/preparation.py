"""The preparation of data before they are fitted: scaling, joining, and a sample of too many rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from kernelviz.engine.algorithms.base import MOST_ROWS
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import MOST_CLASSES, Data, Task, joined_weights
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.held_out import proportional
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.problem import Problem
from kernelviz.session.state import Document

CLASSES = (Task.TWO_CLASSES, Task.CLASSES)


def standardised(data: Data, by: Data | None = None) -> Data:
    """Return the data with every column shifted to mean 0 and scaled to variance 1; a constant column is only
    shifted.

    by: other data whose mean and variance are used, for points that a model of those is tested on."""
    measure = data if by is None else by
    if data.n == 0:
        return data
    if not isinstance(data.X, np.ndarray):
        raise BadInput("Only coordinates can be scaled to mean 0 and variance 1; these inputs are texts.")
    size, mean, spread = _moments(measure.numbers)
    spread[spread <= 1e-14] = 1.0 / size[spread <= 1e-14]  # constant but for rounding: it keeps its unit
    scaled = (data.numbers / size - mean) / spread
    if data.categories is None:
        return dataclasses.replace(data, X=read_only(scaled))
    X = read_only(np.column_stack([scaled, data.X[:, -1]]))
    return dataclasses.replace(data, X=X).with_categories(data.categories.names)


def _moments(numbers: Array) -> tuple[Array, Array, Array]:
    """Return the largest |x| of each column, and the mean and standard deviation in units of it: squares of
    large numbers would overflow."""
    size = np.abs(numbers).max(axis=0)
    size[size < np.finfo(float).tiny / np.finfo(float).eps] = 1.0  # also where all are 0
    return size, (numbers / size).mean(axis=0), (numbers / size).std(axis=0)


def unlike_columns(data: Data) -> tuple[str, str, float] | None:
    """Return (wide, narrow, ratio): the columns of largest and smallest standard deviation, if their ratio is
    at least ten; None if it is not, or if a column is constant."""
    unlike = 10.0  # Ratio of standard deviations from which distances hardly depend on the narrower column.
    fewest_judged = 5  # Fewer points may lie on a line because the user is still placing them one by one.
    if not isinstance(data.X, np.ndarray) or data.n < fewest_judged or len(data.columns) < 2:
        return None
    size, _, spread = _moments(data.numbers)
    spread = spread * size
    wide, narrow = int(spread.argmax()), int(spread.argmin())
    if not 0.0 < unlike * spread[narrow] <= spread[wide] < np.inf:
        return None
    return data.columns[wide], data.columns[narrow], float(spread[wide] / spread[narrow])


def subsample(data: Data, limit: int = MOST_ROWS, seed: int = 0) -> tuple[Data, str]:
    """Return (data, sentence): at most `limit` rows, drawn at random with the seed, classes in proportion.

    The sentence describes the sample; it is empty if all rows are used."""
    if data.n <= limit:
        return data, ""
    rows = proportional(data, limit, seed)
    sentence = (
        f"{limit:,} of {data.n:,} rows are used, drawn at random in proportion to the classes (seed {seed})."
    )
    return data.subset(rows), sentence


def prepared(data: Data, fits: Sequence[Fit], standardise: bool = False) -> tuple[Data, str]:
    """Return (data, sentence): the data for the fits, and what was changed, if anything."""
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
    if not sentence:
        return document, ""
    return document.replace(data=data, sampled_from=document.sampled_from or document.together.n), sentence


def _most_rows(data: Data, fit: Fit) -> int:
    """Return how many of the rows a fit can take."""
    rows_all_take = 2500  # Rows that every algorithm can take.
    if data.n <= rows_all_take:
        return data.n
    try:
        return fit.algorithm.most_rows(Problem(data, fit.kernel))
    except BadInput:  # kernel and algorithm do not suit each other, which the fit will report
        return MOST_ROWS


# Adding points to those of a document ------------------------------------------------------------------


def joined(data: Data, more: Data) -> Data:
    """Return all points of both, in this order; columns are named as in `data`, and classes of one name are
    one class. BadInput where they cannot be joined."""
    if data.domain != more.domain or len(data.columns) != len(more.columns):
        raise BadInput("These points have other columns than the present ones, so they cannot be added.")
    if "objects" in (data.domain, more.domain):
        raise BadInput("Objects of two Gram matrices cannot be compared, so these cannot be added.")
    if data.task in CLASSES and more.task in CLASSES:
        return _with_classes(data, more)
    if data.task is not more.task:
        raise BadInput("Points with a class, with a measured value and with neither cannot be joined.")
    target = None if data.target is None else read_only(np.append(data.y, more.y))
    weights = joined_weights(data, more)
    return dataclasses.replace(data, X=_inputs(data, more), target=target, weights=weights)


def _with_classes(data: Data, more: Data) -> Data:
    """Return the points of both with their classes matched by name; +1 and + are one name. More than two
    classes together make it a problem of several."""
    # Names of classes that are other ways to write - and +.
    signs = {"-1": "-", "1": "+", "+1": "+", "−": "-"}
    names = list(data.class_names)
    ours = {signs.get(name, name): name for name in names}
    theirs = [ours.get(signs.get(name, name), name) for name in more.class_of_each]
    names += [name for name in dict.fromkeys(theirs) if name not in names]
    if len(names) > MOST_CLASSES:
        raise BadInput(f"Together these points have {len(names)} classes; at most {MOST_CLASSES} are shown.")
    every = [*data.class_of_each, *theirs]
    target = np.array([names.index(name) for name in every], dtype=float)
    task = Task.TWO_CLASSES if len(names) == 2 else Task.CLASSES
    return dataclasses.replace(
        data,
        X=_inputs(data, more),
        target=read_only(2 * target - 1 if task is Task.TWO_CLASSES else target),
        task=task,
        class_names=tuple(names),
        weights=joined_weights(data, more),
        labels=() if len(names) > len(data.class_names) else data.labels,
    )


def _inputs(data: Data, more: Data) -> object:
    """Return the inputs of both as an array or a tuple, with categories numbered as in the first."""
    if isinstance(data.X, np.ndarray):
        return read_only(np.vstack([data.X, more.recoded(data)]))
    return (*data.X, *more.X)
