"""Smooth functions on a rectangular grid, from far fewer Chebyshev nodes, with the error checked.

F(x1, x2) ≈ Σ_jk C_jk T_k(x1) T_j(x2). The coefficients C of a smooth function fall off geometrically, which
shows whether the degree is high enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from kernelviz.engine.core.arrays import Array, read_only

# (x1, x2) -> values on their grid, shape (len(x2), len(x1))
Sampler: TypeAlias = Callable[[Array, Array], Array]

DEGREES = (24, 36, 48, 72, 96, 144)
TOLERANCE = 1e-10  # Of the largest value: a tenth of the error that a field promises.


def interpolated(
    sample: Sampler, x1: Array, x2: Array, peaks: Array, degrees: Sequence[int] = DEGREES
) -> Array | None:
    """Return the function on the grid, to some 1e-10 of its largest value, or None if it is not smooth
    enough.

    Chebyshev coefficients of a smooth function fall off geometrically: those along a few lines show which
    degree will do, and those left over at one degree whether another will. Values at some nodes of the
    grid confirm the result, among them those next to `peaks`, (m, 2) points where a feature too narrow for
    the interpolation could hide."""
    worthwhile = 1.8  # The grid must have this many times more nodes than the interpolant.
    degrees = [N for N in degrees if len(x1) * len(x2) >= worthwhile * (N + 1) ** 2]
    if len(degrees) > 1:
        degrees = _promising(sample, x1, x2, peaks, degrees)
    values: Array | None = None
    while degrees:
        N = degrees[0]
        values = _samples(sample, x1, x2, N, values)
        largest = float(np.abs(values).max())
        C = transform(N) @ values @ transform(N).T
        left_over = float(max(np.abs(C[-4:]).max(), np.abs(C[:, -4:]).max())) / largest if largest else 0.0
        if left_over <= TOLERANCE:
            F = basis(x2, N) @ C @ basis(x1, N).T
            return F if _confirmed(sample, F, x1, x2, peaks, 3 * TOLERANCE * largest) else None
        # Twice the degree squares what is left over; a little hope is allowed, none where values overflow.
        degrees = [M for M in degrees[1:] if left_over ** (M / N) <= 10 * TOLERANCE]
    return None


def _samples(sample: Sampler, x1: Array, x2: Array, N: int, known: Array | None) -> Array:
    """Return values on the Chebyshev nodes of degree N; those of a lower degree are among them."""
    nodes1, nodes2 = chebyshev_nodes(x1, N), chebyshev_nodes(x2, N)
    if known is None or N % (len(known) - 1):
        return sample(nodes1, nodes2)
    stride = N // (len(known) - 1)
    old = np.arange(N + 1) % stride == 0
    values = np.empty((N + 1, N + 1))
    values[np.ix_(old, old)] = known
    values[:, ~old] = sample(nodes1[~old], nodes2)
    values[np.ix_(~old, old)] = sample(nodes1[old], nodes2[~old])
    return values


def _promising(sample: Sampler, x1: Array, x2: Array, peaks: Array, degrees: Sequence[int]) -> Sequence[int]:
    """Return the degrees that may do, judged along lines through two of the peaks, which cost next to
    nothing."""
    N = degrees[-1]
    at1, at2 = (np.clip(peak[:2], x.min(), x.max()) for peak, x in zip(peaks.T, (x1, x2), strict=True))
    lines = np.vstack((sample(chebyshev_nodes(x1, N), at2), sample(at1, chebyshev_nodes(x2, N)).T))
    C = np.abs(lines @ transform(N).T)
    largest = float(np.abs(lines).max())
    if not np.isfinite(largest):
        return ()
    beyond = C.max(axis=0) > TOLERANCE * largest
    needed = int(np.flatnonzero(beyond)[-1]) if beyond.any() else 0
    return [M for M in degrees if needed <= M] if needed < N - 3 else ()


def _confirmed(sample: Sampler, F: Array, x1: Array, x2: Array, peaks: Array, tolerance: float) -> bool:
    """Return True if F is right at a scattered sub-grid and at the peaks."""
    probes = 6
    # Multiples of the golden ratio fall evenly but with no regularity.
    turns = np.arange(1, probes + 1) * 0.6180339887498949 % 1
    i1, i2 = (
        np.unique(
            np.append(turns * len(x), np.abs(np.subtract.outer(x, peak)).argmin(axis=0)).astype(np.intp)
        )
        for x, peak in zip((x1, x2), peaks.T, strict=True)
    )
    return bool(np.abs(F[np.ix_(i2, i1)] - sample(x1[i1], x2[i2])).max() <= tolerance)


def _middle_and_half(x: Array) -> tuple[float, float]:
    """Return the middle and half the length of the interval the grid spans."""
    low, high = float(x.min()), float(x.max())
    return 0.5 * (low + high), 0.5 * (high - low)


def chebyshev_nodes(x: Array, N: int) -> Array:
    """Return the N + 1 Chebyshev points of the interval the grid spans."""
    middle, half = _middle_and_half(x)
    return np.asarray(middle + half * np.cos(np.pi * np.arange(N + 1) / N))


def basis(x: Array, N: int) -> Array:
    """Return T_0 … T_N at the grid's values, (len(x), N + 1)."""
    middle, half = _middle_and_half(x)
    return np.asarray(chebvander((x - middle) / half if half else np.zeros_like(x), N))


@lru_cache(maxsize=len(DEGREES))
def transform(N: int) -> Array:
    """Return the matrix from values at the Chebyshev points to coefficients (a discrete cosine transform)."""
    k = np.arange(N + 1)
    ends = np.where((k == 0) | (k == N), 0.5, 1.0)
    return read_only(2 / N * ends[:, None] * ends * np.cos(np.pi * np.outer(k, k) / N))
