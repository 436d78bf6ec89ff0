"""Bounds and numbers, by real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kernelviz.ui.insight.area import InsightArea
from kernelviz.ui.insight.views import VIEWS


@pytest.fixture
def view(bench, show):
    return show(VIEWS["bounds"].widget(bench("barely_separable(n=60, gap=1.5)", "linear")))


def bound(view, name: str) -> str:
    return next(item.value for item in view.scene.root.more if item.name == name)


def places(view):
    """Where the rows are, by name."""
    return view.sheet.layout_of_scene.find("rows").rows


def test_pointing_at_a_number_tells_its_formula(view, qtbot, to_pixel):
    plain = view.sheet.grab().toImage()
    for name, formula in (("smallest margin", "minᵢ zᵢ s(xᵢ)/‖w‖"), ("slack", "(R² + ‖h‖²)/γ₀²")):
        qtbot.mouseMove(view.sheet, to_pixel(places(view)[name].center()))
        assert view.sheet.marks.pointed.row == name
        assert formula in view.sheet.toolTip()
        assert view.sheet.grab().toImage() != plain
    QApplication.sendEvent(view.sheet, QEvent(QEvent.Type.Leave))
    assert view.sheet.toolTip() == ""
    assert view.sheet.grab().toImage() == plain


def test_the_formula_stays_while_the_numbers_move(view, qtbot, to_pixel):
    name, place = next(iter(places(view).items()))
    qtbot.mouseMove(view.sheet, to_pixel(place.center()))
    view.workbench.refresh()
    QApplication.processEvents()
    qtbot.waitUntil(lambda: view.taken is view.workbench.frame)
    assert view.sheet.marks.pointed.row == name


def test_keys_on_the_slider_ask_for_more_or_less_certainty(view):
    before = bound(view, "compression")
    slider = view.numbers["delta"].slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert view.view.delta > 0.05
    assert bound(view, "compression") != before


def test_a_reference_margin_is_typed(view, qtbot):
    field = view.numbers["reference"].field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "4")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert view.view.reference == 4.0
    exported = view.maker_now().make(view.taken).scene
    assert bound(view, "slack") == next(item.value for item in exported.root.more if item.name == "slack")


def test_without_bounds_there_is_nothing_to_set(bench, show):
    view = show(VIEWS["bounds"].widget(bench("gaussians(n=30)", how="nearest-neighbours(k=3)")))
    assert all(not control.isVisible() for control in view.numbers.values())


def test_in_a_small_place_it_scrolls_rather_than_shrinks(view):
    view.resize(300, 100)
    view._make_room()
    assert view.sheet.minimumHeight() > 150


def test_its_controls_wrap_so_that_no_value_is_cut_off_in_a_narrow_place(view, qtbot):
    area = InsightArea(view.workbench)
    qtbot.addWidget(area)
    area.restore(["bounds"])
    area.resize(370, 260)
    area.show()
    qtbot.waitExposed(area)
    area.grab()
    shown = area.view("bounds")
    assert shown.width() <= area.width()
    delta, reference = shown.numbers.values()
    assert reference.mapTo(shown, reference.rect().topRight()).x() <= shown.width()
    assert reference.mapTo(shown, reference.rect().topLeft()).y() > delta.mapTo(shown, delta.pos()).y()
