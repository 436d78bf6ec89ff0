"""The quadratic programme behind every support vector machine, in its signed form.

    minimise  f(b) = 1/2 b'Kb - p'b   subject to   lo <= b <= hi,  sum of b over each group = its total.

b = alpha z are the signed weights, h = Kb the scores without offset, g = h - p the gradient. A C-SVM has
p = z, one group, total 0, and b between 0 and zC; the nu-SVM has p = 0 and one group for each class.
Where a bound is met it is met exactly: `b == lo` and `b == hi` are meant literally everywhere.

Regression with a tube adds eps |b| to f, which is linear on either side of b = 0. Each weight is on one
branch, 0 <= b <= C with p = y - eps or -C <= b <= 0 with p = y + eps, and may change to the other one at 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, Indices, parts
from kernelviz.engine.solvers.qp.rows import GramRows

Mask: TypeAlias = NDArray[np.bool_]

# Of the tolerance: a change of h that cannot matter; and an error of h that does not show in any number.
SURE, FAINT = 0.02, 1e-6
# Of the largest weight, what may be dust; and of the sum of all, by how much a group's may be off.
DUST, EVEN = 1e-7, 1e-14
ROUNDING = 2e-16  # Of sum |b| times the largest |K_ij|: the error to expect in an entry of Kb.
LAST_DIGIT = 2.0**-52  # Of the sum of all weights: a group's sum that is off by less is met.
SAME = 1e-12  # Of the largest target: targets that differ by less are equal but for rounding.


@dataclass(frozen=True, eq=False)
class Dual:
    """The programme: minimise ½ b'Kb - p'b, lo ≤ b ≤ hi, with fixed sums.

    p, lo and hi: (n,). groups: None for one group of all points, else (m, n) rows of zeros and ones; totals:
    the sum of b over each group."""

    rows: GramRows
    p: Array
    lo: Array
    hi: Array
    totals: tuple[float, ...] = (0.0,)
    groups: Array | None = None
    # 2 eps: by how much the slope of f jumps where b crosses 0. Then p, lo and hi are those of the branch
    # that each weight is on, and y are the targets, from which p is eps away.
    fold: float = 0.0
    y: Array | None = None
    # Whether each point stands in it twice, in the same order, as α and α* of regression do.
    twice: bool = False
    # Whether p are the signs, +1 and -1, that the bounds leave to the weights.
    signed: bool = False

    @property
    def n(self) -> int:
        return len(self.p)

    @cached_property
    def largest(self) -> float:
        """The largest bound: the scale of b (C for a C-SVM), infinite without a box."""
        return float(max(self.hi[self.hi.argmax()], -self.lo[self.lo.argmin()]))

    @cached_property
    def spread(self) -> float:
        """The size of a score, of which a tolerance is a share: half the range of the targets, which is 1 for
        classes, or the largest K(x, x) where there are none."""
        lowest, highest = self.range
        spread = max(0.5 * (highest - lowest), SAME * max(highest, -lowest))
        return spread or self.rows.scale or 1.0

    @cached_property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest target."""
        targets = self.p if self.y is None else self.y
        return float(targets[targets.argmin()]), float(targets[targets.argmax()])

    @cached_property
    def members(self) -> tuple[Mask, ...]:
        """A mask for each group."""
        if self.groups is None:
            return (np.ones(self.n, dtype=bool),)
        return tuple(row > 0 for row in self.groups)

    @cached_property
    def width(self) -> Array:
        """hi - lo, read-only."""
        width: Array = self.hi - self.lo
        width.flags.writeable = False
        return width

    @cached_property
    def movable(self) -> Mask | None:
        """Which boxes have a width, or None if all have: those of points of weight 0 have none."""
        movable = self.width > 0.0
        return None if movable.all() else movable

    def at_zero(self, b: Array) -> Mask:
        """Return which weights are 0 and can move."""
        zero: Mask = b == 0.0
        return zero if self.movable is None else zero & self.movable

    def size(self, b: Array) -> float:
        """Return sum |b|, which is p·b if p are the signs of the weights."""
        return float(self.p.dot(b)) if self.signed else float(np.add.reduce(np.abs(b)))

    def align(self, b: Array) -> None:
        """Put each weight on the branch of its sign, and 0 on the positive branch."""
        if self.fold:
            astray = (b < 0.0) != (self.hi == 0.0)
            self.turn((astray if self.movable is None else astray & self.movable).nonzero()[0])

    def turn(self, places: Indices) -> None:
        """Change the weights at some places to their other branch."""
        C, below = self.width[places], self.hi[places] == 0.0
        self.p[places] += np.where(below, -self.fold, self.fold)
        self.lo[places], self.hi[places] = np.where(below, 0.0, -C), np.where(below, C, 0.0)

    def net(self, b: Array) -> Array:
        """Return weights with the same Kb in which the two weights of a doubled point, which may cancel,
        are added."""
        if not self.twice:
            return b
        n = self.n // 2
        return np.concatenate((b[:n] + b[n:], np.zeros(n)))

    def times(self, b: Array) -> Array:
        """Return Kb."""
        return self.rows.times(self.net(b))

    def linear_term(self, b: Array) -> float:
        """Return p'b with each weight on the branch of its sign, whichever the dual has it on."""
        if self.y is None:
            return float(self.p.dot(b))
        return float(self.y.dot(b)) - 0.5 * self.fold * self.size(b)

    def objective(self, b: Array, h: Array) -> float:
        """Return f(b), where h = Kb."""
        return 0.5 * float(b.dot(h)) - self.linear_term(b)

    def shortfalls(self, b: Array) -> tuple[float, ...]:
        """Return the difference between each group's total and its sum."""
        if self.groups is None:
            return (self.totals[0] - float(np.add.reduce(b)),)
        return tuple(total - float(part) for total, part in zip(self.totals, self.groups @ b, strict=True))


