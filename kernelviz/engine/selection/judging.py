"""How fits do on the points they were not given: error, training error and true error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kernelviz.engine.analysis.generalisation import on_held_out
from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.data import Data, Task
from kernelviz.engine.fits import Fit
from kernelviz.engine.fitting import algorithm_for, in_full
from kernelviz.engine.kernel_model import KernelModel
from kernelviz.engine.model import Model, Status
from kernelviz.engine.problem import Problem
from kernelviz.engine.selection.trial import Trial

__all__ = ["Judged", "Whole", "training_error"]

NAN = float("nan")


class Judged(NamedTuple):
    """A fit without some points."""

    error: float
    training_error: float
    true_error: float
    solved: float


class Whole:
    """All points with a kernel, of which the folds are parts."""

    def __init__(self, trial: Trial, fit: Fit) -> None:
        self.trial, self.problem = trial, Problem(trial.data, fit.kernel)
        self.task = trial.data.task
        self.algorithm = algorithm_for(trial.data, fit.algorithm)
        self.algorithm.check(self.problem)
        votes = self.task is Task.CLASSES and not fit.kernel.laborious
        by_matrix = fit.algorithm.uses_kernel and not votes
        self.K = self.problem.gram if by_matrix else None
        fresh = trial.fresh
        self.to_fresh = None if fresh is None or self.K is None else fit.kernel(fresh.X, trial.data.X)

    def judged(self, rows: Indices, fits: Sequence[Fit]) -> list[Judged]:
        """Each fit without some points, to as many digits as `fit` gives."""
        left = np.ones(self.trial.data.n, dtype=bool)
        left[rows] = False
        rest = left.nonzero()[0]
        problem = self.without(rest)
        found, model = [], None
        for fit in fits:
            algorithm = algorithm_for(problem.data, fit.algorithm)
            if model is None:
                algorithm.check(problem)
            model = in_full(algorithm.fit(problem, model))
            found.append(
                Judged(
                    self.error(model, rest, rows),
                    training_error(model),
                    self.true_error(model, rest),
                    float(model.converged),
                )
            )
        return found

    def without(self, rest: Indices) -> Problem:
        """The problem of some points, with its part of the matrix."""
        problem = Problem(self.trial.data.subset(rest), self.problem.kernel)
        if self.K is not None:
            problem.adopt_part(self.K, rest)
        return problem

    def error(self, model: Model, rest: Indices, rows: Indices) -> float:
        """On points of the data that were left out."""
        if self.K is None or not isinstance(model, KernelModel):
            return _error(model, self.trial.data.subset(rows))
        scores = self.K[rows].take(rest, axis=1) @ model.weights + model.offset
        return self.mean(model, scores, self.trial.data.y[rows])

    def true_error(self, model: Model, rest: Indices) -> float:
        fresh = self.trial.fresh
        if fresh is None:
            return NAN
        if self.to_fresh is None or not isinstance(model, KernelModel):
            return _error(model, fresh)
        weights = np.zeros(self.trial.data.n)
        weights[rest] = model.weights
        return self.mean(model, self.to_fresh @ weights + model.offset, fresh.y)

    def mean(self, model: Model, scores: Array, targets: Array) -> float:
        if model.status is Status.NOT_SEPARABLE:
            return NAN
        if self.task is Task.REGRESSION:
            return float(np.square(targets - scores).mean())
        return float((targets * scores <= 0.0).mean())


def _error(model: Model, data: Data) -> float:
    if model.status is Status.NOT_SEPARABLE:
        return NAN
    found = on_held_out(model, data)
    error = found.mean_squared_error if data.task is Task.REGRESSION else found.error
    return NAN if error is None else error


def training_error(model: Model) -> float:
    if model.status is Status.NOT_SEPARABLE:
        return NAN
    if model.residuals is not None:
        return float(np.square(model.residuals).mean())
    if model.mistakes is not None:
        return float(model.mistakes.mean())
    return _error(model, model.problem.data)
