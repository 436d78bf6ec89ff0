"""Stochastic gradient descent in the dual coefficients: for the hinge loss, and for least squares.

The iterates are meant to be watched: they only approach a solution that other algorithms compute directly."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import (
    Iterate,
    StepwiseAlgorithm,
    batch_size,
    epochs,
    penalty,
)
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.losses import HINGE
from kernelviz.engine.core.params import flag, random_seed, real
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.method import Change
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear.descent import (
    DualWalk,
    SideBySide,
    batch_change,
    batches,
    compare_descents,
    descend,
    hinge_ending,
    hinge_lower_bound,
    hinge_objective,
    runaway,
    subgradient_steps,
)

STEPS_PER_YIELD = 100  # Steps between two yields of `solve`.


@dataclass(frozen=True)
class HingeSGD(StepwiseAlgorithm):
    """min 1/n Σ max(0, 1 - z s) + λ ||w||²: the soft margin with C = 1/(2nλ), approached step by step.

    The dual at a nearby feasible point bounds the minimum from below, and so certifies how near the steps
    came."""

    name = "hinge-sgd"
    other_names = ("pegasos",)
    family = "Minimising a loss"
    place = 5
    title = "Hinge loss by subgradient steps"
    summary_line = "Stochastic steps down the hinge loss: noisy, simple, meant to be watched."
    latex = r"\min_{w,b} \frac1n \sum_i \max(0, 1 - z_i s(x_i)) + \lambda \lVert w\rVert^2"
    order_matters = True
    own_loss = HINGE

    lam: float = penalty(0.01, 1e4, (1e-4, 1e1))
    epochs: int = epochs()
    batch: int = batch_size(1000, silent=True)
    seed: int = random_seed("Order", silent=True)

    def run(self, problem: Problem, start: Model | None, watched: bool) -> Iterator[Iterate]:
        every = 1 if watched else STEPS_PER_YIELD
        z, walk = problem.z, DualWalk(problem.gram)
        first = self._model(problem, walk, 0, Status.RUNNING, "Nothing learnt yet.", (1.0, None))
        yield Iterate(0, first, Change("start: all weights are zero", kind="start"))
        step = None
        for step in subgradient_steps(walk, z, self.lam, self.epochs, self.batch, self.seed):
            if step.number % every == 0:
                value = hinge_objective(walk, z, self.lam)
                message = f"Step {step.number}: objective {value:.6g}."
                model = self._model(problem, walk, step.number, Status.RUNNING, message, (value, None))
                yield Iterate(step.number, model, batch_change(step))
        assert step is not None
        walk.refresh()
        value = hinge_objective(walk, z, self.lam)
        bound = hinge_lower_bound(walk, z, self.lam) if problem.kernel.positive_definite else None
        final = self._model(
            problem, walk, step.number, *hinge_ending(step.number, value, bound), (value, bound)
        )
        yield Iterate(step.number + 1, final, Change(final.message, kind="end"), True)

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


@dataclass(frozen=True)
class KernelSGD(StepwiseAlgorithm):
    """β_i ← β_i - (rate/|B|) (s(x_i) - y_i) for i in a minibatch B, b ← b - (rate/|B|) Σ_B (s(x_i) - y_i)"""

    name = "kernel-sgd"
    family = "Minimising a loss"
    place = 6
    title = "Least squares by gradient steps"
    summary_line = "Minibatch gradient descent on the squared error, in the weights of the points."
    latex = (
        r"\beta_i \leftarrow \beta_i - \tfrac{\eta}{|B|} \left(s(x_i) - y_i\right),\quad "
        r"b \leftarrow b - \tfrac{\eta}{|B|} \sum_{i \in B} \left(s(x_i) - y_i\right)"
    )
    tasks = frozenset({Task.REGRESSION})
    order_matters = True
    ends_at_limit = True
    weighs_every_point = True

    rate: float = real(
        0.5, low=1e-8, high=1e4, soft=(1e-3, 2.0), scale="log", label="rate", help="Length of a step"
    )
    batch: int = batch_size(5000)
    epochs: int = epochs()
    bias: bool = flag(True, label="bias", help="Also learn an offset b")
    seed: int = random_seed("Order", silent=True)

    def in_features(self, problem: Problem) -> Generator[float, None, SideBySide | None]:
        return compare_descents(problem, **self.values())

    def run(self, problem: Problem, start: Model | None, watched: bool) -> Iterator[Iterate]:
        every = 1 if watched else STEPS_PER_YIELD
        y, run = problem.y, DualWalk(problem.gram)
        most = runaway(y)
        begun = Change("start: all weights are zero", kind="start")
        yield self._iterate(problem, run, 0, Status.RUNNING, begun)
        number, ended = 0, ""
        for batch in batches(problem.n, self.batch, self.epochs, self.seed):
            before = run.beta.copy(), run.b
            if not descend(run, y, batch, self.rate, self.bias) <= most:
                run.beta, run.b = before
                ended = f"Stopped after {number} steps: they diverge. Choose a smaller rate."
                break
            number += 1
            if number % every == 0:
                change = Change(_named(problem, batch), tuple(batch.tolist()), "batch")
                yield self._iterate(problem, run, number, Status.RUNNING, change)
        final = ended or f"Stopped as asked, after {self.epochs} epochs."
        change = Change(final, kind="end")
        yield self._iterate(problem, run, number, Status.LIMIT, change, done=True)

    def _iterate(
        self,
        problem: Problem,
        run: DualWalk,
        number: int,
        status: Status,
        change: Change,
        done: bool = False,
    ) -> Iterate:
        """Return the frame after `number` steps, with half the mean squared error as its objective."""
        run.refresh()
        scores = run.everywhere() + run.b
        value = 0.5 * float(np.square(problem.y - scores).mean())
        message = change.text if done else f"Step {number}: half the mean squared error is {value:.6g}."
        known = value if np.isfinite(value) else None
        model = KernelModel(
            problem,
            self,
            status,
            message,
            number,
            weights=run.beta.copy(),
            offset=run.b,
            objectives=(known, None),
            known_scores=scores,
        )
        return Iterate(number + done, model, change, done)


def _named(problem: Problem, batch: np.ndarray) -> str:
    """Return the points of a step as text, unless they are many."""
    if len(batch) > 5:
        return f"a step for {len(batch)} points"
    return f"a step for point{'s' * (len(batch) > 1)} {', '.join(str(problem.number(int(i))) for i in batch)}"
