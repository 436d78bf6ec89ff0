"""The features of a text under a kernel on strings: the pieces it has, each with its φ_u."""

from __future__ import annotations

from itertools import product
from math import prod, sqrt

from kernelviz.engine.algebra import Product, Scaled, Sum
from kernelviz.engine.families.strings import StringKernel
from kernelviz.engine.features import MOST_FEATURES
from kernelviz.engine.kernels.base import Kernel

__all__ = ["Piece", "pieces_of"]

Piece = tuple[str, ...]
"""A piece u; of a product of kernels one of each."""


def pieces_of(kernel: Kernel, text: str) -> dict[Piece, float] | None:
    """φ_u(s) of every piece that a text has, normalised if the kernel is: K(s, t) = Σ_u φ_u(s) φ_u(t).

    In a sum of kernels the pieces of all stand side by side, after the number of the kernel. None where there
    would be too many to write out, and of a kernel that does not compare texts by pieces."""
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
