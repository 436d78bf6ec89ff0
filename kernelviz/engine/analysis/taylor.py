"""The Gaussian kernel as a sum over the degrees of its monomials."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["taylor_sums"]


def taylor_sums(gamma: float, X: Array, centre: Array, degree: int) -> Array:
    """(degree + 1, n): exp(-γ|x|² - γ|c|²) sum over d <= D of (2γ x·c)^d/d! for D = 0, …, degree.

    The last tends to exp(-γ|x - c|²); each is the inner product of all monomials up to its degree."""
    t = 2.0 * gamma * (X @ centre)
    terms = np.empty((degree + 1, len(X)))
    terms[0] = np.exp(-gamma * (np.square(X).sum(axis=1) + float(centre @ centre)))
    for d in range(1, degree + 1):
        terms[d] = terms[d - 1] * t / d
    return np.asarray(np.cumsum(terms, axis=0))
