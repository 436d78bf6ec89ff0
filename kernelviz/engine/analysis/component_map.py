"""Two kernel principal components as a map: where inputs lie on it, and how much of a score it shows.

A score that is linear in feature space, s(x) = b + <w, φ(x)>, is along the components

    s(x) = s̄ + Σ_c g_c p_c(x),    g_c = v_c·s/√λ_c,

with the projections p_c and the training scores s. Two of the terms are a function of the map; their share
of the scores' variance is Σ (v_c·s)²/|s - s̄|² over these two.

That is of the training scores. Those of other inputs also have what w is across the components: with
Σ_i β_i ≠ 0 it has a part along the mean of the points, of which their scores show nothing. Of |w|² = β'Kβ the
map shows Σ g_c²."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kernelviz.engine.analysis.kernel_pca import KernelPCA, kernel_pca
from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.data import Task
from kernelviz.engine.model import Model

__all__ = ["COMPONENTS", "ComponentMap", "Components", "Slope"]

COMPONENTS = 6
"""How many there are to choose two from."""
WHOLE = 1.0 - 1e-4
"""Share of the scores' variance, and of |w|², from which on a map shows all of it: what is left is one per
cent of their standard deviation, less than the width of a line."""


@dataclass(frozen=True)
class Components:
    """A rectangle of the map; what the worker computes of a model for it."""

    left: float
    right: float
    bottom: float
    top: float

    def sample(self, model: Model, coarser: int = 1) -> Generator[None, None, KernelPCA]:
        """The leading components of the model's points."""
        yield
        return kernel_pca(model.problem, COMPONENTS)


@dataclass(frozen=True)
class Slope:
    """The part of a score that is a function of the map: level + across * x + up * y."""

    level: float
    across: float
    up: float
    share: float
    """Of the variance of the training scores."""
    of_normal: float
    """Of |w|²: what the map shows of the scores of all other inputs."""

    def at(self, x: Array, y: Array) -> Array:
        """Its values on a grid, (len(y), len(x))."""
        return np.asarray(self.level + self.across * x + self.up * y[:, None])

    @property
    def whole(self) -> bool:
        """Whether it is the score itself, to the eye, of every input."""
        return min(self.share, self.of_normal) >= WHOLE


@dataclass(frozen=True, eq=False)
class ComponentMap:
    """The points along two components, in units in which the farthest lies at distance 1 from the middle:
    so a map keeps its size while the values of a kernel change by orders of magnitude."""

    pca: KernelPCA
    pair: tuple[int, int] = (0, 1)

    @cached_property
    def _kept(self) -> list[int]:
        """Those of the pair that there are."""
        return [c for c in self.pair if c < self.pca.components]

    @cached_property
    def reach(self) -> float:
        """The distance of the farthest point from the middle."""
        farthest = np.sqrt((self.pca.projections[:, self._kept] ** 2).sum(axis=1)).max(initial=0.0)
        return float(farthest) or 1.0

    @cached_property
    def places(self) -> Array:
        """(n, 2): where the points lie."""
        return read_only(self._along(self.pca.projections))

    def place(self, X: Any) -> Array:
        """(m, 2): where other inputs lie."""
        return self._along(self.pca.project(X))

    def _along(self, projections: Array) -> Array:
        found = np.zeros((len(projections), 2))
        for axis, c in enumerate(self.pair):
            if c < self.pca.components:
                found[:, axis] = projections[:, c] / self.reach
        return found

    @property
    def shares(self) -> tuple[float, float]:
        """Of the kernel's variance, what each axis shows."""
        across, up = (float(self.pca.shares[c]) if c in self._kept else 0.0 for c in self.pair)
        return across, up

    @property
    def share(self) -> float:
        """Of the kernel's variance, what the map shows."""
        return sum(self.shares)

    def slope(self, model: Model) -> Slope | None:
        """What of a model's score is a function of the map; None of a score that is not linear in feature
        space, is several, or does not vary."""
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
