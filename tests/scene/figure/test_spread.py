"""Points at the same place are shifted apart in the drawing; nothing else is."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from kernelviz.engine.core.data import Data
from kernelviz.scene.figure.figure import Figure
from kernelviz.scene.figure.stamps import MOST_SHIFT, spread
from kernelviz.scene.figure.style import Style
from kernelviz.scene.plane.painter import PAINTER
from kernelviz.scene.workspace_painter import Subject
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace


def test_points_alone_at_their_place_are_not_shifted():
    rng = np.random.default_rng(0)
    assert not spread(rng.normal(size=(50, 2))).any()
    assert spread(np.empty((0, 2))).shape == (0, 2)


@pytest.mark.parametrize("m", [2, 3, 10, 500])
def test_equal_points_are_drawn_at_different_places_near_their_own(m):
    points = np.repeat([[3.0, 4.0], [3.0, 5.0]], [m, 1], axis=0)
    shifts = spread(points)
    assert len(np.unique(shifts.round(9), axis=0)) == m + 1
    assert not shifts[-1].any()
    assert np.hypot(*shifts.T).max() <= MOST_SHIFT


def test_a_few_equal_points_are_as_far_apart_as_glyphs_are_wide():
    shifts = spread(np.zeros((8, 2)))
    apart = np.hypot(*(shifts[:, None] - shifts[None]).transpose(2, 0, 1))[~np.eye(8, dtype=bool)]
    assert apart.min() > 2 * Style().arm


def test_a_shift_depends_only_on_the_points_at_the_same_place():
    """A point that is moved, added or removed elsewhere leaves the others where they are drawn."""
    rng = np.random.default_rng(1)
    points = rng.integers(0, 4, (60, 2)).astype(float)
    here = (points == points[0]).all(axis=1)
    moved = np.where(here[:, None], points, points + 10.0)
    assert np.array_equal(spread(points)[here], spread(moved)[here])
    assert np.array_equal(spread(points)[here], spread(points[here]))


def drawn(shown: set[str]) -> np.ndarray:
    """Return where a figure has the glyphs of three equal points and another one, in points."""
    data = Data.labelled([[0.0, 0.0]] * 3 + [[1.0, 1.0]], [1, -1, 1, -1])
    look = Look(view=ViewRange(-2.0, 2.0, -2.0, 2.0), shown=frozenset(shown))
    figure = PAINTER.figure(Subject(data, look))
    assert isinstance(figure, Figure)
    (plane,) = (each for each in figure.leaves(QRectF(0, 0, 300, 300), Style()) if each.part == "plane")
    return plane.layers[0].places(plane)


def test_a_figure_spreads_equal_points_if_the_screen_does(qapp):
    as_they_are, apart = drawn({"points"}), drawn({"points", "spread"})
    assert len(np.unique(as_they_are, axis=0)) == 2
    assert len(np.unique(apart, axis=0)) == 4
    assert np.array_equal(as_they_are[3], apart[3])
    assert np.abs(as_they_are - apart).max() < MOST_SHIFT


def test_no_plane_spreads_its_points_unasked():
    assert "spread" in PlaneWorkspace.toggles
    assert "spread" not in PlaneWorkspace().shown
