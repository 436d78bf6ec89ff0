"""How a fit depends on one of its numbers: errors and support vectors along a range of values."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.fits.solve import algorithm_for
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.of_fit import TestNumbers, on_held_out
from kernelviz.runtime.jobs import Beat


@dataclass(frozen=True, eq=False)
class Sweep:
    """What is known of the values so far; NaN where nothing is, or where there is no such fit."""

    values: Array
    training: Array
    held_out: Array
    support: Array  # Support vectors as a share of the points.
    # Whether the errors are mean squares, of real targets, and not shares of the points.
    squares: bool = False


class SweepRun:
    """Fits every one of the fits, each started from the one before; `so_far` may be asked at any time."""

    def __init__(
        self, data: Data, held_out: Data | None, values: Sequence[float], fits: Sequence[Fit]
    ) -> None:
        self._data, self._held_out, self._fits = data, held_out, fits
        self._values = np.array(values, dtype=np.float64)
        self._numbers = np.full((len(values), 3), np.nan)
        self._squares = data.task is Task.REGRESSION

    @property
    def so_far(self) -> Sweep:
        training, held_out, support = self._numbers.copy().T
        return Sweep(self._values, training, held_out, support, self._squares)

    def work(self, beat: Beat) -> Generator[float, None, Sweep]:
        """Work for `Jobs`."""
        model: Model | None = None
        for k, fit in enumerate(self._fits):
            try:
                model = self._fitted(fit, model, beat)
                test = None if self._held_out is None else on_held_out(model, self._held_out)
                self._numbers[k] = told(model, test)
            except BadInput:  # such as a nu that these classes do not allow: a gap in the curve
                model = None
            yield (k + 1) / len(self._fits)
        return self.so_far

    def _fitted(self, fit: Fit, start: Model | None, beat: Beat) -> Model:
        problem, algorithm = Problem(self._data, fit.kernel), algorithm_for(self._data, fit.algorithm)
        algorithm.check(problem)
        model = start
        for iterate in algorithm.solve(problem, start):
            model = iterate.model
            beat()
        assert model is not None
        return model


def told(model: Model, test: TestNumbers | None) -> tuple[float, float, float]:
    """Training and held-out error and the share of support vectors; NaN for what there is not."""
    if model.status is Status.NOT_SEPARABLE:
        return np.nan, np.nan, np.nan
    numbers, test = model.numbers, test or TestNumbers(0)
    training, held_out = numbers.get("training_error"), test.error
    if model.problem.data.task is Task.REGRESSION:
        training, held_out = numbers.get("mean_squared_error"), test.mean_squared_error
    support = numbers.get("support_vectors")
    return (
        _or_nan(training),
        _or_nan(held_out),
        np.nan if support is None else support / model.problem.n,
    )


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value
