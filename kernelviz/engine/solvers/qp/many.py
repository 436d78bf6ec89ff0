"""Many dual programmes of one kernel matrix solved together, for model selection."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.solvers.qp.newton import FINEST, LOWER, RAISE, RIDGE, SLACK, TRIES
from kernelviz.engine.solvers.qp.program import Mask
from kernelviz.engine.solvers.qp.working_set import CLIPS

# SMO pairs between two looks at a chain, and at most for one C, until the gap is rough. Side by side pairs
# are cheaper than for a single fit, and Newton steps are not.
PAIRS, MOST_PAIRS, ROUGH = 40, 160, 0.02
FEW = 6  # Points of a working set for which a failed Newton step is followed by pairs.
ROUNDS = 60  # Newton steps for one C before a chain is given up.
# Chains begin at a C of at most this over the largest K(x, x), and rise by this factor at most on the way to
# the first C that is asked.
FIRST, RUNG = 1.0, 10.0


def closeness(K: Array) -> Array:
    """Return 1/|phi(x_i) - phi(x_j)| for matrices K, (…, n, n).

    Times the violation of a pair it is the root of twice the gain that a step promises to second order."""
    diagonal = np.diagonal(K, axis1=-2, axis2=-1)
    squares = diagonal[..., :, None] + diagonal[..., None, :]
    squares -= 2.0 * K
    tiny = 1e-12
    np.maximum(squares, tiny * max(float(np.abs(diagonal).max()), 1e-200), out=squares)
    return np.asarray(1.0 / np.sqrt(squares))


def pairs(
    rows: tuple[Array, Array], begin: Indices, b: Array, lo: Array, hi: Array, g: Array, steps: int
) -> None:
    """Take `steps` SMO steps for every row of b, with its gradient g = Kb - p, both in place.

    rows: those of all K and of their closeness; the row of point i for row q of b is begin[q] + i. Where lo =
    hi the point takes no part, and its g is lost."""
    K, close = rows
    count, n = b.shape
    first = n * np.arange(count)
    up, down = np.where(b < hi, g, inf), np.where(b > lo, g, -inf)
    mine, other, promise = np.empty((3, count, n))
    weights, low, high, ups, downs = (x.reshape(-1) for x in (b, lo, hi, up, down))
    for _ in range(steps):
        i = up.argmin(axis=1)
        at_i, row_i = first + i, begin + i
        lowest = ups.take(at_i)
        np.subtract(down, lowest[:, None], out=promise)
        close.take(row_i, axis=0, out=mine, mode="clip")
        np.multiply(promise, mine, out=promise)
        j = promise.argmax(axis=1)
        at_j = first + j
        old_i, old_j, top, bottom = weights.take(at_i), weights.take(at_j), high.take(at_i), low.take(at_j)
        step = (downs.take(at_j) - lowest) * mine.reshape(-1).take(at_j) ** 2
        np.maximum(step, 0.0, out=step)  # solved already
        room_i, room_j = top - old_i, old_j - bottom
        np.minimum(step, room_i, out=step)
        np.minimum(step, room_j, out=step)
        K.take(row_i, axis=0, out=mine, mode="clip")
        K.take(begin + j, axis=0, out=other, mode="clip")
        np.subtract(mine, other, out=mine)
        np.multiply(mine, step[:, None], out=mine)
        np.add(up, mine, out=up)
        np.add(down, mine, out=down)
        # A weight that has moved can go back; where it has met its bound, exactly, it cannot go on.
        slope_i, slope_j, full_i, full_j = ups.take(at_i), downs.take(at_j), step == room_i, step == room_j
        weights[at_i], weights[at_j] = (
            np.where(full_i, top, old_i + step),
            np.where(full_j, bottom, old_j - step),
        )
        downs[at_i], ups[at_j] = slope_i, slope_j
        ups[at_i], downs[at_j] = np.where(full_i, inf, slope_i), np.where(full_j, -inf, slope_j)
    np.copyto(g, np.where(up < inf, up, down), where=lo < hi)


total = np.add.reduce


class Climbed(NamedTuple):
    """The solutions of (chains, values of C); NaN where a chain was given up."""

    weights: Array  # The signed b of all points: 0 for those left out.
    offsets: Array
    scores: Array  # Of all points, also of those left out.
    gaps: Array  # The largest KKT violations.


def climb(K: Array, z: Array, which: Indices, inside: Mask, prices: Sequence[float], tol: float) -> Climbed:
    """Return the solutions of many soft margins, each a chain over the prices C, which ascend.

    K: (kernels, n, n). Chain q has the kernel which[q] and the points inside[q], of both classes."""
    chains = _Chains(K, z, which, inside, np.asarray(prices, dtype=np.float64), tol)
    active = np.arange(len(which))
    while len(active):
        active = chains.round(active)
    return chains.found


class _Optimality(NamedTuple):
    """The optimality conditions of some chains, as `program.Optimality` has them for one."""

    g: Array
    grow: Mask
    shrink: Mask
    free: Mask
    gap: Array
    middle: Array

    def select(self, some: Mask) -> _Optimality:
        """Return the conditions of fewer chains."""
        bounds = self.grow[some], self.shrink[some], self.free[some]
        return _Optimality(self.g[some], *bounds, self.gap[some], self.middle[some])

    def pushed(self, rho: Array, slack: float) -> Mask:
        """Return which points are free, or at a bound with a slope that pushes them inwards."""
        slope = self.g + rho[:, None]
        return self.free | (self.grow & (slope < -slack)) | (self.shrink & (slope > slack))


class _Chains:
    """b and g = Kb - z of every chain, and how far each has come. Of a point left out g may be anything."""

    def __init__(self, K: Array, z: Array, which: Indices, inside: Mask, prices: Array, tol: float) -> None:
        self.K, self.z, self.which, self.inside, self.tol = K, z, which, inside, tol
        chains, n = inside.shape
        self.rows = K.reshape(-1, n), closeness(K).reshape(-1, n)
        self.scale = np.abs(np.diagonal(K, axis1=1, axis2=2)).max(axis=1)[which]
        self.rungs = _rungs(prices, FIRST / max(float(self.scale.max()), 1e-200))
        self.extra = len(self.rungs) - len(prices)
        shape = chains, len(prices)
        whole, alone = np.full((2, *shape, n), np.nan), np.full((2, *shape), np.nan)
        self.found = Climbed(whole[0], alone[0], whole[1], alone[1])
        self.level, self.C = np.zeros(chains, dtype=np.intp), np.full(chains, self.rungs[0])
        self.delta, self.least, self.first = np.zeros((3, chains))
        self.rho = np.full(chains, np.nan)
        self.tries, self.rounds, self.paired = np.zeros((3, chains), dtype=np.intp)
        self.weak = np.zeros(chains, dtype=bool)
        self.lo, self.hi = np.empty((2, chains, n))
        everyone = np.arange(chains)
        self._set_bounds(everyone)
        self.b = self._first()
        self.g = self._times(everyone) - z
        self._set_ridge(everyone)

    def _first(self) -> Array:
        """Return all weights at their bound, but for as many of the larger class as it has too many: those
        whose margins would be largest are 0."""
        b = np.where(self.inside, self.C[:, None] * self.z, 0.0)
        for own, inside, kernel in zip(b, self.inside, self.which, strict=True):
            excess = int((self.z * inside).sum())
            if excess:
                larger = np.flatnonzero(inside & (self.z * excess > 0.0))
                margins = self.K[kernel].take(larger, axis=0) @ own * np.sign(excess)
                own[larger[np.argsort(-margins, kind="stable")[: abs(excess)]]] = 0.0
        return b

    def _set_bounds(self, some: Indices) -> None:
        bound = self.C[some, None] * np.where(self.inside[some], self.z, 0.0)
        self.lo[some], self.hi[some] = np.minimum(0.0, bound), np.maximum(0.0, bound)

    def _set_ridge(self, some: Indices) -> None:
        """Set Newton's first ridge, and the least it may become, by the size of the weights."""
        largest = np.abs(self.b[some]).max(axis=1)
        self.least[some] = np.maximum(1e-10 * self.scale[some], FINEST * self.tol / largest)
        self.delta[some] = self.first[some] = np.maximum(self.least[some], RIDGE / largest)

    def _times(self, some: Indices) -> Array:
        """Return Kb of some chains."""
        h, which = np.empty((len(some), len(self.z))), self.which[some]
        for kernel in set(which.tolist()):
            own = (which == kernel).nonzero()[0]
            h[own] = self.b[some[own]] @ self.K[kernel]
        return h

    # A round --------------------------------------------------------------------------------------------
    def round(self, active: Indices) -> Indices:
        """Take some pairs or a Newton step for each chain; return the chains that are still on their way."""
        active, optimality = self._looked_at(active)
        far = self.weak[active] | ((optimality.gap > ROUGH) & (self.paired[active] < MOST_PAIRS))
        if far.any():
            self._pairs(active[far])
        if not far.all():
            self._newton(active[~far], optimality.select(~far))
        return active

    def _looked_at(self, active: Indices) -> tuple[Indices, _Optimality]:
        """Return the chains that are on their way, with their conditions.

        A chain that has solved its C goes on to the next until it has not; one that is stuck is given up."""
        optimality = self._optimality(active)
        while (solved := optimality.gap <= self.tol).any():
            self._confirm(active[solved])
            active = active[self.level[active] < len(self.rungs)]
            optimality = self._optimality(active)
        stuck = (self.rounds[active] > ROUNDS) | (self.tries[active] > TRIES)
        return (active[~stuck], optimality.select(~stuck)) if stuck.any() else (active, optimality)

    def _optimality(self, some: Indices) -> _Optimality:
        """Return the optimality conditions of some chains."""
        b, g = self.b[some], self.g[some]
        grow, shrink = b < self.hi[some], b > self.lo[some]
        lowest, highest = np.where(grow, g, inf).min(axis=1), np.where(shrink, g, -inf).max(axis=1)
        return _Optimality(g, grow, shrink, grow & shrink, highest - lowest, -0.5 * (lowest + highest))

    def _pairs(self, some: Indices) -> None:
        b, g = self.b[some], self.g[some]
        pairs(self.rows, self.which[some] * len(self.z), b, self.lo[some], self.hi[some], g, PAIRS)
        self.b[some], self.g[some] = b, g
        self.paired[some] += PAIRS
        self.weak[some] = False
        self._set_ridge(some)

    # Newton ---------------------------------------------------------------------------------------------
    def _newton(self, some: Indices, optimality: _Optimality) -> None:
        """Take a step for each chain, or raise its ridge where the step would not improve the objective."""
        W = self._working_sets(some, optimality)
        slopes = optimality.g + optimality.middle[:, None]
        taken = np.zeros(len(some), dtype=bool)
        for q, chain in enumerate(some.tolist()):
            rho = self._step(chain, W[q].nonzero()[0], slopes[q])
            if rho is not None:
                taken[q], self.rho[chain] = True, optimality.middle[q] + rho
        at_once = some[taken & (self.tries[some] == 0)]
        self.delta[at_once] = np.maximum(self.least[at_once], LOWER * self.delta[at_once])
        refused = some[~taken]
        self.delta[refused] = np.maximum(self.first[refused], RAISE * self.delta[refused])
        self.tries[some] = np.where(taken, 0, self.tries[some] + 1)
        self.weak[some] = ~taken & (W.sum(axis=1) <= FEW)
        self.rounds[some] += 1

    def _working_sets(self, some: Indices, optimality: _Optimality) -> Mask:
        """Return the working sets, by the offset of the last step if that brings a new point in."""
        slack, known = SLACK * self.tol, ~np.isnan(self.rho[some])
        by_middle = optimality.pushed(optimality.middle, slack)
        if not known.any():
            return by_middle
        W = optimality.pushed(np.where(known, self.rho[some], optimality.middle), slack)
        nothing_new = (optimality.free == W).all(axis=1)
        return np.where(nothing_new[:, None], by_middle, W)

    def _step(self, chain: int, W: Indices, slopes: Array) -> float | None:
        """Go to the candidate if the objective improves there, and return its offset; else return None."""
        rows, b = self.K[self.which[chain]].take(W, axis=0), self.b[chain]
        box = b.take(W), self.lo[chain].take(W), self.hi[chain].take(W)
        slope = slopes.take(W)
        found = _candidate(rows, W, -slope, box, -float(total(b)), float(self.delta[chain]))
        if found is None:
            return None
        new, rho = found
        d = new - box[0]
        change = d.dot(rows)
        if not d.dot(slope) + 0.5 * d.dot(change.take(W)) < 0.0:
            return None
        b[W] = new
        self.g[chain] += change
        return rho

    # On to the next C -----------------------------------------------------------------------------------
    def _confirm(self, some: Indices) -> None:
        """Record the chains that are also solved by a freshly computed gradient, and go on.

        Chains without digits left, or whose sum b has drifted from 0, are given up."""
        b, lo, hi = self.b[some], self.lo[some], self.hi[some]
        on_bound = 1e-13  # Of C: a weight this near to a bound is on it.
        close = on_bound * self.C[some, None]
        self.b[some] = b = np.where(b - lo <= close, lo, np.where(hi - b <= close, hi, b))
        h = self._times(some)
        self.g[some] = h - self.z
        optimality = self._optimality(some)
        size = np.abs(b).sum(axis=1)
        doubt = 8e-16  # Times sum |b| K(x, x): the error to expect in the difference of two scores.
        hopeless = doubt * size * self.scale[some] > self.tol
        unbalanced = 1e-11  # Of sum |b|: what sum b may be instead of 0.
        hopeless |= np.abs(b.sum(axis=1)) > unbalanced * size
        solved = (optimality.gap <= self.tol) & ~hopeless
        self._write(some[solved], optimality.select(solved), h[solved])
        self.level[some[solved]] += 1
        self.level[some[hopeless]] = len(self.rungs)
        self._raise(some[solved & (self.level[some] < len(self.rungs))])

    def _write(self, some: Indices, optimality: _Optimality, h: Array) -> None:
        """Record solutions. The offset is the mean of -g over the free points; without any the middle of
        where it may lie."""
        asked = self.level[some] >= self.extra
        some, h = some[asked], h[asked]
        free = optimality.free[asked]
        count = free.sum(axis=1)
        mean = -np.where(free, optimality.g[asked], 0.0).sum(axis=1) / np.maximum(count, 1)
        rho = np.where(count > 0, mean, optimality.middle[asked])
        place = some, self.level[some] - self.extra
        found = self.found
        found.weights[place], found.offsets[place] = self.b[some], rho
        found.scores[place], found.gaps[place] = h + rho[:, None], np.maximum(optimality.gap[asked], 0.0)

    def _raise(self, some: Indices) -> None:
        """Go on to the next C: weights are scaled with it where some are at their bound, and these stay
        there."""
        before, after = self.C[some], self.rungs[self.level[some]]
        b = self.b[some]
        bounded = (b != 0.0) & (np.abs(b) == before[:, None])
        factor = np.where(bounded.any(axis=1), after / before, 1.0)[:, None]
        self.C[some] = after
        self._set_bounds(some)
        self.b[some] = np.where(bounded, after[:, None] * self.z, factor * b)
        self.g[some] = factor * (self.g[some] + self.z) - self.z
        self.rho[some] = np.nan
        self.tries[some] = self.rounds[some] = self.paired[some] = 0
        self._set_ridge(some)


