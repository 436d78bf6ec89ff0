"""Rank-one kernels: with them f(x) K(x, x') f(x') is written as a product."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.vectors import RankOneKernel
from kernelviz.engine.families.widths import inverse_squared_width
from kernelviz.engine.features import FeatureMap
from kernelviz.engine.pairs import Pairs
from kernelviz.engine.params import choice
from kernelviz.engine.typesetting import with_values

__all__ = ["Weight"]

# f as a function of u = sqrt(γ) x, with its formula.
FUNCTIONS = {
    "gaussian": r"e^{-\gamma\,\lVert x\rVert^2}",
    "norm": r"\sqrt{\gamma}\,\lVert x\rVert",
    "inverse-norm": r"\left(1 + \gamma\,\lVert x\rVert^2\right)^{-1/2}",
    "sum": r"\sqrt{\gamma}\,\sum_j x_j",
    "one": "1",
}


@dataclass(frozen=True)
class Weight(RankOneKernel):
    """k(x, x') = f(x) f(x'), so that `weight(f=…)*K` is f(x) K(x, x') f(x')

    With u = √γ x, f is one of exp(-|u|²), |u|, 1/sqrt(1 + |u|²), sum_j u_j, and 1."""

    name = "weight"
    title = "Weight f(x) f(x')"
    summary_line = "One function as the only feature; times another kernel it re-weights the inputs."
    family = "Others"
    place = 4
    latex = "f(x)\\, f(x')"

    f: str = choice("gaussian", tuple(FUNCTIONS), label="f", help="The function")
    gamma: float = inverse_squared_width("Scale: f is taken of √γ x")

    def __post_init__(self) -> None:
        super().__post_init__()
        of_x = FUNCTIONS[self.f]
        of_other = of_x.replace(r"\lVert x\rVert", r"\lVert x'\rVert").replace("x_j", "x_j'")
        object.__setattr__(self, "latex", "1" if self.f == "one" else rf"{of_x}\, {of_other}")

    def of_points(self, X: Array) -> Array:
        """f(x) for every row."""
        with np.errstate(over="ignore"):
            if self.f == "sum":
                return np.asarray(np.sqrt(self.gamma) * X.sum(axis=1))
            squared: Array = self.gamma * np.einsum("ij,ij->i", X, X)
            if self.f == "gaussian":
                return np.exp(-squared)
            if self.f == "norm":
                return np.sqrt(squared)
            return np.ones(len(X)) if self.f == "one" else 1 / np.sqrt(1 + squared)

    @property
    def non_negative(self) -> bool:
        return self.f != "sum"

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        """K times the derivative of ln f(x) + ln f(x')"""

        def of_points(X: Array) -> Array:
            squares: Array = np.einsum("ij,ij->i", X, X)
            if self.f == "gaussian":
                return -squares
            if self.f == "inverse-norm":
                return np.asarray(-0.5 * squares / (1.0 + self.gamma * squares))
            return np.full(len(X), 0.0 if self.f == "one" else 0.5 / self.gamma)

        return {"gamma": K * pairs.each(lambda X, Y: np.add.outer(of_points(X), of_points(Y)))}

    def feature_map(self, p: int) -> FeatureMap:
        return FeatureMap((with_values(FUNCTIONS[self.f], self),), lambda X: self.of_points(X)[:, None])
