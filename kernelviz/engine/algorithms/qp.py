"""The quadratic programme behind every support vector machine, in its signed form.

    minimise  f(b) = 1/2 b'Kb - p'b   subject to   lo <= b <= hi,  sum of b over each group = its total.

b = alpha z are the signed weights, h = Kb the scores without offset, g = h - p the gradient. A C-SVM has
p = z, one group, total 0, and b between 0 and zC; the nu-SVM has p = 0 and one group for each class.
Where a bound is met it is met exactly: `b == lo` and `b == hi` are meant literally everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.qp_rows import Rows
from kernelviz.engine.arrays import Array

__all__ = ["Dual", "Point", "feasible", "kkt_gap", "offsets", "snap"]


@dataclass(frozen=True, eq=False)
class Dual:
    """The programme. `groups` is None for one group, else (m, n) rows of zeros and ones."""

    rows: Rows
    p: Array
    lo: Array
    hi: Array
    totals: tuple[float, ...] = (0.0,)
    groups: Array | None = None

    @property
    def n(self) -> int:
        return len(self.p)

    @property
    def largest(self) -> float:
        """The largest finite bound: the scale of b (C for a C-SVM), or infinity without a box."""
        return float(max(self.hi.max(), -self.lo.min()))

    def members(self) -> list[Array | None]:
        """A mask for each group; None means everybody."""
        return [None] if self.groups is None else [row > 0 for row in self.groups]


@dataclass(eq=False)
class Point:
    """Where a solver stands: b, h = Kb and one offset rho for each group; written in place."""

    b: Array
    h: Array
    rho: Array
    gap: float = np.inf
    steps: int = 0
    updates: int = 0
    """Updates of h since it was computed from b."""


def kkt_gap(dual: Dual, b: Array, g: Array) -> tuple[float, Array]:
    """The largest KKT violation, and for each group the middle of the interval that rho may lie in.

    In a group: max of g over b > lo, minus min of g over b < hi (LIBSVM's stopping quantity)."""
    up = np.where(b < dual.hi, g, np.inf)
    down = np.where(b > dual.lo, g, -np.inf)
    if dual.groups is None:
        lowest, highest = float(up.min()), float(down.max())
        return highest - lowest, np.array([_middle(lowest, highest)])
    gap, middles = -np.inf, []
    for inside in dual.members():
        lowest, highest = float(up[inside].min()), float(down[inside].max())
        gap = max(gap, highest - lowest)
        middles.append(_middle(lowest, highest))
    return gap, np.array(middles)


def _middle(lowest: float, highest: float) -> float:
    """-(lowest + highest)/2, or the finite one of them when a group is all at one bound."""
    if lowest == np.inf:
        return 0.0 if highest == -np.inf else -highest
    return -lowest if highest == -np.inf else -0.5 * (lowest + highest)


def offsets(dual: Dual, b: Array, g: Array) -> Array:
    """rho of each group: the mean of -g over its free points, else the middle of its interval."""
    free = (b > dual.lo) & (b < dual.hi)
    _, rho = kkt_gap(dual, b, g)
    for k, inside in enumerate(dual.members()):
        chosen = free if inside is None else free & inside
        count = np.count_nonzero(chosen)
        if count:
            rho[k] = -float(g @ chosen) / count
    return rho


def snap(dual: Dual, b: Array) -> None:
    """Put what is within rounding of a bound exactly on it: a point bounded but for the last digit would
    count as free, and fix the offset at the end of an interval of which the middle is meant."""
    slack = 1e-13 * np.minimum(dual.hi - dual.lo, float(np.abs(b).max(initial=0.0)))
    np.copyto(b, dual.lo, where=b - dual.lo <= slack)
    np.copyto(b, dual.hi, where=dual.hi - b <= slack)


def feasible(dual: Dual, b: Array) -> Array:
    """The point of the box and the planes nearest to b: clip(b + t) with t found by bisection per group."""
    b = np.clip(b, dual.lo, dual.hi)
    for inside, total in zip(dual.members(), dual.totals, strict=True):
        chosen = slice(None) if inside is None else inside
        lo, hi, part = dual.lo[chosen], dual.hi[chosen], b[chosen]
        off = float(part.sum()) - total
        if off == 0.0:
            continue
        step = abs(off)
        left, right = (-step, 0.0) if off > 0 else (0.0, step)
        for _ in range(80):
            t = 0.5 * (left + right)
            if np.clip(part + t, lo, hi).sum() > total:
                right = t
            else:
                left = t
        b[chosen] = _settle(np.clip(part + 0.5 * (left + right), lo, hi), lo, hi, total)
    return b


def _settle(part: Array, lo: Array, hi: Array, total: float) -> Array:
    """Put the rounding error of the sum on the point with the most room."""
    off = total - float(part.sum())
    room = hi - part if off > 0 else part - lo
    k = int(np.argmax(room))
    part[k] = min(max(part[k] + off, lo[k]), hi[k])
    return part
