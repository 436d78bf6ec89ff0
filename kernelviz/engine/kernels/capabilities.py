"""Abilities that some kernels have: explicit features, random frequencies, a width, logarithms, quick rows.

`Kernel` inherits all of these classes, whose methods return that there is no such ability, so that a plain
kernel consists of its formula. A kernel with an ability overrides its methods; sums and products of kernels
have it if all their parts do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, Self, TypeAlias

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.kernels.features import FeatureMap

# The row of a Gram matrix at one place, or those at several.
MakeRows: TypeAlias = Callable[[int | Indices], Array]


class QuickRows(NamedTuple):
    """A faster way to rows of a Gram matrix, and by how much its entries typically differ from K(x, x')."""

    make: MakeRows
    error: float


class WithFeatures:
    """Finitely many features phi with phi(x)·phi(x') = K(x, x'), or those of a power series.

    A kernel with infinitely many features, such as the Gaussian, may list those up to a degree."""

    def feature_map(self, p: int) -> FeatureMap | None:
        """Return phi for inputs of p columns, or None if it is not finite."""
        return None

    def taylor_features(self, p: int, degree: int) -> FeatureMap | None:
        """Return the features of K's power series up to a degree; all of them if they are finitely many."""
        return self.feature_map(p)


class WithFrequencies:
    """A spectral density: K(x, x')/K(x, x) = E cos(w·(x - x')) for random frequencies w.

    Kernels of x - x' have one by Bochner's theorem; random features are drawn from it."""

    def frequencies(self, p: int, q: int, rng: np.random.Generator) -> Array | None:
        """Return (q, p) frequencies w drawn from the spectral density, or None if there is none."""
        return None


class WithWidth:
    """A width that can be set to suit the data, as in `rbf(gamma=median)`."""

    def scaled_to(self, X: Any) -> Self:
        """Return the kernel with its width set by the median heuristic on X; itself if it has no width."""
        return self

    def starts(self, X: Any) -> tuple[Self, ...]:
        """Return kernels from which a search for its parameters may start, whatever they are now.

        There is more than one where the likelihood has many maxima."""
        return (self.scaled_to(X),)


class _Valued(Protocol):
    def gram(self, X: Any, Y: Any) -> Array: ...


class WithLogarithm:
    """Values that are never negative, so that they can be the weights of a mean, and have a logarithm."""

    @property
    def non_negative(self) -> bool:
        """Whether K is nowhere negative."""
        return False

    def log_gram(self: _Valued, X: Any, Y: Any) -> Array:
        """Return ln K(X_i, Y_j) for a non-negative kernel, also where K itself would underflow."""
        with np.errstate(divide="ignore"):
            return np.log(self.gram(X, Y))


class WithQuickRows:
    """A faster way to some rows of the Gram matrix than `gram`."""

    def rows_of(self, X: Any) -> QuickRows | None:
        """Return a function for rows of the Gram matrix of X, exact to nearly all digits, or None."""
        return None
