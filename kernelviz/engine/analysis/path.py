"""The regularisation path of the soft margin: its solution for every C.

The weights b(C) and the offset of the soft margin are piecewise linear in C. `follow` finds all breakpoints;
between two of them the solution is a straight line, so that `Path.at` has the fit for any C without solving
anything."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.algorithms.dual_svm import FINEST
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.certain import THREE_DIGITS
from kernelviz.engine.core.data import Data, misclassified
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.core.params import number
from kernelviz.engine.models.base import SURELY
from kernelviz.engine.models.kernel import BLUR, EPSILON, TERM, KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.of_fit import norm_of
from kernelviz.engine.solvers.path import AT_BOUND, OUT, Follower, PathEndsError, Record
from kernelviz.engine.solvers.path_check import Checked
from kernelviz.engine.solvers.qp.program import Optimality, Point
from kernelviz.engine.solvers.qp.rows import GramRows

SMALLEST_C, LARGEST_C = 1e-3, 1e3  # The C between which the path is followed by default.
MOST_ON_PATH = 1000  # Events are about as many as points, and each is a linear system of the free ones.


@dataclass(frozen=True, eq=False)
class Path:
    """The regularisation path of a soft margin: its solution at every breakpoint, in ascending order of C.

    The first and the last breakpoint are the ends. Between two of them β and b are linear in C:

        found = path(Problem(data, kernel), 0.01, 100)
        found.C, found.beta         # (m,) and (m, n)
        found.at(3.0)               # the model at any C, without solving anything"""

    problem: Problem
    C: Array
    beta: Array  # (breakpoints, n)
    b: Array
    # (breakpoints, n): on which side each point is from there to the next: 0, C, or free between.
    sides: NDArray[np.int8]
    ends: str = ""  # Why the path ends before the largest C asked for, in a sentence; empty when it does not.

    def at(self, C: float) -> KernelModel:
        """Return the soft margin at any C between the ends."""
        if not self.C[0] <= C <= self.C[-1]:
            low, high = number(float(self.C[0])), number(float(self.C[-1]))
            raise BadInput(f"The path goes from C = {low} to C = {high}; {number(C)} is not on it.")
        return self._model(C, self.weights(C))

    def _model(self, C: float, weights: Array) -> KernelModel:
        """Return the model with these weights, checked and reported as one that was solved at C."""
        algorithm = SoftMarginSVM(C=C)
        dual = algorithm.dual(self.problem, GramRows.for_problem(self.problem))
        point = Point.at(dual, weights)
        return algorithm.final(self.problem, dual, point, Optimality(dual, point))

    def weights(self, C: float) -> Array:
        """Return beta at C: exactly on a bound, or on the line between two breakpoints."""
        k = min(int(np.searchsorted(self.C, C, side="right")) - 1, len(self.C) - 2)
        share = (C - self.C[k]) / (self.C[k + 1] - self.C[k])
        line = (1.0 - share) * self.beta[k] + share * self.beta[k + 1]
        bound, sides = C * self.problem.z, self.sides[k]
        within = np.clip(line, np.minimum(bound, 0.0), np.maximum(bound, 0.0))
        return np.where(sides == AT_BOUND, bound, np.where(sides == OUT, 0.0, within))

    def along(self, values: Array) -> Path:
        """Return the same path with these values of C, in ascending order, as its breakpoints, for
        drawing. Where no point is free the offset is not a line but the middle of the optimal ones."""
        places = np.clip(np.searchsorted(self.C, values, side="right") - 1, 0, len(self.C) - 2)
        beta = np.array([self.weights(float(C)) for C in values])
        offsets, sides = np.interp(values, self.C, self.b), self.sides[places]
        for k in np.flatnonzero(np.isin(sides, (AT_BOUND, OUT)).all(axis=1)).tolist():
            offsets[k] = self.at(float(values[k])).offset
        return replace(self, C=read_only(values), beta=read_only(beta), b=read_only(offsets), sides=sides)

    @cached_property
    def _products(self) -> Array:
        """K beta, (breakpoints, n): the scores without b, which at a small C would take their digits."""
        return read_only(self.beta @ self.problem.gram)

    @cached_property
    def scores(self) -> Array:
        """s on the training points, (breakpoints, n)."""
        return read_only(self._products + self.b[:, None])

    @cached_property
    def _ties(self) -> Array:
        """The size up to which scores are 0 up to rounding, (breakpoints, 1)."""
        terms = np.abs(self.beta).sum(axis=1) * self.problem.radius**2 + np.abs(self.b)
        errors = SURELY * (BLUR + TERM * terms)
        tie = 1e-9  # Of the largest score: a score below this may have either sign.
        return np.asarray(np.maximum(tie * np.abs(self.scores).max(axis=1), errors)[:, None])

    @cached_property
    def training_error(self) -> Array:
        """The training error at every breakpoint; NaN where no score has a sign beyond rounding."""
        return self._errors(self.problem.z, self.scores)

    @cached_property
    def support_vectors(self) -> NDArray[np.intp]:
        """The number of support vectors at every breakpoint."""
        return np.asarray(np.count_nonzero(self.beta, axis=1))

    @cached_property
    def margin_width(self) -> Array:
        """1/||w||, the half-width of the drawn band; nan where rounding has left no digit of it."""
        squares = np.einsum("kn,kn->k", self.beta, self._products)
        doubt = EPSILON * self.problem.radius**2 * np.einsum("kn,kn->k", self.beta, self.beta)
        with np.errstate(divide="ignore"):
            widths = 1.0 / np.sqrt(np.maximum(squares, 0.0))
        for k in np.flatnonzero(doubt > THREE_DIGITS * squares).tolist():
            norm = norm_of(self._model(float(self.C[k]), self.beta[k].copy()))
            widths[k] = np.nan if norm is None else 1.0 / norm if norm else np.inf
        return read_only(widths)

    def held_out_error(self, data: Data, K: Array | None = None) -> Array:
        """Return the share of mistakes on other points, at every breakpoint; NaN where no score has a
        sign beyond rounding. K: the kernel with them, if known."""
        K = self.problem.kernel(self.problem.X, data.X) if K is None else K
        return self._errors(data.z, self.beta @ K + self.b[:, None])

    def _errors(self, z: Array, scores: Array) -> Array:
        """Return the share of mistakes at every breakpoint, NaN where a score is 0 up to rounding; scores:
        (breakpoints, n)."""
        undecided = np.abs(scores) <= self._ties
        wrong = misclassified(z, scores) | undecided
        return read_only(np.where(undecided.all(axis=1), np.nan, wrong.mean(axis=1)))


