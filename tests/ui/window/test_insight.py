"""The insight area in the window: keys, menu, Escape, and what is remembered."""

from __future__ import annotations

from functools import reduce
from operator import or_

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from kernelviz.scene.insight.response import ResponseView
from kernelviz.scene.insight.space import FeatureSpaceView
from kernelviz.ui.insight.sheet import LOW
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.window.docks import keys
from kernelviz.ui.window.keyboard import sheet as shortcuts
from tests.ui.canvas.hand import Hand
from tests.ui.window.acting import ALT, CONTROL, LEFT, SHIFT, come_to_rest, enter, focus_canvas, press, settle
from tests.ui.window.cut import cut_off


@pytest.fixture(autouse=True)
def active(window):
    focus_canvas(window)


def key_of(name: str):
    """The key and its modifiers."""
    *modifiers, digit = keys()[VIEWS[name].title].split("+")
    held = {"Alt": ALT, "Shift": SHIFT, "Ctrl": CONTROL}
    return Qt.Key(ord(digit)), reduce(or_, (held[modifier] for modifier in modifiers))


def test_every_panel_and_view_has_a_key_of_its_own():
    assert len(set(keys().values())) == 3 + len(VIEWS)


def test_the_key_of_a_view_shows_it_and_goes_there_and_from_there_puts_it_away(qtbot, window):
    for name in (name for name, view in VIEWS.items() if "vectors" in view.domains):
        window.docks["insight"].close()
        press(qtbot, *key_of(name))
        view = window.insight.view(name)
        assert view.isVisible(), name
        assert window.insight.slot_of(name).isAncestorOf(QApplication.focusWidget()), name
        press(qtbot, *key_of(name))
        assert not view.isVisible(), name
        assert window.canvas.area.hasFocus(), name


@pytest.mark.parametrize("shown", [["loss", "selection"], ["selection", "loss"]])
def test_the_switches_of_a_view_are_never_behind_its_picture(qtbot, window, shown):
    """On a laptop of 1366 x 768 the second view is so low that three rows of switches would not fit."""
    window.resize(1366, 768)
    window.insight.restore(shown)
    view = window.insight.view("selection")
    qtbot.waitUntil(lambda: view.bar.remark.isVisible())
    assert not cut_off(view)


@pytest.mark.parametrize("name", ["constraints", "spread", "threshold", "waves", "selection"])
def test_below_the_canvas_of_an_old_projector_a_view_is_seen_whole(qtbot, window, name):
    window.resize(1024, 768)
    come_to_rest(window)
    window.insight.restore([name])
    if not window.insight.isVisible():
        press(qtbot, *key_of(name))
    view = window.insight.view(name)
    qtbot.waitUntil(lambda: not view.scene.reason)
    come_to_rest(window)
    assert view.isVisible()
    assert view.height() <= view.parentWidget().height()  # there is nothing to scroll
    assert view.bar.height() < 2 * view.bar.sizeHint().height()  # one row of switches
    assert view.sheet.height() >= LOW


def test_the_menu_offers_every_view_and_goes_there(window):
    menu = next(a.menu() for a in window.menuBar().actions() if a.text() == "&View")
    views = next(a.menu() for a in menu.actions() if a.text() == "&Insight")
    entries = {action.text(): action for action in views.actions() if action.text()}
    assert {name for name, entry in entries.items() if entry.isVisible()} == {
        view.title for view in VIEWS.values() if "vectors" in view.domains
    }
    entries["Gram matrix"].trigger()
    assert window.insight.view("gram").isVisible()
    assert window.insight.slot_of("gram").isAncestorOf(QApplication.focusWidget())


def test_views_that_show_nothing_of_such_inputs_have_no_key_no_entry_and_no_place_in_a_figure(qtbot, window):
    def offered() -> tuple[set[str], set[str]]:
        menu = next(a.menu() for a in window.menuBar().actions() if a.text() == "&View")
        views = next(a.menu() for a in menu.actions() if a.text() == "&Insight")
        domain = window.session.document.data.domain
        in_figures = set(window.exports.source().panels(domain))
        return {action.text() for action in views.actions() if action.isVisible()}, in_figures

    titles, figures = offered()
    assert "Two strings" not in titles
    assert "pair" not in figures
    qtbot.mouseClick(window.canvases.switch.buttons["words"], LEFT)
    qtbot.waitUntil(lambda: window.session.document.data.domain == "strings")
    titles, figures = offered()
    assert not {"Random features", "Kernel response"} & titles
    assert not {"waves", "response"} & figures
    assert "Two strings" in titles
    before = list(window.insight.shown)
    press(qtbot, *key_of("waves"))
    assert window.insight.shown == before


