"""Explicit feature maps: phi(x) as a matrix whose columns have names; exact ones, and random cosines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, zip_longest
from math import comb, factorial, isqrt, prod
from typing import Any, Protocol

import numpy as np

from kernelviz.engine.core.arrays import Array, as_points
from kernelviz.engine.core.errors import BadInput

LARGEST_FEATURE = 1e50  # No feature beyond this: inner products, and their squares, must still be numbers.
POWER = re.compile(r"x_\{?(\d+)\}?(?:\^\{(\d+)\})?")
NAME = re.compile(rf"(?:\\sqrt\{{(\d+)\}}|([\d.]+(?:e[+-]?\d+)?))?(?:\\, )?((?:{POWER.pattern} ?)*)")
MOST_FEATURES = 20_000  # A feature map with more features than this is not worth writing out.


@dataclass(frozen=True)
class FeatureMap:
    """phi: (n, p) -> (n, q) with a LaTeX name for each of the q features."""

    names: tuple[str, ...]
    compute: Callable[[Array], Array]

    @property
    def q(self) -> int:
        """The number of features."""
        return len(self.names)

    def __call__(self, X: Any) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            phi = self.compute(as_points(X))
        if phi.size and not np.abs(phi).max() <= LARGEST_FEATURE:
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
    weights = np.sqrt(squares)
    highest = max((max(e, default=0) for e in exponents), default=0)

    def compute(X: Array) -> Array:
        powers = np.stack([X**m for m in range(highest + 1)])
        columns = [prod((powers[k][:, j] for j, k in enumerate(e)), start=np.ones(len(X))) for e in exponents]
        return np.stack(columns, axis=1) * weights if columns else np.empty((len(X), 0))

    return FeatureMap(tuple(_name(square, e) for square, e in zip(squares, exponents, strict=True)), compute)


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
    if square == int(square) and square < 1e6:
        whole = isqrt(int(square))
        return str(whole) if whole * whole == square else rf"\sqrt{{{int(square)}}}"
    return f"{np.sqrt(square):.3g}"


def stacked(maps: Sequence[FeatureMap | None]) -> FeatureMap | None:
    """Return the features of a sum of kernels: those of all terms, side by side."""
    known = [m for m in maps if m is not None]
    if len(known) < len(maps):
        return None
    names = tuple(name for m in known for name in m.names)
    return FeatureMap(names, lambda X: np.hstack([m.compute(X) for m in known]))


def tensor(maps: Sequence[FeatureMap | None]) -> FeatureMap | None:
    """Return the features of a product of kernels: every product of one feature of each."""
    known = [m for m in maps if m is not None]
    if len(known) < len(maps) or prod(m.q for m in known) > MOST_FEATURES:
        return None
    first, *others = known
    names, compute = first.names, first.compute
    for other in others:
        names = tuple(_product_name(left, right) for left in names for right in other.names)
        compute = _product(compute, other.compute)
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


def _product(left: Callable[[Array], Array], right: Callable[[Array], Array]) -> Callable[[Array], Array]:
    def compute(X: Array) -> Array:
        return np.asarray(np.einsum("ni,nj->nij", left(X), right(X))).reshape(len(X), -1)

    return compute


def scaled(inner: FeatureMap | None, scale: float) -> FeatureMap | None:
    """Return the features of a multiple of a kernel: each multiplied by sqrt(a)."""
    if inner is None or scale == 1:
        return inner
    root = _root(scale)
    return FeatureMap(
        tuple(_product_name(root, name) for name in inner.names),
        lambda X: np.sqrt(scale) * inner.compute(X),
    )


class Spectral(Protocol):
    """A kernel whose spectral density can be sampled."""

    def __call__(self, X: Any, Y: Any = None) -> Array: ...

    def checked(self, X: Any) -> Any: ...

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array | None: ...

    def diagonal(self, X: Any) -> Array: ...


@dataclass(frozen=True, eq=False)
class RandomCosines(FeatureMap):
    """phi_j(x) = height cos(w_j·x + u_j), with height = sqrt(2 K(0)/q)."""

    frequencies: Array
    phases: Array
    height: float

    @classmethod
    def draw(
        cls, kernel: Spectral, X: Array, q: int, rng: np.random.Generator, shifted: bool = True
    ) -> RandomCosines:
        """Draw q frequencies from the kernel's spectral density, and phases uniformly on a full turn; not
        shifted, all phases are 0."""
        W = kernel.frequencies(X.shape[1], q, rng)
        if W is None:
            raise BadInput(
                f"{kernel} has no spectral density, so there are no random features for it. "
                "Choose a kernel of the difference x - x', such as rbf."
            )
        phases = rng.uniform(0.0, 2 * np.pi, q) if shifted else np.zeros(q)
        height = float(np.sqrt(2.0 * kernel.diagonal(X[:1])[0] / q))
        names = tuple(rf"\cos(w_{{{j + 1}}} \cdot x + u_{{{j + 1}}})" for j in range(q))

        def compute(points: Array) -> Array:
            return np.asarray(height * np.cos(points @ W.T + phases))

        return cls(names, compute, W, phases, height)

    def on_grid(self, weights: Array, x1: Array, x2: Array) -> Array:
        # cos(a + c) = cos a cos c - sin a sin c separates the two axes: 2 G q cosines instead of G^2 q.
        a = np.outer(x1, self.frequencies[:, 0]) + self.phases
        c = np.outer(x2, self.frequencies[:, 1])
        w = self.height * weights
        return np.asarray((np.cos(c) * w) @ np.cos(a).T - (np.sin(c) * w) @ np.sin(a).T)


@dataclass(frozen=True)
class ApproximationError:
    """Errors of phi(x)·phi(x') against K(x, x') over all pairs; both shrink as 1/sqrt(q)."""

    q: int
    root_mean_square: float
    largest: float


def approximation_error(kernel: Spectral, X: Any, q: int, seed: int = 0) -> ApproximationError:
    """Compare q random features with the kernel on the rows of X."""
    points: Array = kernel.checked(X)
    phi = RandomCosines.draw(kernel, points, q, np.random.Generator(np.random.PCG64(seed)))(points)
    error = phi @ phi.T - kernel(points)
    return ApproximationError(q, float(np.sqrt(np.mean(error**2))), float(np.abs(error).max()))


def expected_error(kernel: Spectral, X: Any, q: int) -> float:
    """Return the expected root mean square error: sqrt(mean of (K0² + K0 K(2x, 2x')/2 - K(x, x')²)/q).

    2 cos(a) cos(a') = cos(a - a') + cos(a + a'); over a full turn of the phase the mean of its square is E
    cos²(w·d) + 1/2, and cos² t = (1 + cos 2t)/2."""
    points: Array = kernel.checked(X)
    top = float(kernel.diagonal(points[:1])[0])
    variance = top * top + 0.5 * top * kernel(2.0 * points) - kernel(points) ** 2
    return float(np.sqrt(max(0.0, float(variance.mean())) / q))


FAR, NODES = (
    1e-5,
    4097,
)  # A share of K(x, x) that counts as nothing, and the nodes of an integral up to there.


def along_first_axis(kernel: Spectral, p: int, distances: Array) -> Array:
    """Return K(x, x')/K(x, x) for two inputs of p numbers that differ by each distance in the first one."""
    places, origin = np.zeros((len(distances), p)), np.zeros((1, p))
    places[:, 0] = distances
    return np.asarray(kernel(places, origin)[:, 0] / kernel.diagonal(origin)[0])


def mean_of_cosines(frequencies: Array, distances: Array) -> Array:
    """Return (1/q) sum_j cos(w_j d) for each distance d; as q grows it tends to `along_first_axis`."""
    return np.asarray(np.cos(np.outer(distances, frequencies)).mean(axis=1))


def spectral_density(kernel: Spectral, p: int, frequencies: Array) -> Array | None:
    """Return the density, at each frequency w, of what random cosines draw for the first input: (1/pi) times
    the integral of K(d)/K(0) cos(w d) over d > 0. By Bochner's theorem it is never negative.

    None for a kernel that does not fall to 0, such as a periodic one, whose frequencies are discrete."""
    reaches = 2.0 ** np.arange(-20, 21)
    beyond = np.outer(reaches, np.linspace(1.0, 4.0, 49))
    values = np.abs(along_first_axis(kernel, p, beyond.ravel())).reshape(beyond.shape)
    large = np.flatnonzero((values >= FAR).any(axis=1))
    if not len(large) or large[-1] + 1 == len(reaches):
        return None
    d = np.linspace(0.0, reaches[large[-1] + 1], NODES)
    K = along_first_axis(kernel, p, d)
    K[[0, -1]] *= 0.5  # the trapezium rule
    return np.asarray(np.cos(np.outer(frequencies, d)) @ K * (d[1] / np.pi))
