"""Kernel logistic regression."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate, penalty
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.losses import LOGISTIC
from kernelviz.engine.models.base import Model, Price
from kernelviz.engine.models.kernel import BLUR, KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear.bases import balanced, dual_basis
from kernelviz.engine.solvers.linear.logistic import (
    LEAST_DECREASE,
    LogisticState,
    ending,
    minimise_logistic_loss,
    newton_change,
)
from kernelviz.engine.solvers.qp.warm import origins


@dataclass(frozen=True)
class Logistic(Algorithm):
    """min Σ ln(1 + exp(-z s)) + λ/2 ||w||², s = w·φ(x) + b, b without penalty.

    At the minimum λ α_i is the probability the model gives to the wrong class of point i. In scikit-learn
    this is LogisticRegression on the kernel's features with C = 1/λ."""

    name = "logistic"
    family = "Minimising a loss"
    place = 4
    title = "Kernel logistic regression"
    summary_line = "The score is the log-odds of the class; every point has a say."
    latex = r"\min_{w,b} \sum_i \ln\left(1 + e^{-z_i s(x_i)}\right) + \tfrac{\lambda}{2} \lVert w\rVert^2"
    own_loss = LOGISTIC
    weighs_every_point = True

    lam: float = penalty(0.1, 1e-6, 1e6, (1e-4, 1e2), "Weight of the penalty ½‖w‖²")

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("", 1.0), Price("λ/2 ", 0.5 * self.lam)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        basis = dual_basis(problem.gram, self.lam, problem.kernel.positive_definite)
        for state in minimise_logistic_loss(basis, problem.z, self.lam, _warm(start, problem, self.lam)):
            model = self._model(problem, state)
            yield Iterate(state.step, model, newton_change(state), state.done)

    def _model(self, problem: Problem, state: LogisticState) -> KernelModel:
        status, message = ending(problem.kernel.positive_definite, state)
        return KernelModel(
            problem,
            self,
            status,
            message,
            state.step,
            weights=state.c,
            offset=state.b,
            objectives=(state.objective, _dual(problem, state, self.lam)),
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


def _dual(problem: Problem, state: LogisticState, lam: float) -> float | None:
    """Return Σ entropy(λ α_i) - λ/2 β'Kβ at the better of two feasible points, 0 ≤ λ α ≤ 1 and Σ β = 0:
    near the weights, and near the probabilities of the wrong classes. With fewer features than points
    many weights give the same scores, so that the first may be far away."""
    if not problem.kernel.positive_definite:
        return None
    z = problem.z
    chances = np.clip(lam * z * state.c, 0.0, 1.0), np.exp(-np.logaddexp(0.0, z * state.scores))

    def objective(chance: Array) -> float:
        beta = z * chance / lam
        with np.errstate(divide="ignore", invalid="ignore"):
            entropy = -np.where(chance > 0, chance * np.log(chance), 0.0)
            entropy -= np.where(chance < 1, (1 - chance) * np.log1p(-chance), 0.0)
        return float(entropy.sum()) - 0.5 * lam * float(beta @ problem.gram @ beta)

    found = max(objective(balanced(chance, z)) for chance in chances)
    # What is above the primal objective, by less than the steps can see, is rounding.
    seen = LEAST_DECREASE * (1.0 + abs(state.objective))
    return state.objective if 0.0 < found - state.objective <= seen else found
