"""Sequential minimal optimisation: two weights at a time, chosen by second-order information."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.solvers.qp.program import Dual, Point

TINY = 1e-12
# Points up to which the distances of a point from all others are kept for the next time it is chosen.
KEPT = 512


@dataclass(frozen=True)
class PairStep:
    """One step: b_i grew and b_j shrank by `step`, which improved the dual objective by `gain`."""

    i: int
    j: int
    step: float
    gain: float


class Smo:
    """SMO from a point, whose b it changes in place; `write_scores` brings h up to date.

    A pair is chosen from two rows for each group: g where b may grow (infinite elsewhere), and g where it
    may shrink (minus infinity elsewhere). Both follow every step, so g itself is not needed on the way."""

    def __init__(self, dual: Dual, point: Point) -> None:
        self.dual, self.point = dual, point
        self.gap = inf
        dual.align(point.b)
        g = point.h - dual.p
        grow, shrink = point.b < dual.hi, point.b > dual.lo
        single = dual.groups is None
        self.groups = [
            (
                np.where(grow if single else grow & inside, g, inf),
                np.where(shrink if single else shrink & inside, g, -inf),
            )
            for inside in dual.members
        ]
        if dual.fold:  # at 0 a weight can shrink too, onto its other branch
            np.copyto(self.groups[0][1], g - dual.fold, where=dual.at_zero(point.b))
        self.floor = TINY * max(dual.rows.scale, 1e-200)
        self.work = np.empty((2, dual.n))

    def choose(self, up: Array, down: Array) -> tuple[float, float, int, int]:
        """Return (violation, promise, i, j): i is the steepest to grow, j its best partner to second
        order."""
        rows = self.dual.rows
        i = int(up.argmin())
        lowest = up[i]
        violation = float(down[down.argmax()] - lowest)
        if not 0.0 < violation < inf:
            return 0.0, 0.0, i, i
        curvature, promise = self.work
        np.multiply(rows.row(i), -2.0, out=curvature)
        curvature += rows.diagonal
        curvature += rows.diagonal[i]
        np.maximum(curvature, self.floor, out=curvature)
        np.sqrt(curvature, out=curvature)
        np.subtract(down, lowest, out=promise)
        promise /= curvature
        j = int(promise.argmax())
        return violation, float(promise[j]), i, j

    def step(self, tol: float) -> PairStep | None:
        """Take the next pair and return it, or None if no violation exceeds tol."""
        if len(self.groups) == 1:
            k = 0
            self.gap, _, i, j = self.choose(*self.groups[0])
        else:
            choices = [self.choose(*group) for group in self.groups]
            self.gap = max(choice[0] for choice in choices)
            k = max(range(len(choices)), key=lambda k: choices[k][1])
            _, _, i, j = choices[k]
        if self.gap <= tol:
            return None
        return self._move(k, i, j)

    def _move(self, k: int, i: int, j: int) -> PairStep:
        """Move weight from j to i within group k, as far as the objective falls or a bound allows."""
        dual, b = self.dual, self.point.b
        up, down = self.groups[k]
        row_i, row_j = dual.rows.row(i), dual.rows.row(j)
        slope = float(down[j] - up[i])
        eta = max(float(row_i[i] + row_j[j] - 2.0 * row_i[j]), self.floor)
        old_i, old_j = float(b[i]), float(b[j])
        if dual.fold:  # at 0 a weight may have to change to its other branch first
            turning = [k for k, bound in ((i, dual.hi), (j, dual.lo)) if b[k] == bound[k]]
            dual.turn(np.array(turning, dtype=np.intp))
        top, bottom = float(dual.hi[i]), float(dual.lo[j])
        step = min(slope / eta, top - old_i, old_j - bottom)
        b[i] = new_i = top if step == top - old_i else old_i + step
        b[j] = new_j = bottom if step == old_j - bottom else old_j - step
        change = self.work[0]
        np.subtract(row_i, row_j, out=change)
        change *= step
        for rows in self.groups:
            rows[0].__iadd__(change)
            rows[1].__iadd__(change)
        if new_i != old_i and old_i == dual.lo[i]:
            down[i] = up[i]
        if new_j != old_j and old_j == dual.hi[j]:
            up[j] = down[j]
        if new_i == top:
            up[i] = self._at(top, up[i])
        if new_j == bottom:
            down[j] = -self._at(bottom, -down[j])
        self.point.steps += 1
        self.point.count_updates(dual)
        return PairStep(i, j, step, step * slope - 0.5 * eta * step * step)

    def _at(self, bound: float, slope: float) -> float:
        """Return the slope beyond a bound: at 0 there may be another branch."""
        return slope + self.dual.fold if self.dual.fold and bound == 0.0 else inf

    def write_scores(self) -> None:
        """Write h = g + p; a point at a bound has its g in one of the two rows, a free one in both."""
        up, down = self.groups[0]
        for more_up, more_down in self.groups[1:]:
            up, down = np.minimum(up, more_up), np.maximum(down, more_down)
        g = np.where(up < inf, up, down)
        self.dual.align(self.point.b)
        stuck = ~np.isfinite(g)
        np.add(g, self.dual.p, out=self.point.h, where=~stuck)
        self.point.drift += 2e-16 * float(np.abs(self.dual.p).max())
        if stuck.any():  # a box of no width: neither row holds g
            self.point.refresh(self.dual)

    def run(self, tol: float, limit: int) -> None:
        """Take at most `limit` steps, then write the scores."""
        if len(self.groups) == 1:
            self._run_one_group(tol, limit)
        else:
            for _ in range(limit):
                if self.step(tol) is None:
                    break
        self.write_scores()

    def _run_one_group(self, tol: float, limit: int) -> None:
        """Take the same steps for one group with local variables: a step is a dozen array calls."""
        dual, rows = self.dual, self.dual.rows
        (up, down), (curvature, promise) = self.groups[0], self.work
        diagonal = 0.5 * (rows.diagonal + self.floor)
        level = bool((diagonal == diagonal[0]).all())
        definite, floor = rows.kernel.positive_definite, 0.5 * self.floor
        fold, C = dual.fold, dual.width.tolist() if dual.fold else []
        # Lists, as Python handles its own numbers faster than numpy's.
        b, lo, hi = self.point.b.tolist(), dual.lo.tolist(), dual.hi.tolist()
        sizes = (0.5 * rows.diagonal).tolist()
        seen: list[Array | None] = [None] * dual.n
        known, room = seen.copy(), None if dual.n <= KEPT else promise
        same = sizes[0] + float(diagonal[0])
        count = 0
        while count < limit:
            i = int(up.argmin())
            lowest = up.item(i)
            if not tol < down.item(down.argmax()) - lowest < inf:
                break
            row = seen[i]
            if row is None:
                row = seen[i] = rows.row(i)
            lengths = known[i]
            if lengths is None:
                # Half of K_ii + K_jj - 2 K_ij.
                if level:
                    lengths = np.subtract(same, row, room)
                else:
                    lengths = np.subtract(diagonal, row, room)
                    lengths += sizes[i]
                if not definite:
                    np.maximum(lengths, floor, out=lengths)
                np.sqrt(lengths, lengths)
                if room is None:
                    known[i] = lengths
            np.subtract(down, lowest, curvature)
            np.divide(curvature, lengths, curvature)
            j = int(curvature.argmax())
            other = seen[j]
            if other is None:
                other = seen[j] = rows.row(j)
            root = lengths.item(j)
            old_i, old_j, top, bottom = b[i], b[j], hi[i], lo[j]
            if old_i == top:  # at 0, onto the other branch
                lo[i], hi[i], top = 0.0, C[i], C[i]
            if old_j == bottom:
                lo[j], hi[j], bottom = -C[j], 0.0, -C[j]
            room_i, room_j = top - old_i, old_j - bottom
            step = min((down.item(j) - lowest) / (2.0 * root * root), room_i, room_j)
            np.subtract(row, other, promise)
            np.multiply(promise, step, promise)
            np.add(up, promise, up)
            np.add(down, promise, down)
            # A sum may round to the bound, or to the old weight: what counts is where the weight is now.
            b[i] = new_i = top if step == room_i else old_i + step
            b[j] = new_j = bottom if step == room_j else old_j - step
            if new_i != old_i == lo[i]:
                down[i] = up[i]
            if new_j != old_j == hi[j]:
                up[j] = down[j]
            if new_i == top:
                up[i] = up[i] + fold if fold and top == 0.0 else inf
            if new_j == bottom:
                down[j] = down[j] - fold if fold and bottom == 0.0 else -inf
            count += 1
        self.point.count_updates(dual, count)
        self.point.b[:] = b
        self.point.count_updates(dual, count)
        self.point.steps += count
