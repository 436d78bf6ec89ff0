"""The Gram matrix, by real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.engine.fits.parsing import kernel
from kernelviz.ui.insight.views import VIEWS


@pytest.fixture
def view(bench, show):
    return show(VIEWS["gram"].widget(bench()))


def shown(view) -> set[str]:
    """The names of what is seen."""
    return {part for leaf in view.sheet.layout_of_scene.leaves for part in leaf.parts}


def row_shown(view) -> str:
    """The title of the row that is seen as a function; empty without one."""
    return view.sheet.layout_of_scene.find("landscape").title if "landscape" in shown(view) else ""


def caption(view) -> str:
    return view.sheet.layout_of_scene.find("text").node.text


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
    assert row_shown(view) == ""
    qtbot.mouseMove(view.sheet, place_of(view, 3, 12))
    assert row_shown(view) == "K(point 4, ·)"
    qtbot.mouseMove(view.sheet, place_of(view, 8, 12))
    assert row_shown(view) == "K(point 9, ·)"


def test_so_does_pointing_or_selecting_elsewhere(view):
    view.workbench.hover(5)
    assert row_shown(view) == "K(point 6, ·)"
    view.workbench.hover(None)
    assert row_shown(view) == ""
    view.workbench.session.adjust(selection=(6, 9))
    assert row_shown(view) == "K(point 7, ·)"
    assert "K(point 7, point 10)" in caption(view)


def test_the_row_follows_its_point(view, qtbot):
    view.workbench.session.adjust(selection=(2,))
    before = view.sheet.layout_of_scene.find("landscape").ground
    view.workbench.session.change("change γ", kernel=kernel("rbf(gamma=4)"))
    qtbot.waitUntil(lambda: view.sheet.layout_of_scene.find("landscape").ground != before)
    assert row_shown(view) == "K(point 3, ·)"


def test_the_order_is_chosen_by_key(view, settled):
    choose(settled, view, "order", "index")
    assert view.sheet.layout_of_scene.find("matrix").node.points.tolist() == list(range(40))
    choose(settled, view, "order", "alike")
    alike = view.sheet.layout_of_scene.find("matrix").node.points.tolist()
    assert alike != sorted(alike) == list(range(40))


def test_only_the_matrix_has_an_order_and_a_version(view, settled):
    choose(settled, view, "face", "spectrum")
    assert "spectrum" in shown(view)
    assert not view.lists["order"].isVisible()
    assert not view.lists["version"].isVisible()


def test_an_indefinite_kernel_shows_its_witness_and_a_click_on_a_weight_selects_the_point(
    view, qtbot, place_of, settled
):
    choose(settled, view, "face", "witness")
    view.workbench.session.change("choose kernel", kernel=kernel("sigmoid(gamma=1, c=-1)"))
    qtbot.waitUntil(lambda: "witness" in shown(view))
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=place_of(view, 4))
    assert view.workbench.session.look.selection == (4,)


def test_in_a_narrow_place_the_switches_go_on_in_a_second_row(view, qtbot):
    wide = view.sheet.y()
    view.resize(230, 400)
    qtbot.waitUntil(lambda: view.sheet.y() > wide + 10)
    assert view.width() == 230


def test_the_matrix_is_copied_as_it_is_ordered(view, qapp):
    menu = view.bar.menus["Copy"].menu()
    latex, csv = menu.actions()
    csv.trigger()
    assert len(qapp.clipboard().text().splitlines()) == 40
    latex.trigger()
    assert qapp.clipboard().text().startswith("\\begin{pmatrix}")
