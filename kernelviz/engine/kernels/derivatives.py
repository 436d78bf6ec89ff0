"""Derivatives of a kernel by its parameters, at all pairs of some points.

The gradient of a likelihood is Σ_ij W_ij dK_ij/dθ for each parameter θ, with weights W that are the same for
all of them. So a kernel returns its values and a function from weights to these sums."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np

from kernelviz.engine.core.arrays import Array

# Where a parameter is in a composition: which part, which part of that, …, and its name.
ParameterPath: TypeAlias = tuple[int | str, ...]

# Rows of a block, and blocks at most: more of them repeat fewer pairs, but cost more calls.
LEAST_BLOCK, MOST_BLOCKS = 60, 8


class Slopes(Protocol):
    """From weights W on the pairs of points to the derivatives of the weighted sum of K, or to W dK itself at
    all pairs if `combine` is `np.multiply`."""

    def __call__(self, W: Any, combine: Callable[[Any, Any], Any] = np.vdot) -> dict[ParameterPath, Any]: ...


class Pairs:
    """The pairs (i, j) with i <= j of some points, so that a symmetric function is computed once per pair.

    They are a flat list: some rows with all columns from their first one on. A few pairs below the diagonal
    are listed too, with weight zero. Matrices are written to the same memory every time, as new memory costs
    more than computing the values."""

    def __init__(self, X: Any) -> None:
        self.X, self.n = X, len(X)
        size = max(LEAST_BLOCK, -(-self.n // MOST_BLOCKS))
        self.blocks = [(begin, min(begin + size, self.n)) for begin in range(0, self.n, size)]
        self._matrix = np.empty((self.n, self.n))
        self._weights = np.empty(sum((end - begin) * (self.n - begin) for begin, end in self.blocks))
        self._kept: dict[str, Array] = {}

    @cached_property
    def of_numbers(self) -> Pairs:
        """The same pairs without the last column, which is a category."""
        return Pairs(self.X[:, :-1])

    def each(self, f: Callable[[Any, Any], Array], name: str = "") -> Array:
        """Return a symmetric function of two points, which is given two sets of rows, at all pairs.

        A function with a name is computed once, and its values must not be overwritten."""
        if name in self._kept:
            return self._kept[name]
        X = self.X
        values = np.concatenate([f(X[begin:end], X[begin:]).ravel() for begin, end in self.blocks])
        if name:
            values.flags.writeable = False
            self._kept[name] = values
        return values

    def upper(self, values: Array) -> Array:
        """Return the matrix with these values, filled on and above its diagonal."""
        A, at = self._matrix, 0
        for begin, end in self.blocks:
            count = (end - begin) * (self.n - begin)
            A[begin:end, begin:] = values[at : at + count].reshape(end - begin, -1)
            at += count
        return A

    def weights(self, beta: Array, lower: Array) -> Array:
        """Return the weight of each pair in ½ sum_ij (beta beta' - M)_ij S_ij for symmetric S; of M only
        the lower half is read."""
        at = 0
        for begin, end in self.blocks:
            count = (end - begin) * (self.n - begin)
            W = self._weights[at : at + count].reshape(end - begin, -1)
            np.multiply.outer(beta[begin:end], beta[begin:], out=W)
            W -= lower.T[begin:end, begin:]
            # 1 above the diagonal, a half on it, and 0 below.
            W[:, : end - begin] *= np.triu(np.ones((end - begin, end - begin))) - 0.5 * np.eye(end - begin)
            at += count
        return self._weights


class _Differentiable(Protocol):
    def gram(self, X: Any, Y: Any) -> Array: ...

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]: ...


class WithDerivatives:
    """The derivatives of K by its real parameters, which the search for the largest likelihood needs.

    A base kernel implements `slopes`; `differentiated` then serves compositions too."""

    def slopes(self, pairs: Pairs, u: Array, K: Array) -> dict[str, Array]:
        """Return dK/dθ at all pairs, by the name of each real parameter θ; empty if none is known.

        u is the statistic that K is a function of there, such as x·x'."""
        return {}

    def differentiated(self: _Differentiable, pairs: Pairs) -> tuple[Array, Slopes]:
        """Return K at all pairs, and a function from weights W to sum W dK/dθ for each tunable θ."""
        K = pairs.each(self.gram)
        return K, weighted_slopes(self, pairs, K, K)


def weighted_slopes(kernel: _Differentiable, pairs: Pairs, u: Array, K: Array) -> Slopes:
    """Return the function from weights W to sum W dK/dθ for a kernel without parts."""

    def slopes(W: Any, combine: Callable[[Any, Any], Any] = np.vdot) -> dict[ParameterPath, Any]:
        return {(name,): combine(W, d) for name, d in kernel.slopes(pairs, u, K).items()}

    return slopes
