"""Kernel logistic regression, min Σ ln(1 + exp(-z s)) + λ/2 ||w||², by Newton's method.

Its dual maximises Σ entropy(λα_i) - λ/2 β'Kβ over 0 ≤ λα ≤ 1, Σβ = 0. The gap between the two certifies the
solution, which no Newton step can: with points far away the model it is made from may be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Iterate, StepwiseAlgorithm, penalty
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.losses import LOGISTIC
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.kernel import BLUR, KernelModel
from kernelviz.engine.models.method import Price
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear.bases import DualBasis, dual_basis
from kernelviz.engine.solvers.linear.logistic import (
    LogisticState,
    duality_gap,
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
    other_names = ("klr", "logreg")
    family = "Minimising a loss"
    place = 4
    title = "Kernel logistic regression"
    summary_line = "The score is the log-odds of the class; every point contributes."
    latex = r"\min_{w,b} \sum_i \ln\left(1 + e^{-z_i s(x_i)}\right) + \tfrac{\lambda}{2} \lVert w\rVert^2"
    own_loss = LOGISTIC
    weighs_every_point = True
    accepts_weights = True

    lam: float = penalty(0.1, 1e6, (1e-4, 1e2), "Weight of the penalty ½‖w‖²")

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("", 1.0), Price("λ/2 ", 0.5 * self.lam)

    def run(self, problem: Problem, start: Model | None, watched: bool) -> Iterator[Iterate]:
        """Yield every Newton step; only those that are watched, and the last one, have a dual objective."""
        z, w = problem.z, problem.priced(1.0)
        basis = dual_basis(problem.gram, self.lam / np.max(w), problem.kernel.positive_definite)
        for state in minimise_logistic_loss(basis, z, w, self.lam, _warm(start, problem, self.lam)):
            yield Iterate(
                state.step, self._model(problem, basis, state, watched), newton_change(state), state.done
            )

    def _model(self, problem: Problem, basis: DualBasis, state: LogisticState, watched: bool) -> KernelModel:
        """Return the model of a state, with a dual objective for the last one and those that are watched."""
        convex, dual = problem.kernel.positive_definite, None
        if convex and (watched or state.done):
            gap = (
                state.gap
                if state.done
                else duality_gap(basis, problem.z, problem.priced(1.0), self.lam, state)[0]
            )
            dual = state.objective - gap
        return KernelModel(
            problem,
            self,
            *ending(convex, state),
            state.step,
            weights=state.c,
            offset=state.b,
            objectives=(state.objective, dual) if state.known else (None, None),
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
