"""The Gram matrix of inputs that take long to compare, in parts; each pair is compared once."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.problem import Problem

__all__ = ["gathered"]

FIRST = 32
"""Rows of the first part."""
SECONDS = 0.1
"""How long a part should take: others wait for it."""


def gathered(problem: Problem, before: Problem | None = None) -> Generator[float, None, None]:
    """Compute the Gram matrix of strings, as far as `before` does not know it; tells the share done.

    Of numbers it is left to whoever needs it: a solver may do with some rows."""
    kernel = problem.kernel
    if problem.known_gram is not None or kernel.domain != "strings":
        return
    if before is not None and problem.X is before.X:
        problem.adopt_gram(before)
        if problem.known_gram is not None:
            return
    kernel.check_labour(kernel.checked(problem.X))
    K = np.empty((problem.n, problem.n))
    done, fresh = _taken_over(K, problem, before)
    rows = FIRST if kernel.laborious else problem.n
    while len(fresh):
        began = perf_counter()
        part, fresh = fresh[:rows], fresh[rows:]
        _compare(K, problem, part, done)
        done = np.concatenate([done, part])
        yield (len(done) / problem.n) ** 2
        rows = max(1, min(2 * rows, int(rows * SECONDS / (perf_counter() - began))))
    problem.adopt(K)


def _compare(K: Array, problem: Problem, part: Indices, done: Indices) -> None:
    """Fill in the rows and columns of a part: those among themselves and with the ones that are done."""
    some = _some(problem.X, part)
    K[np.ix_(part, part)] = problem.kernel(some)
    if len(done):
        across = problem.kernel(some, _some(problem.X, done))
        K[np.ix_(part, done)] = across
        K[np.ix_(done, part)] = across.T


def _taken_over(K: Array, problem: Problem, before: Problem | None) -> tuple[Indices, Indices]:
    """Fill in what is known of the same inputs; which rows these are, and the others."""
    every = np.arange(problem.n)
    if before is None or before.known_gram is None or before.kernel != problem.kernel:
        return every[:0], every
    place = {text: i for i, text in enumerate(before.X)}
    origin = np.array([place.get(text, -1) for text in problem.X], dtype=np.intp)
    done = np.flatnonzero(origin >= 0)
    K[np.ix_(done, done)] = before.known_gram[np.ix_(origin[done], origin[done])]
    return done, np.flatnonzero(origin < 0)


def _some(X: Any, rows: Indices) -> tuple[str, ...]:
    return tuple(X[i] for i in rows)
