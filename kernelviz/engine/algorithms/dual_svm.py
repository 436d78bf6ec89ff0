"""The common part of all support vector machines: state the dual, solve it, and report how it ended.

A machine states its dual programme in the signed weights β = αz (see `solvers/qp/program.py`). `solve` is the
fast route; `steps` takes one pair of weights at a time by SMO, as LIBSVM does. Both end with the same model,
whose weights are exactly on their bounds and whose objectives are given only as far as rounding lets them be
known."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.algorithms.objectives import (
    NEGATIVE,
    Objectives,
    Solution,
    doubts_of_objectives,
    error_of_a_score,
)
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.generators import finished
from kernelviz.engine.core.losses import HINGE, Loss
from kernelviz.engine.core.params import real
from kernelviz.engine.models.base import FIVE_DIGITS, Model, Status
from kernelviz.engine.models.kernel import BLUR, KernelModel
from kernelviz.engine.models.method import Change
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.qp.program import (
    Dual,
    Optimality,
    Point,
    balance_sums,
    closer_rounding,
    settle,
)
from kernelviz.engine.solvers.qp.rows import GramRows
from kernelviz.engine.solvers.qp.smo import Smo
from kernelviz.engine.solvers.qp.solve import Work, optimise
from kernelviz.engine.solvers.qp.warm import SolverSlot, SolverState, leave, resume, take

BEYOND = 1e8  # Times the usual size of a weight: who gets there is on the way to infinity.

DOUBT = 4.0  # Times the error to expect in a score: the largest difference of two that rounding explains.

FINEST = 1e-10  # The smallest tolerance that can be asked for: then everything is wanted that digits allow,
DIGITS = 4.0  # violations of so many times the rounding of a score.

UNEVEN = 1e-9  # Of the sum of |β|: a sum of β that is not 0.

CANCELS = 1e-6  # Of the ridge's part of beta'(K + ridge)beta: smaller parts of K have lost digits.

PAUSE = 5e7  # Floating point operations between two chances to abandon a solve: a few milliseconds.

LOST = (
    " The objective is not known to five digits: large weights, or a high price of slack, multiply the "
    "rounding of the scores."
)


def slack_price() -> Any:
    """Declare C, the price of a unit of slack: 0 ≤ α ≤ C in the dual."""
    return real(
        10.0,
        low=1e-8,
        high=1e10,
        soft=(1e-2, 1e4),
        scale="log",
        label="C",
        help="Price of a unit of slack",
        simpler="smaller",
    )


def fraction(help: str) -> Any:
    """Declare ν, which bounds a fraction of the points instead of pricing their slack."""
    return real(0.3, low=1e-4, high=1.0, soft=(0.01, 1.0), label="ν", help=help, simpler="larger")


def converged(gap: float, tol: float, known: bool = True) -> str:
    """Return the sentence for a KKT violation `gap` that is at most `tol`.

    known: False adds that the objectives are not known to five digits."""
    end = "" if known else LOST
    if gap == 0.0:
        return f"Converged: no KKT violation is left.{end}"
    return f"Converged: the largest KKT violation is {gap:.1e}, below {tol:.2g}.{end}"


def half_lines(problem: Problem, rows: GramRows) -> Dual:
    """Return the dual with alpha >= 0 and no upper bound.

    An indefinite kernel, for which the dual may be unbounded, gets a very large upper bound instead."""
    z = problem.z
    reach = np.inf if problem.kernel.positive_definite else BEYOND / max(rows.scale, 1e-100)
    if problem.data.weights is not None:
        z = np.where(problem.data.weights > 0.0, z, 0.0)
    return Dual(rows, problem.z, np.where(z < 0, -reach, 0.0), np.where(z > 0, reach, 0.0), signed=True)


@dataclass(frozen=True)
class SupportVectorMachine(Algorithm):
    """min ½ β'Kβ - p'β in a box, with fixed sums of β.

    A subclass states the box and the sums by `dual`, and the `primal`. Fits with the same dual but other
    units of the score override `solution`. The tolerance has the default of LIBSVM."""

    family = "Support vector machines"
    no_digits: ClassVar[str] = "weights so large leave no more digits, "  # Why rounding may end a fit.
    unknown: ClassVar[str] = LOST  # Why a solution may have an objective that is not known.

    tol: float = real(
        1e-3,
        low=FINEST,
        high=1.0,
        soft=(1e-8, 1e-1),
        scale="log",
        label="tolerance",
        help="Largest KKT violation accepted, as a share of the size of a score",
        silent=True,
        last=True,
    )

    def accepted(self, dual: Dual) -> float:
        """Return the KKT violation to stop at."""
        return self.tol * self.size_of_a_score(dual)

    def accepted_at(self, dual: Dual, found: Solution) -> float:
        """Return the KKT violation up to which a solution has converged."""
        return self.accepted(dual)

    def size_of_a_score(self, dual: Dual) -> float:
        """Return the typical size of a score, by which tolerances are multiplied."""
        return dual.spread

    def accuracy_of_the_dual(self, dual: Dual, point: Point, optimality: Optimality) -> float:
        """Return the KKT violation to stop at in the units of the dual."""
        return self.accepted(dual)

    @property
    def own_loss(self) -> Loss:
        return HINGE

    @property
    def ridge(self) -> float:
        """The number added to the diagonal of K in the dual."""
        return 0.0

    def ridge_of(self, problem: Problem) -> float | Array:
        """Return that number, or one for each point."""
        return self.ridge

    @abstractmethod
    def dual(self, problem: Problem, rows: GramRows) -> Dual:
        """Return the quadratic programme."""

    @abstractmethod
    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """Return the primal objective for given |w|² and training scores."""

    def charged(self, problem: Problem, scores: Array, found: Solution, error: float) -> float:
        """Return how many errors of a score the sum of all slack may be off by, if each score is off by
        `error`."""
        return problem.n

    def first(self, dual: Dual) -> Array:
        """Return a feasible point to start from."""
        return np.zeros(dual.n)

    def upper(self, dual: Dual, found: Solution) -> Array | None:
        """Return the upper bounds of alpha, or None if there are none."""
        return None

    def linear_term(self, dual: Dual, beta: Array) -> float:
        """Return the part of the dual objective that is linear in the weights."""
        return dual.linear_term(beta)

    def solution(self, dual: Dual, point: Point, optimality: Optimality) -> Solution:
        """Return a point of the dual as weights, scores and offset of the model."""
        return Solution(point.b, point.h, optimality.offsets(dual)[0], optimality.gap)

    def optimise(self, dual: Dual, point: Point, warm: bool) -> Work:
        """Solve the dual in place."""
        solve = optimise if self.tol > FINEST else _optimise_in_full
        return solve(dual, point, self.accepted(dual), warm)

    def begin(self, problem: Problem, start: Model | None) -> tuple[Dual, Point, bool]:
        """Return the dual, a starting point, and whether that is an earlier solution carried over."""
        state, ridge = take(start), self.ridge_of(problem)
        # A ridge of its own for each point does not follow the points that are moved, added and taken away.
        if state is None or not (isinstance(ridge, float) and isinstance(state.dual.rows.ridge, float)):
            dual, point = self.dual(problem, GramRows.for_problem(problem, ridge)), None
        else:
            dual, point = resume(self, state, problem)
        if point is not None:
            return dual, point, True
        b = self.first(dual)
        return dual, Point.at(dual, b), False

    def fit(self, problem: Problem, start: Model | None = None) -> Model:
        if start is None or not _asked_before(self, problem, start):
            self.check(problem)
        dual, point, warm = self.begin(problem, start)
        return self.final(problem, dual, point, finished(self.optimise(dual, point, warm)))

    def solve(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        dual, point, warm = self.begin(problem, start)
        work, count = 0.0, 0
        solver = self.optimise(dual, point, warm)
        try:
            while True:
                work += next(solver)
                if work > PAUSE:
                    model = self.model(problem, dual, point, Optimality(dual, point), running=True)
                    yield Iterate(count, model)
                    work = 0.0
                    count += 1
        except StopIteration as end:
            optimality = end.value
        except GeneratorExit:  # abandoned: what is known so far stays useful
            leave(start, SolverState(self, problem.data.target, problem.data.weights, dual, point))
            raise
        yield self.last(problem, dual, point, optimality, count)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        """Run SMO one pair at a time, and finish with Newton's method after many pairs."""
        dual, point, _ = self.begin(problem, None)
        smo = Smo(dual, point)
        first = self.model(problem, dual, point, Optimality(dual, point), running=True)
        yield Iterate(0, first, Change("start: before the first pair", kind="start"))
        count = 1
        while count < 1000 + 20 * problem.n and (pair := smo.step(self.accepted(dual))) is not None:
            smo.write_scores()
            model = self.model(problem, dual, point, Optimality(dual, point), running=True)
            i, j = pair.i % problem.n, pair.j % problem.n  # a point may stand in the dual twice
            text = f"pair ({i + 1}, {j + 1}): objective +{pair.gain:.3g}"
            yield Iterate(count, model, Change(text, (i, j), "pair"))
            count += 1
        yield self.last(problem, dual, point, finished(self.optimise(dual, point, True)), count)

    def last(self, problem: Problem, dual: Dual, point: Point, optimality: Optimality, count: int) -> Iterate:
        """Return the final iterate."""
        model = self.final(problem, dual, point, optimality)
        return Iterate(count, model, Change(model.message, kind="end"), done=True)

    def final(self, problem: Problem, dual: Dual, point: Point, optimality: Optimality) -> KernelModel:
        """Return the final model, after the weights have been put exactly on their bounds and sums."""
        tol = self.accuracy_of_the_dual(dual, point, optimality)
        optimality = point.confirm(dual, balance_sums(dual, point, optimality), tol)
        if point.steps:  # otherwise the weights are those of the start, where this was done
            optimality = settle(dual, point, optimality, tol)
        return self.model(problem, dual, point, optimality)

    def verdict(self, dual: Dual, found: Solution) -> tuple[Status, str]:
        """Return how it ended, as a status and a sentence."""
        gap, tol = max(found.gap, 0.0), self.accepted_at(dual, found)
        if self.upper(dual, found) is None and not np.abs(found.beta).max() < dual.largest:
            return Status.LIMIT, "The dual has no maximum: the kernel is not positive semi-definite here."
        size = dual.size(found.beta)
        if dual.twice and abs(float(np.add.reduce(found.beta))) > UNEVEN * float(np.abs(found.beta).sum()):
            return Status.LIMIT, f"Stopped at the limit: {self.no_digits}β does not sum to 0."
        doubt = DOUBT * error_of_a_score(dual, size)
        if gap <= tol < doubt:
            doubt = DOUBT * error_of_a_score(dual, size, closer_rounding(dual, found.beta))
        # Conditions that hold with room to spare, as inside a tube, are in doubt by so much less.
        if gap <= tol and doubt + min(found.gap, 0.0) <= tol:
            return Status.CONVERGED, converged(gap, tol)
        cause = "no step brought it any further, "
        if gap <= 2.5 * doubt:
            cause = self.no_digits
        elif not dual.rows.kernel.positive_definite:
            cause = "the kernel is not positive semi-definite, "
        violation = f"is {gap:.1e}" if gap > tol else f"may be {doubt:.1e}"
        return (
            Status.LIMIT,
            f"Stopped at the limit: {cause}the largest KKT violation {violation}, above {tol:.2g}.",
        )

    def objectives(
        self,
        problem: Problem,
        dual: Dual,
        found: Solution,
        optimality: Optimality,
        scores: Array,
        norm2: float,
    ) -> Objectives:
        """Return both objectives and how well rounding lets them be known."""
        primal = self.primal(problem, norm2, scores, found)
        energy = float(found.beta.dot(found.h)) if dual.rows.ridged else norm2
        reached = self.linear_term(dual, found.beta) - 0.5 * energy
        error = error_of_a_score(dual, dual.size(found.beta) if dual.twice else optimality.size / found.unit)
        # No weight is larger than the price of slack; seldom is a closer look worth its time.
        if reached <= primal and 2.0 * error * dual.largest / found.unit * problem.n <= FIVE_DIGITS * reached:
            return Objectives(primal, reached)
        boxed = self.upper(dual, found) is not None
        charged = self.charged(problem, scores, found, error) if boxed else 0.0
        doubts = doubts_of_objectives(dual, found, optimality, primal, error, charged)
        judged = Objectives.within(primal, reached, doubts)
        if boxed and not all(judged.known):
            error = error_of_a_score(dual, dual.size(found.beta), closer_rounding(dual, found.beta))
            charged = self.charged(problem, scores, found, error)
            doubts = doubts_of_objectives(dual, found, optimality, primal, error, charged)
            judged = Objectives.within(primal, reached, doubts)
        if boxed:
            return judged
        known = True  # as no price multiplies the error
        if self.ridge:  # which divides the squares of all slack
            slack = np.maximum(0.0, 1.0 - problem.z * scores)
            doubt = error * problem.data.total(slack + 0.5 * error) / self.ridge
            known = doubt <= FIVE_DIGITS * primal
        return judged._replace(known=(known, known))

    def model(
        self, problem: Problem, dual: Dual, point: Point, optimality: Optimality, running: bool = False
    ) -> KernelModel:
        """Return the model at a point of the dual; the last model keeps the solver's state for a
        successor."""
        found = self.solution(dual, point, optimality)
        beta, scores = found.beta.copy(), found.h + found.offset
        if dual.rows.ridged:
            scores -= dual.rows.ridge * beta
        beta.flags.writeable = scores.flags.writeable = False
        norm2 = float(beta.dot(found.h))
        cancels = False
        if dual.rows.ridged:
            share = dual.rows.energy_of_ridge(beta)
            norm2 -= share
            cancels = norm2 < CANCELS * share
        reached = self.objectives(problem, dual, found, optimality, scores, norm2)
        gap = max(found.gap, 0.0)
        if running:
            status, message = Status.RUNNING, f"Running: the largest KKT violation is {gap:.1e}."
        else:
            status, message = self.verdict(dual, found)
            if status is Status.CONVERGED and not reached.sound:
                status, message = Status.LIMIT, NEGATIVE
            elif status is Status.CONVERGED and not all(reached.known):
                message += self.unknown
        nothing, known = status is Status.NOT_SEPARABLE, (problem.data.target, problem.data.weights)
        shown: tuple[float | None, float | None] = reached[:2] if running else reached.shown()
        return KernelModel(
            problem,
            self,
            status,
            message,
            point.steps,
            weights=beta,
            offset=found.offset,
            box=self.upper(dual, found),
            objectives=(None, None) if nothing else shown,
            violation=None if nothing else gap,
            known_scores=None if cancels else scores,
            known_energy=None if cancels else norm2,
            blur=BLUR * self.size_of_a_score(dual),
            accepted=self.accepted_at(dual, found),
            tube=found.tube,
            memory=SolverSlot([] if running else [SolverState(self, *known, dual, point)]),
        )


