"""Fields of Matérn kernels, written as Gaussians of many widths, each evaluated where it costs least.

F[k, l] = sum_m c_m sum_i w_i exp(-r_m (x2_k - a_i2)²) exp(-r_m (x1_l - a_i1)²): a product of two thin
matrices for each width m. Wide Gaussians are smooth: they are added up on the coarsest of some Chebyshev
grids that will do, and interpolated. Narrow ones reach only the nodes around each point. The few in between
need every node. How coarse and how far follows from bounds on the error, the cheapest way from a count of
operations.

Measured against the direct sum on 200 x 200 nodes: 200 points up to 2.8 times as fast, 1000 points 2 to 3.4.
"""

from __future__ import annotations

import cmath
from collections.abc import Iterator
from dataclasses import dataclass
from math import lgamma, log, pi, sqrt

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.fields.direct import Sources
from kernelviz.engine.fields.interpolation import basis, chebyshev_nodes, transform
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.matern import Matern
from kernelviz.engine.kernels.vectors import squared_differences

TOLERANCE = 1.2e-10  # How wrong each approximation may be, compared with max|F|.
ROUNDING = 1e-13  # No sum is more exact than this, compared with sum |w_i|.
MOST_SQUARINGS = 8  # Each doubles the relative error, so that exp is asked again after some.
# Smaller factors are raised to this: they change nothing, but tiny floats would slow the products down.
LEAST = 1e-100
DEGREES = (18, 36, 72, 144, 288)  # Of the Chebyshev grids.
WORTHWHILE = 1.8  # The grid must have this many times more nodes than a coarser one.
SEEN = 32  # Nodes where the field is computed beforehand, to know its size.
POINTS_AT_A_TIME = 512  # Points at a time, so that their factors stay in the cache.
VALUES = 1 << 17  # Values around points at a time, for the same reason.

# What things cost, compared with exp.
VALUE = 1.4  # A value of the kernel
PRODUCT = 1 / 80  # A multiplication and an addition within a product of matrices
SMALL_PRODUCT = 1 / 30  # The same within products of small matrices
SQUARE = 1 / 6
SPREAD = 0.7  # Adding a value to its place on the grid
START = 1.8e5  # Before anything is added up


@dataclass(frozen=True)
class Gaussians:
    """sum_m c_m exp(-r_m |x - x'|²), r_{m+k} = 2 r_m: the narrower is the wider one squared."""

    rates: Array  # r_m > 0, ascending
    weights: Array  # c_m > 0, together 1
    per_octave: int  # k

    def __len__(self) -> int:
        return len(self.rates)


def gaussians(kernel: Matern, tolerance: float) -> Gaussians:
    """Return Gaussians that add up to the kernel, with an error below six times the tolerance.

    K(x, x') = E exp(-r |x - x'|²), r = ν / (2 ℓ² g), g from a gamma distribution of shape ν. With g = e^t the
    expectation is an integral over t, computed by the trapezoidal rule with step h = ln 2 / k. The rule is
    wrong by about twice the Fourier transform of the integrand at 2π/h, |Γ(ν + 2πi/h)| / Γ(ν), which falls
    off exponentially in 1/h. Each end is cut off where no more than twice the tolerance is left."""
    nu, k = kernel.order / 2, 1
    while log(2) + log_gamma(nu + 2j * pi * k / log(2)) - lgamma(nu) > log(3 * tolerance):
        k += 1
    h, digits = log(2) / k, -log(tolerance)
    # P(g < e^t) <= e^{νt} / Γ(ν + 1), and Chernoff's bound on the other side.
    lowest = (lgamma(nu + 1) - digits) / nu
    highest = log(nu + sqrt(2 * nu * digits) + digits)
    m = np.arange(int(lowest / h) - 1, int(highest / h) + 2)
    weights = h * np.exp(nu * h * m - np.exp(h * m) - lgamma(nu))
    needed = (np.cumsum(weights) > tolerance) & (np.cumsum(weights[::-1])[::-1] > tolerance)
    rates = nu / (2 * kernel.l**2) * 2.0 ** (-m[needed][::-1] / k)
    return Gaussians(rates, weights[needed][::-1], k)


def log_gamma(z: complex) -> float:
    """Return ln |Γ(z)| for Re z > 0, by Stirling's series beyond some steps of Γ(z) = Γ(z + 1) / z.

    Importing SciPy's takes a twentieth of a second, which would show in the middle of a drag."""
    far = z + 8
    series = (far - 0.5) * cmath.log(far) - far + 1 / (12 * far) - 1 / (360 * far**3)
    return series.real + 0.5 * log(2 * pi) - sum(log(abs(z + j)) for j in range(8))


