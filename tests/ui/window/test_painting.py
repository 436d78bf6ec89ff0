"""Whatever the user does while the window changes its type and panels, it is painted afterwards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu

from kernelviz.resource import resource_path
from tests.ui.painted import wait_until_painted
from tests.ui.window.acting import ALT, LEFT, come_to_rest, focus_canvas, press, settle


def choose(window, title: str, text: str) -> None:
    """Choose an entry of a submenu of View."""
    menu = next(m for m in window.menuBar().findChildren(QMenu) if m.title().replace("&", "") == title)
    next(action for action in menu.actions() if action.text() == text).trigger()


def wait_until_all_is_painted(qtbot, window) -> None:
    come_to_rest(window)
    for part in (window.stage.childAt(window.stage.rect().center()), window.statusBar()):
        wait_until_painted(qtbot, part)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_f11_straight_after_a_change_of_the_fit(qtbot, window, times):
    focus_canvas(window)
    for key in (Qt.Key.Key_K, Qt.Key.Key_K, Qt.Key.Key_G, *(Qt.Key.Key_F11,) * times):
        press(qtbot, key)
    wait_until_all_is_painted(qtbot, window)
    assert window.presentation.on is (times % 2 == 1)


@pytest.mark.parametrize("key", [Qt.Key.Key_K, Qt.Key.Key_G])
def test_another_theme_straight_after_a_change_of_the_fit(qtbot, window, key):
    focus_canvas(window)
    for theme in ("Dark", "Light"):
        press(qtbot, key)
        choose(window, "Theme", theme)
        wait_until_all_is_painted(qtbot, window)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_floating_panel_restored_at_the_end_of_a_presentation(qtbot, window):
    panel = window.docks["kernel"]
    panel.setFloating(True)
    press(qtbot, Qt.Key.Key_F11)
    come_to_rest(window)
    press(qtbot, Qt.Key.Key_Escape)
    come_to_rest(window)
    assert panel.isFloating()
    wait_until_painted(qtbot, panel.widget())


def in_random_order(qtbot, window) -> list[Callable[[], object]]:
    """Return what the user does in the storm below."""
    keys = (Qt.Key.Key_K, Qt.Key.Key_G, Qt.Key.Key_Space, Qt.Key.Key_Escape)
    lessons = sorted(resource_path("lessons").glob("*.md"))[:2]
    return [
        *[partial(press, qtbot, Qt.Key.Key_F11)] * 6,
        *(partial(press, qtbot, key) for key in keys * 2),
        *(partial(press, qtbot, key, ALT) for key in (Qt.Key.Key_2, Qt.Key.Key_7)),
        *(partial(choose, window, "Theme", text) for text in ("Dark", "Light", "High contrast")),
        *(partial(choose, window, "Type size", text) for text in ("100 %", "130 %", "200 %")),
        *(partial(qtbot.mouseClick, b, LEFT) for b in window.canvases.switch.buttons.values()),
        *(partial(window.lessons.part.open_path, path) for path in lessons),
        window.lessons.end_lesson,
        *[QApplication.processEvents] * 10,
    ]


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("seed", [0, 1])
def test_a_storm_of_keys_themes_type_workspaces_and_lessons(qtbot, window, seed):
    focus_canvas(window)
    rng, acts = Random(seed), in_random_order(qtbot, window)
    for _ in range(4):
        for act in rng.choices(acts, k=12):
            if QApplication.focusWidget() is None:
                focus_canvas(window)
            act()
        wait_until_all_is_painted(qtbot, window)
    window.lessons.end_lesson()
    choose(window, "Theme", "Light")
    settle(qtbot, window)
