"""What menus and the switch of the toolbar offer, and in which words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from kernelviz.session.lessons.shipped import shipped
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.sidebar.panel import Panel
from kernelviz.ui.window.main_window import MainWindow
from tests.ui.window.acting import enter, settle


def opened(window: MainWindow, title: str) -> QMenu:
    """Return a menu that the user opens; a window off screen shows none."""
    bar = window.menuBar()
    menu = next(a.menu() for a in bar.actions() if a.text().replace("&", "") == title)
    menu.aboutToShow.emit()
    return menu


def families(menu: QMenu) -> dict[str, list[str]]:
    """Return what its submenus list, up to the first separator."""
    found = {}
    for action in menu.actions():
        if action.isSeparator():
            return found
        if action.isVisible():
            found[action.text()] = [entry.text() for entry in action.menu().actions()]
    return found


def listed(panel: Panel) -> dict[str, list[str]]:
    """Return what the list of a panel offers, under its headings."""
    found: dict[str, list[str]] = {}
    combo = panel.picker
    for row in range(combo.count()):
        if combo.itemData(row) is None:
            found[combo.itemText(row)] = []
        else:
            found[list(found)[-1]].append(combo.itemText(row))
    return found


@pytest.mark.parametrize("title", ["Kernel", "Algorithm"])
@pytest.mark.parametrize("workspace", ["plane", "curve", "words"])
def test_the_menus_list_kernels_and_algorithms_as_their_panels_do(qtbot, window, title, workspace):
    enter(qtbot, window, workspace)
    assert families(opened(window, title)) == listed(window.docks[title.lower()].widget())


def test_a_kernel_chosen_in_the_menu_is_that_of_the_fit_and_ticked(qtbot, window):
    menu = opened(window, "Kernel")
    submenu = next(a.menu() for a in menu.actions() if a.text() == "Gaussian and relatives")
    ticked = [entry.text() for entry in submenu.actions() if entry.isChecked()]
    assert ticked == [window.session.document.kernel.title]
    laplacian = next(entry for entry in submenu.actions() if entry.text() == "Laplacian")
    assert laplacian.toolTip()
    laplacian.trigger()
    settle(qtbot, window)
    assert window.session.document.kernel.title == "Laplacian"
    assert window.session.history.undo_name == "choose kernel"
    opened(window, "Kernel")
    assert [entry.text() for entry in submenu.actions() if entry.isChecked()] == ["Laplacian"]


def test_the_switch_says_what_each_workspace_is_for(window):
    tips = {name: button.toolTip() for name, button in window.canvases.switch.buttons.items()}
    assert len(set(tips.values())) == 3
    assert "Classification" in tips["plane"]
    assert "Regression" in tips["curve"]
    assert "Strings" in tips["words"]
    assert all(workspace.summary_line for workspace in workspaces())


def test_margin_means_the_distance_of_a_point_and_never_a_line_or_a_strip(qtbot, window):
    shows = {action.text().replace("&", "") for action in window.menus.toggles.values()}
    assert "Lines s = ±1" in shows
    assert not any("margin" in text.lower() for text in shows)
    for lesson in shipped():
        words = lesson.read_text(encoding="utf-8")
        for said in ("inside the margin", "the margin line", "on the margin", "width of the margin"):
            assert said not in words, f"{lesson.name}: {said}"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_menu_that_is_taller_than_the_screen_stays_in_one_column_and_on_it(qtbot, window):
    window.set_type_size(200)
    title = next(action for action in window.menuBar().actions() if action.text() == "&View")
    menu = title.menu()
    menu.popup(window.mapToGlobal(QPoint(0, 0)))
    qtbot.waitUntil(menu.isVisible)
    screen = menu.screen().availableGeometry()
    shown = [action for action in menu.actions() if action.isVisible()]
    assert menu.actionGeometry(shown[-1]).bottom() > screen.height()  # So that there is something to scroll.
    assert len({menu.actionGeometry(action).left() for action in shown}) == 1
    assert screen.contains(menu.geometry())
    menu.close()
