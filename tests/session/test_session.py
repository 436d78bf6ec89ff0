"""The session: changes, observers, undo, saved or not."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import Fit, algorithm
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace


def document(n=4):
    data = Data.labelled(np.arange(2.0 * n).reshape(n, 2), [1, -1] * (n // 2))
    return Document.of(data, Gaussian(), None, "made up")


@pytest.fixture
def session():
    return Session(State(document(), Look(shown=PlaneWorkspace().shown)))


@pytest.fixture
def seen(session):
    told = []
    session.subscribe(lambda old, new: told.append((old, new)))
    return told


def test_a_change_replaces_the_state_and_tells_old_and_new(session, seen):
    before = session.state
    session.change("change kernel", kernel=Linear())
    assert seen == [(before, session.state)]
    assert isinstance(before.document.kernel, Gaussian)
    assert isinstance(session.document.kernel, Linear)


def test_a_change_to_the_same_values_is_no_change(session, seen):
    session.change("change kernel", kernel=session.document.kernel)
    assert seen == []
    assert session.history.undo_name is None


def test_undo_brings_back_the_very_same_document(session):
    first = session.document
    session.change("change kernel", kernel=Linear())
    second = session.document
    session.undo()
    assert session.document is first
    session.redo()
    assert session.document is second


def test_undo_with_nothing_to_undo_tells_nobody(session, seen):
    session.undo()
    session.redo()
    assert seen == []


def test_a_drag_is_one_step_of_undo(session):
    first = session.document
    for x in range(10):
        moved = PlaneWorkspace().placed(session.document.data, [0], [[x, x]])
        session.change("move point", gesture="drag", data=moved)
    assert session.history.undo_name == "move point"
    session.undo()
    assert session.document is first
    assert session.history.undo_name is None


def test_the_look_changes_without_a_step_of_undo(session, seen):
    session.adjust(mode="watch", step=3)
    assert (session.look.mode, session.look.step) == ("watch", 3)
    assert len(seen) == 1
    assert session.history.undo_name is None
    assert not session.unsaved


def test_an_equal_look_is_no_change(session, seen):
    session.adjust(mode=session.look.mode)
    assert seen == []


def test_a_toggle_hides_what_is_shown_and_shows_what_is_hidden(session):
    assert "field" in session.look.shown
    session.toggle("field")
    assert "field" not in session.look.shown
    session.toggle("field")
    assert "field" in session.look.shown


def test_a_changed_document_is_watched_from_its_first_step(session):
    session.adjust(mode="watch", step=12)
    session.change("change kernel", kernel=Linear())
    assert (session.look.mode, session.look.step) == ("watch", 0)


def test_undo_also_goes_back_to_the_first_step(session):
    session.change("change kernel", kernel=Linear())
    session.adjust(mode="watch", step=5)
    session.undo()
    assert session.look.step == 0


def test_points_that_are_gone_are_no_longer_selected(session):
    session.adjust(selection=(0, 3))
    session.change("delete points", data=PlaneWorkspace().removed(session.document.data, [2, 3]))
    assert session.look.selection == (0,)


def test_points_that_do_not_exist_are_not_selected(session):
    """A view that waits for its frame may still offer points that have been deleted."""
    session.adjust(selection=(1, session.document.data.n))
    assert session.look.selection == (1,)


def test_undo_never_selects_a_point_nobody_selected(session):
    session.change("delete", data=PlaneWorkspace().removed(session.document.data, [1]))
    session.adjust(selection=(0, 2))
    session.undo()
    assert session.look.selection == (0,)


def test_moving_keeps_the_selection(session):
    session.adjust(selection=(1, 2))
    session.change("move point", data=PlaneWorkspace().placed(session.document.data, [1], [[7, 7]]))
    assert session.look.selection == (1, 2)


def test_who_unsubscribes_is_told_nothing_more(session):
    told = []
    stop = session.subscribe(lambda *states: told.append(states))
    stop()
    session.toggle("field")
    assert told == []


def test_an_observer_may_leave_while_being_told(session):
    told = []
    stops = []

    def leave(old, new):
        stops[0]()

    stops.append(session.subscribe(leave))
    session.subscribe(lambda *states: told.append(states))
    session.toggle("field")
    assert len(told) == 1


def test_only_changes_of_the_document_make_it_unsaved(session):
    session.toggle("field")
    assert not session.unsaved
    session.change("change kernel", kernel=Linear())
    assert session.unsaved


def test_undoing_back_to_what_was_saved_leaves_nothing_unsaved(session):
    session.change("change kernel", kernel=Linear())
    session.mark_saved()
    assert not session.unsaved
    session.change("change kernel", kernel=Gaussian(gamma=2.0))
    session.undo()
    assert not session.unsaved
    session.undo()
    assert session.unsaved


def test_saving_tells_the_observers_so_that_the_title_can_follow(session, seen):
    session.change("change kernel", kernel=Linear())
    seen.clear()
    session.mark_saved()
    assert len(seen) == 1


def test_opening_starts_afresh(session, seen):
    session.change("change kernel", kernel=Linear())
    fresh = State(document(6), Look(mode="watch", step=4, selection=(5,), shown=PlaneWorkspace().shown))
    session.open(fresh)
    assert session.state is fresh
    assert not session.unsaved
    session.undo()
    assert session.state is fresh


def test_panels_edit_the_active_fit_and_leave_the_others_alone():
    session = Session(State(document()))
    first = session.document.fit
    session.change("add fit", fits=(first, Fit(Linear(), None)), active=1)
    session.change("change kernel", kernel=Gaussian(gamma=3.0))
    assert session.document.fits == (first, Fit(Gaussian(gamma=3.0), None))
    session.change("activate", active=0)
    assert session.document.kernel is first.kernel
    for _ in range(3):
        session.undo()
    assert session.document.fits == (first,)


def test_there_is_room_for_four_fits_and_the_last_one_stays():
    one = document()
    with pytest.raises(BadInput, match="only fit"):
        one.without_fit(0)
    four = one.with_fit(Fit(Linear(), None)).with_fit(one.fit).with_fit(one.fit)
    assert four.active == 3
    with pytest.raises(BadInput, match="room for 4 fits"):
        four.with_fit(one.fit)


@pytest.mark.parametrize(
    ("active", "closed", "then"), [(0, 0, 0), (0, 1, 0), (1, 0, 0), (2, 2, 1), (2, 0, 1)]
)
def test_closing_a_fit_keeps_the_active_one_active(active, closed, then):
    fits = tuple(Fit(Gaussian(gamma=g), None) for g in (1.0, 2.0, 3.0))
    some = document().replace(fits=fits, active=active)
    left = some.without_fit(closed)
    assert left.active == then
    if active != closed:
        assert left.fit is some.fit


def many(name, n=6000):
    return document(n).replace(algorithm=algorithm(name))


def test_an_algorithm_that_cannot_take_all_points_gets_a_sample_which_undo_takes_back():
    session = Session(State(many("random-features")))
    said = []
    session.tell = said.append
    session.change("change kernel", kernel=Gaussian(gamma=2.0))
    assert (session.document.data.n, said) == (6000, [])
    session.change("choose algorithm", algorithm=algorithm("soft-margin-svm"))
    assert session.document.data.n == 5000
    assert len(said) == 1
    assert "5,000 of 6,000 rows" in said[0]
    session.undo()
    assert session.document.data.n == 6000
    session.redo()
    assert session.document.data.n == 5000


def test_who_looks_from_far_away_still_does_after_undo(session):
    far = ViewRange(-1e4, 1e4, -1e4, 1e4)
    session.adjust(view=far)
    session.change("move", data=PlaneWorkspace().placed(session.document.data, [0], np.array([[1.0, 1.0]])))
    session.undo()
    assert session.look.view == far
