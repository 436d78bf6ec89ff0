"""The plane: what edits do to the data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.workspaces.base import LIMIT, spray
from kernelviz.session.workspaces.plane import PlaneWorkspace

PLACES = np.array([[0.0, 0.0], [1.0, 2.0], [-3.0, 0.5], [4.0, -1.0]])
LABELS = ["+", "-", "+", "-"]


@pytest.fixture
def data():
    return Data.labelled(PLACES, LABELS)


@pytest.fixture
def three_classes():
    return Data.labelled(PLACES, ["a", "b", "c", "a"])


def untouched(data):
    return np.array_equal(data.X, PLACES) and data.target.tolist() == [1, -1, 1, -1]


def test_added_points_come_last_with_their_class(data):
    grown = PlaneWorkspace().added(data, np.array([[5.0, 5.0], [6.0, 6.0]]), -1)
    assert grown.n == 6
    assert grown.X[4:].tolist() == [[5, 5], [6, 6]]
    assert grown.target[4:].tolist() == [-1, -1]
    assert untouched(data)


def test_a_single_place_needs_no_table(data):
    assert PlaneWorkspace().added(data, [5.0, 6.0], 1).X[-1].tolist() == [5, 6]


def test_points_can_be_added_to_an_empty_plane():
    first = PlaneWorkspace().added(PlaneWorkspace().empty(), np.array([1.0, 2.0]), 1)
    assert (first.n, first.z.tolist(), first.task) == (1, [1.0], Task.TWO_CLASSES)


def test_of_several_classes_any_can_be_added(three_classes):
    for k in range(3):
        assert PlaneWorkspace().added(three_classes, [0, 9], k).target.tolist() == [0, 1, 2, 0, k]


@pytest.mark.parametrize("k", [-1, 3])
def test_a_class_there_is_not_cannot_be_added(three_classes, k):
    with pytest.raises(BadInput, match="no class number"):
        PlaneWorkspace().added(three_classes, [0, 9], k)


@pytest.mark.parametrize("place", [[np.nan, 0.0], [0.0, np.inf]])
def test_a_point_without_finite_coordinates_is_refused(data, place):
    with pytest.raises(BadInput, match="finite"):
        PlaneWorkspace().added(data, place, 1)
    with pytest.raises(BadInput, match="finite"):
        PlaneWorkspace().placed(data, [0], [place])
    assert untouched(data)


def test_a_point_of_data_with_four_columns_is_refused():
    wide = Data.labelled(np.ones((3, 4)), [1, -1, 1])
    with pytest.raises(BadInput, match="these data have 4"):
        PlaneWorkspace().added(wide, [1.0, 2.0], 1)


def test_there_is_a_limit_to_editing_by_hand(data):
    full = PlaneWorkspace().added(data, np.zeros((LIMIT - data.n, 2)), 1)
    with pytest.raises(BadInput, match="room for"):
        PlaneWorkspace().added(full, [0, 0], 1)
    with pytest.raises(BadInput, match="room for"):
        PlaneWorkspace().duplicated(full, [0], 0.1)


def test_moving_points_moves_only_them(data):
    moved = PlaneWorkspace().placed(data, [1, 3], [[9, 9], [8, 8]])
    assert moved.X.tolist() == [[0, 0], [9, 9], [-3, 0.5], [8, 8]]
    assert moved.target is data.target
    assert untouched(data)


def test_removing_points_keeps_the_order_of_the_others(data):
    left = PlaneWorkspace().removed(data, [2, 0])
    assert left.X.tolist() == PLACES[[1, 3]].tolist()
    assert left.target.tolist() == [-1, -1]
    assert left.class_names == data.class_names


def test_all_points_can_be_removed(data):
    assert PlaneWorkspace().removed(data, range(4)).n == 0


def test_flipping_twice_is_nothing(data):
    once = PlaneWorkspace().flipped(data, [0, 1])
    assert once.target.tolist() == [-1, 1, 1, -1]
    assert PlaneWorkspace().flipped(once, [0, 1]).target.tolist() == data.target.tolist()


def test_flipping_goes_round_the_classes(three_classes):
    data = three_classes
    for expected in ([1, 1, 2, 0], [2, 1, 2, 0], [0, 1, 2, 0]):
        data = PlaneWorkspace().flipped(data, [0])
        assert data.target.tolist() == expected


def test_duplicates_lie_beside_their_originals_with_the_same_class(data):
    more = PlaneWorkspace().duplicated(data, [1, 2], 0.25)
    assert more.X[4:].tolist() == (PLACES[[1, 2]] + 0.25).tolist()
    assert more.target[4:].tolist() == [-1, 1]


def test_jitter_moves_the_named_points_the_same_way_for_the_same_seed(data):
    once, again, other = (PlaneWorkspace().jittered(data, [0, 1], 0.1, seed) for seed in (1, 1, 2))
    assert np.array_equal(once.X, again.X)
    assert not np.array_equal(once.X, other.X)
    assert np.array_equal(once.X[2:], PLACES[2:])
    assert (once.X[:2] != PLACES[:2]).all()


def test_jitter_without_names_moves_all(data):
    assert (PlaneWorkspace().jittered(data, [], 0.1, 3).X != PLACES).all()


@given(st.integers(1, 200), st.floats(0.01, 10), st.integers(0, 10**6))
def test_every_dab_of_the_brush_lies_in_its_disc(count, radius, seed):
    places = spray(np.array([3.0, -2.0]), radius, count, seed)
    assert places.shape == (count, 2)
    assert (np.hypot(*(places - [3.0, -2.0]).T) <= radius * (1 + 1e-12)).all()


def test_the_brush_covers_its_disc_evenly():
    places = spray(np.zeros(2), 1.0, 20_000, 0)
    inner = (np.hypot(*places.T) < 0.5).mean()
    assert abs(inner - 0.25) < 5 * np.sqrt(0.25 * 0.75 / 20_000)


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: PlaneWorkspace().added(d, [1, 1], 1),
        lambda d: PlaneWorkspace().placed(d, [0], [[1, 1]]),
        lambda d: PlaneWorkspace().removed(d, [0]),
        lambda d: PlaneWorkspace().flipped(d, [0]),
        lambda d: PlaneWorkspace().duplicated(d, [0], 0.1),
        lambda d: PlaneWorkspace().jittered(d, [], 0.1, 0),
    ],
)
def test_what_an_edit_returns_cannot_be_written_to(data, edit):
    new = edit(data)
    assert not new.X.flags.writeable
    assert not new.target.flags.writeable


def test_points_with_a_single_input_lie_on_a_line_and_are_edited_along_it():
    line = Data.labelled([[0.0], [1.0], [3.0]], [1, -1, 1])
    assert PlaneWorkspace().positions(line).tolist() == [[0, 0], [1, 0], [3, 0]]
    assert PlaneWorkspace().added(line, [7.0, 5.0], -1).X.tolist() == [[0], [1], [3], [7]]
    assert PlaneWorkspace().placed(line, [1], [[2.0, -4.0]]).X.tolist() == [[0], [2], [3]]
    assert PlaneWorkspace().duplicated(line, [2], np.array([0.5, -0.5])).X.tolist() == [[0], [1], [3], [3.5]]


def test_whatever_data_are_cleared_a_plane_for_two_classes_is_left(three_classes):
    for data in (three_classes, Data.labelled(["a", "b"], [1, -1]), Data.regression([[1.0]], [0.5])):
        left = PlaneWorkspace().cleared(data)
        assert (left.n, left.X.shape, left.task) == (0, (0, 2), Task.TWO_CLASSES)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (Data.regression([[1.0, 2.0]], [0.5]), "real targets"),
        (Data.labelled(["a", "b"], [1, -1]), "strings"),
        (Data.labelled(np.eye(3), [1, -1, 1]), "these data have 3"),
    ],
)
def test_data_that_are_no_plane_are_refused_with_the_reason(data, said):
    assert said in PlaneWorkspace().refusal(data)
    with pytest.raises(BadInput, match=said):
        PlaneWorkspace().added(data, [0.0, 0.0], 1)
