"""Borders between several classes: the votes of pairs of classes, and where the winner changes.

The scores of m pairs are given on a grid, (m, rows, columns). Borders are level lines of these scores and of
differences of the classes' confidence, cut to where they separate two winners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.fields.contours import contours


@dataclass(frozen=True)
class Votes:
    """The vote of pairs of classes by their scores: (minus, plus) for each pair; s > 0 is for plus.

    Among classes with equally many votes the one with the largest confidence wins, which is the sum of its
    pairs' scores, each with the sign that is in its favour."""

    pairs: tuple[tuple[int, int], ...]
    classes: int

    @cached_property
    def _sides(self) -> tuple[Array, Array]:
        """Two (pairs, classes) matrices: which class is minus, and which is plus."""
        minus, plus = np.zeros((2, len(self.pairs), self.classes))
        for p, (a, b) in enumerate(self.pairs):
            minus[p, a] = plus[p, b] = 1.0
        return minus, plus

    def counted(self, T: Array) -> tuple[Array, Array]:
        """Return votes and confidence of every class, (…, classes), from the pairs' scores, (…, pairs)."""
        minus, plus = self._sides
        return np.asarray((T > 0) @ plus + (T <= 0) @ minus), np.asarray(T @ (plus - minus))

    def tally(self, T: Array) -> Array:
        """Return votes plus the confidence squeezed into (-1/3, 1/3), which only decides between equally
        many votes."""
        count, confidence = self.counted(T)
        return np.asarray(count + confidence / (3.0 * (np.abs(confidence) + 1.0)))

    def winner(self, T: Array) -> Indices:
        """Return the index of the class that wins."""
        return np.asarray(self.tally(T).argmax(axis=-1))


@dataclass(frozen=True)
class HighestScore(Votes):
    """No vote but the highest score of a class against all others, which is `plus` of a pair; a class without
    points never wins."""

    def counted(self, T: Array) -> tuple[Array, Array]:
        confidence = np.full((*T.shape[:-1], self.classes), -np.inf)
        confidence[..., [plus for _, plus in self.pairs]] = T
        return np.where(np.isfinite(confidence), 0.0, -1.0), confidence

    def tally(self, T: Array) -> Array:
        return self.counted(T)[1]


# Given the pairs' scores at places of a line, whether the line is a border there.
Test = Callable[[Array], NDArray[np.bool_]]


def borders(x1: Array, x2: Array, scores: Array, votes: Votes) -> list[Array]:
    """Return the borders between the classes; `scores` are those of the pairs on the grid, (pairs, rows,
    columns).

    A vote changes where a pair is undecided, s = 0. Where two classes share the most votes, the winner
    also changes where both are equally confident. Each of these lines is followed and kept where it is a
    border: borders are as smooth as the scores, and straight where those are linear."""
    found: list[Array] = []
    for p, s in enumerate(scores):
        found += _kept(x1, x2, s, scores, partial(_changes, p, votes))
    count, confidence = votes.counted(np.moveaxis(scores, 0, -1))
    top = count.max(axis=-1)
    for a, b in combinations(range(votes.classes), 2):
        if ((count[..., a] == top) & (count[..., b] == top)).any():
            ahead = confidence[..., a] - confidence[..., b]
            found += _kept(x1, x2, ahead, scores, partial(_shared, a, b, votes))
    return found


def _changes(p: int, votes: Votes, T: Array) -> NDArray[np.bool_]:
    """Return whether the vote of pair p, undecided here, changes the winner."""
    one, other = T.copy(), T.copy()
    one[:, p], other[:, p] = np.finfo(float).tiny, 0.0
    return np.asarray(votes.winner(one) != votes.winner(other))


def _shared(a: int, b: int, votes: Votes, T: Array) -> NDArray[np.bool_]:
    """Return whether classes a and b, equally confident here, share the most votes and no other is above
    them."""
    count, confidence = votes.counted(T)
    top = count.max(axis=-1)
    rivals = np.where(count == top[:, None], confidence, -np.inf)
    rivals[:, [a, b]] = -np.inf
    level = np.maximum(confidence[:, a], confidence[:, b])
    return np.asarray((count[:, a] == top) & (count[:, b] == top) & (level >= rivals.max(axis=-1)))


def _kept(x1: Array, x2: Array, F: Array, scores: Array, test: Test) -> list[Array]:
    """Return the parts of the lines F = 0 that pass the test."""
    lines = contours(x1, x2, F, (0.0,))[0][1]
    if not lines:
        return []
    xy = np.concatenate(lines)
    T = _between_nodes(x1, x2, scores, xy)
    passes = test(T)
    last = np.cumsum([len(line) for line in lines]) - 1
    inner = np.ones(len(xy), dtype=bool)
    inner[last] = False  # no segment leads from one line to the next
    crossing = np.flatnonzero(inner[:-1] & (passes[:-1] != passes[1:]))
    # How far along each of these segments the test changes its answer, by halving.
    start, end = T[crossing], T[crossing + 1]
    low, high = np.zeros(len(crossing)), np.ones(len(crossing))
    halvings = 10  # Of a cell, to find where a line stops being a border.
    for _ in range(halvings if len(crossing) else 0):
        middle = 0.5 * (low + high)
        same = test(start + middle[:, None] * (end - start)) == passes[crossing]
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    ends = xy[crossing] + 0.5 * (low + high)[:, None] * (xy[crossing + 1] - xy[crossing])
    return _pieces(xy, passes, last.tolist(), dict(zip(crossing.tolist(), ends, strict=True)))


def _pieces(xy: Array, passes: NDArray[np.bool_], last: Sequence[int], ends: dict[int, Array]) -> list[Array]:
    """Return the parts that pass, of the lines cut where the test changes its answer. ends: where a line is
    cut after a vertex."""
    found, begin = [], 0
    for end in last:
        cuts = [begin, *(k + 1 for k in ends if begin <= k < end), end + 1]
        for first, stop in pairwise(cuts):
            if passes[first]:
                before, after = ends.get(first - 1), ends.get(stop - 1)
                parts = (None if first == begin else before, xy[first:stop], after)
                found.append(np.vstack([part for part in parts if part is not None]))
        begin = end + 1
    return [piece for piece in found if len(piece) > 1]


def _between_nodes(x1: Array, x2: Array, scores: Array, xy: Array) -> Array:
    """Return the pairs' scores at places between the nodes, (places, pairs), by bilinear interpolation."""
    rows, columns = scores.shape[1:]
    u = (xy[:, 0] - x1[0]) / (x1[-1] - x1[0]) * (columns - 1)
    v = (xy[:, 1] - x2[0]) / (x2[-1] - x2[0]) * (rows - 1)
    j = np.clip(u.astype(np.intp), 0, columns - 2)
    i = np.clip(v.astype(np.intp), 0, rows - 2)
    u, v = u - j, v - i
    below = (1 - u) * scores[:, i, j] + u * scores[:, i, j + 1]
    above = (1 - u) * scores[:, i + 1, j] + u * scores[:, i + 1, j + 1]
    return np.asarray(((1 - v) * below + v * above).T)
