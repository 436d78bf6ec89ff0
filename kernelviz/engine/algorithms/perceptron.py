"""The kernel perceptron, in sweeps until it makes no mistake or in one pass over a stream of points.

On a mistake, z_i s(x_i) ≤ 0, the point's weight grows: β_i += z_i. If some g has z_i g(x_i) ≥ 1 at every
point, the number of mistakes is at most ||g||² R², R² = max K(x_i, x_i), however often the points
are read."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelviz.engine.algorithms.base import Iterate, StepwiseAlgorithm
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.params import integer
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.method import Change
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.bounds import mistake_bound

HALF_A_DIGIT = 1.2e-16  # The relative error of one floating point operation, and a little more.


class PerceptronState:
    """beta, b = count · step, and the kernel's part f = K beta of the scores, from one mistake to the next.

    A narrow kernel's f is lost when added to b, and in a tie the last digit decides. So the two are kept
    apart, and where rounding may have taken f + b across zero the sum is computed exactly."""

    def __init__(self, K: Array, step: float) -> None:
        self.K, self.step = K, step
        self.beta, self._f, self._visited = np.zeros((3, len(K)))
        self.mistakes = self._count = 0
        self.sweep = 0  # Of the last mistake, counted from 1.
        self._largest = max(float(K.max(initial=0.0)), -float(K.min(initial=0.0)), step)

    @property
    def b(self) -> float:
        """The offset: each mistake on a point adds z_i times the step to it."""
        return self._count * self.step

    def learn(self, i: int, sign: float) -> None:
        """Learn from a mistake at point i: beta_i += sign, b += sign · step."""
        self.beta[i] += sign
        self._count += int(sign)
        self._f += sign * self.K[i]
        self._visited += np.abs(self._f)  # each rounding error of f is at most half a digit of one of these
        self.mistakes += 1

    def next_mistake(self, z: Array, begin: int) -> int | None:
        """Return the first point from `begin` on with z s <= 0, or None."""
        product = self._f[begin:] + self.b
        product *= z[begin:]
        for k in (product <= self._most_doubt()).nonzero()[0]:
            i, value = begin + int(k), float(product[k])
            doubt = self._doubt(i, value)
            if value < -doubt or (value <= doubt and z[i] * self._exact(i) <= 0.0):
                return i
        return None

    def scores(self) -> Array:
        """Return s = f + b, with the right sign everywhere."""
        s = self._f + self.b
        for i in (np.abs(s) <= self._most_doubt()).nonzero()[0].tolist():
            if abs(s[i]) <= self._doubt(i, s[i]):
                s[i] = self._exact(i)
        return s

    def _doubt(self, i: int, score: float) -> float:
        """Return how far rounding may have taken the score of point i."""
        return HALF_A_DIGIT * (float(self._visited[i]) + abs(score) + abs(self.b))

    def _most_doubt(self) -> float:
        """Return an upper bound of all doubts: after m mistakes |f| and |b| are at most m times the
        largest entry."""
        return HALF_A_DIGIT * self._largest * (self.mistakes + 2) ** 2

    def _exact(self, i: int) -> float:
        """Return the score of point i, rounded once at the end: small integers times half numbers are
        exact."""
        support: Indices = self.beta.nonzero()[0]
        counts = np.append(self.beta[support], self._count)
        values = np.append(self.K[support, i], self.step)
        split = 2.0**27 + 1.0  # Splits a number into two of half as many digits each (Veltkamp).
        scaled = split * values
        high = scaled - (scaled - values)
        return math.fsum(np.concatenate((counts * high, counts * (values - high))).tolist())


@dataclass(frozen=True)
class MistakeDriven(StepwiseAlgorithm):
    """Sweep over the points; at a mistake, z_i s(x_i) <= 0: beta_i += z_i and b += z_i times a fixed step.

    Ends after a sweep without a mistake, or after the given number of sweeps."""

    family = "Perceptrons"
    order_matters = True
    counts_mistakes = True
    most_mistakes: ClassVar[str]  # The formula of `mistake_bound`.
    separating: ClassVar[str]  # Which function it is made of.

    @abstractmethod
    def offset_step(self, K: Array) -> float:
        """Return the number that a mistake adds to |b|."""

    @abstractmethod
    def longest(self) -> int:
        """Return the largest number of sweeps."""

    @abstractmethod
    def ending(self, problem: Problem, progress: PerceptronState) -> tuple[Status, str]:
        """Return how it ended, as a status and a sentence."""

    def mistake_bound(self, problem: Problem) -> float:
        """Return the largest possible number of mistakes, infinite if nothing separates the classes.

        With an offset step R² it is a perceptron without offset for the kernel K + R², in whose space the
        function g + b has the squared norm ||g||² + (b/R)², and the points the radius √2 R."""
        K = problem.gram
        bound = mistake_bound(K + self.offset_step(K), problem.z)
        return np.inf if bound is None else bound

    def run(self, problem: Problem, start: Model | None, watched: bool) -> Iterator[Iterate]:
        mistakes_per_yield = 200  # Mistakes between two yields of `solve`.
        every = 1 if watched else mistakes_per_yield
        progress = PerceptronState(problem.gram, self.offset_step(problem.gram))
        first = self._model(problem, progress, Status.RUNNING, "No mistake yet.")
        yield Iterate(0, first, change=Change("start: all weights are zero", kind="start"))
        for i in self._mistakes(problem, progress):
            if progress.mistakes % every == 0:
                yield self._frame(problem, progress, i)
        final = self._model(problem, progress, *self.ending(problem, progress))
        yield Iterate(progress.mistakes + 1, final, change=Change(final.message, kind="end"), done=True)

    def _frame(self, problem: Problem, progress: PerceptronState, i: int) -> Iterate:
        """Return the frame after the mistake at point i."""
        weight = round(abs(progress.beta[i]))
        message = f"{counted(progress.mistakes, 'mistake')}, the last in sweep {progress.sweep}."
        text = f"{problem.data.noun} {i + 1} misclassified: α {weight - 1} -> {weight}"
        if progress.step:
            before = progress.b - problem.z[i] * progress.step
            text += f", b {before:.4g} -> {progress.b:.4g} (by R² = {progress.step:.4g})"
        model = self._model(problem, progress, Status.RUNNING, message)
        return Iterate(progress.mistakes, model, change=Change(text, (i,), "mistake"))

    def _mistakes(self, problem: Problem, progress: PerceptronState) -> Iterator[int]:
        """Yield the misclassified points in turn, after learning from each."""
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

    def _model(
        self, problem: Problem, progress: PerceptronState, status: Status, message: str
    ) -> KernelModel:
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
    """Return '1 mistake', '7 mistakes', '2 passes'."""
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"


@dataclass(frozen=True)
class Perceptron(MistakeDriven):
    """On a mistake at point i: α_i += 1, b += z_i R², R² = max K(x_i, x_i); until a sweep has none."""

    name = "perceptron"
    other_names = ("rosenblatt",)
    place = 1
    title = "Perceptron"
    summary_line = "Sweeps over the points and corrects one mistake after the other."
    latex = (
        r"z_i\, s(x_i) \le 0:\quad \alpha_i \leftarrow \alpha_i + 1,\quad b \leftarrow b + z_i R^2,"
        r"\qquad R^2 = \max_i K(x_i, x_i)"
    )

    most_mistakes = "(‖g‖² + (b/R)²) 2R²"
    separating = "g and b those with z·(g(x) + b) ≥ 1 at every point that make it least"

    sweeps: int = integer(
        100,
        low=1,
        high=10_000,
        soft=(1, 1000),
        scale="log",
        label="sweeps",
        help="Maximum number of sweeps; if nothing separates the points there is no other end",
        silent=True,
    )

    def offset_step(self, K: Array) -> float:
        return max(0.0, float(K.diagonal().max()))

    def longest(self) -> int:
        return self.sweeps

    def ending(self, problem: Problem, progress: PerceptronState) -> tuple[Status, str]:
        if (problem.z * progress.scores() > 0).all():
            return Status.CONVERGED, f"Separates all points after {counted(progress.mistakes, 'mistake')}."
        K, z, own = problem.gram, problem.z, problem.gram.diagonal()
        coincide = own[:, None] + own - 2.0 * K == 0.0
        if (coincide & (z[:, None] != z)).any():
            return Status.NOT_SEPARABLE, (
                "Not separable here: points of both classes have the same features. "
                f"Stopped after {counted(self.sweeps, 'sweep')}."
            )
        return Status.LIMIT, (
            f"Still mistakes after {counted(self.sweeps, 'sweep')}: "
            "not separable here, or only with more sweeps or another kernel."
        )


@dataclass(frozen=True)
class OnlinePerceptron(MistakeDriven):
    """Points come one by one; on a mistake at point t: β_t += z_t. There is no b.

    However long it runs, the number of mistakes never exceeds ||g||² R² for any g with z_t g(x_t) ≥ 1
    throughout."""

    name = "online-perceptron"
    place = 2
    title = "Online perceptron"
    summary_line = "Reads the points as a stream and stores those it got wrong."
    latex = r"z_t \sum_i \beta_i K(x_i, x_t) \le 0:\quad \beta_t \leftarrow \beta_t + z_t"
    needs_both_classes = False
    ends_at_limit = True
    most_mistakes = "‖g‖² R²"
    separating = "g the least with z·g(x) ≥ 1 at every point"

    passes: int = integer(
        1,
        low=1,
        high=10_000,
        soft=(1, 100),
        scale="log",
        label="passes",
        help="Passes over the stream",
        silent=True,
    )

    def offset_step(self, K: Array) -> float:
        return 0.0

    def longest(self) -> int:
        return self.passes

    def ending(self, problem: Problem, progress: PerceptronState) -> tuple[Status, str]:
        read = min(progress.sweep + 1, self.passes)
        count = f"{counted(progress.mistakes, 'mistake')} in {counted(read, 'pass')} over the points"
        if progress.sweep < self.passes:
            return Status.CONVERGED, f"{count}, the last without any."
        if (problem.z * progress.scores() > 0).all():
            return Status.CONVERGED, f"{count}; a further pass would find none."
        return Status.LIMIT, f"{count}; a further pass may find more."
