"""Solving with a symmetric positive definite matrix, without making the first fit wait for scipy."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["PositiveSolver", "half_solve", "positive_solver"]

SMALL = 128
"""Rows up to which numpy stands in until scipy is loaded: importing it takes longer than such a fit."""


class PositiveSolver(Protocol):
    """LAPACK's dposv: (factor, X, info) with A X = B; info is not 0 when A is not positive definite."""

    def __call__(
        self, a: Array, b: Array, lower: int = ..., overwrite_a: int = ..., overwrite_b: int = ...
    ) -> tuple[Any, Array, int]: ...


def positive_solver(size: int) -> PositiveSolver:
    """dposv itself, or numpy in its place for a small matrix while scipy is not loaded yet."""
    if size <= SMALL and "scipy.linalg.lapack" not in sys.modules:
        return _by_numpy
    return _lapack()


@lru_cache(maxsize=1)
def _lapack() -> PositiveSolver:
    from scipy.linalg.lapack import dposv

    solver: PositiveSolver = dposv
    return solver


def _by_numpy(
    a: Array, b: Array, lower: int = 0, overwrite_a: int = 0, overwrite_b: int = 0
) -> tuple[Any, Array, int]:
    try:
        factor = np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        return None, b, 1
    return factor, np.linalg.solve(factor.T, np.linalg.solve(factor, b)), 0


def half_solve(factor: Any, b: Array, transposed: bool = False) -> Array:
    """L^-1 B or L^-T B, from the lower factor A = LL' that a positive solver returned."""
    if "scipy.linalg.lapack" not in sys.modules:
        return np.asarray(np.linalg.solve(factor.T if transposed else factor, b), dtype=np.float64)
    from scipy.linalg.lapack import dtrtrs

    solved: Array = dtrtrs(factor, b, lower=1, trans=int(transposed))[0]
    return solved
