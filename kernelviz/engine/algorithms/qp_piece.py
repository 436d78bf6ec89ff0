"""The dual on a working set: one candidate step for a given ridge."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelviz.engine.algorithms.cholesky import half_solve, positive_solver
from kernelviz.engine.arrays import Array, Indices

__all__ = ["Piece"]

CLIPS = 12
"""Times a candidate may be clipped and solved again."""

ENOUGH = 0.4
"""Of the free points: a candidate that leaves fewer of them free is not worth finishing."""

BORDER = 0.25
"""Up to this share of the points is fixed by bordering the factorised matrix; more, by factorising anew."""

LARGE = 64
"""Smaller systems are factorised faster than bordered."""

NOWHERE, NOTHING = np.empty(0, dtype=np.intp), np.empty(0)
total = np.add.reduce


class Piece:
    """A = K_WW, gradient g, weights b in [lo, hi], whose sums (over E's rows, or all) are short by `lack`."""

    def __init__(
        self,
        A: Array,
        g: Array,
        b: Array,
        lo: Array,
        hi: Array,
        lack: tuple[float, ...],
        E: Array | None,
        free: int,
    ) -> None:
        self.A, self.g, self.b, self.lo, self.hi, self.lack, self.E = A, g, b, lo, hi, lack, E
        self.enough = ENOUGH * free
        self.factorisations = 0
        self.work = 0.0
        self.rho: list[float] = []

    def candidate(self, delta: float) -> Array | None:
        """Solve (A + delta I) d + E'rho = -g, E d = lack; clip b + d to the box, fix what was clipped and
        solve again for the rest. The new weights, or None when that fails."""
        system = _System(self, self.A.copy(), -self.g, self.E, self.lack, delta)
        if system.failed:
            return None
        new = system.step()
        if new is None:
            return None
        new += self.b
        inside = np.minimum(np.maximum(new, self.lo), self.hi)
        out = (inside != new).nonzero()[0]
        return self._again(system, inside, out, delta) if len(out) else self._done(system, inside)

    def _done(self, system: _System, new: Array) -> Array:
        self.rho = system.rho
        return new

    def _again(self, system: _System, new: Array, out: Indices, delta: float) -> Array | None:
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
                rest = np.delete(np.arange(system.size) if rest is None else rest, fixed)
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

    def _shrunk(self, new: Array, rest: Indices, delta: float) -> _System | None:
        """The system of the rest alone, with everything else where `new` has it."""
        E = self.E
        if E is not None and not E[:, rest].any(axis=1).all():
            return None
        d = new - self.b
        d[rest] = 0.0
        rows = self.A.take(rest, axis=0)
        sums = (float(total(d)),) if E is None else tuple(E.dot(d))
        lack = tuple(whole - part for whole, part in zip(self.lack, sums, strict=True))
        part = None if E is None else E[:, rest]
        system = _System(self, rows.take(rest, axis=1), -self.g[rest] - rows.dot(d), part, lack, delta)
        return None if system.failed else system


class _System:
    """(M + delta I) d + E'rho = right, E d = lack, factorised once; some of d may be fixed afterwards.

    Fixing d_F = t adds multipliers lambda with d = u - V rho - L^-T Y lambda, where u and V solve for right
    and E', and Y = L^-1 I_F holds the unit vectors of F. They follow from a small system of one equation for
    each of F and E, in which the `products` Y'Y stand."""

    def __init__(
        self, piece: Piece, M: Array, right: Array, E: Array | None, lack: tuple[float, ...], delta: float
    ) -> None:
        self.size = size = len(right)
        self.E, self.lack = E, lack
        self.fixed: Indices = NOWHERE
        self.targets: Array = NOTHING
        self.Y: Array | None = None
        self.products: Array = NOTHING
        self.rho: list[float] = []
        M.reshape(-1)[:: size + 1] += delta
        piece.factorisations += 1
        piece.work += size**3 / 3
        columns = np.empty((2 if E is None else 1 + len(E), size))
        columns[0] = right
        columns[1:] = 1.0 if E is None else E
        # M is symmetric, so its transpose is the column-major matrix LAPACK can work on in place.
        solver = positive_solver(size)
        self.factor: Any
        self.factor, solved, self.failed = solver(M.T, columns.T, lower=1, overwrite_a=1, overwrite_b=1)
        self.u, self.V = solved[:, 0], solved[:, 1:]

    def fix(self, places: Indices, targets: Array) -> None:
        """Hold d at `targets` in some more places."""
        units = np.zeros((len(places), self.size))
        units[np.arange(len(places)), places] = 1.0
        Y = half_solve(self.factor, units.T)
        if self.Y is None:
            self.Y, self.products = Y, Y.T.dot(Y)
        else:
            across = self.Y.T.dot(Y)
            self.products = np.block([[self.products, across], [across.T, Y.T.dot(Y)]])
            self.Y = np.concatenate((self.Y, Y), axis=1)
        self.fixed = np.concatenate((self.fixed, places))
        self.targets = np.concatenate((self.targets, targets))

    def step(self) -> Array | None:
        """d, or None when the system is singular."""
        u, V, E, Y = self.u, self.V, self.E, self.Y
        if Y is None and E is None:
            scale = float(total(V[:, 0]))
            if not scale > 0.0:
                return None
            rho = (float(total(u)) - self.lack[0]) / scale
            self.rho = [rho]
            return np.asarray(u - rho * V[:, 0])
        k, m = len(self.fixed), V.shape[1]
        border, right = np.empty((k + m, k + m)), np.empty(k + m)
        border[k:, k:] = total(V) if E is None else E.dot(V)
        right[k:] = (total(u) if E is None else E.dot(u)) - self.lack
        if Y is not None:
            border[:k, :k], border[:k, k:] = self.products, V[self.fixed]
            border[k:, :k] = V[self.fixed].T
            right[:k] = u[self.fixed] - self.targets
        try:
            solved = np.linalg.solve(border, right)
        except np.linalg.LinAlgError:
            return None
        self.rho = solved[k:].tolist()
        d = u - V.dot(solved[k:])
        return d if Y is None else np.asarray(d - half_solve(self.factor, Y.dot(solved[:k]), True))
