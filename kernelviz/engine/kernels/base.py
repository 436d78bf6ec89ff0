"""What a kernel is: a symmetric similarity K(x, x'), callable as scikit-learn's kernels are.

A subclass states its formula in one method: `of_inner_product` (functions of x·x'), `of_squared_distance`
(functions of |x - x'|^2), or `gram` itself. Everything else has a default that works, and an optional
hook that makes it exact or fast.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from kernelviz.engine.arrays import Array, as_points
from kernelviz.engine.params import Declared

if TYPE_CHECKING:
    from kernelviz.engine.features import FeatureMap

__all__ = ["InnerProductKernel", "Kernel", "RadialKernel", "VectorKernel"]


@dataclass(frozen=True)
class Kernel(Declared):
    """K(x, x') on any kind of input. `k(X, Y=None)` is the Gram matrix."""

    domain: ClassVar[Literal["vectors", "strings"]] = "vectors"
    positive_definite: ClassVar[bool] = True
    """False when the kernel is known to be indefinite for some points (sigmoid)."""
    latex: ClassVar[str] = ""
    """The formula as LaTeX, with the parameters' symbols."""
    looks_like_a_sum: ClassVar[bool] = False
    """True when the formula needs parentheses as a factor."""

    @abstractmethod
    def gram(self, X: Any, Y: Any) -> Array:
        """K[i, j] = K(X_i, Y_j), inputs already checked."""

    def __call__(self, X: Any, Y: Any = None) -> Array:
        X = self.checked(X)
        if Y is None:
            K = self.gram(X, X)
            return 0.5 * (K + K.T)  # exactly symmetric whatever the rounding
        return self.gram(X, self.checked(Y))

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

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array | None:
        """(q, p) frequencies drawn from the kernel's spectral density, when it has one; else None.

        E cos(w·(x - x')) = K(x, x')/K(x, x)."""
        return None

    def scaled_to(self, X: Any) -> Self:
        """The kernel with its width set by the median heuristic on X; itself when it has no width."""
        return self

    def on_grid(self, points: Array, weights: Array, x1: Array, x2: Array) -> Array:
        """F[k, l] = sum_i weights_i K(points_i, (x1_l, x2_k)): shape (len(x2), len(x1)), float64.

        The default evaluates directly, in chunks; kernels with structure are 10 to 1000 times faster."""
        from kernelviz.engine.field import direct

        return direct(self, points, weights, x1, x2)


@dataclass(frozen=True)
class VectorKernel(Kernel):
    """A kernel on rows of numbers."""

    def checked(self, X: Any) -> Array:
        return as_points(X)


@dataclass(frozen=True)
class InnerProductKernel(VectorKernel):
    """K(x, x') = f(x·x')."""

    @abstractmethod
    def of_inner_product(self, t: Array) -> Array:
        """f(t), elementwise."""

    def gram(self, X: Array, Y: Array) -> Array:
        return self.of_inner_product(X @ Y.T)

    def diagonal(self, X: Any) -> Array:
        X = self.checked(X)
        return self.of_inner_product(np.einsum("ij,ij->i", X, X))


@dataclass(frozen=True)
class RadialKernel(VectorKernel):
    """K(x, x') = f(|x - x'|^2), f(0) = 1."""

    @abstractmethod
    def of_squared_distance(self, d2: Array) -> Array:
        """f(d2), elementwise, for d2 >= 0."""

    def gram(self, X: Array, Y: Array) -> Array:
        return self.of_squared_distance(squared_distances(X, Y))

    def diagonal(self, X: Any) -> Array:
        return np.ones(len(self.checked(X)))


def squared_distances(X: Array, Y: Array) -> Array:
    """|x_i - y_j|^2, exactly zero for equal rows.

    Differences column by column rather than |x|^2 + |y|^2 - 2x·y: no cancellation, so that numbers match
    a hand calculation, and for the few columns met here also the faster way."""
    d2 = np.zeros((len(X), len(Y)))
    for j in range(X.shape[1]):
        d = X[:, j, None] - Y[None, :, j]
        d *= d
        d2 += d
    return d2


ScalarFunction = Callable[[Array], Array]
