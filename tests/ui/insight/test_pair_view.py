"""Two strings on screen: which two, which piece, which step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication

from kernelviz.drawing.insight.pair import ROW, PairPicture, name_of, pair_for
from kernelviz.drawing.insight.picture import Marks
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import kernel
from kernelviz.ui.insight.pair_view import PairView

TEXTS = ("sentence", "sentance", "sentnce", "banana", "bananna", "bandana")
DATA = Data.labelled(list(TEXTS), ["s", "s", "s", "b", "b", "b"])


@pytest.fixture
def view(bench, show, qtbot):
    shown = show(PairView(bench(DATA, "subsequence(length=2, decay=0.5)")), 520, 420)
    qtbot.waitUntil(lambda: isinstance(shown.picture, PairPicture))
    shown.grab()
    return shown


@pytest.fixture
def becomes(view, qtbot):
    """Wait until a pair is shown."""
    return lambda *points: qtbot.waitUntil(lambda: view.picture.points == points)


def row(view, k: int, to_pixel) -> QPoint:
    sheet = view.sheet
    top, _ = view.picture._rows(sheet.room, sheet.style_of_picture)
    return to_pixel(QPointF(20.0, top + (k + 0.5) * ROW * sheet.style_of_picture.text))


def test_the_two_selected_strings_are_compared(view, becomes):
    view.workbench.session.adjust(selection=(3, 5))
    becomes(3, 5)
    assert [picker.currentIndex() for picker in view.pickers] == [3, 5]


def test_pointing_at_a_string_elsewhere_compares_it_with_the_selected_one(view, becomes):
    view.workbench.session.adjust(selection=(3,))
    becomes(3, 4)
    view.workbench.hover(0)
    becomes(3, 0)
    view.workbench.hover(None)
    becomes(3, 4)


def test_the_lists_select_what_they_compare_also_a_string_with_itself(view, becomes, qtbot):
    qtbot.keyClick(view.pickers[1], Qt.Key.Key_Down)
    becomes(0, 3)
    assert view.workbench.session.look.selection == (0, 3)
    for _ in range(3):
        qtbot.keyClick(view.pickers[0], Qt.Key.Key_Down)
    becomes(3, 3)
    assert view.workbench.session.look.selection == (3,)
    view.workbench.session.adjust(selection=(1, 2))
    becomes(1, 2)


def test_pointing_at_a_piece_lights_its_letters_and_a_click_keeps_them_lit(view, qtbot, to_pixel):
    plain = view.grab().toImage()
    qtbot.mouseMove(view.sheet, row(view, 1, to_pixel))
    assert view.picture.pointed == 1
    assert view.grab().toImage() != plain
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=row(view, 1, to_pixel))
    QApplication.sendEvent(view.sheet, QEvent(QEvent.Type.Leave))
    assert view.picture.pointed == 1
    exported = view.maker.make(view.workbench.frame)
    assert name_of(exported.piece) == name_of(view.picture.piece)
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=row(view, 1, to_pixel))
    QApplication.sendEvent(view.sheet, QEvent(QEvent.Type.Leave))
    assert view.picture.pointed is None


def test_pointing_at_one_of_the_strings_highlights_it_everywhere_and_changes_no_pair(view, qtbot, to_pixel):
    before = view.picture.points
    place, _ = view.picture._texts(view.sheet.room, view.sheet.style_of_picture)[1]
    qtbot.mouseMove(view.sheet, to_pixel(place.center()))
    assert view.workbench.hovered_point == before[1]
    assert view.maker.points == before


def test_the_table_is_filled_step_by_step(view, qtbot):
    assert not view.steps.isVisible()
    qtbot.mouseClick(view.boxes["table"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.picture.table is not None)
    assert view.steps.isVisible()
    size = view.picture.table.values.size
    assert view.picture.table.step == size
    assert not view.forward.isEnabled()
    qtbot.mouseClick(view.back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.picture.table.step == size - 1)
    qtbot.keyClick(view.steps, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: view.picture.table.step == 0)
    assert not view.back.isEnabled()
    for step in (1, 2, 3):
        qtbot.mouseClick(view.forward, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda step=step: view.picture.table.step == step)
    qtbot.keyClick(view.steps, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: view.picture.table.step == 4)


def test_an_edited_string_is_compared_anew_and_named_anew_in_the_lists(view, qtbot):
    session = view.workbench.session
    changed = Data.labelled(["sense", *TEXTS[1:]], ["s", "s", "s", "b", "b", "b"])
    session.change("edit string", data=changed)
    qtbot.waitUntil(lambda: view.picture.comparison.texts[0] == "sense")
    assert view.pickers[0].itemText(0) == "1: sense"


def test_points_of_a_plane_are_no_strings(bench, show, qtbot):
    view = show(PairView(bench()))
    qtbot.waitUntil(lambda: "numbers" in view.picture.reason)
    assert not any(picker.isVisible() for picker in view.pickers)


def test_a_slider_of_the_kernel_does_not_choose_other_strings(bench, show, qtbot):
    data = Data.labelled(["abcd", "abzz", "axbxcxd", "zzzq"], ["a", "b", "a", "b"])
    workbench = bench(data, "subsequence(length=2, decay=0.05)")
    view = show(PairView(workbench), 520, 420)
    qtbot.waitUntil(lambda: isinstance(view.picture, PairPicture) and workbench.up_to_date)
    qtbot.waitUntil(lambda: workbench.frame.model.problem.known_gram is not None)
    view.point_out()  # as when the mouse moves over any view
    pair = view.picture.points
    workbench.session.change("change λ", kernel=kernel("subsequence(length=2, decay=0.95)"))
    qtbot.waitUntil(lambda: view.taken is workbench.frame and workbench.up_to_date)
    qtbot.waitUntil(lambda: workbench.frame.model.problem.known_gram is not None)
    assert pair_for(workbench.frame.model.problem, Marks()) != pair, "the first is now most like another"
    view.point_out()
    assert view.maker.points == view.picture.points == pair