def path(problem: Problem, low: float = SMALLEST_C, high: float = LARGEST_C) -> Path:
    """Return the path of the soft margin between two values of C, followed without interruption."""
    return finished(follow(problem, low, high))


def follow(
    problem: Problem, low: float = SMALLEST_C, high: float = LARGEST_C
) -> Generator[float, None, Path]:
    """Return all breakpoints between two values of C; yields the share done, by the logarithm of C.

    The path is followed from event to event, and then every piece is checked against the KKT conditions. It
    may end before the largest C, where rounding leaves no order of the events; `Path.ends` then says why."""
    C = SoftMarginSVM.parameter("C")
    if not C.low <= low < high <= C.high:
        raise BadInput(
            f"The path goes from a smaller to a larger C, between {number(C.low)} and {number(C.high)}, "
            f"not from {number(low)} to {number(high)}."
        )
    SoftMarginSVM().check(problem)
    problem.check_equal_weights()
    if problem.n > MOST_ON_PATH:
        raise BadInput(f"The path is followed for up to {MOST_ON_PATH:,} points, not for {problem.n:,}.")
    K, z, last = problem.gram, problem.z, None

    def solved(C: float) -> Array:
        """Return the weights at a single C; the solution starts from the last one."""
        nonlocal last
        last = SoftMarginSVM(C=C, tol=FINEST).fit(problem, last)
        assert isinstance(last, KernelModel)
        return last.weights

    followed: list[Record] = []
    records: list[Record] = []
    why: PathEndsError | None = None
    try:
        for record in Follower(K, z, solved, low, high).records():
            followed.append(record)
            yield log(record.C / low) / log(high / low)
    except PathEndsError as met:
        why = met
    try:
        for record in Checked(K, z, solved).records(followed):
            records.append(record)
            yield 1.0
    except PathEndsError as met:
        why = met
    if len(records) < 2:
        raise BadInput(f"The path cannot be followed: {why}.")
    ends = f"The path ends at C = {records[-1].C:.4g}: {why}." if why else ""
    prices, weights, offsets, sides = zip(*records, strict=True)
    return Path(
        problem,
        read_only(np.array(prices)),
        read_only(np.array(weights)),
        read_only(np.array(offsets)),
        np.array(sides),
        ends,
    )
