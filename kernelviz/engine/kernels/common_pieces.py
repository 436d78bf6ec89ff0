"""The common pieces of two strings, the heaviest first.

The weight of all subsequences that begin with a prefix is known without listing them: it is e'Rf, with e
and f the weights with which the prefix ends at each letter of s and of t, and R[a, b] the weight of
everything that can follow (s_a, t_b). So the tree of prefixes is searched from its heaviest branch, and
the search may stop at any time: the pieces found are exact, and so is the sum of all others."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput

LONGEST_APART = 400  # Characters of a string whose subsequences are listed.
MOST_BRANCHES = 4000  # Prefixes looked at, which take a few tenths of a second.


class Common(NamedTuple):
    """A piece of both strings and the features φ_u(s), φ_u(t)."""

    piece: str
    left: float
    right: float


def heaviest_subsequences(s: str, t: str, length: int, decay: float, most: int) -> tuple[list[Common], bool]:
    """Return the common subsequences with the largest φ_u(s) φ_u(t), and whether these are all."""
    if max(len(s), len(t)) > LONGEST_APART:
        raise BadInput(
            f"Strings of up to {LONGEST_APART} characters are taken apart into their subsequences; "
            f"one of these has {max(len(s), len(t)):,}."
        )
    letters = sorted(set(s) & set(t))
    if not letters or min(len(s), len(t)) < length:
        return [], True
    S, T = _indicators(s, letters), _indicators(t, letters)
    down, across = _later(len(s), decay), _later(len(t), decay)
    following = _following(S.T @ T, down, across, length)
    queue: list[tuple[float, int, str, int, Array, Array]] = []

    def branch(prefix: str, g: Array, h: Array) -> None:
        """Return every letter that may come next, with the weight of everything that begins so."""
        totals = (((S * g) @ following[length - len(prefix) - 1]) * (T * h)).sum(axis=1)
        for k in np.flatnonzero(totals > 0.0).tolist():
            heapq.heappush(queue, (-float(totals[k]), -len(prefix), prefix + letters[k], k, g, h))

    branch("", np.full(len(s), decay), np.full(len(t), decay))
    found: list[Common] = []
    for _ in range(MOST_BRANCHES):
        if not queue or len(found) == most:
            break
        _, _, prefix, k, g, h = heapq.heappop(queue)
        e, f = S[k] * g, T[k] * h
        if len(prefix) == length:
            found.append(Common(prefix, float(e.sum()), float(f.sum())))
        else:
            branch(prefix, down @ e, across @ f)
    return found, not queue


def _indicators(text: str, letters: Sequence[str]) -> Array:
    """Return (letters, characters): 1 where a character is that letter."""
    return np.array([[float(sign == letter) for sign in text] for letter in letters])


def _later(n: int, decay: float) -> Array:
    """Return D[a, a'] = d^(a - a') for a > a', else 0: the weight of letter a' on its way to a later one."""
    steps = np.subtract.outer(np.arange(n), np.arange(n))
    return np.where(steps > 0, float(decay) ** np.maximum(steps, 0), 0.0)


def _following(equal: Array, down: Array, across: Array, length: int) -> list[Array]:
    """Return R_r[a, b], the weight of all common subsequences of r letters that come after s_a and t_b."""
    found = [np.ones_like(equal)]
    for _ in range(length - 1):
        found.append(down.T @ (equal * found[-1]) @ across)
    return found


def letters_of_subsequence(text: str, piece: str, decay: float) -> Array:
    """Return for each character the share of φ_u that comes from occurrences which use it."""
    own = [np.array([float(sign == letter) for sign in text]) for letter in piece]
    later = _later(len(text), decay)
    before = [decay * own[0]]
    for here in own[1:]:
        before.append(here * (later @ before[-1]))
    after = np.ones(len(text))
    used = before[-1].copy()
    for k in range(len(piece) - 1, 0, -1):
        after = later.T @ (own[k] * after)
        used += before[k - 1] * after
    whole = float(before[-1].sum())
    return used / whole if whole > 0.0 else used


def tables(s: str, t: str, length: int, decay: float | None) -> Array:
    """Return (length, |s|, |t|): W_j[a, b], the weight of all common pieces of j letters that end at s_a and
    t_b. The last table adds up to K.

    W_1 = d² M and W_j[a, b] = d² M[a, b] Σ_{a' < a, b' < b} d^(a - a' - 1) d^(b - b' - 1) W_{j-1}[a', b'];
    without a decay there are no gaps: W_1 = M, W_j[a, b] = M[a, b] W_{j-1}[a - 1, b - 1]."""
    equal = np.array([[float(left == right) for right in t] for left in s]).reshape(len(s), len(t))
    W = [equal if decay is None else decay * decay * equal]
    for _ in range(length - 1):
        if decay is None:
            before = np.zeros_like(equal)
            before[1:, 1:] = W[-1][:-1, :-1]
        else:
            before = _later(len(s), decay) @ W[-1] @ _later(len(t), decay).T
        W.append(equal * before)
    return np.stack(W)
