"""The dual on a working set: one candidate step for a given ridge."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.algorithms.cholesky import positive_solver
from kernelviz.engine.algorithms.qp import Mask
from kernelviz.engine.arrays import Array, Indices

__all__ = ["Piece"]

CLIPS = 12
"""Times a candidate may be clipped and solved again."""

total = np.add.reduce


class Piece:
    """A = K_WW, gradient g, weights b in [lo, hi], whose sums (over E's rows, or all) are short by `lack`."""

    def __init__(
        self, A: Array, g: Array, b: Array, lo: Array, hi: Array, lack: tuple[float, ...], E: Array | None
    ) -> None:
        self.solver = positive_solver(len(g))
        self.A, self.g, self.b, self.lo, self.hi, self.lack, self.E = A, g, b, lo, hi, lack, E
        self.factorisations = 0
        self.work = 0.0
        self.rho: list[float] = []

    def candidate(self, delta: float) -> Array | None:
        """Solve (A + delta I) d + E'rho = -g, E d = lack; clip b + d to the box, fix what was clipped and
        solve again for the rest. The new weights, or None when that fails."""
        b, lo, hi = self.b, self.lo, self.hi
        new = self._solve(self.A.copy(), -self.g, self.E, self.lack, delta)
        if new is None:
            return None
        new += b
        inside = np.minimum(np.maximum(new, lo), hi)
        out = inside != new
        if not out.any():
            return inside
        return self._again(inside, out, delta)

    def _again(self, new: Array, out: Mask, delta: float) -> Array | None:
        """Solve for the rest while clipping fixes more and more."""
        A, b, E = self.A, self.b, self.E
        fixed = out
        for _ in range(CLIPS - 1):
            rest = (~fixed).nonzero()[0]
            if len(rest) == 0 or (E is not None and not E[:, rest].any(axis=1).all()):
                break
            d = new - b
            d[rest] = 0.0
            rows = A.take(rest, axis=0)
            part = None if E is None else E[:, rest]
            right = -self.g[rest] - rows.dot(d)
            if E is None:
                lack: tuple[float, ...] = (self.lack[0] - float(total(d)),)
            else:
                lack = tuple(self.lack - E.dot(d))
            solved = self._solve(rows.take(rest, axis=1), right, part, lack, delta)
            if solved is None:
                return None
            solved += b[rest]
            inside = np.minimum(np.maximum(solved, self.lo[rest]), self.hi[rest])
            new[rest] = inside
            out = inside != solved
            if not out.any():
                return new
            fixed[rest[out]] = True
        return self._exhausted(new, (~fixed).nonzero()[0])

    def _exhausted(self, new: Array, rest: Indices) -> Array | None:
        """Everything is fixed: good only when the sums happen to hold."""
        new[rest] = self.b[rest]
        d = new - self.b
        sums = [float(total(d))] if self.E is None else self.E.dot(d)
        worst = max(abs(float(s) - lack) for s, lack in zip(sums, self.lack, strict=True))
        return new if worst <= 1e-12 * float(np.abs(new).sum()) else None

    def _solve(
        self, M: Array, right: Array, E: Array | None, lack: tuple[float, ...], delta: float
    ) -> Array | None:
        """d with (M + delta I) d + E'rho = right and E d = lack; M is overwritten."""
        size = len(right)
        M.reshape(-1)[:: size + 1] += delta
        self.factorisations += 1
        self.work += size**3 / 3
        columns = np.empty((2 if E is None else 1 + len(E), size))
        columns[0] = right
        columns[1:] = 1.0 if E is None else E
        # M is symmetric, so its transpose is the column-major matrix LAPACK can work on in place.
        _, solved, failed = self.solver(M.T, columns.T, lower=1, overwrite_a=1, overwrite_b=1)
        if failed:
            return None
        u = solved[:, 0]
        if E is None:
            v = solved[:, 1]
            scale = float(total(v))
            if not scale > 0.0:
                return None
            rho = (float(total(u)) - lack[0]) / scale
            self.rho = [rho]
            v *= rho
            return np.asarray(u - v)
        V = solved[:, 1:]
        try:
            rhos = np.linalg.solve(E.dot(V), E.dot(u) - lack)
        except np.linalg.LinAlgError:
            return None
        self.rho = [float(r) for r in rhos]
        return np.asarray(u - V.dot(rhos))
