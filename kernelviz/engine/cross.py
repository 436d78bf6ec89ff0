"""Values of a kernel between places and points, kept for other weights of the same points."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["Cross"]

OFTEN = 3
"""Products after which a matrix is worth a look at its rank."""
THIN = 3
"""A factor must have so many times fewer columns than the matrix to be worth having."""
NOTHING, LOST = 1e-15, 2e-14
"""Of the largest row: what the last of U's columns must add, and what factors may lose of it."""


@dataclass(eq=False)
class Cross:
    """K[k, i] = K(x_k, x_i). Smooth kernels make it a product U B of two thin matrices, to all digits."""

    places: object
    """What tells these from others."""
    K: Array
    _used: int = 0
    _factors: tuple[Array, Array] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.K.flags.writeable = False

    def weighed(self, weights: Array) -> Array:
        """K weights."""
        self._used += 1
        if self._used == OFTEN:
            self._factors = factors_of(self.K)
        found: Array = weights
        for factor in (self.K,) if self._factors is None else reversed(self._factors):
            found = factor.dot(found)
        return found


def factors_of(K: Array) -> tuple[Array, Array] | None:
    """U with orthonormal columns and B = U'K, when U B is K up to rounding: a few random combinations of its
    columns then span them all."""
    columns = K.shape[1] // THIN
    if not columns or len(K) < columns:
        return None
    mixed = K @ np.random.Generator(np.random.PCG64(0)).standard_normal((K.shape[1], columns))
    U, R = np.linalg.qr(mixed)
    needed = np.flatnonzero(np.abs(R.diagonal()) > NOTHING * np.abs(R).max())
    U = np.ascontiguousarray(U[:, : int(needed[-1]) + 1]) if len(needed) else U[:, :1]
    B = U.T @ K
    off, size = (np.square(part).sum(axis=1).max() for part in (K - U @ B, K))
    return (U, B) if off <= LOST * LOST * size else None
