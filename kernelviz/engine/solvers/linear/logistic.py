"""Logistic regression by Newton's method with step halving, in any basis.

    minimise  P(w, b) = sum_i ln(1 + exp(-z_i s(x_i))) + lam/2 |w|^2

with the offset b unpenalised: scikit-learn's LogisticRegression with C = 1/lam, times lam.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.models.base import FIVE_DIGITS, Change, Status
from kernelviz.engine.solvers.linear.bases import Basis

# Least curvature of the loss that is used, that of a score of 46: farther from the boundary it underflows.
FLAT = 1e-20

STEPS, HALVINGS = 100, 40

TOL = 1e-3  # The error of scores, as a share of their size, up to which they are a solution.

# Decrease promised by the last step, as a share of the objective: it squares what is left, as Newton
# steps do. Separable data with a large kernel have an objective far below 1: a share of 1 would not do.
LEAST_DECREASE = 1e-9

LEVEL = 1e-14  # Relative difference of objectives that is rounding.

UNKNOWN = (
    " The objective is not known to five digits: large values of the kernel multiply the rounding of the "
    "weights."
)


@dataclass(frozen=True, eq=False)
class LogisticState:
    """The state of Newton's method: coefficients, offset, scores s(x_i), P, and how it ended."""

    step: int
    c: Array
    b: float
    scores: Array
    objective: float
    doubt: float = 0.0  # By how much rounding may change the objective.
    error: float = 0.0  # The largest error that rounding may leave in a score.
    shift: float = 0.0  # The Newton step of b alone, with the weights as they are.
    length: float = 0.0  # The part of the full Newton step that was taken.
    # How far above its minimum the quadratic model sees the objective before the step.
    promise: float = np.inf
    done: bool = False
    converged: bool = False
    drifted: bool = False  # After some step rounding may have changed the scores by more than TOL.

    @property
    def known(self) -> bool:
        """Whether rounding may change the objective by so little that it is shown."""
        return self.doubt <= FIVE_DIGITS * abs(self.objective)

    @property
    def steady(self) -> bool:
        """Whether rounding leaves the scores and the objective as they are, up to TOL."""
        return self.error <= TOL * self.size and self.doubt <= TOL * abs(self.objective)

    @property
    def centred(self) -> bool:
        """Whether no other b, with the same weights, is better by more than TOL."""
        return abs(self.shift) <= TOL * self.size

    @property
    def size(self) -> float:
        """The size of a score, of which TOL is a share."""
        return max(1.0, float(np.abs(self.scores).max()))


def minimise_logistic_loss(
    basis: Basis, z: Array, lam: float, start: tuple[Array, float] | None
) -> Iterator[LogisticState]:
    """Yield Newton steps from zero, or from `start` if that is better; the last state is `done`."""
    state = _state(basis, z, lam, np.zeros(basis.size), 0.0)
    if start is not None:
        warm = _state(basis, z, lam, *start)
        state = warm if warm.objective < state.objective else state
    yield state
    while not state.done:
        state = _newton_step(basis, z, lam, state)
        yield state


def _state(basis: Basis, z: Array, lam: float, c: Array, b: float) -> LogisticState:
    """Return the state at given coefficients, with P computed from them."""
    h = basis.scores(c)
    losses = np.logaddexp(0.0, -z * (h + b))
    objective = float(losses.sum()) + 0.5 * lam * basis.inner(c, c, h)
    errors, error_of_norm2 = basis.errors(c)
    # The errors of the losses add up as random steps too.
    doubt = float(np.linalg.norm(np.logaddexp(0.0, errors - z * (h + b)) - losses))
    doubt += 0.5 * lam * error_of_norm2 + LEVEL * abs(objective)
    return LogisticState(0, c, b, h + b, objective, doubt, float(errors.max()), _shift(z, h + b))


def _shift(z: Array, scores: Array) -> float:
    """Return the Newton step of b alone, by which the slopes of the losses balance."""
    chance = _chance(z, scores)
    slope, curvature = float(z @ chance), float(chance @ (1.0 - chance))
    if slope == 0.0:
        return 0.0
    return slope / curvature if curvature > 0.0 else float(np.copysign(np.inf, slope))