def test_an_enlarged_view_is_followed_by_the_canvas_beside_it_and_escape_puts_both_back(qtbot, window):
    large = window.canvas.width()
    qtbot.mouseClick(window.insight.slots[0].enlarge, LEFT)
    assert window.insight.view("loss").width() > 0.9 * large
    assert window.canvas.isVisible()
    assert window.canvas.area.hasFocus()
    press(qtbot, Qt.Key.Key_Escape)
    assert window.insight.enlarged is None
    assert window.canvas.width() == large
    assert window.canvas.area.hasFocus()


@pytest.mark.parametrize("presenting", [False, True])
def test_an_enlarged_view_gives_way_to_the_canvas_of_another_workspace(qtbot, window, presenting):
    qtbot.mouseClick(window.insight.slots[0].enlarge, LEFT)
    window.activateWindow()
    if presenting:
        press(qtbot, Qt.Key.Key_F11)
        come_to_rest(window)
    assert window.insight.enlarged == "loss"
    window.canvases.switch.buttons["curve"].click()
    settle(qtbot, window)
    assert window.insight.enlarged is None
    assert window.canvas.width() == window.stage.width()
    window.actions_by_name["undo"].trigger()
    settle(qtbot, window)
    assert window.canvas.width() == window.stage.width()


def test_a_point_can_be_added_on_the_small_canvas(qtbot, window):
    window.insight.enlarge(window.insight.slots[1])
    QApplication.processEvents()
    n = window.session.document.data.n
    area = window.canvas.area
    left_of_all = QPointF(area.view.left + 0.2, 0.0)
    place = area.mapFromScene(area.box.mapViewToScene(left_of_all))
    qtbot.mouseClick(area.viewport(), LEFT, pos=place)
    assert window.session.document.data.n == n + 1


def test_the_views_shown_are_remembered(qtbot, window, start_again):
    window.insight.restore(["weights"])
    window.close()
    again = start_again()
    again.docks["insight"].show()  # on the screen of the tests it is a closed drawer
    assert again.insight.shown == ["weights"]
    qtbot.waitUntil(lambda: set(again.insight.views) == {"weights"})  # the canvas has its picture first
    again.reset_layout()
    assert again.insight.shown == ["loss", "inspector"]
    again.close()


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
        click(table.viewport(), LEFT, pos=at)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "1.5")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    point = int(table.model().order[0])
    qtbot.waitUntil(lambda: window.session.document.data.X[point, 0] == 1.5)


# The keys of pictures ---------------------------------------------------------------------------------------
def opened(qtbot, window, name: str):
    """A view whose picture is there, while a point is selected."""
    window.session.adjust(selection=(3,))
    press(qtbot, *key_of(name))
    view = window.insight.view(name)
    qtbot.waitUntil(lambda: not view.scene.reason)
    return view


@pytest.mark.parametrize("way", ["click", "tab", "enlarge"])
def test_arrows_turn_the_space_one_has_gone_to_and_move_no_point(qtbot, window, way):
    view = opened(qtbot, window, "space")
    before = window.session.document
    if way == "click":
        qtbot.mouseClick(view.sheet, LEFT, pos=QPoint(3, 3))
    elif way == "enlarge":
        qtbot.mouseClick(window.insight.slot_of("space").enlarge, LEFT)
    else:
        for _ in range(12):
            if not view.sheet.hasFocus():
                press(qtbot, Qt.Key.Key_Tab)
    seen = view.scene.root.camera
    press(qtbot, Qt.Key.Key_Right)
    press(qtbot, Qt.Key.Key_Up)
    assert view.scene.root.camera == seen.turned(-5.0, 5.0)
    assert window.session.document is before


def test_arrows_move_x0_of_the_response_one_has_clicked_into_and_no_point(qtbot, window):
    view = opened(qtbot, window, "response")
    before = window.session.document
    qtbot.mouseClick(view.sheet, LEFT, pos=QPoint(3, 3))
    x, y = before.data.X[0]
    seen = view.sheet.layout_of_scene.find("function 1").node.view
    press(qtbot, Qt.Key.Key_Right)
    press(qtbot, Qt.Key.Key_Down, SHIFT)
    wanted = x + 0.01 * (seen.right - seen.left), y - 0.1 * (seen.top - seen.bottom)
    qtbot.waitUntil(lambda: view.view.x0 == pytest.approx(wanted))
    assert window.session.document is before


