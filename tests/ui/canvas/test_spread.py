"""Points at the same place on the canvas, drawn next to each other: what the hand does to them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.held_out import HeldOut


@pytest.fixture
def counts(hand):
    """Three points at (1, 1), of both classes, and others alone; equal points are spread."""
    X = np.array([[1, 1], [1, 1], [1, 1], [2, 3], [-2, 1], [-1, -2]], float)
    made = hand(Data.labelled(X, [1, -1, 1, 1, -1, -1]))
    made.session.toggle("spread")
    made.settle()
    return made


def drawn(hand, row: int) -> tuple[float, float]:
    return tuple(hand.canvas.scene.places()[row])


def pixels_apart(hand, a, b) -> float:
    way = hand.at(a) - hand.at(b)
    return float(np.hypot(way.x(), way.y()))


def test_equal_points_are_drawn_apart_and_the_data_stay(counts):
    data, model = counts.data, counts.bench.frame.model
    places = [drawn(counts, i) for i in range(3)]
    assert min(pixels_apart(counts, places[i], places[i - 1]) for i in range(3)) > 6
    assert max(pixels_apart(counts, place, (1.0, 1.0)) for place in places) < 20
    assert drawn(counts, 3) == pytest.approx((2.0, 3.0))
    counts.session.toggle("spread")
    counts.settle()
    assert drawn(counts, 1) == (1.0, 1.0)
    assert counts.data is data
    assert counts.bench.frame.model is model


def test_a_canvas_without_room_has_its_points_at_their_places(counts):
    counts.canvas.area.resize(0, 0)
    counts.beat()
    assert np.array_equal(counts.canvas.scene.places(), counts.data.X)


def test_the_mouse_finds_each_of_them_where_it_is_drawn(counts):
    for row in range(3):
        counts.move(drawn(counts, row))
        counts.beat()
        assert counts.bench.hovered_point == row


def test_a_rectangle_selects_those_that_are_drawn_in_it(counts):
    counts.canvas.use("select")
    x, y = drawn(counts, 1)
    dx, dy = counts.canvas.area.units(4.0)
    counts.drag((x - dx, y - dy), (x + dx, y + dy))
    assert counts.selection == (1,)


def test_the_eraser_takes_the_one_it_touches(counts):
    counts.canvas.use("erase")
    tool = counts.canvas.tools["erase"]
    tool.options = tool.options.replace(radius=3.0)
    counts.click(drawn(counts, 2))
    assert counts.data.X.tolist() == [[1, 1], [1, 1], [2, 3], [-2, 1], [-1, -2]]


def test_a_dragged_point_moves_as_far_as_the_mouse_and_the_others_stay(counts):
    counts.canvas.use("move")
    x, y = drawn(counts, 1)
    counts.drag((x, y), (x + 1.0, y - 1.0))
    counts.settle()
    assert counts.data.X[1] == pytest.approx([2.0, 0.0], abs=0.02)
    assert counts.data.X[[0, 2]].tolist() == [[1, 1], [1, 1]]
    assert drawn(counts, 1) == pytest.approx(tuple(counts.data.X[1]))


def test_equal_points_that_are_moved_together_stay_equal(counts):
    counts.canvas.use("move")
    counts.session.adjust(selection=(0, 1, 2))
    counts.key(Qt.Key.Key_Right)
    x, y = drawn(counts, 0)
    counts.drag((x, y), (x - 2.0, y))
    assert len(np.unique(counts.data.X[:3], axis=0)) == 1
    assert len({drawn(counts, row) for row in range(3)}) == 3


def test_a_held_out_point_moves_as_far_as_the_mouse(counts):
    held = HeldOut(Data.labelled(np.array([[-1.0, 2.0], [-1.0, 2.0]]), [1, -1]), source="elsewhere")
    counts.session.change("hold out", held_out=held)
    counts.session.adjust(shown=counts.session.look.shown | {"held_out"})
    counts.settle()
    counts.canvas.use("move")
    x, y = counts.canvas.scene.places("held_out")[1]
    counts.drag((x, y), (x + 0.5, y))
    assert counts.session.document.held_out.data.X[1] == pytest.approx([-0.5, 2.0], abs=0.02)
