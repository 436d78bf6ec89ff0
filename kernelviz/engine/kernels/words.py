"""The words that two texts share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kernelviz.engine.families.strings import CountingKernel, case_folded, normalised_or_not
from kernelviz.engine.params import flag

__all__ = ["Words"]

WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Words(CountingKernel):
    """K(s, t) = number of distinct words in both s and t; counted: Σ_w #_w(s) #_w(t)"""

    name = "words"
    title = "Words"
    summary_line = "How many words two texts share; a word ends at white space."
    place = 11
    latex = r"\sum_{w} \phi_w(s)\,\phi_w(t)"

    counted: bool = flag(
        False, label="Counted", help="A word counts as often as a text has it, not once", silent=True
    )
    fold_case: bool = case_folded()
    normalised: bool = normalised_or_not()

    def pieces(self, text: str) -> Mapping[str, float]:
        words = text.split()
        return Counter(words) if self.counted else dict.fromkeys(words, 1)

    def places(self, text: str, piece: str) -> Iterator[int]:
        return (found.start() for found in WORD.finditer(text) if found.group() == piece)
