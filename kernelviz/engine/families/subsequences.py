"""Gappy subsequences of two strings, weighed all together by dynamic programming over many pairs at once.

With M[a, b] = (s_a = t_b), the weight of all common subsequences of length j that end at s_a and t_b is

    W_1 = d² M,    W_j[a, b] = d² M[a, b] Σ_{a' < a, b' < b} d^(a - a' - 1) d^(b - b' - 1) W_{j-1}[a', b'],

as every letter and every gap costs a factor d; K is the sum of W_k. The inner sum is one pass along each
axis: what is at a is d times what was at a - 1, and W there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.errors import BadInput

__all__ = ["common", "own"]

CELLS = 1 << 18
"""Entries of the tables of one batch of pairs: few enough for the cache, many enough for numpy."""
LONGEST = 2000
"""Characters of a string: four tables of two such strings take 128 MB."""
MOST_CELLS = 4e9
"""Entries of all tables together, which take some ten seconds."""
PAIRS = 1 << 16
"""Pairs that are listed at a time."""

Codes = NDArray[np.int32]


def common(X: Sequence[str], Y: Sequence[str], length: int, decay: float) -> Array:
    """K[i, j] of every text of X and every one of Y; exactly symmetric when X is Y."""
    same = X is Y
    _check(X, Y, sum(map(len, X)) * sum(map(len, Y)) / (1 + same), length)
    K = np.zeros((len(X), len(Y)))
    rows, columns = _by_length(X, length), _by_length(Y, length)
    several = max(1, PAIRS // max(1, len(columns)))
    for begin in range(0, len(rows), several):
        first = np.arange(begin, min(begin + several, len(rows)))
        i, j = (grid.ravel() for grid in np.meshgrid(first, np.arange(len(columns)), indexing="ij"))
        wanted = j >= i if same else slice(None)
        i, j = rows[i[wanted]], columns[j[wanted]]
        K[i, j] = _weights(X, i, Y, j, length, decay)
        if same:
            K[j, i] = K[i, j]
    return K


def own(X: Sequence[str], length: int, decay: float) -> Array:
    """K(s, s) of every text."""
    _check(X, X, sum(len(text) ** 2 for text in X), length)
    sizes = np.zeros(len(X))
    rows = _by_length(X, length)
    sizes[rows] = _weights(X, rows, X, rows, length, decay)
    return sizes


def _check(X: Sequence[str], Y: Sequence[str], cells: float, length: int) -> None:
    longest = max((len(text) for text in (*X, *Y)), default=0)
    if longest > LONGEST:
        raise BadInput(
            f"Subsequences of strings of up to {LONGEST:,} characters can be compared; one of these has "
            f"{longest:,}. Use shorter ones, or the spectrum kernel."
        )
    if cells * length > MOST_CELLS:
        raise BadInput(
            "These strings are too many or too long to compare by their subsequences: it would take minutes. "
            "Use fewer or shorter ones, or the spectrum kernel."
        )


def _by_length(texts: Sequence[str], least: int) -> Indices:
    """The texts that have subsequences at all, the longest first: a batch is as large as its longest."""
    lengths = np.array([len(text) for text in texts], dtype=np.intp)
    order = np.argsort(-lengths, kind="stable")
    return order[lengths[order] >= least]


def _weights(X: Sequence[str], i: Indices, Y: Sequence[str], j: Indices, length: int, decay: float) -> Array:
    """K of the pairs (X_i, Y_j)."""
    S, T = _codes(X, -1), _codes(Y, -2)
    down, across = (np.array([len(text) for text in texts], np.intp) for texts in (X, Y))
    K, room = np.empty(len(i)), np.empty((4, 0))
    for part in _batches(down[i], across[j]):
        s, t = S[: down[i[part]].max(), i[part]], T[: across[j[part]].max(), j[part]]
        cells = len(s) * t.size
        if cells > room.shape[1]:
            room = np.empty((4, cells))  # kept from batch to batch: fresh memory costs more than the sums
        K[part] = _total(s, t, length, decay, room[:, :cells])
    return K


def _batches(down: Indices, across: Indices) -> Iterator[slice]:
    """Stretches of pairs whose tables together have about CELLS entries; at least one pair each."""
    begin = 0
    while begin < len(down):
        longest = int(across[begin : begin + 1 + CELLS // int(down[begin])].max())
        end = begin + max(1, CELLS // (int(down[begin]) * longest))
        yield slice(begin, end)
        begin = end


def _codes(texts: Sequence[str], filler: int) -> Codes:
    """(longest length, texts): their characters as numbers, shorter texts filled up."""
    codes = np.full((max(map(len, texts), default=0), len(texts)), filler, dtype=np.int32)
    for column, text in zip(codes.T, texts, strict=True):
        column[: len(text)] = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<i4")
    return codes


def _total(S: Codes, T: Codes, length: int, decay: float, room: Array) -> Array:
    """Σ W_k of each pair of columns. Tables stand with the place to sum over first and the pairs last, and
    are turned after every pass."""
    here, there = (len(S), *T.shape), (len(T), *S.shape)
    equal, turned, W, sums = (part.reshape(here) for part in room)
    np.multiply(S[:, None, :] == T[None, :, :], decay * decay, out=equal)
    turned = turned.reshape(there)
    np.copyto(turned, equal.swapaxes(0, 1))
    np.copyto(W, equal)
    for _ in range(length - 1):
        _earlier(W, decay, sums)
        W = W.reshape(turned.shape)
        np.copyto(W, sums.swapaxes(0, 1))
        sums = sums.reshape(turned.shape)
        _earlier(W, decay, sums)
        np.multiply(sums, turned, out=W)
        equal, turned = turned, equal
    return np.asarray(W.sum(axis=(0, 1)))


def _earlier(W: Array, decay: float, sums: Array) -> None:
    """Σ_{a' < a} d^(a - a' - 1) W[a']"""
    sums[0] = 0.0
    for a in range(1, len(W)):
        np.multiply(sums[a - 1], decay, out=sums[a])
        sums[a] += W[a - 1]