def _optimise_in_full(dual: Dual, point: Point, tol: float, warm: bool) -> Work:
    """Bring the gap of `point` down to tol, and then to what rounding leaves of it."""
    optimality = yield from optimise(dual, point, tol, warm)
    return (yield from to_the_last_digit(dual, point, optimality)) if optimality.gap <= tol else optimality


def to_the_last_digit(dual: Dual, point: Point, optimality: Optimality) -> Work:
    """Bring the gap of a solution down to what rounding leaves of it.

    The price of slack multiplies the violation in the duality gap; and the score of a point on the boundary
    is 0 but for rounding only if the violation is."""
    aim = DIGITS * error_of_a_score(dual, optimality.size)
    if optimality.gap <= aim or dual.largest == np.inf:
        return optimality
    return (yield from optimise(dual, point, aim, True, rescue=False))


def _asked_before(algorithm: Algorithm, problem: Problem, start: Model) -> bool:
    """Return True if only numbers differ from the earlier problem, which Data has checked already."""
    old, new = start.problem.data, problem.data
    return (
        start.algorithm is algorithm
        and start.problem.kernel is problem.kernel
        and (old.target is new.target or new.task is Task.REGRESSION)
        and old.weights is new.weights
        and isinstance(old.X, np.ndarray)
        and isinstance(new.X, np.ndarray)
        and old.X.shape == new.X.shape
    )
