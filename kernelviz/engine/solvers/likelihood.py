"""The log marginal likelihood of a Gaussian process, its gradient, and a search for its maximum.

With A = K + σ²I and β = A⁻¹y, ln p(y) = -½ y'β - ½ ln det A - n/2 ln 2π, and its derivative by a parameter θ
is ½ Σ_ij (ββ' - A⁻¹)_ij dK_ij/dθ. The search climbs by BFGS within the bounds of the parameters."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from math import log, pi
from typing import Any, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.cholesky import factorise, inverse, solve
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Parameter
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.derivatives import Pairs, ParameterPath
from kernelviz.engine.kernels.vectors import clipped
from kernelviz.engine.models.problem import Problem

LONGEST_STEP = 2.0  # Of a step in any direction: with logarithms, a factor of seven.
NOISE: ParameterPath = ()  # Stands for the variance of the noise among the paths of the kernel's parameters.


class Process(Protocol):
    """The part of an algorithm that the search needs: a declared noise that can be replaced."""

    @property
    def noise(self) -> float: ...

    def parameter(self, name: str) -> Parameter: ...

    def replace(self, **changes: Any) -> Self: ...


P = TypeVar("P", bound=Process)


def climbing(
    f: Callable[[Array], tuple[float, Array]], x: Array, low: Array, high: Array
) -> Generator[float, None, Array]:
    """Return a local maximum of f, which gives value and gradient; yields a share done after each evaluation.

    This is BFGS with bounds. scipy's L-BFGS-B runs to its end in one call, while this one can be abandoned
    after every evaluation."""
    value, slope = f(x)
    H, fresh, count = np.eye(len(x)), True, 1
    most = 200  # Evaluations.
    level = 1e-5  # A slope that is none.
    enough = 1e-8  # A relative gain that is none: of the steps to come each gains much less.
    armijo = 1e-4
    shrink = 0.3
    while count < most:
        free = ~(((x <= low) & (slope < 0)) | ((x >= high) & (slope > 0)))
        if not np.abs(slope[free]).max(initial=0.0) > level:
            break
        d = np.where(free, H @ np.where(free, slope, 0.0), 0.0)
        if not d @ slope > 0.0:
            H, fresh, d = np.eye(len(x)), True, np.where(free, slope, 0.0)
        longest = float(np.abs(d).max())
        step = min(1.0, (1.0 if fresh else LONGEST_STEP) / longest)
        while True:
            new = np.clip(x + step * d, low, high)
            at, uphill = f(new)
            count += 1
            yield count / (count + 10.0)
            if at >= value + armijo * float(slope @ (new - x)) or count >= most:
                break
            step *= shrink
            if step * longest < 1e-12:
                return x
        if not at > value:
            break
        move, bend = new - x, slope - uphill
        gain = at - value
        x, value, slope = new, at, uphill
        if gain > enough * max(1.0, abs(value)):
            H, fresh = _updated(H, move, bend, fresh), False
        elif fresh:
            break
        else:  # what is known of the curvature may hide a direction that still rises: along the slope, then
            H, fresh = np.eye(len(x)), True
    return x


def _updated(H: Array, move: Array, bend: Array, fresh: bool) -> Array:
    """Return the inverse curvature updated by the last step; unchanged where f bends upwards."""
    curvature = float(move @ bend)
    if curvature <= 1e-12 * float(np.linalg.norm(move) * np.linalg.norm(bend)):
        return H
    if fresh:
        H = np.eye(len(H)) * (curvature / float(bend @ bend))
    I = np.eye(len(H)) - np.outer(move, bend) / curvature  # noqa: E741
    return np.asarray(I @ H @ I.T + np.outer(move, move) / curvature)


@dataclass(frozen=True)
class Likelihood:
    """ln p(y), and its derivatives by the kernel's parameters and by the variance of the noise."""

    value: float
    by_parameter: dict[ParameterPath, float]
    by_noise: float


def likelihood(pairs: Pairs, y: Array, kernel: Kernel, noise: float) -> Likelihood | None:
    """Return ln p(y) at these parameters, or None if K + noise I is not positive definite up to rounding."""
    with np.errstate(over="ignore", invalid="ignore"):
        K, slopes = kernel.differentiated(pairs)
        A = pairs.upper(K)
        A.reshape(-1)[:: len(A) + 1] += noise
        L = factorise(A)
    if L is None:
        return None
    beta = solve(L, y)
    value = -0.5 * float(y @ beta) - float(np.log(L.diagonal()).sum()) - 0.5 * len(y) * log(2.0 * pi)
    if not np.isfinite(value):
        return None
    lower = inverse(L)
    by_parameter = slopes(pairs.weights(beta, lower))
    return Likelihood(value, by_parameter, 0.5 * float(beta.dot(beta) - lower.diagonal().sum()))


@dataclass(frozen=True, eq=False)
class Ascent:
    """The way uphill from the present parameters, each step higher than the one before."""

    places: Array  # (steps, parameters)
    heights: Array  # ln p(y)


