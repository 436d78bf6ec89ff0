"""Data sets by a formula: points on either side of a curve, points where a condition holds, and noisy points
of a function."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import LARGEST_INPUT, Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.formulas import compiled, condition, formula
from kernelviz.engine.core.params import number, real
from kernelviz.engine.datasets.base import SeededDataSet, noise_in_y, noise_of, shares, two_classes


def reach_of(default: float) -> Any:
    """Declare how far the points reach from 0 along each axis."""
    bounds: dict[str, Any] = {"low": 0.01, "high": 1000.0, "soft": (0.5, 10.0), "scale": "log"}
    return real(default, **bounds, label="reach", help="Inputs are drawn evenly from −reach to +reach")


def values_of(text: str, variables: tuple[str, ...], X: Array) -> Array:
    """Return the values of a formula at every row of X, infinite or NaN where it has none."""
    places = dict(zip(variables, X.T, strict=True))
    return np.asarray(compiled(text, variables, False)(places), dtype=np.float64)


def finite_values(text: str, variables: tuple[str, ...], X: Array) -> Array:
    """Return the same, or raise BadInput if the formula has no value that can be computed with at a row."""
    found = values_of(text, variables, X)
    if len(bad := np.flatnonzero(~(np.abs(found) <= LARGEST_INPUT))):
        at = ", ".join(
            f"{name} = {number(round(x, 3))}" for name, x in zip(variables, X[bad[0]], strict=True)
        )
        raise BadInput(f"The formula {text} has no value to compute with at {at}.")
    return found


@dataclass(frozen=True)
class _TwoSides(SeededDataSet):
    """Points of a square, as many of +, where something holds, as of −; then noise moves them."""

    reach: float = reach_of(2.0)
    noise: float = noise_of(0.0)

    @abstractmethod
    def plus(self, X: Array) -> NDArray[np.bool_]:
        """Return which rows of X are of class +."""

    def draw(self, rng: np.random.Generator) -> Data:
        """Draw half of the points from each class; fewer where a class is found in no or few places."""
        wanted, rounds = shares(self.n)[0], 20
        found: list[Array] = []
        holds: list[NDArray[np.bool_]] = []
        for _ in range(rounds):
            found.append(rng.uniform(-self.reach, self.reach, (4 * self.n, 2)))
            holds.append(self.plus(found[-1]))
            if min(sum(map(np.sum, holds)), sum(np.sum(~each) for each in holds)) >= wanted:
                break
        X, plus = np.concatenate(found), np.concatenate(holds)
        count = min(max(wanted, self.n - int((~plus).sum())), int(plus.sum()))
        first, second = X[plus][:count], X[~plus][: self.n - count]
        noise = self.noise * rng.standard_normal((self.n, 2))
        return two_classes(first + noise[:count], second + noise[count:])


@dataclass(frozen=True)
class Above(_TwoSides):
    """z = +1 where x₂ > f(x₁), |x₁|, |x₂| <= reach; then noise"""

    name = "above"
    title = "Above a curve"
    summary_line = "Any curve that you can write down is the boundary: + above it, − below."
    family = "By formula"
    place = 40

    formula: str = formula("sin(2*x)", ("x",), "The height of the boundary over x")

    def plus(self, X: Array) -> NDArray[np.bool_]:
        return np.asarray(X[:, 1] > finite_values(self.formula, ("x",), X[:, :1]))


@dataclass(frozen=True)
class Where(_TwoSides):
    """z = +1 where a condition on x₁ and x₂ holds, |x₁|, |x₂| <= reach; then noise"""

    name = "where"
    title = "Where a condition holds"
    summary_line = "Any region that you can write down as a condition on x1 and x2 is the class +."
    family = "By formula"
    place = 41

    condition: str = condition("x1**2 + x2**2 < 2", ("x1", "x2"), "Where points are of class +")

    def plus(self, X: Array) -> NDArray[np.bool_]:
        places = {"x1": X[:, 0], "x2": X[:, 1]}
        return np.asarray(compiled(self.condition, ("x1", "x2"), True)(places), dtype=bool)


@dataclass(frozen=True)
class Function(SeededDataSet):
    """y = f(x) + noise for |x| <= reach"""

    name = "function"
    title = "Function by formula"
    summary_line = "Noisy points of any function of x that you can write down."
    family = "By formula"
    place = 42
    shown_in = "curve"

    formula: str = formula("x*sin(3*x)", ("x",), "The function f(x)")
    reach: float = reach_of(2.0)
    noise: float = noise_in_y(0.1)

    def truth(self, x: Array) -> Array:
        return values_of(self.formula, ("x",), x[:, None])

    def draw(self, rng: np.random.Generator) -> Data:
        x = rng.uniform(-self.reach, self.reach, (self.n, 1))
        y = finite_values(self.formula, ("x",), x) + self.noise * rng.standard_normal(self.n)
        return Data.regression(x, y, ["x"])