@dataclass(eq=False)
class Point:
    """The current point of a solver: b and h = Kb, written in place."""

    b: Array
    h: Array
    steps: int = 0
    # How far h may be from Kb: what large weights leave behind stays there when they have shrunk again.
    drift: float = 0.0

    @classmethod
    def at(cls, dual: Dual, b: Array) -> Self:
        """Return a starting point."""
        return cls(b, dual.times(b), drift=rounding(dual, dual.net(b)))

    def move_to(self, dual: Dual, b: Array, h: Array) -> None:
        """Move to other weights with their Kb, and put each of them on its own branch in the dual."""
        self.b[:], self.h[:] = b, h
        self.drift = rounding(dual, dual.net(b))
        dual.align(b)

    def reset(self) -> None:
        """Move to zero."""
        self.b[:] = self.h[:] = self.drift = 0.0

    def count_updates(self, dual: Dual, times: int = 1) -> None:
        """Add the rounding of `times` updates of h, at the present b, to the drift."""
        self.drift += times * rounding(dual, self.b)

    def refresh(self, dual: Dual) -> None:
        """Compute h from b."""
        self.move_to(dual, self.b, dual.times(self.b))

    def confirm(self, dual: Dual, optimality: Optimality, tol: float) -> Optimality:
        """Return the optimality conditions by an h that is Kb as far as tol, |w|² and the price of slack,
        which multiplies errors of h in the primal objective, can tell.

        h is computed from b unless its drift is known to be that small, and from exact rows of K unless
        the error of quick ones is."""
        if optimality.confirmed <= tol:
            return optimality
        rows, norm2 = dual.rows, float(self.b.dot(self.h))
        if rows.ridged:
            norm2 -= rows.energy_of_ridge(self.b)
        # Errors of K add up as random steps: to the root of the sum of b², which is at most this.
        blur = rows.error * (optimality.size * min(optimality.size, dual.largest)) ** 0.5
        charged = optimality.size + (dual.n**0.5 * dual.largest if dual.largest < inf else 0.0)
        shows = FAINT * min(tol, abs(norm2) / charged) if charged else 0.0
        if blur > 0.5 * shows:
            rows.refine()
        elif self.drift + blur <= shows or self.drift <= rounding(dual, dual.net(self.b)):
            optimality.confirmed = tol
            return optimality
        self.refresh(dual)
        optimality = Optimality(dual, self)
        optimality.confirmed = tol
        return optimality


def rounding(dual: Dual, b: Array) -> float:
    """Return the error to expect in an entry of Kb."""
    return ROUNDING * dual.size(b) * dual.rows.scale


def closer_rounding(dual: Dual, b: Array) -> float:
    """Return the error to expect in an entry of Kb by the terms of each sum, whose errors add up as random
    steps: a few points far away have large values of K, but maybe small weights.

    b: of doubled points the sums of their two weights will do."""
    net = dual.net(b) if len(b) == dual.n else b
    support = net.nonzero()[0]
    squares, term, at_once = np.zeros(dual.n), 1e-15, 500
    with np.errstate(over="ignore", invalid="ignore"):
        for some in parts(len(support), at_once):
            rows = support[some]
            squares += np.square(net[rows, None] * dual.rows.some(rows)).sum(axis=0)
    return min(rounding(dual, b), term * float(np.sqrt(squares.max())))


