"""The perceptron in its dual form, with an offset."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.engine.arrays import Array
from kernelviz.engine.model import Status
from kernelviz.engine.params import integer
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.mistake_driven import MistakeDriven, counted
from kernelviz.engine.solvers.progress import Progress

__all__ = ["Perceptron"]


@dataclass(frozen=True)
class Perceptron(MistakeDriven):
    """On a mistake at point i: α_i += 1, b += z_i R², R² = max K(x_i, x_i); until a sweep has none."""

    name = "perceptron"
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
        help="Sweeps over the points at most; where nothing separates them it would never end",
        silent=True,
    )

    def offset_step(self, K: Array) -> float:
        return max(0.0, float(K.diagonal().max()))

    def longest(self) -> int:
        return self.sweeps

    def ending(self, problem: Problem, progress: Progress) -> tuple[Status, str]:
        if (problem.z * progress.scores() > 0).all():
            return Status.CONVERGED, f"Separates all points after {counted(progress.mistakes, 'mistake')}."
        if _contradictory(problem.gram, problem.z):
            return Status.NOT_SEPARABLE, (
                "Not separable here: points of both classes have the same features. "
                f"Stopped after {counted(self.sweeps, 'sweep')}."
            )
        return Status.LIMIT, (
            f"Still mistakes after {counted(self.sweeps, 'sweep')}: "
            "not separable here, or only with more sweeps or another kernel."
        )


def _contradictory(K: Array, z: Array) -> bool:
    """Two points at distance zero in feature space with different labels."""
    diagonal = K.diagonal()
    distance2 = diagonal[:, None] + diagonal[None, :] - 2.0 * K
    return bool(((distance2 == 0.0) & (z[:, None] != z[None, :])).any())
