"""Where the panels are, and that they stay there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QByteArray, QPoint, Qt
from PySide6.QtWidgets import QApplication

from kernelviz.session.session import Session
from kernelviz.session.workspaces.registry import start_up
from kernelviz.ui.window.docks import placed
from kernelviz.ui.window.main_window import MainWindow


def test_reset_layout_brings_closed_panels_back(window):
    window.docks["kernel"].close()
    window.actions_by_name["reset_layout"].trigger()
    assert window.docks["kernel"].isVisible()


def test_the_layout_is_remembered(qtbot, window, settings):
    window.docks["data"].close()
    window.close()
    again = MainWindow(Session(start_up()), settings)
    qtbot.addWidget(again)
    again.show()
    assert not again.docks["data"].isVisible()
    assert again.docks["kernel"].isVisible()
    again.close()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_panels_share_the_height_so_that_each_shows_what_matters(window, size):
    window.resize(*size)
    QApplication.processEvents()
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
    qtbot.mousePress(window, Qt.MouseButton.LeftButton, pos=line)
    qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=line)
    window.resizeDocks([algorithm_dock], [320], Qt.Orientation.Vertical)
    QApplication.processEvents()
    tall = algorithm_dock.height()
    window.resize(1280, 860)
    QApplication.processEvents()
    assert algorithm_dock.height() >= tall
    window.reset_layout()
    QApplication.processEvents()
    assert algorithm_dock.height() < tall


@pytest.mark.parametrize("by_hand", [False, True])
def test_on_another_screen_the_panels_share_it_anew_unless_somebody_has_moved_the_lines(
    qtbot, window, settings, by_hand
):
    if by_hand:
        data, kernel = window.docks["data"], window.docks["kernel"]
        line = QPoint(kernel.geometry().center().x(), data.geometry().bottom() + 3)
        qtbot.mousePress(window, Qt.MouseButton.LeftButton, pos=line)
        qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=line)
        window.resizeDocks([data, kernel], [500, 200], Qt.Orientation.Vertical)
        QApplication.processEvents()
    window.close()
    again = MainWindow(Session(start_up()), settings)
    qtbot.addWidget(again)
    again.show()
    again.resize(1920, 1080)
    QApplication.processEvents()
    assert (again.docks["data"].height() > 400) is by_hand
    again.close()


@pytest.mark.parametrize("size", [(1280, 720), (1092, 614)])
def test_a_low_window_shows_the_first_slider_of_kernel_and_algorithm(window, size):
    """A projector of 720 lines, a laptop of 1366 x 768 at 125 %."""
    window.resize(*size)
    QApplication.processEvents()
    for name, parameter in (("kernel", "gamma"), ("algorithm", "C")):
        panel = window.docks[name].widget()
        control = panel.form.current.controls[parameter]
        assert control.mapTo(panel, control.rect().bottomLeft()).y() < panel.height()


def test_a_layout_of_the_time_when_every_view_was_a_panel_is_left_behind(qtbot, window, settings):
    settings._store.setValue("layout1", QByteArray(b"what Qt has written then"))
    settings._store.setValue("presentation/panels", "convergence kernel")
    again = MainWindow(Session(start_up()), settings)
    qtbot.addWidget(again)
    again.show()
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
    assert [dock.objectName() for dock in placed(window, ("data", "kernel"))] == ["data"]
    window.resize(1300, 850)
    QApplication.processEvents()
