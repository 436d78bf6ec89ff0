"""Data sets for regression on two inputs: noisy points of a known function, y = f(x1, x2) + noise."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.formulas import formula
from kernelviz.engine.datasets.base import SeededDataSet, noise_in_y, points
from kernelviz.engine.datasets.formulas import finite_values, reach_of


@dataclass(frozen=True)
class _Heights(SeededDataSet):
    """y = f(x₁, x₂) + noise at inputs drawn evenly from a square."""

    shown_in = "surface"

    n: int = points(150)
    reach: float = reach_of(2.0)
    noise: float = noise_in_y(0.1)

    @abstractmethod
    def heights(self, X: Array) -> Array:
        """Return f at every row of X."""

    def draw(self, rng: np.random.Generator) -> Data:
        X = rng.uniform(-self.reach, self.reach, (self.n, 2))
        return Data.regression(X, self.heights(X) + self.noise * rng.standard_normal(self.n))


@dataclass(frozen=True)
class Hills(_Heights):
    """f(x) = 2 exp(-|x - a|²) + exp(-2|x - b|²) - 3/2 exp(-|x - c|²): two hills and a hollow"""

    name = "hills"
    title = "Hills"
    summary_line = "Two hills of unlike width and a hollow: the height is the target."
    family = "Smooth surfaces"
    place = 20

    def heights(self, X: Array) -> Array:
        found = np.zeros(len(X))
        for size, steepness, x1, x2 in ((2.0, 1.0, -0.9, 0.7), (1.0, 2.0, 1.1, 1.0), (-1.5, 1.0, 0.5, -0.9)):
            found += size * np.exp(-steepness * ((X[:, 0] - x1) ** 2 + (X[:, 1] - x2) ** 2))
        return found


@dataclass(frozen=True)
class SurfaceByFormula(_Heights):
    """y = f(x₁, x₂) + noise for |x₁|, |x₂| <= reach"""

    name = "surface"
    title = "Surface by formula"
    summary_line = "Noisy heights of any function of x1 and x2 that you can write down."
    family = "By formula"
    place = 43

    formula: str = formula("sin(2*x1)*x2", ("x1", "x2"), "The height over x1 and x2")

    def heights(self, X: Array) -> Array:
        return finite_values(self.formula, ("x1", "x2"), X)
