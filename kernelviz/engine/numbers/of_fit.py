"""The numbers of a fit on its training points and on held-out points, and its residuals point by point."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.losses import HINGE, epsilon_insensitive
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.kernel import KNOWN
from kernelviz.engine.numbers.roc import roc

NAMES = (
    "training_error",
    "loss",
    "hinge_loss",
    "margin",
    "margin_width",
    "norm",
    "radius",
    "primal_objective",
    "dual_objective",
    "duality_gap",
    "kkt_violation",
    "support_vectors",
    "free",
    "bounded",
    "iterations",
)

# What real targets add to them.
RESIDUALS = (
    *("mean_squared_error", "mean_absolute_error", "epsilon", "epsilon_loss", "r2"),
    "log_marginal_likelihood",
)

# Of the size of scores or targets: what rounding leaves of a difference between two of them.
ROUNDING = 1e-11
ROUNDED = 1e-12  # What rounding leaves of a violation that is none.
CLOSED = 1e-10  # Of the objective: what rounding leaves of a gap that is none.

Number = float | int | None


def numbers(model: Model) -> dict[str, Number]:
    """Return all of NAMES, in that order; None for those that do not apply to the model or its data."""
    primal, dual = model.objectives
    found: dict[str, Number] = dict.fromkeys(NAMES)
    found |= _on_the_points(model)
    found |= _of_the_weights(model)
    found |= _of_the_residuals(model)
    found |= {
        "primal_objective": plain(primal),
        "dual_objective": plain(dual),
        "duality_gap": None if is_indefinite(model) else _gap(primal, dual),
        "kkt_violation": plain(model.violation),
        "iterations": model.iterations,
    }
    return found


def is_indefinite(model: Model) -> bool:
    """Return True if the kernel in use may be indefinite: the dual then bounds nothing, so that there is
    no gap."""
    return model.algorithm.uses_kernel and not model.problem.kernel.positive_definite


def norm_of(model: Model) -> float | None:
    """Return ||w|| in the space where the score is linear, or None if there is no such space.

    An indefinite kernel can make the square negative, and then there is no norm either; nor is one given
    if rounding has left no digit of it."""
    square = model.squared_norm
    if square is None or not np.isfinite(square):
        return None
    if square != 0.0 and not model.norm_doubt <= KNOWN * abs(square):
        return None
    if square < 0 and not model.problem.kernel.positive_definite:
        return None
    return float(np.sqrt(max(square, 0.0)))


def _on_the_points(model: Model) -> dict[str, Number]:
    """Return training error, the algorithm's own loss, the hinge loss and the margin, which are functions of
    z_i s(x_i), and the sizes that give them a scale.

    The margin is that of the closest point; the band between s = 0 and s = ±1 has the half-width 1/||w||."""
    data, mistakes = model.problem.data, model.mistakes
    norm = norm_of(model)
    in_use = model.algorithm.uses_kernel or model.squared_norm is not None  # a space with a radius
    found: dict[str, Number] = {"norm": norm, "radius": plain(model.radius) if in_use and data.n else None}
    if data.n == 0:
        return found
    if mistakes is not None:
        found["training_error"] = float(mistakes.mean())
    if model.has_losses:
        product: Array = data.z * model.training_scores
        product = _snapped(product, 1.0, float(np.abs(product).max()))
        found["loss"] = plain(model.own_loss.mean(product))
        found["hinge_loss"] = plain(HINGE.mean(product))
        if norm:
            found["margin"] = plain(product.min() / norm)
            found["margin_width"] = plain(1.0 / norm)
    return found


def _of_the_residuals(model: Model) -> dict[str, Number]:
    """Return the costs of r_i = y_i - s(x_i) for real targets. r2 is the share of the variance of y that s
    explains, 1 - sum r² / sum (y - mean)²; it does not exist for constant targets."""
    if model.residuals is None:
        return {}
    r = _snapped(model.residuals, 0.0, float(np.abs(model.problem.y).max(initial=0.0)))
    if model.tube is not None:
        r = np.copysign(_snapped(np.abs(r), model.tube, model.tube), r)
    found: dict[str, Number] = dict.fromkeys(RESIDUALS)
    found |= {"epsilon": plain(model.tube), "log_marginal_likelihood": plain(model.log_marginal_likelihood)}
    if not len(r):
        return found
    with np.errstate(over="ignore", invalid="ignore"):
        square = float(np.square(r).mean())
        variance = float(model.problem.y.var())
        found |= {
            "loss": plain(model.own_loss.mean(r)),
            "mean_squared_error": plain(square),
            "mean_absolute_error": plain(np.abs(r).mean()),
            "epsilon_loss": None if model.tube is None else plain(epsilon_insensitive(model.tube).mean(r)),
            "r2": plain(1.0 - square / variance) if variance > 0.0 else None,
        }
    return found


def _snapped(values: Array, to: float, size: float) -> Array:
    """Return the values with `to` itself where rounding cannot distinguish them; `size` is the size of
    their terms."""
    return np.where(np.abs(values - to) <= ROUNDING * size, to, values)


def resolution(name: str, dual_objective: float | None) -> float:
    """Return the size that rounding may leave of a number that is 0; for residuals in the unit of the
    targets."""
    if name == "duality_gap":
        return CLOSED * abs(dual_objective or 0.0)
    return 0.0 if name in RESIDUALS else ROUNDED


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
    if primal is None or dual is None:
        return None
    gap = primal - dual
    # Weak duality holds: what is negative within rounding is zero, and what is more negative is no gap.
    if gap < -1e-12 * max(abs(primal), abs(dual)):
        return None
    return plain(max(gap, 0.0))


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
    mistakes: NDArray[np.bool_] | None = None  # Which of the points are on the wrong side; a score of 0 is.
    roc_area: float | None = None
    # What the loss of every point depends on: z s(x) of two classes, y - s(x) of real targets.
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
        residual = read_only(data.y - model.score(data.X))
        return TestNumbers(data.n, mean_squared_error=plain(np.square(residual).mean()), places=residual)
    if not model.is_classifier:
        return TestNumbers(data.n)
    if data.task is Task.CLASSES:
        return _with_mistakes(data, model.codes(data.X))
    scores = model.score(data.X)
    products = read_only(data.z * scores)
    hinge = plain(np.maximum(0.0, 1.0 - products).mean())
    found = roc(scores, data.z)
    area = None if found is None else found.area
    return replace(_with_mistakes(data, np.sign(scores)), hinge_loss=hinge, places=products, roc_area=area)


def _with_mistakes(data: Data, codes: Array) -> TestNumbers:
    mistakes = np.asarray(codes != data.y)
    mistakes.flags.writeable = False
    return TestNumbers(data.n, float(mistakes.mean()), mistakes=mistakes)


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
    """Return tr H, the number of parameters a fit linear in the targets is worth."""
    return None if model.hat is None else plain(np.trace(model.hat))
