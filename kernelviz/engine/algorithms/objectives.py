"""The solution of a dual programme, its primal and dual objective, and by how much rounding may change them.

Weak duality, dual ≤ primal, holds for exact numbers. A dual objective above the primal one by more than
rounding explains proves that the weights do not belong to the scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.models.base import FIVE_DIGITS
from kernelviz.engine.solvers.qp.program import LAST_DIGIT, ROUNDING, Dual, Optimality

NOTHING = 1e-14  # Of the terms of an objective: the rounding of their sum.

NEGATIVE = (
    "Stopped at the limit: the dual objective is above the primal one, which rounding alone cannot explain, "
    "so that these weights are not the solution."
)

OPEN = (
    "Stopped at the limit: the conditions of the minimum hold, but the dual objective is more than 0.1% "
    "below the primal one, so that these weights may be far from the solution."
)


class Solution(NamedTuple):
    """A point of the dual in the units of the score: s = h + offset, h = K beta (plus the part of the
    ridge)."""

    beta: Array
    h: Array
    offset: float
    gap: float
    unit: float = 1.0  # The divisor of the dual's own weights.
    tube: float | None = None  # epsilon, for machines that have one.


class Objectives(NamedTuple):
    """The primal and the dual objective at a point.

    A dual objective further above the primal one than rounding explains is proof that the weights do not
    fit the scores: then they are not sound."""

    primal: float
    dual: float
    sound: bool = True
    # Whether rounding may change the one and the other by so little that it is shown.
    known: tuple[bool, bool] = (True, True)
    # Whether rounding alone explains the gap between them: then no digit of the primal can be gained.
    closed: bool = False

    @classmethod
    def within(cls, primal: float, dual: float, doubts: tuple[float, float]) -> Objectives:
        """Return both, judged by how much rounding may change the one and the other."""
        sound, closed = dual - primal <= sum(doubts), primal - dual <= sum(doubts)
        if dual > primal and sound:  # then they are equal, and the more exact one is both
            primal = dual = dual if doubts[1] < doubts[0] else primal
        known = doubts[0] <= FIVE_DIGITS * abs(primal), doubts[1] <= FIVE_DIGITS * abs(dual)
        return cls(primal, dual, sound, known, closed)

    def shown(self) -> tuple[float | None, float | None]:
        """Return both, or neither if one is not known: the other would be taken for the optimum."""
        return (self.primal, self.dual) if all(self.known) else (None, None)


def error_of_a_score(dual: Dual, size: float, sums: float | None = None) -> float:
    """Return the error to expect in the difference between a score and its target; `size` is sum |beta|, and
    `sums` the error of K beta where that is known better than by this size."""
    lowest, highest = dual.range
    targets = max(highest, -lowest) + 0.5 * dual.fold if size else 0.0
    return (ROUNDING * size * dual.rows.scale if sums is None else sums) + 0.5 * LAST_DIGIT * targets


def doubts_of_objectives(
    dual: Dual, found: Solution, optimality: Optimality, primal: float, error: float, charged: float
) -> tuple[float, float]:
    """Return the amounts by which rounding may change the primal and the dual objective.

    Both multiply the errors of the scores by the weights, where they add up as random steps, to the root of
    the sum of squares. The primal multiplies `charged` of them by the price of slack. The sums are rounded
    too, and the dual is off by what the sums of the weights are short of, times the offset."""
    size = np.abs(found.beta)
    largest = float(size.max()) or 1.0  # its square may be beyond all numbers
    terms = float(size.dot(np.abs(dual.p[: len(size)])) + size.dot(np.abs(found.h)))
    weights = error * largest * float(np.linalg.norm(size / largest)) + NOTHING * terms
    slack = error * dual.largest / found.unit * charged if charged else 0.0
    multiplier = abs(found.offset)
    if dual.groups is not None:  # the offsets of two groups are b plus and minus 1, or epsilon
        multiplier += 1.0 if found.tube is None else found.tube
    shortfalls = multiplier * sum(map(abs, optimality.shortfalls)) / found.unit
    return weights + slack + NOTHING * abs(primal), weights + shortfalls
