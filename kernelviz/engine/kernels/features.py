r"""Explicit feature maps: phi(x) as a matrix, (n, q), whose columns have names in LaTeX.

    phi = Polynomial(degree=2).feature_map(2)
    phi.names        # ("1", r"\sqrt{2}\, x_1", …, "x_2^{2}")
    phi(X)           # (n, 6), with phi(X) @ phi(X).T == Polynomial(degree=2)(X) up to rounding

Feature maps of sums of kernels are stacked, those of products multiplied (the tensor product)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from itertools import combinations_with_replacement, zip_longest
from math import comb, factorial, isqrt, prod
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array, as_points
from kernelviz.engine.core.errors import BadInput

POWER = re.compile(r"x_\{?(\d+)\}?(?:\^\{(\d+)\})?")
NAME = re.compile(rf"(?:\\sqrt\{{(\d+)\}}|([\d.]+(?:e[+-]?\d+)?))?(?:\\, )?((?:{POWER.pattern} ?)*)")
MOST_FEATURES = 20_000  # A feature map with more features than this is not worth writing out.


@dataclass(frozen=True)
class FeatureMap:
    """phi: (n, p) -> (n, q) with a LaTeX name for each of the q features.

    Calling it checks the inputs and refuses features too large to compute with; `compute` does neither."""

    names: tuple[str, ...]
    compute: Callable[[Array], Array]

    @property
    def q(self) -> int:
        """The number of features."""
        return len(self.names)

    def __call__(self, X: Any) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            phi = self.compute(as_points(X))
        # No feature beyond this: inner products, and their squares, must still be numbers.
        largest_feature = 1e50
        if phi.size and not np.abs(phi).max() <= largest_feature:
            raise BadInput("The features of these points are too large to compute with. Scale the inputs.")
        return phi

    def on_grid(self, weights: Array, x1: Array, x2: Array) -> Array:
        """Return F[k, l] = sum_j weights_j phi_j(x1_l, x2_k), of shape (len(x2), len(x1))."""
        F = np.empty((len(x2), len(x1)))
        for k, height in enumerate(x2):
            F[k] = self.compute(np.column_stack([x1, np.full(len(x1), height)])) @ weights
        return F


def exponential_coefficients(rate: float, degree: int) -> Array:
    """Return rate^m / m! for m = 0..degree, the Taylor coefficients of exp(rate t)."""
    return np.array([rate**m / factorial(m) for m in range(degree + 1)])


def monomials(coefficients: Array, p: int) -> FeatureMap | None:
    """Return the features of K = sum_m c_m (x·x')^m in p inputs, c_m >= 0, or None if there are too many.

    Every monomial x^e of degree m has weight sqrt(c_m m!/(e_1! … e_p!)), by the multinomial theorem."""
    degrees = [m for m, c in enumerate(coefficients) if c > 0]
    if sum(comb(p + m - 1, m) for m in degrees) > MOST_FEATURES:
        return None
    exponents = [e for m in degrees for e in _exponents(p, m)]
    return _weighted(
        exponents,
        [float(coefficients[sum(e)]) * (factorial(sum(e)) // prod(map(factorial, e))) for e in exponents],
    )


def different_products(p: int, degree: int) -> int:
    """Return C(p + d, d), the number of monomials of degree up to d in p inputs."""
    return comb(p + degree, degree)


def ordered_products(p: int, degree: int) -> int:
    """Return 1 + p + … + p^d, the number of products of up to d inputs if their order counts."""
    return sum(p**m for m in range(degree + 1))


def plain_monomials(p: int, degree: int) -> FeatureMap | None:
    """Return all monomials of degree 1 to `degree` in p inputs, unweighted, or None if there are too many."""
    if different_products(p, degree) - 1 > MOST_FEATURES:
        return None
    exponents = [e for m in range(1, degree + 1) for e in _exponents(p, m)]
    return _weighted(exponents, [1.0] * len(exponents))


def _weighted(exponents: Sequence[tuple[int, ...]], squares: Sequence[float]) -> FeatureMap:
    """Return the monomials x^e, each times the root of its square."""
    names = tuple(_name(square, e) for square, e in zip(squares, exponents, strict=True))
    return FeatureMap(names, partial(_monomials, exponents, np.sqrt(squares)))


def _monomials(exponents: Sequence[tuple[int, ...]], weights: Array, X: Array) -> Array:
    """Return the monomials x^e of every row of X, each times its weight."""
    highest = max((max(e, default=0) for e in exponents), default=0)
    powers = np.stack([X**m for m in range(highest + 1)])
    columns = [prod((powers[k][:, j] for j, k in enumerate(e)), start=np.ones(len(X))) for e in exponents]
    return np.stack(columns, axis=1) * weights if columns else np.empty((len(X), 0))


def _exponents(p: int, m: int) -> list[tuple[int, ...]]:
    """Return all (e_1, …, e_p) that add up to m, x_1 first."""
    return [tuple(chosen.count(j) for j in range(p)) for chosen in combinations_with_replacement(range(p), m)]


def _name(square: float, exponents: Sequence[int]) -> str:
    r"""Return the LaTeX name of the feature: \sqrt{2}\, x_1 x_2."""
    factors = [f"x_{{{j + 1}}}" if j > 8 else f"x_{j + 1}" for j in range(len(exponents))]
    monomial = " ".join(f"{x}^{{{e}}}" if e > 1 else x for x, e in zip(factors, exponents, strict=True) if e)
    weight = _root(square)
    if not monomial:
        return weight
    return monomial if weight == "1" else rf"{weight}\, {monomial}"


def _root(square: float) -> str:
    r"""Return the root of a number as LaTeX: 2, \sqrt{2}, or 1.41 unless the number is whole."""
    if square == int(square) and square < 1e6:
        whole = isqrt(int(square))
        return str(whole) if whole * whole == square else rf"\sqrt{{{int(square)}}}"
    return f"{np.sqrt(square):.3g}"


def stacked(maps: Sequence[FeatureMap | None]) -> FeatureMap | None:
    """Return the features of a sum of kernels: those of all terms, side by side; None if one has none."""
    known = [m for m in maps if m is not None]
    if len(known) < len(maps):
        return None
    names = tuple(name for m in known for name in m.names)
    return FeatureMap(names, lambda X: np.hstack([m.compute(X) for m in known]))


def tensor(maps: Sequence[FeatureMap | None]) -> FeatureMap | None:
    """Return the features of a product of kernels: every product of one feature of each.

    None if one of them has none, or there would be more than MOST_FEATURES."""
    known = [m for m in maps if m is not None]
    if len(known) < len(maps) or prod(m.q for m in known) > MOST_FEATURES:
        return None
    names = known[0].names
    for other in known[1:]:
        names = tuple(_product_name(left, right) for left in names for right in other.names)

    def compute(X: Array) -> Array:
        def product(left: Array, right: Array) -> Array:
            return np.asarray(np.einsum("ni,nj->nij", left, right)).reshape(len(X), -1)

        return reduce(product, (m.compute(X) for m in known))

    return FeatureMap(names, compute)


@lru_cache(maxsize=MOST_FEATURES)  # solvers ask for the same map again and again
def _product_name(left: str, right: str) -> str:
    r"""Return the name of a product: x_1 times \sqrt{2}\, x_1 is \sqrt{2}\, x_1^{2}; other names are
    juxtaposed."""
    first, second = _monomial(left), _monomial(right)
    if first is None or second is None:
        return r"\, ".join(name for name in (left, right) if name != "1") or "1"
    exponents = [a + b for a, b in zip_longest(first[1], second[1], fillvalue=0)]
    return _name(first[0] * second[0], exponents)


@lru_cache(maxsize=1024)
def _monomial(name: str) -> tuple[float, list[int]] | None:
    """Return the squared weight and the exponents behind a name made by `_name`, or None for other names."""
    found = NAME.fullmatch(name)
    if found is None:
        return None
    root, number, monomial = found.group(1, 2, 3)
    powers = {int(j): int(e or 1) for j, e in POWER.findall(monomial)}
    square = float(root) if root else float(number or 1) ** 2
    return square, [powers.get(j, 0) for j in range(1, max(powers, default=0) + 1)]


def scaled(inner: FeatureMap | None, scale: float) -> FeatureMap | None:
    """Return the features of a multiple of a kernel: each multiplied by sqrt(a)."""
    if inner is None or scale == 1:
        return inner
    root = _root(scale)
    return FeatureMap(
        tuple(_product_name(root, name) for name in inner.names),
        lambda X: np.sqrt(scale) * inner.compute(X),
    )
