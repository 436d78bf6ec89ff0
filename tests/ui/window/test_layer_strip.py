"""The layers that can be added to the canvas, as buttons beside it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect

from kernelviz.ui.window.main_window import MainWindow
from tests.ui.window.acting import LEFT, come_to_rest, enter, present, settle


def offered(window: MainWindow) -> dict[str, object]:
    """The buttons that are seen, by the text on them."""
    return {b.text().replace("\n", " "): b for b in window.layers.buttons.values() if b.isVisible()}


@pytest.fixture
def opened(qtbot, window) -> MainWindow:
    window.actions_by_name["show_layers"].trigger()
    come_to_rest(window)
    return window


def test_a_button_shows_a_layer_and_hides_it(qtbot, opened):
    button = offered(opened)["Slack lines"]
    for shown in (True, False):
        qtbot.mouseClick(button, LEFT)
        assert ("slack" in opened.session.look.shown) is shown
        assert button.isChecked() is shown
    assert opened.canvas.area.hasFocus() or not opened.isActiveWindow()


def test_a_layer_switched_elsewhere_is_pressed_here(opened):
    opened.menus.toggles["bayes"].trigger()
    assert offered(opened)["Bayes boundary"].isChecked()


def test_each_workspace_offers_its_own_layers(qtbot, opened):
    assert "Residuals" not in offered(opened)
    enter(qtbot, opened, "curve")
    assert {"True function", "Residuals", "Held-out points", "Terms of a sum kernel"} <= set(offered(opened))
    assert "Slack lines" not in offered(opened)


def test_what_is_shown_from_the_start_is_not_in_the_way(opened):
    assert not {"Points", "Field", "Legend"} & set(offered(opened))


def test_the_strip_is_hidden_until_it_is_wanted_and_that_is_remembered(window, start_again):
    assert not offered(window)
    window.actions_by_name["show_layers"].trigger()
    assert offered(window)
    assert offered(start_again())


def test_the_strip_is_beside_the_canvas_on_the_stage_too(qtbot, opened):
    present(opened)
    settle(qtbot, opened)
    assert offered(opened)
    left, right = opened.stage.geometry(), opened.layers.geometry()
    assert not left.intersects(right)
    for button in opened.layers.buttons.values():
        seen = QRect(button.mapTo(opened.layers, QPoint()), button.size())
        assert seen.left() >= 0
        assert seen.right() < right.width()
        assert button.width() >= button.sizeHint().width()
