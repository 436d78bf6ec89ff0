"""Models that compare a place with the points around it: nearest neighbours and local averages.

Both are computed by logarithms or by the distance itself where the kernel's values would underflow: far from
all points every K(x, x_i) is 0 as a floating point number, but one of them is still the largest."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from kernelviz.engine.core.arrays import Array, comparable, parts
from kernelviz.engine.fields.field import nodes_of
from kernelviz.engine.kernels.base import Kernel, Scaled, Sum
from kernelviz.engine.kernels.dot_products import Linear, Weight
from kernelviz.engine.kernels.vectors import RadialKernel, StationaryKernel
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem


@dataclass(frozen=True, eq=False, repr=False)
class LocalModel(Model):
    """A score that compares each place with all points: computed for some places at a time.

    A subclass implements `scores_at` for checked inputs."""

    @abstractmethod
    def scores_at(self, X: Any) -> Array:
        """Return s(x) for every row of X, of which there are few enough to hold a matrix with all points."""

    def score(self, X: Any) -> Array:
        X = self.checked(X)
        scores = np.empty(len(X))
        held_at_a_time = 1 << 19  # Distances or weights.
        for part in parts(len(X), max(1, held_at_a_time // self.problem.n)):
            scores[part] = self.scores_at(X[part])
        return scores

    def checked(self, X: Any) -> Any:
        """Return the inputs in the form the kernel expects, or raise BadInput if they are of another kind."""
        X = self.problem.kernel.checked(self.arranged(X))
        return comparable(X, self.problem.X) if isinstance(X, np.ndarray) else X

    def on_plane(self, x1: Array, x2: Array) -> Array:
        return self.score(nodes_of(x1, x2)).reshape(len(x2), len(x1))


@dataclass(frozen=True, eq=False, repr=False)
class NeighbourModel(LocalModel):
    """s(x) = the mean target of the k nearest training points.

    Points as far as the k-th share its place equally, so that the order of the points never matters."""

    k: int

    jumps = True

    @property
    def flat(self) -> bool:
        return self.k >= self.problem.n

    def score(self, X: Any) -> Array:
        X = self.checked(X)
        # With these kernels the nearest points are the nearest in the input space.
        by_distance = isinstance(_without_factor(self.problem.kernel), RadialKernel | Linear)
        # The numbers of queries and neighbours from and up to which a search tree pays.
        many_queries, few_neighbours = 1000, 64
        if len(X) >= many_queries and self.k <= few_neighbours and by_distance:
            return self._by_tree(X)
        return super().score(X)

    def scores_at(self, X: Any) -> Array:
        kernel, points = self.problem.kernel, self.problem.X
        distance = nearness(kernel, X, points, kernel.diagonal(points))
        kth = np.partition(distance, self.k - 1, axis=1)[:, self.k - 1 : self.k]
        # Relative difference of distances that counts as none: rounding must not choose the neighbours.
        tie = 1e-12
        slack = tie * np.abs(distance).max(axis=1, keepdims=True)
        nearer, tied = distance < kth - slack, np.abs(distance - kth) <= slack
        places = self.k - nearer.sum(axis=1)
        y = self.problem.y
        return np.asarray((nearer @ y + places * (tied @ y) / tied.sum(axis=1)) / self.k)

    def _by_tree(self, X: Array) -> Array:
        """Return the scores for kernels whose nearest points are the nearest in the input space."""
        from scipy.spatial import KDTree

        k, n = self.k, self.problem.n
        distance, index = KDTree(self.problem.X).query(X, k=np.arange(1, min(k + 1, n) + 1))
        scores = self.problem.y[index[:, :k]].mean(axis=1)
        if n > k:
            # Rather too many than too few: these are looked at again, as closely as there.
            tied = np.flatnonzero(distance[:, k] <= distance[:, k - 1] * (1.0 + 1e-6))
            scores[tied] = super().score(X[tied])
        return np.asarray(scores)


def _without_factor(kernel: Kernel) -> Kernel:
    """Return the kernel without a number in front of it, which changes no order unless it is 0."""
    return kernel.inner if isinstance(kernel, Scaled) and kernel.scale > 0.0 else kernel


def nearness(kernel: Kernel, X: Any, points: Any, own: Array) -> Array:
    """Return for each x a row that orders the points as |phi(x) - phi(x_i)|² does.

    |phi(x) - phi(x_i)|² = K(x, x) - 2 K(x, x_i) + K(x_i, x_i), and K(x, x) does not affect the order. A
    stationary kernel falls with its statistic, which then gives the order itself, without underflow far
    away; so does the logarithm of the varying part in a composition of such kernels."""
    order = _without_factor(kernel)
    with np.errstate(over="ignore", invalid="ignore"):
        if isinstance(order, StationaryKernel):
            return np.asarray(sum(order.along_axis(j, X[:, j], points[:, j]) for j in range(X.shape[1])))
        decline = _decline(kernel, X, points)
    return np.asarray(own - 2.0 * kernel(X, points) if decline is None else np.nan_to_num(-decline.log))


class Decline(NamedTuple):
    """K(x, x') = constant + range exp(log), where log is 0 at x = x' and negative elsewhere."""

    constant: float
    range: float
    log: Array


def _decline(kernel: Kernel, X: Any, points: Any) -> Decline | None:
    """Return how a composition of stationary kernels and constants falls with the distance, or None for
    any other."""
    if isinstance(kernel, StationaryKernel):
        return Decline(0.0, 1.0, kernel.log_gram(X, points))
    constant = isinstance(kernel, Weight) and kernel.f == "one"
    if constant or (isinstance(kernel, Scaled) and kernel.scale == 0.0):
        return Decline(float(constant), 0.0, np.zeros((len(X), len(points))))
    parts = [_decline(part, X, points) for part in kernel.parts]
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    if isinstance(kernel, Scaled):
        [inner] = known
        return Decline(kernel.scale * inner.constant, kernel.scale * inner.range, inner.log)
    if isinstance(kernel, Sum):
        return _mixed(sum(part.constant for part in known), *((part.range, part.log) for part in known))
    return reduce(_multiplied, known)


def _multiplied(one: Decline, other: Decline) -> Decline:
    return _mixed(
        one.constant * other.constant,
        (one.constant * other.range, other.log),
        (one.range * other.constant, one.log),
        (one.range * other.range, one.log + other.log),
    )


def _mixed(constant: float, *terms: tuple[float, Array]) -> Decline:
    """Return constant + sum of range exp(log), with all digits near x = x' and far from it."""
    varying = [term for term in terms if term[0] > 0.0] or [(0.0, np.zeros_like(terms[0][1]))]
    if len(varying) == 1:
        return Decline(constant, *varying[0])
    total = sum(size for size, _ in varying)
    shares = [(size / total, log) for size, log in varying]
    fallen = sum(share * np.expm1(log) for share, log in shares)
    far = reduce(np.logaddexp, [np.log(share) + log for share, log in shares if share > 0.0])
    return Decline(constant, total, np.where(fallen > -0.5, np.log1p(np.maximum(fallen, -0.5)), far))


@dataclass(frozen=True, eq=False, repr=False)
class LocalAverageModel(LocalModel):
    """s(x) = sum_i y_i K(x, x_i) / sum_j K(x, x_j); NaN where K(x, x_j) = 0 for every training point, as the
    box kernel is beyond its reach: a mean of no points is undefined."""

    def scores_at(self, X: Any) -> Array:
        y = self.problem.y
        # Rounding must not carry a mean beyond the range of its values.
        return np.clip(shares(self.problem, X) @ y, y.min(), y.max())


def shares(problem: Problem, X: Any) -> Array:
    """Return K(x, x_i) / sum_j K(x, x_j), by logarithms: far away all K underflow, but their ratios do
    not. A row is NaN where every K is 0."""
    with np.errstate(over="ignore", invalid="ignore"):
        weights = problem.kernel.log_gram(X, problem.X)
        most = weights.max(axis=1, keepdims=True)
        weights -= np.where(np.isfinite(most), most, 0.0)
        np.exp(weights, out=weights)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))
