"""Bounds of the lecture: how many mistakes a perceptron can make, how badly a classifier can do on new data.

The three error bounds hold with probability 1 - delta over the sample. On toy data they are usually
vacuous (1 or more), which is worth seeing."""

from __future__ import annotations

from dataclasses import dataclass
from math import e, log
from typing import TYPE_CHECKING

import numpy as np

from kernelviz.engine.analysis.mercer import positive
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Task
from kernelviz.engine.errors import BadInput
from kernelviz.engine.generators import finished
from kernelviz.engine.solvers.hulls import Features, Gram, Space, nearest_points
from kernelviz.engine.solvers.separability import PARTS, factor

if TYPE_CHECKING:
    from kernelviz.engine.model import Model

__all__ = [
    "Bound",
    "compression_bound",
    "error_bounds",
    "margin_bound",
    "mistake_bound",
    "slack_ratio",
    "smallest_separating_norm",
]

NOTHING = 1e-13
"""Relative to R²: a squared distance that counts as none."""

ACCURACY = 1e-6
"""To what part of it the squared distance is found."""


@dataclass(frozen=True)
class Bound:
    """A bound on the error rate. value: None where its conditions fail; sentence: why, or what it says."""

    name: str
    value: float | None
    sentence: str

    @property
    def vacuous(self) -> bool:
        """True when the bound says nothing: every error rate is below 1."""
        return self.value is not None and self.value >= 1.0


def margin_bound(n: int, margin: float, radius: float, delta: float) -> Bound:
    """eps = (2/n) ((64 R²/m²) ln(e n m²/(8 R²)) ln(32 n/m²) + ln(4/delta)).

    It holds for n > 64 R²/m² and n > 2/eps."""
    name = "perfect separation"
    if margin <= 0:
        return Bound(name, None, "Needs every training point on its own side.")
    needed = 64 * radius**2 / margin**2
    if n <= needed:
        return Bound(name, None, f"Needs more than {needed:,.0f} points at this margin; there are {n}.")
    first = log(e * n * margin**2 / (8 * radius**2)) if radius > 0 else 0.0
    eps = 2 / n * (needed * first * log(32 * n / margin**2) + log(4 / delta))
    if n * eps <= 2:
        return Bound(name, None, "Needs more than 2/ε points.")
    return _stated(name, eps, delta)


def compression_bound(n: int, support_vectors: int, training_error: float, delta: float) -> Bound:
    """eps = (1/(n - k)) (k ln(e n/k) + ln(n/delta)), k the number of support vectors."""
    name, k = "compression", support_vectors
    if training_error > 0:
        return Bound(name, None, "Needs a classifier without a mistake on the training points.")
    if k >= n:
        return Bound(name, None, "Needs points that are not support vectors.")
    choices = k * log(e * n / k) if k else 0.0
    return _stated(name, (choices + log(n / delta)) / (n - k), delta)


def slack_ratio(hinge: Array, norm: float, radius: float) -> Bound:
    """(R² + ||h||²)/m² with m = 1/||w|| and slacks h_i in units of distance: R² ||w||² + sum of hinge²."""
    ratio = radius**2 * norm**2 + float(hinge @ hinge)
    return Bound(
        "slack",
        None,
        f"(R² + ‖h‖²)/m² = {ratio:.4g}: the error bound is proportional to it, with an unknown constant.",
    )


def error_bounds(model: Model, delta: float = 0.05) -> tuple[Bound, ...]:
    """The three bounds for a fitted classifier of two classes."""
    if not 0 < delta < 1:
        raise BadInput(f"delta must lie between 0 and 1, not be {delta}.")
    problem, shown = model.problem, model.numbers
    margin, norm, error, k = (shown[key] for key in ("margin", "norm", "training_error", "support_vectors"))
    if problem.data.task is not Task.TWO_CLASSES or margin is None or norm is None or error is None:
        return ()
    hinge = np.maximum(0.0, 1.0 - problem.z * model.training_scores)
    bounds = [
        margin_bound(problem.n, margin, model.radius, delta),
        slack_ratio(hinge, norm, model.radius),
    ]
    if k is not None:
        bounds.append(compression_bound(problem.n, int(k), error, delta))
    return tuple(bounds)


def smallest_separating_norm(K: Array, z: Array) -> float | None:
    """min ||g|| over g in the RKHS with z_i g(x_i) >= 1 for all i: the hard margin without b.

    None when no such g exists, or no such space because K is indefinite. It is one over the distance from the
    origin to the hull of the z_i phi(x_i). What is returned is the norm of a g that does satisfy the
    conditions, so that bounds made of it hold however accurately the nearest point was found."""
    n, scale = len(z), float(K.diagonal().max())
    if not scale > 0.0 or not positive(K):
        return None
    touching = NOTHING * scale
    # The origin is the only point of the other class.
    side = np.append(np.ones(n), -1.0)
    V = factor(K, 0.1 * touching)
    space: Space
    if PARTS * V.shape[1] <= n:
        space = Features(np.vstack((z[:, None] * V, np.zeros(V.shape[1]))), side, touching)
    else:
        space = Gram(np.pad(z[:, None] * K * z, (0, 1)), side, touching)
    u = finished(nearest_points(space, side, ACCURACY)).u[:n]
    scores = z * (K @ (z * u))  # z_i g(x_i) for g = sum_i u_i z_i K(x_i, ·)
    level, square = float(scores.min()), float(u @ scores)
    return float(np.sqrt(square)) / level if level > 0.0 and square > touching else None


def mistake_bound(K: Array, z: Array) -> float | None:
    """||g||² R²: what an online kernel perceptron cannot exceed, however long it runs on these points.

    None when nothing in the RKHS separates the classes without an offset."""
    norm = smallest_separating_norm(K, z)
    return None if norm is None else norm**2 * float(K.diagonal().max())


def _stated(name: str, eps: float, delta: float) -> Bound:
    if eps >= 1:
        return Bound(name, eps, f"ε = {eps:.3g}: vacuous, it promises nothing.")
    return Bound(name, eps, f"At most {eps:.1%} errors on new data, with probability {1 - delta:.0%}.")
