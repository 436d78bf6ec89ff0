"""Letters with and without a hidden motif."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, points, seed_of, shares, strings_of
from kernelviz.engine.params import integer

__all__ = ["Motif"]

LETTERS = "acgt"
HIDDEN = "gattaca"


@dataclass(frozen=True)
class Motif(SeededDataSet):
    """Random letters; in those of the class + the letters of a motif stand in order, with gaps between."""

    name = "motif"
    title = "Hidden motif"
    summary_line = "Random letters, half of them with a motif in gaps: no word or stretch gives it away."
    family = "Words"
    place = 24
    shown_in = "words"

    n: int = points(60)
    length: int = integer(16, low=10, high=200, soft=(10, 60), help="Letters of each string")
    gap: int = integer(1, low=0, high=10, help="Letters at most between two of the motif")
    seed: int = seed_of()

    def draw(self, rng: np.random.Generator) -> Data:
        with_it, without = shares(self.n)
        hidden = [self._hide(self._letters(rng), rng) for _ in range(with_it)]
        return strings_of([hidden, [self._letters(rng) for _ in range(without)]], ["+", "-"])

    def _letters(self, rng: np.random.Generator) -> str:
        return "".join(LETTERS[i] for i in rng.integers(len(LETTERS), size=self.length))

    def _hide(self, text: str, rng: np.random.Generator) -> str:
        """The motif written over some of the letters, as far as there is room for its gaps."""
        room = self.length - len(HIDDEN)
        places, at = [], 0
        for left in range(len(HIDDEN), 0, -1):
            most = min(self.gap, room) if left < len(HIDDEN) else room // 2
            skipped = int(rng.integers(most + 1))
            at, room = at + skipped, room - skipped
            places.append(at)
            at += 1
        letters = list(text)
        for place, letter in zip(places, HIDDEN, strict=True):
            letters[place] = letter
        return "".join(letters)
