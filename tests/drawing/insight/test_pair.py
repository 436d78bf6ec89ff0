"""Two strings as a picture: lit letters, the list that adds up, the table cell by cell."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPointF, QRectF

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.letters import LetteredText, fitting_size, visible
from kernelviz.drawing.insight.pair import PairMaker, PairPicture, name_of, pair_for
from kernelviz.drawing.insight.pair_table import PairTable
from kernelviz.drawing.insight.picture import Marks
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.models.problem import Problem

pytestmark = pytest.mark.usefixtures("qapp")
MAKER = PairMaker.of(PairPicture)
TEXTS = ("sentence", "sentance", "sentnce", "banana", "bananna", "bandana")
DATA = Data.labelled(list(TEXTS), ["s", "s", "s", "b", "b", "b"])
KERNELS = [
    "subsequence(length=3, decay=0.5)",
    "subsequence(length=2, decay=0.7, normalised=true)",
    "spectrum(length=2) + 0.5*words",
    "spectrum(length=1)*subsequence(length=2)",
]


@pytest.fixture
def picture_of(frame_of):
    def make(points=(0, 1), kernel_text=KERNELS[0], data=DATA, **changes):
        maker = replace(MAKER, points=points, **changes)
        return maker.make(frame_of(data, kernel_text))

    return make


@pytest.mark.parametrize("kernel_text", KERNELS)
@pytest.mark.parametrize("height", [120, 200, 700])
def test_however_many_rows_fit_what_is_listed_adds_up_to_the_kernel(picture_of, kernel_text, height):
    picture = picture_of(kernel_text=kernel_text)
    _, count = picture._rows(QRectF(0, 0, 300, height), Style())
    total = sum(value for _, _, value in picture.listed(count))
    assert total == pytest.approx(float(kernel(kernel_text)([TEXTS[0]], [TEXTS[1]])[0, 0]), rel=1e-9)


def test_letters_are_lit_in_both_strings_and_those_of_a_piece_alone_when_it_is_pointed_at(
    picture_of, painted
):
    picture = picture_of()
    left, right = (picture.comparison.letters(side) for side in (0, 1))
    assert (left > 0).all(), "every letter of sentence is in a subsequence of sentance"
    assert right[4] == 0.0, "but the a is in none"
    pointed = picture.with_pointed(0)
    assert name_of(pointed.piece) in ("s·e·n", "e·n·t", "n·c·e")
    used = pointed.comparison.letters(0, pointed.piece)
    assert (used > 0).sum() < len(TEXTS[0])
    assert painted(pointed) != painted(picture)


def test_pieces_with_gaps_are_written_apart_and_blanks_are_seen(picture_of):
    data = Data.labelled(["a b c", "a b d", "x", "y"], [1, 1, -1, -1])
    assert name_of(picture_of(data=data).comparison.pieces[0]) == "a·␣·b"
    assert name_of(picture_of(data=data, kernel_text="spectrum(length=3)").comparison.pieces[0]) == "a␣b"


def test_strings_that_share_nothing_say_so(picture_of, painted):
    picture = picture_of((0, 3))
    assert picture.caption == "K(1, 4) = 0: they share nothing"
    painted(picture)


def test_the_mouse_finds_the_strings_and_the_rows(picture_of, rect):
    picture, style = picture_of(), Style()
    for i, (place, _) in zip((0, 1), picture._texts(rect, style), strict=True):
        assert picture.points_at(place.center(), rect, style) == (i,)
    top, count = picture._rows(rect, style)
    rows = [picture.piece_at(QPointF(20, top + d), rect, style) for d in range(0, 200, 2)]
    assert sorted({row for row in rows if row is not None}) == list(range(count))
    assert picture.piece_at(QPointF(20, 2), rect, style) is None


@pytest.mark.parametrize(
    "texts", [("", ""), ("", "abc"), ("a" * 300, "ab" * 200), ("é" * 9, "漢字かな"), ("a\tb", "a\nb")]
)
@pytest.mark.parametrize("table", [False, True])
def test_any_strings_are_painted(frame_of, painted, texts, table):
    data = Data.labelled([*texts, "one", "two"], [1, -1, 1, -1])
    maker = replace(MAKER.switched("table", table), points=(0, 1))
    picture = maker.make(frame_of(data, "subsequence(length=2)", "prototype"))
    assert isinstance(picture, PairPicture)
    painted(picture)


def test_too_long_strings_and_other_data_say_so(frame_of):
    data = Data.labelled(["a" * 500, "b" * 500, "c", "d"], [1, -1, 1, -1])
    maker = replace(MAKER, points=(0, 1))
    assert "400 characters" in maker.make(frame_of(data, "subsequence", "prototype")).reason
    long = frame_of(data, "spectrum(length=2)", "prototype")
    assert isinstance(maker.make(long), PairPicture)
    assert "table is drawn of strings of up to 400" in maker.switched("table", True).make(long).reason
    assert "numbers" in maker.make(frame_of()).reason
    assert "two strings" in replace(MAKER, points=(0, 9)).make(frame_of(DATA, "words", "prototype")).reason


def test_the_same_pair_is_not_taken_apart_again(frame_of):
    frame = frame_of(DATA, KERNELS[0])
    maker = replace(MAKER, points=(0, 1))
    first = maker.make(frame)
    assert maker.make(frame_of(DATA, KERNELS[0], "logistic"), before=first).comparison is first.comparison
    assert replace(maker, points=(0, 2)).make(frame, before=first).comparison is not first.comparison


# Which two --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        (Marks(), (0, 2)),
        (Marks((3,)), (3, 4)),
        (Marks((), 4), (4, 3)),
        (Marks((3,), 1), (3, 1)),
        (Marks((5, 2, 1)), (5, 2)),
        (Marks((5, 2), 0), (5, 2)),
        (Marks((5, 2), 0, 4), (0, 4)),
        (Marks((99, 2)), (2, 0)),
    ],
    ids=str,
)
def test_what_is_selected_or_pointed_at_is_compared_else_what_is_most_alike(marks, expected):
    problem = Problem(DATA, kernel("subsequence(length=2, normalised=true)"))
    assert problem.gram.shape == (6, 6)
    assert pair_for(problem, marks) == expected


def test_a_single_string_has_nothing_to_be_compared_with():
    assert pair_for(Problem(DATA.subset([0]), kernel("words")), Marks((0,))) is None


# The table --------------------------------------------------------------------------------------------------
def table(step=None, text="subsequence(length=2, decay=0.5)", s="cat", t="cart") -> PairTable:
    made = PairTable.of(kernel(text), s, t, step)
    assert made is not None
    return made


def test_cells_are_filled_row_by_row_and_table_by_table():
    assert table(0).present is None
    assert table(1).present == (0, 0, 0)
    assert table(6).present == (0, 1, 1)
    assert table(13).present == (1, 0, 0)
    assert table().step == 24
    assert table(99).step == 24


def test_the_sum_grows_with_every_cell_to_the_kernel():
    sums = [table(step).sum_so_far for step in range(12, 25)]
    assert sums[1:] == sorted(sums[1:])
    assert table().sum_so_far == pytest.approx(
        float(kernel("subsequence(length=2, decay=0.5)")("cat", "cart"))
    )


def test_every_step_says_what_it_did():
    assert "nothing is filled" in table(0).sentence
    assert table(1).sentence.startswith("W₁[c, c] = d² = 0.25.")
    assert "letters differ" in table(2).sentence
    a_after_c = table(12 + 6)
    assert a_after_c.sentence.startswith("W₂[a, a] = d² · 0.25 = 0.0625, by W₁ above and to the left.")
    assert table().sentence.endswith("= K")
    assert table(text="subsequence(length=2, normalised=true)").sentence.endswith("= K before normalising")
    assert table(text="words + spectrum(length=2)").sentence.endswith("= K of spectrum(length=2)")
    assert table(text="spectrum(length=2)").sum_so_far == 1.0, "ca"


def test_a_kernel_without_tables_has_none(picture_of):
    assert PairTable.of(kernel("words"), "a", "b", None) is None
    assert picture_of(kernel_text="words").switchable == ()
    assert picture_of().switchable == ("table",)


def test_every_step_of_a_table_looks_different(frame_of, painted):
    frame = frame_of(DATA, KERNELS[0])
    maker = replace(MAKER.switched("table", True), points=(0, 1))
    images = [painted(replace(maker, step=step).make(frame)) for step in range(0, 12)]
    assert all(a != b for a, b in pairwise(images))


# Letters ----------------------------------------------------------------------------------------------------
def test_text_breaks_between_words_and_inside_long_ones():
    width = 0.1 + sum(wide for _, wide, _ in LetteredText.of("one two ", 10.0, 1e9).cells)
    lettered = LetteredText.of("one two three", 10.0, width)
    assert [line for _, _, line in lettered.cells] == [0] * 8 + [1] * 5
    long = LetteredText.of("m" * 90, 10.0, 100.0)
    assert {line for _, _, line in long.cells} == {0, 1, 2, 3}
    assert max(x + wide for x, wide, _ in long.cells) <= 100.0
    assert visible("a b\t") == "a␣b␣"


def test_short_texts_are_larger_and_both_of_the_same_size():
    assert fitting_size(["ab", "cd"], 10.0, 500.0) == 16.0
    assert fitting_size(["ab", "m" * 90], 10.0, 100.0) == 10.0
