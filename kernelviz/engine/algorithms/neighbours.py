"""Algorithms by nearness, which have nothing to solve.

    nearest neighbours    s(x) = mean of y over the k nearest points in feature space
    Nadaraya-Watson       s(x) = Σ_i y_i K(x, x_i) / Σ_j K(x, x_j)
    prototype             s(x) = ½ ||φ(x) - m₋||² - ½ ||φ(x) - m₊||²,  m± the class means
    density               s(x) = c/n Σ_i K(x, x_i)

A prototype is linear in feature space and a density is a sum of kernels; the other two are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import integer
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Mark, Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.neighbours import LocalAverageModel, NeighbourModel, shares
from kernelviz.engine.models.problem import Problem


@dataclass(frozen=True)
class NearestNeighbours(Algorithm):
    """s(x) = mean of y over the k points nearest to x in feature space, y = z for two classes.

    |φ(x) - φ(x')|² = K(x, x) - 2K(x, x') + K(x', x'), so that for a kernel of the distance they are the
    nearest inputs."""

    name = "nearest-neighbours"
    other_names = ("knn", "k-nn")
    family = "Means and neighbours"
    place = 1
    title = "Nearest neighbours"
    takes_any_scale = True
    summary_line = "The k nearest points in feature space vote, or their targets are averaged."
    latex = (
        r"s(x) = \frac1k \sum_{i \in N_k(x)} y_i,\quad"
        r"\lVert \phi(x) - \phi(x')\rVert^2 = K(x,x) - 2K(x,x') + K(x',x')"
    )
    tasks = frozenset({Task.TWO_CLASSES, Task.REGRESSION})
    watchable = False
    needs_both_classes = False

    k: int = integer(
        5, low=1, high=1000, soft=(1, 50), label="k", help="Neighbours that count", simpler="larger"
    )

    def probabilities(self, scores: Array) -> Array:
        """Return the share of the neighbours that vote for +."""
        return 0.5 * (scores + 1.0)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        k = min(self.k, problem.n)
        do = "are averaged" if problem.data.task is Task.REGRESSION else "vote"
        if problem.n == 1:
            message = "The only point decides."
        elif k < self.k:
            message = f"All {problem.n} points {do}: there are no more than that."
        elif k == 1:
            message = "The nearest point decides."
        else:
            message = f"The {k} nearest points {do}."
        model = NeighbourModel(problem, self, Status.CONVERGED, message, 1, k=k)
        yield Iterate.in_closed_form(model, "nothing to compute in advance")


@dataclass(frozen=True)
class NadarayaWatson(Algorithm):
    """s(x) = Σ_i y_i K(x, x_i) / Σ_j K(x, x_j): a mean of the targets, weighted by nearness. It has no value
    where every K(x, x_j) is 0."""

    name = "nadaraya-watson"
    other_names = ("nw", "kernel-smoother")
    family = "Means and neighbours"
    place = 2
    title = "Nadaraya-Watson"
    takes_any_scale = True
    summary_line = "The mean of the targets, near ones counting more; nothing is solved, and it is not ridge."
    latex = r"s(x) = \frac{\sum_i y_i K(x, x_i)}{\sum_j K(x, x_j)}"
    tasks = frozenset({Task.REGRESSION})
    watchable = False
    weighs_every_point = True
    takes_weights = True

    def check(self, problem: Problem) -> None:
        super().check(problem)
        if not problem.kernel.non_negative:
            raise BadInput(
                f"{self.name} takes a mean with the weights K(x, x'), and {problem.kernel} can be negative. "
                "Choose a kernel that is not, such as rbf."
            )
        if problem.radius == 0.0:
            raise BadInput(
                f"{problem.kernel} is 0 on all of these points, or too small to compute with: there are no "
                "weights for a mean."
            )

    def hat(self, problem: Problem) -> Array:
        return shares(problem, problem.X)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        self.check(problem)
        message = "A local mean: nothing to solve."
        if lost := np.count_nonzero(problem.kernel.diagonal(problem.X) == 0.0):
            message = f"A local mean, which is undefined at {lost} of the points: every K(x, xᵢ) is 0 there."
        model = LocalAverageModel(problem, self, Status.CONVERGED, message, 1)
        yield Iterate.in_closed_form(model, "nothing to compute in advance")


@dataclass(frozen=True)
class Prototype(Algorithm):
    """s(x) = ½ ||φ(x) - m₋||² - ½ ||φ(x) - m₊||², m± the mean of φ over a class.

    Linear in feature space: β_i = z_i / (size of its class), b = ½ (||m₋||² - ||m₊||²)."""

    name = "prototype"
    other_names = ("nearest-mean", "parzen")
    family = "Means and neighbours"
    place = 0
    title = "Prototype (nearest mean)"
    summary_line = "Each class is its mean in feature space; the nearer mean wins."
    latex = (
        r"s(x) = \tfrac12 \lVert \phi(x) - m_-\rVert^2 - \tfrac12 \lVert \phi(x) - m_+\rVert^2,"
        r"\quad m_\pm = \frac{1}{n_\pm} \sum_{z_i = \pm 1} \phi(x_i)"
    )
    watchable = False
    weighs_every_point = True

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        z = problem.z
        plus, minus = (z > 0) / np.count_nonzero(z > 0), (z < 0) / np.count_nonzero(z < 0)
        to_plus, to_minus = problem.gram @ plus, problem.gram @ minus
        b = 0.5 * float(minus @ to_minus - plus @ to_plus)
        scores = to_plus - to_minus + b
        status, message = Status.CONVERGED, "Each point goes to the nearer of the two class means."
        # Relative to the largest |K|: scores of which rounding leaves less than about three digits.
        hidden = 4e-13
        if not np.abs(scores).max() > hidden * np.abs(problem.gram).max():
            status, message = Status.LIMIT, "The two class means coincide, as far as rounding can tell."
        model = KernelModel(
            problem,
            self,
            status,
            message,
            1,
            weights=plus - minus,
            offset=b,
            extra_marks=_means(problem),
            known_scores=scores,
        )
        yield Iterate.in_closed_form(model, "the means of both classes")


def _means(problem: Problem) -> tuple[Mark, ...]:
    """Return the class means in the plane, which are the prototypes for the linear kernel."""
    X, z, names = problem.X, problem.z, problem.data.class_names
    if not isinstance(X, np.ndarray) or X.shape[1] != 2:
        return ()
    return tuple(
        Mark("point", X[z == side].mean(axis=0, keepdims=True), f"mean of {name}", side=side)
        for side, name in zip((-1, 1), names, strict=True)
    )


@dataclass(frozen=True)
class KernelDensity(Algorithm):
    """s(x) = c/n Σ_i K(x, x_i); for the Gaussian c = (γ/π)^(p/2) makes it a density, for others c = 1."""

    name = "density"
    other_names = ("kde",)
    family = "Means and neighbours"
    place = 3
    title = "Kernel density estimate"
    summary_line = "The mean of a bump around every point: an estimate of how dense the points lie."
    latex = r"s(x) = \frac{c}{n} \sum_i K(x, x_i)"
    tasks = frozenset({Task.TWO_CLASSES, Task.CLASSES, Task.NONE})
    watchable = False
    needs_both_classes = False
    takes_weights = True

    @property
    def weighs_every_point(self) -> bool:
        return True

    def check(self, problem: Problem) -> None:
        super().check(problem)
        if not problem.kernel.non_negative:
            raise BadInput(
                f"A density is never negative, and {problem.kernel} can be. Choose rbf, for example."
            )

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        self.check(problem)
        kernel, factor = problem.kernel, 1.0
        message = "The mean of the bumps around all points, up to a constant factor."
        if isinstance(kernel, Gaussian):
            factor = float((kernel.gamma / np.pi) ** (0.5 * problem.X.shape[1]))
            message = "The density of the points, estimated by the mean of Gaussians around them."
        smallest_factor = 1e-50  # Below it a density is too small to compute with.
        if not np.isfinite(factor) or factor < smallest_factor:
            factor, message = 1.0, "The mean of the bumps around all points, up to a constant factor."
        weights = np.full(problem.n, factor / problem.n)
        model = KernelModel(problem, self, Status.CONVERGED, message, 1, weights=weights, offset=0.0)
        yield Iterate.in_closed_form(model, "the mean of all bumps")
