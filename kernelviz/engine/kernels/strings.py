"""Kernels on inputs that are not numbers: strings, and objects known by their Gram matrix.

A kernel on strings has a feature φ_u for each word or substring u that a text may contain, most of them zero,
and K(s, t) = Σ_u φ_u(s) φ_u(t). Of other objects, such as trees or graphs, only the values K(s, t) are
given."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple
from unicodedata import normalize

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices, as_points
from kernelviz.engine.core.data import Domain
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.objects import GramItem, same
from kernelviz.engine.core.params import flag, integer
from kernelviz.engine.kernels.base import Kernel

LONGEST_STRING = 10_000  # Characters of a text: a page or two.
MOST_COUNTS = 1 << 22  # Counts that are written out, zeros too; of more only those that are not zero.
WORD = re.compile(r"\S+")


class Common(NamedTuple):
    """A piece of both strings and the features φ_u(s), φ_u(t)."""

    piece: str
    left: float
    right: float


def matches(s: str, t: str) -> Array:
    """Return M[a, b] = 1 where s_a = t_b, else 0, of shape (len(s), len(t))."""
    return np.array([[float(left == right) for right in t] for left in s]).reshape(len(s), len(t))


def length_of(default: int, help: str) -> Any:
    """Declare the length of a piece."""
    return integer(default, low=1, high=20, soft=(1, 6), label="k", help=help)


@dataclass(frozen=True)
class StringKernel(Kernel):
    """K(s, t) = Σ_u φ_u(s) φ_u(t), one feature for each piece u.

    Normalised it is K(s, t)/√(K(s, s) K(t, t)), that is divided by |φ(s)| |φ(t)|, and 0 where a text has
    no piece. Letters written in one sign or in two (é) are the same."""

    domain: ClassVar[Domain] = "strings"
    family: ClassVar[str] = "For strings"
    non_negative = True

    fold_case: bool = flag(
        False, label="Ignore case", help="Capital and small letters are the same", silent=True, last=True
    )
    normalised: bool = flag(
        False,
        label="Normalise",
        help="Divide by the square root of K(s, s) K(t, t), so that length alone makes no texts alike",
        silent=True,
        last=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.normalised:
            lengths = r"\lVert \phi(s) \rVert\, \lVert \phi(t) \rVert"
            object.__setattr__(self, "latex", rf"\frac{{{type(self).latex}}}{{{lengths}}}")

    @abstractmethod
    def pieces(self, text: str) -> Mapping[str, float]:
        """Return φ_u(s) of every piece u in the text."""

    def most_pieces(self, text: str) -> int:
        """Return an upper bound on the number of pieces in the text."""
        return len(text)

    @abstractmethod
    def heaviest(self, s: str, t: str, most: int) -> tuple[list[Common], bool]:
        """Return the common pieces with the largest φ_u(s) φ_u(t), before normalising, and whether these
        are all."""

    @abstractmethod
    def letters_of(self, text: str, piece: str) -> Array:
        """Return for each character of a text the share of φ_u that comes from occurrences which use it."""

    def tables(self, s: str, t: str) -> Array | None:
        """Return the (steps, |s|, |t|) tables of a dynamic programme whose last adds up to K before
        normalising, or None if K is not computed that way."""
        return None

    @abstractmethod
    def similarities(self, X: tuple[str, ...], Y: tuple[str, ...]) -> Array:
        """Return K[i, j] before normalising, exactly symmetric if X is Y."""

    @abstractmethod
    def sizes(self, X: tuple[str, ...]) -> Array:
        """Return K(s, s) before normalising."""

    def __call__(self, X: Any, Y: Any = None) -> Array:
        if isinstance(X, str) and isinstance(Y, str):
            return self([X], [Y])[0, 0, ...]
        return super().__call__(X, Y)

    def gram(self, X: Any, Y: Any) -> Array:
        left = self._read(X)
        right = left if Y is X else self._read(Y)
        K = self.similarities(left, right)
        if not self.normalised:
            return K
        sizes = self.sizes(left)
        return ratio(K, sizes[:, None], sizes if left is right else self.sizes(right))

    def diagonal(self, X: Any) -> Array:
        sizes = self.sizes(self._read(self.checked(X)))
        return ratio(sizes, sizes, sizes) if self.normalised else sizes

    def _in_blocks(self, X: Any, Y: Any) -> Array:
        return self.gram(X, X) if Y is None else super()._in_blocks(X, Y)

    def checked(self, X: Any) -> tuple[str, ...]:
        texts = () if isinstance(X, str) else tuple(X)
        if isinstance(X, str) or not all(isinstance(text, str) for text in texts):
            raise BadInput(f"{self.name} compares strings: give it a list of them.")
        longest = max(map(len, texts), default=0)
        if longest > LONGEST_STRING:
            raise BadInput(
                f"A string may have {LONGEST_STRING:,} characters at most; one of these has {longest:,}."
            )
        return texts

    def read(self, text: str) -> str:
        """Return the text in the form in which it is compared."""
        return normalize("NFC", text.casefold() if self.fold_case else text)

    def _read(self, X: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(self.read, X))

    def scale(self, text: str) -> float:
        """Return the divisor of each feature of a text: √K(s, s), or 1 unless normalised."""
        return float(np.sqrt(self.sizes((text,))[0])) if self.normalised else 1.0


@dataclass(frozen=True)
class CountingKernel(StringKernel):
    """φ_u(s) is the number of times s contains the piece u, or whether it contains it.

    A subclass implements `pieces`, all pieces of a text with their counts, and `places`, where a piece
    begins."""

    @abstractmethod
    def places(self, text: str, piece: str) -> Iterator[int]:
        """Return the places where a piece begins."""

    def heaviest(self, s: str, t: str, most: int) -> tuple[list[Common], bool]:
        left, right = self.pieces(s), self.pieces(t)
        found = [Common(piece, float(left[piece]), float(right[piece])) for piece in left if piece in right]
        found.sort(key=lambda common: -common.left * common.right)
        return found[:most], len(found) <= most

    def letters_of(self, text: str, piece: str) -> Array:
        used, begins = np.zeros(len(text)), list(self.places(text, piece))
        for begin in begins:
            used[begin : begin + len(piece)] += 1.0 / len(begins)
        return used

    def similarities(self, X: tuple[str, ...], Y: tuple[str, ...]) -> Array:
        found = [self.pieces(text) for text in (X if X is Y else X + Y)]
        column: dict[str, int] = {}
        places = [column.setdefault(piece, len(column)) for pieces in found for piece in pieces]
        counts = [count for pieces in found for count in pieces.values()]
        rows = np.repeat(np.arange(len(found)), [len(pieces) for pieces in found])
        if len(found) * len(column) <= MOST_COUNTS:
            matrix = np.zeros((len(found), len(column)))
            matrix[rows, places] = counts
            return matrix @ matrix.T if X is Y else matrix[: len(X)] @ matrix[len(X) :].T
        from scipy.sparse import csr_array

        few = csr_array((np.array(counts, float), (rows, np.array(places))))
        return np.asarray((few @ few.T if X is Y else few[: len(X)] @ few[len(X) :].T).toarray())

    def sizes(self, X: tuple[str, ...]) -> Array:
        return np.array([sum(count * count for count in self.pieces(text).values()) for text in X], float)


def ratio(K: Array, left: Array, right: Array) -> Array:
    """Return K/√(K(s, s) K(t, t)), and 0 where s or t has no size.

    left, right: K(s, s) and K(t, t). Powers of 4 are taken out of both first, so that their product neither
    overflows nor vanishes."""
    halves = [np.frexp(sizes)[1] // 2 for sizes in (left, right)]
    product = np.ldexp(left, -2 * halves[0]) * np.ldexp(right, -2 * halves[1])
    quotient = np.divide(K, np.sqrt(product), out=np.zeros_like(K), where=product > 0.0)
    return np.asarray(np.ldexp(quotient, -halves[0] - halves[1]))


@dataclass(frozen=True)
class Words(CountingKernel):
    """K(s, t) = number of distinct words in both s and t; counted: Σ_w #_w(s) #_w(t)"""

    name = "words"
    title = "Words"
    other_names = ("bag-of-words", "bow")
    summary_line = "How many words two texts share; a word ends at white space."
    place = 11
    latex = r"\sum_{w} \phi_w(s)\,\phi_w(t)"

    counted: bool = flag(
        False, label="Counted", help="Count a word as often as it occurs, not once", silent=True
    )

    def pieces(self, text: str) -> Mapping[str, float]:
        words = text.split()
        return Counter(words) if self.counted else dict.fromkeys(words, 1)

    def places(self, text: str, piece: str) -> Iterator[int]:
        return (found.start() for found in WORD.finditer(text) if found.group() == piece)


