"""Residuals, leverages and influences of the training points, for real targets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.models.base import Model
from kernelviz.engine.numbers.of_fit import plain


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
