"""Words of two languages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, points, seed_of, shares, strings_of

__all__ = ["Languages"]

WORDS = {
    "English": (
        "the through which there where would should could weather thought brother mother father water light "
        "night right bright eight weight house mouse about round found ground shout mouth north south earth "
        "birth teeth three throw know known grow green sleep keep street meet week shoe shirt shape "
        "wish fish brush watch catch kitchen chicken church child children quick queen quiet wheel white "
        "whisper"
    ),
    "Italian": (
        "casa strada acqua luce notte giorno fratello sorella madre padre terra cielo mare sole luna stella "
        "bambino ragazza finestra porta tavolo sedia libro penna scuola maestro parola lingua bocca mano "
        "piede testa cuore sangue fuoco vento pioggia neve montagna fiume lago isola ponte piazza "
        "chiesa campana mangiare bere dormire correre leggere scrivere parlare ascoltare vedere sentire "
        "cantare ballare"
    ),
}


@dataclass(frozen=True)
class Languages(SeededDataSet):
    """Words drawn from two short lists, each once before any comes again."""

    name = "languages"
    title = "Two languages"
    summary_line = "English and Italian words: their letters alone tell them apart, most of the time."
    family = "Words"
    place = 23
    shown_in = "words"

    n: int = points(60)
    seed: int = seed_of()

    def fresh(self, count: int) -> Data | None:
        return None  # there are only so many: drawn again they would be those that were fitted

    def draw(self, rng: np.random.Generator) -> Data:
        groups = [
            _drawn(sorted(set(words.split())), count, rng)
            for words, count in zip(WORDS.values(), shares(self.n), strict=True)
        ]
        return strings_of(groups, list(WORDS))


def _drawn(words: list[str], count: int, rng: np.random.Generator) -> list[str]:
    """So many of the words in random order, once through all of them before any comes again."""
    order = np.concatenate([rng.permutation(len(words)) for _ in range(1 + count // len(words))])
    return [words[i] for i in order[:count]]
