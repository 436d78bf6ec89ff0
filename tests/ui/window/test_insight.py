"""The insight area in the window: keys, menu, Escape, and what is remembered."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.window.docks import keys

ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(autouse=True)
def active(window):
    window.activateWindow()
    window.canvas.area.setFocus()


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def key_of(name: str):
    """The key and its modifiers."""
    *modifiers, digit = keys()[VIEWS[name].title].split("+")
    return Qt.Key(ord(digit)), ALT | SHIFT if "Shift" in modifiers else ALT


def test_every_panel_and_view_has_a_key_of_its_own():
    assert len(set(keys().values())) == 3 + len(VIEWS)


@pytest.mark.parametrize("name", VIEWS)
def test_the_key_of_a_view_shows_it_and_goes_there_and_from_there_puts_it_away(qtbot, window, name):
    window.docks["insight"].close()
    press(qtbot, *key_of(name))
    view = window.insight.view(name)
    assert view.isVisible()
    assert window.insight.slot_of(name).isAncestorOf(QApplication.focusWidget())
    press(qtbot, *key_of(name))
    assert not view.isVisible()
    assert window.canvas.area.hasFocus()


def test_the_menu_offers_every_view_and_goes_there(window):
    menu = next(a.menu() for a in window.menuBar().actions() if a.text() == "&View")
    views = next(a.menu() for a in menu.actions() if a.text() == "&Insight")
    entries = {action.text(): action for action in views.actions() if action.text()}
    assert set(entries) == {view.title for view in VIEWS.values()}
    entries["Gram matrix"].trigger()
    assert window.insight.view("gram").isVisible()
    assert window.insight.slot_of("gram").isAncestorOf(QApplication.focusWidget())


def test_an_enlarged_view_is_followed_by_the_canvas_beside_it_and_escape_puts_both_back(qtbot, window):
    large = window.canvas.width()
    qtbot.mouseClick(window.insight.slots[0].enlarge, Qt.MouseButton.LeftButton)
    assert window.insight.view("loss").width() > 0.9 * large
    assert window.canvas.isVisible()
    assert window.canvas.area.hasFocus()
    press(qtbot, Qt.Key.Key_Escape)
    assert window.insight.enlarged is None
    assert window.canvas.width() == large
    assert window.canvas.area.hasFocus()


def test_a_point_can_be_added_on_the_small_canvas(qtbot, window):
    window.insight.enlarge(window.insight.slots[1])
    QApplication.processEvents()
    n = window.session.document.data.n
    area = window.canvas.area
    left_of_all = QPointF(area.view.left + 0.2, 0.0)
    place = area.mapFromScene(area.box.mapViewToScene(left_of_all))
    qtbot.mouseClick(area.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.session.document.data.n == n + 1


def test_the_views_shown_are_remembered(window, start_again):
    window.insight.restore(["weights"])
    window.close()
    again = start_again()
    again.docks["insight"].show()  # on the screen of the tests it is a closed drawer
    assert again.insight.shown == ["weights"]
    assert set(again.insight.views) == {"weights"}
    again.close()
    again.reset_layout()
    assert again.insight.shown == ["loss", "inspector"]


def test_the_key_of_a_view_finds_the_enlarged_one_and_puts_it_away_from_there(qtbot, window):
    window.insight.enlarge(window.insight.slots[0])
    press(qtbot, *key_of("loss"))
    assert window.insight.view("loss").isAncestorOf(QApplication.focusWidget())
    assert window.insight.enlarged == "loss"
    press(qtbot, *key_of("loss"))
    assert window.insight.enlarged is None
    assert not window.insight.view("loss").isVisible()


def test_a_view_is_never_a_window_of_its_own_not_even_while_it_is_made(window):
    seen = []

    class Watch(QObject):
        def eventFilter(self, watched, event) -> bool:
            if event.type() == QEvent.Type.Show and watched.isWidgetType() and watched.isWindow():
                seen.append(watched)
            return False

    watch = Watch()
    QApplication.instance().installEventFilter(watch)
    for name in VIEWS:
        window.insight.show_view(name)
    QApplication.instance().removeEventFilter(watch)
    assert set(window.insight.views) == set(VIEWS)
    assert not seen


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_window_closed_with_an_enlarged_view_of_a_floating_panel_goes_in_peace(window):
    window.docks["insight"].setFloating(True)
    window.insight.enlarge(window.insight.slots[0])
    assert window.insight.enlarged
    window.close()
    assert window.insight.enlarged is None
    assert window.canvases.parentWidget() is not None
    window.insight.hide()
    assert window.insight.enlarged is None


def test_the_table_of_points_is_edited_with_the_mouse(qtbot, window):
    press(qtbot, *key_of("table"))
    table = window.insight.view("table").table
    qtbot.waitUntil(lambda: table.model().rowCount() == 120)
    at = table.visualRect(table.model().index(0, 1)).center()
    for click in (qtbot.mouseClick, qtbot.mouseDClick):
        click(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "1.5")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    point = int(table.model().order[0])
    qtbot.waitUntil(lambda: window.session.document.data.X[point, 0] == 1.5)