class Optimality:
    """The optimality conditions at a point.

    In a group, max of g over b > lo minus min of g over b < hi is the largest KKT violation, LIBSVM's
    stopping quantity `gap`. The offset rho of a group is the mean of -g over its free points; without any
    it may lie anywhere in an interval, and is the middle."""

    __slots__ = ("confirmed", "free", "g", "gap", "grow", "middles", "shortfalls", "shrink", "size")

    def __init__(self, dual: Dual, point: Point) -> None:
        self.confirmed = inf  # The smallest tolerance for which `Point.confirm` has found h accurate enough.
        b = point.b
        self.size = dual.size(b)  # The sum of all |b|.
        self.shortfalls = dual.shortfalls(b)
        self.g = g = point.h - dual.p
        self.grow = grow = b < dual.hi
        self.shrink = shrink = b > dual.lo
        self.free = grow & shrink
        if dual.groups is None and not dual.fold:
            self._set_gap(g[grow], g[shrink])
            return
        up, down = np.where(grow, g, inf), np.where(shrink, g, -inf)
        if dual.fold:  # at 0 a weight can go both ways, at different slopes
            zero = dual.at_zero(b)
            np.copyto(up, g + dual.fold, where=zero & ~grow)
            np.copyto(down, g - dual.fold, where=zero & ~shrink)
        if dual.groups is None:
            self._set_gap(up, down)
            return
        self.gap, self.middles = -inf, []
        for inside in dual.members:
            lowest, highest = float(up[inside].min()), float(down[inside].max())
            self.gap = max(self.gap, highest - lowest)
            self.middles.append(_middle(lowest, highest))

    def _set_gap(self, up: Array, down: Array) -> None:
        """Set the gap and the middle of one group, from the slopes g upwards and downwards."""
        lowest = float(up[up.argmin()]) if len(up) else inf
        highest = float(down[down.argmax()]) if len(down) else -inf
        self.gap = highest - lowest
        self.middles = [_middle(lowest, highest)]

    def face(self, dual: Dual, point: Point, rho: float) -> None:
        """Turn the weights at 0 that the offset rho pushes onto their other branch."""
        zero = dual.at_zero(point.b).nonzero()[0]
        slope, above = self.g[zero] + rho, self.grow[zero]
        wrong = zero[np.where(above, slope > dual.fold, slope < -dual.fold)]
        if len(wrong):
            dual.turn(wrong)
            above = self.grow[wrong]
            self.g[wrong] += np.where(above, -dual.fold, dual.fold)
            self.grow[wrong], self.shrink[wrong] = ~above, above

    def offsets(self, dual: Dual) -> list[float]:
        """Return rho of each group."""
        if dual.groups is None:
            return [_offset(self.g[self.free.nonzero()[0]], self.middles[0])]
        return [
            _offset(self.g[self.free & inside], middle)
            for inside, middle in zip(dual.members, self.middles, strict=True)
        ]


def _offset(slopes: Array, middle: float) -> float:
    return -float(np.add.reduce(slopes)) / len(slopes) if len(slopes) else middle


def settle(dual: Dual, point: Point, optimality: Optimality, tol: float) -> Optimality:
    """Put weights that are at a bound, or at 0, but for rounding or remains of earlier weights, exactly on
    it, in place; return the conditions there."""
    room = _room_to_bounds(dual, point, optimality.free.nonzero()[0])
    if len(room) == 0 or room[room.argmin()] > DUST * dual.largest:  # none is near, as usual
        return optimality
    return clear_dust(dual, point, snap_to_bounds(dual, point, optimality, tol))


def _room_to_bounds(dual: Dual, point: Point, places: Indices) -> Array:
    """Return how far weights are from the nearest bound, and from 0 where that is inside the box and means no
    support vector."""
    b = point.b[places]
    room: Array = np.minimum(b - dual.lo[places], dual.hi[places] - b)
    if dual.signed or dual.fold:  # then 0 is a bound
        return room
    return np.where(b == 0.0, room, np.minimum(room, np.abs(b)))


def snap_to_bounds(dual: Dual, point: Point, optimality: Optimality, tol: float) -> Optimality:
    """Put weights within rounding of a bound, or of 0, exactly on it, in place; return the conditions there.

    A weight on its bound but for the last digit would count as free and fix the offset at one end of the
    interval whose middle is meant. Nothing moves where h would change by more than a little of tol."""
    free = optimality.free.nonzero()[0]
    b, lo, hi, room = point.b[free], dual.lo[free], dual.hi[free], _room_to_bounds(dual, point, free)
    slack = 1e-13 * np.minimum(dual.width[free], float(np.abs(point.b).max()))
    near = room <= slack
    if not near.any() or float(room[near].sum()) * dual.rows.scale > SURE * tol:
        return optimality
    nearest = np.where(np.abs(b) == room, 0.0, np.where(b - lo <= hi - b, lo, hi))
    point.b[free] = np.where(near, nearest, b)
    point.refresh(dual)
    return Optimality(dual, point)


