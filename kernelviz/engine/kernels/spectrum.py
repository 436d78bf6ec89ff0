"""Substrings of one length that two texts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kernelviz.engine.arrays import Array
from kernelviz.engine.families.shared import tables
from kernelviz.engine.families.strings import CountingKernel, case_folded, length_of, normalised_or_not

__all__ = ["Spectrum"]


@dataclass(frozen=True)
class Spectrum(CountingKernel):
    """K(s, t) = Σ_u #_u(s) #_u(t) over all strings u of length k, #_u(s) how often u occurs in s"""

    name = "spectrum"
    title = "Spectrum"
    summary_line = "How many stretches of k letters two texts share, each as often as it occurs."
    place = 12
    latex = r"\sum_{\lvert u \rvert = k} \#_u(s)\,\#_u(t)"

    length: int = length_of(3, "Letters in a stretch")
    fold_case: bool = case_folded()
    normalised: bool = normalised_or_not()

    def pieces(self, text: str) -> Mapping[str, float]:
        k = self.length
        return Counter(text[a : a + k] for a in range(len(text) - k + 1))

    def places(self, text: str, piece: str) -> Iterator[int]:
        return (a for a in range(len(text) - len(piece) + 1) if text.startswith(piece, a))

    def tables(self, s: str, t: str) -> Array:
        return tables(s, t, self.length, None)
