"""Numbers that insight views show and no summary has. They are computed when a check asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.sgd import KernelSGD
from kernelviz.engine.analysis.functions import taylor_sums
from kernelviz.engine.analysis.kernel_pca import kernel_pca
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.dot_products import Exponential
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.kernels.mercer import MOST_JUDGED, mercer
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.selection.assess import assess
from kernelviz.engine.selection.folds import Trial

CLOSE = 0.01  # Difference of a Taylor sum from the kernel that cannot be seen.
MOST_DEGREES = 200
FOLDS, SEED = 5, 0  # Of the cross-validation, as *Model selection* begins.


def _smallest_eigenvalue(problem: Problem, algorithm: Algorithm) -> float:
    """Return the smallest eigenvalue of the Gram matrix, 0 within rounding (*Gram matrix*)."""
    verdict = mercer(problem.gram) if problem.n <= MOST_JUDGED else None
    if verdict is None:
        raise BadInput(f"Eigenvalues are for at most {MOST_JUDGED} points.")
    return 0.0 if abs(verdict.smallest) <= verdict.rounding else verdict.smallest


def _features(problem: Problem, algorithm: Algorithm) -> float | None:
    """Return the number of features of the kernel; None if they are infinitely many (*Feature space*)."""
    X = problem.X
    features = problem.kernel.feature_map(X.shape[1]) if isinstance(X, np.ndarray) else None
    return None if features is None else features.q


def _taylor_degree(problem: Problem, algorithm: Algorithm) -> float | None:
    """Return the degree from which on the Taylor sums of the Gaussian or the exponential are close to it at
    all pairs of points (*Kernel response*)."""
    kernel, X = problem.kernel, problem.X
    if not isinstance(kernel, Gaussian | Exponential) or not isinstance(X, np.ndarray):
        return None
    sums = np.stack([taylor_sums(kernel, X, centre, MOST_DEGREES) for centre in X], axis=1)
    far = np.flatnonzero((np.abs(sums - problem.gram) > CLOSE).any(axis=(1, 2)))
    return float(far[-1] + 1) if far.size else 0.0


def _component_error(problem: Problem, algorithm: Algorithm) -> float:
    """Return the share of points whose class the sign of the first component does not tell (*Kernel PCA*)."""
    wrong = float(np.mean(problem.data.z * kernel_pca(problem, 1).projections[:, 0] <= 0))
    return min(wrong, 1.0 - wrong)


def _validation_error(problem: Problem, algorithm: Algorithm) -> float:
    """Return the mean error on points left out of five fits (*Model selection*)."""
    trial = Trial.of(problem.data, algorithm, "cv", FOLDS, SEED)
    return float(assess(trial, [Fit(problem.kernel, algorithm)])[0].error)


def _primal_difference(problem: Problem, algorithm: Algorithm) -> float | None:
    """Return the largest difference of scores, at any point and step, between a descent in weights of points
    and the same in weights of features (*Convergence*)."""
    both = finished(algorithm.in_features(problem)) if isinstance(algorithm, KernelSGD) else None
    return None if both is None else both.difference


EXTRA: Mapping[str, Callable[[Problem, Algorithm], float | None]] = {
    "smallest_eigenvalue": _smallest_eigenvalue,
    "features": _features,
    "taylor_degree": _taylor_degree,
    "component_error": _component_error,
    "validation_error": _validation_error,
    "primal_difference": _primal_difference,
}
