"""Kernel principal components, and the map of two of them that holds still between frames.

With the centred Gram matrix K̃ = K - 1K - K1 + 1K1 (1 the matrix of all 1/n) and its eigenvectors v_c, the
coordinates of the points along component c are √λ_c v_c, and its share of the variance is λ_c/Σλ. Signs and
order are a convention, so that components follow those of the frame before."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from kernelviz.engine.analysis.gram import centred
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Task
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.method import Method
from kernelviz.engine.models.problem import Problem

ALL_EIGENVECTORS_UP_TO = (
    600  # Points up to which all eigenvectors are computed; for more only the leading ones.
)
MOST_SPANNING = 1000  # Points whose Gram matrix is taken apart; of more, evenly chosen ones span the space.
COMPONENTS_OFFERED = 6  # How many there are to choose two from.
# Share of the scores' variance, and of |w|², from which on a map shows all of it: what is left is one per
# cent of their standard deviation, less than the width of a line.
WHOLE = 1.0 - 1e-4


@dataclass(frozen=True, eq=False)
class PrincipalComponents:
    """Leading components of a problem's points in feature space, or as many as there are.

    vectors: (n, c) unit eigenvectors, the entry of largest size positive. spread: the sum of all positive
    eigenvalues, n times the variance of the points in feature space."""

    problem: Problem
    eigenvalues: Array
    vectors: Array
    spread: float
    means: Array  # Of each column of the Gram matrix.

    @property
    def components(self) -> int:
        """The number of components."""
        return len(self.eigenvalues)

    @property
    def projections(self) -> Array:
        """The places of the points along the components, (n, c)."""
        return read_only(self.vectors * np.sqrt(self.eigenvalues))

    @property
    def shares(self) -> Array:
        """The share of the whole variance that each component shows."""
        return self.eigenvalues / self.spread if self.spread > 0.0 else np.zeros(self.components)

    @cached_property
    def expansion(self) -> tuple[Array, Array]:
        """Weights (n, c) and offsets (c,): a component is the function Σ_i w_i K(x_i, x) + b of x."""
        scaled = self.vectors / np.sqrt(self.eigenvalues)
        sums = scaled.sum(axis=0)
        middle = self.means.mean() if len(self.means) else 0.0
        return read_only(scaled - sums / max(1, len(scaled))), read_only(middle * sums - self.means @ scaled)

    def project(self, X: Any) -> Array:
        """Return the places of other inputs along the components, (m, c)."""
        weights, offsets = self.expansion
        return np.asarray(self.problem.kernel(X, self.problem.X) @ weights + offsets)

    @property
    def ranked(self) -> bool:
        """True if the components are in order of their spread; those that follow earlier ones may not be."""
        return bool((np.diff(self.eigenvalues) <= 0.0).all())

    def following(self, before: PrincipalComponents, keep_order: bool = True) -> Self:
        """Return the components with the signs and in the order in which they are most similar to earlier
        ones.

        So a map is not flipped, and moves smoothly where two eigenvalues change places. Points are the
        same if there are as many; otherwise they are projected onto the earlier components."""
        X, Y = self.problem.X, before.problem.X  # both strings, or rows of equally many numbers
        comparable = type(X) is type(Y) and np.shape(X)[1:] == np.shape(Y)[1:]
        if not self.components or not before.components or not comparable:
            return self
        same = len(before.vectors) == len(self.vectors)
        alike = (before.vectors if same else before.project(X)).T @ self.vectors
        mine, known = _matched(alike)
        order, signs = list(range(self.components)), np.ones(self.components)
        signs[mine] = known
        if keep_order:
            order = [*mine, *(c for c in order if c not in mine)]
        return replace(
            self,
            eigenvalues=read_only(self.eigenvalues[order]),
            vectors=read_only((self.vectors * signs)[:, order]),
        )


def _matched(alike: Array) -> tuple[list[int], Array]:
    """Return for each row its column, and the sign with which they are alike; the most similar pair first.

    An optimal assignment would need scipy.optimize, which is slow to import, for the same answer wherever
    components can be distinguished."""
    rows, columns = alike.shape
    left, found = np.abs(alike), np.full(rows, -1)
    for _ in range(min(rows, columns)):
        i, j = np.unravel_index(int(np.argmax(left)), left.shape)
        found[i] = j
        left[i], left[:, j] = -1.0, -1.0
    known = np.flatnonzero(found >= 0)
    signs = np.where(alike[known, found[known]] < 0.0, -1.0, 1.0)
    return found[known].tolist(), signs


def kernel_pca(problem: Problem, components: int = 2) -> PrincipalComponents:
    """Return the leading kernel principal components of a problem's points, most spread first.

    There are fewer than asked for where the points span fewer directions. The result is kept with the
    problem."""
    known: PrincipalComponents | None = problem.kept.get((PrincipalComponents, components))
    if known is not None:
        return known
    K = problem.gram
    C = centred(K)
    values, vectors, spread = _leading(0.5 * (C + C.T), min(components, problem.n))
    top = max(float(np.abs(K).max(initial=0.0)) * problem.n, spread)
    rounding = 1e-12  # Relative to the largest eigenvalue: a smaller one is no direction, only rounding.
    real = values > rounding * top
    values, vectors = values[real], vectors[:, real]
    largest = np.abs(vectors).argmax(axis=0) if vectors.size else np.empty(0, dtype=np.intp)
    signs = np.where(vectors[largest, np.arange(len(values))] < 0.0, -1.0, 1.0)
    means = read_only(K.mean(axis=0) if problem.n else np.zeros(0))
    known = PrincipalComponents(problem, read_only(values), read_only(vectors * signs), spread, means)
    problem.kept[PrincipalComponents, components] = known
    return known


def _leading(matrix: Array, count: int) -> tuple[Array, Array, float]:
    """Return the largest eigenvalues, falling, their vectors, and the sum of all positive ones."""
    n, size = len(matrix), float(np.abs(matrix).max(initial=0.0))
    if count == 0 or size == 0.0:
        return np.zeros(0), np.zeros((n, 0)), 0.0
    if n <= ALL_EIGENVECTORS_UP_TO:
        values, vectors = np.linalg.eigh(matrix)
        return values[::-1][:count], vectors[:, ::-1][:, :count], float(values[values > 0.0].sum())
    from scipy.sparse.linalg import ArpackError, eigsh

    start = np.random.default_rng(0).normal(size=n)  # the same components for the same points
    try:
        values, vectors = eigsh(matrix / size, count, which="LA", v0=start)  # it takes tiny numbers for 0
        values = size * values
    except ArpackError:  # eigenvalues that lie too close: all of them, then
        values, vectors = (part[..., -count:] for part in np.linalg.eigh(matrix))
    # Negative eigenvalues, of kernels that are none, are not worth n³ more; the trace has them in it.
    return values[::-1], vectors[:, ::-1], max(float(np.trace(matrix)), float(values[values > 0.0].sum()))


@dataclass(frozen=True, eq=False)
class FeatureCloud:
    """The points in feature space: `places`, (n, components), along their principal components; 0 along
    directions that the points do not span."""

    problem: Problem
    pca: PrincipalComponents
    places: Array

    @classmethod
    def of(cls, problem: Problem, components: int, before: FeatureCloud | None = None) -> FeatureCloud:
        """Return the cloud of a problem, the component with the largest spread first.

        `before` itself is returned while points and kernel are the same; otherwise its components' signs are
        kept."""
        if before and before.problem.data is problem.data and before.problem.kernel == problem.kernel:
            return before
        part, few = problem, problem.n <= MOST_SPANNING
        if not few:
            rows = np.linspace(0, problem.n - 1, MOST_SPANNING).astype(np.intp)
            part = Problem(problem.data.subset(rows), problem.kernel)
        pca = kernel_pca(part, components)
        if before is not None:
            pca = pca.following(before.pca, keep_order=False)
        found = pca.projections if few else pca.project(problem.X)
        places = read_only(np.pad(found, ((0, 0), (0, components - pca.components))))
        return cls(problem, pca, places)

    def component(self, k: int, algorithm: Method) -> KernelModel:
        """Return a component as a function of the input, in the form of a model."""
        weights, offsets = self.pca.expansion
        return KernelModel(
            self.pca.problem, algorithm, Status.CONVERGED, "", 0, weights[:, k], float(offsets[k]), blur=None
        )


@dataclass(frozen=True)
class Components:
    """A rectangle of the map, which asks the worker for the components of a model instead of a field.

    It has the method `sample` of `SampleGrid` and `CurveStrip`: strings are no places of a plane, but have
    components."""

    left: float
    right: float
    bottom: float
    top: float

    def sample(self, model: Model, coarser: int = 1) -> Generator[None, None, PrincipalComponents]:
        """Return the leading components of the model's points."""
        yield
        return kernel_pca(model.problem, COMPONENTS_OFFERED)


