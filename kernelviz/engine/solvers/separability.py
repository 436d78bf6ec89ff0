"""Test whether the classes can be separated in feature space, by the nearest points of their hulls.

The cheapest form of that space is used: explicit features, a factor of the Gram matrix if its rank is low,
or the matrix itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.solvers.hulls import Features, Gram, Hulls, Space
from kernelviz.engine.solvers.qp.program import Dual
from kernelviz.engine.solvers.qp.rows import Rows, pick

MOST_FEATURES = 200
# With more columns writing out the features, if there are any, costs more than it can save.
MOST_COLUMNS = 60

PARTS = 3  # A factor is worth while when its rank is at most this part of the number of points.
RANK_SAMPLE = 500  # Points at which the rank is tried first.
UNEVEN = 1e3  # Ratio of the largest to the smallest column from which on the small ones are hard to see.

# Distances that count as none: of a column's spread, and of the numbers it was computed from.
SAME, DIGITS = 1e-10, 4e-16


@dataclass(frozen=True, eq=False)
class Explicit:
    """Explicit features phi = mean + scales V, with the columns of V between -1 and 1."""

    V: Array
    scales: Array
    doubt: float  # What rounding leaves uncertain in V.

    def space(self, z: Array, true_scale: bool = True) -> Features:
        """Return the space of the hulls; with `true_scale` false all columns count alike, which is the
        safest way to see whether hulls meet."""
        touching = max(SAME, self.doubt) ** 2
        return Features(self.V, z, touching, self.scales if true_scale else None)

    def margin(self, z: Array, found: Hulls) -> Array:
        """Return b of the widest margin, from accurate nearest points.

        Few points carry them. There z_i = (V w)_i + rho, and w = scales² V'b, sum b = 0."""
        from scipy.optimize import nnls

        near = np.flatnonzero(found.u * found.squared_distance > found.s)
        V, classes = self.V[near], np.array([z[near] > 0, z[near] < 0])
        try:
            u, _ = nnls(np.vstack((z[near] * V.T, classes)), np.append((z * found.u) @ self.V, (1.0, 1.0)))
        except RuntimeError:  # it cycles where the columns are nearly dependent: all points stay in
            u = np.ones(len(near))
        few = near[u > 0.0]
        V, (k, q) = self.V[few], (len(few), self.V.shape[1])
        unit = 2.0 / found.squared_distance
        weights = unit * self.scales**2
        system, right = np.zeros((q + 1 + k, q + 1 + k)), np.zeros(q + 1 + k)
        # Each equation for w is divided by its largest coefficient, and b is counted in `unit`.
        system[:q, :q] = np.diag(1.0 / (1.0 + weights))
        system[:q, q + 1 :], system[q, q + 1 :] = -(V * (weights / (1.0 + weights))).T, 1.0
        system[q + 1 :, :q], system[q + 1 :, q], right[q + 1 :] = V, 1.0, z[few]
        solved = np.linalg.lstsq(system, right, rcond=None)[0]
        solved += np.linalg.lstsq(system, right - system @ solved, rcond=None)[0]
        b = np.zeros(len(z))
        b[few] = unit * solved[q + 1 :]
        return b

    @property
    def uneven(self) -> bool:
        """Whether the columns differ so much in size that the smaller ones are hard to see."""
        return bool(self.scales.size and self.scales.max() > UNEVEN * self.scales.min())


def explicit_features(rows: Rows) -> Explicit | None:
    """Return the features of a kernel that has only few of them."""
    X = rows.X
    if not isinstance(X, np.ndarray) or rows.ridge or X.shape[1] > MOST_COLUMNS:
        return None
    phi = rows.kernel.feature_map(X.shape[1])
    if phi is None or phi.q > MOST_FEATURES:
        return None
    V = phi(X)
    sizes = np.abs(V).max(axis=0)
    V = V - V.mean(axis=0)
    scales = np.abs(V).max(axis=0)
    kept = scales > 4.0 * DIGITS * sizes
    doubt = DIGITS * float((sizes[kept] / scales[kept]).max(initial=0.0))
    return Explicit(V[:, kept] / scales[kept], scales[kept], doubt)


def low_rank(dual: Dual) -> Space | None:
    """Return feature space through a factor of the Gram matrix, or None if its rank is not low."""
    rows, z = dual.rows, dual.p
    touching = rows.touching()
    # What a factor leaves out changes no squared distance by more than four times its largest diagonal entry.
    left_out = 0.1 * touching
    some = np.arange(0, dual.n, max(PARTS, -(-dual.n // RANK_SAMPLE)))
    inputs = pick(rows.X, some)
    if factor(rows.kernel.gram(inputs, inputs), left_out).shape[1] > 0.95 * len(some):
        return None
    V = factor(rows.whole(), left_out)
    return Features(V, z, touching) if PARTS * V.shape[1] <= dual.n else None


def whole(dual: Dual) -> Space:
    """Return feature space through the Gram matrix itself."""
    return Gram(dual.rows.whole(), dual.p, dual.rows.touching())


def factor(K: Array, left_out: float) -> Array:
    """Return V with K = VV' up to a positive semi-definite rest whose diagonal is at most `left_out`."""
    from scipy.linalg.lapack import dpstrf

    found, order, rank, _ = dpstrf(K, lower=1, tol=left_out)
    V = np.empty((len(K), rank))
    V[order - 1] = np.tril(found[:, :rank])
    return V


def twins(X: Any, z: Array) -> tuple[int, int] | None:
    """Return two equal inputs with opposite labels."""
    if not isinstance(X, np.ndarray):
        seen: dict[object, int] = {}
        for i, x in enumerate(X):
            j = seen.setdefault(x, i)
            if z[i] != z[j]:
                return j, i
        return None
    _, first, inverse = np.unique(X + 0.0, axis=0, return_index=True, return_inverse=True)
    partner = first[inverse.ravel()]
    clash = np.flatnonzero(z != z[partner])
    return (int(partner[clash[0]]), int(clash[0])) if len(clash) else None
