"""How well random cosines approximate a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.random_cosines import RandomCosines

__all__ = ["ApproximationError", "approximation_error"]


@dataclass(frozen=True)
class ApproximationError:
    """Errors of phi(x)·phi(x') against K(x, x') over all pairs; both shrink as 1/sqrt(q)."""

    q: int
    root_mean_square: float
    largest: float


def approximation_error(kernel: Kernel, X: Any, q: int, seed: int = 0) -> ApproximationError:
    """Compare q random features with the kernel on the rows of X."""
    points: Array = kernel.checked(X)
    phi = RandomCosines.draw(kernel, points, q, np.random.Generator(np.random.PCG64(seed)))(points)
    error = phi @ phi.T - kernel(points)
    return ApproximationError(q, float(np.sqrt(np.mean(error**2))), float(np.abs(error).max()))
