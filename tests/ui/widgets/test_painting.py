"""A window whose painting is stopped while it changes is always painted again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QDockWidget, QMainWindow, QWidget

from kernelviz.ui.widgets.painting import UnpaintedChange
from tests.ui.painted import Paints, wait_until_painted


@pytest.fixture
def window(qtbot) -> QMainWindow:
    made = QMainWindow()
    made.setCentralWidget(QWidget(made))
    dock = QDockWidget("Panel", made)
    dock.setWidget(QWidget(dock))
    made.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    made.resize(600, 400)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    wait_until_painted(qtbot, made.centralWidget())
    return made


@pytest.fixture
def change(window) -> UnpaintedChange:
    return UnpaintedChange(window)


def test_nothing_is_painted_until_the_last_step_is_done_and_then_everything(qtbot, window, change):
    paints, seen = Paints(window.centralWidget()), []
    change.begin([lambda: seen.append(paints.count)] * 3)
    qtbot.waitUntil(lambda: paints.count > 0)
    assert seen == [0, 0, 0]
    assert not change.busy


def test_a_request_to_paint_that_came_while_painting_was_off_is_answered_afterwards(qtbot, window, change):
    window.centralWidget().update()
    change.begin([lambda: None] * 5)
    qtbot.waitUntil(window.updatesEnabled)
    wait_until_painted(qtbot, window.centralWidget())


def test_a_window_resized_while_painting_is_off_is_painted_afterwards(qtbot, window, change):
    change.begin([lambda: window.resize(700, 500), lambda: None, lambda: None])
    qtbot.waitUntil(window.updatesEnabled)
    wait_until_painted(qtbot, window.centralWidget())


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_panel_that_becomes_a_window_while_painting_is_off_is_painted_afterwards(qtbot, window, change):
    panel = window.findChild(QDockWidget)
    change.begin([lambda: panel.setFloating(True)])
    qtbot.waitUntil(window.updatesEnabled)
    wait_until_painted(qtbot, panel.widget())
    panel.setFloating(False)
    wait_until_painted(qtbot, panel.widget())


def test_a_step_that_fails_stops_neither_the_others_nor_the_painting(qtbot, window, change):
    done = []
    with qtbot.captureExceptions() as raised:
        change.begin([lambda: 1 / 0, lambda: done.append("second"), lambda: 1 / 0])
        qtbot.waitUntil(window.updatesEnabled)
    assert [kind for kind, *_ in raised] == [ZeroDivisionError] * 2
    assert done == ["second"]
    wait_until_painted(qtbot, window.centralWidget())


def test_a_second_change_takes_the_place_of_what_is_left_of_the_first(qtbot, window, change):
    done = []
    change.begin([lambda: done.append("first")] * 9)
    change.begin([lambda: done.append("second"), change.pause])
    qtbot.waitUntil(window.updatesEnabled)
    assert done == ["second"]
    wait_until_painted(qtbot, window.centralWidget())


def test_a_change_goes_on_while_a_step_waits_for_a_dialogue(qtbot, window, change):
    dialog = QDialog(window)
    QTimer.singleShot(200, dialog, dialog.reject)
    done = []
    change.begin([dialog.exec, lambda: done.append(window.updatesEnabled()), lambda: None])
    qtbot.waitUntil(window.updatesEnabled)
    assert done == [False]
    wait_until_painted(qtbot, window.centralWidget())


def test_a_window_hidden_half_way_is_painted_when_it_is_shown_again(qtbot, window, change):
    change.begin([window.hide, lambda: None])
    qtbot.waitUntil(window.updatesEnabled)
    paints = Paints(window.centralWidget())
    window.show()
    qtbot.waitUntil(lambda: paints.count > 0)


def test_finishing_does_all_steps_at_once(qtbot, window, change):
    done = []
    change.begin([lambda: done.append(1), lambda: done.append(2)])
    change.finish()
    assert done == [1, 2]
    wait_until_painted(qtbot, window.centralWidget())
