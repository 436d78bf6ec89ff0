"""The share of the plane on which a line drawn by hand agrees with a model."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.analysis.guess import agreement

X = np.linspace(-2, 2, 201)
A, B = np.meshgrid(X, X)
POINTS = np.array([[-1.0, 0.3], [-1.5, -1], [1.0, 0], [1.5, 1]])
CLASSES = np.array([0, 0, 1, 1])


def share(line, F, points=POINTS, classes=CLASSES):
    return agreement([np.array(line, dtype=float)], X, X, F, points, classes)


def test_the_boundary_itself_agrees_everywhere():
    assert share([[0, -2], [0, 2]], A) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("shift", [0.2, 0.5, 1.0])
def test_a_shifted_line_disagrees_on_the_strip_in_between(shift):
    assert share([[shift, -2], [shift, 2]], A, POINTS + np.array([shift, 0])) == pytest.approx(
        1 - shift / 4, abs=0.01
    )


def test_a_tilted_line_disagrees_on_two_triangles():
    assert share([[-0.5, -2], [0.5, 2]], A) == pytest.approx(1 - 2 * 0.5 / 16 * 1.0, abs=0.01)


def test_the_ends_of_a_short_line_are_drawn_on_to_the_edge():
    assert share([[0, -0.5], [0, 0.4]], A) == pytest.approx(1.0, abs=0.01)


def test_a_hand_that_trembles_where_it_ends_does_not_turn_the_line():
    assert share([[0, -0.5], [0, 0.4], [0.01, 0.4], [0.01, 0.4]], A) == pytest.approx(1.0, abs=0.02)


def test_a_line_whose_ends_meet_encloses_a_disc():
    angle = np.linspace(0.2, 2 * np.pi - 0.2, 60)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    points, classes = np.array([[0.0, 0.0], [1.8, 1.8], [-1.8, 1.8]]), np.array([1, 0, 0])
    assert share(ring, 1 - A**2 - B**2, points, classes) == pytest.approx(1.0, abs=0.015)
    smaller = share(0.5 * ring, 1 - A**2 - B**2, points, classes)
    assert smaller == pytest.approx(1 - (np.pi - np.pi / 4) / 16, abs=0.015)


def test_the_wrong_side_is_told_by_the_points():
    assert share([[0, -2], [0, 2]], -A) == pytest.approx(0.0, abs=0.01)


def test_a_region_without_points_is_as_the_nearest_of_another():
    lines = [np.array([[0.0, -2], [0, 2]]), np.array([[1.9, -2], [1.9, 2]])]
    assert agreement(lines, X, X, A, POINTS, CLASSES) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("n", [0, 4])
def test_what_divides_nothing_says_nothing(n):
    angle = np.linspace(0, 2 * np.pi, 20)
    outside = np.column_stack([5 + np.cos(angle), np.sin(angle)])
    assert share(outside, A, POINTS[:n], CLASSES[:n]) is None


def test_a_single_dot_says_nothing():
    assert share([[0.0, 0.0]], A) is None
