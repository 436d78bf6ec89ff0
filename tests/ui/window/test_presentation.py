"""Presenting: large type, the canvas, and the panels chosen for it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QToolBar

from kernelviz.scene.theme import BASE_POINTS
from kernelviz.ui.sidebar.panel import PanelSummary
from kernelviz.ui.widgets.controls import Segment
from kernelviz.ui.widgets.number_field import NumberField
from kernelviz.ui.widgets.picker import Picker
from kernelviz.ui.window.keyboard import sheet
from tests.scene.insight.helpers import found
from tests.ui.window.acting import (
    ALT,
    LEFT,
    chosen_in_menu,
    click,
    come_to_rest,
    focus_canvas,
    present,
    press,
    settle,
    shown_panels,
)


def toolbars(window) -> set[str]:
    return {bar.windowTitle() for bar in window.findChildren(QToolBar) if bar.isVisible()}


def test_panels_chosen_in_the_menu_stay_on_the_stage(window):
    at_the_desk = shown_panels(window)
    chosen_in_menu(window, "Insight").trigger()
    assert shown_panels(window) == at_the_desk
    present(window)
    assert shown_panels(window) == {"insight"}
    assert not window.docks["insight"].widget().visibleRegion().isEmpty()
    present(window)
    assert shown_panels(window) == at_the_desk


def test_the_switches_of_a_view_go_on_in_a_second_row_where_the_stage_is_narrow(qtbot, window):
    chosen_in_menu(window, "Insight").trigger()
    qtbot.mouseClick(window.canvases.switch.buttons["curve"], LEFT)
    window.resize(800, 600)
    present(window)
    window.insight.show_view("loss")
    come_to_rest(window)
    view = window.insight.view("loss")
    boxes = [box for box in view.findChildren(QCheckBox) if box.isVisible()]
    assert [box.text() for box in boxes] == ["absolute", "ε-insensitive", "Huber", "points"]
    for box in boxes:
        assert box.width() >= box.sizeHint().width()
        assert view.rect().contains(QRect(box.mapTo(view, QPoint()), box.size()))


def test_a_panel_can_be_called_up_by_its_key_during_the_presentation(qtbot, window):
    present(window)
    focus_canvas(window)
    qtbot.keyClick(window.canvas.area, Qt.Key.Key_7, ALT)
    assert shown_panels(window) == {"insight"}
    assert window.insight.view("gram").isVisible()
    present(window)
    present(window)
    assert shown_panels(window) == {"insight"}, "what was chosen while presenting is remembered for it"


def test_the_key_of_a_panel_works_at_the_desk_and_is_no_choice_for_the_stage(qtbot, window):
    focus_canvas(window)
    for there in (True, False, True):  # at first it leads there
        qtbot.keyClick(window.canvas.area, Qt.Key.Key_2, ALT)
        assert ("kernel" in shown_panels(window)) is there
    assert not chosen_in_menu(window, "Kernel").isChecked()


def test_panels_have_more_room_in_large_type(window, monkeypatch):
    small = window.docks["algorithm"].width()
    chosen_in_menu(window, "Algorithm").trigger()
    # The screen of the tests is smaller than any projector.
    monkeypatch.setattr(window, "showFullScreen", lambda: window.resize(1920, 1080))
    present(window)
    assert window.docks["algorithm"].width() > 1.3 * small
    assert window.canvas.width() > window.docks["algorithm"].width()


def test_panels_above_each_other_share_the_stage(window, monkeypatch):
    for title in ("Algorithm", "Insight"):
        chosen_in_menu(window, title).trigger()
    monkeypatch.setattr(window, "showFullScreen", lambda: window.resize(1920, 1080))
    present(window)
    assert window.docks["insight"].height() > 0.4 * window.height()
    assert window.docks["algorithm"].height() > 0.3 * window.height()


def test_a_projector_has_room_for_one_panel_with_one_view_beside_the_canvas(window, monkeypatch):
    window.resize(1024, 740)
    for title in ("Kernel", "Insight"):
        chosen_in_menu(window, title).trigger()
    monkeypatch.setattr(window, "showFullScreen", lambda: window.resize(1024, 768))
    present(window)
    assert shown_panels(window) == {"insight"}
    assert window.insight.shown == ["loss"]
    assert window.width() == 1024
    assert window.canvas.width() > window.docks["insight"].width()
    assert window.canvas.height() > 0.6 * window.height()
    for part in (window.playback, *window.playback.findChildren(QAbstractButton)):
        assert part.width() >= part.minimumSizeHint().width()
    window.docks["kernel"].toggleViewAction().trigger()
    assert shown_panels(window) == {"kernel"}
    present(window)
    assert window.insight.shown == ["loss", "inspector"]


@pytest.mark.parametrize("leave_first", [True, False])
def test_the_choice_outlives_the_program(qtbot, window, leave_first, start_again):
    chosen_in_menu(window, "Insight").trigger()
    present(window)
    if leave_first:
        present(window)
    assert window.close()
    again = start_again()
    again.resize(1340, 820)  # Qt has fitted it to the screen of the tests
    qtbot.waitUntil(lambda: again.workbench.up_to_date)
    assert "kernel" in shown_panels(again)
    present(again)
    assert shown_panels(again) == {"insight"}


def test_resetting_the_layout_leaves_the_canvas_alone_on_the_stage(window):
    chosen_in_menu(window, "Insight").trigger()
    window.actions_by_name["reset_layout"].trigger()
    present(window)
    assert not shown_panels(window)


def test_how_to_leave_is_said_on_entering(qtbot, window):
    present(window)
    qtbot.waitUntil(lambda: "Escape" in window.statusBar().currentMessage())
    assert not window.statusBar().figures.isVisible()
    present(window)
    assert not window.statusBar().currentMessage()


def test_the_sheet_lists_the_keys_of_the_panels():
    assert "Alt+1" in sheet()
    assert "Convergence" in sheet()


def test_presentation_mode_hides_the_chrome_and_brings_it_back(qtbot, window):
    size = QApplication.font().pointSizeF()
    present(window)
    assert not window.menuBar().isVisible()
    assert not any(dock.isVisible() for dock in window.docks.values())
    assert QApplication.font().pointSizeF() > size
    present(window)
    assert window.menuBar().isVisible()
    assert window.docks["kernel"].isVisible()
    assert QApplication.font().pointSizeF() == size


def test_escape_leaves_the_presentation_and_the_panels_are_where_they_were(qtbot, window):
    before = {name: dock.geometry() for name, dock in window.docks.items()}
    window.insight.show_view("weights")
    for _ in range(2):
        present(window)
        window.canvas.setFocus()
        qtbot.keyClick(window.canvas.area, Qt.Key.Key_Escape)
        come_to_rest(window)
    assert not window.actions_by_name["presentation"].isChecked()
    for name in ("data", "kernel", "algorithm", "insight"):
        assert window.docks[name].geometry() == before[name]
    assert window.insight.view("weights").isVisible()
    form = window.docks["data"].widget().form.current
    qtbot.waitUntil(lambda: all(c.label.height() == c.row_height() for c in form.controls.values()))


def test_another_theme_keeps_the_large_type_of_a_presentation(window):
    present(window)
    large = QApplication.font().pointSizeF()
    window.set_theme("dark")
    assert QApplication.font().pointSizeF() == large > BASE_POINTS
    present(window)
    assert QApplication.font().pointSizeF() == BASE_POINTS


def test_type_and_panels_change_in_turns_between_which_the_window_hears(qtbot, window):
    present(window)
    large = QApplication.font().pointSizeF()
    seen = []
    heart = QTimer(window)
    heart.timeout.connect(lambda: seen.append((QApplication.font().pointSizeF(), bool(shown_panels(window)))))
    heart.start()
    present(window)
    heart.stop()
    small = BASE_POINTS
    assert list(dict.fromkeys(seen)) == [(large, False), (small, False), (small, True)]


def test_somebody_who_thinks_better_of_it_half_way_finds_everything_as_it_was(qtbot, window):
    chosen_in_menu(window, "Insight").trigger()
    at_the_desk = shown_panels(window)
    for _ in range(2):
        window.actions_by_name["presentation"].trigger()
    come_to_rest(window)
    assert shown_panels(window) == at_the_desk
    present(window)
    for _ in range(2):
        window.actions_by_name["presentation"].trigger()
    come_to_rest(window)
    assert shown_panels(window) == {"insight"}
    present(window)
    assert shown_panels(window) == at_the_desk


@pytest.mark.parametrize("times", [2, 3])
def test_a_late_answer_of_the_window_manager_does_not_outlast_quick_keys(qtbot, window, times):
    focus_canvas(window)
    for _ in range(times):
        qtbot.keyClick(window.canvas.area, Qt.Key.Key_F11)
    come_to_rest(window)
    presenting = window.strip.isVisible()
    late = Qt.WindowState.WindowNoState if presenting else Qt.WindowState.WindowFullScreen
    with qtbot.waitSignal(window.windowHandle().windowStateChanged):
        window.setWindowState(late)  # as Qt does when the window manager speaks
    qtbot.waitUntil(lambda: window.isFullScreen() is presenting)
    come_to_rest(window)
    assert window.strip.isVisible() is presenting
    assert window.menuBar().isVisible() is not presenting


@pytest.mark.parametrize("times", [1, 2])
def test_closing_half_way_keeps_the_layout_of_the_desk(qtbot, window, times, start_again):
    at_the_desk = shown_panels(window)
    for _ in range(times - 1):
        present(window)
    window.actions_by_name["presentation"].trigger()
    assert window.close()
    again = start_again()
    again.resize(1340, 820)  # Qt has fitted it to the screen of the tests
    qtbot.waitUntil(lambda: again.workbench.up_to_date)
    assert shown_panels(again) == at_the_desk


class Widths(QObject):
    """Every width a window has."""

    def __init__(self, window) -> None:
        super().__init__(window)
        self.seen = []
        window.installEventFilter(self)

    def eventFilter(self, window, event) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.seen.append(event.size().width())
        return False


def test_panels_in_large_type_do_not_push_the_window_apart_on_its_way_back(qtbot, window, monkeypatch):
    width = window.minimumSizeHint().width()
    window.resize(width, 700)
    for title in ("Kernel", "Insight"):
        chosen_in_menu(window, title).trigger()
    # As window managers do it; the tests have none.
    monkeypatch.setattr(window, "showFullScreen", lambda: window.resize(1920, 1080))
    monkeypatch.setattr(window, "showNormal", lambda: window.resize(width, 700))
    present(window)
    widths = Widths(window)
    present(window)
    assert widths.seen == [width]


def test_what_chooses_the_panels_to_present_belongs_to_the_window(window):
    """What a menu makes by itself may be gone for Python before the menu is, in the midst of a talk."""
    assert all(action.parent() is window for action in window.presentation._actions.values())


@pytest.mark.parametrize("size", [(800, 600), (700, 520)])
def test_after_a_presentation_on_a_small_screen_a_larger_one_has_toolbar_and_panels(
    qtbot, window, start_again, size
):
    desk, bars = shown_panels(window), toolbars(window)
    window.resize(*size)
    qtbot.waitUntil(lambda: window.arrangement.shape == "icons")
    present(window)
    present(window)
    assert window.arrangement.shape == "icons"
    window.session.mark_saved()
    window.close()
    again = start_again()
    again.resize(1340, 820)
    qtbot.waitUntil(lambda: again.arrangement.shape == "columns")
    qtbot.waitUntil(lambda: shown_panels(again) == desk)
    assert toolbars(again) == bars
    again.close()


@pytest.mark.parametrize("slot", [0, 1])
def test_a_view_enlarged_at_the_desk_is_enlarged_on_the_stage_and_back(window, slot):
    window.insight.enlarge(window.insight.slots[slot])
    name = window.insight.enlarged
    present(window)
    assert window.insight.enlarged == name
    assert window.insight.view(name).isVisible()
    assert window.insight.view(name).width() > 0.9 * window.stage.width()
    present(window)
    assert window.insight.enlarged == name
    assert window.canvas.isVisible(), "at the desk it is beside the enlarged view"


@pytest.mark.parametrize(
    ("key", "panel"), [(Qt.Key.Key_2, "kernel"), (Qt.Key.Key_3, "algorithm"), (Qt.Key.Key_7, "insight")]
)
def test_on_the_stage_keys_show_and_hide_panels_and_space_still_plays(qtbot, window, key, panel):
    present(window)
    window.activateWindow()
    window.take_keyboard()
    for there in (True, False, True):
        qtbot.keyClick(QApplication.focusWidget(), key, ALT)
        assert shown_panels(window) == ({panel} if there else set())
        assert window.canvas.area.hasFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert window.session.look.mode == "watch"


@pytest.mark.parametrize("beforehand", [True, False])
@pytest.mark.parametrize("key", [Qt.Key.Key_1, Qt.Key.Key_2])
def test_an_enlarged_view_stays_so_while_other_panels_are_shown_and_hidden(qtbot, window, beforehand, key):
    window.resize(1340, 740)
    large = window.insight.view("loss")
    if beforehand:
        qtbot.mouseClick(window.insight.slots[0].enlarge, LEFT)
    present(window)
    window.activateWindow()
    window.take_keyboard()
    if not beforehand:
        press(qtbot, Qt.Key.Key_4, ALT)
        assert shown_panels(window) == {"insight"}
        qtbot.mouseClick(window.insight.slots[0].enlarge, LEFT)
    for shown in (1, 0, 1):
        press(qtbot, key, ALT)
        come_to_rest(window)
        assert len(shown_panels(window) - {"insight"}) == shown
        assert large.isVisible()
        assert large.width() > 0.9 * window.stage.width()
        assert not window.canvas.isVisible(), "it is hidden with the panel in whose place it stands"
    press(qtbot, Qt.Key.Key_Escape)
    come_to_rest(window)
    assert window.canvas.isVisible()
    assert window.presentation.on


def by_its_key(qtbot, window) -> None:
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_4, ALT)


def by_its_button(qtbot, window) -> None:
    qtbot.mouseClick(window.docks["insight"].titleBarWidget().shut, LEFT)


@pytest.mark.parametrize("hide", [by_its_key, by_its_button])
def test_a_panel_hidden_during_the_presentation_stays_hidden_in_the_next(qtbot, window, hide):
    present(window)
    window.activateWindow()
    window.take_keyboard()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_4, ALT)
    assert shown_panels(window) == {"insight"}
    hide(qtbot, window)
    assert not shown_panels(window)
    for _ in range(2):
        present(window)
    assert not shown_panels(window)
    assert not chosen_in_menu(window, "Insight").isChecked()


def test_the_list_of_data_sets_is_as_large_after_a_presentation_as_before(qtbot, window):
    picker = window.docks["data"].findChild(Picker)
    height, icons = picker.height(), picker.iconSize()
    for _ in range(2):
        present(window)
        present(window)
    qtbot.waitUntil(lambda: (picker.height(), picker.iconSize()) == (height, icons))


def test_a_notice_from_before_a_presentation_is_whole_in_its_type_and_covers_no_points(window):
    window.notice.say("An unsaved session can be recovered: File > Recover…", 60_000)
    present(window)
    notice, area = window.notice, window.canvas.area
    assert notice.width() >= notice.fontMetrics().horizontalAdvance(notice.text())
    assert notice.height() >= notice.fontMetrics().height()
    assert window.stage.rect().contains(notice.geometry())
    plane = area.box.mapRectToScene(area.box.rect()).toRect()
    foot = area.mapTo(window.stage, area.mapFromScene(plane.bottomLeft())).y()
    assert notice.y() >= foot
    present(window)
    assert notice.width() < 2 * notice.fontMetrics().horizontalAdvance(notice.text())


def test_the_numbers_of_a_fit_are_as_large_as_the_type_of_the_panels_on_the_stage(qtbot, window):
    window.insight.show_view("bounds")
    view = window.insight.view("bounds")
    qtbot.waitUntil(lambda: not view.scene.reason)
    desk = found(view, "rows").size
    chosen_in_menu(window, "Insight").trigger()
    present(window)
    stage = window.presentation.scale
    assert stage > 1
    qtbot.waitUntil(lambda: found(view, "rows").size >= 0.9 * window.font().pointSizeF())
    assert found(view, "rows").size > stage * desk
    present(window)
    qtbot.waitUntil(lambda: found(view, "rows").size == desk)


def summary_of(window, text: str) -> PanelSummary:
    return next(s for s in window.strip.findChildren(PanelSummary) if text in s.label.text())


def typing_into(qtbot, window, text: str) -> NumberField:
    """Click on a line of the strip, and return the field that stands there then."""
    summary = summary_of(window, text)
    qtbot.mouseClick(summary.label, LEFT)
    qtbot.waitUntil(lambda: bool(summary.findChildren(NumberField)))
    return summary.findChild(NumberField)


def test_a_click_on_a_number_of_the_strip_types_another(qtbot, window):
    present(window)
    field = typing_into(qtbot, window, "C = 10")
    qtbot.keyClicks(field.lineEdit(), "2.5")
    qtbot.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    assert window.session.document.algorithm.C == 2.5
    qtbot.waitUntil(lambda: summary_of(window, "C = 2.5").label.isVisible())
    assert window.canvas.area.hasFocus(), "keys belong to the canvas again"


def test_escape_in_a_field_of_the_strip_leaves_the_field_and_not_the_stage(qtbot, window):
    present(window)
    field = typing_into(qtbot, window, "C = 10")
    qtbot.keyClicks(field.lineEdit(), "77")
    qtbot.keyClick(field.lineEdit(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: summary_of(window, "C = 10").label.isVisible())
    assert window.presentation.on
    assert window.session.document.algorithm.C == 10


def test_a_number_that_cannot_be_used_is_answered_on_the_stage_and_stays_to_be_corrected(qtbot, window):
    present(window)
    field = typing_into(qtbot, window, "C = 10")
    qtbot.keyClicks(field.lineEdit(), "-3")
    qtbot.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    assert window.notice.isVisible()
    assert "C" in window.notice.text()
    assert field.isVisible()
    assert field.lineEdit().text() == "-3"
    assert window.session.document.algorithm.C == 10


@pytest.mark.parametrize(("key", "name"), [(Qt.Key.Key_K, "kernel"), (Qt.Key.Key_G, "algorithm")])
def test_the_neighbours_of_a_kind_chosen_by_key_are_listed_for_a_moment(qtbot, window, key, name):
    present(window)
    focus_canvas(window)
    qtbot.keyClick(window.canvas.area, key)
    picker = window.docks[name].widget().picker
    lines = window.notice.text().split("\n")
    assert window.notice.isVisible()
    assert [line.rstrip(" ←") for line in lines if "←" in line] == [picker.currentText()]
    assert len(lines) == 5
    qtbot.waitUntil(lambda: not window.notice.isVisible())


def swatches(window) -> dict[str, Segment]:
    """The classes that the strip offers, by what is said of each."""
    found = window.strip.findChildren(Segment)
    return {button.accessibleName(): button for button in found if button.isVisible()}


def test_the_strip_offers_both_classes_for_new_points_and_the_desk_does_not(qtbot, window):
    present(window)
    qtbot.mouseClick(swatches(window)["Add points of class -"], LEFT)
    click(qtbot, window, 0.0, 1.2)
    assert window.session.document.data.z[-1] == -1
    qtbot.mouseClick(swatches(window)["Add points of class +"], LEFT)
    click(qtbot, window, 0.4, 1.2)
    assert window.session.document.data.z[-1] == 1
    present(window)
    assert not [
        b for b in window.findChildren(Segment) if "Add points" in b.accessibleName() and b.isVisible()
    ]


def test_the_strip_offers_the_classes_of_the_workspace_in_front_while_points_are_added(qtbot, window):
    present(window)
    window.canvas.use("move")
    assert not swatches(window)
    window.canvas.use("add")
    assert len(swatches(window)) == 2
    qtbot.mouseClick(window.canvases.switch.buttons["curve"], LEFT)
    settle(qtbot, window)
    assert not swatches(window)
    window.undo()
    settle(qtbot, window)
    assert len(swatches(window)) == 2


def test_everything_in_the_strip_is_high_enough_for_a_finger(qtbot, window):
    present(window)
    parts = [*swatches(window).values()]
    for summary in window.strip.findChildren(PanelSummary):
        parts += [summary.label, summary.slider]
    assert len(parts) == 6
    assert min(part.height() for part in parts) >= 44
    assert window.strip.height() >= 44
