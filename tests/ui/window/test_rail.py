"""A window narrower than 900 or lower than 600 pixels: icons, and panels over the canvas."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QToolBar

from kernelviz.ui.window.shapes import PanelShadow
from tests.ui.window.acting import ALT, LEFT, focus_canvas, present, resize, shown_panels


@pytest.fixture(params=[(960, 540), (800, 600)], ids=str)
def small(request, window):
    resize(window, *request.param)
    focus_canvas(window)
    return window


def press(qtbot, window, name) -> None:
    rail = window.arrangement.icon_bar
    qtbot.mouseClick(rail.widgetForAction(window.docks[name].toggleViewAction()), LEFT)
    QApplication.processEvents()


def beside(window) -> QPoint:
    """A place of the window where the canvas is and no panel."""
    stage = window.stage
    return stage.mapTo(window, QPoint(stage.width() - 40, stage.height() // 2))


def click_beside(qtbot, window) -> None:
    place = beside(window)
    target = window.childAt(place)
    qtbot.mouseClick(target, LEFT, pos=target.mapFrom(window, place))


def test_an_icon_opens_its_panel_and_closes_it(qtbot, small):
    assert shown_panels(small) == set()
    canvas = small.canvas.size()
    press(qtbot, small, "kernel")
    assert shown_panels(small) == {"kernel"}
    assert small.canvas.size() == canvas, "it lies over the canvas and takes nothing from it"
    press(qtbot, small, "kernel")
    assert shown_panels(small) == set()


def test_one_panel_is_open_at_a_time(qtbot, small):
    for name in small.docks:
        press(qtbot, small, name)
        assert shown_panels(small) == {name}


def test_a_click_beside_the_panel_closes_it_and_does_nothing_else(qtbot, small):
    n = small.session.document.data.n
    press(qtbot, small, "algorithm")
    click_beside(qtbot, small)
    assert shown_panels(small) == set()
    assert small.session.document.data.n == n
    click_beside(qtbot, small)
    assert small.session.document.data.n == n + 1, "the next one is the canvas'"


def test_escape_closes_the_panel_from_the_canvas_and_from_within(qtbot, small):
    small.canvas.select_all()
    selected = small.session.look.selection
    press(qtbot, small, "kernel")
    qtbot.keyClick(small.canvas.area, Qt.Key.Key_Escape)
    assert shown_panels(small) == set()
    assert small.session.look.selection == selected
    qtbot.keyClick(small.canvas.area, Qt.Key.Key_2, ALT)
    assert shown_panels(small) == {"kernel"}
    inside = QApplication.focusWidget()
    assert small.docks["kernel"].widget().isAncestorOf(inside)
    qtbot.keyClick(inside, Qt.Key.Key_Escape)
    assert shown_panels(small) == set()
    assert small.canvas.hasFocus()
    qtbot.keyClick(small.canvas.area, Qt.Key.Key_Escape)
    assert not small.session.look.selection, "Escape is the canvas' again"


def test_the_key_of_a_panel_opens_it_and_from_within_closes_it(qtbot, small):
    qtbot.keyClick(small.canvas.area, Qt.Key.Key_1, ALT)
    assert shown_panels(small) == {"data"}
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_1, ALT)
    assert shown_panels(small) == set()
    assert small.canvas.hasFocus()
    qtbot.keyClick(small.canvas.area, Qt.Key.Key_7, ALT)
    assert shown_panels(small) == {"insight"}


def test_text_being_typed_is_given_up_before_the_panel(qtbot, small):
    press(qtbot, small, "algorithm")
    field = small.docks["algorithm"].widget().form.main.field
    field.setFocus()
    qtbot.keyClicks(field, "77")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert shown_panels(small) == {"algorithm"}
    assert small.session.document.algorithm.C == 10


@pytest.mark.parametrize(("name", "parameter"), [("kernel", "gamma"), ("algorithm", "C")])
def test_main_sliders_are_reached_without_scrolling(qtbot, small, name, parameter):
    press(qtbot, small, name)
    panel = small.docks[name].widget()
    slider = panel.form.current.controls[parameter].slider
    assert slider.visibleRegion().boundingRect() == slider.rect()
    assert small.rect().contains(slider.mapTo(small, slider.rect().bottomRight()))
    qtbot.mouseClick(slider, LEFT, pos=QPoint(slider.width() - 12, slider.height() // 2))
    chosen = getattr(small.session.document, name)
    assert getattr(chosen, parameter) > 50
    assert shown_panels(small) == {name}


def test_a_panel_is_as_high_as_it_needs_to_be_also_when_that_changes(qtbot, small):
    press(qtbot, small, "algorithm")
    dock = small.docks["algorithm"]
    panel, room = dock.widget(), small.centralWidget().height()

    def fits() -> bool:
        title = dock.height() - panel.height()
        return dock.height() == min(room, title + panel.height_for(dock.width()))

    panel.picker.picked.emit("perceptron")
    qtbot.waitUntil(fits)
    more = QLabel("a sentence")
    more.setFixedHeight(80)
    before = dock.height()
    panel.column.addWidget(more)
    qtbot.waitUntil(lambda: fits() and dock.height() > before)
    assert small.rect().contains(dock.geometry())


def test_a_panel_over_the_canvas_has_an_edge_that_is_no_obstacle(qtbot, small):
    press(qtbot, small, "kernel")
    panel, edge = small.docks["kernel"].geometry(), small.findChild(PanelShadow)
    assert edge.isVisible()
    assert edge.geometry().contains(panel)
    assert small.childAt(panel.right() + 2, panel.center().y()) is not edge
    press(qtbot, small, "kernel")
    assert not edge.isVisible()


def test_a_larger_window_has_its_panels_back_those_closed_by_hand_excepted(qtbot, window):
    window.docks["data"].close()
    for size in ((800, 600), (1024, 768), (960, 540), (1340, 820)):
        resize(window, *size)
    assert shown_panels(window) == {"kernel", "algorithm", "insight"}
    assert window.arrangement.icon_bar.isHidden()
    features = {dock.features() for dock in window.docks.values()}
    assert len(features) == 1


def test_a_small_window_remembers_what_a_large_one_had_closed(window, start_again):
    window.docks["data"].close()
    resize(window, 800, 600)
    window.close()
    again = start_again()
    assert shown_panels(again) == set()
    resize(again, 1340, 820)
    assert shown_panels(again) == {"kernel", "algorithm", "insight"}
    again.close()


def test_a_presentation_ends_where_it_began(qtbot, small):
    press(qtbot, small, "kernel")
    present(small)
    assert small.arrangement.icon_bar.isHidden()
    assert shown_panels(small) == set()
    assert [bar for bar in small.findChildren(QToolBar) if bar.isVisible()] == [small.strip]
    present(small)
    assert small.arrangement.icon_bar.isVisible()
    assert shown_panels(small) == set()
    press(qtbot, small, "algorithm")
    assert shown_panels(small) == {"algorithm"}


def test_panels_moved_by_hand_are_left_alone(window):
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.docks["data"])
    QApplication.processEvents()
    resize(window, 800, 590)
    assert window.arrangement.icon_bar.isHidden()
    assert window.docks["data"].isVisible()


def test_an_enlarged_view_is_not_covered_by_its_panel_and_stays_without_it(qtbot, small):
    press(qtbot, small, "insight")
    qtbot.mouseClick(small.insight.slots[0].enlarge, LEFT)
    QApplication.processEvents()
    view = small.insight.view("loss")
    assert shown_panels(small) == set()
    assert small.insight.enlarged == "loss"
    assert view.isVisible()
    assert view.width() > 0.9 * small.stage.width()
    before = small.session.look.mode
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert (before, small.session.look.mode) == ("live", "watch")
    press(qtbot, small, "insight")
    press(qtbot, small, "insight")
    assert small.insight.enlarged == "loss"
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert small.insight.enlarged is None
    assert small.canvas.isVisible()
    assert small.canvas.width() > 0.9 * small.stage.width()


def test_a_canvas_hidden_with_its_panel_comes_back_in_a_larger_window(qtbot, small):
    press(qtbot, small, "insight")
    qtbot.mouseClick(small.insight.slots[0].enlarge, LEFT)
    small.resize(1000, 760)  # the drawer is closed there
    for _ in range(3):
        QApplication.processEvents()
    assert small.arrangement.shape == "accordion"
    assert small.canvas.isVisible()


def test_escape_closes_a_panel_over_a_large_view_before_it_puts_that_back(qtbot, small):
    press(qtbot, small, "insight")
    qtbot.mouseClick(small.insight.slots[0].enlarge, LEFT)
    press(qtbot, small, "algorithm")
    small.take_keyboard()
    for large in ("loss", None):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
        assert shown_panels(small) == set()
        assert small.insight.enlarged == large
