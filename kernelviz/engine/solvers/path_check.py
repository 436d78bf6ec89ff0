"""Check that the followed records form the regularisation path, and repair them where they do not.

On a piece of the path every weight stays on its side, 0, z_i C or between, and weights and scores are
linear in C. So a piece is right throughout if at both of its ends one offset rho puts the margins z_i
s(x_i) of weights at 0 at 1 or above, of those at C at 1 or below, and of all others at 1. Where rounding
errors, or events that cannot be distinguished, have led astray, the solver gives solutions at more and
more values of C until the pieces between them are right; if it has none the path ends."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from math import sqrt

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.solvers.path import AT_BOUND, FREE, NO_ORDER, OUT, PathEndsError, Record, Sides
from kernelviz.engine.solvers.qp.program import Mask

NO_DIGITS = 1e-3  # A violation by rounding beyond which there is no solution to speak of.


class Checked:
    """The records of a path, each a solution; `solved` returns the weights at some C."""

    def __init__(self, K: Array, z: Array, solved: Callable[[float], Array]) -> None:
        self.K, self.z, self._solved = K, z, solved
        self.scale = float(np.abs(K.diagonal()).max(initial=0.0))
        self.asked = 0

    def records(self, followed: list[Record]) -> Iterator[Record]:
        """Yield the followed records where they are right, and repaired ones elsewhere."""
        if not followed:
            return
        here = followed[0]
        together = 64  # Records checked together.
        for begin in range(0, len(followed) - 1, together):
            some = followed[begin : begin + together + 1]
            for right, left, after in zip(self._right(some), some, some[1:], strict=False):
                if right and here is left:
                    yield left
                    here = after
                else:
                    here = yield from self._mended(here, after)
        yield here

    def solution(self, C: float) -> Record:
        """Return the record of the solver at C, or raise PathEndsError if it is not a solution."""
        self.asked += 1
        solutions = 500  # Asked of the solver before the path is given up.
        if self.asked > solutions:
            raise PathEndsError(NO_ORDER)
        weights = self._solved(C)
        if self._rounding(weights) > NO_DIGITS:
            raise PathEndsError("numbers so large leave no more digits, so the data should be scaled")
        alpha, balanced = self.z * weights, weights.copy()
        most = int(np.minimum(alpha, C - alpha).argmax())
        if 0.0 < alpha[most] < C:  # the weight with the most room takes the rounding error of the sum
            balanced[most] -= weights.sum()
        for record in (self._alone(C, weights), self._alone(C, balanced)):
            if self._solves(record):
                return record
        raise PathEndsError("no step brings the solver any nearer to a solution")

    def _mended(self, left: Record, last: Record) -> Generator[Record, None, Record]:
        """Yield the records from the left to before the last, which is returned, or a better one in its
        place."""
        if not self._solves(self._alone(left.C, left.weights)):
            left = self.solution(left.C)
        ahead, better = [last], False
        narrowest = 1e-10  # Of C: a piece that is not divided.
        while ahead:
            joined = left._replace(sides=self._joined(left, ahead[-1]))
            if self._right([joined, ahead[-1]])[0]:
                yield joined
                left = ahead.pop()
                continue
            try:
                if not better:
                    ahead, better = [self.solution(last.C)], True
                elif left.C * (1.0 + narrowest) < ahead[-1].C:
                    ahead.append(self.solution(sqrt(left.C * ahead[-1].C)))
                elif len(ahead) == 1:  # so near that it adds nothing
                    break
                else:
                    raise PathEndsError(NO_ORDER)
            except PathEndsError:
                yield from self._as_far_as_it_goes(left, ahead[-1].C)
                raise
        return left

    def _as_far_as_it_goes(self, left: Record, beyond: float) -> Iterator[Record]:
        """Yield the records up to the last C that has a solution, below one that has none."""
        near = 1.1  # Values of C whose ratio is below this: close enough to where the path ends.
        while beyond > near * left.C:
            middle = sqrt(left.C * beyond)
            try:
                further = self.solution(middle)
            except PathEndsError:
                beyond = middle
            else:
                left = yield from self._mended(left, further)
        yield left

    # One record, and two -----------------------------------------------------------------------------------
    def _alone(self, C: float, weights: Array) -> Record:
        """Return a record with the sides that its weights are on, and its offset."""
        alpha = self.z * weights
        sides = np.full(len(alpha), FREE, dtype=np.int8)
        sides[alpha <= 0.0] = OUT
        sides[alpha >= C] = AT_BOUND
        r = self.z - weights @ self.K
        below, above = self._limits(r, sides)
        free = r[sides == FREE]
        ends = [end for end in (below.max(), above.min()) if np.isfinite(end)]
        return Record(C, weights, float(np.mean(free if len(free) else ends)), sides)

    def _joined(self, left: Record, right: Record) -> Sides:
        """Return the sides of the piece between two solutions: a bound where both are on it."""
        one, other = (self._alone(record.C, record.weights).sides for record in (left, right))
        return np.where(one == other, one, FREE).astype(np.int8)

    def _solves(self, record: Record) -> bool:
        """Return True if a single record is a solution."""
        return bool(self._holds(*_stacked([record]), record.sides[None])[0])

    def _right(self, records: list[Record]) -> list[bool]:
        """Return for each interval between two records whether it passes the KKT check."""
        C, weights, sides = *_stacked(records), np.stack([record.sides for record in records])
        r = self.z - weights @ self.K
        return [
            bool(right)
            for right in self._holds(C[:-1], weights[:-1], sides[:-1], r[:-1])
            & self._holds(C[1:], weights[1:], sides[:-1], r[1:])
        ]

    def _holds(self, C: Array, weights: Array, sides: Sides, r: Array | None = None) -> Mask:
        """Return whether weights, a row for each C, are solutions with every point on its side. r = z -
        Kb."""
        r = self.z - weights @ self.K if r is None else r
        below, above = self._limits(r, sides)
        violation = below.max(axis=1) - above.min(axis=1)
        alpha, bound = self.z * weights, C[:, None]
        beyond = np.maximum(-alpha, alpha - bound)
        off = np.where(
            sides == OUT, np.abs(alpha), np.where(sides == AT_BOUND, np.abs(alpha - bound), beyond)
        )
        rounding = self._rounding(weights)
        # The KKT violation that is allowed: no margin is off by more than twice this, then, whatever the
        # offset.
        exact = 5e-7
        # Of C: how far a weight may be from its bound, and the sum of all from 0.
        on_bound, balanced = 1e-12, 1e-10
        return np.asarray(
            (violation <= np.maximum(exact, rounding))
            & (rounding <= NO_DIGITS)
            & (off.max(axis=1) <= on_bound * C)
            & (np.abs(weights.sum(axis=1)) <= balanced * C)
        )

    def _rounding(self, weights: Array) -> Array:
        """Return the violation that rounding alone may cause."""
        rounding = 2e-15  # Of sum |b| times the largest K(x, x): what rounding may add to a violation.
        return np.asarray(rounding * self.scale * np.abs(weights).sum(axis=-1))

    def _limits(self, r: Array, sides: Sides) -> tuple[Array, Array]:
        """Return the lower and the upper limits of rho that each point imposes."""
        free, rising = sides == FREE, (sides == OUT) == (self.z > 0.0)
        return np.where(free | rising, r, -np.inf), np.where(free | ~rising, r, np.inf)


def _stacked(records: list[Record]) -> tuple[Array, Array]:
    return np.array([record.C for record in records]), np.stack([record.weights for record in records])
