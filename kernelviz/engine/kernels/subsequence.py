"""The subsequence kernel: common subsequences with gaps, by dynamic programming over many pairs of strings.

With M[a, b] = (s_a = t_b), the weight of all common subsequences of length j that end at s_a and t_b is

    W_1 = d² M,    W_j[a, b] = d² M[a, b] Σ_{a' < a, b' < b} d^(a - a' - 1) d^(b - b' - 1) W_{j-1}[a', b'],

as every letter and every gap costs a factor d; K is the sum of W_k. The inner sum is one pass along each
axis: what is at a is d times what was at a - 1, and W there.

The heaviest subsequences are found without listing all of them. The weight of all that begin with a prefix is
e'Rf, with e and f the weights with which the prefix ends at each letter of s and of t, and R[a, b] the weight
of everything that can follow (s_a, t_b). So the tree of prefixes is searched from its heaviest branch, and
the search may stop at any time: the subsequences found are exact, and so is the sum of all others."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import real
from kernelviz.engine.kernels.strings import Common, StringKernel, length_of, matches

# Entries of the tables of one batch of pairs: few enough for the cache, many enough for numpy.
CELLS_AT_ONCE = 1 << 18
LONGEST_SEQUENCE = 2000  # Characters of a string: four tables of two such strings take 128 MB.
MOST_CELLS = 3e9  # Entries of all tables together, which take about half a minute.
PAIRS_AT_ONCE = 1 << 16  # Pairs that are listed at a time.
LONGEST_APART = 400  # Characters of a string whose subsequences are listed.
MOST_BRANCHES = 4000  # Prefixes looked at, which take a few tenths of a second.

Codes = NDArray[np.int32]


class Coded(NamedTuple):
    """The texts that have subsequences of the length at all, the longest first: a batch is as large as its
    longest."""

    places: Indices  # Where they are among all.
    lengths: Indices
    codes: Codes  # (longest length, texts): their characters as numbers, shorter texts filled up with -1.

    @classmethod
    def of(cls, texts: Sequence[str], least: int) -> Coded:
        """Encode the texts that have at least `least` letters."""
        lengths = np.array([len(text) for text in texts], dtype=np.intp)
        places = np.argsort(-lengths, kind="stable")
        places = places[lengths[places] >= least]
        lengths = lengths[places]
        codes = np.full((len(lengths), lengths.max(initial=0)), -1, dtype=np.int32)
        joined = "".join(texts[i] for i in places).encode("utf-32-le", "surrogatepass")
        codes[np.arange(codes.shape[1]) < lengths[:, None]] = np.frombuffer(joined, dtype="<i4")
        return cls(places, lengths, np.ascontiguousarray(codes.T))


def _weights(X: Coded, i: Indices, Y: Coded, j: Indices, length: int, decay: float) -> Array:
    """Return K of the pairs (X_i, Y_j), in batches whose tables together have about CELLS_AT_ONCE entries, at
    least one pair each."""
    K, room, begin = np.empty(len(i)), np.empty((4, 0)), 0
    while begin < len(i):
        down = int(X.lengths[i[begin]])
        longest = int(Y.lengths[j[begin : begin + 1 + CELLS_AT_ONCE // down]].max())
        part = slice(begin, begin + max(1, CELLS_AT_ONCE // (down * longest)))
        s = X.codes[: X.lengths[i[part]].max(), i[part]]
        t = Y.codes[: Y.lengths[j[part]].max(), j[part]]
        t[t < 0] = -2  # what fills up one text is no letter of another
        cells = len(s) * t.size
        if cells > room.shape[1]:
            room = np.empty((4, cells))  # kept from batch to batch: fresh memory costs more than the sums
        K[part] = _total(s, t, length, decay, room[:, :cells])
        begin = part.stop
    return K


def _total(S: Codes, T: Codes, length: int, decay: float, room: Array) -> Array:
    """Return Σ W_k of each pair of columns.

    Tables have the axis to sum over first and the pairs last, and are transposed after every pass."""
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
    """Write Σ_{a' < a} d^(a - a' - 1) W[a'] into `sums`."""
    sums[0] = 0.0
    for a in range(1, len(W)):
        np.multiply(sums[a - 1], decay, out=sums[a])
        sums[a] += W[a - 1]


def _indicators(text: str, letters: Sequence[str]) -> Array:
    """Return (letters, characters): 1 where a character is that letter."""
    return np.array([[float(sign == letter) for sign in text] for letter in letters])


def _later(n: int, decay: float) -> Array:
    """Return D[a, a'] = d^(a - a') for a > a', else 0: the weight of letter a' on its way to a later one."""
    steps = np.subtract.outer(np.arange(n), np.arange(n))
    return np.where(steps > 0, float(decay) ** np.maximum(steps, 0), 0.0)


@dataclass(frozen=True)
class Subsequence(StringKernel):
    """K(s, t) = Σ_u φ_u(s) φ_u(t) over all u of length k; φ_u(s) = Σ d^(i_k - i_1 + 1) over all places
    i_1 < … < i_k at which s reads u"""

    name = "subsequence"
    title = "Subsequence"
    other_names = ("ssk",)
    summary_line = (
        "All letters in order that two texts share, with gaps: the wider spread, the less they count."
    )
    place = 13
    slow = True
    latex = r"\sum_{\lvert u \rvert = k}\;\sum_{i:\, s_i = u}\;\sum_{j:\, t_j = u} d^{\,\ell(i) + \ell(j)}"

    length: int = length_of(3, "Letters in a subsequence")
    decay: float = real(
        0.5,
        low=0.001,
        high=1.0,
        soft=(0.05, 1.0),
        label="d",
        help="Factor on the weight for each letter that a subsequence spans",
    )

    def pieces(self, text: str) -> Mapping[str, float]:
        d = self.decay
        ending: dict[str, dict[int, float]] = {"": {}}
        for letter in range(self.length):
            longer: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
            for prefix, weights in ending.items():
                for place, sign in enumerate(text):
                    before = sum(w * d ** (place - a) for a, w in weights.items() if a < place)
                    weight = before if letter else d
                    if weight:
                        longer[prefix + sign][place] += weight
            ending = longer
        return {piece: sum(weights.values()) for piece, weights in ending.items()}

    def most_pieces(self, text: str) -> int:
        return comb(len(text), self.length)

    def check_cost(self, X: tuple[str, ...]) -> None:
        self._check_size(X, sum(map(len, X)) ** 2 / 2)

    def _check_size(self, texts: Sequence[str], entries: float) -> None:
        """Raise BadInput for texts that are too long, or if tables of this size would take too long."""
        longest = max(map(len, texts), default=0)
        if longest > LONGEST_SEQUENCE:
            raise BadInput(
                f"Subsequences of strings of up to {LONGEST_SEQUENCE:,} characters can be compared; one of "
                f"these has {longest:,}. Use shorter ones, or the spectrum kernel."
            )
        if entries * self.length > MOST_CELLS:
            raise BadInput(
                "These strings are too many or too long to compare by their subsequences in reasonable time. "
                "Use fewer or shorter ones, or the spectrum kernel."
            )

    def similarities(self, X: tuple[str, ...], Y: tuple[str, ...]) -> Array:
        same, K = X is Y, np.zeros((len(X), len(Y)))
        self._check_size((*X, *Y), sum(map(len, X)) * sum(map(len, Y)) / (2 if same else 1))
        left, right = Coded.of(X, self.length), Coded.of(Y, self.length)
        several = max(1, PAIRS_AT_ONCE // max(1, len(right.places)))
        for begin in range(0, len(left.places), several):
            first = np.arange(begin, min(begin + several, len(left.places)))
            i, j = (grid.ravel() for grid in np.meshgrid(first, np.arange(len(right.places)), indexing="ij"))
            if same:
                i, j = i[j >= i], j[j >= i]
            weights = _weights(left, i, right, j, self.length, self.decay)
            i, j = left.places[i], right.places[j]
            K[i, j] = weights
            if same:
                K[j, i] = weights
        return K

    def sizes(self, X: tuple[str, ...]) -> Array:
        self._check_size(X, sum(len(text) ** 2 for text in X))
        sizes, coded = np.zeros(len(X)), Coded.of(X, self.length)
        every = np.arange(len(coded.places))
        sizes[coded.places] = _weights(coded, every, coded, every, self.length, self.decay)
        return sizes

    def heaviest(self, s: str, t: str, most: int) -> tuple[list[Common], bool]:
        length, decay = self.length, self.decay
        if max(len(s), len(t)) > LONGEST_APART:
            raise BadInput(
                f"Strings of up to {LONGEST_APART} characters are taken apart into their subsequences; "
                f"one of these has {max(len(s), len(t)):,}."
            )
        letters = sorted(set(s) & set(t))
        if not letters or min(len(s), len(t)) < length:
            return [], True
        S, T = _indicators(s, letters), _indicators(t, letters)
        down, across = _later(len(s), decay), _later(len(t), decay)
        # following[r][a, b]: the weight of all common subsequences of r letters that come after s_a and t_b.
        equal = S.T @ T
        following = [np.ones_like(equal)]
        for _ in range(length - 1):
            following.append(down.T @ (equal * following[-1]) @ across)
        queue: list[tuple[float, int, str, int, Array, Array]] = []

        def branch(prefix: str, g: Array, h: Array) -> None:
            """Queue every letter that may come next, with the weight of everything that begins so."""
            totals = (((S * g) @ following[length - len(prefix) - 1]) * (T * h)).sum(axis=1)
            for k in np.flatnonzero(totals > 0.0).tolist():
                heapq.heappush(queue, (-float(totals[k]), -len(prefix), prefix + letters[k], k, g, h))

        branch("", np.full(len(s), decay), np.full(len(t), decay))
        found: list[Common] = []
        for _ in range(MOST_BRANCHES):
            if not queue or len(found) == most:
                break
            _, _, prefix, k, g, h = heapq.heappop(queue)
            e, f = S[k] * g, T[k] * h
            if len(prefix) == length:
                found.append(Common(prefix, float(e.sum()), float(f.sum())))
            else:
                branch(prefix, down @ e, across @ f)
        return found, not queue

    def letters_of(self, text: str, piece: str) -> Array:
        own = [np.array([float(sign == letter) for sign in text]) for letter in piece]
        later = _later(len(text), self.decay)
        before = [self.decay * own[0]]
        for here in own[1:]:
            before.append(here * (later @ before[-1]))
        after = np.ones(len(text))
        used = before[-1].copy()
        for k in range(len(piece) - 1, 0, -1):
            after = later.T @ (own[k] * after)
            used += before[k - 1] * after
        whole = float(before[-1].sum())
        return used / whole if whole > 0.0 else used

    def tables(self, s: str, t: str) -> Array:
        """Return (k, |s|, |t|): W_1, …, W_k as above. The last table adds up to K."""
        weight, down, across = matches(s, t), _later(len(s), self.decay), _later(len(t), self.decay)
        W = [self.decay * self.decay * weight]
        for _ in range(self.length - 1):
            W.append(weight * (down @ W[-1] @ across.T))
        return np.stack(W)
