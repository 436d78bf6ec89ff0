"""Exponential decay, fast."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["decay", "farthest"]


def farthest(u: Array) -> float:
    """The largest u whose exp(-u) is told from zero in u's precision."""
    return 300.0 if u.dtype == np.float64 else 85.0


def decay(u: Array, rate: float = 1.0) -> Array:
    """exp(-rate u), never below 1e-130 (1e-37 in single precision).

    Numbers beneath the smallest normal float take the processor up to a hundred times longer. Narrow kernels
    have many, and in a factorisation it is the products of two entries that must stay above it."""
    exponent = u * -rate
    least = -farthest(u)
    if exponent.size and not exponent.item(exponent.argmin()) >= least:
        np.fmax(exponent, least, out=exponent)
    return np.exp(exponent, out=exponent)
