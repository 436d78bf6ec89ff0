"""A kernel on any inputs, wrapped as a kernel on their indices for libraries that accept only numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices, as_points
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.base import Kernel


class Numbered:
    """k(i, j) = K(x_i, x_j) for stored inputs x.

    With `k = Numbered(kernel, texts)` call `SVC(kernel=k).fit(k.numbers, z)`. scikit-learn sees the
    indices of the texts; texts to be predicted are stored with the others."""

    def __init__(self, kernel: Kernel, inputs: Sequence[Any]) -> None:
        self.kernel, self.inputs = kernel, tuple(inputs)

    @property
    def numbers(self) -> Array:
        """The indices of all inputs, of shape (n, 1)."""
        return np.arange(len(self.inputs), dtype=np.float64)[:, None]

    def __call__(self, rows: Any, others: Any = None) -> Array:
        """Return the Gram matrix of the inputs with these indices."""
        first = self._chosen(rows)
        return self.kernel(first) if others is None else self.kernel(first, self._chosen(others))

    def _chosen(self, rows: Any) -> tuple[Any, ...]:
        places: Indices = as_points(rows, "The numbers of inputs")[:, 0].astype(np.intp)
        if len(places) and not (places.min() >= 0 and places.max() < len(self.inputs)):
            raise BadInput(f"There are {len(self.inputs)} inputs, counted from 0.")
        return tuple(self.inputs[i] for i in places)
