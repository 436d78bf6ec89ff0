"""More than two classes: a vote among models of two classes each, or the highest score of a class against the
rest.

The pair (a, b) votes for b where its score is positive and else for a; the class with most votes wins, and
among equals the one with the larger sum of scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.fields.borders import HighestScore, Votes
from kernelviz.engine.models.base import Mark, Model

REST = -1  # Stands for all other classes.


@dataclass(frozen=True, eq=False)
class ClassPair:
    """The model of two classes, `plus` (s > 0) against `minus`, which may be the REST, fitted on the points
    `rows`."""

    minus: int
    plus: int
    rows: Indices
    model: Model


@dataclass(frozen=True, eq=False, repr=False)
class MultiClassModel(Model):
    """Every pair votes for the class on whose side of its boundary x lies; most votes win.

    The score has one column for each class: its votes, plus the sum of its pairs' scores squeezed into
    (-1/3, 1/3), which decides between classes with equally many votes (`Votes`)."""

    pairs: tuple[ClassPair, ...]
    counts_votes: ClassVar[bool] = True  # The scores of classes are then their votes plus less than 1/3.

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.problem.data.class_names)

    @cached_property
    def votes(self) -> Votes:
        """The pairs of classes that are compared."""
        return Votes(tuple((pair.minus, pair.plus) for pair in self.pairs), self.classes)

    def score(self, X: Any) -> Array:
        return self.votes.tally(np.stack([pair.model.score(X) for pair in self.pairs], axis=-1))

    def on_grid(self, x1: Array, x2: Array) -> Array:
        """Return the score of each class on the grid, of shape (classes, len(x2), len(x1))."""
        return self.tally_on_grid(np.stack([pair.model.on_grid(x1, x2) for pair in self.pairs]))

    on_plane = on_grid

    def tally_on_grid(self, scores: Array) -> Array:
        """Return the same from the scores of the pairs on the grid, of shape (pairs, len(x2), len(x1))."""
        return np.moveaxis(self.votes.tally(np.moveaxis(scores, 0, -1)), -1, 0)

    def codes(self, X: Any) -> Array:
        """Return the index of the class, 0..k-1, in the order of `class_names`."""
        return np.asarray(np.argmax(self.score(X), axis=1), dtype=np.float64)

    def _probabilities(self, X: Any) -> Array:
        """Return probabilities p of all classes that agree best with those of the pairs."""
        present = sorted({k for pair in self.pairs for k in (pair.minus, pair.plus)})
        place = {k: column for column, k in enumerate(present)}
        of_pairs = [pair.model.predict_proba(X) for pair in self.pairs]
        R = np.zeros((len(of_pairs[0]), len(present), len(present)))
        for pair, found in zip(self.pairs, of_pairs, strict=True):
            a, b = place[pair.minus], place[pair.plus]
            R[:, a, b], R[:, b, a] = found.T
        every = np.zeros((len(R), self.classes))
        every[:, present] = coupled(R)
        return every

    @cached_property
    def mistakes(self) -> NDArray[np.bool_] | None:
        if not self.is_classifier:
            return None
        return np.asarray(np.argmax(self.training_scores, axis=1) != self.problem.y)

    @cached_property
    def is_classifier(self) -> bool:
        return any(pair.model.is_classifier for pair in self.pairs)

    @cached_property
    def support(self) -> Indices:
        """The points that support at least one of the pairs."""
        parts = [pair.rows[pair.model.support] for pair in self.pairs]
        return np.unique(np.concatenate(parts)) if parts else np.empty(0, dtype=np.intp)

    def names(self, pair: ClassPair) -> tuple[str, str]:
        """Return the names of the two sides of a pair."""
        known = self.problem.data.class_names
        return "the rest" if pair.minus == REST else known[pair.minus], known[pair.plus]

    def marks(self) -> tuple[Mark, ...]:
        """Return the marks of all pairs, with their class among all instead of their side in the pair.

        A mark that two pairs share, such as the mean of a class, comes once."""
        found: dict[tuple[str, str], Mark] = {}
        for pair in self.pairs:
            for mark in pair.model.marks():
                if mark.side < 0 and pair.minus == REST:
                    continue
                if mark.side:
                    mark = replace(mark, side=0, of_class=pair.plus if mark.side > 0 else pair.minus)
                found[mark.kind, mark.label] = mark
        return tuple(found.values())


@dataclass(frozen=True, eq=False, repr=False)
class OneVsRestModel(MultiClassModel):
    """One model for each class against all others; the largest score wins.

    The score has one column for each class, -inf for a class without points. Probabilities are those of the
    models, divided by their sum."""

    counts_votes = False

    @cached_property
    def votes(self) -> Votes:
        return HighestScore(tuple((pair.minus, pair.plus) for pair in self.pairs), self.classes)

    def _probabilities(self, X: Any) -> Array:
        every = np.zeros((len(X), self.classes))
        for pair in self.pairs:
            every[:, pair.plus] = pair.model.predict_proba(X)[:, 1]
        total = every.sum(axis=1, keepdims=True)
        even = np.isin(np.arange(self.classes), [pair.plus for pair in self.pairs]) / len(self.pairs)
        return np.where(total > 0.0, every / np.where(total > 0.0, total, 1.0), even)


def coupled(R: Array) -> Array:
    """Return the probabilities of k classes, (m, k), from those of their pairs, (m, k, k): R[:, a, b] is that
    of a if it is one of a and b.

    They minimise Σ_a Σ_{b≠a} (r_ba p_a - r_ab p_b)² with Σp = 1 (Wu, Lin and Weng), which is a linear system
    for each row; LIBSVM does the same."""
    m, k = R.shape[:2]
    surest = 1e-7  # From 0 and from 1: pairs that are quite certain may contradict each other.
    R = np.clip(R, surest, 1.0 - surest) * (1.0 - np.eye(k))
    A = np.zeros((m, k + 1, k + 1))
    A[:, :k, :k] = -R * R.transpose(0, 2, 1)
    A[:, range(k), range(k)] = (R**2).sum(axis=1)
    A[:, k, :k] = A[:, :k, k] = 1.0
    right = np.zeros((m, k + 1, 1))
    right[:, k] = 1.0
    p = np.clip(np.linalg.solve(A, right)[:, :k, 0], 0.0, 1.0)
    return np.asarray(p / p.sum(axis=1, keepdims=True))
