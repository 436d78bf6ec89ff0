"""Transform, then draw a line: linear models on the feature lists of the notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Task
from kernelviz.engine.errors import BadInput
from kernelviz.engine.features import FeatureMap, plain_monomials
from kernelviz.engine.params import choice, integer
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.linear_fits import loss_choice, penalty
from kernelviz.engine.solvers.linear_on_features import LinearOnFeatures

__all__ = ["FeatureMapClassifier", "feature_list"]


@dataclass(frozen=True)
class FeatureMapClassifier(LinearOnFeatures):
    """s(x) = b + w·φ(x) for features φ chosen by hand; the kernel plays no part."""

    name = "feature-map"
    place = 6
    title = "Explicit features"
    summary_line = "Transform the inputs, then fit a linear model; no kernel."
    latex = r"s(x) = b + w \cdot \phi(x)"
    uses_kernel = False

    features: str = choice(
        "squares",
        ("coordinates", "squares", "polar", "monomials"),
        label="features",
        help="The coordinates, their squares, radius and angle, or all monomials up to the degree",
    )
    degree: int = integer(
        3, low=1, high=10, label="degree", help="Highest degree of the monomials", simpler="smaller"
    )
    model: str = loss_choice()
    lam: float = penalty()

    @classmethod
    def suited_to(cls, task: Task) -> Self:
        """A polynomial for real targets."""
        return cls("monomials", model="ridge") if task is Task.REGRESSION else cls()

    def map_for(self, problem: Problem) -> FeatureMap:
        return feature_list(self.features, problem.X.shape[1], self.degree)

    def loss(self) -> tuple[str, float]:
        return self.model, self.lam


def feature_list(features: str, p: int, degree: int) -> FeatureMap:
    """One of the feature lists, for inputs of p columns."""
    if features == "polar":
        if p != 2:
            raise BadInput(f"Polar coordinates need two columns; the inputs have {p}.")
        return FeatureMap((r"\rho", r"\theta"), _polar)
    if features == "squares":
        return FeatureMap(tuple(f"x_{{{j + 1}}}^2" for j in range(p)), np.square)
    if features == "coordinates":
        degree = 1
    found = plain_monomials(p, degree)
    if found is None:
        raise BadInput(f"There are too many monomials of degree {degree} in {p} columns. Lower the degree.")
    return found


def _polar(X: Array) -> Array:
    """The distance from the origin and the angle, in (-pi, pi]."""
    return np.column_stack([np.hypot(X[:, 0], X[:, 1]), np.arctan2(X[:, 1], X[:, 0])])
