"""Bases in which a linear model is fitted: explicit features, the kernel expansion, or a low-rank factor.

A Newton step needs scores, inner products and the solution of a weighted ridge problem. Each basis computes
these in its own coefficients c, so that one method serves all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.cholesky import factorise, half_solve, solve

EPSILON = 1e-15  # Of a term: its rounding error, with that of a kernel of several factors.

# How often what is left of linear equations is solved for once more, and the share of the slopes that needs
# no correction.
CORRECTIONS, LEFT = 2, 1e-9
# From so many points on a factor is worth while, of a rank of at most this part of their number.
LARGE, PARTS = 700, 5
# After each so many columns a factor is given up when, at the pace so far, it will need this many times too
# many, at the end fewer: with a narrow kernel that is soon, and smooth ones gain speed.
PACE, HOPE = 32, 4.0


class Basis(Protocol):
    """Coefficients c of a linear function without offset, with its scores, inner products and ridge
    solutions."""

    @property
    def size(self) -> int:
        """The number of coefficients."""
        ...

    def scores(self, c: Array) -> Array:
        """Return w·phi(x_i) for all training points."""
        ...

    def inner(self, c: Array, d: Array, scores_of_d: Array) -> float:
        """Return the inner product of two functions with coefficients c and d."""
        ...

    def errors(self, c: Array) -> tuple[Array, float]:
        """Return the error to expect in each score, and in the inner product of c with itself.

        Every term has a rounding error of its own, and they add up as random steps."""
        ...

    def of_points(self, beta: Array) -> Array:
        """Return the coefficients of sum_i beta_i phi(x_i)."""
        ...

    def lengths(self) -> Array:
        """Return |phi(x_i)|² of all training points."""
        ...

    def weighted_ridge(self, weight: Array, slope: Array, scores: Array, lam: float) -> tuple[Array, float]:
        """Return (c, b) that minimise sum_i [weight_i/2 (f_i - s_i)^2 - slope_i (f_i - s_i)] + lam/2 |w|^2

        over f = w·phi + b, with s the present scores: the quadratic model of a Newton step."""
        ...


class DualBasis:
    """The kernel expansion w = sum_i c_i phi(x_i), by the Gram matrix K: one coefficient for each point.

    For n points a ridge solution costs n³/3 operations, whatever the number of features."""

    def __init__(self, K: Array) -> None:
        self.K = K
        self.size = len(K)

    def scores(self, c: Array) -> Array:
        return np.asarray(self.K @ c)

    def inner(self, c: Array, d: Array, scores_of_d: Array) -> float:
        return float(c @ scores_of_d)

    def errors(self, c: Array) -> tuple[Array, float]:
        with np.errstate(over="ignore"):
            terms = self.K * c
            errors = EPSILON * np.sqrt(np.einsum("ij,ij->i", terms, terms))  # `norm` takes twice as long
            return errors, float(np.linalg.norm(c * errors))

    def of_points(self, beta: Array) -> Array:
        return beta

    def lengths(self) -> Array:
        return np.abs(self.K.diagonal())

    def weighted_ridge(self, weight: Array, slope: Array, scores: Array, lam: float) -> tuple[Array, float]:
        # Stationary: (lam + W K) c + W b = slope + W s and sum c = 0. The weights of points far away are many
        # digits smaller than others: what the first solution leaves of the equations is solved for once more.
        right = slope + weight * scores
        solved = self._inverse(weight, lam)
        unit = solved(weight)
        total = float(unit.sum())
        c, b, left = np.zeros(self.size), 0.0, right
        for _ in range(1 + CORRECTIONS):
            d = solved(left)
            db = float(d.sum() + c.sum()) / total if total != 0.0 else 0.0
            c, b = c + d - db * unit, b + db
            left = right - lam * c - weight * (self.K @ c + b)
            if (np.abs(left) <= LEFT * np.abs(slope)).all():
                break
        return c, b

    def _inverse(self, weight: Array, lam: float) -> Callable[[Array], Array]:
        """Return the function that maps r to (lam + W K)^-1 r."""
        # With S = sqrt(weight) and B = I + SKS/lam, never smaller than I for a kernel: S B^-1 S^-1 r/lam.
        S = np.sqrt(weight)
        B = self.K * S
        B *= (S / lam)[:, None]
        B.flat[:: self.size + 1] += 1.0
        L = factorise(B.copy())
        if L is None:
            inverse = np.linalg.inv(B)

            def solved(r: Array) -> Array:
                with np.errstate(over="ignore", invalid="ignore"):
                    found: Array = S * (inverse @ (r / S)) / lam
                if not np.isfinite(found).all():
                    raise np.linalg.LinAlgError
                return found

            return solved
        return lambda r: S * solve(L, r / S) / lam


class PrimalBasis:
    """w = c on explicit features Phi, of shape (n, q): one coefficient for each feature.

    A ridge solution costs n q² operations, which is less than for `DualBasis` if features are few."""

    def __init__(self, Phi: Array) -> None:
        self.Phi = Phi
        self.size = Phi.shape[1]

    def scores(self, c: Array) -> Array:
        return np.asarray(self.Phi @ c)

    def inner(self, c: Array, d: Array, scores_of_d: Array) -> float:
        return float(c @ d)

    def errors(self, c: Array) -> tuple[Array, float]:
        return EPSILON * np.linalg.norm(self.Phi * c, axis=1), EPSILON * float(c @ c)

    def of_points(self, beta: Array) -> Array:
        return np.asarray(beta @ self.Phi)

    def lengths(self) -> Array:
        return np.asarray(np.square(self.Phi).sum(axis=1))

    def weighted_ridge(self, weight: Array, slope: Array, scores: Array, lam: float) -> tuple[Array, float]:
        # About the weighted means the offset drops out: (F'WF + lam I) w = F'(W s + slope).
        total = float(weight.sum())
        centre = weight @ self.Phi / total
        F = self.Phi - centre
        moment = weight * scores + slope
        mean = float(moment.sum()) / total
        H = F.T @ (weight[:, None] * F)
        H.flat[:: self.size + 1] += lam
        c = _solve(H, F.T @ (moment - mean * weight))
        return c, mean - float(centre @ c)


def _solve(A: Array, right: Array) -> Array:
    """Return A^-1 right for a symmetric A, by Cholesky, or by elimination if A is not positive definite."""
    L = factorise(A.copy())
    if L is None:
        return np.asarray(np.linalg.solve(A, right), dtype=np.float64)
    return half_solve(L, half_solve(L, right.copy()), transposed=True)


def balanced(alpha: Array, z: Array, w: Array | float = 1.0) -> Array:
    """Return dual weights with sum w alpha z = 0, as an unpenalised offset requires: the heavier class is
    scaled down."""
    whole = w * alpha
    plus, minus = float(whole[z > 0].sum()), float(whole[z < 0].sum())
    lighter = min(plus, minus)
    if lighter == 0.0:
        return np.zeros(len(alpha))
    return np.asarray(alpha * np.where(z > 0, lighter / plus, lighter / minus))


class LowRankBasis(DualBasis):
    """w = sum_i c_i phi(x_i) by the Gram matrix K, with a factor V, K ≈ VV', to solve its linear systems."""

    def __init__(self, K: Array, V: Array) -> None:
        super().__init__(K)
        self.V = V

    def _inverse(self, weight: Array, lam: float) -> Callable[[Array], Array]:
        # With VV' for K, and M = lam I + V'WV, (lam + W VV')^-1 r = (r - W V M^-1 V'r)/lam.
        V = self.V
        M = V.T @ (weight[:, None] * V)
        M.flat[:: len(M) + 1] += lam
        L = factorise(M)
        if L is None:
            raise np.linalg.LinAlgError
        return lambda r: (r - weight * (V @ solve(L, V.T @ r))) / lam


