"""What of a curve lies in the view."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.scene.curve.polylines import area, within

X = np.linspace(0.0, 1.0, 201)


def line(y):
    return np.column_stack([X, y])


def test_a_curve_inside_is_left_as_it_is():
    inside = line(0.5 + 0.3 * np.sin(9 * X))
    (piece,) = within(inside, 0.0, 1.0)
    assert piece is inside


def test_a_curve_that_leaves_and_returns_is_cut_exactly_at_the_edges():
    pieces = within(line(4 * np.abs(X - 0.5)), 0.5, 1.0)
    ends = [(piece[0].tolist(), piece[-1].tolist()) for piece in pieces]
    assert ends == [
        (pytest.approx([0.25, 1.0]), pytest.approx([0.375, 0.5])),
        (pytest.approx([0.625, 0.5]), pytest.approx([0.75, 1.0])),
    ]


def test_a_step_through_the_whole_view_is_one_upright_stroke():
    (piece,) = within(np.array([[0.0, -50.0], [1.0, 50.0]]), -1.0, 1.0)
    assert piece[:, 1].tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("y", [np.nan, np.inf, -np.inf, 1e300])
def test_nothing_is_left_of_what_is_no_number_or_far_away(y):
    assert within(line(np.full(len(X), y)), 0.0, 1.0) == []


def test_a_curve_is_broken_where_there_is_no_number():
    y = np.full(len(X), 0.5)
    y[100] = np.nan
    assert [len(piece) for piece in within(line(y), 0.0, 1.0)] == [100, 100]


def test_the_area_between_two_curves_is_cut_off_at_the_edges():
    outline = area(line(0.5 - X), line(0.5 + X), 0.0, 1.0)
    x, y = outline.T
    assert (y.min(), y.max()) == (0.0, 1.0)
    shoelace = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    assert shoelace == pytest.approx(0.75)
