"""Algorithms without a fit: the vote of the nearest points, and the local average."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import integer
from kernelviz.engine.models.base import Change, Model, Status
from kernelviz.engine.models.neighbours import LocalAverageModel, NeighbourModel, shares
from kernelviz.engine.models.problem import Problem


@dataclass(frozen=True)
class NearestNeighbours(Algorithm):
    """s(x) = mean of z over the k points nearest to x, |φ(x) - φ(x')|² = K(x, x) - 2K(x, x') + K(x', x')."""

    name = "nearest-neighbours"
    family = "Means and neighbours"
    place = 1
    title = "Nearest neighbours"
    summary_line = "The k nearest points in feature space vote, or their targets are averaged."
    latex = (
        r"s(x) = \frac1k \sum_{i \in N_k(x)} y_i,\quad"
        r"\lVert \phi(x) - \phi(x')\rVert^2 = K(x,x) - 2K(x,x') + K(x',x')"
    )
    tasks = frozenset({Task.TWO_CLASSES, Task.REGRESSION})
    watchable = False
    needs_both_classes = False

    k: int = integer(
        5, low=1, high=1000, soft=(1, 50), label="k", help="Neighbours that count", simpler="larger"
    )

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        k = min(self.k, problem.n)
        do = "are averaged" if problem.data.task is Task.REGRESSION else "vote"
        if problem.n == 1:
            message = "The only point decides."
        elif k < self.k:
            message = f"All {problem.n} points {do}: there are no more than that."
        elif k == 1:
            message = "The nearest point decides."
        else:
            message = f"The {k} nearest points {do}."
        model = NeighbourModel(problem, self, Status.CONVERGED, message, 1, k=k)
        yield Iterate(1, model, change=Change("nothing to compute in advance", kind="closed form"), done=True)


@dataclass(frozen=True)
class NadarayaWatson(Algorithm):
    """s(x) = Σ_i y_i K(x, x_i) / Σ_j K(x, x_j): a mean of the targets, weighted by nearness"""

    name = "nadaraya-watson"
    family = "Means and neighbours"
    place = 2
    title = "Nadaraya-Watson"
    summary_line = "The mean of the targets, near ones counting more; nothing is solved, and it is not ridge."
    latex = r"s(x) = \frac{\sum_i y_i K(x, x_i)}{\sum_j K(x, x_j)}"
    tasks = frozenset({Task.REGRESSION})
    watchable = False

    @property
    def weighs_every_point(self) -> bool:
        return True

    def check(self, problem: Problem) -> None:
        super().check(problem)
        if not problem.kernel.non_negative:
            raise BadInput(
                f"{self.name} takes a mean with the weights K(x, x'), and {problem.kernel} can be negative. "
                "Choose a kernel that is not, such as rbf."
            )

    def hat(self, problem: Problem) -> Array:
        return shares(problem, problem.X)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        self.check(problem)
        with np.errstate(over="ignore", invalid="ignore"):
            model = LocalAverageModel(problem, self, Status.CONVERGED, "A local mean: nothing to solve.", 1)
        yield Iterate(1, model, change=Change("nothing to compute in advance", kind="closed form"), done=True)
