"""How well random cosines approximate a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.features import RandomCosines
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem


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


def exact_limit(problem: Problem, algorithm: Algorithm, lam: float) -> KernelModel:
    """Return the limit of least squares on random features as q grows: min sum_i (y_i - s(x_i))² + lam
    |w|² with the kernel itself and b without penalty."""
    n = problem.n
    y = problem.data.target
    assert y is not None
    system = np.ones((n + 1, n + 1))
    system[:n, :n] = problem.gram + lam * np.eye(n)
    system[n, n] = 0.0
    solved = np.linalg.solve(system, np.append(y, 0.0))
    return KernelModel(problem, algorithm, Status.CONVERGED, "", 1, solved[:n], float(solved[n]))
