"""Numbers of single points: margin, slack, alpha, KKT state, terms of the score.

At the optimum of a soft margin α = 0 requires z·s ≥ 1, 0 < α < C requires z·s = 1, and α = C requires z·s ≤
1. The residual of a point is the amount by which it misses its condition."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.method import Method
from kernelviz.engine.numbers.of_fit import norm_of


class PointRole(StrEnum):
    """The role of a training point in the solution."""

    NONE = "not a support vector"
    SUPPORT = "support vector"
    FREE = "free support vector"
    BOUNDED = "bounded support vector"
    WEIGHTED = ""  # One point among others, which all have weights.


@dataclass(frozen=True, eq=False)
class PointTable:
    """One entry per training point; None for a whole column that does not apply.

    score: s(x_i). product: z_i s(x_i). margin: product/||w||. slack: max(0, 1 - product). residual: by how
    much the point violates the optimality conditions of the dual. tolerance: the violation that the
    algorithm accepts."""

    score: Array
    product: Array | None
    margin: Array | None
    slack: Array | None
    alpha: Array | None
    kind: tuple[PointRole, ...]
    misclassified: NDArray[np.bool_] | None
    residual: Array | None
    tolerance: float = 1e-3
    ridge: float = 0.0
    bound: str = "C"  # The name of the largest weight.
    tube: float | None = None  # epsilon, where the conditions are those of a tube around real targets.
    weights: Array | None = None  # Of the points, by which the price of their loss is multiplied.

    def state(self, i: int) -> str:
        """Return the optimality condition of point i in words; empty if there is none."""
        if self.residual is None:
            return ""
        times, over = ("", "") if self.weights is None else ("w", "/w")
        if self.weights is not None and self.weights[i] == 0.0:
            return "a point of weight 0 has no part in the fit"
        on_margin = f"z·s = 1 - λα{over}" if self.ridge else "z·s = 1"
        of_classes = {
            PointRole.NONE: "α = 0 asks for z·s ≥ 1",
            PointRole.FREE: f"0 < α < {self.bound}{times} asks for {on_margin}",
            PointRole.BOUNDED: f"α = {self.bound}{times} asks for z·s ≤ 1",
            PointRole.SUPPORT: f"α > 0 asks for {on_margin}",
        }
        of_a_tube = {
            PointRole.NONE: "β = 0 asks for |y − s| ≤ ε",
            PointRole.FREE: f"0 < |β| < C{times} asks for |y − s| = ε",
            PointRole.BOUNDED: f"|β| = C{times} asks for |y − s| ≥ ε",
        }
        wanted = (of_classes if self.tube is None else of_a_tube)[self.kind[i]]
        r = float(self.residual[i])
        return f"{wanted}: {'holds' if r <= self.tolerance else f'violated by {r:.2g}'}"


def point_table(model: Model) -> PointTable:
    """Return the table of all training points of a model; columns that do not apply to it are None."""
    data, scores, mistakes = model.problem.data, model.training_scores, model.mistakes
    alpha, kind, accepted = model.alpha, _kinds(model), model.accepted or PointTable.tolerance
    if model.tube is not None:
        off = _off_the_tube(model)
        return PointTable(
            scores,
            None,
            None,
            None,
            alpha,
            kind,
            None,
            off,
            tolerance=accepted,
            tube=model.tube,
            weights=data.weights,
        )
    if not model.has_losses:
        return PointTable(scores, None, None, None, alpha, kind, mistakes, None)
    product = data.z * scores
    norm = norm_of(model)
    return PointTable(
        score=scores,
        product=read_only(product),
        margin=read_only(product / norm) if norm else None,
        slack=read_only(np.maximum(0.0, 1.0 - product)),
        alpha=alpha,
        kind=kind,
        misclassified=mistakes,
        residual=_kkt_residual(model, product),
        tolerance=accepted,
        ridge=_ridge(model),
        bound=bound_of(model.algorithm),
        weights=data.weights,
    )


def bound_of(algorithm: Method) -> str:
    """Return the name of the bound of the weights: C, unless the algorithm finds it itself."""
    return "C" if any(parameter.name == "C" for parameter in algorithm.parameters()) else "the bound"


def _kinds(model: Model) -> tuple[PointRole, ...]:
    """Return the role of every training point."""
    if model.algorithm.weighs_every_point:
        return (PointRole.WEIGHTED,) * model.problem.n
    kinds = [PointRole.NONE] * model.problem.n
    bounded = _at_bound(model)
    for i in model.support.tolist():
        kinds[i] = (
            PointRole.SUPPORT if bounded is None else PointRole.BOUNDED if bounded[i] else PointRole.FREE
        )
    return tuple(kinds)


def _at_bound(model: Model) -> NDArray[np.bool_] | None:
    """Return which weights are at their upper bound, or None if there are no weights or no bounds."""
    alpha, box = model.alpha, model.box
    return None if alpha is None or box is None else np.asarray(alpha >= box)


def _ridge(model: Model) -> float:
    """Return lambda if the dual has K + lambda I: slack lambda alpha is then part of the optimum."""
    return float(getattr(model.algorithm, "ridge", 0.0))


def _kkt_residual(model: Model, product: Array) -> Array | None:
    """Return the KKT violation of every point for the dual with 0 <= alpha <= C, or None for algorithms that
    solve another problem.

    The slope is 1 - z_i s(x_i) - lambda alpha_i/w_i: alpha = 0 requires slope <= 0, alpha = C slope >= 0, and
    in between slope = 0."""
    alpha = model.alpha
    if alpha is None or model.violation is None:
        return None
    slope = 1.0 - product - _ridge(model) * _per_weight(model, alpha)
    bounded = _at_bound(model)
    upward = np.where(False if bounded is None else bounded, 0.0, np.maximum(slope, 0.0))
    downward = np.where(alpha > 0, np.maximum(-slope, 0.0), 0.0)
    return _where_weighed(model, np.maximum(upward, downward))


def _per_weight(model: Model, values: Array) -> Array:
    """Return values of the points over their weights; 0 for points of weight 0."""
    w = model.problem.data.weights
    return values if w is None else np.divide(values, w, out=np.zeros(len(w)), where=w > 0.0)


def _where_weighed(model: Model, values: Array) -> Array:
    """Return values of the points, 0 for points of weight 0, which have no part in the fit."""
    w = model.problem.data.weights
    return read_only(values if w is None else np.where(w > 0.0, values, 0.0))


def _off_the_tube(model: Model) -> Array | None:
    """Return the amount by which each residual r misses the condition of its weight: |r| <= eps inside the
    tube, where beta is 0; and by the sign of beta, r = eps on its edge, r >= eps outside."""
    r, beta, bounded, eps = model.residuals, model.beta, _at_bound(model), model.tube
    if r is None or beta is None or bounded is None or eps is None:
        return None
    outside = np.where(beta < 0, -r, r) - eps
    missed = np.where(bounded, np.maximum(-outside, 0.0), np.abs(outside))
    return _where_weighed(model, np.where(beta == 0, np.maximum(np.abs(r) - eps, 0.0), missed))


@dataclass(frozen=True)
class ScoreTerm:
    """One term beta_i K(x_i, x) of the score at a place x."""

    index: int
    beta: float
    kernel: float
    value: float


def largest_terms(model: Model, x: Any, count: int = 5) -> tuple[ScoreTerm, ...]:
    """Return the `count` largest terms of s(x) = b + Σ_i β_i K(x_i, x) by size, the largest first.

    x: one input, a row of numbers or a string. Empty for a model that is not a sum over points."""
    beta, support = model.beta, model.support
    if beta is None or len(support) == 0:
        return ()
    row = [x] if isinstance(x, str) else np.atleast_2d(np.asarray(x, dtype=np.float64))
    k = model.inner_products(row, support)[0]
    values = beta[support] * k
    order = np.argsort(-np.abs(values), kind="stable")[:count]
    return tuple(
        ScoreTerm(int(support[j]), float(beta[support[j]]), float(k[j]), float(values[j])) for j in order
    )