@dataclass(frozen=True)
class Spectrum(CountingKernel):
    """K(s, t) = Σ_u #_u(s) #_u(t) over all strings u of length k, #_u(s) how often u occurs in s"""

    name = "spectrum"
    title = "Spectrum"
    summary_line = "How many stretches of k letters two texts share, each as often as it occurs."
    place = 12
    latex = r"\sum_{\lvert u \rvert = k} \#_u(s)\,\#_u(t)"

    length: int = length_of(3, "Letters in a stretch")

    def pieces(self, text: str) -> Mapping[str, float]:
        k = self.length
        return Counter(text[a : a + k] for a in range(len(text) - k + 1))

    def places(self, text: str, piece: str) -> Iterator[int]:
        return (a for a in range(len(text) - len(piece) + 1) if text.startswith(piece, a))

    def tables(self, s: str, t: str) -> Array:
        """Return W_1, …, W_k with W_1 = M and W_j[a, b] = M[a, b] W_{j-1}[a - 1, b - 1]: 1 where a common
        stretch of j letters ends at s_a and t_b."""
        W = [matches(s, t)]
        for _ in range(self.length - 1):
            W.append(W[0] * np.pad(W[-1], ((1, 0), (1, 0)))[:-1, :-1])
        return np.stack(W)


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

    def checked(self, X: Any) -> tuple[GramItem, ...]:
        if isinstance(X, str):
            raise BadInput(f"{self.name} compares objects: give it a list of them.")
        items = tuple(X)
        if not all(isinstance(item, GramItem) for item in items):
            raise BadInput(f"{self.name} looks up the Gram matrix of objects; these data have none.")
        return items

    def gram(self, X: tuple[GramItem, ...], Y: tuple[GramItem, ...]) -> Array:
        if not X or not Y:
            return np.empty((len(X), len(Y)))
        matrix = X[0].matrix
        if not all(same(matrix, item.matrix) for item in (*X, *Y)):
            raise BadInput("Objects of two different Gram matrices cannot be compared.")
        i, j = ([item.place for item in items] for items in (X, Y))
        K = np.asarray(matrix[np.ix_(i, j)])
        sizes = np.maximum(np.diag(matrix), 0.0)
        return ratio(K, sizes[i][:, None], sizes[j]) if self.normalised else K

    def diagonal(self, X: Any) -> Array:
        values = np.array([item.matrix[item.place, item.place] for item in self.checked(X)], dtype=float)
        sizes = np.maximum(values, 0.0)
        return ratio(values, sizes, sizes) if self.normalised else values
