"""The online kernel perceptron: a stream of points, no offset, every mistake remembered."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.engine.arrays import Array
from kernelviz.engine.model import Status
from kernelviz.engine.params import integer
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.mistake_driven import MistakeDriven, counted
from kernelviz.engine.solvers.progress import Progress

__all__ = ["OnlinePerceptron"]


@dataclass(frozen=True)
class OnlinePerceptron(MistakeDriven):
    """Points come one by one; on a mistake at point t: β_t += z_t. No b.

    However long it runs, the mistakes never exceed ||g||² R² for any g with z_t g(x_t) ≥ 1 throughout."""

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
        help="How often the stream is read",
        silent=True,
    )

    def offset_step(self, K: Array) -> float:
        return 0.0

    def longest(self) -> int:
        return self.passes

    def ending(self, problem: Problem, progress: Progress) -> tuple[Status, str]:
        read = min(progress.sweep + 1, self.passes)
        count = f"{counted(progress.mistakes, 'mistake')} in {counted(read, 'pass')} over the points"
        if progress.sweep < self.passes:
            return Status.CONVERGED, f"{count}, the last without any."
        if (problem.z * progress.scores() > 0).all():
            return Status.CONVERGED, f"{count}; a further pass would find none."
        return Status.LIMIT, f"{count}; a further pass may find more."
