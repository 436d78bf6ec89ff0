"""Bounds of the lecture on the mistakes of a perceptron, and on the error of a classifier on new data.

The three error bounds hold with probability 1 - delta over the sample. On toy data they are usually
vacuous (1 or more), which is instructive."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import e, log

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.kernels.mercer import MOST_JUDGED, positive
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.method import Method
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.declared import computed, in_group, label
from kernelviz.engine.numbers.of_fit import is_indefinite
from kernelviz.engine.solvers.separability import RANK_PART, Features, Gram, HullSpace, factor, nearest_points

BOUNDS = in_group("bounds")  # What two classes add to the numbers.
HALF = 0.5  # An error rate below which a bound begins to tell a classifier from a coin.

UNCOUNTABLE = 10**18  # More points than any data set has.


@dataclass(frozen=True)
class Bound:
    """A bound on the error rate. `value` is None where its conditions fail; `sentence` explains it."""

    key: str  # Of its number.
    value: float | None
    sentence: str
    # How many points it takes until the bound is below HALF, all else being the same; None if unknown.
    needs: int | None = None
    ratio: float | None = None  # The number that a bound with an unknown constant is proportional to.

    @property
    def name(self) -> str:
        """The name of the bound."""
        return label(self.key)

    @property
    def vacuous(self) -> bool:
        """True if the bound is at least 1, which every error rate is below."""
        return self.value is not None and self.value >= 1.0


def bound_separation(n: int, margin: float, radius: float, delta: float) -> Bound:
    """Return the bound eps = (2/n) ((64 R²/m²) ln(e n m²/(8 R²)) ln(32 n R²/m²) + ln(4/delta)), m the margin.

    It holds for n > 64 R²/m² and n > 2/eps. R and m meet only as R/m, so that the unit of the inputs plays no
    part: this is the theorem with the inputs scaled to R = 1. (As the lecture prints it, ln(32 n/m²) is not
    free of units, and multiplying the data by 100 would change what is promised.)"""
    key = "bound_separation"
    if margin <= 0:
        return Bound(key, None, "Needs every training point on its own side.")
    ratio = _square(radius / margin)
    least = 64 * ratio
    if least >= UNCOUNTABLE:
        return Bound(key, None, f"Needs more than 10^18 points at this margin; there are {n}.")

    def rate(points: int) -> float:
        logs = log(e * points / (8 * ratio)) * log(32 * points * ratio) if ratio > 0 else 0.0
        return 2 / points * (least * logs + log(4 / delta))

    needs = _first_below_half(rate, int(least) + 1)
    if n <= least:
        return Bound(key, None, f"Needs more than {least:,.0f} points at this margin; there are {n}.", needs)
    if n * rate(n) <= 2:
        return Bound(key, None, "Needs more than 2/ε points.", needs)
    return _stated(key, rate(n), delta, needs)


def bound_compression(n: int, support_vectors: int, training_error: float, delta: float) -> Bound:
    """Return the compression bound eps = (1/(n - k)) (k ln(e n/k) + ln(n/delta)), k support vectors.

    A classifier that is right on all points is determined by its k support vectors alone: the other n - k
    points are then a test that it has passed. It needs a training error of 0 and k < n."""
    key, k = "bound_compression", support_vectors

    def rate(points: int) -> float:
        choices = k * log(e * points / k) if k else 0.0
        return (choices + log(points / delta)) / (points - k)

    if training_error > 0:
        return Bound(key, None, "Needs a classifier without a mistake on the training points.")
    needs = _first_below_half(rate, k + 1)
    if k >= n:
        return Bound(key, None, "Needs points that are not support vectors.", needs)
    stated = _stated(key, rate(n), delta, needs)
    return (
        stated if stated.vacuous else replace(stated, sentence=f"{stated.sentence} {_counted(n, k, rate(n))}")
    )


def _counted(n: int, k: int, eps: float) -> str:
    """Return the argument behind the compression bound in numbers: the number of choices of k points, and for
    each the small chance that the other n - k points are right although the error is above eps."""
    from scipy.special import gammaln

    choices = float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) / log(10)
    chance = (n - k) * log(1.0 - eps) / log(10)
    many = f"{round(10**choices):,}" if choices < 7 else f"10^{choices:.1f}"
    return (
        f"There are {many} choices of {k} points of {n}, and one whose error is above ε gets the other "
        f"{n - k} right with probability (1 − ε)^{n - k} = 10^{chance:.1f}."
    )


def slack_ratio(margins: Array, radius: float, reference: float) -> float:
    """Return (R² + |h|²)/m0² with the slacks h_i = max(0, m0 - m_i) by which the margins m_i miss a reference
    m0.

    With m0 = 1/||w|| it is R² ||w||² plus the sum of the squared hinge losses; beyond all margins, n."""
    with np.errstate(over="ignore"):
        h = np.maximum(0.0, 1.0 - margins / reference)
        return _square(radius / reference) + float(h @ h)


def best_reference(margins: Array, radius: float) -> float:
    """Return the reference margin m0 with the smallest slack ratio; infinite where that is n, which every
    classifier reaches, because the margins m_i are not above 0 on average.

    In t = 1/m0 the ratio R²t² + sum_i max(0, 1 - m_i t)² is convex: while the points S have slack it is least
    at t = sum_S m_i/(R² + sum_S m_i²), and as t grows the points leave S, those of the largest margin first.
    Margins and R are lengths, so that neither the unit of the inputs nor the size of the scores plays a part:
    a perceptron's have none."""
    m = np.sort(margins)[::-1] / radius
    sums, squares = np.cumsum(m[::-1])[::-1], np.cumsum(m[::-1] ** 2)[::-1]
    if not sums[0] > 0.0:
        return float("inf")
    above = int(np.count_nonzero(m > 0.0))
    t = sums[:above] / (1.0 + squares[:above])  # with the k largest out of S
    return radius / float(t[np.argmax(t * m[:above] <= 1.0)])


