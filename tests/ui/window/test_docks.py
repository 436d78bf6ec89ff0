"""Where the panels are, and that they stay there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QByteArray, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kernelviz.ui.window.docks import placed
from tests.ui.canvas.hand import Hand
from tests.ui.window.acting import LEFT, come_to_rest, enter, resize, settle, shown_panels


def test_reset_layout_brings_closed_panels_back(window):
    window.docks["kernel"].close()
    window.actions_by_name["reset_layout"].trigger()
    assert window.docks["kernel"].isVisible()


def test_the_layout_is_remembered(window, start_again):
    window.docks["data"].close()
    window.close()
    again = start_again()
    resize(again, 1340, 820)  # Qt has fitted it to the screen of the tests
    assert not again.docks["data"].isVisible()
    assert again.docks["kernel"].isVisible()
    again.close()


@pytest.mark.parametrize("size", [(1366, 800), (1920, 1080)])
def test_panels_share_the_height_so_that_each_shows_what_matters(window, size):
    resize(window, *size)
    data, algorithm_panel = (window.docks[name].widget() for name in ("data", "algorithm"))
    assert data.height() >= data.widget().sizeHint().height()
    control = algorithm_panel.form.current.controls["C"]
    assert control.mapTo(algorithm_panel, control.rect().bottomLeft()).y() < algorithm_panel.height()
    assert all(slot.height() >= 180 for slot in window.insight.slots)
    if size == (1920, 1080):
        inspector = window.insight.view("inspector")
        assert inspector.visibleRegion().boundingRect().height() >= inspector.minimumSizeHint().height()


def test_lines_moved_by_hand_stay_where_they_are(qtbot, window):
    algorithm_dock, insight = window.docks["algorithm"], window.docks["insight"]
    line = QPoint(insight.geometry().center().x(), algorithm_dock.geometry().bottom() + 3)
    qtbot.mousePress(window, LEFT, pos=line)
    qtbot.mouseRelease(window, LEFT, pos=line)
    window.resizeDocks([algorithm_dock], [320], Qt.Orientation.Vertical)
    QApplication.processEvents()
    tall = algorithm_dock.height()
    resize(window, 1280, 860)
    assert algorithm_dock.height() >= tall
    window.reset_layout()
    QApplication.processEvents()
    assert algorithm_dock.height() < tall


@pytest.mark.parametrize("by_hand", [False, True])
def test_on_another_screen_the_panels_share_it_anew_unless_somebody_has_moved_the_lines(
    qtbot, window, by_hand, start_again
):
    if by_hand:
        data, kernel = window.docks["data"], window.docks["kernel"]
        line = QPoint(kernel.geometry().center().x(), data.geometry().bottom() + 3)
        qtbot.mousePress(window, LEFT, pos=line)
        qtbot.mouseRelease(window, LEFT, pos=line)
        window.resizeDocks([data, kernel], [500, 200], Qt.Orientation.Vertical)
        QApplication.processEvents()
    window.close()
    again = start_again()
    resize(again, 1920, 1080)
    assert (again.docks["data"].height() > 400) is by_hand
    again.close()


@pytest.mark.parametrize("size", [(1366, 720), (1280, 720), (1024, 768), (1092, 614)])
def test_every_size_shows_the_main_slider_of_kernel_and_algorithm(window, size):
    """Projectors, a laptop of 1366 x 768 at 100 and 125 %. What is smaller has a rail."""
    resize(window, *size)
    for name in ("kernel", "algorithm"):
        dock = window.docks[name]
        panel = dock.widget()
        slider = panel.form.main.slider if panel.isVisible() else dock.titleBarWidget().summary.slider
        assert slider.visibleRegion().boundingRect() == slider.rect()


def test_a_narrow_window_has_one_column_and_the_insight_in_a_drawer_closed_at_first(window):
    assert window.docks["insight"].isVisible()
    wide = {name: dock.geometry() for name, dock in window.docks.items()}
    size = window.size()
    resize(window, 1024, 768)
    docks = window.docks
    assert not docks["insight"].isVisible()
    assert docks["data"].x() == docks["kernel"].x() == docks["algorithm"].x()
    assert docks["data"].y() < docks["kernel"].y() < docks["algorithm"].y()
    docks["insight"].toggleViewAction().trigger()
    QApplication.processEvents()
    assert docks["insight"].y() > window.stage.mapTo(window, window.stage.rect().bottomLeft()).y()
    assert window.canvas.height() > docks["insight"].height()
    assert window.insight.orientation() == Qt.Orientation.Horizontal
    window.resize(size)
    QApplication.processEvents()
    assert docks["insight"].isVisible()
    assert window.insight.orientation() == Qt.Orientation.Vertical
    assert {name: dock.x() for name, dock in docks.items()} == {name: r.x() for name, r in wide.items()}


@pytest.mark.parametrize("way", [(1024, 768), (800, 600)])
def test_insight_views_that_were_closed_stay_so_while_the_window_is_small(qtbot, window, way):
    size = window.width(), window.height()
    qtbot.mouseClick(window.docks["insight"].titleBarWidget().shut, LEFT)
    for other in (way, size):
        resize(window, *other)
        assert "insight" not in shown_panels(window)
    window.docks["insight"].toggleViewAction().trigger()
    assert shown_panels(window) == set(window.docks)


def test_panels_somebody_has_moved_stay_there_in_type_that_is_large_but_changes_no_shape(window):
    resize(window, 1920, 800)
    for name in ("data", "kernel"):
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.docks[name])
    come_to_rest(window)
    window.set_type_size(130)
    come_to_rest(window)
    assert {window.dockWidgetArea(dock) for dock in window.docks.values()} == {
        Qt.DockWidgetArea.RightDockWidgetArea
    }


def test_a_drawer_left_open_is_open_the_next_time(window, start_again):
    resize(window, 1024, 768)
    window.docks["insight"].toggleViewAction().trigger()
    QApplication.processEvents()
    window.close()
    again = start_again()
    resize(again, 1024, 768)
    assert again.docks["insight"].isVisible()
    again.close()


def test_panels_somebody_has_moved_stay_where_they_are_in_a_window_of_any_size(window):
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.docks["data"])
    QApplication.processEvents()
    for size in ((1024, 768), (960, 540), (1920, 1080)):
        resize(window, *size)
        assert window.dockWidgetArea(window.docks["data"]) == Qt.DockWidgetArea.RightDockWidgetArea
        assert window.docks["insight"].isVisible()


def test_a_panel_closed_by_hand_stays_closed_in_another_shape(window):
    window.docks["kernel"].close()
    for size in ((1024, 768), (960, 540), (1366, 768)):
        resize(window, *size)
        assert window.docks["kernel"].isHidden()


def test_a_layout_of_the_time_when_every_view_was_a_panel_is_left_behind(window, settings, start_again):
    settings.store.setValue("layout1", QByteArray(b"what Qt has written then"))
    settings.store.setValue("presentation/panels", "convergence kernel")
    again = start_again()
    assert all(dock.isVisible() for dock in again.docks.values())
    assert again.presentation.chosen == {"kernel"}
    again.close()


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("floating", [False, True])
def test_a_maximised_window_can_have_its_layout_reset(window, floating):
    """Qt resizes the window while it restores the layout; panels without a place made it warn."""
    window.showMaximized()
    window.docks["insight"].setFloating(floating)
    QApplication.processEvents()
    window.reset_layout()
    QApplication.processEvents()
    assert not window.docks["insight"].isFloating()
    assert window.docks["insight"].height() >= 400


def test_a_panel_that_has_no_place_is_given_no_size(window):
    window.removeDockWidget(window.docks["kernel"])
    window.docks["kernel"].show()
    assert [
        dock.objectName() for dock in placed(window, (window.docks[name] for name in ("data", "kernel")))
    ] == ["data"]
    resize(window, 1300, 850)


@pytest.mark.parametrize("workspace", ["plane", "curve"])
@pytest.mark.parametrize("size", [(1024, 740), (1366, 740)])
def test_the_first_edit_by_hand_moves_no_row_of_the_data_panel(qtbot, window, workspace, size):
    resize(window, *size)
    enter(qtbot, window, workspace)
    come_to_rest(window)
    panel = window.docks["data"].widget()

    def places() -> dict[str, QRect]:
        rows = (panel.picker, panel.summary, panel.form, panel.again, panel.counts, panel.held_out)
        return {type(row).__name__: QRect(row.mapTo(window, QPoint()), row.size()) for row in rows}

    before = places()
    Hand(qtbot, window.canvas).drag(0, (0.3, 0.4))
    qtbot.waitUntil(panel.again.isEnabled)
    settle(qtbot, window)
    come_to_rest(window)
    assert places() == before


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("name", ["data", "kernel", "algorithm", "insight"])
def test_a_panel_that_is_moved_out_leaves_its_place_and_stays_within_the_screen(window, name):
    resize(window, 1366, 800)  # wider than the screen of the tests
    dock, room = window.docks[name], window.screen().availableGeometry()
    place = QRect(dock.mapToGlobal(QPoint()), dock.size())
    QTest.mouseClick(dock.titleBarWidget().out, LEFT)
    QApplication.processEvents()
    assert dock.isFloating()
    assert room.contains(QRect(dock.pos(), place.size()))
    moved = dock.pos() - place.topLeft()
    assert min(abs(moved.x()), abs(moved.y())) >= 30, "the system may add a frame"
