"""Families of kernels on rows of numbers, by what they depend on: f(x) f(x'), x·x' or |x - x'|.

A kernel of a family is one formula: the base class computes the statistic u of every pair of rows, and the
subclass f(u), elementwise."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any, ClassVar, Literal, Self

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import Parameter, Unit, real
from kernelviz.engine.kernels.base import VectorKernel
from kernelviz.engine.kernels.derivatives import Pairs, Slopes, weighted_slopes
from kernelviz.engine.kernels.features import FeatureMap, monomials

# No exponential falls below exp of minus this, about 1e-130. Numbers beneath the smallest normal float take
# the processor up to a hundred times longer. Narrow kernels have many, and in a factorisation it is the
# products of two entries that must stay above it.
FARTHEST_DECAY = 300.0
# Columns up to which a single point, such as a moved one, is compared with others column by column; with
# more, row by row: the numbers of a row lie next to each other.
MANY_COLUMNS = 12


def decay(u: Array, rate: float = 1.0) -> Array:
    """Return exp(-rate u), elementwise, never below exp(-FARTHEST_DECAY)."""
    exponent = u * -rate
    if exponent.size and not exponent.item(exponent.argmin()) >= -FARTHEST_DECAY:
        np.fmax(exponent, -FARTHEST_DECAY, out=exponent)
    return np.exp(exponent, out=exponent)


def _of_width(sigma: float) -> float:
    return 1 / (2 * sigma * sigma)


def _width_of(gamma: float) -> float:
    return sqrt(1 / (2 * gamma))


# Other names for γ = 1/(2σ²).
GAUSSIAN_WIDTHS = (
    Unit("sigma", "σ", "Width: γ = 1/(2σ²); the sigma of kernlab (R) is γ itself", _of_width, _width_of),
    Unit("l", "ℓ", "Length-scale, the same as σ", _of_width, _width_of, aliases=("length_scale",)),
    Unit(
        "variance",
        "σ²",
        "Squared width, γ = 1/(2σ²); some notes give this the name γ",
        lambda variance: 1 / (2 * variance),
        lambda gamma: 1 / (2 * gamma),
    ),
)


def length_scale(help: str, label: str = "ℓ") -> Any:
    """Declare a length-scale."""
    return real(
        1.0, low=1e-15, high=1e15, soft=(0.03, 30), scale="log", label=label, help=help, simpler="larger"
    )


def inverse_squared_width(help: str, views: tuple[Unit, ...] = ()) -> Any:
    """Declare γ, with other names for it if `views` are given."""
    return real(
        1.0,
        low=1e-30,
        high=1e30,
        soft=(1e-3, 1e3),
        scale="log",
        label="γ",
        help=help,
        views=views,
        simpler="smaller",
    )


def typical_distance(X: Array, power: Literal[1, 2]) -> float | None:
    """Return the median over i < j of sum_k |x_ik - x_jk|^power, power 1 or 2, or None if all points
    coincide.

    For many points an even sample is used."""
    enough = 1000
    rows = X[:: -(-len(X) // enough)] if len(X) > enough else X
    return _typical(rows.tobytes(), rows.shape, power)


@lru_cache(maxsize=8)  # the parts of a composition all ask for the same points
def _typical(content: bytes, shape: tuple[int, ...], power: Literal[1, 2]) -> float | None:
    """Return the median distance of rows given by their bytes; if more than half of the pairs coincide, of
    the others."""
    rows = np.frombuffer(content).reshape(shape)
    between: Array = np.zeros((len(rows), len(rows)))
    for column in rows.T:
        apart = np.subtract.outer(column, column)
        between += np.abs(apart, out=apart) if power == 1 else np.power(apart, power, out=apart)
    distances = between[np.tri(len(rows), k=-1, dtype=bool)]
    median = _median(distances) if len(distances) else 0.0
    if median == 0.0 and distances.any():
        median = _median(distances[distances > 0])
    return median if median > 0.0 else None


def _median(values: Array) -> float:
    """Return np.median(values) without numpy.ma, whose import takes longer than everything else here."""
    half = len(values) // 2
    middle = (half,) if len(values) % 2 else (half - 1, half)
    return float(np.partition(values, middle)[list(middle)].mean())


def length_of_gaussian(median: float) -> float:
    """Return the length-scale ℓ of the Gaussian with γ = 1/median: γ = 1/(2ℓ²)."""
    return sqrt(median / 2)


def clipped(value: float, parameter: Parameter) -> float:
    """Return the value, moved inside the parameter's bounds."""
    return float(min(max(value, parameter.low), parameter.high))