def why_no_bounds(model: Model) -> str:
    """Return why there are no margin bounds for a classifier; empty where there are, and without classes."""
    if model.problem.data.task not in (Task.TWO_CLASSES, Task.CLASSES) or model.algorithm.ignores_labels:
        return ""
    if model.problem.data.task is Task.CLASSES:
        return "The three theorems are about two classes."
    if is_indefinite(model):
        return "An indefinite kernel has no feature space, so margin bounds do not apply."
    norm = model.numbers["norm"]
    if norm is None:
        return "‖w‖ is not known for this fit, so margin bounds do not apply."
    if not norm:
        return "‖w‖ = 0: the score is constant, so no point has a margin."
    return ""


def error_bounds(model: Model, delta: float = 0.05, reference: float | None = None) -> tuple[Bound, ...]:
    """Return the three bounds for a fitted classifier of two classes; slacks count from a reference
    margin, by default the one that makes their ratio smallest."""
    if not 0 < delta < 1:
        raise BadInput(f"delta must lie between 0 and 1, not be {delta}.")
    if reference is not None and not reference > 0:
        raise BadInput(f"The reference margin must be above 0, not be {reference}.")
    problem, shown, bounds = model.problem, model.numbers, []
    margin, norm, error, k = (shown[key] for key in ("margin", "norm", "training_error", "support_vectors"))
    if problem.data.task is not Task.TWO_CLASSES or error is None:
        return ()
    slack = "(R² + ‖h‖²)/γ₀² = {:.4g}: the error bound is proportional to it, with an unknown constant."
    if margin is not None and norm and not is_indefinite(model):
        margins, R = problem.z * model.training_scores / norm, model.radius
        ratio = slack_ratio(margins, R, reference or best_reference(margins, R))
        bounds = [
            bound_separation(problem.n, margin, R, delta),
            Bound("slack_ratio", None, slack.format(ratio), ratio=ratio),
        ]
    if k is not None and norm != 0.0:
        bounds.append(bound_compression(problem.n, int(k), error, delta))
    return tuple(bounds)


