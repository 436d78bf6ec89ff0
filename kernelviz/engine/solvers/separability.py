"""Whether two classes can be separated in feature space, by the nearest points of their convex hulls.

    minimise  1/2 |sum_i u_i z_i phi(x_i)|²   subject to   u >= 0,  sum of u over each class = 1

has a solution whether or not the classes can be separated. It is found by an interior point method. On the
way s = K̂u - rho > 0 holds for a level rho of each class, K̂ = (z_i z_j K_ij), so that both answers come with
a proof: u itself when the distance is nothing, and the direction w = sum u_i z_i phi(x_i) once the two levels
leave room between the classes.

The cheapest form of feature space is used: explicit features, a factor of the Gram matrix if its rank is low,
or the matrix itself."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.cholesky import factorise, solve, with_ridge
from kernelviz.engine.solvers.qp.program import Dual
from kernelviz.engine.solvers.qp.rows import GramRows, pick

# (target, lag, balance) -> (du, drho) of a Newton step; see `HullSpace.solver`.
Solver: TypeAlias = Callable[[Array, Array, Array], tuple[Array, Array]]

TO_THE_BOUND = 0.995
RANK_PART = 3  # A factor is worth while when its rank is at most this part of the number of points.
# Distances that count as none: of a column's spread, and of the numbers it was computed from.
SAME_HULL, LAST_DIGITS = 1e-10, 4e-16


class HullSpace(Protocol):
    """The space of the hulls: the products K̂u that the method needs, and its linear systems."""

    cost: float  # Floating point operations of an iteration.

    def pull(self, u: Array) -> Array:
        """Return K̂u."""

    def meet(self, u: Array, squared_distance: float) -> bool:
        """Return True if the two points that u stands for are the same up to rounding."""

    def solver(self, u: Array, s: Array) -> Solver | None:
        """Return a solver of K̂ du - E'drho - ds = lag, s du + u ds = target, E du = balance for (du,
        drho), where E adds up over the classes, or None if rounding leaves no solution."""


@dataclass(eq=False)
class Hulls:
    """The weights u of the nearest points found; `apart` if levels with room between the classes prove it."""

    u: Array
    pulled: Array
    s: Array
    rho: Array
    iterations: int = 0

    @property
    def squared_distance(self) -> float:
        """u'K̂u."""
        return float(self.u @ self.pulled)

    @property
    def apart(self) -> bool:
        """Whether the levels leave room between the classes, which proves that they can be separated."""
        return bool(self.rho.sum() > 0.0)

    @property
    def gap(self) -> float:
        """An upper bound on how much the squared distance can still shrink."""
        return float(self.u @ self.s)


class Gram:
    """Feature space known by the Gram matrix alone."""

    def __init__(self, K: Array, z: Array, touching: float) -> None:
        self.K, self.z, self.touching = K, z, touching
        self.E = np.array([z > 0, z < 0], dtype=np.float64)
        self.cost = len(z) ** 3 / 3

    def pull(self, u: Array) -> Array:
        return np.asarray(self.z * (self.K @ (self.z * u)))

    def meet(self, u: Array, squared_distance: float) -> bool:
        return squared_distance <= self.touching

    def solver(self, u: Array, s: Array) -> Solver | None:
        """Solve (K̂ + D) du = lag + target/u + E'drho with D = s/u."""
        z, E = self.z, self.E
        L = _cholesky(self.K, s / u, float(self.K.diagonal().max()))
        if L is None:
            return None
        Z = z[:, None] * solve(L, (z * E).T)
        T = E @ Z

        def step(target: Array, lag: Array, balance: Array) -> tuple[Array, Array]:
            y = z * solve(L, z * (lag + target / u))
            drho = np.asarray(np.linalg.solve(T, balance - E @ y), dtype=np.float64)
            return y + Z @ drho, drho

        return step


class Features:
    """Feature space known by coordinates: phi_j = scales_j V_j, the columns of V of about the same size.

    Whether hulls meet does not depend on the units of the columns, so it is in V that distances are judged:
    columns of very different size cannot hide each other."""

    def __init__(self, V: Array, z: Array, touching: float, scales: Array | None = None) -> None:
        self.touching = touching
        self.A = z[:, None] * V
        self.E = np.array([z > 0, z < 0], dtype=np.float64)
        self.wide = np.hstack((self.A, -self.E.T))
        self.metric = np.ones(V.shape[1]) if scales is None else np.square(scales)
        self.cost = 2.0 * self.wide.size * self.wide.shape[1]

    def pull(self, u: Array) -> Array:
        return np.asarray(self.A @ (self.metric * (self.A.T @ u)))

    def meet(self, u: Array, squared_distance: float) -> bool:
        w = self.A.T @ u
        return float(w @ w) <= self.touching

    def solver(self, u: Array, s: Array) -> Solver | None:
        """Solve (H + W'Θ W) (dw, drho) = W'g + (0, balance) with W = (A, -E'), Θ = u/s, g = target/s + Θ
        lag and H = 1/metric, zero for rho; then du = target/s - Θ (W (dw, drho) - lag)."""
        W, weights, q = self.wide, u / s, self.A.shape[1]
        rooted = W * np.sqrt(weights)[:, None]
        M = rooted.T @ rooted
        M.flat[: q * (q + 3) : q + 3] += 1.0 / self.metric
        L = _cholesky(M, 0.0, float(M.diagonal().max()))
        if L is None:
            return None

        def step(target: Array, lag: Array, balance: Array) -> tuple[Array, Array]:
            right = W.T @ (target / s + weights * lag)
            right[q:] += balance
            found = solve(L, right)
            return target / s - weights * (W @ found - lag), found[q:]

        return step


