"""More than two classes by any algorithm for two: one model for each pair of classes, which vote, or one for
each class against the rest.

k classes make k(k - 1)/2 pairs, each fitted to the points of its two classes alone, or k models, each fitted
to all points, of which the highest score wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate, StepwiseAlgorithm
from kernelviz.engine.core.arrays import Indices, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.losses import Loss
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.method import Change
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.models.several_classes import REST, ClassPair, MultiClassModel, OneVsRestModel


@dataclass(frozen=True)
class OneVsOne(StepwiseAlgorithm):
    """An algorithm for two classes, run on each pair of classes in turn.

    It has no name of its own: it prints as the algorithm it wraps, and is made where data require it."""

    binary: Algorithm  # type: ignore[misc]

    tasks = frozenset({Task.CLASSES})
    models: ClassVar[type[MultiClassModel]] = MultiClassModel
    solved: ClassVar[str] = "{} pairs of classes, all solved."

    def parts(self, problem: Problem) -> Iterator[tuple[tuple[int, int, Indices], Problem]]:
        """Yield the problems of two classes, with the classes and the rows of each."""
        return _pairs(problem)

    @property
    def own_loss(self) -> Loss:
        return self.binary.own_loss

    @property
    def has_probabilities(self) -> bool:
        return self.binary.has_probabilities

    @property
    def weighs_every_point(self) -> bool:
        return self.binary.weighs_every_point

    def expression(self) -> str:
        return self.binary.expression()

    def check(self, problem: Problem) -> None:
        have = problem.data.task.words
        if problem.data.task is not Task.CLASSES:
            raise BadInput(f"One-vs-one needs more than two classes; the data have {have}.")
        if Task.TWO_CLASSES not in self.binary.tasks:
            wanted = " or ".join(sorted(task.words for task in self.binary.tasks))
            raise BadInput(f"{self.binary.name} needs data with {wanted}; these have {have}.")
        if problem.n == 0:
            raise BadInput("There are no points yet. Add some of at least two classes.")
        present = _present(problem.data)
        if len(present) == 1:
            only = problem.data.class_names[present[0]]
            raise BadInput(f"All points are of one class ({only}). Add a point of another class.")
        for _, part in self.parts(problem):
            self.binary.check(part)

    def run(self, problem: Problem, start: Model | None, watched: bool) -> Iterator[Iterate]:
        earlier = _earlier(start, problem) if isinstance(start, self.models) else {}
        done: tuple[ClassPair, ...] = ()
        count, final = 0, None
        for (a, b, rows), part in self.parts(problem):
            solver = self.binary.steps if watched else self.binary.solve
            pair = None
            for iterate in solver(part, earlier.get((a, b))):
                pair = ClassPair(a, b, rows, iterate.model)
                model = self._model(problem, (*done, pair), Status.RUNNING)
                final = Iterate(count, model, _renumbered(iterate.change, problem.data, pair))
                count += 1
                yield final
            assert pair is not None
            done = (*done, pair)
        assert final is not None
        statuses = [pair.model.status for pair in done]
        worst_first = (Status.NOT_SEPARABLE, Status.LIMIT, Status.CONVERGED)
        worst = next(status for status in worst_first if status in statuses)
        yield replace(final, step=count, model=self._model(problem, done, worst), done=True)

    def _model(self, problem: Problem, pairs: tuple[ClassPair, ...], status: Status) -> MultiClassModel:
        if status is Status.CONVERGED:
            message = self.solved.format(len(pairs)) if len(pairs) > 1 else "The pair of classes is solved."
        else:
            reported = next((pair for pair in reversed(pairs) if pair.model.status is status), pairs[-1])
            message = f"{_named(problem.data, reported)}: {reported.model.message}"
        iterations = sum(pair.model.iterations for pair in pairs)
        return self.models(problem, self, status, message, iterations, pairs=pairs)


@dataclass(frozen=True)
class OneVsRest(OneVsOne):  # type: ignore[misc]
    """An algorithm for two classes, run on each class against all others."""

    models = OneVsRestModel
    solved = "{} classes, each against the rest, all solved."

    def parts(self, problem: Problem) -> Iterator[tuple[tuple[int, int, Indices], Problem]]:
        data, rows = problem.data, np.arange(problem.n)
        for k in _present(data):
            z = read_only(np.where(data.y == k, 1.0, -1.0))
            names = ("the rest", data.class_names[k])
            part = Data(data.X, z, Task.TWO_CLASSES, names, data.columns, weights=data.weights)
            posed = Problem(part, problem.kernel, rows)
            posed.adopt_gram(problem)
            yield (REST, k, rows), posed


def _pairs(problem: Problem) -> Iterator[tuple[tuple[int, int, Indices], Problem]]:
    """Return for every pair of classes a < b their points as a problem of two classes, b being +1."""
    data = problem.data
    for a, b in combinations(_present(data), 2):
        rows = np.flatnonzero((data.y == a) | (data.y == b))
        z = read_only(np.where(data.y[rows] == b, 1.0, -1.0))
        names = (data.class_names[a], data.class_names[b])
        some = data.subset(rows)
        part = Data(some.X, z, Task.TWO_CLASSES, names, data.columns, weights=some.weights)
        posed = Problem(part, problem.kernel, rows)
        if problem.known_gram is not None:
            posed.adopt_part(problem.known_gram, rows)
        yield (a, b, rows), posed


def _present(data: Data) -> list[int]:
    """Return the classes that have points with a weight."""
    codes = data.y if data.weights is None else data.y[data.weights > 0.0]
    return [int(code) for code in np.unique(codes).tolist()]


def _earlier(start: Model | None, problem: Problem) -> dict[tuple[int, int], Model]:
    if not isinstance(start, MultiClassModel) or start.problem.data.class_names != problem.data.class_names:
        return {}
    return {(pair.minus, pair.plus): pair.model for pair in start.pairs}


def _renumbered(change: Change | None, data: Data, pair: ClassPair) -> Change | None:
    """Return the change with its points numbered as in the whole data."""
    if change is None:
        return None
    points = tuple(int(pair.rows[i]) for i in change.points)
    text = change.text
    if points:
        text = f"{change.kind}: point{'s' if len(points) > 1 else ''} {', '.join(str(i + 1) for i in points)}"
    return Change(f"{_named(data, pair)}: {text}", points, change.kind)


def _named(data: Data, pair: ClassPair) -> str:
    if pair.minus == REST:
        return f"{data.class_names[pair.plus]} against the rest"
    return f"{data.class_names[pair.minus]} against {data.class_names[pair.plus]}"
