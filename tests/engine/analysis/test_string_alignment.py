"""Two strings taken apart: the terms are those of plain enumeration and add up to the kernel."""

from __future__ import annotations

from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.engine.analysis.string_alignment import compared
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels import subsequence
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.strings import StringKernel
from tests.strategies import declared

short = st.text("abB é", max_size=8)
bases = st.one_of(
    *(declared(cls, soft=True) for cls in registry.kernels().values() if cls.domain == "strings")
)
scales = st.floats(0.0, 10.0)
compositions = st.recursive(
    bases,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: two[0] + two[1]),
        st.tuples(inner, inner).map(lambda two: two[0] * two[1]),
        st.tuples(scales, inner).map(lambda two: two[0] * two[1]),
    ),
    max_leaves=3,
)
SENTENCES = ("the cat sat on the mat", "the cat ate the rat on the mat")


@settings(max_examples=150, deadline=None)
@given(compositions, short, short)
def test_the_terms_add_up_to_the_kernel_whatever_it_is_made_of(how_alike: Kernel, s: str, t: str) -> None:
    found = compared(how_alike, s, t, most=10**6)
    assert found.complete
    expected = float(how_alike([s], [t])[0, 0])
    assert found.value == expected
    assert sum(piece.value for piece in found.pieces) == pytest.approx(expected, rel=1e-9, abs=1e-300)
    assert found.rest(len(found.pieces)) == 0.0


@settings(max_examples=80, deadline=None)
@given(compositions, short, short, st.integers(1, 6))
def test_cut_short_the_list_has_the_largest_terms_and_the_sum_of_the_rest(
    how_alike: Kernel, s: str, t: str, most: int
) -> None:
    whole, cut = compared(how_alike, s, t, most=10**6), compared(how_alike, s, t, most=most)
    expected = [piece.value for piece in whole.pieces[:most]]
    assert [piece.value for piece in cut.pieces] == pytest.approx(expected, rel=1e-9, abs=1e-300)
    listed = sum(piece.value for piece in cut.pieces)
    assert listed + cut.rest(most) == pytest.approx(cut.value, rel=1e-9, abs=1e-300)


@settings(max_examples=100, deadline=None)
@given(bases, short, short)
def test_every_term_is_the_product_of_the_features_of_both_texts(how: StringKernel, s: str, t: str) -> None:
    plain = how.replace(normalised=False)
    left, right = plain.pieces(how.read(s)), plain.pieces(how.read(t))
    found = compared(plain, s, t, most=10**6)
    assert {piece.features[0].piece for piece in found.pieces} == {u for u in left if u in right}
    for piece in found.pieces:
        (feature,) = piece.features
        assert feature.left == pytest.approx(left[feature.piece], rel=1e-9)
        assert feature.right == pytest.approx(right[feature.piece], rel=1e-9)
        assert piece.value == pytest.approx(feature.left * feature.right, rel=1e-12)


def test_the_terms_of_a_product_are_one_of_each_kernel() -> None:
    found = compared(kernel("words * spectrum(length=2)"), *SENTENCES, most=10**6)
    for piece in found.pieces:
        assert [f.kernel.name for f in piece.features] == ["words", "spectrum"]
        assert piece.value == pytest.approx(prod(f.left * f.right for f in piece.features))


@settings(max_examples=60, deadline=None)
@given(st.text("abc", min_size=1, max_size=8), st.integers(1, 4), st.floats(0.1, 1.0))
def test_the_letters_of_a_subsequence_are_those_of_its_places_by_their_weight(
    text: str, length: int, decay: float
) -> None:
    how = kernel(f"subsequence(length={length}, decay={decay!r})")
    for piece in how.pieces(text):
        weight, used = 0.0, np.zeros(len(text))
        for places in combinations(range(len(text)), length):
            if "".join(text[i] for i in places) == piece:
                own = decay ** (places[-1] - places[0] + 1)
                weight += own
                used[list(places)] += own
        np.testing.assert_allclose(how.letters_of(text, piece), used / weight, rtol=1e-9)


def test_the_letters_of_a_word_and_of_a_stretch_are_where_it_stands() -> None:
    assert kernel("words").letters_of("to be to", "to").tolist() == [0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5]
    assert kernel("words").letters_of("to tone", "to").tolist() == [1, 1, 0, 0, 0, 0, 0]
    assert kernel("spectrum(length=2)").letters_of("banana", "an").tolist() == [0, 0.5, 0.5, 0.5, 0.5, 0]


def test_all_letters_together_weigh_each_term_by_its_share() -> None:
    found = compared(kernel("words"), "one two", "two three")
    assert found.letters(0).tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert found.letters(1).tolist() == [1, 1, 1, 0, 0, 0, 0, 0, 0]
    nothing = compared(kernel("words"), "one", "two")
    assert not nothing.letters(0).any()


@settings(max_examples=80, deadline=None)
@given(bases, short, short)
def test_the_last_table_adds_up_to_the_kernel(how: StringKernel, s: str, t: str) -> None:
    plain = how.replace(normalised=False)
    s, t = how.read(s), how.read(t)
    tables = plain.tables(s, t)
    if tables is None:
        assert how.name == "words"
    else:
        assert tables.shape == (plain.length, len(s), len(t))
        assert tables[-1].sum() == pytest.approx(float(plain([s], [t])[0, 0]), rel=1e-9, abs=1e-300)


def test_long_strings_are_searched_as_far_as_time_allows_and_the_rest_is_still_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    s, t = ("".join(rng.choice(list("abcdefghijklmnop"), 80)) for _ in range(2))
    monkeypatch.setattr(subsequence, "MOST_BRANCHES", 50)
    found = compared(kernel("subsequence(length=4, decay=0.9)"), s, t)
    assert not found.complete
    assert found.rest(len(found.pieces)) + sum(p.value for p in found.pieces) == pytest.approx(found.value)


def test_a_kernel_without_pieces_is_refused() -> None:
    with pytest.raises(BadInput, match="piece by piece"):
        compared(kernel("linear"), "a", "b")
    with pytest.raises(BadInput, match="400 characters"):
        compared(kernel("subsequence"), "a" * 401, "b")
    assert compared(kernel("spectrum"), "a" * 5000, "a" * 3).value == 4998


def test_case_is_ignored_where_the_kernel_ignores_it() -> None:
    found = compared(kernel("spectrum(length=2, fold_case=true)"), "ABBA", "abba")
    assert found.texts == ("abba", "abba")
    assert found.value == 3
