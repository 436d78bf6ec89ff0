"""What a kernel is: a symmetric similarity K(x, x'), callable as scikit-learn's kernels are.

A subclass states its formula in one method: `of_inner_product` (functions of x·x'), `of_squared_distance`
(functions of |x - x'|^2), or `gram` itself. Everything else has a default that works, and an optional
hook that makes it exact or fast.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias

import numpy as np

from kernelviz.engine.arrays import Array, Indices, as_points, comparable, is_single_point
from kernelviz.engine.errors import BadInput
from kernelviz.engine.params import Declared

if TYPE_CHECKING:
    from kernelviz.engine.features import FeatureMap
    from kernelviz.engine.kernels.rates import GammaRates

__all__ = [
    "MANY",
    "AdditiveKernel",
    "InnerProductKernel",
    "Kernel",
    "MakeRows",
    "RadialKernel",
    "RankOneKernel",
    "StationaryKernel",
    "VectorKernel",
    "squared_distances",
]

MANY = 12
"""Columns up to which points are compared column by column; with more, row by row: those lie side by side."""

MakeRows: TypeAlias = Callable[[int | Indices], Array]
"""The row of a Gram matrix at one place, or those at several."""

LARGEST = 1e100
"""No kernel value beyond this enters a computation: its square must still be a number."""
FARTHEST = 1e140
"""No coordinate beyond this: squared distances, and some hundred columns of them, must still be numbers."""
BLOCK = 1 << 16
"""Entries of a Gram matrix computed at a time, so that temporaries stay in the cache."""


@dataclass(frozen=True)
class Kernel(Declared):
    """K(x, x') on any kind of input. `k(X, Y=None)` is the Gram matrix, and for two single points, given as
    flat lists of their coordinates, `k(x, y)` is the number K(x, y): scikit-learn asks in both ways."""

    domain: ClassVar[Literal["vectors", "strings"]] = "vectors"
    positive_definite: ClassVar[bool] = True
    """False when the kernel is known to be indefinite for some points (sigmoid)."""
    bounded: ClassVar[bool] = False
    """True when |K| <= 1 whatever the inputs."""
    analytic: ClassVar[bool] = False
    """True when K(x', ·) is smooth without end, so that a field can be interpolated."""
    latex: ClassVar[str] = ""
    """The formula as LaTeX, with the parameters' symbols."""
    looks_like_a_sum: ClassVar[bool] = False
    """True when the formula needs parentheses as a factor."""

    @abstractmethod
    def gram(self, X: Any, Y: Any) -> Array:
        """K[i, j] = K(X_i, Y_j), inputs already checked. Exactly symmetric when X and Y are the same."""

    def rows_of(self, X: Any) -> MakeRows | None:
        """A quicker way than `gram` to rows of the Gram matrix of X, if there is one to nearly all digits."""
        return None

    def __call__(self, X: Any, Y: Any = None) -> Array:
        if self.domain == "vectors" and is_single_point(Y) and is_single_point(X):
            return self([X], [Y])[0, 0, ...]
        X = self.checked(X)
        with np.errstate(over="ignore", invalid="ignore"):  # told below, in words
            K = self._symmetric_gram(X) if Y is None else self._rectangular_gram(X, self.checked(Y))
        if not self.bounded and K.size and not max(K.max(), -K.min()) <= LARGEST:
            raise BadInput(
                f"The values of {self} are too large to compute with on these points. "
                "Choose smaller parameters, or bring the inputs to a smaller scale."
            )
        return K

    def _symmetric_gram(self, X: Any) -> Array:
        n = len(X)
        rows = max(64, BLOCK // max(n, 1))
        if n <= 2 * rows:
            return self.gram(X, X)
        K = np.empty((n, n))
        for begin in range(0, n, rows):
            end = min(begin + rows, n)
            K[begin:end, begin:] = self.gram(X[begin:end], X[begin:])
            K[end:, begin:end] = K[begin:end, end:].T
        return K

    def _rectangular_gram(self, X: Any, Y: Any) -> Array:
        if isinstance(X, np.ndarray):
            X = comparable(X, Y)
            Y = comparable(Y, X)
        rows = max(64, BLOCK // max(len(Y), 1))
        if len(X) <= 2 * rows:
            return self.gram(X, Y)
        K = np.empty((len(X), len(Y)))
        for begin in range(0, len(X), rows):
            K[begin : begin + rows] = self.gram(X[begin : begin + rows], Y)
        return K

    def checked(self, X: Any) -> Any:
        """Inputs in the form `gram` expects, or BadInput."""
        return X

    def diagonal(self, X: Any) -> Array:
        """K(x_i, x_i) without the rest of the matrix."""
        X = self.checked(X)
        return np.array([self.gram(X[i : i + 1], X[i : i + 1])[0, 0] for i in range(len(X))])

    def __add__(self, other: Any) -> Kernel:
        from kernelviz.engine.kernels.algebra import add

        return add(self, other)

    def __mul__(self, other: Any) -> Kernel:
        from kernelviz.engine.kernels.algebra import multiply

        return multiply(self, other)

    __radd__ = __add__
    __rmul__ = __mul__

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels this one is made of; none for a base kernel."""
        return ()

    def with_parts(self, parts: tuple[Kernel, ...]) -> Self:
        """The same composition of other kernels."""
        return self

    def latex_with_values(self) -> str:
        """The formula as LaTeX, with the parameters' values."""
        from kernelviz.engine.kernels.typesetting import with_values

        return with_values(self.latex, self)

    # Optional hooks -----------------------------------------------------------------------------------
    def feature_map(self, p: int) -> FeatureMap | None:
        """phi with phi(x)·phi(x') = K(x, x') for inputs of p columns, when it is finite; else None."""
        return None

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        """The features of K's power series up to a degree (all of them when they are finitely many)."""
        return self.feature_map(p)

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array | None:
        """(q, p) frequencies drawn from the kernel's spectral density, when it has one; else None.

        E cos(w·(x - x')) = K(x, x')/K(x, x)."""
        return None

    def effort(self) -> float:
        """What a value costs to compute, compared with exp."""
        return 1.0

    def gaussian_rates(self) -> GammaRates | None:
        """The distribution of r when K(x, x') = E exp(-r |x - x'|²) is a mixture of Gaussians; else None."""
        return None

    def scaled_to(self, X: Any) -> Self:
        """The kernel with its width set by the median heuristic on X; itself when it has no width."""
        return self

    def on_grid(self, points: Array, weights: Array, x1: Array, x2: Array, dtype: Any = np.float64) -> Array:
        """F[k, l] = sum_i weights_i K(points_i, (x1_l, x2_k)): shape (len(x2), len(x1)).

        In float64 the error is at most 1e-9 of max|F|; float32 is enough for drawing. Values too large
        to compute with are cut off at 1e100 in size, and where less than 1e-85 is left of what the weights
        could reach, a field is zero."""
        from kernelviz.engine.field import field

        return field(self, points, weights, x1, x2, dtype)


@dataclass(frozen=True)
class VectorKernel(Kernel):
    """A kernel on rows of numbers."""

    def checked(self, X: Any) -> Array:
        points = np.ascontiguousarray(as_points(X))
        if points.size and max(points.max(), -points.min()) > FARTHEST:
            raise BadInput(
                f"The inputs are too large to compute with: coordinates may reach {FARTHEST:g} in size."
            )
        return points


@dataclass(frozen=True)
class RankOneKernel(VectorKernel):
    """K(x, x') = f(x) f(x')."""

    @abstractmethod
    def of_points(self, X: Array) -> Array:
        """f(x) for every row."""

    def gram(self, X: Array, Y: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.multiply.outer(self.of_points(X), self.of_points(Y))

    def diagonal(self, X: Any) -> Array:
        with np.errstate(over="ignore"):
            return np.square(self.of_points(self.checked(X)))


@dataclass(frozen=True)
class AdditiveKernel(VectorKernel):
    """K(x, x') = f(u), u = sum_j u_j(x_j, x'_j): a function of something added up over the columns."""

    separable: ClassVar[bool] = False
    """True when f(u + v) = f(u) f(v), so that K is a product over the columns."""

    @abstractmethod
    def along_axis(self, j: int, x: Array, a: Array) -> Array:
        """u_j of every pair of values of column j: shape (len(x), len(a))."""

    @abstractmethod
    def of_statistic(self, u: Array) -> Array:
        """f(u), elementwise, in u's precision."""

    def scaled_along(self, j: int, x: Array, a: Array, dtype: Any = np.float64) -> Array:
        """What `of_scaled` wants added up over the columns: u_j, in units that save it work."""
        return self.along_axis(j, x, a).astype(dtype, copy=False)

    def of_scaled(self, u: Array, spare: Array) -> Array:
        """f from the sum of `scaled_along`, which it may overwrite, as well as `spare` of the same shape.

        On a grid new memory for every row costs more than the arithmetic."""
        return self.of_statistic(u)

    def multiplied_along(self, j: int, x: Array, a: Array) -> Array | None:
        """Numbers whose product over the columns is all `of_product` needs, when that is the cheaper way."""
        return None

    def of_product(self, p: Array) -> Array:
        """f from the product of `multiplied_along`, which it may overwrite, to nearly all digits of 1."""
        raise NotImplementedError

    def axis_factor(self, j: int, x: Array, a: Array, dtype: Any = np.float64) -> Array | None:
        """The factor of column j when K is a product over the columns; else None."""
        if not self.separable:
            return None
        return self.of_statistic(self.along_axis(j, x, a).astype(dtype, copy=False))

    def gram(self, X: Array, Y: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            u = self.along_axis(0, X[:, 0], Y[:, 0]) if X.shape[1] else np.zeros((len(X), len(Y)))
            for j in range(1, X.shape[1]):
                u += self.along_axis(j, X[:, j], Y[:, j])
            return self.of_statistic(u)


@dataclass(frozen=True)
class InnerProductKernel(AdditiveKernel):
    """K(x, x') = f(x·x')."""

    analytic: ClassVar[bool] = True

    @abstractmethod
    def of_inner_product(self, t: Array) -> Array:
        """f(t), elementwise."""

    def power_coefficients(self) -> Array | None:
        """p_0, p_1, … when f(t) = sum_m p_m t^m is a polynomial; else None."""
        return None

    def along_axis(self, j: int, x: Array, a: Array) -> Array:
        return np.multiply.outer(x, a)

    def of_statistic(self, u: Array) -> Array:
        return self.of_inner_product(u)

    def gram(self, X: Array, Y: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return self.of_inner_product(X @ Y.T)

    def diagonal(self, X: Any) -> Array:
        X = self.checked(X)
        with np.errstate(over="ignore", invalid="ignore"):
            return self.of_inner_product(np.einsum("ij,ij->i", X, X))

    def feature_map(self, p: int) -> FeatureMap | None:
        from kernelviz.engine.features import monomials

        coefficients = self.power_coefficients()
        return None if coefficients is None else monomials(coefficients, p)


@dataclass(frozen=True)
class StationaryKernel(AdditiveKernel):
    """K(x, x') = f(u) where u = 0 for equal inputs, f(0) = 1 and |f| <= 1."""

    bounded: ClassVar[bool] = True

    def diagonal(self, X: Any) -> Array:
        return np.ones(len(self.checked(X)))


@dataclass(frozen=True)
class RadialKernel(StationaryKernel):
    """K(x, x') = f(|x - x'|^2), f(0) = 1."""

    @abstractmethod
    def of_squared_distance(self, d2: Array) -> Array:
        """f(d2), elementwise, for d2 >= 0."""

    def along_axis(self, j: int, x: Array, a: Array) -> Array:
        return squared_differences(x, a)

    def of_statistic(self, u: Array) -> Array:
        return self.of_squared_distance(u)

    def gram(self, X: Array, Y: Array) -> Array:
        if len(X) != 1:
            return super().gram(X, Y)
        # A single row, as a moved point or a step of SMO asks for it, without the cost of outer products.
        if Y.shape[1] > MANY:
            D = Y - X
            return self.of_squared_distance(np.einsum("ij,ij->i", D, D))[None, :]
        d2: Array | None = None
        for y, x in zip(Y.T, X[0].tolist(), strict=True):
            d = y - x
            d *= d
            d2 = d if d2 is None else np.add(d2, d, out=d2)
        return self.of_squared_distance(np.zeros(len(Y)) if d2 is None else d2)[None, :]


def squared_distances(X: Array, Y: Array) -> Array:
    """|x_i - y_j|^2, exactly zero for equal rows.

    Differences column by column rather than |x|^2 + |y|^2 - 2x·y: no cancellation, so that numbers match
    a hand calculation, and for the few columns met here also the faster way."""
    d2 = np.zeros((len(X), len(Y)))
    for j in range(X.shape[1]):
        d2 += squared_differences(X[:, j], Y[:, j])
    return d2


def squared_differences(x: Array, a: Array) -> Array:
    """(x_i - a_j)^2"""
    d: Array = np.subtract.outer(x, a)
    d *= d
    return d
