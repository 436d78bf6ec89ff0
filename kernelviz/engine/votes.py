"""One against one: every pair of classes votes, most votes win."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelviz.engine.arrays import Array, Indices

__all__ = ["Votes"]


@dataclass(frozen=True)
class Votes:
    """How the scores of pairs of classes become a vote: (minus, plus) for each pair; s > 0 is for plus.

    Among classes with equally many votes the one with the largest confidence wins, which is the sum of its
    pairs' scores, each with the sign that is in its favour."""

    pairs: tuple[tuple[int, int], ...]
    classes: int

    @cached_property
    def _sides(self) -> tuple[Array, Array]:
        """(pairs, classes) each: who is minus, who is plus."""
        minus, plus = np.zeros((2, len(self.pairs), self.classes))
        for p, (a, b) in enumerate(self.pairs):
            minus[p, a] = plus[p, b] = 1.0
        return minus, plus

    def counted(self, T: Array) -> tuple[Array, Array]:
        """Votes and confidence of every class, (…, classes), from the pairs' scores, (…, pairs)."""
        minus, plus = self._sides
        return np.asarray((T > 0) @ plus + (T <= 0) @ minus), np.asarray(T @ (plus - minus))

    def tally(self, T: Array) -> Array:
        """Votes plus the confidence squeezed into (-1/3, 1/3), which decides between equally many votes and
        nothing else."""
        count, confidence = self.counted(T)
        return np.asarray(count + confidence / (3.0 * (np.abs(confidence) + 1.0)))

    def winner(self, T: Array) -> Indices:
        """The number of the class that wins."""
        return np.asarray(self.tally(T).argmax(axis=-1))
