"""The plane with the keyboard alone."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from kernelviz.ui.canvas.tools import TOOLS

Key = Qt.Key
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.mark.parametrize(
    ("number", "tool"), list(enumerate(TOOLS, start=1)), ids=lambda v: getattr(v, "name", "")
)
def test_letters_and_numbers_switch_tools(h, number, tool):
    other = TOOLS[0] if tool is not TOOLS[0] else TOOLS[1]
    for key in (tool.shortcut, str(number)):
        h.canvas.use(other.name)
        h.key(Key(ord(key)))
        assert h.canvas.tool.name == tool.name


def test_delete_flip_and_duplicate_act_on_the_selection_with_their_names(h):
    h.canvas.editor.select([0, 3])
    h.key(Key.Key_F)
    assert h.data.z[[0, 3]].tolist() == [-1, -1]
    assert h.undo_name == "flip class"
    h.key(Key.Key_D, CONTROL)
    assert h.data.n == 10
    assert h.selection == (8, 9)
    assert h.undo_name == "duplicate"
    assert not (h.points[[8, 9]] == h.points[[0, 3]]).any()
    h.key(Key.Key_Delete)
    assert h.data.n == 8
    assert h.selection == ()
    assert h.undo_name == "delete 2 points"
    for _ in range(3):
        h.session.undo()
    assert h.data.z[[0, 3]].tolist() == [1, 1]


def test_control_a_selects_everything_and_escape_nothing(h):
    h.key(Key.Key_A, CONTROL)
    assert h.selection == tuple(range(8))
    h.key(Key.Key_Escape)
    assert h.selection == ()


def test_tab_walks_through_the_points_and_out_at_the_end(h):
    for expected in range(8):
        h.key(Key.Key_Tab)
        assert h.selection == (expected,)
    h.key(Key.Key_Tab)
    assert h.selection == ()
    h.key(Key.Key_Backtab, SHIFT)
    assert h.selection == (7,)


@pytest.mark.parametrize(
    ("key", "way"),
    [(Key.Key_Left, (-1, 0)), (Key.Key_Right, (1, 0)), (Key.Key_Up, (0, 1)), (Key.Key_Down, (0, -1))],
)
def test_arrows_nudge_the_selection_and_shift_takes_larger_steps(h, key, way):
    h.canvas.editor.select([1])
    before = h.points[1]
    h.key(key)
    small = h.points[1] - before
    np.testing.assert_allclose(small, h.canvas.area.units(2.0) * way)
    h.key(key, SHIFT)
    np.testing.assert_allclose(h.points[1] - before - small, 10 * small, atol=1e-12)
    assert h.undo_name == "move point"


def test_an_arrow_held_down_is_one_step(h):
    h.canvas.editor.select([1])
    from PySide6.QtTest import QTest

    for _ in range(5):
        QTest.keyPress(h.canvas.area, Key.Key_Right)
    QTest.keyRelease(h.canvas.area, Key.Key_Right)
    assert h.steps == 1
    h.key(Key.Key_Right)
    assert h.steps == 2


def test_insert_adds_points_in_the_middle_ready_to_be_nudged(h):
    h.key(Key.Key_Insert)
    h.key(Key.Key_Insert, SHIFT)
    assert h.data.z[8:].tolist() == [1, -1]
    assert h.selection == (9,)
    h.key(Key.Key_Up, SHIFT)
    assert h.points[9][1] > h.points[8][1]


def test_plus_and_minus_zoom(h):
    before = h.canvas.area.view
    h.key(Key.Key_Plus)
    closer = h.canvas.area.view
    assert closer.right - closer.left < before.right - before.left
    h.key(Key.Key_Minus)
    after = h.canvas.area.view
    assert after.left == pytest.approx(before.left)


def test_a_windows_shortcut_on_the_arrows_waits_while_points_are_selected(h, qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(h.canvas)
    stepped = []
    action = QAction("step", window)
    action.setShortcut(QKeySequence("Right"))
    action.triggered.connect(lambda: stepped.append(True))
    window.addAction(action)
    window.show()
    window.activateWindow()
    h.canvas.area.setFocus()
    qtbot.waitUntil(h.canvas.area.hasFocus)
    h.key(Key.Key_Right)
    assert stepped == [True]
    h.canvas.editor.select([1])
    before = h.points[1][0]
    h.key(Key.Key_Right)
    assert stepped == [True]
    assert h.points[1][0] > before
    window.takeCentralWidget()


def test_a_canvas_reached_by_the_keyboard_shows_it(h):
    h.canvas.activateWindow()
    h.qtbot.waitUntil(h.canvas.isActiveWindow)
    h.canvas.area.clearFocus()
    before = h.picture()
    h.canvas.area.setFocus(Qt.FocusReason.TabFocusReason)
    assert (h.picture() != before).any()
    h.canvas.area.clearFocus()
    assert (h.picture() == before).all()


@pytest.mark.parametrize("key", [Key.Key_Tab, Key.Key_Backtab])
def test_control_and_tab_leave_the_canvas(h, monkeypatch, key):
    left = []
    monkeypatch.setattr(h.canvas.area, "focusNextPrevChild", lambda forward: left.append(forward) or True)
    h.key(key, CONTROL | SHIFT if key == Key.Key_Backtab else CONTROL)
    assert left == [key == Key.Key_Tab]
    assert h.selection == ()
