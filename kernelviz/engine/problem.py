"""What a solver is asked: data and a kernel, with the Gram matrix computed once."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.cross import Cross
from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.engine.kernels.base import LARGEST_VALUE, Kernel

__all__ = ["Problem", "finite"]

KEPT, WORTH_KEEPING = 4, 1 << 20
"""Matrices K(x, x_i) that a problem remembers, and how many entries each may have."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Data plus kernel. `gram` is K[i, j] = K(x_i, x_j), computed on first use and kept.

    rows: where its points are in the data it is a part of, for a problem that is one."""

    data: Data
    kernel: Kernel
    rows: Indices | None = None

    @property
    def n(self) -> int:
        return self.data.n

    @property
    def X(self) -> Any:
        return self.data.X

    @property
    def z(self) -> Array:
        return self.data.z

    @property
    def y(self) -> Array:
        return self.data.y

    def number(self, i: int) -> int:
        """What people call point i: counted from 1, in the whole data."""
        return 1 + (i if self.rows is None else int(self.rows[i]))

    @cached_property
    def gram(self) -> Array:
        if self.kernel.laborious:
            self.kernel.check_labour(self.kernel.checked(self.X))
        with np.errstate(over="ignore", invalid="ignore"):
            K = np.asarray(self.kernel(self.X), dtype=np.float64)
        finite(K)
        K.flags.writeable = False
        return K

    @property
    def known_gram(self) -> Array | None:
        """The Gram matrix if somebody has asked for it already."""
        return self.__dict__.get("gram")  # where cached_property keeps it

    def adopt_gram(self, other: Problem) -> bool:
        """Use the Gram matrix another problem may have computed; False when its kernel or inputs differ."""
        same = self.kernel == other.kernel and (self.X is other.X or np.array_equal(self.X, other.X))
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
        """Take this as the Gram matrix, unless there is one; nobody may write to it any more."""
        K.flags.writeable = False
        self.__dict__.setdefault("gram", finite(K))

    @cached_property
    def kept(self) -> dict[Hashable, Any]:
        """What has been computed of kernel and inputs alone, for whoever asks again."""
        return {}

    @cached_property
    def _crosses(self) -> deque[Cross]:
        return deque(maxlen=KEPT)

    def cross(self, X: Any) -> Array:
        """K(x, x_i) for every row of X and all points."""
        known = self._known_cross(X)
        return self.kernel(X, self.X) if known is None else known.K

    def weighed(self, X: Any, weights: Array) -> Array:
        """sum_i weights_i K(x, x_i) for every row of X."""
        known = self._known_cross(X)
        return self.kernel(X, self.X).dot(weights) if known is None else known.weighed(weights)

    def _known_cross(self, X: Any) -> Cross | None:
        """The last few are kept: while a slider moves, a curve is drawn at the same places again and
        again."""
        if not isinstance(X, np.ndarray) or len(X) * self.n > WORTH_KEEPING:
            return None
        places = X.shape, X.dtype, X.tobytes()
        for known in tuple(self._crosses):
            if known.places == places:
                return known
        known = Cross(places, self.kernel(X, self.X))
        self._crosses.append(known)
        return known

    @cached_property
    def radius(self) -> float:
        """R = sqrt(max_i K(x_i, x_i))."""
        return float(np.sqrt(max(0.0, self.kernel.diagonal(self.X).max(initial=0.0))))


def finite(K: Array) -> Array:
    """K itself, or BadInput when its values overflow or are beyond what the kernel itself would accept."""
    # The sum of squares is one quick pass; only what it does not clear is looked at more closely.
    if not float(np.vdot(K, K)) <= LARGEST_VALUE**2 and not np.abs(K).max() <= LARGEST_VALUE:
        raise BadInput(
            "The kernel's values on these points are too large to compute with. "
            "Scale the inputs down or choose smaller kernel parameters."
        )
    return K
