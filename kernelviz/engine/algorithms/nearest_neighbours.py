"""Nearest neighbours, with distances taken in feature space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernelviz.engine.algorithms.base import Algorithm, Change, Iterate
from kernelviz.engine.data import Task
from kernelviz.engine.model import Model, Status
from kernelviz.engine.neighbour_model import NeighbourModel
from kernelviz.engine.params import integer
from kernelviz.engine.problem import Problem

__all__ = ["NearestNeighbours"]


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
