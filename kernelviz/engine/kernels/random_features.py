"""Random features: cosines of random frequencies, whose inner products approach a kernel of x - x'.

By Bochner's theorem K(x, x')/K(0) = E cos(ω·(x - x')) for frequencies ω drawn from the kernel's spectral
density. With q of them and phases u uniform on a full turn, φ_j(x) = √(2K(0)/q) cos(ω_j·x + u_j), and the
error of φ(x)·φ(x') falls as 1/√q."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

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
    def draw(
        cls, kernel: Kernel, X: Array, q: int, rng: np.random.Generator, shifted: bool = True
    ) -> RandomCosines:
        """Draw q frequencies from the kernel's spectral density, and phases uniformly on a full turn; not
        shifted, all phases are 0."""
        W = kernel.frequencies(X.shape[1], q, rng)
        if W is None:
            raise BadInput(
                f"{kernel} has no spectral density, so there are no random features for it. "
                "Choose a kernel of the difference x - x', such as rbf."
            )
        phases = rng.uniform(0.0, 2 * np.pi, q) if shifted else np.zeros(q)
        height = float(np.sqrt(2.0 * kernel.diagonal(X[:1])[0] / q))
        names = tuple(rf"\cos(w_{{{j + 1}}} \cdot x + u_{{{j + 1}}})" for j in range(q))
        return cls(names, partial(_cosines, W, phases, height), W, phases, height)

    def on_grid(self, weights: Array, x1: Array, x2: Array) -> Array:
        # cos(a + c) = cos a cos c - sin a sin c separates the two axes: 2 G q cosines instead of G^2 q.
        a = np.outer(x1, self.frequencies[:, 0]) + self.phases
        c = np.outer(x2, self.frequencies[:, 1])
        w = self.height * weights
        return np.asarray((np.cos(c) * w) @ np.cos(a).T - (np.sin(c) * w) @ np.sin(a).T)


def _cosines(W: Array, phases: Array, height: float, points: Array) -> Array:
    return np.asarray(height * np.cos(points @ W.T + phases))


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


def expected_error(kernel: Kernel, X: Any, q: int) -> float:
    """Return the expected root mean square error: sqrt(mean of (K0² + K0 K(2x, 2x')/2 - K(x, x')²)/q).

    2 cos(a) cos(a') = cos(a - a') + cos(a + a'); over a full turn of the phase the mean of its square is E
    cos²(w·d) + 1/2, and cos² t = (1 + cos 2t)/2."""
    points: Array = kernel.checked(X)
    top = float(kernel.diagonal(points[:1])[0])
    variance = top * top + 0.5 * top * kernel(2.0 * points) - kernel(points) ** 2
    return float(np.sqrt(max(0.0, float(variance.mean())) / q))


def along_first_axis(kernel: Kernel, p: int, distances: Array) -> Array:
    """Return K(x, x')/K(x, x) for two inputs of p numbers that differ by each distance in the first one."""
    places, origin = np.zeros((len(distances), p)), np.zeros((1, p))
    places[:, 0] = distances
    return np.asarray(kernel(places, origin)[:, 0] / kernel.diagonal(origin)[0])


def mean_of_cosines(frequencies: Array, distances: Array) -> Array:
    """Return (1/q) sum_j cos(w_j d) for each distance d; as q grows it tends to `along_first_axis`."""
    return np.asarray(np.cos(np.outer(distances, frequencies)).mean(axis=1))


def spectral_density(kernel: Kernel, p: int, frequencies: Array) -> Array | None:
    """Return the density, at each frequency w, of what random cosines draw for the first input: (1/pi) times
    the integral of K(d)/K(0) cos(w d) over d > 0. By Bochner's theorem it is never negative.

    None for a kernel that does not fall to 0, such as a periodic one, whose frequencies are discrete."""
    reaches = 2.0 ** np.arange(-20, 21)
    beyond = np.outer(reaches, np.linspace(1.0, 4.0, 49))
    values = np.abs(along_first_axis(kernel, p, beyond.ravel())).reshape(beyond.shape)
    far = 1e-5  # A share of K(x, x) that counts as nothing.
    large = np.flatnonzero((values >= far).any(axis=1))
    if not len(large) or large[-1] + 1 == len(reaches):
        return None
    nodes = 4097  # Of an integral up to where K is that small.
    d = np.linspace(0.0, reaches[large[-1] + 1], nodes)
    K = along_first_axis(kernel, p, d)
    K[[0, -1]] *= 0.5  # the trapezium rule
    return np.asarray(np.cos(np.outer(frequencies, d)) @ K * (d[1] / np.pi))