def climb_likelihood(problem: Problem, algorithm: P) -> Generator[float, None, tuple[Kernel, P]]:
    """Climb from the given parameters until nothing improves, and from usual ones if another maximum may be
    higher.

    Yields after each evaluation, with a share done that only approaches 1."""
    hill = _Hill(problem, algorithm)
    yield from hill.climb()
    start, top = hill.way[0], hill.way[-1]
    for kernel, process in _other_starts(problem, algorithm, top):
        try:
            hill = _Hill(Problem(problem.data, kernel), process)
        except BadInput:
            continue
        yield from hill.climb()
        top = max(top, hill.way[-1], key=lambda step: step.height)
    unnoticed = 1e-7  # Of the likelihood's logarithm: a gain that is none.
    if top.height - start.height <= unnoticed * max(1.0, abs(start.height)):
        return problem.kernel, algorithm
    return top.kernel, algorithm.replace(noise=top.noise)


def ascent(
    problem: Problem, algorithm: Process, asked: Sequence[ParameterPath]
) -> Generator[float, None, Ascent]:
    """Return the way uphill from the given parameters alone, if only some may change, as far as there are
    derivatives by them. Yields as `climb_likelihood` does."""
    hill = _Hill(problem, algorithm, asked)
    yield from hill.climb()
    places = [[_value(step.kernel, step.noise, path) for path in asked] for step in hill.way]
    return Ascent(read_only(np.array(places)), read_only(np.array([step.height for step in hill.way])))


class _Ascent(NamedTuple):
    """The parameters after a step uphill, and ln p(y) there."""

    kernel: Kernel
    noise: float
    height: float


def _other_starts(problem: Problem, algorithm: P, top: _Ascent) -> list[tuple[Kernel, P]]:
    """Return further starting points, with a tenth of y² as noise: if the maximum explains much of y as
    noise, or the kernel has several starting points."""
    explained = 0.9  # Of y²: where less of it is more than noise, another top may be much higher.
    noise = (1.0 - explained) * float(np.mean(problem.y**2))
    starts = problem.kernel.starts(problem.X)
    if len(starts) == 1 and top.noise <= noise:
        return []
    process = algorithm.replace(noise=clipped(noise, algorithm.parameter("noise")))
    return [(kernel, process) for kernel in starts]


class _Hill:
    """ln p(y) as a function of all parameters with a derivative, or of those asked for; non-negative
    parameters enter by their logarithms."""

    def __init__(
        self, problem: Problem, algorithm: Process, asked: Sequence[ParameterPath] | None = None
    ) -> None:
        self.pairs, self.y = Pairs(problem.kernel.checked(problem.X)), problem.y
        self.kernel, self.noise = problem.kernel, algorithm.noise
        first = likelihood(self.pairs, self.y, self.kernel, self.noise)
        if first is None:
            raise BadInput("The likelihood cannot be computed here: give more noise, or another kernel.")
        self._known: Likelihood | None = first
        self.way = [_Ascent(self.kernel, self.noise, first.value)]
        # A non-negative parameter at 0 has no logarithm and stays.
        declared, at = self.kernel.declared, self.kernel.at
        able = [path for path in first.by_parameter if declared(path).low < 0.0 or at(path) > 0.0] + [NOISE]
        self.paths = able if asked is None else [path for path in able if path in asked]
        noise = algorithm.parameter("noise")
        self.declared = [noise if path == NOISE else self.kernel.declared(path) for path in self.paths]
        self.by_log = np.array([p.low >= 0.0 for p in self.declared], dtype=bool)

    def climb(self) -> Generator[float, None, Array]:
        """Climb to a maximum; the steps are left in `way`."""
        start = np.array([_value(self.kernel, self.noise, path) for path in self.paths])
        tiniest = 1e-12  # The stand-in for 0 where parameters are moved by their logarithms.
        low = np.array([log(p.low or tiniest) if p.low >= 0.0 else p.low for p in self.declared])
        high = np.array([log(p.high) if p.low >= 0.0 else p.high for p in self.declared])
        first = np.where(self.by_log, np.log(np.where(self.by_log, start, 1.0)), start)
        return climbing(self._height, first, low, high)

    def _parameters(self, x: Array) -> tuple[Kernel, float]:
        values = np.where(self.by_log, np.exp(np.where(self.by_log, x, 0.0)), x).tolist()
        kernel, noise = self.kernel, self.noise
        for path, value, parameter in zip(self.paths, values, self.declared, strict=True):
            if path == NOISE:
                noise = clipped(value, parameter)
            else:
                kernel = kernel.having(path, clipped(value, parameter))
        return kernel, noise

    def _height(self, x: Array) -> tuple[float, Array]:
        """Return ln p(y) with its gradient."""
        kernel, noise = self._parameters(x)
        found, self._known = self._known or likelihood(self.pairs, self.y, kernel, noise), None
        if found is None:
            return -np.inf, np.zeros(len(x))
        if found.value > self.way[-1].height:
            self.way.append(_Ascent(kernel, noise, found.value))
        slopes = [found.by_noise if path == NOISE else found.by_parameter[path] for path in self.paths]
        values = [_value(kernel, noise, path) for path in self.paths]
        return found.value, np.where(self.by_log, values, 1.0) * slopes


def _value(kernel: Kernel, noise: float, path: ParameterPath) -> float:
    return noise if path == NOISE else kernel.at(path)
