"""The equations of a Newton step, and the factorisation that outlives it: few points change between two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.cholesky import factorise, half_solve

NOWHERE = np.empty(0, dtype=np.intp)


class Factor:
    """LL' = K_PP + delta I for some points P, and where each point of the data stands in it: -1 if nowhere.

    A point that moves is forgotten. What it was stays in L, as something that every step fixes at zero."""

    def __init__(self, L: Array, delta: float, P: Indices, n: int) -> None:
        self.L, self.delta = L, delta
        self.position = np.full(n, -1)
        self.position[P] = np.arange(len(P))

    def forget(self, places: Indices) -> None:
        self.position[places] = -1

    def remap(self, origin: Indices) -> None:
        """The points in another order, some gone and some (origin -1) new."""
        self.position = np.where(origin >= 0, self.position[origin], -1)

    def strangers(self, W: Indices) -> int:
        """How many points W has and the factor does not, or the reverse."""
        missing = int(np.count_nonzero(self.position[W] < 0))
        return missing + len(self.L) - (len(W) - missing)


class System:
    """(A + delta I) d + E'rho = right, E d = lack for points W, all or nearly all of which a factor knows.

    What L knows is eliminated; the rest makes a border with unknowns y:

        (B - Z'Z) y = c - Z'q,   q = L^-1 right,  Z = L^-1 X,   d = L^-T (q - Z y).

    There is a y for each row of E (its rho), for each point L does not know (its d; X is its column of K) and
    for each fixed one (a multiplier; X is a unit vector): those of L outside W at zero, others as asked."""

    def __init__(self, L: Array, columns: Array, lack: tuple[float, ...]) -> None:
        """`columns` are right and the rows of E, as L has them."""
        solved = half_solve(L, columns.T)
        self.L, self.q, self.Z, self.lack = L, solved[:, 0], solved[:, 1:], lack
        self.size = len(L)
        self.index: Indices | None = None
        self.border: tuple[Array, Array] | None = None
        self.fixed: Indices = NOWHERE
        self.rho: list[float] = []

    @classmethod
    def of(
        cls, M: Array, delta: float, right: Array, E: Array | None, lack: tuple[float, ...]
    ) -> Self | None:
        """From M = A, which is overwritten; None when it is not positive definite even with the ridge."""
        M.reshape(-1)[:: len(M) + 1] += delta
        L = factorise(M)
        if L is None:
            return None
        columns = np.empty((1 + len(lack), len(right)))
        columns[0] = right
        columns[1:] = 1.0 if E is None else E
        return cls(L, columns, lack)

    @classmethod
    def near(
        cls,
        factor: Factor,
        W: Indices,
        some: Callable[[Indices], Array],
        right: Array,
        E: Array | None,
        lack: tuple[float, ...],
    ) -> Self:
        """For points W that are nearly those of the factor; `some` gives the rows of K of some points."""
        where, size, m = factor.position[W], len(factor.L), len(lack)
        known, added = (where >= 0).nonzero()[0], (where < 0).nonzero()[0]
        inner, end = where[known], m + len(added)
        idle = np.ones(size, dtype=bool)
        idle[inner] = False
        gone = idle.nonzero()[0]
        columns = np.zeros((1 + end + len(gone), size))
        columns[0, inner] = right[known]
        columns[1 : 1 + m, inner] = 1.0 if E is None else E[:, known]
        columns[np.arange(1 + end, len(columns)), gone] = 1.0
        B, c = np.zeros((len(columns) - 1, len(columns) - 1)), np.zeros(len(columns) - 1)
        c[:m] = lack
        if len(added):
            beside = some(W[added])
            columns[1 + m : 1 + end, inner] = beside[:, W[known]]
            B[m:end, m:end] = beside[:, W[added]]
            B[np.arange(m, end), np.arange(m, end)] += factor.delta
            B[:m, m:end] = 1.0 if E is None else E[:, added]
            B[m:end, :m] = B[:m, m:end].T
            c[m:end] = right[added]
            where[added] = size + np.arange(m, end)
        system = cls(factor.L, columns, lack)
        system.size, system.index = len(W), where
        system.border = system._eliminated(B, c)
        return system

    def _eliminated(self, B: Array, c: Array) -> tuple[Array, Array]:
        return B - self.Z.T.dot(self.Z), c - self.q.dot(self.Z)

    def _bordered(self) -> tuple[Array, Array]:
        """B - Z'Z and c - Z'q; the sums alone when nothing has been added to them."""
        if self.border is None:
            self.border = self._eliminated(np.zeros((len(self.lack),) * 2), np.asarray(self.lack))
        return self.border

    def fix(self, places: Indices, targets: Array) -> None:
        """Hold d at `targets` in some more places."""
        schur, right = self._bordered()
        size, old, new = len(self.L), len(right), len(places)
        at = places if self.index is None else self.index[places]
        inside, outside = (at < size).nonzero()[0], (at >= size).nonzero()[0]
        units = np.zeros((new, size))
        units[inside, at[inside]] = 1.0
        Z = half_solve(self.L, units.T)
        larger = np.empty((old + new, old + new))
        larger[:old, :old] = schur
        larger[:old, old:] = -self.Z.T.dot(Z)
        larger[at[outside] - size, old + outside] += 1.0
        larger[old:, :old] = larger[:old, old:].T
        larger[old:, old:] = -Z.T.dot(Z)
        self.border = larger, np.concatenate((right, targets - self.q.dot(Z)))
        self.Z = np.concatenate((self.Z, Z), axis=1)
        self.fixed = np.concatenate((self.fixed, places))

    def step(self) -> Array | None:
        """d, or None when the system is singular."""
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
        d = half_solve(self.L, self.q - self.Z.dot(y), True)
        return d if self.index is None else np.concatenate((d, y))[self.index]
