"""Functions of the reproducing kernel Hilbert space: inner products, norms, the representer theorem.

For f = Σ β_i K(x_i, ·) and g = Σ γ_j K(x'_j, ·), <f, g> = β'K(X, X')γ. A function orthogonal to the span of
the K(x_i, ·) leaves every s(x_i) as it is and raises the norm: a minimiser with a price on the norm has none
of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.algorithms.neighbours import NadarayaWatson
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.core.arrays import Array, as_points, read_only
from kernelviz.engine.core.cholesky import factorise, solve, with_ridge
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.base import Kernel, Scaled, Sum
from kernelviz.engine.kernels.dot_products import Exponential
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.method import Method
from kernelviz.engine.models.neighbours import shares
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.ridge import GramSpectrum

MOST_WEIGHED = 1000  # Points up to which the weights of targets are found while the mouse moves.
MOST_FOR_BUMPS = 400  # A bump takes the eigenvectors of their Gram matrix.
# Where a bump might stand, in the box of the points and around it by this share of its sides.
BUMP_PLACES, BUMP_MARGIN = 64, 0.15
ROUNDED_BUMP = 1e-5  # Of its height: a bump no higher than this at a point is 0 there.


def inner_product(f: KernelModel, g: KernelModel) -> float:
    """Return <f, g> = beta_f' K(X_f, X_g) beta_g, both functions without their b. They may be fits of
    different points, but must share the kernel."""
    if f.problem.kernel != g.problem.kernel:
        raise ValueError("functions of two kernels have no common space")
    if f.problem.data is g.problem.data:
        return float(f.weights @ (f.problem.gram @ g.weights))
    rows, columns = f.support, g.support
    if not len(rows) or not len(columns):
        return 0.0
    K = f.problem.kernel(f.problem.data.subset(rows).X, g.problem.data.subset(columns).X)
    return float(f.weights[rows] @ K @ g.weights[columns])


def norm_terms(f: KernelModel) -> Array:
    """Return beta_i (K beta)_i, the terms of ||f||² point by point; a term may be negative, the sum not."""
    return read_only(f.weights * (f.problem.gram @ f.weights))


@dataclass(frozen=True)
class FunctionPair:
    """Two functions f and g of one space: <f, g> and their norms, from which distance and angle follow."""

    product: float  # <f, g>
    norms: tuple[float, float]  # ||f||, ||g||

    @property
    def distance(self) -> float:
        """||f - g||, from <f, f> - 2 <f, g> + <g, g>."""
        f, g = self.norms
        return float(np.sqrt(max(0.0, f * f - 2.0 * self.product + g * g)))

    @property
    def cosine(self) -> float | None:
        """The cosine of the angle between them, or None if one is 0."""
        f, g = self.norms
        return self.product / (f * g) if f * g > 0.0 else None


def compared(f: KernelModel, g: KernelModel) -> FunctionPair:
    """Return the geometry of two fits of one kernel."""
    f2, g2 = (max(0.0, inner_product(h, h)) for h in (f, g))
    return FunctionPair(inner_product(f, g), (float(np.sqrt(f2)), float(np.sqrt(g2))))


def target_weights(model: Model, X: Any) -> Array | None:
    """Return W with s(x) = sum_i W[x, i] y_i for every row x of X; None where s is not linear in the targets,
    or for more than MOST_WEIGHED points.

    Of kernel ridge and of a Gaussian process a row is k(x)'(K + λI)⁻¹, of Nadaraya-Watson the shares
    K(x, x_i)/sum_j K(x, x_j), which add up to 1 and are never negative."""
    problem, algorithm = model.problem, model.algorithm
    if (
        problem.data.task is not Task.REGRESSION
        or problem.n > MOST_WEIGHED
        or problem.data.weights is not None
    ):
        return None
    if isinstance(algorithm, NadarayaWatson):
        return read_only(shares(problem, X))
    if not isinstance(algorithm, Ridge | GaussianProcess):
        return None
    lam = algorithm.lam if isinstance(algorithm, Ridge) else algorithm.noise
    kept, k = problem.kept, problem.cross(X)
    if (target_weights, lam) not in kept:
        kept[target_weights, lam] = factorise(with_ridge(problem.gram, lam))
    factor = kept[target_weights, lam]
    if factor is not None:
        return read_only(solve(factor, k.T).T)
    spectrum = GramSpectrum.of(problem.gram)  # K + λI is not positive definite, or λ is lost in rounding
    return read_only((k @ spectrum.vectors / (spectrum.values + lam)) @ spectrum.vectors.T)


@dataclass(frozen=True, eq=False)
class Bump:
    """u = scale (K(x*, ·) - sum_i c_i K(x_i, ·)), orthogonal to every K(x_i, ·): so u(x_i) = 0 for all i."""

    problem: Problem
    place: Array  # x*, a single row.
    weights: Array  # c
    scale: float
    squared_norm: float  # ||u||², by which adding u raises the squared norm of any function in the span.
    at_points: Array  # u(x_i): 0, unless rounding has left more than ROUNDED_BUMP of the height.

    def __call__(self, X: Any) -> Array:
        kernel = self.problem.kernel
        return np.asarray(
            self.scale * (kernel(X, self.place)[:, 0] - kernel(X, self.problem.X) @ self.weights)
        )


def orthogonal_bump(problem: Problem, places: Any, height: float = 1.0) -> Bump | None:
    """Return the part of K(x*, ·) orthogonal to the span of the points, scaled to a height at the place x*
    with most of it; None if only rounding is left, as at a point itself or close to several.

    c = K^-1 k(x*); u(x*) = ||K(x*, ·) - …||² = K(x*, x*) - k'c before it is scaled."""
    kernel, K = problem.kernel, problem.gram
    places = as_points(places).reshape(-1, problem.X.shape[1])
    k, own = kernel(places, problem.X), kernel.diagonal(places)
    spectrum = GramSpectrum.of(K)
    cut = 1e-12  # Eigenvalues below this share of the largest are rounding.
    values = np.where(spectrum.values > cut * np.abs(spectrum.values).max(), spectrum.values, np.inf)
    c = np.asarray((k @ spectrum.vectors / values) @ spectrum.vectors.T)
    rest = own - 2.0 * (k * c).sum(axis=1) + ((c @ K) * c).sum(axis=1)
    best = int(np.argmax(rest))
    nothing = 1e-8  # Of K(x, x): less left of it beyond the span of the points is rounding.
    if not rest[best] > nothing * own[best]:
        return None
    scale = height / float(own[best] - k[best] @ c[best])
    at_points = scale * (k[best] - K @ c[best])
    at_points[np.abs(at_points) <= ROUNDED_BUMP * abs(height)] = 0.0
    return Bump(
        problem,
        read_only(places[best : best + 1]),
        read_only(c[best]),
        scale,
        scale * scale * float(rest[best]),
        read_only(at_points),
    )


