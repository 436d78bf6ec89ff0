"""The numbers of a fit on its training points and on held-out points, and its residuals point by point.

A number is None where it does not apply, and where rounding leaves fewer digits of it than would be shown:
large weights of both signs cancel, and the scores are then known less well than the weights."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.certain import NEGLIGIBLE, Certain
from kernelviz.engine.core.data import Data, Task, misclassified
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.losses import (
    ABSOLUTE_ERROR,
    HINGE,
    SQUARED_ERROR,
    ZERO_ONE,
    epsilon_insensitive,
)
from kernelviz.engine.kernels.mercer import positive
from kernelviz.engine.models.base import Model
from kernelviz.engine.numbers.declared import computed, in_group
from kernelviz.engine.numbers.roc import known_area

NAMES = in_group("fit")
RESIDUALS = in_group("residuals")  # What real targets add to them.

Number = float | int | None


def numbers(model: Model) -> dict[str, Number]:
    """Return all of NAMES, in that order, and for real targets those of RESIDUALS.

    None for those that do not apply to the model or its data, or of which rounding leaves too few digits."""
    primal, dual = model.objectives
    found: dict[str, Number] = computed("fit", model)
    found |= _on_the_points(model)
    found |= _of_the_weights(model)
    found |= _of_the_residuals(model)
    found |= {
        "primal_objective": plain(primal),
        "dual_objective": plain(dual),
        "duality_gap": None if is_indefinite(model) else _gap(primal, dual),
        "kkt_violation": _violation(model),
    }
    return found


def is_indefinite(model: Model) -> bool:
    """Return True if the kernel in use may be indefinite: the dual then bounds nothing, so there is no gap.
    For a kernel given by its Gram matrix, the matrix decides."""
    problem = model.problem
    if not model.algorithm.uses_kernel or problem.kernel.positive_definite:
        return False
    definite = "the Gram matrix is positive semi-definite"  # The key of that result among those kept.
    if problem.kernel.domain == "objects":
        if definite not in problem.kept:
            problem.kept[definite] = positive(problem.gram)
        return not problem.kept[definite]
    return True


def norm_of(model: Model) -> float | None:
    """Return ||w|| in the space where the score is linear, or None if it is linear in none.

    An indefinite kernel can make the square negative, and then there is no norm either. If rounding has left
    no digit of it, it is 0 for a solution that is the same everywhere, and else not known."""
    square = model.squared_norm
    if square is None or not np.isfinite(square):
        return None
    if not Certain(square, model.norm_doubt).known():
        no_digit = abs(square) <= model.norm_doubt
        return 0.0 if no_digit and model.flat and model.converged else None
    if square < 0 and not model.problem.kernel.positive_definite:
        return None
    return float(np.sqrt(max(square, 0.0)))


def _on_the_points(model: Model) -> dict[str, Number]:
    """Return training error, the algorithm's own loss, the hinge loss and the margin, which are functions of
    z_i s(x_i), and the sizes that give them a scale.

    The margin is that of the closest point; the band between s = 0 and s = ±1 has the half-width 1/||w||."""
    data, norm = model.problem.data, norm_of(model)
    in_use = model.algorithm.uses_kernel or model.squared_norm is not None  # a space with a radius
    found: dict[str, Number] = {"norm": norm, "radius": plain(model.radius) if in_use and data.n else None}
    if data.n == 0:
        return found
    found["training_error"] = model.training_error
    if model.has_losses:
        products = _with_errors(model, data, data.z * model.training_scores).snapped(1.0)
        products = products.settled(_size(products))
        own = model.own_loss
        found["loss"] = model.training_error if own is ZERO_ONE else products.mean(own).or_none()
        found["hinge_loss"] = products.mean(HINGE).or_none()
        if norm:
            closest = products.smallest()
            found["margin"] = plain(closest.value / norm) if closest.known() else None
            found["margin_width"] = plain(1.0 / norm)
    return found


def _of_the_residuals(model: Model) -> dict[str, Number]:
    """Return the costs of r_i = y_i - s(x_i) for real targets. r2 is the share of the variance of y that s
    explains, 1 - sum r² / sum (y - mean)²; it does not exist for constant targets."""
    if model.residuals is None:
        return {}
    y, tube = model.problem.y, model.tube
    r = _with_errors(model, model.problem.data, model.residuals)
    errors = r.error
    if (
        np.abs(r.value) <= np.maximum(errors, NEGLIGIBLE * np.ptp(y))
    ).all():  # then the means are 0, not unknown
        r = Certain(np.zeros_like(y), errors).settled(float(np.abs(y).max()))
    found: dict[str, Number] = computed("residuals", model)
    outside = r  # The residuals as a loss that is 0 in the tube sees them.
    if model.converged:  # where K + noise is nearly singular, rounding leaves no digits of the likelihood
        found["log_marginal_likelihood"] = plain(model.log_marginal_likelihood)
    if tube is not None:
        sizes = Certain(np.abs(r.value), errors).snapped(tube)
        outside = r = Certain(np.copysign(sizes.value, r.value), r.error)
        if not (sizes.value > tube).any():  # then the loss is 0, as far as can be known
            outside = Certain(r.value, sizes.error)
        # A tube that was found, not given, is as uncertain as the scores at its edge.
        given = "epsilon" in model.algorithm.values()
        found["epsilon"] = tube if given or Certain(tube or np.ptp(y), np.max(r.error)).known() else None
    if not len(y):
        return found
    found |= {
        "loss": outside.mean(model.own_loss).or_none(),
        "mean_squared_error": r.mean(SQUARED_ERROR).or_none(),
        "mean_absolute_error": r.mean(ABSOLUTE_ERROR).or_none(),
        "epsilon_loss": None if tube is None else outside.mean(epsilon_insensitive(tube)).or_none(),
        "r2": _share_explained(y, Certain(r.value, errors)),
    }
    return found


def _with_errors(model: Model, data: Data, values: Array) -> Certain:
    """Return scores of these points, or residuals, with the errors of the scores."""
    return Certain(values, np.broadcast_to(model.score_errors(data.X), data.n))


def _size(products: Certain) -> float:
    """Return the size with which errors of z s(x) are compared: 1, the margin, or less if all are smaller."""
    return min(1.0, float(np.abs(products.value).max()))


def _share_explained(y: Array, r: Certain) -> float | None:
    """Return 1 - sum r² / sum (y - mean)², or None for constant targets, or if errors of r may change the
    first three digits of it or of 1."""
    variance = float(y.var())
    if not variance > 0.0 or y.min() == y.max():  # the mean of equal numbers may be another one
        return None
    squares = r.mean(SQUARED_ERROR)
    with np.errstate(over="ignore"):
        share = 1.0 - squares.value / variance
    return plain(share) if Certain(variance * max(1.0, abs(share)), squares.error).known() else None


def resolution(name: str, dual_objective: float | None) -> float:
    """Return the size below which a number cannot be told from 0; for residuals in the unit of the
    targets."""
    closed = 1e-10  # Of the objective: what rounding leaves of a gap that is none.
    if name == "duality_gap":
        return closed * abs(dual_objective or 0.0)
    rounded = 1e-12  # What rounding leaves of a violation that is none.
    return 0.0 if name in RESIDUALS else rounded


def _of_the_weights(model: Model) -> dict[str, Number]:
    """Return the number of support vectors, unless every point has a weight by construction; and with a
    box on alpha how many are free (0 < alpha < C) and bounded (alpha = C)."""
    alpha, box = model.alpha, model.box
    if model.algorithm.weighs_every_point:
        return {}
    if alpha is None:
        return {"support_vectors": len(model.support)} if len(model.support) else {}
    found: dict[str, Number] = {"support_vectors": len(model.support)}
    if box is not None:
        bounded = int(np.count_nonzero((alpha > 0) & (alpha >= box)))
        found |= {"free": len(model.support) - bounded, "bounded": bounded}
    return found


def _gap(primal: float | None, dual: float | None) -> float | None:
    """Return primal - dual, which is not negative by weak duality: 0 where rounding makes it so, and None
    where it is more negative than that."""
    if primal is None or dual is None:
        return None
    gap = primal - dual
    if gap < -1e-12 * max(abs(primal), abs(dual)):  # more than the rounding of two sums
        return None
    return plain(max(gap, 0.0))


def _violation(model: Model) -> float | None:
    """Return the largest KKT violation, or None if it is too large and rounding leaves no digits of it."""
    violation, accepted = plain(model.violation), model.accepted
    if violation is None or accepted is None or violation <= accepted:
        return violation
    return Certain(violation, np.max(model.score_errors(model.problem.X))).or_none()


def plain(value: float | None) -> float | None:
    """Return a finite Python float, or None."""
    return float(value) if value is not None and np.isfinite(value) else None


@dataclass(frozen=True, eq=False)
class TestNumbers:
    """The numbers of a model on held-out points; None for those that do not apply."""

    __test__ = False  # no test case of pytest's

    n: int
    error: float | None = None
    hinge_loss: float | None = None
    mean_squared_error: float | None = None
    mistakes: NDArray[np.bool_] | None = None  # Which of the points are misclassified.
    roc_area: float | None = None
    # The argument of every point's loss: z s(x) for two classes, y - s(x) for real targets.
    places: Array | None = None

    def summary(self) -> dict[str, float | None]:
        """Return the numbers by their names in the JSON summary."""
        return {
            "test_error": self.error,
            "test_hinge_loss": self.hinge_loss,
            "test_mean_squared_error": self.mean_squared_error,
            "test_roc_area": self.roc_area,
        }


def on_held_out(model: Model, data: Data) -> TestNumbers:
    """Return the share of mistakes and the mean hinge loss max(0, 1 - z s(x)), or the mean of (y - s(x))²,
    on these data."""
    fitted = model.problem.data
    if data.task is not fitted.task or data.class_names != fitted.class_names:
        raise BadInput("The held-out points do not have the classes of those the model is fitted to.")
    if data.n == 0 or data.target is None:
        return TestNumbers(data.n)
    if data.task is Task.REGRESSION:
        r = read_only(data.y - model.score(data.X))
        squares = _with_errors(model, data, r).settled(float(np.abs(data.y).max())).mean(SQUARED_ERROR)
        return TestNumbers(data.n, mean_squared_error=squares.or_none(), places=r)
    if not model.is_classifier:
        return TestNumbers(data.n)
    if data.task is Task.CLASSES:
        return _with_mistakes(model.codes(data.X) != data.y)
    scores = model.score(data.X)
    products = _with_errors(model, data, read_only(data.z * scores))
    hinge = products.settled(_size(products)).mean(HINGE).or_none()
    area = known_area(scores, data.z, model.score_errors(data.X))
    undecided = model.lost_signs(data, scores)
    counted = _with_mistakes(misclassified(data.z, scores) | undecided)
    if model.zero_everywhere or undecided.all():
        counted = TestNumbers(data.n)
    return replace(counted, hinge_loss=hinge, places=products.value, roc_area=area)


def _with_mistakes(mistakes: NDArray[np.bool_]) -> TestNumbers:
    mistakes.flags.writeable = False
    return TestNumbers(len(mistakes), float(mistakes.mean()), mistakes=mistakes)


@dataclass(frozen=True, eq=False)
class ResidualTable:
    """One entry for each training point; None for columns that only exist for a fit linear in y, s = Hy.

    residual: r_i = y_i - s(x_i). leverage: H_ii, the share of s(x_i) that is y_i's own. left_out: the
    residual of the point under the fit to all others, r_i/(1 - H_ii). influence: how far the curve moves
    at the training points when the point is left out, as a root mean square. Points that alone determine
    their score (H_ii = 1, which no penalty allows) have no leave-one-out residual and no influence: nan."""

    residual: Array
    leverage: Array | None = None
    left_out: Array | None = None
    influence: Array | None = None
    degrees_of_freedom: float | None = None  # tr H


def residual_table(model: Model) -> ResidualTable | None:
    """Return the table of all training points, or None without real targets."""
    residual, H, left_out = model.residuals, model.hat, model.left_out
    if residual is None or H is None or left_out is None:
        return None if residual is None else ResidualTable(residual)
    leverage = H.diagonal()
    # Without point i the fit is that of all with y_i replaced by what the others predict for it.
    moved = np.sqrt(np.square(H).mean(axis=0)) * np.abs(left_out)
    return ResidualTable(residual, read_only(leverage), left_out, read_only(moved), degrees_of_freedom(model))


def degrees_of_freedom(model: Model) -> float | None:
    """Return tr H, the number of parameters that a fit s = Hy, linear in the targets, is worth; else None, as
    where rounding leaves no digits of the fit."""
    return None if model.hat is None or not model.converged else plain(np.trace(model.hat))