def balance_sums(dual: Dual, point: Point, optimality: Optimality) -> Optimality:
    """Add each group's shortfall to its free weight with the most room, in place; return the conditions
    there.

    Nothing changes where a sum is met to the last digit of its terms, or the conditions would hold worse
    by more than rounding. Weights of an earlier solution are scaled with the box, which leaves their sum
    off by its rounding."""
    if max(map(abs, optimality.shortfalls)) <= LAST_DIGIT * (
        dual.size(dual.net(point.b)) if dual.twice else optimality.size
    ):
        return optimality
    b, h = point.b.copy(), point.h.copy()
    room = np.where(optimality.free, np.minimum(b - dual.lo, dual.hi - b), 0.0)
    for group, inside in enumerate(dual.members):
        takes = int(np.where(inside, room, 0.0).argmax())
        while 0.0 < abs(lack := dual.shortfalls(b)[group]) < room[takes]:
            before = b[takes]
            b[takes] += lack
            if not abs(dual.shortfalls(b)[group]) < abs(lack):
                b[takes] = before
                break
    changed = (b != point.b).nonzero()[0]
    if not len(changed):
        return optimality
    h += (b - point.b)[changed] @ dual.rows.some(changed)
    moved = Optimality(dual, Point(b, h))
    if moved.gap > max(optimality.gap, rounding(dual, b)):
        return optimality
    point.b[:], point.h[:] = b, h
    point.count_updates(dual)
    return moved


def clear_dust(dual: Dual, point: Point, optimality: Optimality) -> Optimality:
    """Put weights that are nearly at a bound on it, in place, if the conditions then hold no worse.

    Where many weights are optimal, as where some K(x_i, x_i) = 0, a warm start leaves small remains of
    earlier weights, as large as the tolerance; they mean nothing, but would count as support vectors."""
    free = optimality.free.nonzero()[0]
    room = np.minimum(point.b[free] - dual.lo[free], dual.hi[free] - point.b[free])
    largest = np.minimum(dual.width[free], float(np.abs(point.b).max(initial=0.0)))
    near = free[room <= DUST * largest]
    if not len(near):
        return optimality
    b, lo, hi = point.b.copy(), dual.lo, dual.hi
    b[near] = np.where(b[near] - lo[near] <= hi[near] - b[near], lo[near], hi[near])
    inner = (b > lo) & (b < hi)
    for inside, lack in zip(dual.members, dual.shortfalls(b), strict=True):
        if len(able := (inner & inside).nonzero()[0]):
            takes = able[np.minimum(b - lo, hi - b)[able].argmax()]
            b[takes] = min(max(b[takes] + lack, lo[takes]), hi[takes])
    if max(map(abs, dual.shortfalls(b))) > EVEN * float(np.abs(b).sum()):
        return optimality
    clean = Point.at(dual, b)
    if Optimality(dual, clean).gap > max(optimality.gap, 0.0):
        return optimality
    point.move_to(dual, clean.b, clean.h)
    return Optimality(dual, point)


def _middle(lowest: float, highest: float) -> float:
    """Return -(lowest + highest)/2, or the finite one of them if a group is all at one bound."""
    if lowest == inf:
        return 0.0 if highest == -inf else -highest
    return -lowest if highest == -inf else -0.5 * (lowest + highest)


def feasible(dual: Dual, b: Array) -> Array:
    """Return the point of the box and the planes nearest to b: clip(b + t) with t found by bisection per
    group.

    The box is that of both branches; the dual itself stays as it is."""
    below, above = dual.lo, dual.hi
    if dual.fold:
        below, above = -dual.width, dual.width
    b = np.clip(b, below, above)
    for inside, total in zip(dual.members, dual.totals, strict=True):
        lo, hi, part = below[inside], above[inside], b[inside]
        off = float(part.sum()) - total
        if off == 0.0:
            continue
        left, right = (-abs(off), 0.0) if off > 0 else (0.0, abs(off))
        for _ in range(80):
            t = 0.5 * (left + right)
            if np.clip(part + t, lo, hi).sum() > total:
                right = t
            else:
                left = t
        b[inside] = _with_exact_sum(np.clip(part + 0.5 * (left + right), lo, hi), lo, hi, total)
    return b


def _with_exact_sum(part: Array, lo: Array, hi: Array, total: float) -> Array:
    """Put the rounding error of the sum, large where the shift has cancelled large weights, on the point
    with the most room."""
    off = total - float(part.sum())
    room = hi - part if off > 0 else part - lo
    k = int(np.argmax(room))
    part[k] = min(max(part[k] + off, lo[k]), hi[k])
    return part
