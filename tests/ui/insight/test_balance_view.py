"""Fit against complexity, and the bump, by real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.ui.insight.balance_view import BalanceView

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(bench, show):
    return show(BalanceView(bench("sine(n=20, seed=1)", "rbf(gamma=3)", "ridge(lam=0.1)")))


def test_ticking_the_box_leaves_the_fit_and_raises_the_complexity(view, qtbot):
    before = view.picture
    assert before.bumped is None
    qtbot.mouseClick(view.boxes["bump"], LEFT)
    after = view.picture
    assert (after.fit, after.complexity) == (before.fit, before.complexity)
    assert after.bumped[0] == before.fit
    assert after.bumped[1] > 1.05 * before.complexity
    assert view.remark.text() == "The fit stays, ‖w‖ grows."
    qtbot.mouseClick(view.boxes["bump"], LEFT)
    assert view.picture.bumped is None


def test_the_keyboard_ticks_it_too(view):
    view.boxes["bump"].setFocus()
    QTest.keyClick(view.boxes["bump"], Qt.Key.Key_Space)
    assert view.picture.bumped is not None


def test_the_bump_follows_a_change_once_nothing_moves(view, qtbot):
    qtbot.mouseClick(view.boxes["bump"], LEFT)
    first = view.picture.bumped
    view.workbench.session.change("change γ", kernel=kernel("rbf(gamma=9)"))
    qtbot.waitUntil(lambda: view.picture.bumped not in (None, first))


def test_where_every_function_is_spanned_there_is_no_box_to_tick(view, qtbot):
    view.workbench.session.change("choose kernel", kernel=kernel("polynomial(degree=3)"))
    qtbot.waitUntil(lambda: view.picture.formulas and not view.picture.can_bump)
    qtbot.waitUntil(view.boxes["bump"].isHidden)


def test_of_an_algorithm_that_minimises_no_such_sum_it_is_said(view, qtbot):
    view.workbench.session.change("choose algorithm", algorithm=algorithm("nadaraya-watson"))
    qtbot.waitUntil(lambda: "does not minimise" in getattr(view.picture, "reason", ""))


def test_the_canvas_shows_the_bump_while_it_is_added_whoever_asked_for_it(view, qtbot):
    session, box = view.workbench.session, view.boxes["bump"]
    qtbot.mouseClick(box, LEFT)
    assert "raised" in session.look.shown
    session.toggle("raised")  # as by the menu
    assert not box.isChecked()
    assert view.picture.bumped is None
    session.toggle("raised")
    assert box.isChecked()
    assert view.picture.bumped is not None


def test_in_the_plane_the_bump_is_a_matter_of_the_view_alone(bench, show, qtbot):
    view = show(BalanceView(bench()))
    shown = view.workbench.session.look.shown
    qtbot.mouseClick(view.boxes["bump"], LEFT)
    assert view.picture.bumped is not None
    assert view.workbench.session.look.shown == shown
