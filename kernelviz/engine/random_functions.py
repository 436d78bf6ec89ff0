"""Functions drawn from a Gaussian process before it has seen points, the same wherever one looks at them."""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np

from kernelviz.engine.algebra import Product, Scaled, Sum
from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.kernels.base import Kernel

__all__ = ["random_functions"]

FEATURES = 256
"""Random features in one function: enough that their sum is as good as normal."""

DEGREE = 40
"""Of the power series of a kernel that has neither a spectral density nor finitely many features."""

LARGEST = 1e100
"""No value beyond this: what is computed from it must still be a number."""


def random_functions(kernel: Kernel, X: Array, count: int, seed: int) -> Array | None:
    """(count, len(X)): f = sum_j z_j / sqrt(q) with q random features z of the kernel, each f its own.

    E f(x) f(x') = K(x, x'). The features do not depend on X: the same seed is the same function, whatever
    part of it is looked at. None for a kernel of which no features are known."""
    return _drawn(kernel, read_only(X).tobytes(), X.shape[1], count, seed)


@lru_cache(maxsize=4)  # while a point is dragged kernel and places stay the same
def _drawn(kernel: Kernel, content: bytes, p: int, count: int, seed: int) -> Array | None:
    X, functions = np.frombuffer(content).reshape(-1, p), []
    for i in range(count):
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            z = _features(kernel, X, np.random.Generator(np.random.PCG64([seed, i])))
            if z is None:
                return None
            functions.append(z.sum(axis=1) / np.sqrt(FEATURES))
    return read_only(np.clip(np.nan_to_num(np.array(functions)), -LARGEST, LARGEST))


def _features(kernel: Kernel, X: Array, rng: np.random.Generator) -> Array | None:
    """(len(X), FEATURES): independent random functions z with mean 0 and E z(x) z(x') = K(x, x').

    Of a sum they are the sums of the terms', of a product the products of the factors'."""
    if isinstance(kernel, Sum | Product | Scaled):
        drawn = [_features(part, X, rng) for part in kernel.parts]
        parts = [z for z in drawn if z is not None]
        if len(parts) < len(drawn):
            return None
        if isinstance(kernel, Scaled):
            return np.asarray(np.sqrt(kernel.scale) * parts[0])
        return np.asarray(sum(parts) if isinstance(kernel, Sum) else prod(parts))
    p = X.shape[1]
    if (W := kernel.frequencies(p, FEATURES, rng)) is not None:
        height = np.sqrt(2.0 * kernel.diagonal(np.zeros((1, p)))[0])
        return np.asarray(height * np.cos(X @ W.T + rng.uniform(0.0, 2 * np.pi, FEATURES)))
    if (series := kernel.taylor_features(p, DEGREE)) is None:
        return None
    return np.asarray(series.compute(X) @ rng.standard_normal((series.q, FEATURES)))
