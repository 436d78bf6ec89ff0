"""The dual on a working set: one candidate step for a given ridge."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.solvers.qp.rows import Rows
from kernelviz.engine.solvers.qp.system import Factor, System

CLIPS = 12  # Times a candidate may be clipped and solved again.

# Of the free points: a candidate that leaves fewer of them free is not worth finishing.
LEAST_STILL_FREE = 0.4

# Up to this share of the points is fixed by bordering the factorised matrix; more, by factorising anew.
BORDER = 0.25

LARGE = 64  # Smaller systems are factorised faster than bordered.

# A factor is kept for so many points, and used again while at most this share of the points differs and the
# ridge at most by this factor.
WORTH, NEAR, ALIKE = 160, 0.25, 2.5

HUGE = 4000  # Points beyond which a factor would take too much memory to be kept.

total = np.add.reduce


class Piece:
    """A = K_WW, gradient g, weights b in [lo, hi], whose sums (over E's rows, or all) are short by `lack`."""

    def __init__(
        self,
        rows: Rows,
        W: Indices,
        g: Array,
        b: Array,
        lo: Array,
        hi: Array,
        lack: tuple[float, ...],
        E: Array | None,
        free: int,
    ) -> None:
        rows.need(W)
        self.rows, self.W = rows, W
        self.g, self.b, self.lo, self.hi, self.lack, self.E = g, b, lo, hi, lack, E
        self.enough = LEAST_STILL_FREE * free
        self.factorisations = 0
        self.work = 0.0
        self.rho: list[float] = []
        self._wide: Array | None = None

    def wide(self) -> Array:
        """The rows of W, wider than the matrix by what their memory has to spare."""
        if self._wide is None:
            self._wide = self.rows.wide(self.W)
        return self._wide

    def times(self, d: Array) -> Array:
        """The change of h that a change d of the weights brings."""
        n = self.rows.n
        if self._wide is None and self.rows.complete and 3 * len(d) > n:
            everywhere = np.zeros(n)
            everywhere[self.W] = d
            return self.rows.times(everywhere)
        return np.asarray(d.dot(self.wide()[:, :n]))

    def nearby(self, delta: float) -> Array | None:
        """A candidate by the factor an earlier step left, when that had much the same points and ridge."""
        factor, W = self.rows.factor, self.W
        if factor is None or len(W) < WORTH or not delta / ALIKE <= factor.delta <= delta * ALIKE:
            return None
        if factor.strangers(W) > NEAR * len(W):
            return None
        self.work += 10.0 * len(W) ** 2
        return self._boxed(System.near(factor, W, self.rows.some, -self.g, self.E, self.lack), delta)

    def candidate(self, delta: float) -> Array | None:
        """Solve (A + delta I) d + E'rho = -g, E d = lack; clip b + d to the box, fix what was clipped and
        solve again for the rest. The new weights, or None when that fails."""
        A = self.wide().take(self.W, axis=1, mode="clip")
        system = self._factorised(self.W, A, delta, -self.g, self.E, self.lack)
        return None if system is None else self._boxed(system, delta)

    def _factorised(
        self, W: Indices, A: Array, delta: float, right: Array, E: Array | None, lack: tuple[float, ...]
    ) -> System | None:
        """The system of the points W alone, whose factor is kept for later steps."""
        self.factorisations += 1
        self.work += len(W) ** 3 / 3
        system = System.of(A, delta, right, E, lack)
        if system is not None and WORTH <= len(W) <= HUGE:
            self.rows.factor = Factor(system.L, delta, W, self.rows.n)
        return system

    def _boxed(self, system: System, delta: float) -> Array | None:
        """The weights after a step of the system, in the box."""
        new = system.step()
        if new is None:
            return None
        new += self.b
        inside = np.minimum(np.maximum(new, self.lo), self.hi)
        out = (inside != new).nonzero()[0]
        return self._again(system, inside, out, delta) if len(out) else self._done(system, inside)

    def _done(self, system: System, new: Array) -> Array:
        self.rho = system.rho
        return new

    def _again(self, system: System, new: Array, out: Indices, delta: float) -> Array | None:
        """Solve for the rest while clipping fixes more and more; `out` are places within the system."""
        b, lo, hi = self.b, self.lo, self.hi
        rest: Indices | None = None
        for _ in range(CLIPS - 1):
            fixed = np.concatenate((system.fixed, out))
            if system.size - len(fixed) < max(self.enough, 1.0):
                return None
            if len(fixed) <= BORDER * system.size and system.size >= LARGE:
                places = out if rest is None else rest[out]
                system.fix(out, new[places] - b[places])
            else:
                left = np.ones(system.size, dtype=bool)
                left[fixed] = False
                rest = left.nonzero()[0] if rest is None else rest[left]
                shrunk = self._shrunk(new, rest, delta)
                if shrunk is None:
                    return None
                system = shrunk
            step = system.step()
            if step is None:
                return None
            step += b if rest is None else b[rest]
            low, high = (lo, hi) if rest is None else (lo[rest], hi[rest])
            inside = np.minimum(np.maximum(step, low), high)
            clipped = inside != step
            if len(system.fixed):  # these are on their bounds but for rounding
                clipped[system.fixed] = False
                inside[system.fixed] = new[system.fixed if rest is None else rest[system.fixed]]
            if rest is None:
                new = inside
            else:
                new[rest] = inside
            out = clipped.nonzero()[0]
            if len(out) == 0:
                return self._done(system, new)
        return None

    def _shrunk(self, new: Array, rest: Indices, delta: float) -> System | None:
        """The system of the rest alone, with everything else where `new` has it."""
        E = self.E
        if E is not None and not E[:, rest].any(axis=1).all():
            return None
        d = new - self.b
        d[rest] = 0.0
        sums = (float(total(d)),) if E is None else tuple(E.dot(d))
        lack = tuple(whole - part for whole, part in zip(self.lack, sums, strict=True))
        part = None if E is None else E[:, rest]
        W = self.W[rest]
        A = self.wide().take(rest, axis=0).take(W, axis=1)
        return self._factorised(W, A, delta, -self.g[rest] - self.times(d)[W], part, lack)