@dataclass(frozen=True)
class Mixture:
    """sum_i w_i K(a_i, ·), K a sum of Gaussians, and which of them are added up where."""

    gaussians: Gaussians
    sources: Sources
    coarse: tuple[int, ...]  # The first of them on the first Chebyshev grid, up to the next on the second, …
    near: int  # From this one on only around each point
    reach: float  # How far around
    cost: float  # Compared with one exp

    def field(self, x1: Array, x2: Array) -> Array:
        """Return F[k, l] at (x1_l, x2_k)."""
        F = np.zeros((len(x2), len(x1)))
        middle = self.coarse[-1] if self.coarse else 0
        if middle:
            F += self._interpolated(x1, x2)
        if middle < self.near:
            F += self._everywhere(middle, self.near, x1, x2)
        if self.near < len(self.gaussians):
            F += self._around_points(x1, x2)
        return F

    def _interpolated(self, x1: Array, x2: Array) -> Array:
        """Return the wide Gaussians: values on coarse grids, their Chebyshev coefficients, and these on the
        grid."""
        top = DEGREES[len(self.coarse) - 1]
        C = np.zeros((top + 1, top + 1))
        for N, begin, end in zip(DEGREES, (0, *self.coarse), self.coarse, strict=False):
            if begin < end:
                values = self._everywhere(begin, end, chebyshev_nodes(x1, N), chebyshev_nodes(x2, N))
                C[: N + 1, : N + 1] += transform(N) @ values @ transform(N).T
        return np.asarray(basis(x2, top) @ C @ basis(x1, top).T)

    def _everywhere(self, begin: int, end: int, x1: Array, x2: Array) -> Array:
        """Return the Gaussians from `begin` to `end` at every node."""
        F = np.zeros((len(x2), len(x1)))
        for first in range(0, len(self.sources.points), POINTS_AT_A_TIME):
            part = slice(first, first + POINTS_AT_A_TIME)
            a1, a2 = self.sources.points[part].T
            for c, A, B in zip(
                self.gaussians.weights[begin:end],
                self._factors(begin, end, squared_differences(x1, a1)),
                self._factors(begin, end, squared_differences(x2, a2)),
                strict=True,
            ):
                F += B @ (A * (c * self.sources.weights[part])).T
        return F

    def _factors(self, begin: int, end: int, d: Array) -> Iterator[Array]:
        """Yield exp(-r_m d) for one m after the other; the array of one is overwritten by a later one."""
        k = self.gaussians.per_octave
        largest = float(d.max(initial=0.0))
        known: dict[int, Array] = {}
        for m in range(begin, end):
            r = float(self.gaussians.rates[m])
            tiny = r * largest > -log(LEAST)
            octave = (m - begin) // k
            if octave > 0 and octave % MOST_SQUARINGS:
                E = known[(m - begin) % k]
                E *= E
                if tiny:
                    np.maximum(E, LEAST, out=E)
            else:
                E = np.multiply(d, -r)
                if tiny:
                    np.maximum(E, log(LEAST), out=E)
                np.exp(E, out=E)
                known[(m - begin) % k] = E
            yield E

    def _around_points(self, x1: Array, x2: Array) -> Array:
        """Return the narrow Gaussians, computed only at the nodes within their reach of each point."""
        a1, a2 = self.sources.points.T
        at1, at2 = _within(self.reach, x1, a1), _within(self.reach, x2, a2)
        count, w1, w2 = len(self.gaussians) - self.near, at1.shape[1], at2.shape[1]
        weights = self.gaussians.weights[self.near :, None] * self.sources.weights[:, None, None]
        F = np.zeros(len(x2) * len(x1))
        block = 1 + VALUES // max(w1 * w2, w1 * count, w2 * count, 1)
        for first in range(0, len(a1), block):
            part = slice(first, first + block)
            A = self._narrow_factors(x1[at1[part]] - a1[part, None])
            B = self._narrow_factors(x2[at2[part]] - a2[part, None])
            A *= weights[part]
            places = at2[part, :, None] * len(x1) + at1[part, None, :]
            F += np.bincount(places.ravel(), np.matmul(B.transpose(0, 2, 1), A).ravel(), len(F))
        return F.reshape(len(x2), len(x1))

    def _narrow_factors(self, difference: Array) -> Array:
        """Return exp(-r_m difference²), of shape (points, Gaussians, nodes)."""
        n, width = difference.shape
        E = np.empty((n, len(self.gaussians) - self.near, width))
        for m, factor in enumerate(self._factors(self.near, len(self.gaussians), np.square(difference))):
            E[:, m] = factor
        return E


def _within(reach: float, x: Array, a: Array) -> Indices:
    """Return the places of all x within reach of each a, and of a few others: equally many for each."""
    low, high = np.searchsorted(x, a - reach), np.searchsorted(x, a + reach, "right")
    width = int((high - low).max())
    return np.asarray(np.minimum(low, len(x) - width)[:, None] + np.arange(width))


