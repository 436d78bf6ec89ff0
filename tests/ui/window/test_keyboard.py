"""Everything can be done from the keyboard, and no key means two things."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu, QTabBar
from shiboken6 import isValid

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.ui.canvas.banner import Notice
from kernelviz.ui.window.commands import COMMANDS
from kernelviz.ui.window.keyboard import ShortcutsSheet, sheet
from tests.ui.window.acting import CONTROL, click, focus_canvas, settle


def test_no_shortcut_is_given_twice():
    given = Counter(keys for c in COMMANDS if c.shortcut for keys in (c.shortcut, *c.also))
    assert [key for key, count in given.items() if count > 1] == []


def test_no_letter_opens_two_entries_of_a_menu(window):
    for menu in (action.menu() for action in window.menuBar().actions()):
        letters = Counter(
            text[text.index("&") + 1].lower() for a in menu.actions() if "&" in (text := a.text())
        )
        assert [letter for letter, count in letters.items() if count > 1] == [], menu.title()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_sheet_lists_every_shortcut(qtbot, window):
    text = sheet()
    assert all(c.shortcut in text for c in COMMANDS if c.shortcut)
    window.actions_by_name["shortcuts"].trigger()
    shown = window.findChild(ShortcutsSheet)
    assert shown.isVisible()
    shown.close()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_f1_twice_is_one_sheet_and_a_closed_one_opens_again(qtbot, window):
    area = window.canvas.area
    for _ in range(2):
        qtbot.keyClick(area, Qt.Key.Key_F1)
        (shown,) = window.findChildren(ShortcutsSheet)
        assert shown.isVisible()
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(ShortcutsSheet) is None)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(area, Qt.Key.Key_F1)
    (again,) = window.findChildren(ShortcutsSheet)
    again.close()


def test_space_plays_and_arrows_step(qtbot, window):
    window.session.change("change algorithm", algorithm=algorithm("perceptron"))
    area = window.canvas.area
    area.setFocus()
    qtbot.keyClick(area, Qt.Key.Key_Right)
    settle(qtbot, window)
    assert window.session.look.mode == "watch"
    first = window.session.look.step
    qtbot.keyClick(area, Qt.Key.Key_Right)
    settle(qtbot, window)
    assert window.session.look.step == first + 1
    qtbot.keyClick(area, Qt.Key.Key_Left)
    assert window.session.look.step == first
    qtbot.keyClick(area, Qt.Key.Key_Space)
    assert window.playback.playing
    qtbot.keyClick(area, Qt.Key.Key_Space)
    assert not window.playback.playing
    qtbot.keyClick(area, Qt.Key.Key_L)
    assert window.session.look.mode == "live"


def test_the_keyboard_stays_at_the_canvas_when_the_plot_that_has_it_is_closed(qtbot, window):
    window.resize(1600, 1000)
    focus_canvas(window)
    plots = window.canvas.row.plots
    compare = window.actions_by_name["add_fit"].trigger
    compare()
    compare()
    assert plots[2].area.hasFocus()
    window.insight.show_view("inspector")  # its fields come after the plots in the order of Tab
    window.session.adjust(selection=(0,))
    settle(qtbot, window)
    qtbot.mouseClick(plots[1].title.cross, Qt.MouseButton.LeftButton)
    assert plots[1].area.hasFocus()
    qtbot.keyClick(plots[1].area, Qt.Key.Key_Z, CONTROL)
    qtbot.keyClick(plots[2].area, Qt.Key.Key_Z, CONTROL)
    assert plots[1].area.hasFocus()
    plots[1].title.cross.setFocus()
    qtbot.keyClick(plots[1].title.cross, Qt.Key.Key_Space)
    assert plots[0].area.hasFocus()


def test_tab_goes_round_the_whole_window(qtbot, window):
    focus_canvas(window)
    qtbot.keyClick(window.canvas.area, Qt.Key.Key_Tab, CONTROL)
    visited = []
    while (widget := QApplication.focusWidget()) is not window.canvas.area and widget not in visited:
        visited.append(widget)
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is window.canvas.area, f"{visited[-1]} leads back into the round"
    for name in ("data", "kernel", "algorithm", "insight"):
        panel = window.docks[name].widget()
        assert any(panel.isAncestorOf(widget) for widget in visited), name


def test_tabs_and_check_boxes_keep_the_keys_they_need(qtbot, window):
    window.activateWindow()
    window.tabifyDockWidget(window.docks["data"], window.docks["kernel"])
    bar = next(bar for bar in window.findChildren(QTabBar) if bar.count() == 2)
    qtbot.waitUntil(bar.isVisible)
    bar.setFocus()
    qtbot.waitUntil(bar.hasFocus)
    bar.setCurrentIndex(0)
    qtbot.keyClick(bar, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: bar.currentIndex() == 1)
    box = next(box for box in window.insight.view("loss").boxes.values() if box.isVisible())
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()
    assert window.session.look.mode == "live", "neither was a step or a start of the playback"


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("floating", [False, True])
def test_sliders_and_lists_keep_the_keys_they_need(qtbot, window, floating):
    dock = window.docks["algorithm"]
    dock.setFloating(floating)
    dock.activateWindow()
    slider = dock.widget().form.current.controls["C"].slider
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert window.session.history.undo_name == "change C"
    picker = dock.widget().picker
    picker.setFocus()
    qtbot.keyClick(picker, Qt.Key.Key_R)
    assert window.session.look.mode == "live", "no step of the playback, and no restart"
    assert window.session.look.step == 0


def test_control_y_redoes_as_well(qtbot, window):
    click(qtbot, window, 0.0, 0.0)
    window.actions_by_name["undo"].trigger()
    assert window.session.document.data.n == 120
    qtbot.keyClick(window, Qt.Key.Key_Y, CONTROL)
    assert window.session.document.data.n == 121


def test_going_to_a_panel_does_not_tie_the_window_to_a_control_that_goes(qtbot, window):
    """PySide counted what follows a control in the focus chain as its child: with the control went, for
    Python, menus and window."""
    for _ in range(3):
        window.keyboard.next_algorithm()
        window.keyboard.next_kernel()
    for name in ("weights", "comparison", "loss"):
        window.keyboard.go_to_view(name)
    window.update_theme()
    menus = window.menuBar().findChildren(QMenu)
    assert menus
    assert all(isValid(menu) for menu in menus)
    assert all(isValid(action) for action in window.menus.toggles.values())


def notice(window) -> str:
    found = window.findChild(Notice)
    return found.text() if found.isVisible() else ""


@pytest.mark.parametrize(
    ("key", "what", "panel"), [("K", "Kernel", "kernel"), ("G", "Algorithm", "algorithm")]
)
def test_the_keys_that_go_through_a_list_name_what_they_have_chosen(qtbot, window, key, what, panel):
    focus_canvas(window)
    assert notice(window) == ""
    qtbot.keyClick(window.canvas.area, key.lower())
    picker = window.docks[panel].widget().picker
    assert notice(window) == f"{what}: {picker.currentText()}"
    first = notice(window)
    qtbot.keyClick(window.canvas.area, key.lower())
    assert notice(window) not in ("", first)
    window.notice._gone.start(0)
    qtbot.waitUntil(lambda: notice(window) == "")


def test_keys_step_positive_parameters_through_one_two_five(window):
    window.session.change("change kernel", kernel=kernel("rbf(gamma=1.607)"))
    seen = []
    for _ in range(3):
        window.keyboard.kernel_up()
        seen.append(window.session.document.kernel.gamma)
    assert seen == [2.0, 5.0, 10.0]
    for _ in range(4):
        window.keyboard.kernel_down()
    assert window.session.document.kernel.gamma == 0.5
    window.session.change("change algorithm", algorithm=algorithm("soft-margin-svm(C=10)"))
    window.keyboard.algorithm_up()
    assert window.session.document.algorithm.C == 20.0


def test_a_number_is_shown_as_a_person_writes_it_and_whole_on_hover(qtbot, window):
    window.session.change("change kernel", kernel=kernel("rbf(gamma=1.6071234567)"))
    panel = window.docks["kernel"].widget()
    assert panel.line.line.text() == "rbf(gamma=1.607)"
    assert "rbf(gamma=1.6071234567)" in panel.line.line.toolTip()
    assert panel.form.main.field.text() == "1.607"
    assert "γ = 1.6071234567" in panel.form.main.field.toolTip()
    window.activateWindow()
    panel.line.line.setFocus()
    assert panel.line.line.text() == "rbf(gamma=1.6071234567)", "what is edited is the number itself"
    window.canvas.setFocus()
    assert window.session.document.kernel.gamma == 1.6071234567
    window.session.change("change kernel", kernel=kernel("rbf(gamma=2)"))
    assert "γ = " not in panel.form.main.field.toolTip()
