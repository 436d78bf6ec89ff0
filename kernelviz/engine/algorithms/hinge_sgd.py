"""Hinge-loss minimisation by stochastic subgradient steps, in the dual coefficients."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.core.losses import HINGE, Loss
from kernelviz.engine.core.params import integer, real
from kernelviz.engine.models.base import Change, Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear.subgradient import (
    DualWalk,
    batch_change,
    ending,
    lower_bound,
    objective,
    subgradient_steps,
)

STEPS_PER_YIELD = 100  # Steps between two yields of `solve`.


@dataclass(frozen=True)
class HingeSGD(Algorithm):
    """min 1/n Σ max(0, 1 - z s) + λ ||w||²: the soft margin with C = 1/(2nλ), approached step by step."""

    name = "hinge-sgd"
    family = "Minimising a loss"
    place = 5
    title = "Hinge loss by subgradient steps"
    summary_line = "Stochastic steps down the hinge loss: noisy, simple, meant to be watched."
    latex = r"\min_{w,b} \frac1n \sum_i \max(0, 1 - z_i s(x_i)) + \lambda \lVert w\rVert^2"
    order_matters = True

    lam: float = real(
        0.01,
        low=1e-6,
        high=1e4,
        soft=(1e-4, 1e1),
        scale="log",
        label="λ",
        help="Weight of the penalty ‖w‖²",
        simpler="larger",
    )
    epochs: int = integer(
        100, low=1, high=10_000, soft=(1, 1000), scale="log", label="epochs", help="Passes over the points"
    )
    batch: int = integer(
        10, low=1, high=1000, soft=(1, 100), scale="log", label="batch", help="Points in a step", silent=True
    )
    seed: int = integer(0, low=0, high=2**31 - 1, soft=(0, 100), label="seed", help="Order", silent=True)

    @property
    def own_loss(self) -> Loss:
        return HINGE

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        return self._run(problem, 1)

    def solve(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        return self._run(problem, STEPS_PER_YIELD)

    def _run(self, problem: Problem, every: int) -> Iterator[Iterate]:
        z, walk = problem.z, DualWalk(problem.gram)
        first = self._model(problem, walk, 0, Status.RUNNING, "Nothing learnt yet.", (1.0, None))
        yield Iterate(0, first, {"primal": 1.0}, Change("start: all weights are zero", kind="start"))
        step = None
        for step in subgradient_steps(walk, z, self.lam, self.epochs, self.batch, self.seed):
            if step.number % every == 0:
                value = objective(walk, z, self.lam)
                message = f"Step {step.number}: objective {value:.6g}."
                model = self._model(problem, walk, step.number, Status.RUNNING, message, (value, None))
                yield Iterate(step.number, model, {"primal": value}, batch_change(step))
        assert step is not None
        walk.refresh()
        value = objective(walk, z, self.lam)
        bound = lower_bound(walk, z, self.lam) if problem.kernel.positive_definite else None
        final = self._model(problem, walk, step.number, *ending(step.number, value, bound), (value, bound))
        objectives = {"primal": value} if bound is None else {"primal": value, "dual": bound}
        yield Iterate(step.number + 1, final, objectives, Change(final.message, kind="end"), True)

    def _model(
        self,
        problem: Problem,
        walk: DualWalk,
        step: int,
        status: Status,
        message: str,
        objectives: tuple[float | None, float | None],
    ) -> KernelModel:
        return KernelModel(
            problem,
            self,
            status,
            message,
            step,
            weights=walk.beta,
            offset=walk.b,
            objectives=objectives,
            known_scores=walk.everywhere() + walk.b,
        )