# What is cheapest ---------------------------------------------------------------------------------------
def mixture(kernel: Kernel, sources: Sources, x1: Array, x2: Array) -> Mixture | None:
    """Return the kernel as Gaussians, so many that the field is exact to 1e-9 of its largest value.

    None when it is not a Matérn kernel, or when the weights cancel so much that rounding forbids it."""
    total = float(np.abs(sources.weights).sum())
    if not isinstance(kernel, Matern) or not total > 0:
        return None
    # The largest |F| at the nodes next to the points with the largest weights.
    nodes = [
        x[np.abs(np.subtract.outer(x, a)).argmin(axis=0)]
        for x, a in zip((x1, x2), sources.foremost(SEEN).T, strict=True)
    ]
    seen = np.abs(kernel.gram(np.stack(nodes, axis=1), sources.points) @ sources.weights)
    tolerance = TOLERANCE * float(seen.max()) / total
    if not tolerance >= ROUNDING:
        return None
    return _cheapest(gaussians(kernel, tolerance), tolerance, sources, x1, x2)


def _cheapest(gaussians: Gaussians, tolerance: float, sources: Sources, x1: Array, x2: Array) -> Mixture:
    n, k, nodes = len(sources.points), gaussians.per_octave, len(x1) * len(x2)
    half = 0.5 * max(float(np.ptp(x1)), float(np.ptp(x2)))
    near, reach, around = _what_is_near(gaussians, tolerance, n, x1, x2)
    best: Mixture | None = None
    coarse: list[int] = []
    spent = START + around
    for N in (0, *DEGREES):
        if nodes < WORTHWHILE * (N + 1) ** 2 and N:
            break
        middle = coarse[-1] if coarse else 0
        smoothing = 0.0
        if N:
            wrong = np.cumsum(gaussians.weights * interpolation_error(N, half**2 * gaussians.rates))
            # The error of both axes, that of the second as large as interpolation along the first makes it.
            coarse.append(max(int(np.searchsorted(wrong, tolerance / 4)), middle))
            spent += _cost(coarse[-1] - middle, k, n, N + 1, N + 1)
            smoothing = PRODUCT * (4 * N**3 + N * nodes)
            middle = coarse[-1]
        cost = spent + smoothing + _cost(max(near - middle, 0), k, n, len(x1), len(x2))
        if best is None or cost < best.cost:
            best = Mixture(gaussians, sources, tuple(coarse), max(near, middle), reach, cost)
    assert best is not None
    return best


def _cost(count: int, per_octave: int, n: int, g1: int, g2: int) -> float:
    return n * (PRODUCT * count * g1 * g2 + (g1 + g2) * (min(count, per_octave) + SQUARE * count))


def interpolation_error(N: int, rates: Array) -> Array:
    """Return bounds on the error of interpolating exp(-r (x - a)²), |x| <= 1, at N + 1 Chebyshev points, for
    any a.

    On the ellipse with half axes cosh s and sinh s the function stays below exp(r sinh² s), hence the error
    below 4 exp(r sinh² s - N s) / (e^s - 1), whatever s is."""
    s = np.linspace(0.02, 3.0, 60)
    exponent = np.multiply.outer(rates, np.sinh(s) ** 2) - (N * s - np.log(4 / np.expm1(s)))
    return np.asarray(np.exp(np.minimum(exponent.min(axis=1), 50.0)))


def _what_is_near(
    gaussians: Gaussians, tolerance: float, n: int, x1: Array, x2: Array
) -> tuple[int, float, float]:
    """Return from which Gaussian on the nodes around each point will do, how far around, and the cost."""
    m = np.arange(len(gaussians))
    spacings = [float(np.diff(x).min()) if len(x) > 1 else 0.0 for x in (x1, x2)]
    if min(spacings) <= 0.0 or not m.size:
        return len(gaussians), 0.0, 0.0
    together = np.cumsum(gaussians.weights[::-1])[::-1][m]
    reach = np.sqrt(np.log(np.maximum(together / tolerance, 1.0)) / gaussians.rates[m])
    w1, w2 = (np.minimum(2 * reach / step + 1, len(x)) for x, step in zip((x1, x2), spacings, strict=True))
    count, k = len(gaussians) - m, gaussians.per_octave
    cost = n * w1 * w2 * (SMALL_PRODUCT * count + SPREAD) + n * (w1 + w2) * (k + SQUARE * count)
    saved = n * count * (PRODUCT * len(x1) * len(x2) + SQUARE * (len(x1) + len(x2)))
    i = int((cost - saved).argmin())
    return (int(m[i]), float(reach[i]), float(cost[i])) if cost[i] < saved[i] else (len(gaussians), 0.0, 0.0)