def bound_numbers(model: Model) -> dict[str, float | int | None]:
    """Return the bounds by name, and for a perceptron the number of mistakes it made and can make at most;
    None for those that do not apply. Empty without two classes."""
    data = model.problem.data
    if data.task is not Task.TWO_CLASSES or model.algorithm.ignores_labels:
        return {}
    found: dict[str, float | int | None] = computed("bounds", model)
    for bound in error_bounds(model):
        if bound.ratio is not None:
            found[bound.key] = bound.ratio
        else:
            found |= {bound.key: bound.value, f"{bound.key}_needs": bound.needs}
    if (made := mistakes_made(model)) is not None:
        most = mistakes_at_most(model.algorithm, model.problem)
        found |= {"mistakes": made, "mistake_bound": None if most is None or np.isinf(most) else most}
    return found


def mistakes_made(model: Model) -> int | None:
    """Return how often a perceptron was wrong: every mistake adds one to an alpha. None for other models."""
    if model.alpha is None or not model.algorithm.counts_mistakes:
        return None
    return round(float(model.alpha.sum()))


def mistakes_at_most(algorithm: Method, problem: Problem) -> float | None:
    """Return the largest number of mistakes a perceptron can make, infinite if nothing separates the
    classes; None for other models, and if it is not known in time."""
    if not algorithm.counts_mistakes or problem.n > MOST_JUDGED:
        return None
    try:
        return algorithm.mistake_bound(problem)
    except (RuntimeError, np.linalg.LinAlgError):  # not found in time, or no numbers to find it with
        return None


def smallest_separating_norm(K: Array, z: Array) -> float | None:
    """Return min ||g|| over g in the RKHS with z_i g(x_i) >= 1 for all i: the hard margin without b.

    None if there is no g of that kind, or K is indefinite and has no feature space. It is one over the
    distance from the origin to the hull of the z_i phi(x_i). The result is the norm of a g that does satisfy
    the conditions, so that bounds made of it hold however accurately the nearest point was found."""
    n, scale = len(z), float(K.diagonal().max())
    if not scale > 0.0 or not positive(K):
        return None
    nothing = 1e-13  # Relative to R²: a squared distance that counts as none.
    touching = nothing * scale
    # The origin is the only point of the other class.
    side = np.append(np.ones(n), -1.0)
    V = factor(K, 0.1 * touching)
    space: HullSpace
    if RANK_PART * V.shape[1] <= n:
        space = Features(np.vstack((z[:, None] * V, np.zeros(V.shape[1]))), side, touching)
    else:
        space = Gram(np.pad(z[:, None] * K * z, (0, 1)), side, touching)
    accuracy = 1e-6  # To what part of it the squared distance is found.
    u = finished(nearest_points(space, side, accuracy)).u[:n]
    scores = z * (K @ (z * u))  # z_i g(x_i) for g = sum_i u_i z_i K(x_i, ·)
    level, square = float(scores.min()), float(u @ scores)
    return float(np.sqrt(square)) / level if level > 0.0 and square > touching else None


def mistake_bound(K: Array, z: Array) -> float | None:
    """Return ||g||² R², which the mistakes of an online kernel perceptron cannot exceed on these points.

    None if nothing in the RKHS separates the classes without an offset, and infinite if a float cannot hold
    it."""
    norm = smallest_separating_norm(K, z)
    return None if norm is None else _square(norm) * float(K.diagonal().max())


def _square(number: float) -> float:
    """Return the square, infinite if a float cannot hold it; ** would raise an OverflowError."""
    return number * number


def _first_below_half(rate: Callable[[int], float], least: int) -> int | None:
    """Return the first n from `least` on with a rate below HALF, or None if it is too large; rates fall
    with n."""
    high = max(1, least)
    while high < UNCOUNTABLE and not rate(high) < HALF:
        high *= 2
    if high >= UNCOUNTABLE:
        return None
    return bisect_left(range(least, high), True, key=lambda n: rate(n) < HALF) + least


def _stated(key: str, eps: float, delta: float, needs: int | None) -> Bound:
    """Return a bound of that value with its sentence."""
    if eps >= 1:
        return Bound(key, eps, f"ε = {eps:.3g}: vacuous, it promises nothing.", needs)
    surely = f"{100 * (1 - delta):.12g}%"  # with all the digits that distinguish it from certainty
    return Bound(key, eps, f"At most {eps:.1%} errors on new data, with probability {surely}.", needs)