def _cholesky(A: Array, diagonal: Array | float, scale: float) -> Array | None:
    """Return the Cholesky factor of A with this added to its diagonal, and a little more where rounding has
    made that indefinite; None if that is not enough."""
    # Relative to the largest of the diagonal: what is added when a factorisation fails.
    ridges = (0.0, 1e-14, 1e-12)
    for ridge in ridges:
        L = factorise(with_ridge(A, diagonal + ridge * scale))
        if L is not None:
            return L
    return None


def nearest_points(space: HullSpace, z: Array, enough: float) -> Generator[float, None, Hulls]:
    """Run Mehrotra's predictor and corrector from the means of the classes.

    Ends when the hulls are seen to meet, or to be apart and the squared distance is known to a fraction
    `enough`; or as far as rounding allows. Yields the work of each iteration."""
    plus = z > 0
    x = _means(space, plus)
    iterations = 60
    for _ in range(iterations):
        with np.errstate(all="ignore"):  # not across the yield: whoever closes this may be another thread
            d2 = x.squared_distance
            if (x.apart and x.gap <= enough * d2) or space.meet(x.u, d2):
                break
            new = _iterated(space, x, plus)
            exhausted = new is None or (x.apart and new.squared_distance > 2.0 * d2)
        yield space.cost
        if new is None or exhausted:
            break  # no digits are left for more
        x = new
    return x


def _means(space: HullSpace, plus: NDArray[np.bool_]) -> Hulls:
    u = np.where(plus, 1.0 / np.count_nonzero(plus), 1.0 / np.count_nonzero(~plus))
    pulled = space.pull(u)
    spread = max(float(np.ptp(pulled[plus])), float(np.ptp(pulled[~plus])), float(u @ pulled))
    rho = np.array([pulled[plus].min(), pulled[~plus].min()]) - 0.1 * spread
    return Hulls(u, pulled, pulled - np.where(plus, *rho), rho)


def _iterated(space: HullSpace, x: Hulls, plus: NDArray[np.bool_]) -> Hulls | None:
    """Return the next iterate, or None if rounding allows no more."""
    u, s, rho = x.u, x.s, x.rho
    solve = space.solver(u, s) if x.gap > 0.0 else None
    if solve is None:
        return None
    lag = s - (x.pulled - np.where(plus, *rho))
    balance = 1.0 - np.array([u[plus].sum(), u[~plus].sum()])
    mu = x.gap / len(u)

    def direction(target: Array) -> tuple[Array, Array, Array]:
        du, drho = solve(target, lag, balance)
        return du, (target - s * du) / u, drho

    du, ds, _ = direction(-u * s)
    ahead = _longest(u, du, s, ds)
    sigma = (float((u + ahead * du) @ (s + ahead * ds)) / x.gap) ** 3
    du, ds, drho = direction(sigma * mu - u * s - du * ds)
    step = min(1.0, TO_THE_BOUND * _longest(u, du, s, ds))
    u, s, rho = u + step * du, s + step * ds, rho + step * drho
    if not (np.isfinite(u).all() and np.isfinite(s).all()) or step < 1e-8:
        return None
    return Hulls(u, space.pull(u), s, rho, x.iterations + 1)


def _longest(u: Array, du: Array, s: Array, ds: Array) -> float:
    """Return the longest step before a weight or its slack vanishes."""
    return float(1.0 / max(1.0, (-du / u).max(), (-ds / s).max()))


@dataclass(frozen=True, eq=False)
class Explicit:
    """Explicit features phi = mean + scales V, with the columns of V between -1 and 1."""

    V: Array
    scales: Array
    doubt: float  # What rounding leaves uncertain in V.

    def space(self, z: Array, true_scale: bool = True) -> Features:
        """Return the space of the hulls; with `true_scale` false all columns count alike, which is the
        safest way to see whether hulls meet."""
        touching = max(SAME_HULL, self.doubt) ** 2
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
        # Ratio of the largest to the smallest column from which on the small ones are hard to see.
        uneven = 1e3
        return bool(self.scales.size and self.scales.max() > uneven * self.scales.min())


def explicit_features(rows: GramRows) -> Explicit | None:
    """Return the features of a kernel that has only few of them."""
    X = rows.X
    # With more columns writing out the features, if there are any, costs more than it can save.
    most_columns = 60
    if not isinstance(X, np.ndarray) or rows.ridge or X.shape[1] > most_columns:
        return None
    phi = rows.kernel.feature_map(X.shape[1])
    most_features = 200
    if phi is None or phi.q > most_features:
        return None
    V = phi(X)
    sizes = np.abs(V).max(axis=0)
    V = V - V.mean(axis=0)
    scales = np.abs(V).max(axis=0)
    kept = scales > 4.0 * LAST_DIGITS * sizes
    doubt = LAST_DIGITS * float((sizes[kept] / scales[kept]).max(initial=0.0))
    return Explicit(V[:, kept] / scales[kept], scales[kept], doubt)


def low_rank(dual: Dual) -> HullSpace | None:
    """Return feature space through a factor of the Gram matrix, or None if its rank is not low."""
    rows, z = dual.rows, dual.p
    touching = rows.touching()
    # What a factor leaves out changes no squared distance by more than four times its largest diagonal entry.
    left_out = 0.1 * touching
    rank_sample = 500  # Points at which the rank is tried first.
    some = np.arange(0, dual.n, max(RANK_PART, -(-dual.n // rank_sample)))
    inputs = pick(rows.X, some)
    if factor(rows.kernel.gram(inputs, inputs), left_out).shape[1] > 0.95 * len(some):
        return None
    V = factor(rows.whole(), left_out)
    return Features(V, z, touching) if RANK_PART * V.shape[1] <= dual.n else None


def whole(dual: Dual) -> HullSpace:
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
