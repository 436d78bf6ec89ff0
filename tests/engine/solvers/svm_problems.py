"""Problems and yardsticks that the tests of the support vector machines share."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.dot_products import Linear, Polynomial
from kernelviz.engine.kernels.gaussian import Gaussian

__all__ = ["KERNELS", "clouds", "gap_of", "ring", "separable", "weights_of"]

KERNELS: dict[str, tuple[Kernel, dict[str, Any]]] = {
    "wide": (Gaussian(gamma=0.3), {"kernel": "rbf", "gamma": 0.3}),
    "narrow": (Gaussian(gamma=10.0), {"kernel": "rbf", "gamma": 10.0}),
    "linear": (Linear(), {"kernel": "linear"}),
    "cubic": (
        Polynomial(degree=3, gamma=0.5, c=1.0),
        {"kernel": "poly", "degree": 3, "gamma": 0.5, "coef0": 1.0},
    ),
}
"""Ours and the same for scikit-learn."""


def clouds(seed: int, n: int = 60, apart: float = 0.7) -> Data:
    """Two overlapping clouds of unequal size."""
    rng = np.random.default_rng(seed)
    z = np.where(rng.uniform(size=n) < 0.4, 1, -1)
    z[:2] = 1, -1
    return Data.labelled(rng.normal(size=(n, 2)) + apart * z[:, None], z)


def ring(seed: int, n: int = 80) -> Data:
    """A disc inside a noisy ring."""
    rng = np.random.default_rng(seed)
    z = np.where(np.arange(n) % 2, 1, -1)
    angle, radius = rng.uniform(0, 2 * np.pi, n), np.where(z > 0, 0.4, 1.0) + 0.15 * rng.normal(size=n)
    return Data.labelled(np.c_[radius * np.cos(angle), radius * np.sin(angle)], z)


def separable(seed: int, n: int = 60, gap: float = 0.4) -> Data:
    """Clouds pushed apart along a slanted line."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    z = np.where(X @ [1.0, 0.5] > 0, 1, -1)
    z[:2] = 1, -1
    X[:2] = [1.0, 0.0], [-1.0, 0.0]
    return Data.labelled(X + gap * z[:, None] * [1.0, 0.5], z)


def gap_of(K: np.ndarray, z: np.ndarray, beta: np.ndarray, C: float) -> float:
    """The KKT violation of a C-SVM from its definition, sharing no code with the solver."""
    g = K @ beta - z
    alpha = beta * z
    can_grow = ((z > 0) & (alpha < C)) | ((z < 0) & (alpha > 0))
    can_shrink = ((z > 0) & (alpha > 0)) | ((z < 0) & (alpha < C))
    return float(g[can_shrink].max(initial=-np.inf) - g[can_grow].min(initial=np.inf))


def weights_of(peer: Any, n: int) -> np.ndarray:
    """The signed weights of all n points in a machine of scikit-learn."""
    weights = np.zeros(n)
    weights[peer.support_] = peer.dual_coef_[0]
    return weights
