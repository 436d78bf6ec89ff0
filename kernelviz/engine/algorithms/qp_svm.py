"""What all support vector machines share: pose the dual, solve it fast or watchably, and say how it ended."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.algorithms import smo
from kernelviz.engine.algorithms.base import Algorithm, Change, Iterate
from kernelviz.engine.algorithms.newton import newton
from kernelviz.engine.algorithms.qp import Dual, Point, feasible, kkt_gap, offsets
from kernelviz.engine.algorithms.qp_rows import Rows
from kernelviz.engine.algorithms.qp_warm import Slot, State, carried, resume, take
from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.model import KernelModel, Model, Status
from kernelviz.engine.params import number, real
from kernelviz.engine.problem import Problem

__all__ = ["SupportVectorMachine", "tolerance"]

PAUSE = 5e7
"""Floating point operations between two chances to abandon a solve: a few milliseconds."""


def tolerance() -> Any:
    """The declaration of the stopping tolerance, LIBSVM's."""
    return real(
        1e-3,
        low=1e-10,
        high=1.0,
        soft=(1e-8, 1e-1),
        scale="log",
        label="tolerance",
        help="Largest KKT violation accepted",
        silent=True,
    )


@dataclass(frozen=True)
class SupportVectorMachine(Algorithm):
    """min ½ b'Kb - p'b in a box, with fixed sums; a subclass states the box, the sums and the primal."""

    @property
    def accuracy(self) -> float:
        """The KKT violation to stop at."""
        return float(getattr(self, "tol", 1e-3))

    @property
    def ridge(self) -> float:
        """What is added to the diagonal of K in the dual."""
        return 0.0

    @abstractmethod
    def dual(self, problem: Problem, rows: Rows) -> Dual:
        """The quadratic programme."""

    @abstractmethod
    def primal(self, problem: Problem, norm2: float, scores: Array) -> float:
        """The primal objective at given |w|² and training scores."""

    def begin(self, problem: Problem, start: Model | None) -> tuple[Dual, Point, bool]:
        """The dual with a starting point: the earlier solution carried over, or zero."""
        state = take(start)
        if state is not None:
            rows, b, h, old = resume(state, problem, self.ridge)
            dual = self.dual(problem, rows)
            if state.family == self.name:
                b, h = carried(old, dual, b, h)
                return dual, Point(b, h, np.zeros(len(dual.totals))), True
        else:
            dual = self.dual(problem, Rows(problem, self.ridge))
        b = feasible(dual, np.zeros(problem.n))
        return dual, Point(b, dual.rows.times(b), np.zeros(len(dual.totals))), False

    def solve(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        dual, point, warm = self.begin(problem, start)
        done, work, count = False, 0.0, 0
        try:
            for cost in optimise(dual, point, self.accuracy, warm):
                work += cost
                if work > PAUSE:
                    work = 0.0
                    yield Iterate(count, self.model(problem, dual, point, Status.RUNNING))
                    count += 1
            done = True
        finally:
            if not done and start is not None:  # abandoned: what is known so far stays useful
                memory = getattr(start, "memory", None)
                if isinstance(memory, Slot):
                    memory.held.append(State(self.name, dual.rows, dual, point.b, point.h))
        yield self.last(problem, dual, point, count)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        """SMO, one pair at a time; what is left after many pairs is finished by Newton's method."""
        dual, point, _ = self.begin(problem, None)
        limit = 1000 + 20 * problem.n
        for count, pair in enumerate(smo.pairs(dual, point, self.accuracy)):
            model = self.model(problem, dual, point, Status.RUNNING)
            change = Change(
                f"pair ({pair.i}, {pair.j}): objective +{pair.gain:.3g}", (pair.i, pair.j), "pair"
            )
            yield Iterate(count, model, _objectives(model), change)
            if count >= limit:
                break
        for _ in optimise(dual, point, self.accuracy, True):
            pass
        yield self.last(problem, dual, point, point.steps)

    def last(self, problem: Problem, dual: Dual, point: Point, count: int) -> Iterate:
        """The final iterate: the model as it stays."""
        status = Status.CONVERGED if point.gap <= self.accuracy else Status.LIMIT
        model = self.model(problem, dual, point, status)
        text = f"{status}: largest KKT violation {max(point.gap, 0.0):.1e}"
        return Iterate(count, model, _objectives(model), Change(text, kind="end"), done=True)

    def model(self, problem: Problem, dual: Dual, point: Point, status: Status) -> KernelModel:
        """The model at a point of the dual; the state goes along when this is the end."""
        b, h = point.b, point.h
        gap = max(point.gap, 0.0)
        rho = float(offsets(dual, b, h - dual.p)[0])
        beta = read_only(b)
        scores = h + rho
        if dual.rows.ridge:
            scores -= dual.rows.ridge * beta
        norm2 = float(beta @ (scores - rho))
        model = KernelModel(
            problem,
            self,
            status,
            _sentence(status, gap, self.accuracy),
            point.steps,
            weights=beta,
            offset=rho,
            upper=self.upper(problem),
            objectives=(self.primal(problem, norm2, scores), float(dual.p @ b - 0.5 * (b @ h))),
            violation=gap,
            memory=Slot() if status is Status.RUNNING else Slot([State(self.name, dual.rows, dual, b, h)]),
        )
        scores.flags.writeable = False
        model.__dict__["training_scores"] = scores
        return model

    def upper(self, problem: Problem) -> Array | None:
        """The upper bounds of alpha."""
        return None


def optimise(dual: Dual, point: Point, tol: float, warm: bool) -> Iterator[float]:
    """Bring the gap down to tol: a little SMO from a cold start, then Newton."""
    if not warm:
        smo.run(dual, point, max(tol, 0.1), dual.n)
    yield from newton(dual, point, tol, warm, 60 + dual.n // 2)
    if point.gap > tol:
        smo.run(dual, point, tol, 1000 + 50 * dual.n)
        point.h[:] = dual.rows.times(point.b)
        point.gap = kkt_gap(dual, point.b, point.h - dual.p)[0]


def _objectives(model: KernelModel) -> dict[str, float]:
    primal, dual = model.objectives
    return {k: v for k, v in (("primal", primal), ("dual", dual)) if v is not None}


def _sentence(status: Status, gap: float, tol: float) -> str:
    if status is Status.CONVERGED:
        return f"Converged: the largest KKT violation is {gap:.1e}, below {number(tol)}."
    if status is Status.LIMIT:
        return f"Stopped at the limit: the largest KKT violation is {gap:.1e}, above {number(tol)}."
    return f"Running: the largest KKT violation is {gap:.1e}."
