"""Logistic regression by Newton's method with step halving, in any basis.

    minimise  P(c, b) = sum_i w_i ln(1 + exp(-z_i s(x_i))) + lam/2 |c|^2

with weights w_i of the points, mostly 1, and the offset b unpenalised: scikit-learn's LogisticRegression with
C = 1/lam, times lam.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.models.base import FIVE_DIGITS, Status
from kernelviz.engine.models.method import Change
from kernelviz.engine.solvers.duality import closed
from kernelviz.engine.solvers.linear.bases import Basis, DualBasis, balanced

Weights: TypeAlias = Array | float  # Of the points, or of all of them.

# Least curvature of the loss that is used, that of a score of 670: farther from the boundary it underflows.
FLAT = 1e-290

STEPS, TRIALS = 200, 40

# Of the objective: the duality gap that is aimed at, as Newton steps square what is left, and what must be
# reached.
AIM, SURE = 1e-15, 1e-6

LEVEL = 1e-14  # Of the objective: the rounding of its sum.

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
    length: float = 0.0  # The part of the full Newton step that was taken.
    gap: float = np.inf  # How far the objective is above a lower bound, the dual objective.
    done: bool = False
    doubt: float = 0.0  # By how much rounding may change the objective, once it is done.
    hidden: float = 0.0  # The largest gap that rounding of the scores may hide, once it is done.

    @property
    def known(self) -> bool:
        """True if rounding changes the objective so little that it can be shown."""
        return self.doubt <= FIVE_DIGITS * abs(self.objective)

    @property
    def converged(self) -> bool:
        """True if the objective is at its minimum, by the gap and as far as the scores are known."""
        return self.done and closed(self.gap, self.objective, SURE) and closed(self.hidden, self.objective)


def minimise_logistic_loss(
    basis: Basis, z: Array, w: Weights, lam: float, start: tuple[Array, float] | None
) -> Iterator[LogisticState]:
    """Yield Newton steps from zero, or from `start` if that is better; the last state is `done`.

    Steps from zero, where all points have large weights, may lead to weights of which rounding leaves no
    digit. Then they begin once more where all points are far on their own side of the boundary."""
    state = _state(basis, z, w, lam, np.zeros(basis.size), 0.0)
    if start is not None:
        warm = _state(basis, z, w, lam, *start)
        state = warm if warm.objective < state.objective else state
    begin, ends = state, list[LogisticState]()
    yield state
    while not state.done:
        state = _newton_step(basis, z, w, lam, state)
        if state.done and (end := _ended(basis, z, w, lam, state)).converged:
            state = end
        elif state.done:
            ends = [end, *(ends or [_ended(basis, z, w, lam, begin)])]
            state = replace(min(ends, key=_rank), step=state.step)
            if len(ends) == 2 and state.step < STEPS:
                state = _from_afar(basis, z, w, lam, state)
        yield state


def _rank(end: LogisticState) -> tuple[bool, bool, float]:
    """Return a key by which the best of the last states is the smallest; no objective is negative but for
    rounding, or where the kernel is indefinite."""
    return not end.converged, end.objective < 0.0, end.objective + end.doubt


def _from_afar(basis: Basis, z: Array, w: Weights, lam: float, at: LogisticState) -> LogisticState:
    """Return the state after a Newton step from scores as large as the kernel allows."""
    largest = float(basis.lengths().max())
    scores = z * np.log1p(np.sqrt(largest / lam))
    chance = _chance(z, scores)
    weight = np.maximum(w * chance * _chance(-z, scores), FLAT)
    try:
        c, b = basis.weighted_ridge(weight, w * z * chance, scores, lam)
    except np.linalg.LinAlgError:
        return replace(at, done=True)
    new = _state(basis, z, w, lam, c, b)
    return replace(new if np.isfinite(new.objective) else at, step=at.step + 1)


def _state(basis: Basis, z: Array, w: Weights, lam: float, c: Array, b: float) -> LogisticState:
    """Return the state at given coefficients, with P computed from them."""
    h = basis.scores(c)
    objective = float((w * np.logaddexp(0.0, -z * (h + b))).sum()) + 0.5 * lam * basis.inner(c, c, h)
    return LogisticState(0, c, b, h + b, objective)


def _shift(z: Array, w: Weights, scores: Array) -> float:
    """Return the Newton step of b alone, by which the slopes of the losses balance."""
    chance = _chance(z, scores)
    slope, curvature = float(z @ (w * chance)), float((w * chance) @ (1.0 - chance))
    if slope == 0.0:
        return 0.0
    return slope / curvature if curvature > 0.0 else float(np.copysign(np.inf, slope))


def _chance(z: Array, scores: Array) -> Array:
    """Return the probabilities of the wrong classes, 1/(1 + exp(z s)) without overflow."""
    return np.exp(-np.logaddexp(0.0, z * scores))


def _newton_step(basis: Basis, z: Array, w: Weights, lam: float, at: LogisticState) -> LogisticState:
    """Return a step towards the minimum of the quadratic model.

    The score of a point far away may be 1e9 at the minimum, where the quadratic model leads by 1 a step:
    steps longer than the full one get there."""
    step = at.step + 1
    chance = _chance(z, at.scores)
    weight = np.maximum(w * chance * _chance(-z, at.scores), FLAT)
    try:
        c, b = basis.weighted_ridge(weight, w * z * chance, at.scores, lam)
    except np.linalg.LinAlgError:
        return replace(at, step=step, length=0.0, done=True)
    d, db = c - at.c, b - at.b
    h = basis.scores(d)
    losses = np.logaddexp(0.0, -z * at.scores)
    norm2, cross = max(basis.inner(d, d, h), 0.0), basis.inner(at.c, d, h)

    def rise(length: float) -> float:
        """Return the change of the objective; not the difference of two, which may have large penalties."""
        change = np.logaddexp(0.0, -z * (at.scores + length * (h + db))) - losses
        return float((w * change).sum()) + lam * length * (cross + 0.5 * length * norm2)

    def after(length: float) -> LogisticState:
        """Return the state there, computed from its weights, as rounding would add up."""
        new = _state(basis, z, w, lam, at.c + length * d, at.b + length * db)
        return replace(new, step=step, length=length)

    # Dual weights beyond their bounds, w/λ, may cancel each other to the last digit.
    longest = (
        float(np.max(w)) / (lam * float(np.abs(d).max()) + 1e-300) if isinstance(basis, DualBasis) else np.inf
    )
    length = _length(rise, longest)
    # At a minimum all steps are level; the full one still leads to the weights that belong to it.
    new = after(length or 1.0)
    if length > 1.0 and not new.objective <= at.objective:
        new = after(1.0)
    new = replace(new, gap=_gap(basis, z, w, lam, new))
    if not length and not new.gap < at.gap:
        return replace(at, step=step, length=0.0, done=True)
    settled = closed(at.gap, at.objective, SURE) and not new.gap < at.gap
    return replace(new, done=new.gap <= AIM * abs(new.objective) or settled or step >= STEPS)


def _length(rise: Callable[[float], float], longest: float) -> float:
    """Return the full step, 1, halved until the objective falls, or doubled as long as it falls further and
    up to the longest; 0 if it falls nowhere."""
    length, change = 1.0, rise(1.0)
    for _ in range(TRIALS):
        if change < 0.0:
            break
        length *= 0.5
        change = rise(length)
    else:
        return 0.0
    while length >= 1.0 and 2.0 * length <= longest and (further := rise(2.0 * length)) < change:
        length, change = 2.0 * length, further
    return length


def _gap(basis: Basis, z: Array, w: Weights, lam: float, at: LogisticState) -> float:
    """Return the duality gap during the iteration.

    For coefficients of the points themselves the sum and the bounds of the weights, which Newton steps keep
    but for rounding, are taken for granted."""
    if isinstance(basis, DualBasis):
        return float((w * _divergence(_shares(z, w, lam, at.c), z, at.scores)).sum())
    return duality_gap(basis, z, w, lam, at)[0]


def duality_gap(basis: Basis, z: Array, w: Weights, lam: float, at: LogisticState) -> tuple[float, Array]:
    """Return how far P is above the dual objective, and λα/w there, at the better of two points of the dual.

    The one is near the weights, the other near the chances of the wrong classes: with fewer features than
    points many weights give the same scores, so that the first may be far away."""
    candidates = [balanced(_chance(z, at.scores), z, w)]
    if isinstance(basis, DualBasis):
        candidates.append(balanced(_shares(z, w, lam, at.c), z, w))
    gaps = [_gap_to(basis, z, w, lam, at, shares) for shares in candidates]
    best = int(np.argmin(gaps))
    return gaps[best], candidates[best]


def _gap_to(basis: Basis, z: Array, w: Weights, lam: float, at: LogisticState, shares: Array) -> float:
    """Return how far P is above the dual objective D at λα = shares w, where Σ β = 0 for β = αz.

    P - D is a sum of two terms that are not negative, so that little is lost by rounding: the divergence of
    the shares from the chances, and λ/2 |w - Σ β_i φ(x_i)|²."""
    d = at.c - basis.of_points(w * z * shares / lam)
    apart = basis.inner(d, d, basis.scores(d))
    return float((w * _divergence(shares, z, at.scores)).sum()) + 0.5 * lam * abs(apart)


def _shares(z: Array, w: Weights, lam: float, c: Array) -> Array:
    """Return λα/w of dual weights c = αz, within its bounds 0 and 1."""
    if isinstance(w, float):
        return np.clip(lam / w * z * c, 0.0, 1.0)
    return np.clip(np.divide(lam * z * c, w, out=np.zeros(len(z)), where=np.greater(w, 0.0)), 0.0, 1.0)


def _divergence(shares: Array, z: Array, scores: Array) -> Array:
    """Return a ln(a/p) + (1 - a) ln((1 - a)/(1 - p)) for each point; p is the chance of the wrong class."""
    with np.errstate(divide="ignore", invalid="ignore"):
        wrong = shares * (np.log(shares) + np.logaddexp(0.0, z * scores))
        right = (1.0 - shares) * (np.log1p(-shares) + np.logaddexp(0.0, -z * scores))
    total = np.where(shares > 0.0, wrong, 0.0) + np.where(shares < 1.0, right, 0.0)
    return np.asarray(np.maximum(total, 0.0))


def _ended(basis: Basis, z: Array, w: Weights, lam: float, end: LogisticState) -> LogisticState:
    """Return the last state with its duality gap, and with what rounding may change.

    Where weights of the points satisfy the conditions of the dual but for rounding, weights that satisfy them
    exactly take their place."""
    least = 0.0
    if isinstance(basis, DualBasis):
        least = np.inf
        for near in (_shares(z, w, lam, end.c), _chance(z, end.scores)):
            shares = balanced(near, z, w)
            exact = _moved(basis, z, w, lam, end, w * z * shares / lam, end.b)
            exact = replace(exact, gap=_gap_to(basis, z, w, lam, exact, shares))
            if closed(exact.gap, exact.objective, SURE):
                return _doubted(basis, z, w, lam, exact, shares)
            least = min(least, exact.gap)
    end = _centred(basis, z, w, lam, end)
    gap, shares = duality_gap(basis, z, w, lam, end)
    if closed(
        gap, end.objective, SURE
    ):  # for these scores, but not for weights that a dual solution may have
        gap = max(gap, least)
    return _doubted(basis, z, w, lam, replace(end, gap=gap, done=True), shares)


def _moved(
    basis: Basis, z: Array, w: Weights, lam: float, end: LogisticState, c: Array, b: float
) -> LogisticState:
    """Return the last state with other coefficients."""
    return replace(_state(basis, z, w, lam, c, b), step=end.step, length=end.length, done=True)


def _doubted(
    basis: Basis, z: Array, w: Weights, lam: float, end: LogisticState, shares: Array
) -> LogisticState:
    """Return the state with the errors that rounding may leave in its objective and its gap."""
    errors, error_of_norm2 = basis.errors(end.c)
    losses, worse = (np.logaddexp(0.0, e - z * end.scores) for e in (0.0 * errors, errors))
    # The errors of the losses add up as random steps.
    doubt = (
        float(np.linalg.norm(w * (worse - losses))) + 0.5 * lam * error_of_norm2 + LEVEL * abs(end.objective)
    )
    sides = [_divergence(shares, z, end.scores + side * errors) for side in (-1.0, 1.0)]
    return replace(end, doubt=doubt, hidden=float((w * np.maximum(*sides)).sum()))


def _centred(basis: Basis, z: Array, w: Weights, lam: float, end: LogisticState) -> LogisticState:
    """Return the state after steps of b alone, as where large values of K leave no digit of a full step."""
    for _ in range(STEPS):
        shift = _shift(z, w, end.scores)
        if not np.isfinite(shift * float(np.max(w)) * len(z)):
            break
        trials = (_moved(basis, z, w, lam, end, end.c, end.b + 0.5**k * shift) for k in range(TRIALS))
        lower = next((new for new in trials if new.objective < end.objective), None)
        if lower is None:
            break
        end = lower
    return end


def ending(convex: bool, state: LogisticState) -> tuple[Status, str]:
    """Return how it ended, as a status and a sentence, and another if the objectives are not known."""
    if not state.done:
        return Status.RUNNING, f"Newton step {state.step}: objective {state.objective:.6g}."
    unknown = "" if state.known else UNKNOWN
    steps = f"{state.step} Newton step{'s' * (state.step != 1)}"
    if state.converged:
        return Status.CONVERGED, f"Converged in {steps}.{unknown}"
    if not convex:
        return Status.LIMIT, "Stopped: with an indefinite kernel the objective need not have a minimum."
    if state.step >= STEPS and state.known:
        return Status.LIMIT, f"Stopped after {steps}: the objective was still falling."
    return Status.LIMIT, f"Stopped after {steps} at the limits of rounding.{unknown}"


def newton_change(state: LogisticState) -> Change:
    """Return the description of the step that led to a state."""
    if state.step == 0:
        return Change(f"start: objective {state.objective:.6g}", kind="start")
    part = "" if state.length == 1.0 else f", {state.length:.2g} of the full step"
    return Change(f"Newton step {state.step}: objective {state.objective:.6g}{part}", kind="newton")
