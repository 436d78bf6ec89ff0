"""More than two classes: choosing the one that points are added of, by mouse and by keys."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolBar

from kernelviz.engine.core.data import Data, Task
from kernelviz.session.themes import DARK, LIGHT
from kernelviz.ui.canvas.toolbar import ClassChooser, swatch
from kernelviz.ui.window.keyboard import sheet
from tests.ui.canvas.hand import LEFT, RIGHT, pixels_of, two_clouds

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
FREE = (0.2, 0.9)


def clouds(names) -> Data:
    """Two points of each class around a circle."""
    angle = np.repeat(2 * np.pi * np.arange(len(names)) / len(names), 2) + np.tile([0.0, 0.2], len(names))
    return Data.labelled(2 * np.column_stack([np.cos(angle), np.sin(angle)]), np.repeat(names, 2))


@pytest.fixture
def three(hand, qtbot):
    """A hand on a canvas of three classes, with its toolbar."""
    return with_toolbar(hand, qtbot, clouds(["ape", "bee", "cat"]))


def with_toolbar(hand, qtbot, data):
    h = hand(data)
    bar = QToolBar()
    qtbot.addWidget(bar)
    h.canvas.fill_toolbar(bar)
    bar.resize(1400, 50)
    bar.show()
    h.bar = bar
    h.chooser = bar.findChild(ClassChooser)
    return h


def last_class(h) -> str:
    return h.data.class_names[int(h.data.y[-1])]


def press_swatch(h, k: int) -> None:
    h.qtbot.mouseClick(list(h.chooser.segments.buttons.values())[k], LEFT)


@pytest.mark.parametrize("k", range(3))
@pytest.mark.parametrize(("button", "held", "further"), [(LEFT, None, 0), (RIGHT, None, 1), (LEFT, SHIFT, 1)])
def test_a_click_adds_the_class_of_the_pressed_swatch_and_the_right_button_the_next(
    three, k, button, held, further
):
    press_swatch(three, k)
    three.click(FREE, button, held or Qt.KeyboardModifier.NoModifier)
    assert last_class(three) == ("ape", "bee", "cat")[(k + further) % 3]
    assert three.undo_name == "add point"


def test_the_brush_paints_the_chosen_class(three):
    three.canvas.use("brush")
    press_swatch(three, 1)
    before = three.data.n
    three.drag(FREE, (0.3, 0.3))
    assert set(three.data.y[before:].tolist()) == {1.0}


def test_control_and_a_number_choose_and_the_swatch_follows(three):
    three.key(Qt.Key.Key_3, CONTROL)
    assert three.chooser.segments.buttons["2"].isChecked()
    three.key(Qt.Key.Key_Insert)
    assert last_class(three) == "cat"
    three.key(Qt.Key.Key_7, CONTROL)  # there are three
    three.key(Qt.Key.Key_Insert)
    assert last_class(three) == "cat"


def test_c_goes_through_the_classes_and_starts_again(three):
    added = []
    for _ in range(4):
        three.key(Qt.Key.Key_Insert)
        added.append(last_class(three))
        three.key(Qt.Key.Key_C)
    assert added == ["ape", "bee", "cat", "ape"]


def test_the_swatches_are_operated_by_keys_alone(three):
    first, second, _ = three.chooser.segments.buttons.values()
    assert first.focusPolicy() & Qt.FocusPolicy.TabFocus
    three.bar.activateWindow()
    first.setFocus()
    three.qtbot.keyClick(first, Qt.Key.Key_Right)
    assert second.isChecked()
    three.click(FREE)
    assert last_class(three) == "bee"


def test_the_choice_is_offered_by_tools_that_add_and_only_with_several_classes(three):
    for name, tool in three.canvas.tools.items():
        three.canvas.use(name)
        three.qtbot.waitUntil(lambda tool=tool: three.chooser.isVisible() == tool.adds)
    three.canvas.use("add")
    three.session.change("two", data=two_clouds(), source="")
    three.qtbot.waitUntil(lambda: not three.chooser.isVisible())
    three.session.undo()
    three.qtbot.waitUntil(three.chooser.isVisible)


def test_two_classes_keep_their_mouse_buttons_whatever_was_chosen_before(three):
    press_swatch(three, 2)
    three.session.change("two", data=two_clouds(), source="")
    three.settle()
    three.key(Qt.Key.Key_C)
    three.click((0.3, 0.7))
    three.click((0.3, -0.7), RIGHT)
    assert three.data.task is Task.TWO_CLASSES
    assert three.data.z[-2:].tolist() == [1.0, -1.0]


def test_the_chosen_class_stays_chosen_while_there_is_one_of_its_name(three):
    press_swatch(three, 2)
    three.session.change("others", data=clouds(["bee", "cat", "dog", "elk"]), source="")
    assert three.chooser.segments.buttons["1"].isChecked()
    three.click(FREE)
    assert last_class(three) == "cat"


def test_many_classes_are_offered_as_a_list(hand, qtbot):
    names = [f"class {k:02}" for k in range(12)]
    h = with_toolbar(hand, qtbot, clouds(names))
    combo = h.chooser.combo
    assert [combo.itemText(k) for k in range(combo.count())] == names
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    h.click(FREE)
    assert last_class(h) == "class 01"


def test_names_stand_beside_the_swatches_unless_the_tool_needs_the_room(three):
    shown = [b.text() for b in three.chooser.segments.buttons.values()]
    assert shown == ["ape", "bee", "cat"]
    three.canvas.use("brush")
    assert not any(b.text() for b in three.chooser.segments.buttons.values())
    assert all("class" in b.toolTip() for b in three.chooser.segments.buttons.values())


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_a_swatch_has_the_colour_of_its_class(qapp, monkeypatch, theme):
    monkeypatch.setattr("kernelviz.ui.canvas.toolbar.current_theme", lambda: theme)
    for k in range(3):
        pixels = pixels_of(swatch(k, 3).pixmap(18, 18).toImage())
        wanted = tuple(bytes.fromhex(theme.of_class(k, 3)[1:]))
        assert np.abs(pixels - wanted).sum(axis=2).min() <= 6


def test_the_sheet_tells_how_to_choose():
    for words in ("Ctrl+1", "several classes", "<b>C</b>"):
        assert words in sheet()
