"""The numbers of ridge regression and of the Gaussian process for every λ, without a fit for each.

One eigendecomposition serves all λ: K = V diag(κ) V'. With A = K + λI and β = A⁻¹y = V (V'y / (κ + λ)) the
residuals are λβ, the degrees of freedom Σ κ/(κ + λ), the residuals with the point left out β_i / (A⁻¹)_ii,
and ln p(y) = -½ y'β - ½ Σ ln(κ + λ) - n/2 ln 2π."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, pi

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.cholesky import with_ridge
from kernelviz.engine.core.data import Data, Task, misclassified
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.ridge import GramSpectrum

# Scores of points left out that are no larger may be rounding errors of the targets, 1 in size.
UNSURE = 1e-12


@dataclass(frozen=True, eq=False)
class Shrinkage:
    """The numbers for every λ. Errors are shares of mistakes, or means of squares for real targets; NaN if
    a left-out point could lie anywhere, or K + λI is not positive definite."""

    parameter: str  # The algorithm's name for λ.
    values: Array
    training_error: Array
    left_out_error: Array
    degrees_of_freedom: Array
    log_marginal_likelihood: Array | None  # Of a Gaussian process.
    losses: Array  # (λ, n): the loss of every point, left out.
    held_out_error: Array | None = None  # On other points, where there are any.


def shrinks(algorithm: Algorithm) -> str | None:
    """Return an algorithm's name for its λ, "lam" or "noise", or None if it is not ridge in the dual."""
    if isinstance(algorithm, GaussianProcess):
        return "noise"
    return "lam" if isinstance(algorithm, Ridge) else None


def shrinkage(
    problem: Problem,
    algorithm: Algorithm,
    values: Sequence[float] | Array,
    spectrum: GramSpectrum | None = None,
    held: Data | None = None,
) -> Shrinkage:
    """Return the numbers for some values of λ. spectrum: of the Gram matrix, if known; held: points held
    out."""
    algorithm.check(problem)
    problem.check_equal_weights()
    parameter = shrinks(algorithm)
    assert parameter is not None
    lam, spectrum = np.asarray(values, dtype=np.float64), spectrum or GramSpectrum.of(problem.gram)
    halved = isinstance(algorithm, Ridge) and algorithm.targets == "zero-one"
    two = problem.data.task is Task.TWO_CLASSES
    divides = 0.5  # Between the classes 0 and 1, where those are the targets.
    threshold = divides if halved and two else 0.0
    y = _targets(problem.data, threshold)
    along, shifted = y @ spectrum.vectors, spectrum.values + lam[:, None]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        beta = (along / shifted) @ spectrum.vectors.T
        inverse = (1.0 / shifted) @ np.square(spectrum.vectors).T
        losses = _losses_left_out(problem, y, threshold, lam, np.where(inverse > 0.0, beta / inverse, np.nan))
        held_out = None
        if held is not None:
            targets = _targets(held, threshold)
            fitted = beta @ problem.kernel(problem.X, held.X)
            held_out = read_only(_losses(held, targets - fitted, fitted - threshold).mean(axis=1))
        # Not y - λβ, which loses the sign of small scores.
        scores = (along * (spectrum.values / shifted)) @ spectrum.vectors.T - threshold
        logs = -0.5 * (beta @ y + np.log(shifted).sum(axis=1) + problem.n * log(2.0 * pi))
        return Shrinkage(
            parameter,
            read_only(lam),
            read_only(_losses(problem.data, lam[:, None] * beta, scores).mean(axis=1)),
            read_only(losses.mean(axis=1)),
            read_only((spectrum.values / shifted).sum(axis=1)),
            read_only(logs) if isinstance(algorithm, GaussianProcess) else None,
            read_only(losses),
            held_out,
        )


def _targets(data: Data, threshold: float) -> Array:
    """Return y; the classes are 0 and 1 if they are divided at a threshold."""
    return 0.5 * (data.z + 1.0) if threshold else data.y


def _losses_left_out(problem: Problem, y: Array, threshold: float, lam: Array, residuals: Array) -> Array:
    """Return what every point, left out, adds to the mean error, (λ, n), from the residuals of those fits."""
    scores = y - residuals - threshold
    losses = _losses(problem.data, residuals, scores)
    if problem.data.task is Task.TWO_CLASSES:
        unsure = (np.abs(scores) <= UNSURE).any(axis=1) & np.isfinite(residuals).all(axis=1)
        for k in np.flatnonzero(unsure).tolist():
            losses[k] = misclassified(problem.z, _scores_left_out(problem.gram, y, lam[k]) - threshold)
    return losses


def _scores_left_out(K: Array, y: Array, lam: float) -> Array:
    """Return s(x_i) of the fits without point i, -Σ_{j≠i} (A⁻¹)_ij y_j / (A⁻¹)_ii, which keeps the sign of
    tiny scores that y_i minus a residual has lost."""
    inverse = np.linalg.inv(with_ridge(K, lam))
    own = inverse.diagonal().copy()
    np.fill_diagonal(inverse, 0.0)
    return np.asarray(-(inverse @ y) / own)


def _losses(data: Data, residuals: Array, scores: Array) -> Array:
    """Return the squares of the residuals, or for two classes 1 for every score that is a mistake."""
    if data.task is not Task.TWO_CLASSES:
        return np.square(residuals)
    return np.where(np.isnan(scores), np.nan, misclassified(data.z, scores))
