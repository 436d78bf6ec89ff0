"""What all support vector machines share: pose the dual, solve it fast or watchably, and say how it ended."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.algorithms import smo
from kernelviz.engine.algorithms.base import Algorithm, Change, Iterate
from kernelviz.engine.algorithms.qp import Dual, Point, offsets, snap
from kernelviz.engine.algorithms.qp_rows import Rows
from kernelviz.engine.algorithms.qp_solve import optimise
from kernelviz.engine.algorithms.qp_warm import Slot, State, carried, resume, take
from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.model import KernelModel, Model, Status
from kernelviz.engine.params import number, real
from kernelviz.engine.problem import Problem

__all__ = ["Solution", "SupportVectorMachine", "half_lines", "tolerance"]

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


def half_lines(problem: Problem, rows: Rows) -> Dual:
    """alpha >= 0 without an upper bound."""
    z = problem.z
    return Dual(rows, z, np.where(z > 0, 0.0, -np.inf), np.where(z > 0, np.inf, 0.0))


@dataclass(frozen=True, eq=False)
class Solution:
    """A point of the dual in the units of the score: s = h + offset, h = K beta (plus the ridge's part)."""

    beta: Array
    h: Array
    offset: float
    gap: float
    unit: float = 1.0
    """What the dual's own weights were divided by."""


@dataclass(frozen=True)
class SupportVectorMachine(Algorithm):
    """min ½ b'Kb - p'b in a box, with fixed sums; a subclass states the box, the sums and the primal."""

    family = "Support vector machines"

    @property
    def ridge(self) -> float:
        """What is added to the diagonal of K in the dual."""
        return 0.0

    @property
    def accuracy(self) -> float:
        """The KKT violation to stop at: the declared parameter `tol`."""
        return float(self.values()["tol"])

    @abstractmethod
    def dual(self, problem: Problem, rows: Rows) -> Dual:
        """The quadratic programme."""

    @abstractmethod
    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """The primal objective at given |w|² and training scores."""

    def first(self, dual: Dual) -> Array:
        """A feasible point to start from."""
        return np.zeros(dual.n)

    def box(self, found: Solution) -> float | None:
        """The upper bound of alpha, if any."""
        return None

    def linear_term(self, dual: Dual, beta: Array) -> float:
        """The part of the dual objective that is linear in the weights."""
        return float(dual.p @ beta)

    def levels(self, dual: Dual, point: Point) -> Array:
        """The offset of each group."""
        return offsets(dual, point.b, point.h - dual.p)

    def solution(self, dual: Dual, point: Point) -> Solution:
        """What a point of the dual means."""
        return Solution(point.b, point.h, float(self.levels(dual, point)[0]), point.gap)

    def optimise(self, dual: Dual, point: Point, warm: bool) -> Iterator[float]:
        """Solve in place; yields work."""
        return optimise(dual, point, self.accuracy, warm)

    def begin(self, problem: Problem, start: Model | None) -> tuple[Dual, Point, bool]:
        """The dual with a starting point: the earlier solution carried over, or the first one."""
        state = take(start)
        if state is None:
            dual = self.dual(problem, Rows(problem, self.ridge))
        else:
            rows, b, h, old = resume(state, problem, self.ridge)
            dual = self.dual(problem, rows)
            if state.family == self.name:
                b, h = carried(old, dual, b, h)
                return dual, Point(b, h, np.zeros(len(dual.totals))), True
        b = self.first(dual)
        return dual, Point(b, dual.rows.times(b), np.zeros(len(dual.totals))), False

    def solve(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        dual, point, warm = self.begin(problem, start)
        done, work, count = False, 0.0, 0
        try:
            for cost in self.optimise(dual, point, warm):
                work += cost
                if work > PAUSE:
                    work = 0.0
                    yield Iterate(count, self.model(problem, dual, point, Status.RUNNING))
                    count += 1
            done = True
        finally:
            if not done:  # abandoned: what is known so far stays useful
                memory = getattr(start, "memory", None)
                if isinstance(memory, Slot):
                    memory.held.append(State(self.name, dual.rows, dual, point.b, point.h))
        yield self.last(problem, dual, point, count)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        """SMO, one pair at a time; what is left after many pairs is finished by Newton's method."""
        dual, point, _ = self.begin(problem, None)
        limit = 1000 + 20 * problem.n
        count = 0
        for pair in smo.pairs(dual, point, self.accuracy):
            model = self.model(problem, dual, point, Status.RUNNING)
            text = f"pair ({pair.i + 1}, {pair.j + 1}): objective +{pair.gain:.3g}"
            yield Iterate(count, model, objectives(model), Change(text, (pair.i, pair.j), "pair"))
            count += 1
            if count >= limit:
                break
        for _ in self.optimise(dual, point, True):
            pass
        yield self.last(problem, dual, point, count)

    def last(self, problem: Problem, dual: Dual, point: Point, count: int) -> Iterate:
        """The final iterate: the model as it stays."""
        snap(dual, point.b)
        model = self.model(problem, dual, point)
        return Iterate(count, model, objectives(model), Change(model.message, kind="end"), done=True)

    def verdict(self, found: Solution) -> tuple[Status, str]:
        """How it ended, in one sentence."""
        gap, tol = max(found.gap, 0.0), self.accuracy
        if gap <= tol:
            sentence = f"Converged: the largest KKT violation is {gap:.1e}, below {number(tol)}."
            return Status.CONVERGED, sentence
        return (
            Status.LIMIT,
            f"Stopped at the limit: the largest KKT violation is {gap:.1e}, above {number(tol)}.",
        )

    def model(self, problem: Problem, dual: Dual, point: Point, status: Status | None = None) -> KernelModel:
        """The model at a point of the dual; without a status it is the last one and takes the state along."""
        found = self.solution(dual, point)
        beta = read_only(found.beta)
        scores = found.h + found.offset
        if dual.rows.ridge:
            scores -= dual.rows.ridge * beta
        norm2 = float(beta @ scores) - found.offset * float(beta.sum())
        box = self.box(found)
        memory = Slot()
        if status is None:
            status, message = self.verdict(found)
            memory.held.append(State(self.name, dual.rows, dual, point.b, point.h))
        else:
            message = f"Running: the largest KKT violation is {max(found.gap, 0.0):.1e}."
        model = KernelModel(
            problem,
            self,
            status,
            message,
            point.steps,
            weights=beta,
            offset=found.offset,
            upper=None if box is None else read_only(np.full(problem.n, box)),
            objectives=(
                self.primal(problem, norm2, scores, found),
                self.linear_term(dual, beta) - 0.5 * float(beta @ found.h),
            ),
            violation=max(found.gap, 0.0),
            memory=memory,
        )
        model.__dict__["training_scores"] = read_only(scores)
        return model


def objectives(model: KernelModel) -> dict[str, float]:
    """Primal and dual by name."""
    primal, dual = model.objectives
    return {k: v for k, v in (("primal", primal), ("dual", dual)) if v is not None}
