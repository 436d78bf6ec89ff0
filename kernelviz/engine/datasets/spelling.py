"""Misspelt words."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, points, seed_of, shares, strings_of
from kernelviz.engine.params import integer

__all__ = ["Spelling"]

KNOWN = {"sentence": ("sentence", "sentance", "sentnce"), "banana": ("banana", "bananna", "bannana")}
"""The two words, and what people have made of them."""


@dataclass(frozen=True)
class Spelling(SeededDataSet):
    """Two words, spelt right once, and then with slips: a letter left out, doubled, changed, two swapped."""

    name = "spelling"
    title = "Misspelt words"
    summary_line = (
        "Two words with slips of the pen: which was meant? No two letters need to stand side by side."
    )
    family = "Words"
    place = 21
    shown_in = "words"

    n: int = points(24, low=6)
    slips: int = integer(1, low=1, high=5, help="Slips in every misspelt word")
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        groups = []
        for (word, known), count in zip(KNOWN.items(), shares(self.n), strict=True):
            more = [self._misspelt(word, rng) for _ in range(count - len(known))]
            groups.append([*known, *more][:count])
        return strings_of(groups, list(KNOWN))

    def _misspelt(self, word: str, rng: np.random.Generator) -> str:
        for _ in range(self.slips):
            word = _slip(word, rng)
        return word


def _slip(word: str, rng: np.random.Generator) -> str:
    at = int(rng.integers(len(word) - 1))
    match rng.integers(4):
        case 0 if len(word) > 3:
            return word[:at] + word[at + 1 :]
        case 1:
            return word[: at + 1] + word[at:]
        case 2:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case _:
            return word[:at] + ascii_lowercase[int(rng.integers(26))] + word[at + 1 :]
