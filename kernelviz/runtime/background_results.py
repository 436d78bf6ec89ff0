"""Results that take longer than a frame, computed when editing rests: a run with its convergence, the path of
all fits along C, λ or the noise, and a sweep of one parameter.

Each is a `work` generator for `Jobs`; a view may ask for the result so far at any time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.analysis.path import LARGEST_C, SMALLEST_C, Path, follow
from kernelviz.engine.analysis.shrinkage import shrinkage, shrinks
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import Steps
from kernelviz.engine.core.params import Parameter
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.of_fit import TestNumbers, on_held_out
from kernelviz.engine.solvers.linear.descent import SideBySide
from kernelviz.engine.solvers.ridge import GramSpectrum
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.runs import Trace, TraceRecorder, errors_of, model_after

MOST_SECONDS = 4.0  # A run that takes longer is shown as far as it came.
SAMPLES = 161  # Values of C or λ at which curves are drawn.


class ConvergenceRun:
    """The convergence of a run of `algorithm.steps`, from its first step to its end."""

    def __init__(self, algorithm: Algorithm, problem: Problem) -> None:
        self.algorithm, self.problem = algorithm, problem
        self._recorder = TraceRecorder()
        self.so_far: Trace = self._recorder.trace()

    def work(self, beat: Beat) -> Generator[float, None, Trace]:
        """Run the algorithm; the share done is that of the time it may take."""
        most_steps = 20_000  # Steps of a run whose convergence is shown.
        # The worker may meanwhile change the caches of its problem, such as the Gram matrix.
        own = Problem(self.problem.data, self.problem.kernel)
        began = noted = perf_counter()
        for step, iterate in enumerate(self.algorithm.steps(own)):
            self._recorder.see(step, iterate)
            beat()
            now = perf_counter()
            if now - noted > 0.1:
                noted, self.so_far = now, self._recorder.trace()
                yield min(1.0, (now - began) / MOST_SECONDS)
            if step >= most_steps or now - began > MOST_SECONDS:
                break
        self.so_far = self._recorder.trace()
        self.so_far = replace(self.so_far, in_features=self._in_features(own, beat))
        return self.so_far

    def _in_features(self, problem: Problem, beat: Beat) -> SideBySide | None:
        """Return the same run in explicit features, or None if it takes too long or the kernel has none."""
        work, began = self.algorithm.in_features(problem), perf_counter()
        if work is None:
            return None
        steps = Steps(work)
        for _ in steps:
            beat()
            if perf_counter() - began > MOST_SECONDS:
                return None
        found: SideBySide | None = steps.result
        return found


# The path ----------------------------------------------------------------------------------------------


def path_parameter(algorithm: Algorithm) -> Parameter | None:
    """Return the parameter that a path runs along, or None for algorithms without a path."""
    if isinstance(algorithm, SoftMarginSVM):
        return algorithm.parameter("C")
    name = shrinks(algorithm)
    return None if name is None else algorithm.parameter(name)


@dataclass(frozen=True, eq=False)
class PathCurves:
    """Curves of all fits for ascending values of one parameter.

    Errors are shares of mistakes, or means of squares for real targets."""

    parameter: Parameter
    for_values: Callable[[Array], PathCurves]  # Computes the same for other values.
    values: Array
    training: Array
    freedom: Array  # Support vectors, or degrees of freedom, as a share of the points.
    held_out: Array | None = None
    left_out: Array | None = None  # Error with every point left out once.
    weights: Array | None = None  # (values, n): alpha_i/C of the soft margin.
    signs: Array | None = None
    margin: Array | None = None  # 1/||w||
    likelihood: Array | None = None
    breakpoints: Array | None = None
    squares: bool = False  # Whether errors are means of squares.
    ends: str = ""  # Why the path ends early, if it does.

    def at(self, value: float) -> PathCurves | None:
        """Return the curves at a single value, which need not be one of those drawn; None beyond the ends."""
        within = self.values[0] <= value <= self.values[-1]
        return self.for_values(np.array([value])) if within else None


class PathRun:
    """The path of a fit; `so_far` is None until it is done."""

    def __init__(self, data: Data, fit: Fit, held_out: Data | None) -> None:
        self._data, self._fit, self._held_out = data, fit, held_out
        self.so_far: PathCurves | None = None

    def work(self, beat: Beat) -> Generator[float, None, PathCurves]:
        """Follow the path; yield the share done.

        That of the soft margin is followed from one breakpoint to the next, all others are computed from an
        eigendecomposition in one piece."""
        problem = Problem(self._data, self._fit.kernel)
        if isinstance(self._fit.algorithm, SoftMarginSVM):
            self.so_far = yield from self._soft_margin(problem, self._fit.algorithm.C, beat)
        else:
            yield 0.0
            self.so_far = self._shrinking(problem)
        return self.so_far

    def _soft_margin(self, problem: Problem, C: float, beat: Beat) -> Generator[float, None, PathCurves]:
        """Follow the soft margin from one breakpoint to the next; yield the share of the way, and return its
        curves."""
        beyond = 1e5  # The path is extended to the present C up to this value.
        breakpoints = 8  # Breakpoints between two beats: about a millisecond.
        stride = 0.1  # Share of the path between two reports of progress.
        steps, reported = Steps(follow(problem, min(SMALLEST_C, C), max(LARGEST_C, min(C, beyond)))), 0.0
        for count, share in enumerate(steps):
            if count % breakpoints == 0:
                beat()
            if share > reported + stride:
                reported = share
                yield share
        path, held = steps.result, self._held_out
        K = None if held is None else problem.kernel(problem.X, held.X)
        return _soft_margins(path, held, K, _between(path.C[0], path.C[-1]))

    def _shrinking(self, problem: Problem) -> PathCurves:
        """Return the curves of ridge or a Gaussian process over the range of the slider, extended to the
        present value."""
        algorithm = self._fit.algorithm
        parameter = path_parameter(algorithm)
        assert parameter is not None
        present = (
            float(algorithm.values()[parameter.name]) or parameter.soft[0]
        )  # a path on a log scale has no 0
        low, high = min(parameter.soft[0], present), max(parameter.soft[1], present)
        spectrum = GramSpectrum.of(problem.gram)
        return _shrunk(problem, algorithm, parameter, spectrum, self._held_out, _between(low, high))


def _between(low: float, high: float) -> Array:
    """Return the values drawn, evenly on a logarithmic scale, with exact ends."""
    values = np.geomspace(low, high, SAMPLES)
    values[[0, -1]] = low, high
    return values


def _soft_margins(path: Path, held: Data | None, K: Array | None, values: Array) -> PathCurves:
    """Return the curves of the soft margin. K: the kernel matrix of the points and those held out."""
    drawn, problem = path.along(values), path.problem
    return PathCurves(
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
    spectrum: GramSpectrum,
    held: Data | None,
    values: Array,
) -> PathCurves:
    """Return the curves of ridge, or of the mean of a Gaussian process, for some values of λ or σ²; all of
    them follow from one eigendecomposition of the Gram matrix."""
    found = shrinkage(problem, algorithm, values, spectrum, held)
    return PathCurves(
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


# A sweep -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class Sweep:
    """Errors for the values of one parameter; NaN where there is no fit, or not yet."""

    values: Array
    training: Array
    held_out: Array
    support: Array  # Support vectors as a share of the points.
    hinge: Array  # Mean hinge loss on the training points.
    squares: bool = False  # Whether errors are means of squares, for real targets.


class SweepRun:
    """A sweep: every fit is started from the one before."""

    def __init__(
        self, data: Data, held_out: Data | None, values: Sequence[float], fits: Sequence[Fit]
    ) -> None:
        self._data, self._held_out, self._fits = data, held_out, fits
        self._values = np.array(values, dtype=np.float64)
        self._numbers = np.full((len(values), 4), np.nan)
        self._squares = data.task is Task.REGRESSION

    @property
    def so_far(self) -> Sweep:
        """The errors of the values that have been fitted, and NaN for the others."""
        training, held_out, support, hinge = self._numbers.copy().T
        return Sweep(self._values, training, held_out, support, hinge, self._squares)

    def work(self, beat: Beat) -> Generator[float, None, Sweep]:
        """Fit all values in their order; yield the share done.

        A value that the algorithm refuses leaves a gap, and the next fit starts from nothing."""
        model: Model | None = None
        for k, fit in enumerate(self._fits):
            try:
                model = model_after(self._data, fit, model, beat)
                test = None if self._held_out is None else on_held_out(model, self._held_out)
                self._numbers[k] = sweep_numbers(model, test)
            except BadInput:  # such as a nu that these classes do not allow: a gap in the curve
                model = None
            yield (k + 1) / len(self._fits)
        return self.so_far


def sweep_numbers(model: Model, test: TestNumbers | None) -> tuple[float, float, float, float]:
    """Return training error, held-out error, the share of support vectors and the mean hinge loss; NaN where
    undefined."""
    if model.status is Status.NOT_SEPARABLE:
        return np.nan, np.nan, np.nan, np.nan
    found = (model.numbers.get(name) for name in ("support_vectors", "hinge_loss"))
    support, hinge = (np.nan if value is None else value for value in found)
    return *errors_of(model, test), support / model.problem.n, hinge
