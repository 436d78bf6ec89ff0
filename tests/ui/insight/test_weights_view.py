"""The two faces of the weights, by real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.engine.fits.parsing import algorithm
from kernelviz.ui.insight.views import VIEWS


@pytest.fixture
def view(bench, show):
    return show(VIEWS["weights"].widget(bench()))


def shown(view) -> str:
    """The name of the first plot; "message" without one."""
    return view.sheet.layout_of_scene.leaves[0].part


def turn(view) -> None:
    """To the other face, by the keyboard."""
    view.lists["face"].setFocus()
    QTest.keyClick(view.lists["face"], Qt.Key.Key_Down)


def test_a_key_turns_to_the_conditions_and_back(view):
    assert shown(view) == "bars"
    bars = view.grab().toImage()
    turn(view)
    assert shown(view) == "conditions"
    assert view.grab().toImage() != bars
    QTest.keyClick(view.lists["face"], Qt.Key.Key_Up)
    assert view.grab().toImage() == bars


def test_a_click_on_a_point_of_the_staircase_selects_it(view, qtbot, place_of):
    turn(view)
    i = int(view.workbench.frame.model.support[0])
    at = place_of(view, i)
    qtbot.mouseMove(view.sheet, at)
    assert view.workbench.hovered_point == i
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=at)
    assert view.workbench.session.look.selection == (i,)


def test_where_one_face_has_nothing_to_show_the_other_can_be_chosen(view, qtbot):
    turn(view)
    view.workbench.session.change("choose algorithm", algorithm=algorithm("ridge(lam=0.1)"))
    qtbot.waitUntil(lambda: shown(view) == "message")
    assert view.lists["face"].isVisible()
    QTest.keyClick(view.lists["face"], Qt.Key.Key_Up)
    assert shown(view) == "bars"


def test_what_is_exported_has_the_face_that_is_seen(view):
    turn(view)
    assert view.maker_now().make(view.taken).scene.root.part == "conditions"