def _candidate(
    rows: Array,
    W: Indices,
    right: Array,
    box: tuple[Array, Array, Array],
    lack: float,
    delta: float,
) -> tuple[Array, float] | None:
    """Return new weights of W and rho, or None where the system has no solution.

    Solves (K_WW + delta I) d + rho = right, sum d = lack; clips b + d to the box, fixes what was clipped and
    solves again for the rest. rows: those of W in K."""
    from scipy.linalg.lapack import dposv

    b, lo, hi = box
    whole = rows.take(W, axis=1)
    new, places = np.empty(len(W)), np.arange(len(W))
    A = whole.copy()
    for _ in range(CLIPS):
        size = len(A)
        if size == 0:
            return None
        A.reshape(-1)[:: size + 1] += delta
        columns = np.empty((2, size))
        columns[0], columns[1] = right, 1.0
        # Symmetric, so that the transpose is the column-major matrix LAPACK can work on in place.
        if dposv(A.T, columns.T, lower=1, overwrite_a=1, overwrite_b=1)[2]:
            return None
        u, v = columns
        rho = float((total(u) - lack) / total(v))
        wanted = b + u - rho * v
        inside = np.minimum(np.maximum(wanted, lo), hi)
        new[places] = inside
        out = inside != wanted
        fixed = out.nonzero()[0]
        if len(fixed) == 0:
            return new, rho
        rest = (~out).nonzero()[0]
        d = (inside - b).take(fixed)
        across = whole.take(places.take(fixed), axis=0)
        places = places.take(rest)
        right = right.take(rest) - d.dot(across).take(places)
        lack -= float(total(d))
        b, lo, hi = b.take(rest), lo.take(rest), hi.take(rest)
        A = whole.take(places, axis=0).take(places, axis=1)
    return None


def _rungs(prices: Array, first: float) -> Array:
    """Return the prices, preceded by a few on the way to the lowest."""
    count = int(np.ceil(np.log(max(prices[0] / first, 1.0)) / np.log(RUNG)))
    return np.concatenate((np.geomspace(first, prices[0], count + 1)[:-1], prices)) if count else prices
