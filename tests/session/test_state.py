"""What the user is working on."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.data import Data
from kernelviz.session.state import start_up
from kernelviz.session.view import ViewRange, including, shows
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.session.states import state_with


def test_the_start_up_example_has_points_of_both_classes_in_view():
    state = start_up()
    data, view = state.document.data, state.look.view
    assert set(data.z) == {-1.0, 1.0}
    assert (data.X.min(axis=0) > [view.left, view.bottom]).all()
    assert (data.X.max(axis=0) < [view.right, view.top]).all()


def test_the_start_up_example_names_its_source():
    from kernelviz.engine.fits.parsing import dataset

    document = start_up().document
    assert np.array_equal(dataset(document.source).X, document.data.X)


def test_what_is_shown_at_first_are_the_toggles_that_default_to_on():
    assert PlaneWorkspace().look(PlaneWorkspace().empty()).shown == {
        name for name, (_, on) in PlaneWorkspace.toggles.items() if on
    }


@given(st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 2), min_size=1, max_size=20))
def test_every_point_fits_into_the_view(places):
    view = PlaneWorkspace().extent(Data.unlabelled(np.array(places)))
    X = np.array(places)
    assert view.left < X[:, 0].min()
    assert view.right > X[:, 0].max()
    assert view.bottom < X[:, 1].min()
    assert view.top > X[:, 1].max()


def test_columns_of_quite_different_scales_are_each_given_their_own_room():
    view = PlaneWorkspace().extent(Data.unlabelled(np.array([[0.1, 1e6], [0.4, 4e6]])))
    assert (view.left, view.right) == pytest.approx((0.1 - 0.054, 0.4 + 0.054))
    assert (view.bottom, view.top) == pytest.approx((1e6 - 0.54e6, 4e6 + 0.54e6))


def test_an_empty_plane_has_the_default_view():
    assert PlaneWorkspace().extent(PlaneWorkspace().empty()) == ViewRange()


def test_state_is_frozen():
    state = start_up()
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.document = None
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.look.mode = "watch"


def test_a_view_shows_points_that_are_in_it_and_not_lost_in_it():
    data = Data.labelled([[0.0, 0.0], [1.0, 2.0]], [1, -1])
    assert shows(PlaneWorkspace().extent(data), data.X)
    assert not shows(ViewRange(0.5, 2.0, -1.0, 3.0), data.X)
    assert not shows(ViewRange(-1.0, 2.0, -1.0, 1.9), data.X)
    assert not shows(ViewRange(-50.0, 50.0, -50.0, 50.0), data.X)
    assert shows(ViewRange(), PlaneWorkspace().empty().X)


def test_a_view_grows_no_further_than_it_must():
    view = ViewRange(-1.0, 1.0, -2.0, 2.0)
    assert including(view, 0.5, -1.5) == view
    assert including(view, 1.0, 2.0) == view
    grown = including(view, 3.0, -5.0)
    assert (grown.left, grown.top) == (-1.0, 2.0)
    assert grown.right > 3.0
    assert grown.bottom < -5.0


def test_points_edited_by_hand_know_what_they_were_until_there_are_others():
    document = state_with(source="moons(n=12)").document
    edited = document.replace(source="").replace(source="", standardised=True)
    assert edited.edited_from == "moons(n=12)"
    assert edited.replace(source="flowers.csv").edited_from == ""
    assert edited.replace(data=PlaneWorkspace().empty(), source="").edited_from == ""


def test_swapped_classes_are_an_edit_of_training_and_held_out_points():
    document = start_up().document.with_fresh_points(50)
    swapped = document.with_classes_swapped()
    assert np.array_equal(swapped.data.z, -document.data.z)
    assert np.array_equal(swapped.test_data.z, -document.test_data.z)
    assert (swapped.source, swapped.origin) == ("", document.source)
