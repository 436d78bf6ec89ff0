"""Kernels of the inner product: linear, polynomial, power series, exponential, sigmoid; and f(x) f(x').

K = f(x·x') with f(t) = Σ_m p_m t^m, p_m ≥ 0, has all monomials of degree m as features, with weights √(p_m ·
multinomial coefficient). The sigmoid has negative p_m: it is no inner product, and is here as the
counter-example."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import Simpler, choice, integer, real
from kernelviz.engine.kernels.derivatives import Pairs
from kernelviz.engine.kernels.features import FeatureMap, exponential_coefficients, monomials
from kernelviz.engine.kernels.latex import with_values
from kernelviz.engine.kernels.vectors import InnerProductKernel, RankOneKernel, inverse_squared_width

SATURATION = 300.0
# f as a function of u = sqrt(γ) x, with its formula.
FUNCTIONS = {
    "gaussian": r"e^{-\gamma\,\lVert x\rVert^2}",
    "norm": r"\sqrt{\gamma}\,\lVert x\rVert",
    "inverse-norm": r"\left(1 + \gamma\,\lVert x\rVert^2\right)^{-1/2}",
    "sum": r"\sqrt{\gamma}\,\sum_j x_j",
    "one": "1",
}


def degree(default: int, help: str) -> Any:
    """Declare a degree."""
    return integer(default, low=1, high=10, soft=(1, 10), label="d", help=help, simpler="smaller")


def inner_scale(soft: tuple[float, float], simpler: Simpler = "smaller", silent: bool = False) -> Any:
    """Declare γ, a factor of the inner product; a silent one is not printed while it is 1."""
    return real(
        1.0,
        low=1e-6,
        high=1e6,
        soft=soft,
        scale="log",
        simpler=simpler,
        label="γ",
        help="Factor of the inner product",
        silent=silent,
    )


def power(base: Array, exponent: int) -> Array:
    """Return base^exponent by repeated squaring: the exact sign, and many times faster than pow."""
    result = base if exponent % 2 else None
    square = base
    while exponent := exponent // 2:
        square = square * square
        if exponent % 2:
            result = square if result is None else result * square
    return base**0 if result is None else result


@dataclass(frozen=True)
class Linear(InnerProductKernel):
    """k(x, x') = x·x'"""

    name = "linear"
    title = "Linear"
    other_names = ("dot",)
    summary_line = "The plain inner product: straight boundaries."
    family = "Linear and polynomial"
    place = 0
    latex = r"x \cdot x'"

    def of_inner_product(self, t: Array) -> Array:
        return t

    def power_coefficients(self) -> Array:
        return np.array([0.0, 1.0])


@dataclass(frozen=True)
class Homogeneous(InnerProductKernel):
    """k(x, x') = (γ x·x')^d"""

    name = "homogeneous"
    title = "Homogeneous polynomial"
    summary_line = "All monomials of exactly one degree."
    family = "Linear and polynomial"
    place = 2
    latex = r"\left(\gamma\, x \cdot x'\right)^{d}"

    degree: int = degree(2, "Degree of all monomials")
    gamma: float = inner_scale(soft=(1e-2, 1e2), silent=True)

    def of_inner_product(self, t: Array) -> Array:
        return power(self.gamma * t, self.degree)

    def power_coefficients(self) -> Array:
        return np.append(np.zeros(self.degree), self.gamma**self.degree)

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        return {"gamma": (self.degree / self.gamma) * K}

    @property
    def non_negative(self) -> bool:
        return self.degree % 2 == 0


@dataclass(frozen=True)
class Polynomial(InnerProductKernel):
    """k(x, x') = (γ x·x' + c)^d"""

    name = "polynomial"
    title = "Polynomial"
    other_names = ("poly",)
    summary_line = "All monomials up to a degree: curved boundaries that reach across the whole plane."
    family = "Linear and polynomial"
    place = 1
    latex = r"\left(\gamma\, x \cdot x' + c\right)^{d}"

    degree: int = degree(3, "Largest degree of the monomials")
    gamma: float = inner_scale(soft=(1e-2, 1e2), silent=True)
    c: float = real(1.0, low=0.0, high=1e6, soft=(0.0, 10.0), label="c", help="Weight of the lower degrees")

    def of_inner_product(self, t: Array) -> Array:
        return power(self.gamma * t + self.c, self.degree)

    def power_coefficients(self) -> Array:
        d, g, c = self.degree, self.gamma, self.c
        return np.array([comb(d, m) * g**m * c ** (d - m) for m in range(d + 1)])

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        inner: Array = self.degree * power(self.gamma * u + self.c, self.degree - 1)
        return {"gamma": u * inner, "c": inner}

    @property
    def non_negative(self) -> bool:
        return self.degree % 2 == 0


@dataclass(frozen=True)
class PowerSeries(InnerProductKernel):
    """k(x, x') = 1 + x·x' + (x·x')² + … + (x·x')^d"""

    name = "power_series"
    title = "Power series"
    summary_line = "All products of up to d inputs, every order weighted alike."
    family = "Linear and polynomial"
    place = 3
    latex = r"\sum_{k=0}^{d} \left(x \cdot x'\right)^k"
    looks_like_a_sum = True

    degree: int = degree(3, "Largest order")

    def of_inner_product(self, t: Array) -> Array:
        total = 1.0 + t
        for _ in range(self.degree - 1):
            total *= t
            total += 1.0
        return total

    def power_coefficients(self) -> Array:
        return np.ones(self.degree + 1)

    @property
    def non_negative(self) -> bool:
        return self.degree % 2 == 0


@dataclass(frozen=True)
class Exponential(InnerProductKernel):
    """k(x, x') = exp(γ x·x')

    Exponents are cut off at 300. That is far beyond the largest value a Gram matrix may have, so it only
    keeps a field finite far from the data."""

    name = "exponential"
    title = "Exponential"
    summary_line = "Monomials of all degrees, each damped by its factorial; grows without bound."
    family = "Linear and polynomial"
    place = 4
    latex = r"e^{\gamma\, x \cdot x'}"
    separable = True
    non_negative = True

    gamma: float = inner_scale(soft=(1e-3, 10))

    def of_inner_product(self, t: Array) -> Array:
        return np.exp(np.clip(self.gamma * t, -SATURATION, SATURATION))

    def log_gram(self, X: Array, Y: Array) -> Array:
        return self.gamma * self.statistic(X, Y)

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        return {"gamma": u * K}

    def axis_factor(self, j: int, x: Array, a: Array) -> Array | None:
        # A cut-off factor would be wrong where another one makes up for it.
        if self.gamma * np.abs(x).max(initial=0) * np.abs(a).max(initial=0) > SATURATION:
            return None
        return super().axis_factor(j, x, a)

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        return monomials(exponential_coefficients(self.gamma, degree), p)


@dataclass(frozen=True)
class Sigmoid(InnerProductKernel):
    """k(x, x') = tanh(γ x·x' + c): not positive semi-definite, included as the counter-example"""

    name = "sigmoid"
    title = "Sigmoid"
    other_names = ("tanh", "mlp")
    summary_line = "Looks like a neural network's unit, but is not positive semi-definite: no feature space."
    family = "Others"
    place = 3
    latex = r"\tanh\left(\gamma\, x \cdot x' + c\right)"
    positive_definite = False
    bounded = True

    gamma: float = inner_scale(soft=(1e-3, 10), simpler="")
    c: float = real(0.0, low=-1e6, high=1e6, soft=(-3, 3), label="c", help="Shift")

    def of_inner_product(self, t: Array) -> Array:
        u = self.gamma * t
        u += self.c
        return np.tanh(u, out=u)

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        rest = 1.0 - K * K
        return {"gamma": u * rest, "c": rest}


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
        """Return f(x) for every row."""
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
        """Return K times the derivative of ln f(x) + ln f(x')."""

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
