"""Random features: cosines whose inner products approach a kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.features import FeatureMap


@dataclass(frozen=True, eq=False)
class RandomCosines(FeatureMap):
    """phi_j(x) = height cos(w_j·x + u_j), with height = sqrt(2 K(0)/q)."""

    frequencies: Array
    phases: Array
    height: float

    @classmethod
    def draw(cls, kernel: Kernel, X: Array, q: int, rng: np.random.Generator) -> RandomCosines:
        """Draw q frequencies from the kernel's spectral density, and phases uniformly on a full turn."""
        W = kernel.frequencies(X.shape[1], q, rng)
        if W is None:
            raise BadInput(
                f"{kernel} has no spectral density, so there are no random features for it. "
                "Choose a kernel of the difference x - x', such as rbf."
            )
        phases = rng.uniform(0.0, 2 * np.pi, q)
        height = float(np.sqrt(2.0 * kernel.diagonal(X[:1])[0] / q))
        names = tuple(rf"\cos(w_{{{j + 1}}} \cdot x + u_{{{j + 1}}})" for j in range(q))

        def compute(points: Array) -> Array:
            return np.asarray(height * np.cos(points @ W.T + phases))

        return cls(names, compute, W, phases, height)

    def on_grid(self, weights: Array, x1: Array, x2: Array) -> Array:
        # cos(a + c) = cos a cos c - sin a sin c separates the two axes: 2 G q cosines instead of G^2 q.
        a = np.outer(x1, self.frequencies[:, 0]) + self.phases
        c = np.outer(x2, self.frequencies[:, 1])
        w = self.height * weights
        return np.asarray((np.cos(c) * w) @ np.cos(a).T - (np.sin(c) * w) @ np.sin(a).T)
