"""The hard-margin support vector machine, preceded by a test of whether the classes can be separated at all.

The dual has a maximum only if they can. So the nearest points of the two convex hulls in feature space are
found first: where the hulls meet there is no margin, and the model says so; where they do not, the nearest
points are close to the solution."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

import numpy as np

from kernelviz.engine.algorithms.base import Iterate
from kernelviz.engine.algorithms.dual_svm import (
    SupportVectorMachine,
    converged,
    half_lines,
)
from kernelviz.engine.algorithms.objectives import Solution
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.generators import finished
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.method import Change
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.qp.newton import Newton
from kernelviz.engine.solvers.qp.program import Dual, Optimality, Point
from kernelviz.engine.solvers.qp.rows import GramRows
from kernelviz.engine.solvers.qp.solve import Work, optimise
from kernelviz.engine.solvers.separability import (
    Explicit,
    Hulls,
    HullSpace,
    explicit_features,
    low_rank,
    nearest_points,
    twins,
    whole,
)

# To what part of it the squared distance of the hulls is found: for Newton to finish, and by itself.
NEAR_ENOUGH_FOR_NEWTON, SURELY_APART = 1e-3, 1e-11


@dataclass(frozen=True)
class HardMarginSVM(SupportVectorMachine):
    """max Σα - ½ β'Kβ, α ≥ 0, Σβ = 0, β = αz; at the maximum the margin 1/||w|| is 1/√Σα.

    Where nothing separates the classes the model has the status `NOT_SEPARABLE`, no weights and no
    boundary."""

    name = "hard-margin-svm"
    place = 2
    forgets = True
    title = "Hard-margin SVM"
    summary_line = "The widest margin without any slack; needs separable classes."
    latex = (
        r"\max_\alpha \sum_i \alpha_i - \tfrac12 \sum_{i,j} \alpha_i \alpha_j z_i z_j K(x_i, x_j),"
        r"\quad \alpha_i \ge 0,\ \sum_i \alpha_i z_i = 0"
    )

    def dual(self, problem: Problem, rows: GramRows) -> Dual:
        return half_lines(problem, rows)

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """Return ½|w|² of w scaled to have z·s ≥ 1 everywhere, infinite if that is impossible."""
        level = float((problem.z * scores).min())
        # The least z·s from which scaling up gives a primal objective: from below, more than a hundred times
        # what it is going to be, which says nothing and flattens its curve.
        near = 0.1
        return 0.5 * norm2 / level**2 if level >= near else np.inf

    def optimise(self, dual: Dual, point: Point, warm: bool) -> Work:
        """Run Newton from a warm start; otherwise first find the nearest points of the convex hulls, which
        either show that there is no solution or lie close to it."""
        # Factorisations a warm start may take before it is asked whether there is a solution at all.
        warm_factorisations = 20
        if warm:
            newton = Newton(dual, point, self.tol, True, warm_factorisations)
            yield from newton.rounds()
            if newton.done:
                return newton.optimality
        point.reset()
        if not dual.rows.kernel.positive_definite:  # no feature space, so no hulls
            optimality = yield from optimise(dual, point, self.tol, False)
            return _only_if_separating(dual, point, optimality)
        if twins(dual.rows.X, dual.p) is not None:
            return Optimality(dual, point)
        explicit = explicit_features(dual.rows)
        if explicit is not None and explicit.uneven:
            return (yield from self._by_columns(dual, point, explicit))
        space: HullSpace | None = None if explicit is None else explicit.space(dual.p)
        # Floating point operations for each entry of the Gram matrix that are always worth a first try.
        little = 20
        if space is None:
            if (yield from self._easily(dual, point, little * (1e6 + dual.n**2))):
                return (yield from optimise(dual, point, self.tol, True))
            space = low_rank(dual)
        # Times n³, from so many points on: what a second try may take before the whole matrix is factorised.
        much, large_problem = 1.5, 5000
        if space is None:
            if (yield from self._easily(dual, point, much * dual.n**3 * min(1.0, dual.n / large_problem))):
                return (yield from optimise(dual, point, self.tol, True))
            space = whole(dual)
        hulls = yield from nearest_points(space, dual.p, NEAR_ENOUGH_FOR_NEWTON)
        point.steps += hulls.iterations
        if not hulls.apart:
            return Optimality(dual, point)
        _go_near(dual, point, hulls)
        return (yield from optimise(dual, point, self.tol, True))

    def _easily(self, dual: Dual, point: Point, most: float) -> Generator[float, None, bool]:
        """Return True if the classes were found to be well apart before much was factorised.

        Newton's method runs on the hulls, with a little more accuracy at a time."""
        z = dual.p
        groups = np.array([z > 0, z < 0], dtype=np.float64)
        hulls = Dual(dual.rows, np.zeros(dual.n), np.minimum(0.0, z), np.maximum(0.0, z), (1.0, -1.0), groups)
        u = np.zeros(dual.n)
        u[int(np.argmax(z > 0))], u[int(np.argmax(z < 0))] = 1.0, -1.0
        near = Point.at(hulls, u)
        work, tol, touching = 0.0, 0.1 * dual.rows.scale, dual.rows.touching()
        close = 1e3  # Times the squared distance that counts as none.
        for attempt in range(14):
            for done in optimise(hulls, near, tol, attempt > 0, rescue=False):
                yield done
                work += done
                if work > most:
                    return False
            optimality, distance2 = Optimality(hulls, near), float(near.b @ near.h)
            if distance2 <= touching or optimality.gap > tol:
                return False
            if optimality.gap <= 0.1 * distance2 and near.h[z > 0].min() > near.h[z < 0].max():
                _scale(dual, point, np.abs(near.b), np.abs(near.b))
                point.steps += near.steps
                return True
            if distance2 < close * touching:  # most likely indistinguishable, which takes other means
                most = min(most, dual.n**3 / 20)
            tol = 0.05 * min(tol, distance2)
        return False

    def _by_columns(self, dual: Dual, point: Point, explicit: Explicit) -> Work:
        """Solve by features where columns differ so much in size that the Gram matrix has lost the small
        ones."""
        for true_scale in (False, True):
            hulls = yield from nearest_points(explicit.space(dual.p, true_scale), dual.p, SURELY_APART)
            point.steps += hulls.iterations
            if not hulls.apart:
                return Optimality(dual, point)
        b = explicit.margin(dual.p, hulls)
        h = dual.times(b)  # not from the features: scores must come out as they will be used
        if (dual.p * b >= 0.0).all():
            point.move_to(dual, b, h)
        else:
            _go_near(dual, point, hulls)
        optimality = Optimality(dual, point)
        if optimality.gap > self.tol:
            optimality = yield from optimise(dual, point, self.tol, True, rescue=False)
        return _only_if_separating(dual, point, optimality)

    def verdict(self, dual: Dual, found: Solution) -> tuple[Status, str]:
        """Judge as for all machines, but measure rounding at the support vectors, where nothing is to
        spare."""
        status, message = super().verdict(dual, found)
        gap, support = max(found.gap, 0.0), np.flatnonzero(found.beta)
        if status is not Status.LIMIT or gap > self.tol or not dual.rows.kernel.positive_definite:
            return status, message
        sizes = np.abs(dual.rows.some(support)[:, support]) @ np.abs(found.beta[support])
        if 2e-16 * float(sizes.max(initial=0.0)) > self.tol:  # the rounding of a score's largest term
            return status, message
        return Status.CONVERGED, converged(gap, self.tol)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        """First test for a margin, which takes a while with many points; then run pair by pair."""
        begun = 0
        for frame in self.solve(problem):
            if not frame.done:
                text = "testing whether the classes can be separated"
                yield replace(frame, step=begun, change=Change(text, kind="start"))
                begun += 1
            elif frame.model.status is Status.NOT_SEPARABLE:
                yield replace(frame, step=begun)
                return
        for frame in super().steps(problem, start):
            yield replace(frame, step=begun + frame.step)

    def model(
        self, problem: Problem, dual: Dual, point: Point, optimality: Optimality, running: bool = False
    ) -> KernelModel:
        model = super().model(problem, dual, point, optimality, running)
        if model.objectives[0] == np.inf:
            model = replace(model, objectives=(None, model.objectives[1]))
        if running or point.b.any():
            return model
        status, message = _reason(problem, dual)
        return replace(
            model,
            status=status,
            message=message,
            offset=0.0,
            known_scores=np.zeros(problem.n),
            objectives=(None, None),
            violation=None,
        )


