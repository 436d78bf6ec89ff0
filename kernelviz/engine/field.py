"""Sums of kernels on a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kernelviz.engine.arrays import Array

if TYPE_CHECKING:
    from kernelviz.engine.kernels.base import Kernel

__all__ = ["field"]

CHUNK = 4096


def field(
    kernel: Kernel, points: Array, weights: Array, x1: Array, x2: Array, dtype: Any = np.float64
) -> Array:
    """F[k, l] = sum_i weights_i K(points_i, (x1_l, x2_k)), node by node in chunks that fit the cache."""
    nodes = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    F = np.empty(len(nodes))
    for begin in range(0, len(nodes), CHUNK):
        F[begin : begin + CHUNK] = kernel.gram(nodes[begin : begin + CHUNK], points) @ weights
    return F.reshape(len(x2), len(x1))
