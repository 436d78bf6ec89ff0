"""The problem given to a solver: data and a kernel, with kernel matrices that are computed once.

Matrices are kept with the problem and taken over by later ones with the same inputs and kernel, so that a
slider of the algorithm never computes K again. Those of strings, which are slow, are computed in parts."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Hashable
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices, without_results
from kernelviz.engine.core.data import Data, same_inputs
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.base import LARGEST_VALUE, Kernel
from kernelviz.engine.kernels.categories import ignoring_categories

# Matrices K(x, x_i) that a problem remembers, and how many entries each may have.
MATRICES_KEPT, WORTH_KEEPING = 4, 1 << 20
FIRST = 32  # Rows of the first part.
SECONDS = 0.1  # How long a part should take: others wait for it.


@dataclass(frozen=True, eq=False)
class Problem:
    """The problem that an algorithm solves: data and a kernel, with the matrices they share.

    `gram` is K[i, j] = K(x_i, x_j), of shape (n, n), computed on first use and kept; later problems with the
    same inputs and kernel take it over by `adopt_gram`. A kernel on numbers becomes one that ignores the
    category column, if there is one. `rows` are the places of its points in the larger data, for a problem
    that is a part of one."""

    data: Data
    kernel: Kernel
    rows: Indices | None = None

    __getstate__ = without_results

    def __post_init__(self) -> None:
        if self.data.domain == "categories" and self.kernel.domain == "vectors":
            object.__setattr__(self, "kernel", ignoring_categories(self.kernel))

    @property
    def n(self) -> int:
        """The number of points."""
        return self.data.n

    @property
    def X(self) -> Any:
        """The inputs: (n, p) rows of numbers, or a tuple of strings."""
        return self.data.X

    @property
    def z(self) -> Array:
        """The labels of two classes, -1 and +1."""
        return self.data.z

    @property
    def y(self) -> Array:
        """The targets: real ones, or the codes of classes."""
        return self.data.y

    def priced(self, price: float) -> float | Array:
        """Return the price of a unit of loss: times the weights of the points, if they have any."""
        weights = self.data.weights
        return price if weights is None else price * weights

    def check_equal_weights(self) -> None:
        """Raise BadInput where points have weights, which paths do not know of."""
        if self.data.weights is not None:
            raise BadInput("The path is followed for points that all weigh 1; these have other weights.")

    def number(self, i: int) -> int:
        """Return the number of point i for display: counted from 1, in the whole data."""
        return 1 + (i if self.rows is None else int(self.rows[i]))

    @cached_property
    def gram(self) -> Array:
        """The Gram matrix, read-only; BadInput if its values are too large to compute with."""
        if self.kernel.slow:
            self.kernel.check_cost(self.kernel.checked(self.X))
        with np.errstate(over="ignore", invalid="ignore"):
            K = np.asarray(self.kernel(self.X), dtype=np.float64)
        finite(K)
        K.flags.writeable = False
        return K

    @property
    def known_gram(self) -> Array | None:
        """The Gram matrix if it has been computed already, else None."""
        return self.__dict__.get("gram")  # where cached_property keeps it

    def adopt_gram(self, other: Problem) -> bool:
        """Take over the Gram matrix of another problem; return False if its kernel or inputs differ."""
        same = self.kernel == other.kernel and same_inputs(self.X, other.X)
        if same and other.known_gram is not None:
            self.__dict__.setdefault("gram", other.known_gram)
        if same:
            self.__dict__.setdefault("_crosses", other._crosses)
            self.__dict__.setdefault("kept", other.kept)
        return same

    def adopt_part(self, K: Array, rows: Indices) -> None:
        """Take the Gram matrix from that of more points, of which these are some rows."""
        self.adopt(K.take(rows, axis=0).take(rows, axis=1))

    def adopt(self, K: Array) -> None:
        """Use K as the Gram matrix, unless there is one; it becomes read-only."""
        K.flags.writeable = False
        self.__dict__.setdefault("gram", finite(K))

    @cached_property
    def kept(self) -> dict[Hashable, Any]:
        """Results that depend on kernel and inputs alone, kept for later use."""
        return {}

    @cached_property
    def _crosses(self) -> deque[tuple[object, Array]]:
        """The last few matrices K(x, x_i), each after what identifies its places x."""
        return deque(maxlen=MATRICES_KEPT)

    def cross(self, X: Any) -> Array:
        """Return K(x, x_i) for every row of X and all points, read-only unless there are very many.

        The last few matrices are kept: while a slider moves, a curve is drawn at the same places again."""
        if not isinstance(X, np.ndarray) or len(X) * self.n > WORTH_KEEPING:
            return self.kernel(X, self.X)
        places = X.shape, X.dtype, X.tobytes()
        for known, K in tuple(self._crosses):
            if known == places:
                return K
        K = self.kernel(X, self.X)
        K.flags.writeable = False
        self._crosses.append((places, K))
        return K

    @cached_property
    def radius(self) -> float:
        """R = sqrt(max_i K(x_i, x_i))."""
        return float(np.sqrt(max(0.0, self.kernel.diagonal(self.X).max(initial=0.0))))


def finite(K: Array) -> Array:
    """Return K, or raise BadInput if its values overflow or exceed the range that the kernel itself
    accepts."""
    # The sum of squares is one quick pass; only what it does not clear is looked at more closely.
    if not float(np.vdot(K, K)) <= LARGEST_VALUE**2 and not np.abs(K).max() <= LARGEST_VALUE:
        raise BadInput(
            "The kernel's values on these points are too large to compute with. "
            "Scale the inputs down or choose smaller kernel parameters."
        )
    return K


def compute_gram(problem: Problem, before: Problem | None = None) -> Generator[float, None, None]:
    """Compute the Gram matrix of strings, except for the part that `before` has; yields the share done.

    That of numbers is left to the solver, which may need only some rows."""
    kernel = problem.kernel
    if problem.known_gram is not None or kernel.domain != "strings":
        return
    if before is not None and problem.X is before.X:
        problem.adopt_gram(before)
        if problem.known_gram is not None:
            return
    kernel.check_cost(kernel.checked(problem.X))
    K = np.empty((problem.n, problem.n))
    done, fresh = _taken_over(K, problem, before)
    rows = FIRST if kernel.slow else problem.n
    while len(fresh):
        began = perf_counter()
        part, fresh = fresh[:rows], fresh[rows:]
        _compare(K, problem, part, done)
        done = np.concatenate([done, part])
        yield (len(done) / problem.n) ** 2
        rows = max(1, min(2 * rows, int(rows * SECONDS / (perf_counter() - began))))
    problem.adopt(K)


def _compare(K: Array, problem: Problem, part: Indices, done: Indices) -> None:
    """Fill in the rows and columns of a part: among themselves and with those that are done."""
    some = _some(problem.X, part)
    K[np.ix_(part, part)] = problem.kernel(some)
    if len(done):
        across = problem.kernel(some, _some(problem.X, done))
        K[np.ix_(part, done)] = across
        K[np.ix_(done, part)] = across.T


def _taken_over(K: Array, problem: Problem, before: Problem | None) -> tuple[Indices, Indices]:
    """Fill in the entries known for the same inputs; return which rows these are, and the others."""
    every = np.arange(problem.n)
    if before is None or before.known_gram is None or before.kernel != problem.kernel:
        return every[:0], every
    place = {text: i for i, text in enumerate(before.X)}
    origin = np.array([place.get(text, -1) for text in problem.X], dtype=np.intp)
    done = np.flatnonzero(origin >= 0)
    K[np.ix_(done, done)] = before.known_gram[np.ix_(origin[done], origin[done])]
    return done, np.flatnonzero(origin < 0)


def _some(X: Any, rows: Indices) -> tuple[str, ...]:
    return tuple(X[i] for i in rows)