def dual_basis(K: Array, lam: float, positive_definite: bool) -> DualBasis:
    """Return the cheaper basis for penalties of lam or more and loss curvatures of at most a quarter."""
    n = len(K)
    if not positive_definite or n < LARGE:
        return DualBasis(K)
    # Leaving out E with entries of at most e changes lam + W K by at most n e/4 of lam.
    scale = float(K.diagonal().max())
    # By how much each correction reduces an error, and the least part of the diagonal a factor can leave out.
    close, digits = 1e-5, 1e-13
    left_out = max(4.0 * close * lam / n, digits * scale)
    if n * left_out > 1e-2 * lam:
        return DualBasis(K)
    V = partial_cholesky(K, left_out, n // PARTS)
    return DualBasis(K) if V is None else LowRankBasis(K, V)


def partial_cholesky(K: Array, left_out: float, most: int) -> Array | None:
    """Return V with K = VV' up to a positive semi-definite rest whose diagonal is at most `left_out`.

    None if that takes more than `most` columns. Each comes from the row where most is left."""
    rest = K.diagonal().copy()
    first = float(rest.max(initial=0.0))
    rows = np.empty((most, len(K)))  # V', which grows by rows
    for k in range(most):
        i = int(rest.argmax())
        if rest[i] <= left_out:
            return np.ascontiguousarray(rows[:k].T)
        if k and k % PACE == 0:
            needed = k * np.log(first / left_out) / max(np.log(first / rest[i]), 1e-300)
            if needed > HOPE * most - (HOPE - 1.0) * k:
                return None
        row = rows[k]
        np.subtract(K[i], rows[:k, i] @ rows[:k], out=row)
        row /= np.sqrt(rest[i])
        rest -= np.square(row)
        rest[i] = 0.0
    return None