def test_tab_goes_from_the_picker_of_a_view_through_its_switches_to_its_picture(qtbot, window):
    view = opened(qtbot, window, "space")
    slot = window.insight.slot_of("space")
    slot.picker.setFocus(Qt.FocusReason.TabFocusReason)
    visited = [slot.picker]
    while visited[-1] is not view.sheet and len(visited) < 20:
        press(qtbot, Qt.Key.Key_Tab)
        visited.append(QApplication.focusWidget())
    assert visited[-1] is view.sheet
    assert {view.bar.menus["Fold and unfold"], view.lists["lift"], view.boxes["sheet"]} < set(visited)
    assert all(slot.isAncestorOf(widget) for widget in visited)


def test_arrows_go_through_a_closed_list_of_a_view_and_move_no_point(qtbot, window):
    view = opened(qtbot, window, "response")
    before = window.session.document
    view.lists["face"].setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, Qt.Key.Key_Down)
    assert view.lists["face"].currentText() == "three widths"
    assert window.session.document is before


def test_escape_in_an_enlarged_picture_puts_it_back_at_once(qtbot, window):
    view = opened(qtbot, window, "space")
    window.insight.enlarge(window.insight.slot_of("space"))
    assert view.sheet.hasFocus()
    press(qtbot, Qt.Key.Key_Escape)
    assert window.insight.enlarged is None
    assert window.canvas.area.hasFocus()


def test_the_sheet_of_shortcuts_tells_the_keys_of_pictures():
    told = shortcuts()
    for keys_of_view in ResponseView.keys + FeatureSpaceView.keys:
        assert keys_of_view.help in told


def test_the_axes_of_the_loss_do_not_shrink_during_a_drag_but_after_it(qtbot, window):
    enter(qtbot, window, "curve")
    window.actions_by_name["add_fit"].trigger()
    window.insight.show_view("loss")
    settle(qtbot, window)
    loss, hand = window.insight.view("loss"), Hand(qtbot, window.canvas)
    point = int(np.abs(hand.points[:, 0]).argmin())
    x, y = hand.points[point].tolist()

    def reach() -> tuple[float, float]:
        return loss.scene.root.x.high, loss.scene.root.y.high

    def shown_for(stop: float) -> tuple[float, float]:
        """Move the point there, and return the ends of the axes once that is shown."""
        hand.move((x, stop))
        hand.beat()
        settle(qtbot, window)
        qtbot.waitUntil(lambda: loss._shown[0] is window.workbench.frame)
        return reach()

    qtbot.waitUntil(lambda: not loss.scene.reason and loss._shown[0] is window.workbench.frame)
    before = reach()
    hand.press(point)
    wide = shown_for(y + 1.5)
    assert wide > before
    assert [shown_for(y + up) for up in (1.0, 0.5, 0.0)] == [wide] * 3
    hand.release((x, y))
    qtbot.waitUntil(lambda: reach() < wide)


def headings(window):
    """The headings of the table, once its columns have their widths."""
    window.insight.show_view("table")
    come_to_rest(window)
    return window.insight.view("table").table.horizontalHeader()


def test_the_columns_of_the_table_follow_the_size_of_the_type(qtbot, window):
    header = headings(window)
    for percent in (150, 100):
        window.set_type_size(percent)
        qtbot.waitUntil(
            lambda: all(header.sectionSize(k) >= header.sectionSizeHint(k) for k in range(header.count()))
        )
    assert header.count() > 5


def test_the_arrow_of_a_sorted_column_leaves_its_title_alone(qtbot, window):
    header = headings(window)
    k = [column.title for column in window.insight.view("table").model.columns].index("class")
    begin, wide = header.sectionViewportPosition(k), header.sectionSize(k)
    title = QRect(begin + wide // 2, 0, wide // 2, header.height() - 2)

    def picture(of: QRect):
        return header.viewport().grab(of).toImage()

    arrow = QRect(begin, 0, wide // 2, header.height() - 2)
    before, blank = picture(title), picture(arrow)
    assert header.fontMetrics().horizontalAdvance("class") < title.width()
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(begin + wide // 2, header.height() // 2))
    qtbot.mouseMove(window.canvas)
    qtbot.waitUntil(lambda: picture(arrow) != blank)
    assert picture(title) == before