def _only_if_separating(dual: Dual, point: Point, optimality: Optimality) -> Optimality:
    """Return the optimality of a point that separates the classes; any other is reset to zero first."""
    if not (dual.p * (point.h + optimality.offsets(dual)[0]) > 0.0).all():
        point.reset()
        optimality = Optimality(dual, point)
    return optimality


def _go_near(dual: Dual, point: Point, hulls: Hulls) -> None:
    """Move to the margin of the nearest points, without the weights that belong at zero."""
    used = np.where(hulls.u * dual.rows.diagonal > hulls.s, hulls.u, 0.0)
    _scale(dual, point, hulls.u, used)


def _scale(dual: Dual, point: Point, u: Array, used: Array) -> None:
    """Move to b = 2 u z/d², which takes the nearest points to the margin; `used` is u without the weights
    that belong at zero."""
    for inside in (dual.p > 0, dual.p < 0):
        chosen = used[inside] if used[inside].any() else u[inside]
        used[inside] = chosen / chosen.sum()
    b = dual.p * used
    h = dual.rows.times(b)
    scale = 2.0 / float(b @ h)
    point.move_to(dual, scale * b, scale * h)


def _reason(problem: Problem, dual: Dual) -> tuple[Status, str]:
    """Return why there is no margin to show, as a status and a sentence."""
    status, advice = Status.NOT_SEPARABLE, "Try a soft margin or another kernel."
    pair = twins(problem.X, problem.z)
    if pair is not None:
        one, other = map(problem.number, pair)
        return status, f"Not separable: points {one} and {other} coincide but have different labels."
    if not problem.kernel.positive_definite:
        return status, (
            "No margin was found, and this kernel, not being positive semi-definite, may not have any."
        )
    explicit = explicit_features(dual.rows)
    if explicit is None:
        return status, (
            "Not separable, as far as rounding can tell: in this kernel's feature space the convex hulls of "
            f"the two classes meet, or nearly so. {advice}"
        )
    if (
        explicit.uneven
        and finished(nearest_points(explicit.space(dual.p, False), dual.p, SURELY_APART)).apart
    ):
        return Status.LIMIT, (
            "The classes can be separated, but the features differ so much in size that no digits are left "
            "to find the margin. Bring the columns to a similar scale."
        )
    return status, (
        "Not separable: in this kernel's feature space the convex hulls of the two classes meet. " + advice
    )
