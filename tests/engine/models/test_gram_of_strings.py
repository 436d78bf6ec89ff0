"""The Gram matrix of strings in parts: the same numbers, each pair compared once."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels import subsequence
from kernelviz.engine.models import problem as gathering
from kernelviz.engine.models.problem import Problem, compute_gram

KERNELS = [
    "words",
    "spectrum(length=2, normalised=true)",
    "subsequence(length=2)",
    "subsequence(length=3, normalised=true) + 2*words",
]


def texts(n: int, seed: int = 0) -> list[str]:
    """Words and blanks of up to twelve letters, some of them empty or too short."""
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list("abc "), size=rng.integers(0, 13))) for _ in range(n)]


def posed(X: list[str], written: str) -> Problem:
    return Problem(Data.labelled(X, [i % 2 for i in range(len(X))]), kernel(written))


@pytest.fixture
def compared(monkeypatch):
    """How many pairs of strings have been compared for the matrix."""
    counts = [0]
    ordinary = gathering._compare

    def counting(K, problem, part, done):
        counts[0] += len(part) * (len(part) + len(done))
        return ordinary(K, problem, part, done)

    monkeypatch.setattr(gathering, "_compare", counting)
    return counts


@pytest.mark.parametrize("written", KERNELS)
def test_in_parts_the_matrix_is_the_one_computed_at_once(written, monkeypatch):
    monkeypatch.setattr(gathering, "FIRST", 3)
    X = texts(40)
    problem = posed(X, written)
    shares = list(compute_gram(problem))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert (len(shares) > 2) == problem.kernel.slow
    np.testing.assert_allclose(problem.known_gram, kernel(written)(X), rtol=1e-14)
    np.testing.assert_array_equal(problem.gram, problem.gram.T)


@pytest.mark.parametrize("written", KERNELS)
def test_an_edited_string_costs_one_row(written, compared):
    X = texts(30)
    before = posed(X, written)
    list(compute_gram(before))
    compared[0] = 0
    after = posed([*X[:7], "cabbage", *X[8:]], written)
    list(compute_gram(after, before))
    assert compared[0] == 30
    np.testing.assert_allclose(after.known_gram, after.kernel(after.X), rtol=1e-14)


def test_deleted_doubled_and_sorted_strings_cost_nothing(compared):
    X = texts(20)
    before = posed(X, "subsequence(length=2)")
    list(compute_gram(before))
    compared[0] = 0
    after = posed(sorted([*X[3:], X[5], X[5]]), "subsequence(length=2)")
    list(compute_gram(after, before))
    assert compared[0] == 0
    np.testing.assert_allclose(after.known_gram, after.kernel(after.X), rtol=1e-14)


def test_another_kernel_compares_all_anew(compared):
    before = posed(texts(20), "subsequence(length=2)")
    list(compute_gram(before))
    compared[0] = 0
    after = posed(texts(20), "subsequence(length=3)")
    list(compute_gram(after, before))
    assert compared[0] >= 20 * 21 / 2
    np.testing.assert_allclose(after.known_gram, after.kernel(after.X), rtol=1e-14)


def test_the_same_strings_share_one_matrix():
    before = posed(texts(20), "words")
    list(compute_gram(before))
    after = Problem(before.data, kernel("words"))
    assert list(compute_gram(after, before)) == []
    assert after.known_gram is before.known_gram


def test_too_much_is_refused_before_any_pair_is_compared(compared, monkeypatch):
    monkeypatch.setattr(subsequence, "MOST_CELLS", 1e3)
    with pytest.raises(BadInput, match="too many or too long"):
        list(compute_gram(posed(texts(40), "2*(words + subsequence(length=2))")))
    assert compared[0] == 0


def test_the_matrix_of_numbers_is_left_to_whoever_needs_it():
    problem = Problem(Data.labelled(np.zeros((3, 2)), [0, 1, 1]), kernel("rbf"))
    assert list(compute_gram(problem)) == []
    assert problem.known_gram is None
