"""Held-out points from the data panel, as a user acts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from kernelviz.engine.fits.parsing import dataset
from kernelviz.ui.sidebar.data_panel import DataPanel
from tests.ui.widgets.acting import LEFT, drag, type_into


@pytest.fixture
def panel(shown):
    return shown(DataPanel)


@pytest.fixture
def part(panel):
    return panel.held_out


def press(part, option):
    QTest.mouseClick(part.choice.buttons[option], LEFT)


def test_nothing_is_held_out_at_first_and_nothing_said(part):
    assert part.choice.buttons["none"].isChecked()
    assert not any(widget.isVisible() for widget in (part.form, part.show_points, part.result))


def test_a_share_is_set_aside_shown_and_told_with_its_error(part, session, workbench, qtbot):
    press(part, "share")
    document = session.document
    assert (document.data.n, document.held_out.data.n) == (7, 3)
    assert "held_out" in session.look.shown
    assert part.show_points.isChecked()
    qtbot.waitUntil(lambda: "held out" in part.result.sentence)
    wrong = int(workbench.frame.test.mistakes.sum())
    assert part.result.sentence == f"3 points held out: {wrong} wrong, error {100 * wrong / 3:.3g} %."


def test_dragging_the_share_is_one_step_of_undo(part, session):
    press(part, "share")
    before = session.document
    drag(part.form.controls["share"].slider, 0.9)
    assert session.document.held_out.data.n > 3
    session.undo()
    assert session.document is before


def test_a_share_out_of_range_is_refused_in_words_and_changes_nothing(part, session):
    press(part, "share")
    before = session.document
    control = part.form.controls["share"]
    type_into(control.field, "7")
    assert session.document is before
    assert "0.9" in control.message.sentence


def test_fresh_points_leave_the_plane_as_it_is_until_they_are_asked_for(part, session):
    press(part, "fresh")
    assert (session.document.data.n, session.document.held_out.data.n) == (10, 1000)
    assert "held_out" not in session.look.shown
    QTest.mouseClick(part.show_points, LEFT, pos=QPoint(8, part.show_points.height() // 2))
    assert "held_out" in session.look.shown


def test_undo_takes_the_choice_back_in_the_panel_too(part, session):
    press(part, "share")
    press(part, "fresh")
    session.undo()
    assert part.choice.buttons["share"].isChecked()
    session.undo()
    assert part.choice.buttons["none"].isChecked()
    assert session.document.data.n == 10


def test_where_no_distribution_is_known_a_sentence_says_so_and_nothing_changes(part, session):
    session.change("open data", data=dataset("iris"), source="iris")
    before = session.document
    press(part, "fresh")
    assert session.document is before
    assert "Hold out a share of it" in part.problem.sentence
    assert part.choice.buttons["none"].isChecked()


@pytest.mark.parametrize("source", ["big.csv", ""])
def test_fresh_points_of_a_file_or_of_points_by_hand_are_refused_in_words(part, session, source):
    session.change("open data", data=dataset("xor"), source=source)
    press(part, "fresh")
    wanted = "Only generated data have fresh points. Hold out a share of these instead."
    assert part.problem.sentence == wanted


def test_another_data_set_keeps_the_share(part, session):
    press(part, "share")
    session.change("choose", data=dataset("moons(n=20)"), source="moons(n=20)")
    assert (session.document.data.n, session.document.held_out.data.n) == (14, 6)
    assert part.choice.buttons["share"].isChecked()
