"""How large type and marks are, by the room there is and by how many points share it."""

from __future__ import annotations

import pytest

from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL


def in_window(width: int, height: int, scale: float = 1.0) -> Style:
    return Style().scaled(scale).for_window(width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL)


def test_type_and_marks_grow_with_the_window_but_less_than_it():
    small, large = in_window(600, 500), in_window(1920, 1080)
    for small_size, large_size in (
        (small.text, large.text),
        (small.glyphs, large.glyphs),
        (small.strokes, large.strokes),
    ):
        assert 1.2 * small_size < large_size < 1080 / 500 * small_size


def test_in_a_small_window_they_have_their_usual_size_and_in_a_huge_one_a_bounded_one():
    assert in_window(400, 380) == in_window(600, 500) == Style()
    assert in_window(7680, 4320).text == pytest.approx(1.5 * Style().text)


@pytest.mark.parametrize("size", [(600, 500), (1024, 768), (1920, 1080), (3840, 2160)])
def test_a_presentation_stays_larger(size):
    assert in_window(*size, scale=1.6).text > 1.1 * in_window(*size).text


def test_of_thousands_of_points_each_has_a_smaller_mark_that_can_still_be_seen():
    sizes = [Style().among(n).glyphs for n in (10, 500, 1000, 3000, 10_000, 100_000)]
    assert sizes[0] == sizes[1] == 1.0
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[3] < 0.75
    assert sizes[-1] >= 0.5
    assert Style().among(3000).text == Style().text


def test_with_the_largest_type_marks_are_no_larger_than_in_a_lecture_hall():
    hall, largest = Style().with_type(1.6), Style().with_type(2.5)
    assert hall == Style().scaled(1.6)
    assert (largest.glyphs, largest.strokes) == (hall.glyphs, hall.strokes)
    assert largest.text == pytest.approx(2.5 * Style().text)


def test_marks_are_smaller_in_a_small_plane_but_its_type_is_not():
    whole, small = (Style().for_window(side, side) for side in (320.0, 180.0))
    assert small.text == whole.text == Style().text
    assert small.glyphs < 0.75 * whole.glyphs