def _chance(z: Array, scores: Array) -> Array:
    """Return the probabilities of the wrong classes, 1/(1 + exp(z s)) without overflow."""
    return np.exp(-np.logaddexp(0.0, z * scores))


def _newton_step(basis: Basis, z: Array, lam: float, at: LogisticState) -> LogisticState:
    """Return the full step to the minimum of the quadratic model, halved until the objective falls."""
    step = at.step + 1
    chance = _chance(z, at.scores)
    slope, weight = z * chance, np.maximum(chance * (1.0 - chance), FLAT)
    try:
        c, b = basis.weighted_ridge(weight, slope, at.scores, lam)
    except np.linalg.LinAlgError:
        return _centred(basis, z, lam, replace(at, step=step, length=0.0, done=True))
    d, db = c - at.c, b - at.b
    h = basis.scores(d)
    along = h + db
    norm2, cross = basis.inner(d, d, h), basis.inner(at.c, d, h)
    promise = 0.5 * (float(slope @ along) - lam * cross)
    enough = LEAST_DECREASE * abs(at.objective)
    loss = float(np.logaddexp(0.0, -z * at.scores).sum())
    length, converged = 1.0, abs(promise) <= enough
    for _ in range(HALVINGS):
        scores = at.scores + length * along
        # Not the difference of two objectives, which may both have large penalties.
        rise = float(np.logaddexp(0.0, -z * scores).sum()) - loss
        rise += lam * length * (cross + 0.5 * length * norm2)
        full = converged and length == 1.0
        # Computed from the weights, as rounding would add up.
        new = _state(basis, z, lam, at.c + length * d, at.b + length * db) if full or rise < 0.0 else at
        # At a minimum all steps are level; the full one still leads to the weights that belong to it.
        level = full and (rise <= LEVEL * abs(at.objective) or (new.known and rise <= new.doubt))
        if rise < 0.0 or level:
            done = converged or step >= STEPS
            return replace(
                new,
                step=step,
                length=length,
                promise=promise,
                done=done,
                converged=done and new.steady and new.centred and abs(promise) <= enough + new.doubt,
                drifted=at.drifted or not new.steady,
            )
        length *= 0.5
    # Nothing falls any more: at the minimum that is rounding, elsewhere the model is wrong. A decrease that
    # rounding may change is none, so that last digits, which differ between machines, decide nothing.
    converged = at.steady and at.centred and abs(promise) <= enough + at.doubt
    return _centred(basis, z, lam, replace(at, step=step, length=0.0, done=True, converged=converged))


def _centred(basis: Basis, z: Array, lam: float, end: LogisticState) -> LogisticState:
    """Return the state after a step of b alone where the full step leads nowhere, or `end` if none is left.

    Large values of K may leave no digit of a full step; the step of b does not depend on them."""
    if end.centred or end.step >= STEPS or not np.isfinite(end.shift):
        return end
    for halvings in range(HALVINGS):
        length = 0.5**halvings
        new = _state(basis, z, lam, end.c, end.b + length * end.shift)
        if new.objective < end.objective:
            return replace(new, step=end.step, length=length, drifted=end.drifted or not new.steady)
    return end


def ending(convex: bool, state: LogisticState, known: bool = True) -> tuple[Status, str]:
    """Return how it ended, as a status and a sentence, and another if the objectives are not known."""
    if not state.done:
        return Status.RUNNING, f"Newton step {state.step}: objective {state.objective:.6g}."
    unknown = "" if known else UNKNOWN
    steps = f"{state.step} Newton step{'s' * (state.step != 1)}"
    if state.converged:
        return Status.CONVERGED, f"Converged in {steps}.{unknown}"
    if not convex:
        return Status.LIMIT, "Stopped: with an indefinite kernel the objective need not have a minimum."
    if state.step >= STEPS and not state.drifted:
        return Status.LIMIT, f"Stopped after {steps}, the most it may take: the objective was still falling."
    return Status.LIMIT, f"Stopped after {steps} at the limits of rounding.{unknown}"


def newton_change(state: LogisticState) -> Change:
    """Return the description of the step that led to a state."""
    if state.step == 0:
        return Change(f"start: objective {state.objective:.6g}", kind="start")
    part = "" if state.length == 1.0 else f", {state.length:.2g} of the full step"
    return Change(f"Newton step {state.step}: objective {state.objective:.6g}{part}", kind="newton")
