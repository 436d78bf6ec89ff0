"""The eigendecomposition of a Gram matrix, K = V diag(κ) V', which serves every λ.

(K + λI)⁻¹ y = V (V'y / (κ + λ)): after n³ operations once, each further λ costs n²."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.cholesky import factorise, half_solve, solve, with_ridge


@dataclass(frozen=True, eq=False)
class GramSpectrum:
    """K = V diag(values) V', computed once; then every lambda and every target costs a few products.

        spectrum = GramSpectrum.of(K)
        spectrum.solve(y, 0.1)          # (K + 0.1 I)⁻¹ y

    Eigenvalues that are rounding errors are 0."""

    values: Array  # Ascending.
    vectors: Array
    _last: list[tuple[Array, Array]] = field(default_factory=list)

    @classmethod
    def of(cls, K: Array) -> GramSpectrum:
        """Return the eigenvalues and eigenvectors of a symmetric K, which costs about 10 n³ operations."""
        values, vectors = np.linalg.eigh(K)
        # An eigenvalue within rounding of zero is zero: below it lam would meet noise of either sign.
        noise = len(K) * np.finfo(np.float64).eps * float(np.abs(values).max())
        return cls(np.where(np.abs(values) <= noise, 0.0, values), vectors)

    @cached_property
    def largest(self) -> float:
        """The largest |eigenvalue|."""
        return max(float(self.values[-1]), -float(self.values[0]))

    def solve(self, y: Array, lam: float) -> Array:
        """Return beta = (K + lam I)^-1 y."""
        shifted = self.values + lam
        nothing = 1e-14 * self.largest
        if self.values[0] < 0.0 or lam <= nothing:
            # An indefinite kernel can bring an eigenvalue to -lam; along it there is no solution.
            shifted[np.abs(shifted) <= nothing] = np.inf
        beta: Array = self.vectors.dot(np.divide(self.along(y), shifted, out=shifted))
        return beta

    def along(self, y: Array) -> Array:
        """Return V'y, kept for the next lambda."""
        known = self._last[0] if self._last else None
        if known is None or known[0] is not y:
            known = y, y @ self.vectors
            self._last[:] = [known]
        return known[1]


def shrinking(K: Array, lam: float) -> Array:
    """Return H = K (K + lam I)^-1, by Cholesky, or by eigenvectors where that has no digits left."""
    L = factorise(with_ridge(K, lam)) if lam > 0.0 else None
    if L is not None:
        return solve(L, K)
    spectrum = GramSpectrum.of(K)
    shifted = spectrum.values + lam
    shares = np.divide(spectrum.values, shifted, out=np.zeros_like(shifted), where=shifted != 0.0)
    return np.asarray((spectrum.vectors * shares) @ spectrum.vectors.T)


def inverse_diagonal(K: Array, lam: float) -> Array:
    """Return the diagonal of (K + lam I)^-1, by Cholesky, or by eigenvectors if that matrix is indefinite."""
    L = factorise(with_ridge(K, lam))
    if L is not None:
        return np.asarray(np.square(half_solve(L, np.eye(len(K), order="F"))).sum(axis=0))
    spectrum = GramSpectrum.of(K)
    shifted = spectrum.values + lam
    shares = np.divide(1.0, shifted, out=np.zeros_like(shifted), where=shifted != 0.0)
    return np.asarray(np.square(spectrum.vectors) @ shares)
