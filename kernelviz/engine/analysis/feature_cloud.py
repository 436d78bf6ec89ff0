"""The points of a problem in feature space, along its kernel principal components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.analysis.kernel_pca import KernelPCA, kernel_pca
from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.kernel_model import KernelModel
from kernelviz.engine.model import Status
from kernelviz.engine.problem import Problem

__all__ = ["MOST_POINTS", "FeatureCloud"]

MOST_POINTS = 1000
"""Points whose Gram matrix is taken apart; of more, evenly chosen ones span the space."""


@dataclass(frozen=True, eq=False)
class FeatureCloud:
    """places: (n, components) of every point, also of those that span nothing; 0 along directions that the
    points do not have."""

    problem: Problem
    pca: KernelPCA
    places: Array

    @classmethod
    def of(cls, problem: Problem, components: int, before: FeatureCloud | None = None) -> FeatureCloud:
        """The same object while points and kernel are the same; otherwise the components, the most spread
        first, have the signs of those before."""
        if before is not None and before._is_of(problem):
            return before
        part, few = problem, problem.n <= MOST_POINTS
        if not few:
            rows = np.linspace(0, problem.n - 1, MOST_POINTS).astype(np.intp)
            part = Problem(problem.data.subset(rows), problem.kernel)
        pca = kernel_pca(part, components)
        if before is not None:
            pca = pca.following(before.pca, keep_order=False)
        found = pca.projections if few else pca.project(problem.X)
        places = read_only(np.pad(found, ((0, 0), (0, components - pca.components))))
        return cls(problem, pca, places)

    def _is_of(self, problem: Problem) -> bool:
        return self.problem.data is problem.data and self.problem.kernel == problem.kernel

    def component(self, k: int, algorithm: Algorithm) -> KernelModel:
        """A component as a function of the input, which whatever samples fits can sample."""
        weights, offsets = self.pca.expansion
        return KernelModel(
            self.pca.problem, algorithm, Status.CONVERGED, "", 0, weights[:, k], float(offsets[k]), blur=None
        )