@dataclass(frozen=True)
class RankOneKernel(VectorKernel):
    """K(x, x') = f(x) f(x'), with f as its only feature. A subclass implements `of_points`, f(x) for every
    row.

    Times another kernel it re-weights the inputs: f(x) K(x, x') f(x')."""

    @abstractmethod
    def of_points(self, X: Array) -> Array:
        """Return f(x) for every row."""

    def gram(self, X: Array, Y: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.multiply.outer(self.of_points(X), self.of_points(Y))

    def diagonal(self, X: Any) -> Array:
        with np.errstate(over="ignore"):
            return np.square(self.of_points(self.checked(X)))


@dataclass(frozen=True)
class AdditiveKernel(VectorKernel):
    """K(x, x') = f(u), u = sum_j u_j(x_j, x'_j): a function of a sum over the columns.

    A subclass implements `along_axis`, the u_j of all pairs of values of a column, and `of_statistic`, f(u).
    On a grid u_1 and u_2 are computed once for each axis, so that a node costs an addition and f."""

    statistic_name: ClassVar[str] = ""  # What u is, for families in which it does not depend on parameters.
    # True when f(u + v) = f(u) f(v), so that K is a product over the columns.
    separable: ClassVar[bool] = False

    @abstractmethod
    def along_axis(self, j: int, x: Array, a: Array) -> Array:
        """Return u_j of every pair of values of column j, of shape (len(x), len(a))."""

    @abstractmethod
    def of_statistic(self, u: Array) -> Array:
        """Return f(u), elementwise."""

    def scaled_along(self, j: int, x: Array, a: Array) -> Array:
        """Return the parts, one per column, whose sum `of_scaled` takes: u_j in convenient units."""
        return self.along_axis(j, x, a)

    def of_scaled(self, u: Array, spare: Array) -> Array:
        """Return f from the sum of `scaled_along`; may overwrite it and `spare`, of the same shape.

        On a grid new memory for every row costs more than the arithmetic."""
        return self.of_statistic(u)

    def axis_factor(self, j: int, x: Array, a: Array) -> Array | None:
        """Return the factor of column j if K is a product over the columns, else None."""
        return self.of_statistic(self.along_axis(j, x, a)) if self.separable else None

    def gram(self, X: Array, Y: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return self.of_statistic(self.statistic(X, Y))

    def differentiated(self, pairs: Pairs) -> tuple[Array, Slopes]:
        u = pairs.each(self.statistic, self.statistic_name)
        K = self.of_statistic(u)
        return K, weighted_slopes(self, pairs, u, K)

    def statistic(self, X: Array, Y: Array) -> Array:
        """Return u of every pair of rows."""
        u = self.along_axis(0, X[:, 0], Y[:, 0]) if X.shape[1] else np.zeros((len(X), len(Y)))
        for j in range(1, X.shape[1]):
            u += self.along_axis(j, X[:, j], Y[:, j])
        return u


@dataclass(frozen=True)
class InnerProductKernel(AdditiveKernel):
    """K(x, x') = f(x·x'). A subclass implements `of_inner_product`, f(t), elementwise.

    If f is a polynomial with coefficients p_m ≥ 0, `power_coefficients` returns them: the kernel then has
    finitely many features, and its field is one polynomial in the plane, however many points there are."""

    analytic: ClassVar[bool] = True
    statistic_name: ClassVar[str] = "x·x'"

    @abstractmethod
    def of_inner_product(self, t: Array) -> Array:
        """Return f(t), elementwise."""

    def power_coefficients(self) -> Array | None:
        """Return p_0, p_1, … if f(t) = sum_m p_m t^m is a polynomial, else None."""
        return None

    def along_axis(self, j: int, x: Array, a: Array) -> Array:
        return np.multiply.outer(x, a)

    def of_statistic(self, u: Array) -> Array:
        return self.of_inner_product(u)

    def statistic(self, X: Array, Y: Array) -> Array:
        return X @ Y.T

    def diagonal(self, X: Any) -> Array:
        X = self.checked(X)
        with np.errstate(over="ignore", invalid="ignore"):
            return self.of_inner_product(np.einsum("ij,ij->i", X, X))

    def feature_map(self, p: int) -> FeatureMap | None:
        coefficients = self.power_coefficients()
        return None if coefficients is None else monomials(coefficients, p)


@dataclass(frozen=True)
class StationaryKernel(AdditiveKernel):
    """K(x, x') = f(u) where u = 0 for equal inputs, f(0) = 1 and |f| <= 1.

    Its diagonal is 1, so that all points have length 1 in feature space."""

    bounded: ClassVar[bool] = True
    stationary: ClassVar[bool] = True
    non_negative = True

    def log_gram(self, X: Array, Y: Array) -> Array:
        return self.log_of_statistic(self.statistic(X, Y))

    def log_of_statistic(self, u: Array) -> Array:
        """Return ln f(u), elementwise."""
        with np.errstate(divide="ignore"):
            return np.log(self.of_statistic(u))

    def diagonal(self, X: Any) -> Array:
        return np.ones(len(self.checked(X)))

    def with_width(
        self, X: Any, name: str, of_median: Callable[[float], float], power: Literal[1, 2] = 2
    ) -> Self:
        """Return the kernel with a parameter set to a function of the median distance of the points; itself
        if all points coincide."""
        median = typical_distance(self.checked(X), power)
        if median is None:
            return self
        return self.replace(**{name: clipped(of_median(median), self.parameter(name))})


@dataclass(frozen=True)
class RadialKernel(StationaryKernel):
    """K(x, x') = f(|x - x'|²), f(0) = 1. A subclass implements `of_squared_distance`, f(d2), elementwise:

        class Cauchy(RadialKernel):
            def of_squared_distance(self, d2):
                return 1.0 / (1.0 + self.gamma * d2)

    The Gram matrix, the field, the logarithm and the diagonal follow from it."""

    statistic_name: ClassVar[str] = "|x - x'|²"

    @abstractmethod
    def of_squared_distance(self, d2: Array) -> Array:
        """Return f(d2), elementwise, for d2 >= 0."""

    def along_axis(self, j: int, x: Array, a: Array) -> Array:
        return squared_differences(x, a)

    def of_statistic(self, u: Array) -> Array:
        return self.of_squared_distance(u)

    def statistic(self, X: Array, Y: Array) -> Array:
        columns = Y.shape[1]
        if len(X) != 1 or not columns:
            return super().statistic(X, Y)
        if columns > MANY_COLUMNS:
            D = Y - X
            return np.asarray(np.einsum("ij,ij->i", D, D))[None, :]
        u = np.square(Y[:, 0] - X[0, 0])
        for j in range(1, columns):
            u += np.square(Y[:, j] - X[0, j])
        return np.asarray(u[None, :])


def squared_differences(x: Array, a: Array) -> Array:
    """Return (x_i - a_j)², of shape (len(x), len(a))."""
    d: Array = np.subtract.outer(x, a)
    d *= d
    return d
