"""Shift and the wheel over a point change its weight, which is seen as its size."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from kernelviz.engine.fits.parsing import algorithm, dataset
from kernelviz.session.files.kviz import dumps, loads
from kernelviz.session.themes import LIGHT
from kernelviz.ui.canvas.scene import changed_places

SHIFT = Qt.KeyboardModifier.ShiftModifier
NOTCH = 120


@pytest.fixture
def soft(hand):
    """A hand on two clouds, with a C that every point feels."""
    return hand(algorithm_text="soft-margin-svm(C=0.05)")


def weigh(h, where, notches: float, **how) -> None:
    h.wheel(where, round(notches * NOTCH), SHIFT, **how)


def ink(h, row: int) -> int:
    """The number of pixels around a point that have the colour of its sign."""
    at, reach = h.plot.area.viewport().mapTo(h.canvas, h.at(row)), 12
    around = h.picture()[at.y() - reach : at.y() + reach, at.x() - reach : at.x() + reach]
    wanted = QColor(LIGHT.positive if h.data.y[row] > 0 else LIGHT.negative).getRgb()[:3]
    return int((np.abs(around - wanted).max(axis=2) < 12).sum())


@pytest.mark.parametrize("sideways", [False, True])
def test_a_notch_multiplies_the_weight_by_the_root_of_2_and_never_zooms(soft, sideways):
    view = soft.plot.area.view
    weigh(soft, 2, 1, sideways=sideways)
    assert soft.data.weights.tolist() == pytest.approx([1, 1, 2**0.5, 1, 1, 1, 1, 1])
    weigh(soft, 2, 1)
    assert soft.data.weights[2] == 2.0
    weigh(soft, 2, -4)
    assert soft.data.weights[2] == 0.5
    assert soft.plot.area.view == view


def test_the_fit_follows_and_the_point_grows_and_shrinks(soft):
    usual, beta = ink(soft, 0), soft.bench.frame.model.beta
    weigh(soft, 0, 6)
    assert ink(soft, 0) > 1.5 * usual
    assert soft.bench.frame.model.beta[0] > 1.5 * beta[0]
    weigh(soft, 0, -12)
    assert 0 < ink(soft, 0) < 0.7 * usual


def test_back_at_1_there_are_no_weights(soft):
    before = soft.picture()
    weigh(soft, 2, 5)
    weigh(soft, 2, -5)
    assert soft.data.weights is None
    soft.canvas.banner.hide()
    assert np.array_equal(soft.picture(), before)


def test_weights_stay_between_a_sixteenth_and_16(soft):
    weigh(soft, 2, 20)
    assert soft.data.weights[2] == 16.0
    steps = soft.steps
    weigh(soft, 2, 1)
    assert soft.steps == steps
    weigh(soft, 2, -40)
    assert soft.data.weights[2] == 1 / 16


def test_a_weight_from_a_file_beyond_the_ends_only_comes_nearer(soft):
    soft.session.change("open", data=soft.data.weighted([100.0, 0.0, *[1.0] * 6]))
    soft.settle()
    weigh(soft, 0, 1)
    weigh(soft, 1, -1)
    assert soft.data.weights[:2].tolist() == [100.0, 0.0]
    weigh(soft, 0, -1)
    weigh(soft, 1, 1)
    assert soft.data.weights[:2].tolist() == [16.0, pytest.approx(2**-3.5)]


def test_the_small_turns_of_a_touch_pad_add_up(soft):
    for _ in range(7):
        weigh(soft, 2, 0.125)
    assert soft.data.weights is None
    weigh(soft, 2, 0.125)
    assert soft.data.weights[2] == pytest.approx(2**0.5)


def test_turns_over_one_point_are_one_step_of_undo(soft):
    steps, before = soft.steps, soft.data
    for _ in range(4):
        soft.move(2)
        soft.beat()
        weigh(soft, 2, 1)
    assert (soft.steps, soft.undo_name) == (steps + 1, "weigh point")
    soft.session.undo()
    assert soft.data is before
    soft.session.redo()
    assert soft.data.weights[2] == 4.0


@pytest.mark.parametrize("between", ["elsewhere", "another point", "undo", "click"])
def test_a_new_step_begins_after_anything_else(soft, between):
    weigh(soft, 2, 1)
    weigh(soft, 2, 1)
    if between == "elsewhere":
        soft.move((0.0, 0.4))
        soft.beat()
    elif between == "another point":
        weigh(soft, 3, 1)
    elif between == "undo":
        soft.session.undo()
        soft.session.redo()
    else:
        soft.click(2)
    steps = soft.steps
    weigh(soft, 2, 1)
    assert soft.steps == steps + 1
    soft.session.undo()
    assert soft.data.weights[2] == 2.0


def test_a_selected_point_takes_the_others_along(soft):
    soft.canvas.editor.select([4, 5, 6, 7])
    weigh(soft, 5, 2)
    assert soft.data.weights.tolist() == [1, 1, 1, 1, 2, 2, 2, 2]
    assert soft.undo_name == "weigh 4 points"


def test_over_an_empty_place_the_wheel_zooms_with_shift_too(soft):
    before = soft.plot.area.view
    weigh(soft, (0.0, 0.4), 2)
    soft.settle()
    assert soft.data.weights is None
    assert soft.plot.area.view.right < before.right


def test_the_banner_says_which_algorithms_take_weights_and_nothing_changes(soft):
    soft.session.change("perceptron", algorithm=algorithm("perceptron"))
    soft.settle()
    before, steps = soft.data, soft.steps
    weigh(soft, 2, 1)
    assert soft.canvas.banner.isVisible()
    assert soft.canvas.banner.text.startswith("perceptron cannot give points different weights; ")
    assert soft.data is before
    assert soft.steps == steps


def test_while_a_point_is_dragged_its_weight_stays(soft):
    soft.press(2)
    weigh(soft, 2, 1)
    soft.release(2)
    assert soft.data.weights is None


def test_the_weights_are_in_a_saved_session(soft):
    weigh(soft, 2, 3)
    state, _ = loads(dumps(soft.session.state))
    assert np.array_equal(state.document.data.weights, soft.data.weights)


@pytest.mark.parametrize("name", ["sine(n=20)", "hills(n=40)"])
def test_a_point_of_the_curve_and_of_the_surface_grows_too(hand, name):
    h = hand(dataset(name), "rbf(gamma=1)", "ridge(lam=0.1)")
    h.session.adjust(shown=frozenset({"points"}))
    before = h.picture()
    weigh(h, 3, 8)
    assert h.data.weights[3] == 16.0
    assert (np.abs(h.picture() - before).max(axis=2) > 40).sum() > 30


def test_only_the_place_of_the_point_is_drawn_again_before_the_fit_is_there(soft):
    before = soft.canvas.scene.now["points"]
    weigh(soft, 2, 1)
    once = soft.canvas.scene.now["points"]
    assert changed_places(before, once).tolist() == 2 * [soft.points[2].tolist()]
    weigh(soft, 2, 1)
    assert changed_places(once, soft.canvas.scene.now["points"]).tolist() == 2 * [soft.points[2].tolist()]
