"""The two faces of the weights, by real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.drawing.insight.conditions import ConditionsPicture
from kernelviz.drawing.insight.picture import NothingToShow
from kernelviz.drawing.insight.weights import WeightBars
from kernelviz.engine.fits.parsing import algorithm
from kernelviz.ui.insight.weights_view import WeightsView


@pytest.fixture
def view(bench, show):
    return show(WeightsView(bench()))


def turn(view) -> None:
    """To the other face, by the keyboard."""
    view.lists["face"].setFocus()
    QTest.keyClick(view.lists["face"], Qt.Key.Key_Down)


def test_a_key_turns_to_the_conditions_and_back(view):
    assert isinstance(view.picture.shown, WeightBars)
    bars = view.grab().toImage()
    turn(view)
    assert isinstance(view.picture.shown, ConditionsPicture)
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
    qtbot.waitUntil(lambda: isinstance(view.picture.shown, NothingToShow))
    assert view.lists["face"].isVisible()
    QTest.keyClick(view.lists["face"], Qt.Key.Key_Up)
    assert isinstance(view.picture.shown, WeightBars)


def test_what_is_exported_has_the_face_that_is_seen(view):
    turn(view)
    assert isinstance(view.maker.make(view.taken).shown, ConditionsPicture)
