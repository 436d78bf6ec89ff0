"""The kernel as a function of one input, K(x₀, ·), and its Taylor parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Method, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem


def taylor_sums(gamma: float, X: Array, centre: Array, degree: int) -> Array:
    """Return (degree + 1, n): exp(-γ|x|² - γ|c|²) sum over d <= D of (2γ x·c)^d/d! for D = 0, …, degree.

    The last tends to exp(-γ|x - c|²); each is the inner product of all monomials up to its degree."""
    t = 2.0 * gamma * (X @ centre)
    terms = np.empty((degree + 1, len(X)))
    terms[0] = np.exp(-gamma * (np.square(X).sum(axis=1) + float(centre @ centre)))
    for d in range(1, degree + 1):
        terms[d] = terms[d - 1] * t / d
    return np.asarray(np.cumsum(terms, axis=0))


def response(kernel: Kernel, centres: Any, algorithm: Method) -> KernelModel:
    """Return Σ_c K(c, ·) as a model."""
    problem = Problem(Data.unlabelled(centres), kernel)
    return KernelModel(problem, algorithm, Status.CONVERGED, "", 0, np.ones(problem.n), 0.0, blur=None)


def unfitted(data: Data, kernel: Kernel, algorithm: Method) -> KernelModel:
    """Return a model with score 0 for points without a fit, for views that need only the kernel."""
    return KernelModel(Problem(data, kernel), algorithm, Status.LIMIT, "", 0, np.zeros(data.n), 0.0)
