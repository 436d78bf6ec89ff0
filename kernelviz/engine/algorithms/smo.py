"""Sequential minimal optimisation: two weights at a time, chosen by second-order information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.qp import Dual, Point
from kernelviz.engine.arrays import Array

__all__ = ["Pair", "pairs", "run"]

TINY = 1e-12


@dataclass(frozen=True)
class Pair:
    """One step: b_i grew and b_j shrank by `step`, which improved the dual objective by `gain`."""

    i: int
    j: int
    step: float
    gain: float


class _Group:
    """The two rows a pair is chosen from: g where b may grow, and g where b may shrink."""

    def __init__(self, dual: Dual, b: Array, g: Array, inside: Array | None) -> None:
        grow, shrink = b < dual.hi, b > dual.lo
        if inside is not None:
            grow, shrink = grow & inside, shrink & inside
        self.up = np.where(grow, g, np.inf)
        self.down = np.where(shrink, g, -np.inf)

    def choose(self, dual: Dual) -> tuple[float, float, int, int]:
        """(violation, promise, i, j): i the steepest to grow, j the best partner to second order."""
        i = int(self.up.argmin())
        lowest = float(self.up[i])
        violation = float(self.down.max()) - lowest
        if not violation > 0.0 or violation == np.inf:
            return -np.inf, -np.inf, i, i
        diagonal = dual.rows.diagonal
        curvature = diagonal - 2.0 * dual.rows.row(i)
        curvature += diagonal[i]
        np.maximum(curvature, TINY * max(1.0, float(diagonal[i])), out=curvature)
        promise = self.down - lowest
        promise /= np.sqrt(curvature)
        j = int(promise.argmax())
        return violation, float(promise[j]), i, j


def pairs(dual: Dual, point: Point, tol: float) -> Iterator[Pair]:
    """Steps from `point`, in place, until the largest violation is at most `tol` (then it ends).

    `point.gap` is kept up to date; b and h are consistent at every yield."""
    b, h, lo, hi = point.b, point.h, dual.lo, dual.hi
    groups = [_Group(dual, b, h - dual.p, inside) for inside in dual.members()]
    while True:
        choices = [group.choose(dual) for group in groups]
        point.gap = max(choice[0] for choice in choices)
        if point.gap <= tol:
            return
        k = max(range(len(choices)), key=lambda k: choices[k][1])
        _, _, i, j = choices[k]
        gi, gj = float(groups[k].up[i]), float(groups[k].down[j])
        row_i, row_j = dual.rows.row(i), dual.rows.row(j)
        eta = max(float(row_i[i] + row_j[j] - 2.0 * row_i[j]), TINY * max(1.0, float(row_i[i])))
        step = (gj - gi) / eta
        room_i, room_j = float(hi[i] - b[i]), float(b[j] - lo[j])
        was_i, was_j = b[i] == lo[i], b[j] == hi[j]
        step = min(step, room_i, room_j)
        b[i] = hi[i] if step == room_i else b[i] + step
        b[j] = lo[j] if step == room_j else b[j] - step
        change = row_i - row_j
        change *= step
        h += change
        for group in groups:
            group.up += change
            group.down += change
        chosen = groups[k]
        if was_i:
            chosen.down[i] = chosen.up[i]
        if was_j:
            chosen.up[j] = chosen.down[j]
        if b[i] == hi[i]:
            chosen.up[i] = np.inf
        if b[j] == lo[j]:
            chosen.down[j] = -np.inf
        point.updates += 1
        point.steps += 1
        yield Pair(i, j, step, step * (gj - gi) - 0.5 * eta * step * step)


def run(dual: Dual, point: Point, tol: float, limit: int) -> None:
    """At most `limit` steps."""
    for count, _ in enumerate(pairs(dual, point, tol), 1):
        if count >= limit:
            return
