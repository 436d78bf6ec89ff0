"""Held-out points on the canvas: hollow, and moved without the boundary hearing of it."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.held_out import HeldOut
from tests.ui.canvas.hand import LEFT


@pytest.fixture
def two_held(hand):
    """Two points held out, both on their side, in the way of nobody."""
    made = hand()
    X = np.array([[1.5, 2.0], [-1.5, 2.0]])
    held = HeldOut(Data.labelled(X, [1, -1]), source="elsewhere")
    made.session.change("hold out", held_out=held)
    made.session.adjust(shown=made.session.look.shown | {"held_out"})
    made.settle()
    return made


def held(hand):
    return hand.session.document.held_out.data.X


def test_dragging_a_held_out_point_changes_its_error_and_not_the_boundary(two_held):
    model = two_held.bench.frame.model
    assert two_held.bench.frame.test.error == 0
    two_held.drag((1.5, 2.0), (-1.0, 1.6))
    two_held.settle()
    assert held(two_held)[0] == pytest.approx([-1.0, 1.6], abs=0.05)
    assert two_held.bench.frame.test.error == 0.5
    assert np.array_equal(two_held.bench.frame.model.beta, model.beta)
    assert two_held.data.n == 8


def test_the_drag_is_one_step_of_undo(two_held):
    steps = two_held.steps
    two_held.drag((1.5, 2.0), (-1.0, 1.6))
    assert two_held.steps == steps + 1
    two_held.session.undo()
    assert held(two_held)[0] == pytest.approx([1.5, 2.0])


def test_a_click_on_a_held_out_point_adds_a_point_as_anywhere(two_held):
    two_held.click((1.5, 2.0), LEFT)
    assert two_held.data.n == 9
    assert held(two_held)[0] == pytest.approx([1.5, 2.0])


def test_hidden_points_cannot_be_taken_hold_of(two_held):
    two_held.session.toggle("held_out")
    two_held.drag((1.5, 2.0), (-1.0, 1.6))
    assert held(two_held)[0] == pytest.approx([1.5, 2.0])


def test_they_are_seen_on_the_canvas_and_named_in_the_legend(two_held):
    two_held.settle()
    seen = two_held.picture()
    texts = two_held.legend
    assert "held out" in texts
    two_held.session.toggle("held_out")
    two_held.settle()
    assert not np.array_equal(two_held.picture(), seen)
    assert "held out" not in two_held.legend


def test_a_fitted_point_in_front_of_a_held_out_one_is_what_the_mouse_drags(two_held):
    two_held.canvas.use("move")
    x, y = two_held.points[3]
    two_held.drag((1.5, 2.0), (x, y))
    two_held.settle()
    two_held.drag((x, y), (x + 0.5, y + 0.4))
    assert held(two_held)[0] == pytest.approx([x, y], abs=0.05)
    assert two_held.points[3] == pytest.approx([x + 0.5, y + 0.4], abs=0.05)
