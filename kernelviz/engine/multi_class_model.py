"""More than two classes: a vote among models of two classes each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.marks import Mark
from kernelviz.engine.model import Model

__all__ = ["MultiClassModel", "Pair"]

LARGEST_LEAD = 1e100
"""A lead is not said to be larger than this."""


@dataclass(frozen=True, eq=False)
class Pair:
    """The model that tells class `plus` (s > 0) from class `minus`, fitted on the points `rows`."""

    minus: int
    plus: int
    rows: Indices
    model: Model


@dataclass(frozen=True, eq=False, repr=False)
class MultiClassModel(Model):
    """Every pair votes for the class on whose side of its boundary x lies; most votes win.

    The score has one column for each class: its votes, plus the sum of its pairs' scores squeezed into
    (-1/3, 1/3), which decides between classes with equally many votes and nothing else."""

    pairs: tuple[Pair, ...]

    @property
    def classes(self) -> int:
        return len(self.problem.data.class_names)

    def score(self, X: Any) -> Array:
        return self._tally([(pair, pair.model.score(X)) for pair in self.pairs])

    def on_grid(self, x1: Array, x2: Array) -> Array:
        """The score of each class on the grid: shape (classes, len(x2), len(x1))."""
        return np.moveaxis(self._tally([(pair, pair.model.on_grid(x1, x2)) for pair in self.pairs]), -1, 0)

    on_plane = on_grid

    def leads(self, x1: Array, x2: Array) -> Array:
        """How clearly each class beats its strongest rival on the grid, positive where it wins.

        Votes jump where they change; along a border decided by votes the lead is the score of the pair of
        neighbours instead, so that the border can be told between the nodes. Where two classes have equally
        many votes it is the difference that decides between them."""
        scores = [(pair, pair.model.on_grid(x1, x2)) for pair in self.pairs]
        F = np.moveaxis(self._tally(scores), -1, 0)
        votes = np.rint(F)
        lead = np.full_like(F, np.inf)
        for pair, s in scores:
            ahead = F[pair.plus] - F[pair.minus]
            by_votes = (votes[pair.plus] != votes[pair.minus]) & ((s > 0) == (ahead > 0))
            beats = np.where(by_votes, s, ahead)
            np.minimum(lead[pair.plus], beats, out=lead[pair.plus])
            np.minimum(lead[pair.minus], -beats, out=lead[pair.minus])
        # A class that has not met any other yet, as in the middle of a run, wins nowhere.
        met = {k for pair in self.pairs for k in (pair.minus, pair.plus)}
        lead[[k for k in range(self.classes) if k not in met]] = -1.0
        return np.nan_to_num(lead, copy=False, nan=-1.0, posinf=LARGEST_LEAD, neginf=-LARGEST_LEAD)

    def codes(self, X: Any) -> Array:
        """The number of the class, 0..k-1, in the order of `class_names`."""
        return np.asarray(np.argmax(self.score(X), axis=1), dtype=np.float64)

    @cached_property
    def mistakes(self) -> NDArray[np.bool_]:
        return np.asarray(np.argmax(self.training_scores, axis=1) != self.problem.y)

    @cached_property
    def support(self) -> Indices:
        """Points that support at least one of the pairs."""
        parts = [pair.rows[pair.model.support] for pair in self.pairs]
        return np.unique(np.concatenate(parts)) if parts else np.empty(0, dtype=np.intp)

    def marks(self) -> tuple[Mark, ...]:
        # Marks that two pairs share, such as the mean of a class, are drawn once.
        found = {(m.kind, m.label): _of_pair(m, pair) for pair in self.pairs for m in pair.model.marks()}
        return tuple(found.values())

    def _tally(self, scores: list[tuple[Pair, Array]]) -> Array:
        shape = scores[0][1].shape
        votes, confidence = np.zeros((2, *shape, self.classes))
        for pair, s in scores:
            votes[..., pair.plus] += s > 0
            votes[..., pair.minus] += s <= 0
            confidence[..., pair.plus] += s
            confidence[..., pair.minus] -= s
        return np.asarray(votes + confidence / (3.0 * (np.abs(confidence) + 1.0)))


def _of_pair(mark: Mark, pair: Pair) -> Mark:
    """The mark with the class it belongs to among all of them instead of its side in the pair."""
    if mark.side == 0:
        return mark
    return replace(mark, side=0, of_class=pair.plus if mark.side > 0 else pair.minus)
