"""What a kernel is: a symmetric similarity K(x, x'), callable as scikit-learn's kernels are.

A subclass states its formula in one method: `of_inner_product` (functions of x·x'), `of_squared_distance`
(functions of |x - x'|^2), or `gram` itself. Everything else has a default that works, and an optional
hook that makes it exact or fast.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

import numpy as np

from kernelviz.engine.arrays import Array, Indices, as_points, comparable, is_single_point
from kernelviz.engine.data import Domain
from kernelviz.engine.errors import BadInput
from kernelviz.engine.pairs import Pairs
from kernelviz.engine.params import Declared, Parameter

if TYPE_CHECKING:
    from kernelviz.engine.families.rates import GammaRates
    from kernelviz.engine.features import FeatureMap

__all__ = [
    "Kernel",
    "MakeRows",
    "ParameterPath",
    "Slopes",
    "VectorKernel",
]

MakeRows: TypeAlias = Callable[[int | Indices], Array]
"""The row of a Gram matrix at one place, or those at several."""

ParameterPath: TypeAlias = tuple[int | str, ...]
"""Where a parameter is in a composition: which part, which part of that, …, and its name."""

Slopes: TypeAlias = Callable[[Array], dict[ParameterPath, float]]
"""From weights on the pairs of points to the derivatives of the weighted sum of K."""

LARGEST_VALUE = 1e100
"""No kernel value beyond this enters a computation: its square must still be a number."""
FARTHEST = 1e140
"""No coordinate beyond this: squared distances, and some hundred columns of them, must still be numbers."""
ENTRIES_AT_A_TIME = 1 << 16
"""Entries of a Gram matrix computed at a time, so that temporaries stay in the cache."""


@dataclass(frozen=True)
class Kernel(Declared):
    """K(x, x') on any kind of input. `k(X, Y=None)` is the Gram matrix, and for two single points, given as
    flat lists of their coordinates, `k(x, y)` is the number K(x, y): scikit-learn asks in both ways."""

    domain: ClassVar[Domain] = "vectors"
    positive_definite: ClassVar[bool] = True
    """False when the kernel is known to be indefinite for some points (sigmoid)."""
    bounded: ClassVar[bool] = False
    """True when |K| <= 1 whatever the inputs."""
    analytic: ClassVar[bool] = False
    """True when K(x', ·) is smooth without end, so that a field can be interpolated."""
    stationary: ClassVar[bool] = False
    """True when K(x, x') is a function of x - x'."""
    laborious: ClassVar[bool] = False
    """True when one value takes so long that many are best computed in parts, with somebody told."""
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
        if not self.bounded and K.size and not max(K.max(), -K.min()) <= LARGEST_VALUE:
            raise BadInput(
                f"The values of {self} are too large to compute with on these points. "
                "Choose smaller parameters, or bring the inputs to a smaller scale."
            )
        return K

    def _symmetric_gram(self, X: Any) -> Array:
        n = len(X)
        rows = max(64, ENTRIES_AT_A_TIME // max(n, 1))
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
        rows = max(64, ENTRIES_AT_A_TIME // max(len(Y), 1))
        if len(X) <= 2 * rows:
            return self.gram(X, Y)
        K = np.empty((len(X), len(Y)))
        for begin in range(0, len(X), rows):
            K[begin : begin + rows] = self.gram(X[begin : begin + rows], Y)
        return K

    def checked(self, X: Any) -> Any:
        """Inputs in the form `gram` expects, or BadInput."""
        return X

    def check_labour(self, X: Any) -> None:
        """BadInput when the Gram matrix of these would take too long."""
        for part in self.parts:
            part.check_labour(X)

    def diagonal(self, X: Any) -> Array:
        """K(x_i, x_i) without the rest of the matrix."""
        X = self.checked(X)
        return np.array([self.gram(X[i : i + 1], X[i : i + 1])[0, 0] for i in range(len(X))])

    def __add__(self, other: Any) -> Kernel:
        from kernelviz.engine.algebra import add

        return add(self, other)

    def __mul__(self, other: Any) -> Kernel:
        from kernelviz.engine.algebra import multiply

        return multiply(self, other)

    __radd__ = __add__
    __rmul__ = __mul__

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels this one is made of; none for a base kernel."""
        return ()

    def at(self, path: ParameterPath) -> float:
        """The value of a parameter of the composition."""
        step, *rest = path
        value: float = self.parts[step].at(tuple(rest)) if isinstance(step, int) else getattr(self, step)
        return value

    def declared(self, path: ParameterPath) -> Parameter:
        """Its declaration."""
        step, *rest = path
        return self.parts[step].declared(tuple(rest)) if isinstance(step, int) else self.parameter(step)

    def having(self, path: ParameterPath, value: float) -> Kernel:
        """The composition with one of its parameters changed."""
        step, *rest = path
        if not isinstance(step, int):
            return self.replace(**{step: value})
        part = self.parts[step].having(tuple(rest), value)
        return self.with_parts((*self.parts[:step], part, *self.parts[step + 1 :]))

    def with_parts(self, parts: tuple[Kernel, ...]) -> Self:
        """The same composition of other kernels."""
        return self

    @property
    def latex_name(self) -> str:
        """What stands to the left of its formula."""
        return "K(s, t)" if self.domain == "strings" else "K(x, x')"

    def latex_with_values(self) -> str:
        """The formula as LaTeX, with the parameters' values."""
        from kernelviz.engine.typesetting import with_values

        return with_values(self.latex, self)

    def differentiated(self, pairs: Pairs) -> tuple[Array, Slopes]:
        """K at all pairs, and what turns weights W into sum W dK/dθ for each θ it can be tuned by."""
        K = pairs.each(self.gram)
        return K, self._weighed(pairs, K, K)

    def _weighed(self, pairs: Pairs, u: Array, K: Array) -> Slopes:
        return lambda W: {(name,): float(np.vdot(W, d)) for name, d in self.slopes(pairs, u, K).items()}

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

    def starts(self, X: Any) -> tuple[Self, ...]:
        """Where a search for its parameters may begin, whatever they are now: more than one where their
        likelihood has many tops."""
        return (self.scaled_to(X),)

    @property
    def non_negative(self) -> bool:
        """Whether no value is negative, whatever the inputs: then values can be the weights of a mean."""
        return False

    def log_gram(self, X: Any, Y: Any) -> Array:
        """ln K(X_i, Y_j) of a kernel that is nowhere negative, also where K itself would be cut off."""
        with np.errstate(divide="ignore"):
            return np.log(self.gram(X, Y))

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        """dK/dθ at all pairs by the name of θ, for its real parameters. u: what K is a function of there,
        such as x·x'."""
        return {}

    def on_grid(self, points: Array, weights: Array, x1: Array, x2: Array, dtype: Any = np.float64) -> Array:
        """F[k, l] = sum_i weights_i K(points_i, (x1_l, x2_k)): shape (len(x2), len(x1)).

        In float64 the error is at most 1e-9 of max|F|; float32 is enough for drawing. Values too large
        to compute with are cut off at 1e100 in size, and where less than 1e-85 is left of what the weights
        could reach, a field is zero."""
        from kernelviz.engine.fields.field import field

        return field(self, points, weights, x1, x2, dtype)


@dataclass(frozen=True)
class VectorKernel(Kernel):
    """A kernel on rows of numbers."""

    def checked(self, X: Any) -> Array:
        if isinstance(X, list | tuple) and X and isinstance(X[0], str):
            raise BadInput(f"{self.name} compares numbers, but these data are strings.")
        points = np.ascontiguousarray(as_points(X))
        if points.size and max(points.max(), -points.min()) > FARTHEST:
            raise BadInput(
                f"The inputs are too large to compute with: coordinates may reach {FARTHEST:g} in size."
            )
        return points
