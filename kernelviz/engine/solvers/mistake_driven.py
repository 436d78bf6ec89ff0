"""What the perceptrons share: go over the points in order and learn from mistakes alone."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Change, Iterate
from kernelviz.engine.arrays import Array
from kernelviz.engine.kernel_model import KernelModel
from kernelviz.engine.model import Model, Status
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.progress import Progress

__all__ = ["MistakeDriven", "counted"]

MISTAKES_PER_YIELD = 200
"""Mistakes between two yields of `solve`."""


@dataclass(frozen=True)
class MistakeDriven(Algorithm):
    """Sweep over the points; at a mistake, z_i s(x_i) <= 0: beta_i += z_i and b += z_i times a fixed step.

    Ends after a sweep without a mistake, or after the given number of sweeps."""

    family = "Perceptrons"
    order_matters = True
    most_mistakes: ClassVar[str]
    """The formula of `mistake_bound`."""
    separating: ClassVar[str]
    """Which function it is made of."""

    @abstractmethod
    def offset_step(self, K: Array) -> float:
        """What a mistake adds to |b|."""

    @abstractmethod
    def longest(self) -> int:
        """The number of sweeps at most."""

    @abstractmethod
    def ending(self, problem: Problem, progress: Progress) -> tuple[Status, str]:
        """How it ended, in a word and in a sentence."""

    def mistake_bound(self, problem: Problem) -> float:
        """How many mistakes it can make at most, however long it runs; infinite when nothing separates.

        With an offset step R² it is a perceptron without offset for the kernel K + R², in whose space the
        function g + b has the squared norm ||g||² + (b/R)², and the points the radius √2 R."""
        from kernelviz.engine.analysis.bounds import mistake_bound

        K = problem.gram
        bound = mistake_bound(K + self.offset_step(K), problem.z)
        return np.inf if bound is None else bound

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        return self._run(problem, 1)

    def solve(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        return self._run(problem, MISTAKES_PER_YIELD)

    def _run(self, problem: Problem, every: int) -> Iterator[Iterate]:
        progress = Progress(problem.gram, self.offset_step(problem.gram))
        first = self._model(problem, progress, Status.RUNNING, "No mistake yet.")
        yield Iterate(0, first, change=Change("start: all weights are zero", kind="start"))
        for i in self._mistakes(problem, progress):
            if progress.mistakes % every == 0:
                yield self._frame(problem, progress, i)
        final = self._model(problem, progress, *self.ending(problem, progress))
        yield Iterate(progress.mistakes + 1, final, change=Change(final.message, kind="end"), done=True)

    def _frame(self, problem: Problem, progress: Progress, i: int) -> Iterate:
        """The frame after the mistake at point i."""
        weight = round(abs(progress.beta[i]))
        message = f"{counted(progress.mistakes, 'mistake')}, the last in sweep {progress.sweep}."
        text = f"{problem.data.noun} {i + 1} misclassified: alpha {weight - 1} -> {weight}"
        if progress.step:
            before = progress.b - problem.z[i] * progress.step
            text += f", b {before:.4g} -> {progress.b:.4g} (by R² = {progress.step:.4g})"
        model = self._model(problem, progress, Status.RUNNING, message)
        return Iterate(progress.mistakes, model, change=Change(text, (i,), "mistake"))

    def _mistakes(self, problem: Problem, progress: Progress) -> Iterator[int]:
        """The points misclassified in turn, each already learnt from."""
        z = problem.z
        for sweep in range(1, self.longest() + 1):
            begin = 0
            while (i := progress.next_mistake(z, begin)) is not None:
                progress.learn(i, z[i])
                progress.sweep = sweep
                yield i
                begin = i + 1
            if progress.sweep < sweep:
                return

    def _model(self, problem: Problem, progress: Progress, status: Status, message: str) -> KernelModel:
        return KernelModel(
            problem,
            self,
            status,
            message,
            progress.mistakes,
            weights=progress.beta,
            offset=progress.b,
            known_scores=progress.scores(),
            blur=None,
        )


def counted(count: int, noun: str) -> str:
    """'1 mistake', '7 mistakes', '2 passes'."""
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"
