"""Solve linear systems with a symmetric positive definite matrix A, by its Cholesky factor L with A = LL'.

    L = factorise(with_ridge(K, lam))       # None if K + lam I is not positive definite
    beta = solve(L, y)                      # (K + lam I)^-1 y

LAPACK is called by way of scipy, in every fit: numpy's rounds in another way, and what is nearly singular
would depend on which of the two was loaded."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array

FEW_ROWS = 32  # Rows that are not worth a division into halves of that size.

ROUTINES = "scipy.linalg._flapack"  # The extension that scipy.linalg.lapack takes its functions from.


def with_ridge(A: Array, ridge: Array | float) -> Array:
    """Return A + ridge I as a new matrix; `ridge` is one number, or one for each row."""
    shifted = A.copy()
    shifted.flat[:: len(A) + 1] += ridge
    return shifted


def factorise(A: Array) -> Array | None:
    """Return the lower L with A = LL', in the memory of A, or None if A is not positive definite.

    Above its diagonal L may hold anything."""
    # A is symmetric, so its transpose is the column-major matrix LAPACK can work on in place.
    factor, failed = _lapack()[0](A.T, lower=1, clean=0, overwrite_a=1)
    return None if failed else factor


def half_solve(L: Array, B: Array, transposed: bool = False) -> Array:
    """Return L^-1 B or L^-T B, in the memory of B where its columns are contiguous."""
    solved: Array = _lapack()[1](L, B, lower=1, trans=int(transposed), overwrite_b=1)[0]
    return solved


@lru_cache(maxsize=1)
def _lapack() -> tuple[Any, Any]:
    """Return LAPACK's dpotrf and dtrtrs."""
    routines = sys.modules.get(ROUTINES) or _loaded_alone()
    return routines.dpotrf, routines.dtrtrs


def _loaded_alone() -> Any:
    """Return the extension without the rest of scipy.linalg, which takes 100 ms to load and this one 3."""
    import scipy

    spec = PathFinder.find_spec(ROUTINES, [str(Path(folder) / "linalg") for folder in scipy.__path__])
    if spec is None or spec.loader is None:
        from scipy.linalg import lapack

        return lapack
    routines: ModuleType = module_from_spec(spec)
    spec.loader.exec_module(routines)
    return sys.modules.setdefault(ROUTINES, routines)


def solve(L: Array, B: Array) -> Array:
    """Return A^-1 B for A = LL'."""
    return half_solve(L, half_solve(L, B.copy(order="F")), transposed=True)


def inverse(L: Array) -> Array:
    """Return the lower half of A^-1 for A = LL'; the entries above the diagonal are arbitrary numbers."""
    from scipy.linalg.blas import dtrmm
    from scipy.linalg.lapack import dlauum, dtrtri

    def inverted(L: Array) -> Array:
        """Return L^-1 by halves: the inverse of [[P, 0], [Q, R]] is [[P^-1, 0], [-R^-1 Q P^-1, R^-1]]. Matrix
        products are much faster than LAPACK's own routine."""
        half = len(L) // 2
        if half <= FEW_ROWS:
            return np.asarray(dtrtri(L, lower=1)[0])
        P, R = inverted(L[:half, :half]), inverted(L[half:, half:])
        Q = dtrmm(-1.0, R, L[half:, :half], lower=1)
        found = np.zeros_like(L)  # not empty: entries above the diagonal are multiplied by 0 later
        found[:half, :half], found[half:, half:] = P, R
        found[half:, :half] = dtrmm(1.0, P, Q, side=1, lower=1, overwrite_b=1)
        return found

    lower: Array = dlauum(inverted(L), lower=1, overwrite_c=1)[0]
    return lower
