"""Two ways to write the same linear function: as a sum over points, or as weights on explicit features.

A score is s(x) = b + w·phi(x). In the *dual* basis w = sum_i c_i phi(x_i) and only inner products are
needed: scores are K c and |w|^2 = c'Kc. In the *primal* basis c is w itself. An algorithm written once in
terms of a basis serves kernels and explicit features alike.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.solvers.cholesky import factorise, half_solve

__all__ = ["Basis", "DualBasis", "PrimalBasis", "balanced"]


class Basis(Protocol):
    """Coefficients c of a linear function without offset, and what can be asked of them."""

    @property
    def size(self) -> int:
        """The number of coefficients."""
        ...

    def scores(self, c: Array) -> Array:
        """w·phi(x_i) for all training points."""
        ...

    def inner(self, c: Array, d: Array, scores_of_d: Array) -> float:
        """The inner product of two functions with coefficients c and d."""
        ...

    def weighted_ridge(self, weight: Array, slope: Array, scores: Array, lam: float) -> tuple[Array, float]:
        """(c, b) that minimise sum_i [weight_i/2 (f_i - s_i)^2 - slope_i (f_i - s_i)] + lam/2 |w|^2

        over f = w·phi + b, with s the present scores: the quadratic model of a Newton step."""
        ...


class DualBasis:
    """w = sum_i c_i phi(x_i), by the Gram matrix K."""

    def __init__(self, K: Array) -> None:
        self.K = K
        self.size = len(K)

    def scores(self, c: Array) -> Array:
        return np.asarray(self.K @ c)

    def inner(self, c: Array, d: Array, scores_of_d: Array) -> float:
        return float(c @ scores_of_d)

    def weighted_ridge(self, weight: Array, slope: Array, scores: Array, lam: float) -> tuple[Array, float]:
        # Stationary: lam c = slope + weight (s - b - Kc) and sum c = 0. With S = sqrt(weight) and
        # B = I + SKS/lam (never smaller than I for a kernel) that is lam c = S B^-1 (S(s - b) + slope/S).
        S = np.sqrt(weight)
        B = self.K * S
        B *= (S / lam)[:, None]
        B.flat[:: self.size + 1] += 1.0
        solved = S[:, None] * _solve(B, np.column_stack([S * scores + slope / S, S]))
        total = float(solved[:, 1].sum())
        b = float(solved[:, 0].sum()) / total if total > 0 else 0.0
        return (solved[:, 0] - b * solved[:, 1]) / lam, b


class PrimalBasis:
    """w = c on explicit features Phi, one row for each point."""

    def __init__(self, Phi: Array) -> None:
        self.Phi = Phi
        self.size = Phi.shape[1]

    def scores(self, c: Array) -> Array:
        return np.asarray(self.Phi @ c)

    def inner(self, c: Array, d: Array, scores_of_d: Array) -> float:
        return float(c @ d)

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
    """A^-1 right for a symmetric A: by Cholesky, or by elimination where A is not positive definite."""
    L = factorise(A.copy())
    if L is None:
        return np.asarray(np.linalg.solve(A, right), dtype=np.float64)
    return half_solve(L, half_solve(L, right.copy()), transposed=True)


def balanced(alpha: Array, z: Array) -> Array:
    """Dual weights with sum alpha z = 0, as an unpenalised offset asks: the heavier class scaled down."""
    plus, minus = float(alpha[z > 0].sum()), float(alpha[z < 0].sum())
    lighter = min(plus, minus)
    if lighter == 0.0:
        return np.zeros(len(alpha))
    return np.asarray(alpha * np.where(z > 0, lighter / plus, lighter / minus))
