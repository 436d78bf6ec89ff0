"""One input and a real target: where the points lie, and what edits do to them."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.workspaces.curve import CurveWorkspace
from kernelviz.session.workspaces.registry import workspace_of

X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([1000.0, 3000.0, 2000.0])


@pytest.fixture
def data():
    return Data.regression(X, Y, ["hours"])


@pytest.fixture
def curve():
    return CurveWorkspace()


def test_one_input_and_a_real_target_is_a_curve(data):
    assert workspace_of(data).name == "curve"


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (Data.regression(np.zeros((2, 3)), [1.0, 2.0]), "one input; these data have 3"),
        (Data.labelled([[0.0], [1.0]], [0, 1]), "needs a number for each point as its target"),
        (Data.regression(["ab", "c"], [1.0, 2.0]), "these data are strings"),
    ],
)
def test_other_data_are_refused_in_words(curve, other, why):
    assert why in curve.refusal(other)


def test_moving_a_point_changes_its_input_and_its_target_alone(curve, data):
    moved = curve.placed(data, [1], np.array([[5.0, -7.0]]))
    assert curve.positions(moved).tolist() == [[0.0, 1000.0], [5.0, -7.0], [2.0, 2000.0]]
    assert curve.positions(data).tolist() == np.column_stack([X, Y]).tolist()


def test_a_click_of_either_button_adds_a_point_where_it_is(curve, data):
    for label in (1, -1):
        added = curve.added(data, np.array([[3.0, 4.0]]), label)
        assert (added.X[-1, 0], added.y[-1]) == (3.0, 4.0)


def test_input_and_target_can_be_typed(curve, data):
    assert curve.typable(data) == ("hours", "y")
    typed = curve.typed(data, 2, np.array([8.0, 9.0]))
    assert curve.values(typed)[2].tolist() == [8.0, 9.0]


def test_each_axis_has_the_room_its_own_points_need(curve, data):
    view = curve.extent(data)
    assert -1.0 < view.left < 0.0
    assert 2.0 < view.right < 3.0
    assert 0.0 < view.bottom < 1000.0
    assert 3000.0 < view.top < 4000.0


def test_jitter_shakes_each_axis_by_its_own_extent(curve):
    x = np.linspace(0.0, 1.0, 400)
    data = Data.regression(x[:, None], 1e6 * x, ["x"])
    across, up = np.std(curve.positions(curve.jittered(data, (), 1e4, 1)) - curve.positions(data), axis=0)
    assert up == pytest.approx(1e4, rel=0.2)
    assert across == pytest.approx(1e-2, rel=0.2)


def test_cleared_data_are_still_a_curve(curve, data):
    assert workspace_of(curve.cleared(data)) is workspace_of(data)
    assert curve.empty().n == 0


def test_the_point_whose_class_is_flipped_has_none(curve, data):
    with pytest.raises(BadInput, match="no class"):
        curve.flipped(data, [0])


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ((1.1e12, 0.0), "as far as"),
        ((0.0, -1e30), "as far as"),
        ((0.0, np.nan), "finite"),
        ((np.nan, 0.0), "finite"),
        ((0.0, np.inf), "finite"),
        ((np.inf, 0.0), "finite"),
    ],
)
def test_points_are_put_where_they_can_be_shown(curve, data, place, said):
    for edit in (
        lambda at: curve.placed(data, [0], at),
        lambda at: curve.added(data, at, 1),
        lambda at: curve.typed(data, 0, at[0]),
    ):
        with pytest.raises(BadInput, match=said):
            edit(np.array([place]))