@dataclass(frozen=True)
class Slope:
    """The part of a score that is a function of the map: level + across * x + up * y."""

    level: float
    across: float
    up: float
    share: float  # Of the variance of the training scores.
    of_normal: float  # Of |w|²: what the map shows of the scores of all other inputs.

    def at(self, x: Array, y: Array) -> Array:
        """Return its values on a grid, (len(y), len(x))."""
        return np.asarray(self.level + self.across * x + self.up * y[:, None])

    @property
    def whole(self) -> bool:
        """True if it is visually the score itself for every input."""
        return min(self.share, self.of_normal) >= WHOLE


@dataclass(frozen=True, eq=False)
class ComponentMap:
    """The points along two components, in units in which the farthest lies at distance 1 from the middle.

    So a map keeps its size while the values of a kernel change by orders of magnitude."""

    pca: PrincipalComponents
    pair: tuple[int, int] = (0, 1)

    @cached_property
    def _kept(self) -> list[int]:
        """The existing components of the pair."""
        return [c for c in self.pair if c < self.pca.components]

    @cached_property
    def reach(self) -> float:
        """The distance of the farthest point from the middle."""
        farthest = np.sqrt((self.pca.projections[:, self._kept] ** 2).sum(axis=1)).max(initial=0.0)
        return float(farthest) or 1.0

    @cached_property
    def places(self) -> Array:
        """The places of the points, (n, 2)."""
        return read_only(self._along(self.pca.projections))

    def place(self, X: Any) -> Array:
        """Return the places of other inputs, (m, 2)."""
        return self._along(self.pca.project(X))

    def _along(self, projections: Array) -> Array:
        """Return the two coordinates of the map for projections onto all components, 0 along a missing
        one."""
        found = np.zeros((len(projections), 2))
        for axis, c in enumerate(self.pair):
            if c < self.pca.components:
                found[:, axis] = projections[:, c] / self.reach
        return found

    @property
    def shares(self) -> tuple[float, float]:
        """The share of the kernel's variance that each axis shows."""
        across, up = (float(self.pca.shares[c]) if c in self._kept else 0.0 for c in self.pair)
        return across, up

    @property
    def share(self) -> float:
        """The share of the kernel's variance that the map shows."""
        return sum(self.shares)

    def slope(self, model: Model) -> Slope | None:
        """Return the part of a model's score that is a function of the map, or None for a score that is
        not linear in feature space, has several values, or does not vary."""
        linear = model.beta is not None and model.problem.data.task in (Task.TWO_CLASSES, Task.NONE)
        squared_norm = model.squared_norm
        if not linear or model.flat or not squared_norm or not squared_norm > 0.0:
            return None
        s = model.training_scores
        centred = s - s.mean() if len(s) else s
        size = float(centred @ centred)
        if not size > 0.0:
            return None
        along, of_normal, slopes = 0.0, 0.0, [0.0, 0.0]
        for axis, c in enumerate(self.pair):
            if c in self._kept:
                part = float(self.pca.vectors[:, c] @ centred)
                steep = part / float(np.sqrt(self.pca.eigenvalues[c]))
                along, of_normal = along + part * part, of_normal + steep * steep
                slopes[axis] = steep * self.reach
        share, of_normal = min(1.0, along / size), min(1.0, of_normal / squared_norm)
        return Slope(float(s.mean()), slopes[0], slopes[1], share, of_normal)
