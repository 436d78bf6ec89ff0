"""Kernel logistic regression, min Σ ln(1 + exp(-z s)) + λ/2 ||w||², by Newton's method.

Its dual maximises Σ entropy(λα_i) - λ/2 β'Kβ over 0 ≤ λα ≤ 1, Σβ = 0. The gap between the two certifies the
solution where the last Newton step cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kernelviz.engine.algorithms.base import Iterate, StepwiseAlgorithm, penalty
from kernelviz.engine.algorithms.objectives import NEGATIVE, NOTHING, Objectives
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.losses import LOGISTIC
from kernelviz.engine.models.base import Model, Price, Status
from kernelviz.engine.models.kernel import BLUR, KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear.bases import DualBasis, balanced, dual_basis
from kernelviz.engine.solvers.linear.logistic import (
    LogisticState,
    ending,
    minimise_logistic_loss,
    newton_change,
)
from kernelviz.engine.solvers.qp.warm import origins


@dataclass(frozen=True)
class Logistic(StepwiseAlgorithm):
    """min Σ ln(1 + exp(-z s)) + λ/2 ||w||², s = w·φ(x) + b, b without penalty.

    At the minimum λ α_i is the probability the model gives to the wrong class of point i. In scikit-learn
    this is LogisticRegression on the kernel's features with C = 1/λ."""

    name = "logistic"
    family = "Minimising a loss"
    place = 4
    title = "Kernel logistic regression"
    summary_line = "The score is the log-odds of the class; every point contributes."
    latex = r"\min_{w,b} \sum_i \ln\left(1 + e^{-z_i s(x_i)}\right) + \tfrac{\lambda}{2} \lVert w\rVert^2"
    own_loss = LOGISTIC
    weighs_every_point = True

    lam: float = penalty(0.1, 1e-6, 1e6, (1e-4, 1e2), "Weight of the penalty ½‖w‖²")

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("", 1.0), Price("λ/2 ", 0.5 * self.lam)

    def run(self, problem: Problem, start: Model | None, watched: bool) -> Iterator[Iterate]:
        """Yield every Newton step; only those that are watched, and the last one, have a dual objective."""
        basis = dual_basis(problem.gram, self.lam, problem.kernel.positive_definite)
        for state in minimise_logistic_loss(basis, problem.z, self.lam, _warm(start, problem, self.lam)):
            model = self._model(problem, state, problem.kernel.positive_definite and (watched or state.done))
            yield Iterate(state.step, model, newton_change(state), state.done)

    def _model(self, problem: Problem, state: LogisticState, with_dual: bool) -> KernelModel:
        """Return the model of a state; with_dual also computes the dual objective, which may certify the
        solution."""
        convex, known, sound = problem.kernel.positive_definite, state.known, True
        shown: tuple[float | None, float | None] = state.objective if known else None, None
        if with_dual:
            reached = _objectives(problem, state, self.lam)
            shown, known, sound = reached.shown(), all(reached.known), reached.sound
            # Whatever the last step promised.
            if state.done and state.steady and state.centred and reached.closed:
                state = replace(state, converged=True)
        status, message = ending(convex, state, known)
        if status is Status.RUNNING:
            shown = state.objective, shown[1]
        elif status is Status.CONVERGED and not sound:
            status, message = Status.LIMIT, NEGATIVE
        return KernelModel(
            problem,
            self,
            status,
            message,
            state.step,
            weights=state.c,
            offset=state.b,
            objectives=shown,
            known_scores=state.scores,
            blur=BLUR,
        )


def _warm(start: Model | None, problem: Problem, lam: float) -> tuple[Array, float] | None:
    """Return the weights of an earlier logistic fit, scaled down to λ α ≤ 1 where its λ was smaller:
    larger ones may cancel each other to the last digit. Points added since then start at zero."""
    if start is None or not isinstance(start.algorithm, Logistic) or start.beta is None or start.b is None:
        return None
    beta = start.beta
    if len(beta) != problem.n:
        origin = origins(start.problem.X, problem.X)
        beta = np.where(origin >= 0, beta[origin], 0.0)
    return beta / max(1.0, lam * float(np.abs(beta).max(initial=0.0))), start.b


def _objectives(problem: Problem, state: LogisticState, lam: float) -> Objectives:
    """Return the primal objective, and the dual one, Σ entropy(λ α_i) - λ/2 β'Kβ, at the better of two
    feasible points, 0 ≤ λ α ≤ 1 and Σ β = 0: near the weights, and near the probabilities of the wrong
    classes. With fewer features than points many weights give the same scores, so that the first may be far
    away."""
    z, basis = problem.z, DualBasis(problem.gram)
    chances = np.clip(lam * z * state.c, 0.0, 1.0), np.exp(-np.logaddexp(0.0, z * state.scores))

    def objective(chance: Array) -> tuple[float, float]:
        beta = z * chance / lam
        with np.errstate(divide="ignore", invalid="ignore"):
            entropy = -np.where(chance > 0, chance * np.log(chance), 0.0)
            entropy -= np.where(chance < 1, (1 - chance) * np.log1p(-chance), 0.0)
        total, norm2 = float(entropy.sum()), basis.inner(beta, beta, basis.scores(beta))
        terms, error_of_norm2 = total + 0.5 * lam * abs(norm2), basis.errors(beta)[1]
        return total - 0.5 * lam * norm2, 0.5 * lam * error_of_norm2 + NOTHING * terms

    dual, doubt = max(objective(balanced(chance, z)) for chance in chances)
    return Objectives.within(state.objective, dual, (state.doubt, doubt))
