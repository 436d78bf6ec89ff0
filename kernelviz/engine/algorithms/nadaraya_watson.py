"""Nadaraya-Watson regression: a local average."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Change, Iterate
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Task
from kernelviz.engine.errors import BadInput
from kernelviz.engine.local_average_model import LocalAverageModel, shares
from kernelviz.engine.model import Model, Status
from kernelviz.engine.problem import Problem

__all__ = ["NadarayaWatson"]


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
