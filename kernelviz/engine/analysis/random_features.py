"""How well random cosines approximate a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.errors import BadInput
from kernelviz.engine.kernels.base import Kernel

__all__ = ["ApproximationError", "approximation_error", "random_cosines"]


@dataclass(frozen=True)
class ApproximationError:
    """Errors of phi(x)·phi(x') against K(x, x') over all pairs; both shrink as 1/sqrt(q)."""

    q: int
    root_mean_square: float
    largest: float


def random_cosines(kernel: Kernel, X: Array, q: int, rng: np.random.Generator) -> Array:
    """phi(x) = sqrt(2 K(0)/q) cos(W x + u), W from the spectral density, u uniform on a full turn: (n, q)."""
    W = kernel.frequencies(X.shape[1], q, rng)
    if W is None:
        raise BadInput(f"{kernel} has no spectral density, so there are no random features for it.")
    phase = rng.uniform(0.0, 2 * np.pi, q)
    height = np.sqrt(kernel.diagonal(X[:1])[0])
    return np.asarray(height * np.sqrt(2.0 / q) * np.cos(X @ W.T + phase))


def approximation_error(kernel: Kernel, X: Any, q: int, seed: int = 0) -> ApproximationError:
    """Compare q random features with the kernel on the rows of X."""
    points: Array = kernel.checked(X)
    phi = random_cosines(kernel, points, q, np.random.Generator(np.random.PCG64(seed)))
    error = phi @ phi.T - kernel(points)
    return ApproximationError(q, float(np.sqrt(np.mean(error**2))), float(np.abs(error).max()))
