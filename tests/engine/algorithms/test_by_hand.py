"""A line by hand: its numbers agree with a calculation by hand, and its scale leaves the boundary alone."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.algorithms.by_hand import PLACE, TURN, LineByHand
from kernelviz.engine.analysis.straight_lines import linear_form
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput

X = np.array([[2.0, 0.0], [0.5, 1.0], [-1.0, 3.0], [0.25, -2.0]])
Z = [1, 1, -1, -1]


def test_the_numbers_of_an_upright_line_are_those_calculated_by_hand():
    """s = 2 x1: the scores are 4, 1, -2, ½, so the last point is wrong and its loss is 1½."""
    numbers = kernelviz.fit(X, Z, "linear", "by-hand(scale=2)").summary()
    assert numbers["training_error"] == 0.25
    assert numbers["hinge_loss"] == pytest.approx(1.5 / 4)
    assert numbers["margin"] == pytest.approx(-0.25)
    assert numbers["norm"] == pytest.approx(2.0)
    assert numbers["margin_width"] == pytest.approx(0.5)


def test_a_slanted_line_lies_where_its_parameters_say():
    model = kernelviz.fit(X, Z, "linear", "by-hand(angle=30, x1=1, x2=-1, scale=0.5)")
    w, b = linear_form(model)
    assert w == pytest.approx([0.25 * np.sqrt(3), 0.25])
    assert b == pytest.approx(-0.25 * np.sqrt(3) + 0.25)
    assert model.score(np.array([[1.0, -1.0], [1.0 - 0.5, -1.0 + np.sqrt(0.75)]])) == pytest.approx(
        [0.0, 0.0]
    )


def test_scaling_changes_the_hinge_loss_and_neither_boundary_nor_margin():
    one, ten = (kernelviz.fit(X[:3], Z[:3], "linear", f"by-hand(scale={scale})") for scale in (1, 10))
    assert np.array_equal(one.predict(X), ten.predict(X))
    assert one.summary()["margin"] == pytest.approx(ten.summary()["margin"])
    assert one.summary()["hinge_loss"] == pytest.approx(0.5 / 3)
    assert ten.summary()["hinge_loss"] == 0.0


def test_the_first_handle_shifts_the_line_and_the_second_turns_it_around_the_first():
    line = LineByHand(angle=20.0, scale=3.0)
    shifted = line.with_handle(PLACE, np.array([1.0, -2.0]))
    assert (shifted.x1, shifted.x2, shifted.angle, shifted.scale) == (1.0, -2.0, 20.0, 3.0)
    turned = shifted.with_handle(TURN, np.array([1.0, 4.0]))  # straight up: w points to the right
    assert turned.angle == pytest.approx(0.0)
    model = kernelviz.fit(X, Z, "linear", turned.with_handle(TURN, np.array([3.0, 1.0])))
    (handles,) = (mark.xy for mark in model.marks() if mark.kind == "handle")
    assert model.score(handles) == pytest.approx([0.0, 0.0])


def test_a_handle_dragged_beyond_all_bounds_stops_there():
    assert LineByHand().with_handle(PLACE, np.array([1e9, -1e9])).x1 == 1e6


def test_other_inputs_than_two_numbers_are_refused_in_a_sentence():
    with pytest.raises(BadInput, match="two numbers each"):
        kernelviz.fit([[1.0], [2.0]], [1, -1], "linear", "by-hand")
    assert not LineByHand.learns(Task.CLASSES)
    assert not LineByHand.learns(Task.TWO_CLASSES, "strings")
