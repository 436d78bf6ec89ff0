"""The likelihood of a Gaussian process, its gradient, and where it is largest.

ln p(y) = -1/2 y'A^-1 y - 1/2 ln det A - n/2 ln 2π,   A = K + noise I,
d ln p(y)/dθ = 1/2 tr((ββ' - A^-1) dA/dθ),            β = A^-1 y.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from math import log, pi
from typing import TYPE_CHECKING

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.errors import BadInput
from kernelviz.engine.families.widths import clipped
from kernelviz.engine.generators import finished
from kernelviz.engine.kernels.base import Kernel, ParameterPath
from kernelviz.engine.pairs import Pairs
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.cholesky import factorise, inverse, solve
from kernelviz.engine.solvers.climbing import climbing

if TYPE_CHECKING:
    from kernelviz.engine.algorithms.gaussian_process import GaussianProcess

__all__ = ["Likelihood", "climb_likelihood", "likelihood", "maximise_likelihood"]


@dataclass(frozen=True)
class Likelihood:
    """ln p(y), and its derivatives by the kernel's parameters and by the variance of the noise."""

    value: float
    by_parameter: dict[ParameterPath, float]
    by_noise: float


def likelihood(pairs: Pairs, y: Array, kernel: Kernel, noise: float) -> Likelihood | None:
    """At these parameters; None where K + noise I is not positive definite, as far as rounding can tell."""
    with np.errstate(over="ignore", invalid="ignore"):
        K, slopes = kernel.differentiated(pairs)
        A = pairs.upper(K)
        A.flat[:: len(A) + 1] += noise
        L = factorise(A)
    if L is None:
        return None
    beta = solve(L, y)
    value = -0.5 * float(y @ beta) - float(np.log(L.diagonal()).sum()) - 0.5 * len(y) * log(2.0 * pi)
    if not np.isfinite(value):
        return None
    lower = inverse(L)
    by_parameter = {path: 0.5 * d for path, d in slopes(pairs.weights(beta, lower)).items()}
    return Likelihood(value, by_parameter, 0.5 * float(beta @ beta - np.trace(lower)))


def climb_likelihood(
    problem: Problem, algorithm: GaussianProcess
) -> Generator[float, None, tuple[Kernel, GaussianProcess]]:
    """Uphill from the given parameters until nothing improves, those that cannot be negative by their
    logarithms. Yields after each evaluation, with a share done that only approaches 1."""
    pairs, y = Pairs(problem.kernel.checked(problem.X)), problem.y
    first = likelihood(pairs, y, problem.kernel, algorithm.noise)
    if first is None:
        raise BadInput("The likelihood cannot be computed here: give more noise, or another kernel.")
    noise = algorithm.parameter("noise")
    paths = [path for path in first.by_parameter if _can_move(problem.kernel, path)]
    declared = [problem.kernel.declared(path) for path in paths] + [noise]
    by_log = np.array([p.low >= 0.0 for p in declared])

    def parameters(x: Array) -> tuple[Kernel, float]:
        values = np.where(by_log, np.exp(np.where(by_log, x, 0.0)), x).tolist()
        kernel = problem.kernel
        for path, value, parameter in zip(paths, values, declared, strict=False):
            kernel = kernel.having(path, clipped(value, parameter))
        return kernel, clipped(values[-1], noise)

    def height(x: Array) -> tuple[float, Array]:
        kernel, level = parameters(x)
        found = likelihood(pairs, y, kernel, level)
        if found is None:
            return -np.inf, np.zeros(len(x))
        slopes = np.array([*(found.by_parameter[path] for path in paths), found.by_noise])
        values = np.array([*(kernel.at(path) for path in paths), level])
        return found.value, np.where(by_log, values, 1.0) * slopes

    start = np.array([*(problem.kernel.at(path) for path in paths), algorithm.noise])
    low = np.array([log(max(p.low, TINIEST)) if p.low >= 0.0 else p.low for p in declared])
    high = np.array([log(p.high) if p.low >= 0.0 else p.high for p in declared])
    top = yield from climbing(
        height, np.where(by_log, np.log(np.where(by_log, start, 1.0)), start), low, high
    )
    kernel, level = parameters(top)
    return kernel, algorithm.replace(noise=level)


TINIEST = 1e-12
"""What stands for 0 where parameters are moved by their logarithms."""


def _can_move(kernel: Kernel, path: ParameterPath) -> bool:
    """A parameter at 0 that cannot be negative has no logarithm: it stays."""
    return kernel.declared(path).low < 0.0 or kernel.at(path) > 0.0


def maximise_likelihood(problem: Problem, algorithm: GaussianProcess) -> tuple[Kernel, GaussianProcess]:
    """The kernel and the process with the parameters of the largest likelihood uphill from here."""
    return finished(climb_likelihood(problem, algorithm))
