"""The run of an algorithm: at any step on demand, recorded as numbers, thinned for a film."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.losses import ZERO_ONE
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.fits.solve import algorithm_for, in_full
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.method import Change
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.of_fit import TestNumbers
from kernelviz.engine.solvers.linear.descent import SideBySide
from kernelviz.runtime.jobs import Beat

CAPACITY = 512  # Rows of a trace.
COLUMNS = ("step", "loss", "training_error", "primal", "dual")

ITERATES_KEPT = 2000  # Iterates of a few hundred points that stay in memory.
BYTES_OF_ITERATES = 64e6  # Bytes the kept iterates may take together, about.
BYTES_PER_POINT = 32  # Bytes of an iterate for each point: weights, scores and derived arrays.

# Weights of all steps that are kept for a film: a long run of many points is thinned on the way.
FILM_ENTRIES = 10_000_000


@dataclass(frozen=True, eq=False)
class Trace:
    """A run in numbers, with a row for each recorded step: step, mean of the algorithm's loss (unless that is
    the error), training error, primal and dual objective; NaN where one is undefined."""

    rows: Array
    in_features: SideBySide | None = None  # The same run in explicit features, where that is known.

    def column(self, name: str) -> Array:
        """Return one of `COLUMNS` for all recorded steps."""
        return self.rows[:, COLUMNS.index(name)]

    def __len__(self) -> int:
        return len(self.rows)


class TraceRecorder:
    """Collects rows of a trace. When it is full it drops every second row and then records half as often.

    >>> recorder = TraceRecorder()
    >>> for step, iterate in enumerate(algorithm.steps(problem)):
    ...     recorder.see(step, iterate)
    >>> recorder.trace().column("training_error")

    Thinning goes by the count of the iterates, not by step numbers, which an algorithm may space freely."""

    def __init__(self) -> None:
        self._rows: list[tuple[float, ...]] = []
        self._stride = 1
        self._seen = 0
        self._last: tuple[int, Iterate] | None = None

    def see(self, step: int, iterate: Iterate) -> None:
        """Record an iterate under the step number that the frames show."""
        self._last = (step, iterate)
        if self._seen % self._stride == 0:
            self._rows.append(_row(step, iterate))
            if len(self._rows) > CAPACITY:
                self._stride *= 2
                self._rows = self._rows[::2]
        self._seen += 1

    def trace(self) -> Trace:
        """Return the trace so far; its last row is always the latest step."""
        rows = list(self._rows)
        if self._last is not None and (not rows or rows[-1][0] != self._last[0]):
            rows.append(_row(*self._last))
        array = np.array(rows, dtype=np.float64).reshape(-1, len(COLUMNS))
        array.flags.writeable = False
        return Trace(array)


def _row(step: int, iterate: Iterate) -> tuple[float, ...]:
    """Return the row of a trace for one step, as `COLUMNS` names it."""
    model = iterate.model
    loss, error = np.nan, np.nan if model.training_error is None else model.training_error
    if model.residuals is not None:
        loss = model.own_loss.mean(model.residuals)
    elif model.has_losses and model.own_loss is not ZERO_ONE:
        loss = model.own_loss.mean(model.problem.z * model.training_scores)
    primal = iterate.objectives.get("primal", np.nan)
    dual = iterate.objectives.get("dual", np.nan)
    return (float(step), loss, error, primal, dual)


def errors_of(model: Model, test: TestNumbers | None) -> tuple[float, float]:
    """Return the errors on training and on held-out points; NaN where one is undefined.

    They are shares of mistakes, or means of squares for real targets."""
    squares = model.problem.data.task is Task.REGRESSION
    training = model.numbers.get("mean_squared_error" if squares else "training_error")
    held_out = None if test is None else test.mean_squared_error if squares else test.error
    return np.nan if training is None else training, np.nan if held_out is None else held_out


class Playback:
    """One run of `algorithm.steps`, at any step on demand.

    The last iterates stay in memory, fewer for many points. Going further back replays the run from its
    start: algorithms are deterministic, so the steps are the same."""

    def __init__(self, algorithm: Algorithm, problem: Problem) -> None:
        self.algorithm = algorithm
        self.problem = problem
        self._restart()

    def _restart(self) -> None:
        """Begin the run again, with nothing kept and nothing recorded."""
        self._run = self.algorithm.steps(self.problem)
        kept = int(BYTES_OF_ITERATES / (BYTES_PER_POINT * max(1, self.problem.n)))
        self._kept: deque[Iterate] = deque(maxlen=max(1, min(ITERATES_KEPT, kept)))
        self._seen = 0
        self._recorder = TraceRecorder()

    def go(self, step: int) -> Iterator[tuple[int, Iterate]]:
        """Yield (step, iterate) on the way to `step`; the last one is that step, or the algorithm's end."""
        first_kept = self._seen - len(self._kept)
        if step < first_kept:
            self._restart()
        if step < self._seen:
            yield step, self._kept[step - (self._seen - len(self._kept))]
            return
        for iterate in self._run:
            self._kept.append(iterate)
            self._seen += 1
            self._recorder.see(self._seen - 1, iterate)
            yield self._seen - 1, iterate
            if self._seen > step:
                return
        if self._kept:
            yield self._seen - 1, self._kept[-1]

    def trace(self) -> Trace:
        """Return the trace of the run so far."""
        return self._recorder.trace()


# Models and runs as a whole -------------------------------------------------------------------------------
def model_at(data: Data, fit: Fit, step: int | None) -> tuple[Model, Change | None]:
    """Return the optimum and None; or the model after `step` steps and the change that the last one made."""
    algorithm, problem = algorithm_for(data, fit.algorithm), Problem(data, fit.kernel)
    if step is None:
        return in_full(algorithm.fit(problem)), None
    algorithm.check(problem)
    steps = algorithm.steps(problem)
    iterate = next(steps)
    for later in islice(steps, step):
        iterate = later
    return iterate.model, iterate.change


def model_after(data: Data, fit: Fit, before: Model | None, beat: Beat) -> Model:
    """Return the optimum, found from an earlier model; that model itself where nothing has changed."""
    algorithm, problem = algorithm_for(data, fit.algorithm), Problem(data, fit.kernel)
    if before is not None and (before.algorithm, before.problem.kernel) == (algorithm, problem.kernel):
        return before
    algorithm.check(problem)
    model = before
    for iterate in algorithm.solve(problem, before):
        model = iterate.model
        beat()
    assert model is not None
    return model


def filmed_run(data: Data, fit: Fit, most: int, beat: Beat) -> list[Iterate]:
    """Return the whole run of an algorithm, thinned evenly to at most `most` steps, both ends included."""
    longest_film = 50_000  # Steps after which a run that is filmed is cut.
    algorithm, problem = algorithm_for(data, fit.algorithm), Problem(data, fit.kernel)
    algorithm.check(problem)
    run: list[Iterate] = []
    stride, room = 1, max(2 * most, FILM_ENTRIES // problem.n)
    iterate: Iterate | None = None
    for k, iterate in enumerate(islice(algorithm.steps(problem), longest_film)):
        beat()
        if k % stride == 0:
            run.append(iterate)
        if len(run) > room:
            run, stride = run[::2], 2 * stride
    if iterate is not None and run[-1] is not iterate:
        run.append(iterate)
    chosen = sorted({round(i) for i in np.linspace(0, len(run) - 1, min(most, len(run)))})
    return [run[i] for i in chosen]
