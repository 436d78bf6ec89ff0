"""Data sets of two classes whose inputs are not numbers: strings, and graphs known by their Gram matrix."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from string import ascii_lowercase

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.objects import objects
from kernelviz.engine.core.params import integer
from kernelviz.engine.datasets.base import DataSet, SeededDataSet, points, shares, strings_of

# The two words, and their misspellings.
KNOWN = {"sentence": ("sentence", "sentance", "sentnce"), "banana": ("banana", "bananna", "bannana")}
SUBJECTS = {
    "sea": ("the captain", "a sailor", "the old fisherman", "our ship", "the crew", "a small boat"),
    "kitchen": ("the cook", "a baker", "my grandmother", "our guest", "the waiter", "a young chef"),
}
DEEDS = {
    "sea": (
        "watched the waves",
        "sailed to the island",
        "hauled the net",
        "waited for the tide",
        "left port",
    ),
    "kitchen": (
        "stirred the soup",
        "baked fresh bread",
        "chopped the onions",
        "tasted the sauce",
        "set the table",
    ),
}
WORDS_OF_LANGUAGES = {
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

    def draw(self, rng: np.random.Generator) -> Data:
        groups = []
        for (word, known), count in zip(KNOWN.items(), shares(self.n), strict=True):
            words = list(known)
            while len(words) < count:
                misspelt = word
                for _ in range(self.slips):
                    misspelt = _slip(misspelt, rng)
                words.append(misspelt)
            groups.append(words[:count])
        return strings_of(groups, list(KNOWN))


def _slip(word: str, rng: np.random.Generator) -> str:
    """Return the word with a letter left out or doubled, two letters swapped, or one letter changed."""
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


@dataclass(frozen=True)
class Topics(SeededDataSet):
    """Sentences put together from a subject, a deed and a time; the time is the same for both topics."""

    name = "topics"
    title = "Two topics"
    summary_line = "Sentences about the sea and about the kitchen: a few words tell which."
    family = "Words"
    place = 22
    shown_in = "words"

    n: int = points(40)

    def fresh(self, count: int, which: int = 0) -> Data | None:
        return None  # there are only so many: drawn again they would be those that were fitted

    def draw(self, rng: np.random.Generator) -> Data:
        groups = [
            [_sentence(topic, rng) for _ in range(count)]
            for topic, count in zip(SUBJECTS, shares(self.n), strict=True)
        ]
        return strings_of(groups, list(SUBJECTS))


def _sentence(topic: str, rng: np.random.Generator) -> str:
    # These belong to both.
    whens = (
        "at dawn",
        "in the evening",
        "before the storm",
        "once more",
        "with great care",
        "in a hurry",
        "alone",
    )
    parts = (SUBJECTS[topic], DEEDS[topic], whens)
    return " ".join(part[int(rng.integers(len(part)))] for part in parts)


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

    def fresh(self, count: int, which: int = 0) -> Data | None:
        return None  # there are only so many: drawn again they would be those that were fitted

    def draw(self, rng: np.random.Generator) -> Data:
        groups = [
            _drawn(sorted(set(words.split())), count, rng)
            for words, count in zip(WORDS_OF_LANGUAGES.values(), shares(self.n), strict=True)
        ]
        return strings_of(groups, list(WORDS_OF_LANGUAGES))


def _drawn(words: list[str], count: int, rng: np.random.Generator) -> list[str]:
    """Draw `count` words in random order, using all of them before any is repeated."""
    order = np.concatenate([rng.permutation(len(words)) for _ in range(1 + count // len(words))])
    return [words[i] for i in order[:count]]


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
    gap: int = integer(1, low=0, high=10, help="Maximum number of letters between two of the motif")

    def draw(self, rng: np.random.Generator) -> Data:
        with_it, without = shares(self.n)
        hidden = [self._hide(self._letters(rng), rng) for _ in range(with_it)]
        return strings_of([hidden, [self._letters(rng) for _ in range(without)]], ["+", "-"])

    def _letters(self, rng: np.random.Generator) -> str:
        letters = "acgt"
        return "".join(letters[i] for i in rng.integers(len(letters), size=self.length))

    def _hide(self, text: str, rng: np.random.Generator) -> str:
        """Return the letters with the motif written over some of them, as far as there is room for its
        gaps."""
        hidden = "gattaca"
        room = self.length - len(hidden)
        places, at = [], 0
        for left in range(len(hidden), 0, -1):
            most = min(self.gap, room) if left < len(hidden) else room // 2
            skipped = int(rng.integers(most + 1))
            at, room = at + skipped, room - skipped
            places.append(at)
            at += 1
        letters = list(text)
        for place, letter in zip(places, hidden, strict=True):
            letters[place] = letter
        return "".join(letters)


Edges = list[tuple[int, int]]


@dataclass(frozen=True)
class Graphs(DataSet):
    """Small graphs, compared by their closed walks: K(G, H) = Σ_k c_k(G) c_k(H)/k!, where c_k(G) = tr A^k is
    the number of walks of k steps in G that end where they begin."""

    name = "graphs"
    title = "Small graphs"
    summary_line = "Trees and graphs with a cycle, known only by how many closed walks two of them share."
    family = "Objects"
    place = 31
    shown_in = "objects"

    steps: int = integer(6, low=2, high=12, help="Longest walk that is counted")

    def make(self) -> Data:
        trees = {f"path of {n}": _path(n) for n in range(3, 9)}
        trees |= {f"star of {n}": [(0, k) for k in range(1, n)] for n in range(4, 9)}
        trees |= {f"fork of {n}": [*_path(n), (n - 2, n)] for n in range(4, 8)}
        cycles = {f"cycle of {n}": _cycle(n) for n in range(3, 9)}
        cycles |= {f"wheel of {n + 1}": [*_cycle(n), *((n, k) for k in range(n))] for n in range(4, 8)}
        cycles |= {f"lasso of {n}": [*_cycle(3), *((k - 1, k) for k in range(3, n))] for n in range(4, 9)}
        graphs = [graph for pair in zip(trees.items(), cycles.items(), strict=True) for graph in pair]
        counts = np.array([self._closed_walks(edges) for _, edges in graphs])
        every = objects(counts @ counts.T, [name for name, _ in graphs])
        return Data.labelled(every, ["tree", "cycle"] * len(trees), ["object"])

    def _closed_walks(self, edges: Edges) -> Array:
        """Return c_k/√k! for k from 2 to the longest walk."""
        n = 1 + max(max(edge) for edge in edges)
        A = np.zeros((n, n))
        for i, j in edges:
            A[i, j] = A[j, i] = 1.0
        powers = [np.linalg.matrix_power(A, k) for k in range(2, self.steps + 1)]
        return np.array([np.trace(power) / factorial(k) ** 0.5 for k, power in enumerate(powers, 2)])


def _path(n: int) -> Edges:
    return [(k, k + 1) for k in range(n - 1)]


def _cycle(n: int) -> Edges:
    return [*_path(n), (n - 1, 0)]
