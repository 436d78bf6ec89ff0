"""The dual restricted to a working set: one candidate for a Newton step, for a given ridge."""

from __future__ import annotations

from typing import Self

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.cholesky import factorise, half_solve
from kernelviz.engine.solvers.qp.rows import GramRows

CLIPS = 12  # Times a candidate may be clipped and solved again.

# Up to this share of the points is fixed by bordering the factor; for more, the rest is factorised.
BORDER = 0.25

LARGE = 64  # Smaller systems are factorised faster than bordered.


class System:
    """The equations (A + delta I) d + E'rho = right, E d = lack, some d perhaps fixed, solved by elimination.

    With A + delta I = LL', q = L^-1 right and Z = L^-1 X the unknowns d are eliminated:

        (B - Z'Z) y = c - Z'q,   d = L^-T (q - Z y).

    There is a y for each row of E (its rho; the row is its column of X, and c its lack) and for each fixed
    place (a multiplier; its column of X is a unit vector, and c the value it is fixed at). B is zero."""

    def __init__(self, L: Array, columns: Array, lack: tuple[float, ...]) -> None:
        """`columns` are the right-hand side and the rows of E, of shape (1 + m, n)."""
        solved = half_solve(L, columns.T)
        self.L, self.q, self.Z, self.lack = L, solved[:, 0], solved[:, 1:], lack
        self.border: tuple[Array, Array] | None = None
        self.fixed: Indices = np.empty(0, dtype=np.intp)
        self.rho: list[float] = []

    @classmethod
    def factorised(
        cls, A: Array, delta: float, right: Array, E: Array | None, lack: tuple[float, ...]
    ) -> Self | None:
        """Return the system of A, which is overwritten, or None if A + delta I is not positive definite."""
        A.reshape(-1)[:: len(A) + 1] += delta
        L = factorise(A)
        if L is None:
            return None
        columns = np.empty((1 + len(lack), len(right)))
        columns[0] = right
        columns[1:] = 1.0 if E is None else E
        return cls(L, columns, lack)

    def _bordered(self) -> tuple[Array, Array]:
        """Return B - Z'Z and c - Z'q; without fixed places these are the equations of the sums alone."""
        if self.border is None:
            self.border = -self.Z.T.dot(self.Z), np.asarray(self.lack) - self.q.dot(self.Z)
        return self.border

    def fix(self, places: Indices, targets: Array) -> None:
        """Hold d at `targets` in some more places."""
        schur, right = self._bordered()
        old, new = len(right), len(places)
        units = np.zeros((new, len(self.L)))
        units[np.arange(new), places] = 1.0
        Z = half_solve(self.L, units.T)
        larger = np.empty((old + new, old + new))
        larger[:old, :old] = schur
        larger[:old, old:] = -self.Z.T.dot(Z)
        larger[old:, :old] = larger[:old, old:].T
        larger[old:, old:] = -Z.T.dot(Z)
        self.border = larger, np.concatenate((right, targets - self.q.dot(Z)))
        self.Z = np.concatenate((self.Z, Z), axis=1)
        self.fixed = np.concatenate((self.fixed, places))

    def step(self) -> Array | None:
        """Return d and set rho, or return None when the system is singular."""
        if self.border is None and len(self.lack) == 1:
            z = self.Z[:, 0]
            curvature = float(z.dot(z))
            if not curvature > 0.0:
                return None
            rho = (float(z.dot(self.q)) - self.lack[0]) / curvature
            self.rho = [rho]
            return half_solve(self.L, self.q - rho * z, True)
        try:
            y = np.asarray(np.linalg.solve(*self._bordered()), dtype=np.float64)
        except np.linalg.LinAlgError:
            return None
        self.rho = y[: len(self.lack)].tolist()
        return half_solve(self.L, self.q - self.Z.dot(y), True)


class Subproblem:
    """The dual in the weights of the points W alone, all others being held.

    A = K_WW, g is the gradient at the weights b in [lo, hi]; the sums of b (over the rows of E, or of all)
    are short by `lack`."""

    def __init__(
        self,
        rows: GramRows,
        W: Indices,
        g: Array,
        b: Array,
        lo: Array,
        hi: Array,
        lack: tuple[float, ...],
        E: Array | None,
    ) -> None:
        rows.need(W)
        self.rows, self.W = rows, W
        self.g, self.b, self.lo, self.hi, self.lack, self.E = g, b, lo, hi, lack, E
        self.factorisations = 0
        self.work = 0.0  # Floating point operations so far.
        self.rho: list[float] = []  # The offsets of the last candidate.
        self._wide: Array | None = None
        self._inner: Array | None = None

    def inner(self) -> Array:
        """Return A = K_WW, which every system of this working set is made of."""
        if self._inner is None:
            self._inner = self.wide().take(self.W, axis=1, mode="clip")
        return self._inner

    def wide(self) -> Array:
        """Return the rows of W, wider than the matrix by what their memory has to spare."""
        if self._wide is None:
            self._wide = self.rows.wide(self.W)
        return self._wide

    def times(self, d: Array) -> Array:
        """Return the change of h = Kb, at all points, for a change d of the weights of W."""
        n = self.rows.n
        if self._wide is None and self.rows.complete and 3 * len(d) > n:
            everywhere = np.zeros(n)
            everywhere[self.W] = d
            return self.rows.times(everywhere)
        return np.asarray(d.dot(self.wide()[:, :n]))

    def candidate(self, delta: float) -> Array | None:
        """Return new weights of W, or None when there are none.

        Solve (A + delta I) d + E'rho = -g, E d = lack, clip b + d to the box, fix what was clipped and solve
        again for the rest, until nothing leaves the box."""
        b, lo, hi = self.b, self.lo, self.hi
        system = self._system(self.inner().copy(), delta, -self.g, self.E)
        new = b.copy()
        rest: Indices | None = None  # The places in W that the system is about, None for all.
        for _ in range(CLIPS):
            step = None if system is None else system.step()
            if system is None or step is None:
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
                self.rho = system.rho
                return new
            size, fixed = len(step), np.concatenate((system.fixed, out))
            if len(fixed) == size:
                return None
            if len(fixed) <= BORDER * size and size >= LARGE:
                places = out if rest is None else rest[out]
                system.fix(out, new[places] - b[places])
            else:
                free = np.ones(size, dtype=bool)
                free[fixed] = False
                rest = free.nonzero()[0] if rest is None else rest[free]
                system = self._system_of_rest(new, rest, delta)
        return None

    def _system_of_rest(self, new: Array, rest: Indices, delta: float) -> System | None:
        """Return the system of some places in W alone, with everything else where `new` has it."""
        E = self.E
        if E is not None and not E[:, rest].any(axis=1).all():
            return None
        d = new - self.b
        d[rest] = 0.0
        sums = (float(np.add.reduce(d)),) if E is None else tuple(E.dot(d))
        lack = tuple(whole - part for whole, part in zip(self.lack, sums, strict=True))
        right = -self.g[rest] - self.inner().dot(d)[rest]
        A = self.inner().take(rest, axis=0).take(rest, axis=1)
        return self._system(A, delta, right, None if E is None else E[:, rest], lack)

    def _system(
        self,
        A: Array,
        delta: float,
        right: Array,
        E: Array | None,
        lack: tuple[float, ...] | None = None,
    ) -> System | None:
        self.factorisations += 1
        self.work += len(A) ** 3 / 3
        return System.factorised(A, delta, right, E, self.lack if lack is None else lack)
