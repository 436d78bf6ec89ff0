"""Held-out points in a document: undone, kept with new data, saved and opened."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.session.files import kviz
from kernelviz.session.session import Session
from kernelviz.session.sources import open_source
from kernelviz.session.state import Document, State
from kernelviz.session.tables.preparation import joined

MOONS = "moons(n=50, seed=2)"


@pytest.fixture
def session():
    document = Document.of(dataset(MOONS), kernel("rbf"), algorithm("soft-margin-svm"), MOONS)
    return Session(State(document))


def aside(session, share=0.2):
    session.replace("hold out", session.document.with_share_aside(share))


def test_points_set_aside_are_not_fitted_and_undo_brings_them_back(session):
    before = session.document
    aside(session)
    assert (session.document.data.n, session.document.held_out.data.n) == (40, 10)
    session.undo()
    assert session.document is before


def test_another_share_is_drawn_from_all_points(session):
    aside(session, 0.5)
    aside(session, 0.2)
    assert (session.document.data.n, session.document.held_out.data.n) == (40, 10)
    assert np.array_equal(session.document.with_nothing_held_out().data.X, dataset(MOONS).X)


def test_fresh_points_leave_all_points_to_the_fit(session):
    aside(session)
    session.replace("hold out", session.document.with_fresh_points())
    assert (session.document.data.n, session.document.held_out.data.n) == (50, 1000)


def test_another_data_set_is_held_out_as_the_one_before(session):
    aside(session, 0.5)
    session.change("choose", data=dataset("rings(n=80)"), source="rings(n=80)")
    assert (session.document.data.n, session.document.held_out.data.n) == (40, 40)
    session.replace("hold out", session.document.with_fresh_points())
    session.change("choose", data=dataset("xor(n=30)"), source="xor(n=30)")
    assert session.document.held_out.source == "xor(n=30)"


def test_data_without_a_distribution_have_no_fresh_points(session):
    session.replace("hold out", session.document.with_fresh_points())
    session.change("open data", data=dataset("iris"), source="flowers.csv")
    assert session.document.held_out is None


def test_an_edit_by_hand_leaves_the_held_out_points_alone(session):
    aside(session)
    held = session.document.held_out
    session.change("move point", data=session.document.data.subset(slice(5, None)), source="")
    assert session.document.held_out is held


# Files ------------------------------------------------------------------------------------------------
def test_points_of_a_further_class_leave_the_held_out_points_their_classes(session):
    aside(session)
    held = session.document.held_out.data.class_of_each
    third = Data.labelled(np.array([[0.0, 0.0], [1.0, 1.0]]), ["third", "third"], ["x1", "x2"])
    session.change("paste points", data=joined(session.document.data, third), source="")
    assert session.document.held_out.data.class_of_each == held
    together = session.document.with_nothing_held_out().data.class_of_each
    assert sorted(together) == sorted([*dataset(MOONS).class_of_each, "third", "third"])
    session.change("clear", data=session.document.workspace.empty(), source="")
    assert session.document.held_out.data.class_of_each == held


def test_points_without_the_categories_of_the_held_out_points_end_the_holding_out(session):
    session.change("choose", data=dataset("colours(n=60)"), source="colours(n=60)")
    aside(session)
    session.change("clear", data=session.document.workspace.empty(), source="")
    assert session.document.held_out is None
    session.undo()
    assert session.document.held_out.data.n == 12


@pytest.mark.parametrize("how", ["share", "fresh", "moved"])
def test_held_out_points_are_saved_and_opened(session, how):
    aside(session) if how == "share" else session.replace("x", session.document.with_fresh_points(20))
    if how == "moved":
        held = session.document.held_out
        moved = held.with_data(held.data.subset(slice(3, None)))
        session.replace("move", session.document.replace(held_out=moved))
    text = kviz.dumps(session.state)
    opened, extra = kviz.loads(text)
    mine, read = session.document.held_out, opened.document.held_out
    assert extra == {}
    assert np.array_equal(read.data.X, mine.data.X)
    assert np.array_equal(read.data.y, mine.data.y)
    assert (read.share, read.seed, read.source) == (mine.share, mine.seed, mine.source)
    assert np.array_equal(opened.document.together.X, session.document.together.X)
    assert kviz.dumps(opened) == text


def test_fresh_points_take_a_line_in_the_file_and_not_a_thousand(session):
    without = kviz.dumps(session.state).count("\n")
    session.replace("x", session.document.with_fresh_points())
    assert kviz.dumps(session.state).count("\n") < without + 6


@pytest.mark.parametrize(
    "held",
    [
        {"share": 2.0},
        {"share": 0.2, "points": [[0, 0, 1]], "rows": [1, 2]},
        {"source": "no such thing", "count": 5},
        {"source": "iris", "count": 5},
        {"source": "blobs", "count": 5},
        {"points": [[0, 0, 7]]},
        {"points": [[0, 0]]},
        [],
    ],
)
def test_a_file_whose_held_out_points_make_no_sense_is_refused_in_words(session, held):
    tree = json.loads(kviz.dumps(session.state))
    tree["held_out"] = held
    with pytest.raises(BadInput, match="cannot be opened"):
        kviz.loads(json.dumps(tree))


def test_a_session_brings_its_held_out_points_to_the_command_line(session, tmp_path):
    aside(session)
    kviz.save(tmp_path / "s.kviz", session.state)
    source = open_source(str(tmp_path / "s.kviz"))
    assert source.held_out.data.n == 10
    assert source.tested("0.4").held_out.data.n == 20
