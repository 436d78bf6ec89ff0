"""Kernels on strings beside plain Python, which compares two strings at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np

from kernelviz.engine.analysis.kernel_pca import kernel_pca
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.models.problem import Problem
from tests.benchmarks.report import Report, Target, best_of

FRAME = 0.016
"""Seconds, told beside what was taken; not a target of a ratio."""


def run(report: Report, quick: bool) -> None:
    """Whole Gram matrices, a string that is typed, and the map while the decay is slid."""
    report.heading("Kernels on strings, times as fast as plain Python")
    rng = np.random.default_rng(1)
    texts = ["".join(rng.choice(list("abcdefghij"), 50)) for _ in range(20 if quick else 100)]
    _beside(report, "subsequence(length=4), 50 characters", "subsequence(length=4)", texts, _subsequences, 20)
    words = ["".join(rng.choice(list("abcdefg"), 3)) for _ in range(300)]
    texts = [" ".join(rng.choice(words, 10)) for _ in range(200 if quick else 1000)]
    _beside(report, "words, 10 of 300", "words", texts, _words, 50)
    _beside(report, "spectrum(length=3), 39 characters", "spectrum(length=3)", texts, _spectrum, 50)
    _typed(report, rng)
    _slid(report, rng)


def _beside(
    report: Report, what: str, name: str, texts: list[str], plain: Callable[[str, str], float], times: float
) -> None:
    ours = best_of(lambda: kernel(name)(texts), 3)
    pairs = list(combinations_with_replacement(texts, 2))
    some = pairs[:: max(1, len(pairs) // 400)]
    theirs = best_of(lambda: [plain(s, t) for s, t in some], 1) * len(pairs) / len(some)
    K = kernel(name)(texts)
    place = {text: i for i, text in enumerate(texts)}
    off = max(abs(plain(s, t) - K[place[s], place[t]]) for s, t in some)
    report.ratios(f"{len(texts)} texts, {what}", [theirs / ours], Target("median", times))
    report.check("the same values", off <= 1e-14 * K.max(), f"largest difference {off:.1e}")


def _typed(report: Report, rng: np.random.Generator) -> None:
    stored = tuple("".join(rng.choice(list("abcdefghij"), 30)) for _ in range(100))
    k = kernel("subsequence(length=3)")
    took = best_of(lambda: k(stored[:1], stored), 10)
    report.check("a string typed against 100", took < FRAME, f"{1e3 * took:.1f} ms, a frame has 16")


def _slid(report: Report, rng: np.random.Generator) -> None:
    data = Data.unlabelled(["".join(rng.choice(list("abcdefghij"), 20)) for _ in range(60)])

    def maps() -> None:
        shown = None
        for decay in np.linspace(0.3, 0.6, 10):
            made = kernel_pca(Problem(data, kernel(f"subsequence(length=3, decay={decay})")))
            shown = made if shown is None else made.following(shown)

    a_second = 10 / best_of(maps, 3)
    report.check("maps of 60 strings while the decay moves", a_second >= 10, f"{a_second:.0f} a second")


def _words(s: str, t: str) -> float:
    return len(set(s.split()) & set(t.split()))


def _spectrum(s: str, t: str) -> float:
    one, two = (Counter(text[a : a + 3] for a in range(len(text) - 2)) for text in (s, t))
    return sum(count * two[piece] for piece, count in one.items())


def _subsequences(s: str, t: str, length: int = 4, d: float = 0.5) -> float:
    W = [[d * d * (a == b) for b in t] for a in s]
    for _ in range(length - 1):
        V = [[0.0] * len(t) for _ in s]
        for a in range(1, len(s)):
            row = 0.0
            for b in range(1, len(t)):
                row = d * row + W[a - 1][b - 1]
                V[a][b] = d * V[a - 1][b] + row
        W = [[d * d * V[a][b] if s[a] == t[b] else 0.0 for b in range(len(t))] for a in range(len(s))]
    return sum(map(sum, W))