def bump_between_points(algorithm: Method, problem: Problem) -> Bump | None:
    """Return a bump where the points leave most room for one, of a visible height: half the range of the
    targets, for classes 1. None if every function of the kernel is in the span of the points, if there
    are too many of them, or if the algorithm has no price on the norm in the space of the kernel."""
    if algorithm.prices is None or not algorithm.uses_kernel or not 0 < problem.n <= MOST_FOR_BUMPS:
        return None
    if not isinstance(problem.X, np.ndarray):
        return None
    low, high = problem.X.min(axis=0), problem.X.max(axis=0)
    around = np.where(high > low, BUMP_MARGIN * (high - low), 1.0)
    places = np.random.default_rng(0).uniform(low - around, high + around, (BUMP_PLACES, len(low)))
    real = problem.data.task is Task.REGRESSION
    height = (0.5 * float(np.ptp(problem.y)) if real else 0.0) or 1.0
    try:
        with np.errstate(all="ignore"):
            return orthogonal_bump(problem, places, height)
    except (BadInput, np.linalg.LinAlgError):  # the kernel is no number everywhere
        return None


def with_bump(model: Model, bump: Bump) -> tuple[float, float] | None:
    """Return fit and complexity of s + u, or None if s is not in the span that u is orthogonal to."""
    prices, square = model.algorithm.prices, model.squared_norm
    if not isinstance(model, KernelModel) or prices is None or square is None:
        return None
    changed = replace(model, known_scores=model.training_scores + bump.at_points)
    terms = changed.fit_and_complexity
    return None if terms is None else (terms[0], prices[1].value * (square + bump.squared_norm))


def terms_of_a_sum(model: Model, X: Any) -> tuple[tuple[Kernel, Array], ...]:
    """Return for a kernel K_1 + K_2 + … the functions sum_i beta_i K_j(x_i, ·) at X, one for each term:
    with b they add up to s. Empty for other kernels."""
    kernel, beta, support = model.problem.kernel, model.beta, model.support
    scale = 1.0
    if isinstance(kernel, Scaled):
        scale, kernel = kernel.scale, kernel.inner
    if not isinstance(kernel, Sum) or beta is None or not (model.algorithm.uses_kernel and len(support)):
        return ()
    points, weights = model.problem.data.subset(support).X, scale * beta[support]
    return tuple((term, np.asarray(term(X, points) @ weights)) for term in kernel.parts)


def taylor_sums(kernel: Gaussian | Exponential, X: Array, centre: Array, degree: int) -> Array:
    """Return (degree + 1, n): the sums of t^d/d! over d <= D for D = 0, …, degree.

    For the exponential kernel t = γ x·c, and the sums tend to exp(γ x·c). For the Gaussian t = 2γ x·c, and
    the factor exp(-γ|x|² - γ|c|²) makes them tend to exp(-γ|x - c|²). Each sum is the inner product of all
    monomials up to its degree."""
    damped = isinstance(kernel, Gaussian)
    t = (2.0 if damped else 1.0) * kernel.gamma * (X @ centre)
    terms = np.ones((degree + 1, len(X)))
    if damped:
        terms[0] = np.exp(-kernel.gamma * (np.square(X).sum(axis=1) + float(centre @ centre)))
    for d in range(1, degree + 1):
        terms[d] = terms[d - 1] * t / d
    return np.asarray(np.cumsum(terms, axis=0))


def response(kernel: Kernel, centres: Any, algorithm: Method) -> KernelModel:
    """Return Σ_c K(c, ·), the sum of the kernel around some centres, as a model that can be drawn.

    centres: inputs of any kind that the kernel compares."""
    problem = Problem(Data.unlabelled(centres), kernel)
    return KernelModel(problem, algorithm, Status.CONVERGED, "", 0, np.ones(problem.n), 0.0, blur=None)


def unfitted(data: Data, kernel: Kernel, algorithm: Method) -> KernelModel:
    """Return a model with score 0 for points without a fit, for views that need only the kernel."""
    return KernelModel(Problem(data, kernel), algorithm, Status.LIMIT, "", 0, np.zeros(data.n), 0.0)
