"""Kernels that are given by their values: the Gram matrix of objects, whatever these are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Domain
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.objects import Item, same
from kernelviz.engine.core.params import flag
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.strings import ratio


@dataclass(frozen=True)
class Given(Kernel):
    """K(s, t) is the entry of the Gram matrix that came with the objects."""

    name = "gram"
    title = "Gram matrix"
    summary_line = "The similarities that came with the objects, in a file or a data set."
    family = "For objects"
    place = 1
    latex = r"K_{st}"
    domain: ClassVar[Domain] = "objects"
    positive_definite: ClassVar[bool] = False  # The matrix may be any symmetric one.

    normalised: bool = flag(
        False,
        label="Normalise",
        help="Divide by the square root of K(s, s) K(t, t), so that size alone makes no two objects alike",
        silent=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.normalised:
            object.__setattr__(self, "latex", r"\frac{K_{st}}{\sqrt{K_{ss}\,K_{tt}}}")

    def checked(self, X: Any) -> tuple[Item, ...]:
        if isinstance(X, str):
            raise BadInput(f"{self.name} compares objects: give it a list of them.")
        items = tuple(X)
        if not all(isinstance(item, Item) for item in items):
            raise BadInput(f"{self.name} looks up the Gram matrix of objects; these data have none.")
        return items

    def gram(self, X: tuple[Item, ...], Y: tuple[Item, ...]) -> Array:
        if not X or not Y:
            return np.empty((len(X), len(Y)))
        matrix = X[0].matrix
        if not all(same(matrix, item.matrix) for item in (*X, *Y)):
            raise BadInput("Objects of two different Gram matrices cannot be compared.")
        i, j = ([item.place for item in items] for items in (X, Y))
        K = np.asarray(matrix[np.ix_(i, j)])
        sizes = np.maximum(np.diag(matrix), 0.0)
        return ratio(K, np.multiply.outer(sizes[i], sizes[j])) if self.normalised else K

    def diagonal(self, X: Any) -> Array:
        sizes = np.array([item.matrix[item.place, item.place] for item in self.checked(X)], dtype=float)
        return ratio(sizes, np.maximum(sizes, 0.0) ** 2) if self.normalised else sizes
