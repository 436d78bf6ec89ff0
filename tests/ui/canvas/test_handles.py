"""A line by hand on the canvas: dragged by its handles, with its numbers following."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt


def handles(hand):
    return hand.canvas.pointer.handles


def test_dragging_the_first_handle_shifts_the_line_as_one_step_of_undo(hand):
    made = hand(algorithm_text="by-hand")
    steps, n = made.steps, made.data.n
    made.drag((0.0, 0.0), (1.0, 0.5))
    made.settle()
    line = made.session.document.algorithm
    assert [line.x1, line.x2] == pytest.approx([1.0, 0.5], abs=0.05)
    assert line.angle == 0.0
    assert made.data.n == n
    assert made.steps == steps + 1
    made.session.undo()
    assert made.session.document.algorithm.x1 == 0.0


def test_dragging_the_second_handle_turns_the_line_and_its_error_follows(hand):
    made = hand(algorithm_text="by-hand")
    before = made.bench.frame.model.numbers["training_error"]
    made.drag(tuple(handles(made)[1]), (-1.5, 0.0))
    made.settle()
    line, numbers = made.session.document.algorithm, made.bench.frame.model.numbers
    assert line.angle == pytest.approx(90.0, abs=2.0)
    assert line.x1 == line.x2 == 0.0
    assert numbers["training_error"] != before
    assert made.bench.frame.model.score(handles(made)) == pytest.approx([0.0, 0.0], abs=1e-9)


def test_escape_takes_a_drag_back(hand):
    made = hand(algorithm_text="by-hand")
    made.press((0.0, 0.0))
    made.move((1.0, 0.5))
    made.settle()
    made.key(Qt.Key.Key_Escape)
    assert made.session.document.algorithm.x1 == 0.0


def test_hidden_handles_cannot_be_taken_hold_of(hand):
    made = hand(algorithm_text="by-hand")
    made.session.toggle("marks")
    made.settle()
    made.drag((0.0, 0.0), (1.0, 0.5))
    assert made.session.document.algorithm.x1 == 0.0


def test_the_distances_of_a_straight_boundary_are_drawn_on_request(hand):
    made = hand()
    plain = made.picture()
    made.session.toggle("distances")
    made.settle()
    assert "distance to s = 0" in made.legend
    assert not np.array_equal(made.picture(), plain)
