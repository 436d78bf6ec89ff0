"""Cross-validation folds, the trial that uses them, and the error of a fit on the points left out.

Folds are stratified: each has equally many points of every class, to within one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data, Task, misclassified
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.fits.solve import algorithm_for, in_full
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.of_fit import on_held_out

NAN = float("nan")


def stratified(data: Data, folds: int, seed: int = 0) -> tuple[Indices, ...]:
    """Return the rows of each fold, drawn at random with the seed; each fold has equally many of every
    class, to within one."""
    if data.n < 2:
        raise BadInput("Cross-validation needs at least two points.")
    if not 2 <= folds <= data.n:
        raise BadInput(f"{data.n} points can be put into 2 to {data.n} folds, not into {folds}.")
    _check_classes(data, folds, f"the {folds} folds need one for each")
    order = np.random.Generator(np.random.PCG64(seed)).permutation(data.n)
    if (codes := data.codes) is not None:
        order = order[np.argsort(codes[order], kind="stable")]
    # Dealt out like cards, class after class, so that folds of all classes together are alike in size too.
    return tuple(np.sort(order[k::folds]) for k in range(folds))


def each_point(data: Data) -> tuple[Indices, ...]:
    """Return a fold for each point, with that point alone, for leaving one out."""
    if data.n < 2:
        raise BadInput("Leaving one out needs at least two points.")
    _check_classes(data, 2, "without it a class would have none")
    return tuple(np.array([i]) for i in range(data.n))


def _check_classes(data: Data, least: int, why: str) -> None:
    """Raise BadInput if a class has fewer than `least` points; `why` ends the sentence."""
    if data.codes is None:
        return
    counts = np.bincount(data.codes, minlength=len(data.class_names))
    scarce = int(counts.argmin())
    if counts[scarce] < least:
        points = "point" if counts[scarce] == 1 else "points"
        raise BadInput(f"Class {data.class_names[scarce]} has {counts[scarce]} {points}; {why}.")


By = Literal["cv", "loo", "likelihood"]


class SettingErrors(NamedTuple):
    """The errors of a setting, as means over the folds: shares of mistakes, or squares."""

    error: float = NAN  # On the points left out.
    # The standard error of their mean: √(Σ (eₖ − error)²/(k − 1)) / √k, eₖ the errors of the k folds.
    spread: float = NAN
    training_error: float = NAN  # Of the same fits, on the points they were fitted to.
    true_error: float = NAN  # Of the same fits, on fresh points of the same distribution.
    likelihood: float = NAN
    converged: float = NAN  # 1 if all fits were solved, else 0.


@dataclass(frozen=True, eq=False)
class Trial:
    """The points, how they are left out, and fresh ones if they can be drawn."""

    data: Data
    folds: tuple[Indices, ...]
    by: By = "cv"
    fresh: Data | None = None

    @classmethod
    def of(
        cls, data: Data, algorithm: Algorithm, by: By, folds: int, seed: int, fresh: Data | None = None
    ) -> Trial:
        """Return the trial, or raise BadInput if the points cannot be left out so or the algorithm cannot
        be judged so."""
        if algorithm.ignores_labels:
            raise BadInput(f"{algorithm.name} does not use labels, so fits cannot be compared.")
        if data.target is None:
            raise BadInput("These points have no labels, so fits cannot be compared.")
        if by == "likelihood":
            if not isinstance(algorithm, GaussianProcess):
                raise BadInput(f"Only a gaussian-process has a likelihood; {algorithm.name} has none.")
            return cls(data, (), by, fresh)
        return cls(data, each_point(data) if by == "loo" else stratified(data, folds, seed), by, fresh)


class Judged(NamedTuple):
    """The result of a fit without some points."""

    error: float
    training_error: float
    true_error: float
    solved: float


class Whole:
    """All points with a kernel and their Gram matrix, of which each fold takes its part."""

    def __init__(self, trial: Trial, fit: Fit) -> None:
        self.trial, self.problem = trial, Problem(trial.data, fit.kernel)
        self.task = trial.data.task
        self.algorithm = algorithm_for(trial.data, fit.algorithm)
        self.algorithm.check(self.problem)
        votes = self.task is Task.CLASSES and not fit.kernel.slow
        by_matrix = fit.algorithm.uses_kernel and not votes
        self.K = self.problem.gram if by_matrix else None
        fresh = trial.fresh
        self.to_fresh = None if fresh is None or self.K is None else fit.kernel(fresh.X, trial.data.X)

    def judged(self, rows: Indices, fits: Sequence[Fit]) -> list[Judged]:
        """Return each fit without some points, to as many digits as `fit` gives."""
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
        """Return the problem of some points, with its part of the matrix."""
        problem = Problem(self.trial.data.subset(rest), self.problem.kernel)
        if self.K is not None:
            problem.adopt_part(self.K, rest)
        return problem

    def error(self, model: Model, rest: Indices, rows: Indices) -> float:
        """Return the error on points of the data that were left out."""
        if self.K is None or not isinstance(model, KernelModel):
            return _error(model, self.trial.data.subset(rows))
        scores = self.K[rows].take(rest, axis=1) @ model.weights + model.offset
        return self.mean(model, scores, self.trial.data.y[rows])

    def true_error(self, model: Model, rest: Indices) -> float:
        """Return the error on fresh points; NaN without any. `rest` are the points the model was fitted
        to."""
        fresh = self.trial.fresh
        if fresh is None:
            return NAN
        if self.to_fresh is None or not isinstance(model, KernelModel):
            return _error(model, fresh)
        weights = np.zeros(self.trial.data.n)
        weights[rest] = model.weights
        return self.mean(model, self.to_fresh @ weights + model.offset, fresh.y)

    def mean(self, model: Model, scores: Array, targets: Array) -> float:
        """Return the share of mistakes, or the mean of squares; NaN where no classifier was found."""
        if model.status is Status.NOT_SEPARABLE:
            return NAN
        if self.task is Task.REGRESSION:
            return float(np.square(targets - scores).mean())
        return float(misclassified(targets, scores).mean())


def _error(model: Model, data: Data) -> float:
    """Return the error on data that were not fitted, NaN where no classifier was found."""
    if model.status is Status.NOT_SEPARABLE:
        return NAN
    found = on_held_out(model, data)
    error = found.mean_squared_error if data.task is Task.REGRESSION else found.error
    return NAN if error is None else error


def training_error(model: Model) -> float:
    """Return the share of mistakes, or the mean of squares, on the points the model was fitted to."""
    if model.status is Status.NOT_SEPARABLE:
        return NAN
    if model.residuals is not None:
        return float(np.square(model.residuals).mean())
    return NAN if model.training_error is None else model.training_error
