"""The regularisation path at work: what a view draws of all fits along C, λ or the noise at once."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.analysis.path import LARGEST, SMALLEST, Path, follow
from kernelviz.engine.analysis.ridge_path import shrinkage, shrinks
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.generators import Steps
from kernelviz.engine.core.params import Parameter
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.ridge import Spectrum
from kernelviz.runtime.jobs import Beat

SAMPLES = 161  # Values of C or λ at which curves are drawn.
BEYOND = 1e5  # No path is followed further for the sake of the present C.
BREAKPOINTS = 8  # Between two beats: about a millisecond.
STRIDE = 0.1  # Of the way between two pieces of news.


def price_of(algorithm: Algorithm) -> Parameter | None:
    """The number that a path runs along, for algorithms that have one."""
    if isinstance(algorithm, SoftMarginSVM):
        return algorithm.parameter("C")
    name = shrinks(algorithm)
    return None if name is None else algorithm.parameter(name)


@dataclass(frozen=True, eq=False)
class Along:
    """The fits for ascending values of one number. Errors are shares of mistakes, or means of squares."""

    parameter: Parameter
    exactly: Callable[[Array], Along]  # The same for other values.
    values: Array
    training: Array
    freedom: Array  # Support vectors, or degrees of freedom, as a share of the points.
    held_out: Array | None = None
    left_out: Array | None = None  # With every point left out once.
    weights: Array | None = None  # (values, n): alpha_i/C, of the soft margin.
    signs: Array | None = None
    margin: Array | None = None  # 1/||w||
    likelihood: Array | None = None
    breakpoints: Array | None = None
    squares: bool = False
    ends: str = ""

    def at(self, value: float) -> Along | None:
        """The fit for a single value, which need not be one of those drawn; None beyond the ends."""
        within = self.values[0] <= value <= self.values[-1]
        return self.exactly(np.array([value])) if within else None


class PathRun:
    """Follows the path of a fit; `found` once it is done."""

    def __init__(self, data: Data, fit: Fit, held_out: Data | None) -> None:
        self._data, self._fit, self._held_out = data, fit, held_out
        self.found: Along | None = None

    def work(self, beat: Beat) -> Generator[float, None, Along]:
        """Work for `Jobs`."""
        problem = Problem(self._data, self._fit.kernel)
        if isinstance(self._fit.algorithm, SoftMarginSVM):
            self.found = yield from self._soft_margin(problem, self._fit.algorithm.C, beat)
        else:
            yield 0.0
            self.found = self._shrinking(problem)
        return self.found

    def _soft_margin(self, problem: Problem, C: float, beat: Beat) -> Generator[float, None, Along]:
        steps, told = Steps(follow(problem, min(SMALLEST, C), max(LARGEST, min(C, BEYOND)))), 0.0
        for count, share in enumerate(steps):
            if count % BREAKPOINTS == 0:
                beat()
            if share > told + STRIDE:
                told = share
                yield share
        path, held = steps.result, self._held_out
        K = None if held is None else problem.kernel(problem.X, held.X)
        return _soft_margins(path, held, K, _between(path.C[0], path.C[-1]))

    def _shrinking(self, problem: Problem) -> Along:
        algorithm = self._fit.algorithm
        parameter = price_of(algorithm)
        assert parameter is not None
        present = float(algorithm.values()[parameter.name])
        low, high = min(parameter.soft[0], present), max(parameter.soft[1], present)
        spectrum = Spectrum.of(problem.gram)
        return _shrunk(problem, algorithm, parameter, spectrum, self._held_out, _between(low, high))


def _between(low: float, high: float) -> Array:
    """The values drawn, with the very ends."""
    values = np.geomspace(low, high, SAMPLES)
    values[[0, -1]] = low, high
    return values


def _soft_margins(path: Path, held: Data | None, K: Array | None, values: Array) -> Along:
    """K: the kernel of the points with those held out."""
    drawn, problem = path.along(values), path.problem
    return Along(
        SoftMarginSVM.parameter("C"),
        partial(_soft_margins, path, held, K),
        drawn.C,
        drawn.training_error,
        read_only(drawn.support_vectors / problem.n),
        held_out=None if held is None else drawn.held_out_error(held, K),
        weights=read_only(np.abs(drawn.beta) / drawn.C[:, None]),
        signs=problem.z,
        margin=drawn.margin_width,
        breakpoints=path.C[1:-1],
        ends=path.ends,
    )


def _shrunk(
    problem: Problem,
    algorithm: Algorithm,
    parameter: Parameter,
    spectrum: Spectrum,
    held: Data | None,
    values: Array,
) -> Along:
    found = shrinkage(problem, algorithm, values, spectrum, held)
    return Along(
        parameter,
        partial(_shrunk, problem, algorithm, parameter, spectrum, held),
        found.values,
        found.training_error,
        read_only(found.degrees_of_freedom / problem.n),
        held_out=found.held_out_error,
        left_out=found.left_out_error,
        likelihood=found.log_marginal_likelihood,
        squares=problem.data.task is Task.REGRESSION,
    )
