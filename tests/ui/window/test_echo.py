"""Keys and controls with what they did, in a corner of the canvas."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit
from shiboken6 import delete

from kernelviz.ui.widgets.number_control import NumberControl
from kernelviz.ui.window.main_window import MainWindow
from tests.ui.window.acting import ALT, CONTROL, click, focus_canvas, press, settle

# As real keys come: QTest sends the question for shortcuts itself.


def told(window: MainWindow) -> str:
    label = window.canvas.findChild(QLabel, "echo")
    return label.text() if label is not None and label.isVisible() else ""


@pytest.fixture
def shown(qtbot, window) -> MainWindow:
    """A window that tells keys and changes, with the keyboard on its canvas."""
    window.actions_by_name["show_keys"].trigger()
    focus_canvas(window)
    qtbot.waitUntil(window.canvas.area.hasFocus)
    return window


def test_a_key_is_told_with_its_effect(qtbot, shown):
    press(qtbot, Qt.Key.Key_K)
    assert told(shown) == "K   Gaussian (RBF) → Anisotropic Gaussian"
    press(qtbot, Qt.Key.Key_Z, CONTROL)
    assert told(shown) == "Ctrl+Z   Anisotropic Gaussian → Gaussian (RBF)"


def test_repeated_keys_are_told_from_where_they_began(qtbot, shown):
    for _ in range(3):
        press(qtbot, Qt.Key.Key_Up, CONTROL)
    gamma = shown.session.document.kernel.gamma
    assert told(shown).startswith("Ctrl+Up   γ 1 → ")
    assert float(told(shown).split()[-1]) == pytest.approx(gamma, rel=0.01)


def test_a_control_is_told_by_what_it_has_changed(qtbot, shown):
    control = shown.docks["algorithm"].widget().findChild(NumberControl)
    control.field.setFocus()
    control.field.selectAll()
    qtbot.keyClicks(control.field.lineEdit(), "3")
    qtbot.keyClick(control.field.lineEdit(), Qt.Key.Key_Return)
    assert told(shown).endswith("C 10 → 3")


def test_a_point_and_a_layer_are_told(qtbot, shown):
    click(qtbot, shown, 0.0, 1.2)
    assert told(shown) == "120 → 121 points"
    shown.session.toggle("slack")
    assert told(shown) == "Slack lines on"


def test_a_command_without_an_effect_on_the_session_is_told_by_its_name(qtbot, shown):
    press(qtbot, Qt.Key.Key_V)
    assert told(shown) == "V   Freeze, then reveal"
    press(qtbot, Qt.Key.Key_V)
    settle(qtbot, shown)


def test_a_key_that_does_nothing_is_not_told(qtbot, shown):
    press(qtbot, Qt.Key.Key_Y, ALT)
    assert not told(shown)


def test_it_is_gone_after_a_while(qtbot, shown):
    press(qtbot, Qt.Key.Key_K)
    assert told(shown)
    qtbot.waitUntil(lambda: not told(shown), timeout=4000)


def test_it_is_silent_unless_it_was_switched_on_and_that_is_remembered(qtbot, window, start_again):
    focus_canvas(window)
    press(qtbot, Qt.Key.Key_K)
    assert not told(window)
    window.actions_by_name["show_keys"].trigger()
    assert start_again().actions_by_name["show_keys"].isChecked()


def test_a_palette_that_is_deleted_with_the_keyboard_in_it_breaks_nothing(qtbot, shown):
    line = QLineEdit()
    line.show()
    line.activateWindow()
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    delete(line)
    focus_canvas(shown)
    qtbot.waitUntil(shown.canvas.area.hasFocus)
    press(qtbot, Qt.Key.Key_K)
    assert told(shown).startswith("K   ")
