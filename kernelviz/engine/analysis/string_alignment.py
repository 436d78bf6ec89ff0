"""Strings by their pieces: the features φ_u(s) of one, and K(s, t) as a sum over the common pieces of two.

A kernel on strings is Σ_u φ_u(s) φ_u(t). A multiple of it multiplies every term; in a sum of kernels the
terms of all are listed; in a product every term of one meets every term of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import product
from math import prod, sqrt

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.base import Kernel, Product, Scaled, Sum
from kernelviz.engine.kernels.features import MOST_FEATURES
from kernelviz.engine.kernels.strings import StringKernel

TERMS_LISTED = 200  # Terms that are listed; of the others the sum is known.


Piece = tuple[str, ...]  # A piece u; of a product of kernels one of each.


def pieces_of(kernel: Kernel, text: str) -> dict[Piece, float] | None:
    """Return φ_u(s) of every piece of a text, normalised if the kernel is: K(s, t) = Σ_u φ_u(s) φ_u(t).

    In a sum of kernels the pieces of all are listed, after the number of the kernel. None if there would
    be too many to write out, or the kernel does not compare texts by pieces."""
    if isinstance(kernel, StringKernel):
        read = kernel.read(text)
        if kernel.most_pieces(read) > MOST_FEATURES:
            return None
        scale = kernel.scale(read)
        return {(piece,): float(value) / scale for piece, value in kernel.pieces(read).items()}
    parts = [pieces_of(part, text) for part in kernel.parts]
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    if isinstance(kernel, Sum):
        return {(f"{k + 1}:", *piece): value for k, part in enumerate(known) for piece, value in part.items()}
    if isinstance(kernel, Scaled):
        return {piece: sqrt(kernel.scale) * value for piece, value in known[0].items()}
    if not isinstance(kernel, Product) or prod(map(len, known)) > MOST_FEATURES:
        return None
    every = product(*(part.items() for part in known))
    return {sum((piece for piece, _ in some), ()): prod(value for _, value in some) for some in every}


@dataclass(frozen=True)
class Feature:
    """A piece u of one kernel, with φ_u(s) and φ_u(t), normalised if the kernel is."""

    kernel: StringKernel
    piece: str
    left: float
    right: float


@dataclass(frozen=True)
class SharedPiece:
    """A term of K(s, t): one feature, or for a product of kernels one of each."""

    features: tuple[Feature, ...]
    value: float


@dataclass(frozen=True)
class _Terms:
    """The largest terms, falling, and whether these are all."""

    pieces: tuple[SharedPiece, ...]
    complete: bool

    @classmethod
    def of(cls, pieces: Sequence[SharedPiece], complete: bool, most: int) -> _Terms:
        ordered = sorted(pieces, key=lambda piece: -piece.value)
        return cls(tuple(ordered[:most]), complete and len(ordered) <= most)


@dataclass(frozen=True, eq=False)
class StringAlignment:
    """s and t in the form in which the kernel compares them, K(s, t), and its largest terms."""

    kernel: Kernel
    texts: tuple[str, str]
    value: float
    pieces: tuple[SharedPiece, ...]
    complete: bool

    def rest(self, count: int) -> float:
        """Return the sum of all terms after the first `count`."""
        if self.complete and count >= len(self.pieces):
            return 0.0
        return max(0.0, self.value - sum(piece.value for piece in self.pieces[:count]))

    def letters(self, side: int, piece: SharedPiece | None = None) -> Array:
        """Return the share of a term, or of all listed ones, that comes from occurrences which use each
        character."""
        text = self.texts[side]
        if piece is None:
            return self._of_all[side]
        used = [f.kernel.letters_of(text, f.piece) for f in piece.features if f.kernel.read(text) == text]
        return np.max(used, axis=0) if used else np.zeros(len(text))

    @cached_property
    def _of_all(self) -> tuple[Array, Array]:
        """The shares of all listed terms together, for s and for t."""
        whole = sum(piece.value for piece in self.pieces)
        sums = [np.zeros(len(text)) for text in self.texts]
        for piece in self.pieces:
            for side in (0, 1):
                sums[side] += piece.value / whole * self.letters(side, piece)
        return sums[0], sums[1]


def compared(kernel: Kernel, s: str, t: str, most: int = TERMS_LISTED) -> StringAlignment:
    """Return K(s, t) term by term, or raise BadInput for a kernel that does not compare texts piece by
    piece."""
    first = _bases(kernel)[0]
    terms = _terms(kernel, s, t, most)
    return StringAlignment(
        kernel, (first.read(s), first.read(t)), float(kernel([s], [t])[0, 0]), terms.pieces, terms.complete
    )


def _bases(kernel: Kernel) -> list[StringKernel]:
    """Return the kernels a composition is made of."""
    if isinstance(kernel, StringKernel):
        return [kernel]
    if not kernel.parts:
        raise BadInput(f"{kernel.title or kernel} does not compare two texts piece by piece.")
    return [base for part in kernel.parts for base in _bases(part)]


def _terms(kernel: Kernel, s: str, t: str, most: int) -> _Terms:
    """Return the largest terms of K(s, t), by the rules for sums, products and multiples of kernels."""
    if isinstance(kernel, StringKernel):
        s, t = kernel.read(s), kernel.read(t)
        found, complete = kernel.heaviest(s, t, most)
        left, right = kernel.scale(s), kernel.scale(t)
        features = (Feature(kernel, c.piece, c.left / left, c.right / right) for c in found)
        return _Terms.of([SharedPiece((f,), f.left * f.right) for f in features], complete, most)
    parts = [_terms(part, s, t, most) for part in kernel.parts]
    if isinstance(kernel, Sum):
        together = [piece for part in parts for piece in part.pieces]
        return _Terms.of(together, all(part.complete for part in parts), most)
    if isinstance(kernel, Product):
        return reduce(lambda left, right: _multiplied(left, right, most), parts)
    assert isinstance(kernel, Scaled)
    scaled = [replace(piece, value=kernel.scale * piece.value) for piece in parts[0].pieces if kernel.scale]
    return _Terms.of(scaled, parts[0].complete, most)


def _multiplied(left: _Terms, right: _Terms, most: int) -> _Terms:
    """Return the largest products. That of the i-th and the j-th term has i j - 1 others above it."""
    products = [
        SharedPiece(a.features + b.features, a.value * b.value)
        for i, a in enumerate(left.pieces, start=1)
        for b in right.pieces[: most // i]
    ]
    every = len(left.pieces) * len(right.pieces) == len(products)
    return _Terms.of(products, every and left.complete and right.complete, most)
