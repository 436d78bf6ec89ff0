"""Subsequences with gaps that two texts share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.shared import (
    Common,
    heaviest_subsequences,
    letters_of_subsequence,
    tables,
)
from kernelviz.engine.families.strings import StringKernel, case_folded, length_of, normalised_or_not
from kernelviz.engine.families.subsequences import check, common, own
from kernelviz.engine.params import real

__all__ = ["Subsequence"]


@dataclass(frozen=True)
class Subsequence(StringKernel):
    """K(s, t) = Σ_u φ_u(s) φ_u(t) over all u of length k; φ_u(s) = Σ d^(i_k - i_1 + 1) over all places
    i_1 < … < i_k at which s reads u"""

    name = "subsequence"
    title = "Subsequence"
    summary_line = (
        "All letters in order that two texts share, with gaps: the wider spread, the less they count."
    )
    place = 13
    laborious = True
    latex = r"\sum_{\lvert u \rvert = k}\;\sum_{i:\, s_i = u}\;\sum_{j:\, t_j = u} d^{\,\ell(i) + \ell(j)}"

    length: int = length_of(3, "Letters in a subsequence")
    decay: float = real(
        0.5,
        low=0.001,
        high=1.0,
        soft=(0.05, 1.0),
        label="d",
        help="What each letter that a subsequence spans multiplies its weight by",
    )
    fold_case: bool = case_folded()
    normalised: bool = normalised_or_not()

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

    def check_labour(self, X: tuple[str, ...]) -> None:
        check(X, X, self.length)

    def similarities(self, X: tuple[str, ...], Y: tuple[str, ...]) -> Array:
        return common(X, Y, self.length, self.decay)

    def sizes(self, X: tuple[str, ...]) -> Array:
        return own(X, self.length, self.decay)

    def heaviest(self, s: str, t: str, most: int) -> tuple[list[Common], bool]:
        return heaviest_subsequences(s, t, self.length, self.decay, most)

    def letters_of(self, text: str, piece: str) -> Array:
        return letters_of_subsequence(text, piece, self.decay)

    def tables(self, s: str, t: str) -> Array:
        return tables(s, t, self.length, self.decay)
