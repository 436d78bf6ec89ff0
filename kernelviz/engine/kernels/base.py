"""The base class of every kernel, and the closure rules: sums, products and multiples of kernels are kernels.

Compositions are written with `+` and `*`, in Python as in expressions. Sums and products are kept flat and a
number in front of a product is pulled to its left, so that every composition has one shape and one way to be
printed. The number of kernels in a composition and the depth of its parentheses are limited."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any, ClassVar, Self

import numpy as np

from kernelviz.engine.core.arrays import Array, as_points, comparable, is_single_point
from kernelviz.engine.core.data import Domain
from kernelviz.engine.core.displayed import Displayed
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.objects import GramItem
from kernelviz.engine.core.params import Declared, Parameter, number, real
from kernelviz.engine.kernels.capabilities import (
    WithFeatures,
    WithFrequencies,
    WithLogarithm,
    WithQuickRows,
    WithWidth,
)
from kernelviz.engine.kernels.derivatives import Pairs, ParameterPath, Slopes, WithDerivatives
from kernelviz.engine.kernels.features import FeatureMap, scaled, stacked, tensor
from kernelviz.engine.kernels.latex import fenced, latex_number, with_values

LARGEST_VALUE = 1e100  # No kernel value beyond this enters a computation: its square must still be a number.
# Entries of a Gram matrix computed at a time, so that temporaries stay in the cache.
ENTRIES_AT_A_TIME = 1 << 16
MOST_PARTS = 64  # Base kernels in a composition: each costs a Gram matrix, a field and a term of the formula.
DEEPEST = 12  # Parentheses within each other.
TOO_DEEP = f"Parentheses may be nested {DEEPEST} deep at most."


@dataclass(frozen=True)
class Kernel(
    WithFeatures,
    WithFrequencies,
    WithWidth,
    WithLogarithm,
    WithQuickRows,
    WithDerivatives,
    Declared,
    Displayed,
):
    """K(x, x') on any kind of input.

    `k(X, Y=None)` is the Gram matrix of shape (len(X), len(Y)). For two single points, given as flat lists of
    their coordinates, `k(x, y)` is the number K(x, y): scikit-learn calls kernels in both ways.

    A subclass declares its parameters and implements `gram`, or the formula that its family in `vectors.py`
    asks for. What else a kernel may offer is in `capabilities.py` and `derivatives.py`.

        k = 2 * Gaussian(gamma=0.5) + Linear()
        k(X)            # (n, n)
        k(X, Y)         # (n, m)
        str(k)          # 2*rbf(gamma=0.5) + linear"""

    made_by = "kernelviz.kernel"
    domain: ClassVar[Domain] = "vectors"
    # False when the kernel is known to be indefinite for some points (sigmoid).
    positive_definite: ClassVar[bool] = True
    # True when K gives weights for a mean but is no inner product (box).
    weights_only: ClassVar[bool] = False
    bounded: ClassVar[bool] = False  # True when |K| <= 1 whatever the inputs.
    # True when K(x', ·) is smooth without end, so that a field can be interpolated.
    analytic: ClassVar[bool] = False
    stationary: ClassVar[bool] = False  # True when K(x, x') is a function of x - x'.
    # True if one value takes so long that many are best computed in parts, with progress reported.
    slow: ClassVar[bool] = False
    latex: ClassVar[str] = ""  # The formula as LaTeX, with the parameters' symbols.
    looks_like_a_sum: ClassVar[bool] = False  # True when the formula needs parentheses as a factor.

    @abstractmethod
    def gram(self, X: Any, Y: Any) -> Array:
        """Return K[i, j] = K(X_i, Y_j) for checked inputs, exactly symmetric if X and Y are the same."""

    def __call__(self, X: Any, Y: Any = None) -> Array:
        if self.domain in ("vectors", "categories") and is_single_point(Y) and is_single_point(X):
            return self([X], [Y])[0, 0, ...]
        X = self.checked(X)
        with np.errstate(over="ignore", invalid="ignore"):  # reported below, in words
            K = self._in_blocks(X, None if Y is None else self.checked(Y))
        if not self.bounded and K.size and not max(K.max(), -K.min()) <= LARGEST_VALUE:
            raise BadInput(
                f"The values of {self} are too large to compute with on these points. "
                "Choose smaller parameters, or bring the inputs to a smaller scale."
            )
        return K

    def _in_blocks(self, X: Any, Y: Any) -> Array:
        """Return K(X_i, Y_j), computed in blocks of rows whose temporaries stay in the cache.

        Without Y, return the Gram matrix of X, computed above the diagonal and copied below it."""
        square = Y is None
        if square:
            Y = X
        elif isinstance(X, np.ndarray):
            X = comparable(X, Y)
            Y = comparable(Y, X)
        rows = max(64, ENTRIES_AT_A_TIME // max(len(Y), 1))
        if len(X) <= 2 * rows:
            return self.gram(X, Y)
        K = np.empty((len(X), len(Y)))
        for begin in range(0, len(X), rows):
            end, first = begin + rows, begin if square else 0
            K[begin:end, first:] = self.gram(X[begin:end], Y[first:])
            if square:
                K[end:, begin:end] = K[begin:end, end:].T
        return K

    def checked(self, X: Any) -> Any:
        """Return the inputs in the form `gram` expects, or raise BadInput."""
        return X

    def check_cost(self, X: Any) -> None:
        """Raise BadInput if the Gram matrix of these inputs would take too long."""
        for part in self.parts:
            part.check_cost(X)

    def diagonal(self, X: Any) -> Array:
        """Return K(x_i, x_i) for every input, without the rest of the matrix."""
        X = self.checked(X)
        return np.array([self.gram(X[i : i + 1], X[i : i + 1])[0, 0] for i in range(len(X))])

    def __add__(self, other: Any) -> Kernel:
        if isinstance(other, Kernel):
            return Sum((*_flat(self, Sum), *_flat(other, Sum)))
        if isinstance(other, int | float) and other == 0:  # so that `sum(kernels)` works
            return self
        raise BadInput(f"A kernel can be added to a kernel, not to {other!r}.")

    def __mul__(self, other: Any) -> Kernel:
        """Return the product with another kernel, or with a number that is not negative."""
        if isinstance(other, bool) or not isinstance(other, Kernel | int | float | np.number):
            raise BadInput(f"A kernel can be multiplied with a kernel or a number, not with {other!r}.")
        if not isinstance(other, Kernel):
            scale, inner = (self.scale, self.inner) if isinstance(self, Scaled) else (1.0, self)
            return Scaled(inner, scale * float(other))
        inners = [side.inner if isinstance(side, Scaled) else side for side in (self, other)]
        product = Product(tuple(factor for inner in inners for factor in _flat(inner, Product)))
        scales = [side.scale for side in (self, other) if isinstance(side, Scaled)]
        return Scaled(product, prod(scales)) if scales else product

    __radd__ = __add__
    __rmul__ = __mul__

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels this one is made of; none for a base kernel."""
        return ()

    def at(self, path: ParameterPath) -> float:
        """Return the value of a parameter of the composition."""
        step, *rest = path
        value: float = self.parts[step].at(tuple(rest)) if isinstance(step, int) else getattr(self, step)
        return value

    def declared(self, path: ParameterPath) -> Parameter:
        """Return the declaration of a parameter of the composition."""
        step, *rest = path
        return self.parts[step].declared(tuple(rest)) if isinstance(step, int) else self.parameter(step)

    def having(self, path: ParameterPath, value: float) -> Kernel:
        """Return the composition with one of its parameters changed."""
        step, *rest = path
        if not isinstance(step, int):
            return self.replace(**{step: value})
        part = self.parts[step].having(tuple(rest), value)
        return self.with_parts((*self.parts[:step], part, *self.parts[step + 1 :]))

    def with_parts(self, parts: tuple[Kernel, ...]) -> Self:
        """Return the same composition of other kernels."""
        return self

    @property
    def latex_name(self) -> str:
        """The left-hand side of its formula."""
        return "K(s, t)" if self.domain in ("strings", "objects") else "K(x, x')"

    def latex_with_values(self) -> str:
        """Return the formula as LaTeX, with the values of the parameters."""
        return with_values(self.latex, self)


@dataclass(frozen=True)
class VectorKernel(Kernel):
    """A kernel on rows of numbers, (n, p): `checked` returns them as a contiguous float64 array."""

    def checked(self, X: Any) -> Array:
        if isinstance(X, list | tuple) and X and isinstance(X[0], str):
            what = "objects" if isinstance(X[0], GramItem) else "strings"
            raise BadInput(f"{self.name} compares numbers, but these data are {what}.")
        return np.ascontiguousarray(as_points(X))


def _flat(kernel: Kernel, kind: type[Combination]) -> tuple[Kernel, ...]:
    """Return the parts of a composition of that kind, or the kernel alone."""
    return kernel.parts if isinstance(kernel, kind) else (kernel,)


@dataclass(frozen=True)
class Composite(Kernel):
    """A kernel made of kernels, its `parts`.

    Its domain and its properties (positive definite, analytic, stationary) follow from those of its parts.
    The number of base kernels in it and the depth of its parentheses are limited."""

    def __post_init__(self) -> None:
        super().__post_init__()
        domains = {part.domain for part in self.parts}
        if "categories" in domains:  # a category column comes with columns of numbers
            domains -= {"vectors"}
        if len(domains) > 1:
            raise BadInput("A kernel on strings and a kernel on numbers cannot be combined.")
        if _size(self) > MOST_PARTS:
            raise BadInput(f"A kernel may be made of {MOST_PARTS} kernels at most.")
        if _depth(self) > DEEPEST:
            raise BadInput(TOO_DEEP)
        object.__setattr__(self, "domain", domains.pop())
        for claim in ("positive_definite", "analytic", "stationary"):
            object.__setattr__(self, claim, all(getattr(part, claim) for part in self.parts))
        for claim in ("slow", "weights_only"):
            object.__setattr__(self, claim, any(getattr(part, claim) for part in self.parts))
        object.__setattr__(self, "latex", self.formula(lambda part: part.latex))

    @property
    def non_negative(self) -> bool:
        return all(part.non_negative for part in self.parts)

    def checked(self, X: Any) -> Any:
        return next(part for part in self.parts if part.domain == self.domain).checked(X)

    def seen_by(self, part: Kernel, X: Any) -> Any:
        """Return the inputs as a part compares them: kernels on numbers do not see a category column."""
        return X if part.domain == self.domain else X[:, :-1]

    def scaled_to(self, X: Any) -> Self:
        return self.with_parts(tuple(part.scaled_to(self.seen_by(part, X)) for part in self.parts))

    def starts(self, X: Any) -> tuple[Self, ...]:
        of_parts = [part.starts(self.seen_by(part, X)) for part in self.parts]
        most = max(map(len, of_parts))
        return tuple(self.with_parts(tuple(s[min(k, len(s) - 1)] for s in of_parts)) for k in range(most))

    def latex_with_values(self) -> str:
        return self.formula(lambda part: part.latex_with_values())

    def formula(self, of: Callable[[Kernel], str]) -> str:
        """Return the LaTeX of the whole, with `of` giving that of a part."""
        raise NotImplementedError


@dataclass(frozen=True)
class Combination(Composite):
    """At least two kernels joined by an operation on their values: a sum or a product.

    It is kept flat: a sum within a sum becomes part of the outer one. Values, features and derivatives of the
    whole are joined from those of the parts."""

    kernels: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        if len(self.kernels) < 2:
            raise BadInput(f"A {self.title.lower()} needs at least two kernels.")
        flat = tuple(part for kernel in self.kernels for part in _flat(kernel, type(self)))
        object.__setattr__(self, "kernels", flat)
        super().__post_init__()

    @staticmethod
    @abstractmethod
    def joined(arrays: Iterable[Array]) -> Array:
        """Return the values of the whole from those of the parts."""

    @staticmethod
    @abstractmethod
    def joined_features(maps: Sequence[FeatureMap | None]) -> FeatureMap | None:
        """Return the features of the whole from those of the parts, or None if one has none."""

    @property
    def parts(self) -> tuple[Kernel, ...]:
        return self.kernels

    def with_parts(self, parts: tuple[Kernel, ...]) -> Self:
        return self.replace(kernels=parts)

    def gram(self, X: Any, Y: Any) -> Array:
        return self.joined(part.gram(*self._pair_for(part, X, Y)) for part in self.parts)

    def _pair_for(self, part: Kernel, X: Any, Y: Any) -> tuple[Any, Any]:
        """Return two sets of inputs as a part compares them; the same one twice stays the same."""
        seen = self.seen_by(part, X)
        return seen, seen if Y is X else self.seen_by(part, Y)

    def diagonal(self, X: Any) -> Array:
        return self.joined(part.diagonal(self.seen_by(part, X)) for part in self.parts)

    def feature_map(self, p: int) -> FeatureMap | None:
        return self.joined_features([part.feature_map(p) for part in self.parts])

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        return self.joined_features([part.taylor_features(p, degree) for part in self.parts])

    def differentiated(self, pairs: Pairs) -> tuple[Array, Slopes]:
        seen = (pairs if part.domain == self.domain else pairs.of_numbers for part in self.parts)
        found = [part.differentiated(own) for part, own in zip(self.parts, seen, strict=True)]
        values, slopes = zip(*found, strict=True)

        def combined(W: Any, combine: Callable[[Any, Any], Any] = np.vdot) -> dict[ParameterPath, Any]:
            return {
                (i, *path): d
                for i, of in enumerate(slopes)
                for path, d in of(self.weights_of_part(W, values, i), combine).items()
            }

        return self.joined(values), combined

    @abstractmethod
    def weights_of_part(self, W: Array, values: Sequence[Array], i: int) -> Array:
        """Return the weights with which part i enters sum W K; `values` are those of all parts."""


@dataclass(frozen=True)
class Sum(Combination):
    """K(x, x') = K1(x, x') + K2(x, x') + …; the feature maps are stacked."""

    title: ClassVar[str] = "Sum"
    summary_line: ClassVar[str] = "Kernels add up: their feature maps stand side by side."
    looks_like_a_sum: ClassVar[bool] = True
    joined_features = staticmethod(stacked)

    @staticmethod
    def joined(arrays: Iterable[Array]) -> Array:
        return _combined(np.add, arrays)

    def log_gram(self, X: Any, Y: Any) -> Array:
        return _combined(np.logaddexp, (term.log_gram(*self._pair_for(term, X, Y)) for term in self.parts))

    def weights_of_part(self, W: Array, values: Sequence[Array], i: int) -> Array:
        return W

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array | None:
        """Draw from each term in proportion to its share of K(x, x)."""
        drawn = [term.frequencies(p, q, rng) for term in self.parts]
        if any(w is None for w in drawn):
            return None
        shares = np.array([term.diagonal(np.zeros((1, p)))[0] for term in self.parts])
        total = shares.sum()
        chosen = rng.choice(len(drawn), size=q, p=shares / total if total > 0 else None)
        return np.stack([w for w in drawn if w is not None])[chosen, np.arange(q)]

    def expression(self) -> str:
        return " + ".join(term.expression() for term in self.parts)

    def formula(self, of: Callable[[Kernel], str]) -> str:
        return " + ".join(of(term) for term in self.parts)


@dataclass(frozen=True)
class Product(Combination):
    """K(x, x') = K1(x, x') K2(x, x') …; the feature map is the tensor product."""

    title: ClassVar[str] = "Product"
    summary_line: ClassVar[str] = "Kernels multiply: the feature map is the tensor product of theirs."
    joined_features = staticmethod(tensor)

    def __post_init__(self) -> None:
        if any(isinstance(factor, Scaled) for factor in self.kernels):
            raise BadInput("A number belongs in front of the whole product.")
        super().__post_init__()

    @staticmethod
    def joined(arrays: Iterable[Array]) -> Array:
        return _combined(np.multiply, arrays)

    @property
    def non_negative(self) -> bool:
        """True also for a square, whatever is squared."""
        return all(factor.non_negative or self.parts.count(factor) % 2 == 0 for factor in self.parts)

    def log_gram(self, X: Any, Y: Any) -> Array:
        if not super().non_negative:
            return Kernel.log_gram(self, X, Y)
        return _combined(np.add, (factor.log_gram(*self._pair_for(factor, X, Y)) for factor in self.parts))

    def weights_of_part(self, W: Array, values: Sequence[Array], i: int) -> Array:
        return np.asarray(W * self.joined(K for j, K in enumerate(values) if j != i))

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array | None:
        """Add the frequencies of the factors: cosines multiply as frequencies add."""
        drawn = [factor.frequencies(p, q, rng) for factor in self.parts]
        known = [w for w in drawn if w is not None]
        return np.sum(known, axis=0) if len(known) == len(drawn) else None

    def expression(self) -> str:
        return "*".join(_enclosed(factor, factor.expression(), "({})".format) for factor in self.parts)

    def formula(self, of: Callable[[Kernel], str]) -> str:
        return r" \, ".join(_enclosed(factor, of(factor), fenced) for factor in self.parts)


@dataclass(frozen=True)
class Scaled(Composite):
    """K(x, x') = a K1(x, x') with a >= 0; the features are multiplied by sqrt(a)."""

    title: ClassVar[str] = "Multiple"
    summary_line: ClassVar[str] = "A kernel times a number that is not negative: its weight in a sum."
    inner: Kernel
    scale: float = real(1.0, low=0.0, high=1e12, soft=(0.0, 10.0), label="a", help="Weight of this kernel")

    def __post_init__(self) -> None:
        if isinstance(self.inner, Scaled):
            raise BadInput("Multiply the two numbers in front of a kernel into one.")
        if isinstance(self.scale, int | float) and not 0 <= self.scale <= self.parameter("scale").high:
            reason = "It would no longer be positive semi-definite." if self.scale < 0 else ""
            raise BadInput(
                "A kernel may be scaled by zero or a positive number up to 1e+12, "
                f"not by {number(self.scale)}. {reason}".rstrip()
            )
        super().__post_init__()

    @property
    def parts(self) -> tuple[Kernel, ...]:
        return (self.inner,)

    def with_parts(self, parts: tuple[Kernel, ...]) -> Self:
        return self.replace(inner=parts[0])

    def gram(self, X: Any, Y: Any) -> Array:
        return self.scale * self.inner.gram(X, Y)

    def log_gram(self, X: Any, Y: Any) -> Array:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.scale) + self.inner.log_gram(X, Y))

    def differentiated(self, pairs: Pairs) -> tuple[Array, Slopes]:
        K, of = self.inner.differentiated(pairs)

        def slopes(W: Any, combine: Callable[[Any, Any], Any] = np.vdot) -> dict[ParameterPath, Any]:
            inner = {(0, *path): self.scale * d for path, d in of(W, combine).items()}
            return {("scale",): combine(W, K), **inner}

        return self.scale * K, slopes

    def feature_map(self, p: int) -> FeatureMap | None:
        return scaled(self.inner.feature_map(p), self.scale)

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        return scaled(self.inner.taylor_features(p, degree), self.scale)

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array | None:
        return self.inner.frequencies(p, q, rng)

    def diagonal(self, X: Any) -> Array:
        return self.scale * self.inner.diagonal(X)

    def expression(self) -> str:
        return f"{number(self.scale)}*{_enclosed(self.inner, self.inner.expression(), '({})'.format)}"

    def formula(self, of: Callable[[Kernel], str]) -> str:
        inner = _enclosed(self.inner, of(self.inner), fenced)
        times = r"\cdot" if inner[:1].isdigit() else r"\,"
        return f"{latex_number(self.scale)} {times} {inner}"


def _enclosed(kernel: Kernel, text: str, enclose: Callable[[str], str]) -> str:
    """Return the text of a factor, in parentheses if it is a sum."""
    return enclose(text) if kernel.looks_like_a_sum else text


def _size(kernel: Kernel) -> int:
    """Return the number of base kernels it is made of."""
    return sum(map(_size, kernel.parts)) or 1


def _depth(kernel: Kernel) -> int:
    """Return how deeply parentheses are nested: there is one around every sum that is a part."""
    return max((_depth(part) + isinstance(part, Sum) for part in kernel.parts), default=0)


def _combined(operation: Callable[[Array, Array], Array], arrays: Iterable[Array]) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        return reduce(operation, arrays)
