"""Undo and redo."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.session import history as module
from kernelviz.session.history import History
from kernelviz.session.state import Document
from kernelviz.session.workspaces.plane import PlaneWorkspace


@pytest.fixture
def documents():
    data = PlaneWorkspace().empty()
    made = []
    for i in range(5):
        data = PlaneWorkspace().added(data, np.array([[float(i), 0.0]]), 1 if i % 2 else -1)
        made.append(Document.of(data, Linear() if i % 2 else Gaussian(), None))
    return made


def test_undo_and_redo_walk_the_same_documents_in_both_directions(documents):
    history = History()
    for before, after in pairwise(documents):
        history.record("edit", before, after)
    assert [history.undo() for _ in range(4)] == documents[3::-1]
    assert [history.redo() for _ in range(4)] == documents[1:]


def test_nothing_to_undo_or_redo_is_said_with_none():
    history = History()
    assert (history.undo(), history.redo(), history.undo_name, history.redo_name) == (None,) * 4


def test_changes_of_one_gesture_make_a_single_step(documents):
    history = History()
    for before, after in pairwise(documents):
        history.record("move point", before, after, gesture="drag 1")
    assert len(history) == 1
    assert history.undo() is documents[0]
    assert history.redo() is documents[-1]


def test_the_next_gesture_begins_a_new_step(documents):
    a, b, c, d, _ = documents
    history = History()
    history.record("move point", a, b, gesture=1)
    history.record("move point", b, c, gesture=2)
    history.record("move point", c, d, gesture=2)
    assert len(history) == 2
    assert history.undo() is b


def test_changes_without_a_gesture_never_merge(documents):
    a, b, c, *_ = documents
    history = History()
    history.record("add point", a, b)
    history.record("add point", b, c)
    assert len(history) == 2


def test_a_new_change_forgets_what_was_undone(documents):
    a, b, c, *_ = documents
    history = History()
    history.record("add point", a, b)
    history.undo()
    history.record("flip class", a, c)
    assert history.redo() is None
    assert history.undo_name == "flip class"


def test_a_gesture_that_was_undone_does_not_swallow_the_change_before_it(documents):
    a, b, c, d, _ = documents
    history = History()
    history.record("add point", a, b)
    history.record("move point", b, c, gesture=7)
    history.undo()
    history.record("move point", b, d, gesture=7)
    assert history.undo() is b
    assert history.undo() is a


def test_the_menu_reads_the_names_of_the_next_steps(documents):
    a, b, c, *_ = documents
    history = History()
    history.record("add point", a, b)
    history.record("change kernel", b, c)
    history.undo()
    assert (history.undo_name, history.redo_name) == ("add point", "change kernel")


def test_thousands_of_steps_can_all_be_undone(documents):
    history = History()
    a, b, *_ = documents
    for i in range(5000):
        history.record("flip class", *((a, b) if i % 2 == 0 else (b, a)))
    assert sum(history.undo() is not None for _ in range(6000)) == 5000


def jittered(n: int, times: int) -> list[Document]:
    """A document and what comes of it when all its points are shifted again and again."""
    data = Data.labelled(np.zeros((n, 2)), np.arange(n) % 2)
    made = [Document.of(data, Linear(), None)]
    for seed in range(times):
        made.append(made[-1].replace(data=PlaneWorkspace().jittered(made[-1].data, [], 1.0, seed)))
    return made


def test_of_very_many_points_the_oldest_changes_are_forgotten(monkeypatch):
    monkeypatch.setattr(module, "BYTES_FOR_UNDO", 3 * 100 * 2 * 8)  # the places of 100 points, three times
    made, history = jittered(100, 8), History()
    for before, after in pairwise(made):
        history.record("jitter", before, after)
    assert history.forgot
    assert [history.undo() for _ in range(4)] == [made[7], made[6], made[5], None]
    assert [history.redo() for _ in range(3)] == made[6:]


def test_changes_that_share_their_points_take_no_room(monkeypatch):
    monkeypatch.setattr(module, "BYTES_FOR_UNDO", 0)
    document, history = jittered(100, 0)[0], History()
    for i in range(50):
        after = document.replace(kernel=Gaussian(gamma=1.0 + i))
        history.record("change kernel", document, after)
        document = after
    assert len(history) == 50
    assert not history.forgot


def test_a_long_drag_of_many_points_is_one_change_to_undo(monkeypatch):
    monkeypatch.setattr(module, "BYTES_FOR_UNDO", 2 * 100 * 2 * 8)
    made, history = jittered(100, 30), History()
    for before, after in pairwise(made):
        history.record("move points", before, after, gesture="drag")
    assert history.undo() is made[0]
    assert not history.forgot


def test_the_last_change_can_always_be_undone(monkeypatch):
    monkeypatch.setattr(module, "BYTES_FOR_UNDO", 0)
    before, after = jittered(100, 1)
    history = History()
    history.record("jitter", before, after)
    assert history.undo() is before
