"""The soft margin's weights for all C: between events they are linear in C, and every event is computed.

With the free points F fixed, K_FF b_F + C K_FI z_I + rho 1 = z_F and sum b = 0 make b_F and rho linear in
C, I being the points at the bound C. An event is a point that enters or leaves F: a weight meets a bound,
or a margin z_i s(x_i) becomes 1. After each one b_F and its slope are solved for again, so that errors do
not add up. A tiny ridge on K keeps the system regular where K_FF is singular, as with points that
coincide; there the weights may move fast while C hardly does. Several events at the same C are taken one
by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.cholesky import factorise, solve

OUT, AT_BOUND, FREE = 0, 1, 2  # Where a weight is: at 0, at C, or between.

Sides = NDArray[np.int8]
Lines = tuple[Array, Array]  # The values at one C and their slopes, for some points.

VIOLATION = 1e-7  # The KKT violation that the ridge may add at the largest C.
SMALLEST_RIDGE, LARGEST_RIDGE = 1e-13, 1e-10  # The smallest and the largest ridge, times the largest K(x, x).
SAME_POINT = 1e-12  # Relative difference below which two values of C are one.
# A residual of the linear system that is good enough, and how often it is improved on.
RESIDUAL, REFINEMENTS = 1e-9, 4
IDLE_STEPS = 3  # Events at one C, for every point, before it is called a circle.
NO_ORDER = "the order of the events there is within rounding error"


class PathEndsError(Exception):
    """The path cannot be followed any further; the message says why."""


class Record(NamedTuple):
    """A breakpoint: the solution there, and the sides of the points from there on."""

    C: float
    weights: Array
    offset: float
    sides: Sides


@dataclass(eq=False)
class _Piece:
    """A part of the path without events, from C on: the weights of F, the offset, and the margins z s - 1
    of all points."""

    C: float
    F: Indices
    weights: Lines
    offset: tuple[float, float]
    margins: Lines


class Follower:
    """Follows the path upwards from a solution.

    `solved` returns the weights at some C, to begin with and to continue where events repeat in a cycle."""

    def __init__(self, K: Array, z: Array, solved: Callable[[float], Array], low: float, high: float) -> None:
        self.K, self.z, self.solved, self.C, self.high = K, z, solved, low, high
        scale = float(np.abs(K.diagonal()).max(initial=0.0)) or 1.0
        self.ridge = scale * float(np.clip(VIOLATION / (scale * high), SMALLEST_RIDGE, LARGEST_RIDGE))
        self.jumps = 0
        self._begin()

    def records(self) -> Iterator[Record]:
        """Yield the breakpoints in ascending order, the first at the low end, the last at the high one."""
        waiting, changed, standing_still = self._record(), -1, 0
        # By which share of C a circle is stepped over: four times this for the first, and for each other four
        # times that of the last. `path_check` finds what lies between.
        jump = 1e-7
        jumps = 20  # Circles that are stepped over before the path is given up.
        while self.high > self.C and (found := self._next(changed if standing_still < IDLE_STEPS else -1)):
            C, points = found
            standing_still = 0 if C > self.C * (1.0 + SAME_POINT) else standing_still + 1
            self.C, changed = C, points[-1]
            weights, offset = self._solution()
            if standing_still == 0:
                yield waiting
            for i in points:
                self._change(i, weights)
            self._without_a_single_free_point(weights)
            waiting = Record(C, weights, offset, self.sides.copy())
            if standing_still > IDLE_STEPS * len(self.z):
                yield waiting
                # Continue a little further up the path, at a solution computed directly.
                self.jumps += 1
                if self.jumps > jumps:
                    raise PathEndsError(NO_ORDER)
                self.C = min(self.C * (1.0 + jump * 4.0**self.jumps), self.high)
                self._begin()
                waiting, changed = self._record(), -1
            else:
                self.piece = self._solve()
        if self.high > waiting.C:
            yield waiting
        self.C = self.high
        yield self._record()

    # Where it stands ------------------------------------------------------------------------------------
    def _begin(self) -> None:
        """Begin at the solution for the present C."""
        alpha = self.z * self.solved(self.C)
        self.sides = np.full(len(alpha), OUT, dtype=np.int8)
        self.sides[alpha >= self.C] = AT_BOUND
        self.sides[(alpha > 0.0) & (alpha < self.C)] = FREE
        self.free = np.flatnonzero(self.sides == FREE).tolist()
        self.total = float(self.z[self.sides == AT_BOUND].sum())
        # K_I z_I: the bounded points' share of every score, per unit of C.
        self.pull = self.K @ np.where(self.sides == AT_BOUND, self.z, 0.0)
        self._without_a_single_free_point(alpha)
        self.piece = self._solve()

    def _record(self) -> Record:
        return Record(self.C, *self._solution(), self.sides.copy())

    def _solution(self) -> tuple[Array, float]:
        """Return weights and offset at the present C."""
        weights = np.where(self.sides == AT_BOUND, self.C * self.z, 0.0)
        if self.piece is None:
            return weights, self._middle(self.C)
        (values, slopes), (rho, slope) = self.piece.weights, self.piece.offset
        on = self.C - self.piece.C
        weights[self.piece.F] = values + on * slopes
        return weights, rho + on * slope

    def _change(self, i: int, weights: Array) -> None:
        """Let point i enter F, or leave it for the bound that it has reached."""
        if self.sides[i] == FREE:
            self.free.remove(i)
            bounded = 2.0 * abs(weights[i]) > self.C
            self.sides[i] = AT_BOUND if bounded else OUT
            weights[i] = self.C * self.z[i] if bounded else 0.0
            if bounded:
                self._bind(i, 1.0)
        else:
            if self.sides[i] == AT_BOUND:
                self._bind(i, -1.0)
            self.sides[i] = FREE
            self.free.append(i)

    def _bind(self, i: int, sign: float) -> None:
        """Add a point to those at the bound (sign 1) or remove it from them (sign -1)."""
        self.pull = self.pull + sign * self.z[i] * self.K[i]
        self.total += sign * self.z[i]

    def _without_a_single_free_point(self, weights: Array) -> None:
        """Put the weight of a single free point on a bound, as sum b = 0 requires."""
        if len(self.free) == 1:
            i = self.free.pop()
            weights[i] = -self.C * self.total
            self.sides[i] = AT_BOUND if self.total else OUT
            if self.total:
                self._bind(i, 1.0)

    # The way to the next event --------------------------------------------------------------------------
    def _solve(self) -> _Piece | None:
        """Return the weights of the present F with their slopes; nothing if F is empty."""
        if not self.free:
            return None
        F, z = np.array(self.free, dtype=np.intp), self.z
        rows = self.K.take(F, axis=0)
        A = rows.take(F, axis=1)
        A.flat[:: len(F) + 1] += self.ridge
        L = factorise(A)
        if L is None:
            raise PathEndsError("the kernel is not positive semi-definite on these points")
        right = np.empty((len(F), 3), order="F")
        right[:, 0], right[:, 1], right[:, 2] = z[F] - self.C * self.pull[F], -self.pull[F], 1.0
        X = solve(L, right)
        here, per_unit, ones = X.sum(axis=0).tolist()
        rho, slope = (here + self.C * self.total) / ones, (per_unit + self.total) / ones
        b, q = X[:, 0] - rho * X[:, 2], X[:, 1] - slope * X[:, 2]
        b -= (float(b.sum()) + self.C * self.total) / ones * X[:, 2]  # 1/ridge is in X: digits were lost
        q -= (float(q.sum()) + self.total) / ones * X[:, 2]
        u, v = np.stack((b, q)) @ rows
        for _ in range(REFINEMENTS):
            rest = z[F] - self.C * self.pull[F] - rho - u[F] - self.ridge * b
            if np.abs(rest).max() <= RESIDUAL:
                break
            more = solve(L, rest)
            step = (float(more.sum()) + float(b.sum()) + self.C * self.total) / ones
            b, rho = b + more - step * X[:, 2], rho + step
            u = b @ rows
        if self.ridge * float(np.abs(b).max()) > VIOLATION:
            b, q, rho, slope = self._without_the_ridge(rows, L, X[:, 2], (b, q), (rho, slope))
            u, v = np.stack((b, q)) @ rows
        margins = z * (u + self.C * self.pull + rho) - 1.0, z * (v + self.pull + slope)
        return _Piece(self.C, F, (b, q), (rho, slope), margins)

    def _without_the_ridge(
        self, rows: Array, L: Array, ones: Array, weights: Lines, offset: tuple[float, float]
    ) -> tuple[Array, Array, float, float]:
        """Return the weights with their slopes as near to those of K itself as the factor of K + ridge
        brings them: a residual is solved for as long as that halves it. `ones` is the solution for 1."""
        F, both, rho = self.free, np.stack(weights, axis=1), np.array(offset)
        right = np.stack((self.z[F] - self.C * self.pull[F], -self.pull[F]), axis=1)
        totals, last = np.array((self.C * self.total, self.total)), np.inf
        for _ in range(REFINEMENTS):
            rest = right - rho - rows[:, F] @ both
            size = float(np.abs(rest[:, 0]).max())
            if size > 0.5 * last:
                break
            last, best = size, (both, rho)
            more = solve(L, rest)
            step = (more.sum(axis=0) + both.sum(axis=0) + totals) / ones.sum()
            both, rho = both + more - np.outer(ones, step), rho + step
        both, rho = best
        return both[:, 0], both[:, 1], *rho.tolist()

    def _next(self, changed: int) -> tuple[float, tuple[int, ...]] | None:
        """Return the next event, its C and its points, or None if there is none below the high end.

        A point that has just changed does not change back at the same C. (That only saves steps: without
        it a cycle ends as others do, and of 400 random paths none was different.)"""
        if self.piece is None:
            return self._closing()
        when = self.C + np.maximum(self._ways(self.piece), 0.0)
        if changed >= 0 and when[changed] <= self.C * (1.0 + SAME_POINT):
            when[changed] = np.inf
        i = int(when.argmin())
        return (float(when[i]), (i,)) if when[i] < self.high else None

    def _ways(self, piece: _Piece) -> Array:
        """Return by how much C grows until each point meets its margin, or its weight a bound; infinite
        for those moving away from it."""
        u, v = piece.margins
        meets = np.where(self.sides == AT_BOUND, v > 0.0, v < 0.0)
        alpha, slope = (self.z[piece.F] * line for line in piece.weights)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ways = np.where(meets, -u / v, np.inf)
            up, down = (piece.C - alpha) / (slope - 1.0), -alpha / slope
            ways[piece.F] = np.where(slope > 1.0, up, np.where(slope < 0.0, down, np.inf))
        ways[np.isnan(ways)] = np.inf
        return ways

    # Without a free point -------------------------------------------------------------------------------
    def _slopes(self, C: float) -> tuple[Array, Array, Array]:
        """Return -g of all points, where the weight could grow and where it could not: rho lies above the
        largest of the former and below the smallest of the latter."""
        r = self.z - C * self.pull
        grow = (self.sides == OUT) == (self.z > 0.0)
        return r, np.where(grow, r, -np.inf), np.where(grow, np.inf, r)

    def _middle(self, C: float) -> float:
        """Return the middle of the interval in which the offset may lie."""
        _, below, above = self._slopes(C)
        ends = [end for end in (float(below.max()), float(above.min())) if np.isfinite(end)]
        return sum(ends) / len(ends) if ends else 0.0

    def _closing(self) -> tuple[float, tuple[int, ...]] | None:
        """Return the C at which the interval of the offset closes: its width is concave in C, and Newton's
        method from above finds the last zero. The two points that close it become free."""
        C = self.high
        while True:
            r, below, above = self._slopes(C)
            i, j = int(below.argmax()), int(above.argmin())
            if self.high == C and r[i] <= r[j]:
                return None
            steeper = self.pull[j] - self.pull[i]
            crossing = (self.z[j] - self.z[i]) / steeper if steeper > 0.0 else self.C
            if not self.C < crossing < C * (1.0 - SAME_POINT):
                return (C if crossing > self.C else self.C), (i, j)
            C = float(crossing)
