"""A proximal active-set Newton method for the signed dual, used warm or after a little SMO.

Each round solves the programme on a working set W (the free points and those pushed off their bound) with
a small ridge delta, clips to the box, and keeps the step only if the dual objective improves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.solvers.qp.program import ROUNDING, Dual, Optimality, Point, feasible, rounding
from kernelviz.engine.solvers.qp.smo import Smo
from kernelviz.engine.solvers.qp.working_set import Subproblem

# The ridge a cold start begins with, times the size of a score over the largest weight; and, as part of the
# tolerance, the smallest. A step d leaves a slope of delta d. With less ridge than tol over the largest
# weight that is nothing, but points close together get large weights of opposite sign, which the box cuts off
# again.
RIDGE, FINEST = 0.03, 2.0

LOWER, RAISE = 0.1, 5.0  # Times the ridge, after a first candidate accepted and after a candidate refused.

TRIES = 9  # Times the ridge may grow within one round.

PAIRS = 20  # SMO steps where Newton fails.

MOST_FACTORISATIONS = 40  # Times the work of factorising the whole matrix: then something else is tried.

SLACK = 0.25  # Of the tolerance: slopes smaller than that bring no new point into the working set.

# Gram rows that a round may ask for: at least the first number, and this part of those it has already.
FEWEST_ROWS, MORE_ROWS = 8, 0.125


class Newton:
    """The method, with the ridge, the last offsets and the budget, which it keeps between rounds."""

    def __init__(self, dual: Dual, point: Point, tol: float, warm: bool, budget: int) -> None:
        self.dual, self.point, self.tol, self.budget = dual, point, tol, budget
        self.free_only = warm
        self.rho: list[float] | None = None
        self.work = 0.0
        self.optimality = Optimality(dual, point)  # Always that of the point.
        self.balanced = self._is_balanced()
        self.rebalanced = False
        self.done = self.solved()
        if not self.done:
            self._set_ridge(warm)

    def _set_ridge(self, warm: bool) -> None:
        """Set the first ridge and the smallest one, by the size of the weights."""
        dual, b = self.dual, self.point.b
        scale = max(dual.rows.scale, 1e-200)
        largest = float(max(b[b.argmax()], -b[b.argmin()]))
        if largest == 0.0:
            largest = min(dual.largest, dual.spread / scale)
        self.least = max(1e-10 * scale, FINEST * self.tol / largest)
        self.first = max(self.least, RIDGE * dual.spread / largest)
        self.delta = self.least if warm else self.first

    def rounds(self) -> Iterator[float]:
        """Improve the point until its gap is at most tol or the budget of factorisations is used.

        Yields the work of each round in floating point operations; b and h are consistent then."""
        most = MOST_FACTORISATIONS * (1e6 + self.dual.n**3 / 3)
        while not self.done and self.budget > 0 and self.work < most:
            step = self.round()
            self.work += step
            yield step
            self.done = self.solved()
            digits_are_left = self.done or self.optimality.gap > rounding(self.dual, self.point.b)
            if self.balanced and not digits_are_left:
                return

    def solved(self) -> bool:
        """Return True if the true gap is small enough and the sums are met.

        A step meets the sums only up to the rounding of a system that may be nearly singular, so that one
        more may be needed for them alone."""
        if self.optimality.gap > self.tol or not self.balanced:
            return False
        self.optimality = self.point.confirm(self.dual, self.optimality, self.tol)
        if self.optimality.gap > self.tol:
            return False
        if self.rebalanced or self._is_balanced():
            return True
        self.rebalanced, self.balanced, self.free_only = True, False, True
        return False

    def round(self) -> float:
        """Take one Newton step, or some SMO steps if that fails."""
        W = self._working_set()
        work = 0.0
        if len(W) > 0:
            work, taken = self._search(W)
            if taken:
                return work
        self.budget -= 1
        if self.balanced:
            Smo(self.dual, self.point).run(self.tol, PAIRS)
            self.optimality = Optimality(self.dual, self.point)
        else:
            b = feasible(self.dual, self.point.b)
            self.point.move_to(self.dual, b, self.dual.times(b))
            self.optimality = Optimality(self.dual, self.point)
            self.balanced = self._is_balanced()
        return work + 10.0 * PAIRS * self.dual.n

    def _is_balanced(self) -> bool:
        return max(map(abs, self.optimality.shortfalls)) <= 1e-11 * self.optimality.size

    def _working_set(self) -> Indices:
        """Return the free points, and those at a bound whose slope g + rho pushes them inwards."""
        s = self.optimality
        if self.free_only:
            self.free_only = False
            W = s.free.nonzero()[0]
            if len(W):
                slopes = s.g[W]
                spread = float(slopes[slopes.argmax()] - slopes[slopes.argmin()])
                if not (self.balanced and self.dual.groups is None and spread <= self.tol):
                    return W
                self.rho = s.offsets(self.dual)  # these have nothing to gain, as when a point was added
        W = self._pushed(s, s.middles if self.rho is None else self.rho)
        if self.rho is not None and len(W) == np.count_nonzero(s.free):
            return self._pushed(s, s.middles)
        return W

    def _pushed(self, s: Optimality, rho: list[float]) -> Indices:
        groups, slack = self.dual.groups, SLACK * self.tol
        if self.dual.fold:
            s.face(self.dual, self.point, rho[0])
        slope = s.g + (rho[0] if groups is None else rho @ groups)
        inwards = s.grow & (slope < -slack)
        inwards |= s.shrink & (slope > slack)
        inwards |= s.free
        return self._affordable(inwards.nonzero()[0], slope)

    def _affordable(self, W: Indices, slope: Array) -> Indices:
        """Return W; of the points whose rows would have to be computed only those that are pushed most."""
        if self.dual.rows.complete:
            return W
        new = (self.dual.rows.at[W] < 0).nonzero()[0]
        most = max(FEWEST_ROWS, int(MORE_ROWS * (len(W) - len(new))))
        if len(new) <= most:
            return W
        return np.delete(W, new[np.abs(slope[W[new]]).argpartition(-most)[:-most]])

    def _search(self, W: Indices) -> tuple[float, bool]:
        """Try candidates with a growing ridge until one improves the objective; return the work and
        whether one did."""
        point, dual, rho = self.point, self.dual, self.optimality.middles
        shortfalls = self.optimality.shortfalls
        groups = None if dual.groups is None else dual.groups[:, W]
        # The system would have to cancel the offset, and where it is nearly singular lose digits to it.
        g = self.optimality.g[W] + (rho[0] if groups is None else rho @ groups)
        part = Subproblem(dual.rows, W, g, point.b[W], dual.lo[W], dual.hi[W], shortfalls, groups)
        taken = False
        for attempt in range(TRIES):
            taken = self._takes(part, part.candidate(self.delta), attempt)
            if taken:
                break
            self.delta = max(self.first, RAISE * self.delta)
        self.budget -= part.factorisations
        return part.work + 2.0 * len(W) * dual.n, taken

    def _takes(self, part: Subproblem, new: Array | None, attempt: int) -> bool:
        """Move to a candidate and return True if the objective improves there."""
        if new is None:
            return False
        d: Array = new - part.b
        change = part.times(d)
        if self.balanced and not d.dot(part.g) + 0.5 * d.dot(change[part.W]) < 0.0:
            return False
        self.point.b[part.W] = new
        self.point.h += change
        self.rho = [a + b for a, b in zip(self.optimality.middles, part.rho, strict=True)]
        self.point.steps += 1
        self.optimality = Optimality(self.dual, self.point)
        self.point.drift += ROUNDING * self.optimality.size * self.dual.rows.scale
        if not self.balanced:
            self.balanced = self.rebalanced or self._is_balanced()
        if attempt == 0:
            self.delta = max(self.least, LOWER * self.delta)
        return True
