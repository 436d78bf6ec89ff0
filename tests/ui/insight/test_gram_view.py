"""The Gram matrix, by real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.drawing.insight.spectrum import SpectrumPicture
from kernelviz.drawing.insight.witness import WitnessPicture
from kernelviz.engine.fits.parsing import kernel
from kernelviz.ui.insight.gram_view import GramView


@pytest.fixture
def view(bench, show):
    return show(GramView(bench()))


def choose(settled, view, name: str, option: str) -> None:
    """By the keyboard, one option after the other."""
    chooser = view.lists[name]
    chooser.setFocus()
    for _ in range(chooser.count()):
        if chooser.currentText() == option:
            settled(view)
            return
        QTest.keyClick(chooser, Qt.Key.Key_Down)
    raise AssertionError(f"no {option}")


def test_pointing_at_a_row_shows_it_as_a_function(view, qtbot, place_of):
    assert view.picture.shown.row is None
    qtbot.mouseMove(view.sheet, place_of(view, 3, 12))
    assert view.picture.shown.row.point == 3
    qtbot.mouseMove(view.sheet, place_of(view, 8, 12))
    assert view.picture.shown.row.point == 8


def test_so_does_pointing_or_selecting_elsewhere(view):
    view.workbench.hover(5)
    assert view.picture.shown.row.point == 5
    view.workbench.hover(None)
    assert view.picture.shown.row is None
    view.workbench.session.adjust(selection=(6, 9))
    assert view.picture.shown.row.point == 6
    assert "K(point 7, point 10)" in view.picture.face.caption


def test_the_row_follows_its_point(view, qtbot):
    view.workbench.session.adjust(selection=(2,))
    before = view.picture.shown.row
    view.workbench.session.change("change γ", kernel=kernel("rbf(gamma=4)"))
    qtbot.waitUntil(lambda: view.picture.shown.row not in (None, before))
    assert view.picture.shown.row.problem.kernel == kernel("rbf(gamma=4)")


def test_the_order_is_chosen_by_key(view, settled):
    choose(settled, view, "order", "index")
    assert view.picture.shown.matrix.order.tolist() == list(range(40))
    choose(settled, view, "order", "alike")
    assert view.picture.shown.matrix.how == ("alike", "K")


def test_only_the_matrix_has_an_order_and_a_version(view, settled):
    choose(settled, view, "face", "spectrum")
    assert isinstance(view.picture.shown, SpectrumPicture)
    assert not view.lists["order"].isVisible()
    assert not view.lists["version"].isVisible()


def test_an_indefinite_kernel_shows_its_witness_and_a_click_on_a_weight_selects_the_point(
    view, qtbot, place_of, settled
):
    choose(settled, view, "face", "witness")
    view.workbench.session.change("choose kernel", kernel=kernel("sigmoid(gamma=1, c=-1)"))
    qtbot.waitUntil(lambda: isinstance(view.picture.shown, WitnessPicture))
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=place_of(view, 4))
    assert view.workbench.session.look.selection == (4,)


def test_in_a_narrow_place_the_switches_go_on_in_a_second_row(view, qtbot):
    wide = view.sheet.y()
    view.resize(230, 400)
    qtbot.waitUntil(lambda: view.sheet.y() > wide + 10)
    assert view.width() == 230
