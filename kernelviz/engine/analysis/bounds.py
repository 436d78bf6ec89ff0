"""Bounds of the lecture: how many mistakes a perceptron can make, how badly a classifier can do on new data.

The three error bounds hold with probability 1 - delta over the sample. On toy data they are usually
vacuous (1 or more), which is worth seeing."""

from __future__ import annotations

from dataclasses import dataclass
from math import e, log
from typing import TYPE_CHECKING

import numpy as np

from kernelviz.engine.analysis.mercer import definite
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Task
from kernelviz.engine.errors import BadInput

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

    None when no such g exists, or no such space because K is indefinite. Solved as a least-distance
    problem (Lawson and Hanson, chapter 23): with K = A A', G = diag(z) A, non-negative least squares on
    [G'; 1'] u ~ (0, …, 0, 1) leaves a residual r, and g = -r[:-1]/r[-1]; r = 0 proves that nothing
    separates."""
    from scipy.optimize import nnls

    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-13 * max(float(values[-1]), 0.0)
    if not keep.any() or not definite(values, len(K)):
        return None
    # Scaling K scales ||g||; at scale one the residual's size means the same for every kernel.
    scale = float(np.sqrt(values[-1]))
    G = z[:, None] * vectors[:, keep] * (np.sqrt(values[keep]) / scale)
    E = np.vstack([G.T, np.ones(len(z))])
    target = np.zeros(len(E))
    target[-1] = 1.0
    u, distance = nnls(E, target, maxiter=30 * len(z) + 100)
    if distance < 1e-7:
        return None
    r = E @ u - target
    return float(np.linalg.norm(r[:-1]) / abs(r[-1]) / scale)


def mistake_bound(K: Array, z: Array) -> float | None:
    """||g||² R²: what an online kernel perceptron cannot exceed, however long it runs on these points.

    None when nothing in the RKHS separates the classes without an offset."""
    norm = smallest_separating_norm(K, z)
    return None if norm is None else norm**2 * float(K.diagonal().max())


def _stated(name: str, eps: float, delta: float) -> Bound:
    if eps >= 1:
        return Bound(name, eps, f"ε = {eps:.3g}: vacuous, it promises nothing.")
    return Bound(name, eps, f"At most {eps:.1%} errors on new data, with probability {1 - delta:.0%}.")
