"""The mouse leaves the keyboard to the canvas: Space and the arrow keys step whatever has been pressed.

A slider keeps it, and the arrow keys go on where the mouse has left off."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QSlider,
    QStyle,
    QStyleOptionSpinBox,
    QTableView,
    QTreeWidget,
    QWidget,
)

from kernelviz.engine.fits.parsing import algorithm, kernel
from tests.ui.window.acting import ALT, CONTROL, LEFT, SHIFT, panel, press, resize, settle

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
Key = Qt.Key


@pytest.fixture(autouse=True)
def active(window):
    window.activateWindow()
    QApplication.processEvents()


def pick(qtbot, combo: QComboBox, name: str) -> None:
    """Open a list and click on one of its rows."""
    qtbot.mouseClick(combo, LEFT)
    rows = combo.view()
    row = rows.model().index(combo.findData(name), 0)
    rows.scrollTo(row)
    place = rows.visualRect(row).center()
    with qtbot.waitSignal(combo.activated):
        for near in (
            QPoint(0, 0),
            place,
        ):  # until the mouse moves, Qt takes a release for that of the opening
            qtbot.mouseMove(rows.viewport(), near)
        qtbot.mouseClick(rows.viewport(), LEFT, pos=place)


def steps(qtbot, window) -> bool:
    """Whether Right steps and Space plays, pressed wherever the focus is."""
    before = window.session.look.step
    press(qtbot, Key.Key_Right)
    settle(qtbot, window)
    stepped = window.session.look.step == before + 1
    press(qtbot, Key.Key_Space)
    plays = window.playback.playing
    window.playback.pause()
    settle(qtbot, window)
    return stepped and plays


@pytest.fixture
def watched(qtbot, window):
    window.session.change("choose algorithm", algorithm=algorithm("perceptron"))
    window.playback.restart()
    settle(qtbot, window)
    return window


def test_the_canvas_has_the_keyboard_from_the_start(window):
    assert QApplication.focusWidget() is window.canvas.area


def test_pick_a_perceptron_click_watch_press_right_steps(qtbot, window):
    pick(qtbot, panel(window, "algorithm").picker, "perceptron")
    qtbot.mouseClick(window.playback.mode.buttons["watch"], LEFT)
    settle(qtbot, window)
    assert window.session.look.mode == "watch"
    assert steps(qtbot, window)


def test_choosing_from_a_list_gives_the_keyboard_back(qtbot, watched):
    for name in ("data", "kernel", "algorithm"):
        picker = panel(watched, name).picker
        picker.setFocus(Qt.FocusReason.TabFocusReason)
        pick(qtbot, picker, picker.itemData(picker.currentIndex()))
        assert steps(qtbot, watched), name


def test_choosing_by_the_keyboard_gives_it_back_too(qtbot, watched):
    picker = panel(watched, "kernel").picker
    picker.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, Key.Key_Space)
    assert picker.view().isVisible()
    qtbot.keyClick(picker.view(), Key.Key_Down)
    qtbot.keyClick(picker.view(), Key.Key_Return)
    watched.activateWindow()  # as the window system does when the list closes
    settle(qtbot, watched)
    assert steps(qtbot, watched)


def test_a_closed_list_that_tab_has_led_to_is_gone_through_by_arrows(qtbot, window):
    picker = panel(window, "kernel").picker
    picker.setFocus(Qt.FocusReason.TabFocusReason)
    before = window.session.document.kernel
    press(qtbot, Key.Key_Up)
    first = window.session.document.kernel
    press(qtbot, Key.Key_Down)
    assert first is not before
    assert window.session.document.kernel is before
    assert picker.hasFocus()


@pytest.mark.parametrize("by_key", [False, True])
def test_a_playback_button_gives_the_keyboard_back(qtbot, watched, by_key):
    for button in ("step_forward", "step_back", "play_pause", "restart", "run_to_end"):
        pressed = watched.playback.buttons[button]
        watched.playback.pause()
        watched.session.adjust(step=2)
        settle(qtbot, watched)
        if by_key:
            pressed.setFocus(Qt.FocusReason.TabFocusReason)
            press(qtbot, Key.Key_Space)
        else:
            panel(watched, "kernel").line.line.setFocus()
            qtbot.mouseClick(pressed, LEFT)
        assert watched.canvas.area.hasFocus(), button


def pressable(panel: QWidget) -> list[QWidget]:
    """Whatever the mouse presses or picks and that opens nothing."""
    kinds = (QAbstractButton, QTreeWidget)
    return [
        widget
        for widget in panel.findChildren(QWidget)
        if isinstance(widget, kinds)
        and widget.isVisible()
        and widget.isEnabled()
        and not (isinstance(widget, QAbstractButton) and getattr(widget, "menu", lambda: None)())
    ]


@pytest.mark.parametrize("name", ["kernel", "algorithm", "loss"])
def test_whatever_the_mouse_presses_in_a_panel_leaves_the_keyboard_to_the_canvas(qtbot, window, name):
    window.session.change("choose kernel", kernel=kernel("rbf(gamma=1) + linear"))
    typing = panel(window, "kernel").line.line
    found = pressable(panel(window, name))
    assert found
    for widget in found:
        if not widget.isVisible():  # another has folded it away
            continue
        typing.setFocus()
        at = QPoint(6, widget.height() // 2) if isinstance(widget, QCheckBox) else widget.rect().center()
        pressed = widget.viewport() if isinstance(widget, QTreeWidget) else widget
        qtbot.mouseClick(pressed, LEFT, pos=at)
        assert window.canvas.area.hasFocus(), widget


@pytest.mark.parametrize("size", [(1366, 768), (1024, 768)])  # in the panel, and in the line of a closed one
def test_after_a_click_on_a_slider_the_arrows_move_it_until_escape(qtbot, watched, size):
    resize(watched, *size)
    slider = next(w for w in watched.docks["data"].findChildren(QSlider) if w.isVisible())
    step, points = watched.session.look.step, watched.session.document.data.n
    qtbot.mouseClick(slider, LEFT, pos=slider.rect().center())
    clicked = watched.session.document.data.n
    assert clicked != points
    press(qtbot, Key.Key_Right)
    press(qtbot, Key.Key_Right)
    assert watched.session.document.data.n > clicked
    assert watched.session.look.step == step
    press(qtbot, Key.Key_Escape)
    settle(qtbot, watched)
    assert steps(qtbot, watched)


def test_a_slider_that_goes_away_leaves_the_keyboard_to_the_canvas(qtbot, window):
    slider = panel(window, "kernel").form.current.controls["gamma"].slider
    qtbot.mouseClick(slider, LEFT, pos=slider.rect().center())
    assert slider.hasFocus()
    press(qtbot, Key.Key_K)
    assert not slider.isVisible()
    assert window.canvas.area.hasFocus()


def test_choosing_from_a_menu_gives_the_keyboard_back(qtbot, window):
    kernels = panel(window, "kernel")
    kernels.line.line.setFocus()
    menu = kernels.add.menu()
    menu.popup(kernels.add.mapToGlobal(QPoint(0, 0)))
    qtbot.keyClick(menu, Key.Key_Down)
    qtbot.keyClick(menu, Key.Key_Return)
    assert len(window.session.document.kernel.parts) == 2
    assert window.canvas.area.hasFocus()


def test_nothing_but_sliders_and_fields_to_type_in_takes_the_keyboard_by_a_click(window):
    window.session.change("choose kernel", kernel=kernel("ard(l1=2) + rbf(gamma=2)"))
    typing = (QLineEdit, QAbstractSpinBox, QTableView, QLabel, QSlider)
    takers = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.ClickFocus and widget.window() is window
    ]
    area = window.canvas.area
    assert [w for w in takers if not isinstance(w, typing) and w not in (area, area.viewport())] == []


def test_numbers_that_can_be_selected_and_copied_leave_space_and_arrows_alone(qtbot, watched):
    label = panel(watched, "inspector").values["score"]
    qtbot.mouseClick(label, LEFT)
    assert label.hasFocus()
    assert steps(qtbot, watched)


def test_the_arrows_of_a_number_leave_the_keyboard_to_the_canvas_and_its_text_takes_it(qtbot, window):
    field = panel(window, "algorithm").form.current.controls["C"].field
    qtbot.mouseClick(field.lineEdit(), LEFT)
    assert field.hasFocus()
    option = QStyleOptionSpinBox()
    field.initStyleOption(option)
    up = field.style().subControlRect(
        QStyle.ComplexControl.CC_SpinBox, option, QStyle.SubControl.SC_SpinBoxUp, field
    )
    before = window.session.document.algorithm.C
    qtbot.mouseClick(field, LEFT, pos=up.center())
    assert before < window.session.document.algorithm.C
    assert window.canvas.area.hasFocus()


@pytest.mark.parametrize("floating", [False, True])
def test_escape_gives_the_keyboard_back_from_anywhere(qtbot, watched, floating):
    dock = watched.docks["kernel"]
    dock.setFloating(floating)
    kernels = dock.widget()
    controls = kernels.form.current.controls["gamma"]
    for widget in (kernels.picker, controls.slider, controls.field, kernels.line.line, kernels.add):
        dock.activateWindow()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(widget.hasFocus)
        press(qtbot, Key.Key_Escape)
        qtbot.waitUntil(watched.canvas.area.hasFocus)
        assert steps(qtbot, watched)


def test_escape_takes_back_what_was_typed_and_gives_the_keyboard_back(qtbot, window):
    field = panel(window, "algorithm").form.current.controls["C"].field
    before = window.session.document.algorithm
    qtbot.mouseClick(field.lineEdit(), LEFT)
    qtbot.keyClicks(field, "123")
    press(qtbot, Key.Key_Escape)
    assert window.canvas.area.hasFocus()
    assert window.session.document.algorithm is before
    assert field.text() == "10"


def test_escape_first_gives_the_keyboard_back_and_only_then_leaves_the_presentation(qtbot, window):
    window.actions_by_name["presentation"].trigger()
    dock = window.docks["kernel"]
    dock.toggleViewAction().trigger()
    qtbot.waitUntil(dock.isVisible)
    dock.widget().picker.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, Key.Key_Escape)
    assert window.presentation.on
    press(qtbot, Key.Key_Escape)
    assert not window.presentation.on


def point_at(qtbot, window, i: int) -> None:
    area = window.canvas.area
    place = area.mapFromScene(area.box.mapViewToScene(QPointF(*window.session.document.data.X[i])))
    for near in (place + QPoint(30, 0), place):  # it may be there already, which moves nothing
        qtbot.mouseMove(area.viewport(), near)
    qtbot.waitUntil(lambda: window.workbench.hovered_point == i)


@pytest.mark.parametrize("shown", [True, False])
def test_enter_over_a_point_leads_to_its_coordinates_and_escape_back(qtbot, window, shown):
    window.insight.restore(["loss", "inspector"] if shown else ["gram"])
    window.docks["insight"].setVisible(shown)
    point_at(qtbot, window, 7)
    press(qtbot, Key.Key_Return)
    assert window.session.look.selection == (7,)
    inspector = window.insight.view("inspector")
    assert inspector.fields[0].hasFocus()
    qtbot.keyClicks(inspector.fields[0], "0.125")
    press(qtbot, Key.Key_Return)
    assert window.session.document.data.X[7, 0] == 0.125
    press(qtbot, Key.Key_Escape)
    assert window.canvas.area.hasFocus()


def test_k_and_g_go_through_the_kernels_and_the_algorithms_and_back(qtbot, window):
    for key, what in ((Key.Key_K, "kernel"), (Key.Key_G, "algorithm")):
        names = panel(window, what).picker.names()
        begin = getattr(window.session.document, what).name
        seen = [begin]
        for _ in names:
            press(qtbot, key)
            seen.append(getattr(window.session.document, what).name)
        assert set(seen) == set(names)
        assert seen[-1] == begin
        press(qtbot, key, SHIFT)
        assert getattr(window.session.document, what).name == seen[-2]


def test_the_main_parameters_follow_keys_and_are_one_step_of_undo(qtbot, window):
    session = window.session
    begin = session.document
    for modifiers, value in (
        (CONTROL, lambda: session.document.kernel.gamma),
        (CONTROL | SHIFT, lambda: session.document.algorithm.C),
    ):
        before = value()
        press(qtbot, Key.Key_Up, modifiers)
        press(qtbot, Key.Key_Up, modifiers)
        assert value() > 1.5 * before
        for _ in range(4):
            press(qtbot, Key.Key_Down, modifiers)
        assert value() < before / 1.5
        window.actions_by_name["undo"].trigger()
        assert value() == before
    assert session.document is begin


def test_keys_for_parameters_also_work_while_points_are_selected(qtbot, window):
    window.session.adjust(selection=(0, 1))
    before = window.session.document
    press(qtbot, Key.Key_Up, CONTROL)
    assert window.session.document.kernel is not before.kernel
    assert window.session.document.data is before.data


def test_what_has_no_parameter_has_none_to_change(qtbot, window):
    window.session.change("choose kernel", kernel=kernel("linear"))
    before = window.session.document
    press(qtbot, Key.Key_Up, CONTROL)
    assert window.session.document is before


def test_a_key_shows_and_focuses_each_panel_and_from_within_hides_it(qtbot, window):
    for number, name in enumerate(("data", "kernel", "algorithm"), 1):
        dock = window.docks[name]
        dock.hide()
        window.take_keyboard()
        keys = (Key(Key.Key_0 + number), ALT)
        press(qtbot, *keys)
        assert not dock.isHidden(), name
        assert dock.isAncestorOf(QApplication.focusWidget()), name
        press(qtbot, Key.Key_Escape)
        assert window.canvas.area.hasFocus()
        press(qtbot, *keys)
        assert dock.isAncestorOf(QApplication.focusWidget()), name
        press(qtbot, *keys)
        assert dock.isHidden(), name
        assert window.canvas.area.hasFocus()


def test_a_panel_behind_another_comes_to_the_front(qtbot, window):
    window.tabifyDockWidget(window.docks["kernel"], window.docks["data"])
    window.docks["data"].raise_()
    press(qtbot, Key.Key_2, ALT)
    qtbot.waitUntil(panel(window, "kernel").isVisible)
    assert not panel(window, "data").isVisible()
