"""Gaussian process regression: f ~ N(0, K), y = f(x) + noise of variance σ².

Given the points, with A = K + σ²I = LL' and k the kernel between x and the points,

    mean of f(x)          k'A⁻¹y, which is kernel ridge with λ = σ²
    variance of f(x)      K(x, x) - k'A⁻¹k
    ln p(y)               -½ y'A⁻¹y - Σ ln L_ii - n/2 ln 2π

Functions are drawn from the prior by random features of the kernel and then conditioned on the points."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log, pi, prod, sqrt
from typing import Any

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.algorithms.ridge import NEARLY_SINGULAR, SOLVED_TO, penalised_squares, visibly_known
from kernelviz.engine.core.arrays import Array, as_points, comparable, parts, read_only
from kernelviz.engine.core.cholesky import factorise, half_solve, solve, with_ridge
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Unit, real
from kernelviz.engine.kernels.base import LARGEST_VALUE, Kernel, Product, Scaled, Sum
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.kernel import TERM, KernelModel, sizes_of_terms
from kernelviz.engine.models.method import Price
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.likelihood import climb_likelihood
from kernelviz.engine.solvers.ridge import inverse_diagonal, shrinking

COSINES_OF_DRAWS = 256  # Random features in one function: enough that their sum is as good as normal.
STANDARD_DEVIATION = Unit(
    "sd", "σ", "Standard deviation of the noise", lambda s: s * s, sqrt, aliases=("sigma", "std")
)
DEGREE = 40  # Of the power series of a kernel that has neither a spectral density nor finitely many features.


def random_functions(kernel: Kernel, X: Array, count: int, seed: int) -> Array | None:
    """Return (count, len(X)) values of f = sum_j z_j / sqrt(q) with q random features z of the kernel, drawn
    separately for each f; None for a kernel without known features.

    E f(x) f(x') = K(x, x'). The features do not depend on X: the same seed is the same function, whatever
    part of it is evaluated."""
    return _drawn(kernel, read_only(X).tobytes(), X.shape[1], count, seed)


@lru_cache(maxsize=4)  # while a point is dragged kernel and places stay the same
def _drawn(kernel: Kernel, content: bytes, p: int, count: int, seed: int) -> Array | None:
    X, functions = np.frombuffer(content).reshape(-1, p), []
    for i in range(count):
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            z = _features(kernel, X, np.random.Generator(np.random.PCG64([seed, i])))
            if z is None:
                return None
            functions.append(z.sum(axis=1) / np.sqrt(COSINES_OF_DRAWS))
    return read_only(np.clip(np.nan_to_num(np.array(functions)), -LARGEST_VALUE, LARGEST_VALUE))


def _features(kernel: Kernel, X: Array, rng: np.random.Generator) -> Array | None:
    """Return (len(X), COSINES_OF_DRAWS) independent random functions z with mean 0 and E z(x) z(x') = K(x,
    x').

    For a sum they are the sums over the terms, for a product the products over the factors."""
    if isinstance(kernel, Sum | Product | Scaled):
        drawn = [_features(part, X, rng) for part in kernel.parts]
        parts = [z for z in drawn if z is not None]
        if len(parts) < len(drawn):
            return None
        if isinstance(kernel, Scaled):
            return np.asarray(np.sqrt(kernel.scale) * parts[0])
        return np.asarray(sum(parts) if isinstance(kernel, Sum) else prod(parts))
    p = X.shape[1]
    if (W := kernel.frequencies(p, COSINES_OF_DRAWS, rng)) is not None:
        height = np.sqrt(2.0 * kernel.diagonal(np.zeros((1, p)))[0])
        return np.asarray(height * np.cos(X @ W.T + rng.uniform(0.0, 2 * np.pi, COSINES_OF_DRAWS)))
    if (series := kernel.taylor_features(p, DEGREE)) is None:
        return None
    return np.asarray(series.compute(X) @ rng.standard_normal((series.q, COSINES_OF_DRAWS)))


@dataclass(frozen=True, eq=False, repr=False)
class GaussianProcessModel(KernelModel):
    """f given y: mean k'A⁻¹y, variance K(x, x) - k'A⁻¹k, A = K + noise I = LL'.

    The mean is the score. `deviation` returns the standard deviation of f(x), `draws` whole functions."""

    # L; above its diagonal it may hold anything.
    factor: Array = None  # type: ignore[assignment]  # a field with a default has gone before
    noise: float = 0.0

    @cached_property
    def log_marginal_likelihood(self) -> float:
        y = self.problem.y
        logs = float(np.log(self.factor.diagonal()).sum())
        return -0.5 * float(y @ self.weights) - logs - 0.5 * len(y) * log(2.0 * pi)

    def deviation(self, X: Any) -> Array:
        X, kernel = self.problem.kernel.checked(self.arranged(X)), self.problem.kernel
        found = np.empty(len(X))
        for part in parts(len(X), 2000):
            V = half_solve(self.factor, self.problem.cross(X[part]).T.copy(order="F"))
            found[part] = kernel.diagonal(X[part]) - np.einsum("ij,ij->j", V, V)
        return np.sqrt(np.maximum(found, 0.0))

    def covariance(self, X: Any) -> Array:
        X = self.problem.kernel.checked(self.arranged(X))
        V = half_solve(self.factor, self.problem.cross(X).T.copy(order="F"))
        return np.asarray(self.problem.kernel(X) - V.T @ V)

    def draws(self, X: Any, count: int, seed: int = 0, prior: bool = False) -> Array | None:
        """Draw functions from the prior and condition them on the points (Matheron's rule):

            f + k'A^-1 (y - f(X) - noise),

        which is distributed as f given y."""
        problem = self.problem
        if not isinstance(problem.X, np.ndarray) or problem.X.shape[1] != 1:
            return None
        X = comparable(as_points(X), problem.X)
        if not len(X):
            return np.empty((count, 0))
        drawn, there = _prior(problem.kernel, X, problem.X, count, seed)
        if prior:
            return drawn
        errors = np.random.Generator(np.random.PCG64([seed, 1])).standard_normal((count, problem.n))
        moved = solve(self.factor, (problem.y - there - np.sqrt(self.noise) * errors).T)
        return np.asarray(drawn + moved.T @ problem.kernel(problem.X, X))


def _prior(kernel: Kernel, X: Array, points: Array, count: int, seed: int) -> tuple[Array, Array]:
    """Return functions drawn from the prior at X and at the points.

    For a kernel without known features they are drawn at places from edge to edge of X, so that with other
    edges they are other functions."""
    functions = random_functions(kernel, X, count, seed)
    there = None if functions is None else random_functions(kernel, points, count, seed)
    if functions is not None and there is not None:
        return functions, there
    low, high, at = float(X.min()), float(X.max()), points[:, 0]
    places = 300  # between them the functions follow by the kernel
    nodes = np.concatenate([np.linspace(low, high, places), at[(at < low) | (at > high)]])
    rng = np.random.Generator(np.random.PCG64(seed))
    normals = rng.standard_normal((count, places + len(points)))[:, : len(nodes)]
    weights = normals @ _inverse_root(kernel, read_only(nodes).tobytes())
    return weights @ kernel(nodes[:, None], X), weights @ kernel(nodes[:, None], points)


@lru_cache(maxsize=4)  # while a point is dragged kernel and places stay the same
def _inverse_root(kernel: Kernel, content: bytes) -> Array:
    """Return K^-1/2 at some places, so that K (K^-1/2 z) is distributed as the prior there.

    It is the symmetric root, which does not depend on the order of the places: each normal number affects
    the function near its own place, so that a small change of the kernel changes it little."""
    K = kernel(np.frombuffer(content)[:, None])
    values, vectors = np.linalg.eigh(K)
    kept = values > 1e-9 * values[-1]  # in the other directions a function does not visibly vary
    roots = vectors[:, kept]
    return read_only((roots / np.sqrt(values[kept])) @ roots.T)


@dataclass(frozen=True)
class GaussianProcess(Algorithm):
    """f ~ N(0, K), y = f + noise: the mean is kernel ridge with λ = the variance of the noise, and every
    prediction has a standard deviation."""

    name = "gaussian-process"
    other_names = ("gp", "gpr", "kriging")
    family = "Minimising a loss"
    place = 4
    title = "Gaussian process"
    summary_line = "A distribution over functions: its mean given the points, and its remaining spread."
    latex = (
        r"f \mid y \sim N\left(k^\top A^{-1} y,\ K(x, x) - k^\top A^{-1} k\right),"
        r"\quad A = K + \sigma^2 I"
    )
    tasks = frozenset({Task.REGRESSION})
    watchable = False
    has_offset = False
    improvement = "Maximise likelihood"
    weighs_every_point = True

    noise: float = real(
        0.01,
        low=1e-10,
        high=1e8,
        soft=(1e-4, 1.0),
        scale="log",
        label="σ²",
        help="Variance of the noise in y",
        views=(STANDARD_DEVIATION,),
        simpler="larger",
    )

    def hat(self, problem: Problem) -> Array:
        """Return K (K + σ²I)⁻¹."""
        return shrinking(problem.gram, self.noise)

    def left_out(self, problem: Problem, beta: Array) -> Array:
        """Return β_i / (A⁻¹)_ii, A = K + σ²I."""
        return read_only(beta / inverse_diagonal(problem.gram, self.noise))

    @property
    def prices(self) -> tuple[Price, Price]:
        """Twice the negative logarithm of the posterior, up to a constant."""
        return Price("1/σ² ", 1.0 / self.noise), Price("", 1.0)

    def improved(self, problem: Problem) -> Generator[float, None, tuple[Kernel, GaussianProcess]]:
        return climb_likelihood(problem, self)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        if start is not None:
            problem.adopt_gram(start.problem)
        K, y = problem.gram, problem.y
        L, spare = factorise(with_ridge(K, self.noise)), 0.0
        if L is None:
            # Of the largest K(x, x), where rounding has made K + noise I indefinite.
            spare = 1e-10 * float(np.abs(K.diagonal()).max())
            L = factorise(with_ridge(K, self.noise + spare))
        if L is None:
            raise BadInput(
                "The kernel is not positive semi-definite on these points, so that no process has it as its "
                "covariance. Choose another kernel, or more noise."
            )
        beta = solve(L, y)
        fitted = K @ beta
        status, message = Status.CONVERGED, "Solved exactly: one linear system."
        solved = np.abs(y - fitted - self.noise * beta).max() <= SOLVED_TO * np.abs(y).max()
        errors = TERM * sizes_of_terms(problem, problem.X, beta)
        if not solved or not visibly_known(problem, beta, errors, y):
            status, message = Status.LIMIT, NEARLY_SINGULAR.replace("λ", "variance of the noise")
        primal, remark = penalised_squares(y - fitted, fitted, beta, errors, 1.0 / self.noise, 1.0)
        model = GaussianProcessModel(
            problem,
            self,
            status,
            message + remark,
            1,
            weights=beta,
            offset=0.0,
            objectives=(primal, None),
            known_scores=fitted,
            factor=L,
            noise=self.noise + spare,
        )
        yield Iterate.in_closed_form(model, "one linear system")
