"""The base class of every kernel, and the closure rules: sums, products and multiples of kernels are kernels.

Compositions are written with `+` and `*`, in Python as in expressions. Sums and products are kept flat and a
number in front of a product is pulled to its left, so that every composition has one shape and one way to be
printed. The number of kernels in a composition and the depth of its parentheses are limited."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices, as_points, comparable, is_single_point
from kernelviz.engine.core.data import Domain
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, Parameter, number, real
from kernelviz.engine.kernels.features import FeatureMap, scaled, stacked, tensor
from kernelviz.engine.kernels.latex import fenced, latex_number, with_values
from kernelviz.engine.kernels.pairs import Pairs

# The row of a Gram matrix at one place, or those at several.
MakeRows: TypeAlias = Callable[[int | Indices], Array]


class QuickRows(NamedTuple):
    """A faster way to rows of a Gram matrix, and by how much its entries typically differ from K(x, x')."""

    make: MakeRows
    error: float


# Where a parameter is in a composition: which part, which part of that, …, and its name.
ParameterPath: TypeAlias = tuple[int | str, ...]

# From weights on the pairs of points to the derivatives of the weighted sum of K.
Slopes: TypeAlias = Callable[[Array], dict[ParameterPath, float]]

LARGEST_VALUE = 1e100  # No kernel value beyond this enters a computation: its square must still be a number.
# No coordinate beyond this: squared distances, and some hundred columns of them, must still be numbers.
FARTHEST = 1e140
# Entries of a Gram matrix computed at a time, so that temporaries stay in the cache.
ENTRIES_AT_A_TIME = 1 << 16


@dataclass(frozen=True)
class Kernel(Declared):
    """K(x, x') on any kind of input.

    `k(X, Y=None)` is the Gram matrix of shape (len(X), len(Y)). For two single points, given as flat lists of
    their coordinates, `k(x, y)` is the number K(x, y): scikit-learn calls kernels in both ways.

    A subclass implements `gram`. All other methods are optional: they let a kernel offer explicit
    features, random features, derivatives by its parameters, or a width that suits the data."""

    domain: ClassVar[Domain] = "vectors"
    # False when the kernel is known to be indefinite for some points (sigmoid).
    positive_definite: ClassVar[bool] = True
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

    def rows_of(self, X: Any) -> QuickRows | None:
        """Return a faster function for rows of the Gram matrix of X, or None; it is exact to nearly all
        digits, and says how exact."""
        return None

    def __call__(self, X: Any, Y: Any = None) -> Array:
        if self.domain == "vectors" and is_single_point(Y) and is_single_point(X):
            return self([X], [Y])[0, 0, ...]
        X = self.checked(X)
        with np.errstate(over="ignore", invalid="ignore"):  # reported below, in words
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

        return add(self, other)

    def __mul__(self, other: Any) -> Kernel:

        return multiply(self, other)

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
        return "K(s, t)" if self.domain == "strings" else "K(x, x')"

    def latex_with_values(self) -> str:
        """Return the formula as LaTeX, with the values of the parameters."""
        return with_values(self.latex, self)

    def differentiated(self, pairs: Pairs) -> tuple[Array, Slopes]:
        """Return K at all pairs, and a function from weights W to sum W dK/dθ for each tunable θ."""
        K = pairs.each(self.gram)
        return K, self._weighed(pairs, K, K)

    def _weighed(self, pairs: Pairs, u: Array, K: Array) -> Slopes:
        return lambda W: {(name,): float(np.vdot(W, d)) for name, d in self.slopes(pairs, u, K).items()}

    # Optional hooks -----------------------------------------------------------------------------------
    def feature_map(self, p: int) -> FeatureMap | None:
        """Return phi with phi(x)·phi(x') = K(x, x') for inputs of p columns, or None if it is not finite."""
        return None

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        """Return the features of K's power series up to a degree; all of them if they are finitely many."""
        return self.feature_map(p)

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array | None:
        """Return (q, p) frequencies w drawn from the kernel's spectral density, or None if it has none.

        E cos(w·(x - x')) = K(x, x')/K(x, x)."""
        return None

    def scaled_to(self, X: Any) -> Self:
        """Return the kernel with its width set by the median heuristic on X; itself if it has no width."""
        return self

    def starts(self, X: Any) -> tuple[Self, ...]:
        """Return kernels from which a search for its parameters may start, whatever they are now.

        There is more than one where the likelihood has many maxima."""
        return (self.scaled_to(X),)

    @property
    def non_negative(self) -> bool:
        """Whether K is nowhere negative, so that its values can be the weights of a mean."""
        return False

    def log_gram(self, X: Any, Y: Any) -> Array:
        """Return ln K(X_i, Y_j) for a non-negative kernel, also where K itself would underflow."""
        with np.errstate(divide="ignore"):
            return np.log(self.gram(X, Y))

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        """Return dK/dθ at all pairs, by the name of each real parameter θ.

        u is the statistic that K is a function of there, such as x·x'."""
        return {}


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


MOST_PARTS = 64  # Base kernels in a composition: each costs a Gram matrix, a field and a term of the formula.
DEEPEST = 12  # Parentheses within each other.
TOO_DEEP = f"Parentheses may be nested {DEEPEST} deep at most."


def add(left: Kernel, right: Any) -> Kernel:
    """Return left + right; zero is allowed so that `sum(kernels)` works."""
    if isinstance(right, Kernel):
        return Sum((*_flat(left, Sum), *_flat(right, Sum)))
    if isinstance(right, int | float) and right == 0:
        return left
    raise BadInput(f"A kernel can be added to a kernel, not to {right!r}.")


def multiply(left: Kernel, right: Any) -> Kernel:
    """Return left * right, for two kernels or a kernel and a non-negative number."""
    if isinstance(right, bool) or not isinstance(right, Kernel | int | float | np.number):
        raise BadInput(f"A kernel can be multiplied with a kernel or a number, not with {right!r}.")
    factors: list[Kernel] = []
    scale, scaled = 1.0, False
    for side in (left, right):
        if isinstance(side, Kernel):
            scaled |= isinstance(side, Scaled)
            scale *= side.scale if isinstance(side, Scaled) else 1.0
            factors += _flat(side.inner if isinstance(side, Scaled) else side, Product)
        else:
            scaled = True
            scale *= float(side)
    product = factors[0] if len(factors) == 1 else Product(tuple(factors))
    return Scaled(product, scale) if scaled else product


def _flat(kernel: Kernel, kind: type[Sum] | type[Product]) -> tuple[Kernel, ...]:
    return kernel.parts if isinstance(kernel, kind) else (kernel,)


@dataclass(frozen=True)
class Composite(Kernel):
    """A kernel made of kernels. Its properties (definiteness, domain) follow from its parts."""

    def __post_init__(self) -> None:
        super().__post_init__()
        domains = {part.domain for part in self.parts}
        if len(domains) > 1:
            raise BadInput("A kernel on strings and a kernel on numbers cannot be combined.")
        if _size(self) > MOST_PARTS:
            raise BadInput(f"A kernel may be made of {MOST_PARTS} kernels at most.")
        if _depth(self) > DEEPEST:
            raise BadInput(TOO_DEEP)
        object.__setattr__(self, "domain", domains.pop())
        for claim in ("positive_definite", "analytic", "stationary"):
            object.__setattr__(self, claim, all(getattr(part, claim) for part in self.parts))
        object.__setattr__(self, "slow", any(part.slow for part in self.parts))
        object.__setattr__(self, "latex", self.formula(lambda part: part.latex))

    @property
    def non_negative(self) -> bool:
        return all(part.non_negative for part in self.parts)

    def checked(self, X: Any) -> Any:
        return self.parts[0].checked(X)

    def scaled_to(self, X: Any) -> Self:
        return self.with_parts(tuple(part.scaled_to(X) for part in self.parts))

    def starts(self, X: Any) -> tuple[Self, ...]:
        of_parts = [part.starts(X) for part in self.parts]
        most = max(map(len, of_parts))
        return tuple(self.with_parts(tuple(s[min(k, len(s) - 1)] for s in of_parts)) for k in range(most))

    def latex_with_values(self) -> str:
        return self.formula(lambda part: part.latex_with_values())

    def formula(self, of: Callable[[Kernel], str]) -> str:
        """Return the LaTeX of the whole, with `of` giving that of a part."""
        raise NotImplementedError


@dataclass(frozen=True)
class Sum(Composite):
    """K(x, x') = K1(x, x') + K2(x, x') + …; the feature maps are stacked."""

    title: ClassVar[str] = "Sum"
    summary_line: ClassVar[str] = "Kernels add up: their feature maps stand side by side."
    looks_like_a_sum: ClassVar[bool] = True
    terms: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        _needs_two(self.terms, "sum")
        object.__setattr__(self, "terms", tuple(t for term in self.terms for t in _flat(term, Sum)))
        super().__post_init__()

    @property
    def parts(self) -> tuple[Kernel, ...]:
        return self.terms

    def with_parts(self, parts: tuple[Kernel, ...]) -> Self:
        return self.replace(terms=parts)

    def gram(self, X: Any, Y: Any) -> Array:
        return _combined(np.add, (term.gram(X, Y) for term in self.terms))

    def log_gram(self, X: Any, Y: Any) -> Array:
        return _combined(np.logaddexp, (term.log_gram(X, Y) for term in self.terms))

    def differentiated(self, pairs: Pairs) -> tuple[Array, Slopes]:
        known = [term.differentiated(pairs) for term in self.terms]

        def slopes(W: Array) -> dict[ParameterPath, float]:
            return {(i, *path): d for i, (_, of) in enumerate(known) for path, d in of(W).items()}

        return _combined(np.add, (K for K, _ in known)), slopes

    def feature_map(self, p: int) -> FeatureMap | None:
        return stacked([term.feature_map(p) for term in self.terms])

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        return stacked([term.taylor_features(p, degree) for term in self.terms])

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array | None:
        """Draw from each term in proportion to its share of K(x, x)."""
        drawn = [term.frequencies(p, q, rng) for term in self.terms]
        if any(w is None for w in drawn):
            return None
        shares = np.array([term.diagonal(np.zeros((1, p)))[0] for term in self.terms])
        total = shares.sum()
        chosen = rng.choice(len(drawn), size=q, p=shares / total if total > 0 else None)
        return np.stack([w for w in drawn if w is not None])[chosen, np.arange(q)]

    def diagonal(self, X: Any) -> Array:
        return _combined(np.add, (term.diagonal(X) for term in self.terms))

    def expression(self) -> str:
        return " + ".join(term.expression() for term in self.terms)

    def formula(self, of: Callable[[Kernel], str]) -> str:
        return " + ".join(of(term) for term in self.terms)


@dataclass(frozen=True)
class Product(Composite):
    """K(x, x') = K1(x, x') K2(x, x') …; the feature map is the tensor product."""

    title: ClassVar[str] = "Product"
    summary_line: ClassVar[str] = "Kernels multiply: the feature map is the tensor product of theirs."
    factors: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        _needs_two(self.factors, "product")
        if any(isinstance(factor, Scaled) for factor in self.factors):
            raise BadInput("A number belongs in front of the whole product.")
        object.__setattr__(self, "factors", tuple(f for part in self.factors for f in _flat(part, Product)))
        super().__post_init__()

    @property
    def parts(self) -> tuple[Kernel, ...]:
        return self.factors

    def with_parts(self, parts: tuple[Kernel, ...]) -> Self:
        return self.replace(factors=parts)

    @property
    def non_negative(self) -> bool:
        """A square is not negative either, whatever is squared."""
        return all(factor.non_negative or self.factors.count(factor) % 2 == 0 for factor in self.factors)

    def gram(self, X: Any, Y: Any) -> Array:
        return _combined(np.multiply, (factor.gram(X, Y) for factor in self.factors))

    def log_gram(self, X: Any, Y: Any) -> Array:
        if not super().non_negative:
            return Kernel.log_gram(self, X, Y)
        return _combined(np.add, (factor.log_gram(X, Y) for factor in self.factors))

    def differentiated(self, pairs: Pairs) -> tuple[Array, Slopes]:
        known = [factor.differentiated(pairs) for factor in self.factors]

        def slopes(W: Array) -> dict[ParameterPath, float]:
            found: dict[ParameterPath, float] = {}
            for i, (_, of) in enumerate(known):
                others = _combined(np.multiply, (K for j, (K, _) in enumerate(known) if j != i))
                found |= {(i, *path): d for path, d in of(W * others).items()}
            return found

        return _combined(np.multiply, (K for K, _ in known)), slopes

    def feature_map(self, p: int) -> FeatureMap | None:
        return tensor([factor.feature_map(p) for factor in self.factors])

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        return tensor([factor.taylor_features(p, degree) for factor in self.factors])

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array | None:
        """Add the frequencies of the factors: cosines multiply as frequencies add."""
        drawn = [factor.frequencies(p, q, rng) for factor in self.factors]
        known = [w for w in drawn if w is not None]
        return np.sum(known, axis=0) if len(known) == len(drawn) else None

    def diagonal(self, X: Any) -> Array:
        return _combined(np.multiply, (factor.diagonal(X) for factor in self.factors))

    def expression(self) -> str:
        return "*".join(_enclosed(factor, factor.expression(), "({})".format) for factor in self.factors)

    def formula(self, of: Callable[[Kernel], str]) -> str:
        return r" \, ".join(_enclosed(factor, of(factor), fenced) for factor in self.factors)


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

        def slopes(W: Array) -> dict[ParameterPath, float]:
            inner = {(0, *path): self.scale * d for path, d in of(W).items()}
            return {("scale",): float(np.vdot(W, K)), **inner}

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
        return f"{latex_number(self.scale)} \\, {_enclosed(self.inner, of(self.inner), fenced)}"


def _enclosed(kernel: Kernel, text: str, enclose: Callable[[str], str]) -> str:
    """Return the text of a factor, in parentheses if it is a sum."""
    return enclose(text) if kernel.looks_like_a_sum else text


def _size(kernel: Kernel) -> int:
    """Return the number of base kernels it is made of."""
    return sum(map(_size, kernel.parts)) or 1


def _depth(kernel: Kernel) -> int:
    """Return how deeply parentheses are nested: there is one around every sum that is a part."""
    return max((_depth(part) + isinstance(part, Sum) for part in kernel.parts), default=0)


def _needs_two(parts: tuple[Kernel, ...], what: str) -> None:
    if len(parts) < 2:
        raise BadInput(f"A {what} needs at least two kernels.")


def _combined(operation: Callable[[Array, Array], Array], arrays: Iterable[Array]) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        return reduce(operation, arrays)
