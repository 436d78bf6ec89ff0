"""What may be done to data before fitting: nothing unless asked for, and always said."""

from __future__ import annotations

import dataclasses

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.arrays import read_only
from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput

__all__ = ["EXACT_LIMIT", "prepared", "standardised", "subsample"]

EXACT_LIMIT = 5000
"""Rows an exact solver takes: its matrix grows with the square of them."""


def standardised(data: Data) -> Data:
    """Every column shifted to mean 0 and scaled to variance 1; a constant column is only shifted."""
    if data.n == 0:
        return data
    if not isinstance(data.X, np.ndarray):
        raise BadInput("Only coordinates can be scaled to mean 0 and variance 1; these inputs are texts.")
    X = data.X - data.X.mean(axis=0)
    spread = X.std(axis=0)
    # Below rounding of its own size a column is constant.
    spread[spread <= 1e-14 * np.abs(data.X).max(axis=0)] = 1.0
    return dataclasses.replace(data, X=read_only(X / spread))


def subsample(data: Data, limit: int = EXACT_LIMIT, seed: int = 0) -> tuple[Data, str]:
    """(data, sentence): at most `limit` rows, drawn at random with the seed, the classes in proportion.

    The sentence says what was done; it is empty when nothing was."""
    if data.n <= limit:
        return data, ""
    rng = np.random.Generator(np.random.PCG64(seed))
    classes = data.y if data.task in (Task.TWO_CLASSES, Task.CLASSES) else np.zeros(data.n)
    order = rng.permutation(data.n)
    # By class and then at random; equal steps through that list draw each class in its proportion.
    order = order[np.argsort(classes[order], kind="stable")]
    rows = np.sort(order[np.linspace(0, data.n - 1, limit).round().astype(np.intp)])
    sentence = (
        f"{limit:,} of {data.n:,} rows are used, drawn at random in proportion to the classes (seed {seed})."
    )
    return data.subset(rows), sentence


def prepared(data: Data, algorithm: Algorithm, standardise: bool = False) -> tuple[Data, str]:
    """(data, sentence): what the algorithm is given, and in words what was changed, if anything."""
    sentences = []
    if standardise:
        data = standardised(data)
        sentences.append("Each coordinate was scaled to mean 0 and variance 1.")
    if not algorithm.takes_all_rows:
        data, sentence = subsample(data)
        sentences.append(sentence)
    return data, " ".join(filter(None, sentences))
