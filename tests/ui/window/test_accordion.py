"""A window from 900 to 1300 pixels wide: a column of lines with their main sliders, one or two panels
open."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.ui.window.acting import ALT, CONTROL, LEFT, enter, focus_canvas, resize, settle

PANELS = ("data", "kernel", "algorithm")


@pytest.fixture
def narrow(window):
    resize(window, 1024, 768)
    focus_canvas(window)
    return window


def opened(window) -> list[str]:
    return [name for name in PANELS if window.docks[name].widget().isVisible()]


def line(window, name):
    return window.docks[name].titleBarWidget()


def click(qtbot, window, name) -> None:
    """On the words of a panel's line, or on its title."""
    place = QPoint(60, line(window, name).height() // 2)
    target = line(window, name).childAt(place) or line(window, name)
    qtbot.mouseClick(target, LEFT, pos=target.mapFrom(line(window, name), place))
    QApplication.processEvents()


def test_the_open_panel_has_what_it_needs_and_a_second_one_the_height_it_leaves(qtbot, narrow):
    assert opened(narrow) == ["kernel", "algorithm"]
    for name, both in (("data", ["data", "kernel"]), ("algorithm", ["data", "algorithm"])):
        click(qtbot, narrow, name)
        assert opened(narrow) == both
        panel = narrow.docks[name].widget()
        # A formula that has just been typeset takes its height a moment later.
        qtbot.waitUntil(
            lambda panel=panel: panel.height() >= min(panel.content.height(), panel.height_for(panel.width()))
        )
        assert sum(narrow.docks[other].height() for other in PANELS) > 0.8 * narrow.height()
        assert all(narrow.docks[other].height() < 40 for other in PANELS if other not in both)


def test_where_the_open_panel_leaves_no_room_it_is_the_only_one(qtbot, narrow):
    resize(narrow, 1024, 610)
    for name in PANELS:
        if opened(narrow) != [name]:
            click(qtbot, narrow, name)
        assert opened(narrow) == [name]
        assert all(narrow.docks[other].height() < 40 for other in PANELS if other != name)


@pytest.mark.parametrize("height", [768, 740])  # of the screen, and below the title of the window
def test_a_second_panel_that_found_no_room_in_one_workspace_is_open_again_in_the_next(qtbot, narrow, height):
    resize(narrow, 1024, height)
    enter(qtbot, narrow, "words")
    qtbot.waitUntil(lambda: opened(narrow) == ["kernel"])
    enter(qtbot, narrow, "plane")
    qtbot.waitUntil(lambda: opened(narrow) == ["kernel", "algorithm"])


def test_a_second_panel_that_was_closed_stays_closed(qtbot, narrow):
    click(qtbot, narrow, "algorithm")
    assert opened(narrow) == ["kernel"]
    resize(narrow, 1030, 800)
    assert opened(narrow) == ["kernel"]


def test_a_closed_panel_tells_what_is_chosen_and_the_value_of_its_main_parameter(qtbot, narrow):
    click(qtbot, narrow, "algorithm")
    assert line(narrow, "algorithm").summary.label.text() == "Soft-margin SVM, C = 10"
    narrow.session.change("choose", algorithm=algorithm("soft-margin-svm(C=3)"))
    assert line(narrow, "algorithm").summary.label.text() == "Soft-margin SVM, C = 3"
    narrow.session.change("choose", algorithm=algorithm("hard-margin-svm"))
    assert line(narrow, "algorithm").summary.label.text() == "Hard-margin SVM"
    assert not line(narrow, "algorithm").summary.slider.isVisible()
    click(qtbot, narrow, "kernel")
    assert line(narrow, "kernel").summary.label.text() == "Gaussian (RBF), γ = 1"
    narrow.session.change("choose", kernel=kernel("rbf(gamma=2) + linear"))
    assert line(narrow, "kernel").summary.label.text() == "Gaussian (γ = 2) + Linear, γ = 2"
    narrow.session.change("choose", algorithm=algorithm("feature-map"))
    assert line(narrow, "kernel").summary.label.text() == "No kernel is used"


def test_however_long_the_name_is_the_value_is_never_cut(qtbot, narrow):
    click(qtbot, narrow, "algorithm")
    narrow.session.change("choose", algorithm=algorithm("squared-slack-svm(lam=0.0125)"))
    words = line(narrow, "algorithm").summary.label
    words.setFixedWidth(120)
    QApplication.processEvents()
    assert words.shown().endswith("…, λ = 0.0125")
    assert words.fontMetrics().horizontalAdvance(words.shown()) <= 120


def test_the_slider_of_a_closed_panel_is_its_main_slider(qtbot, narrow):
    click(qtbot, narrow, "algorithm")
    slider = line(narrow, "algorithm").summary.slider
    control = narrow.docks["algorithm"].widget().form.main
    history = len(narrow.session.history)
    y = slider.height() // 2
    qtbot.mousePress(slider, LEFT, pos=QPoint(slider.width() // 2, y))
    for x in range(slider.width() // 2, slider.width() - 12, 4):
        qtbot.mouseMove(slider, QPoint(x, y))
    qtbot.mouseRelease(slider, LEFT, pos=QPoint(slider.width() - 12, y))
    settle(qtbot, narrow)
    C = narrow.session.document.algorithm.C
    assert C > 50
    assert control.value == C
    assert slider.value() == control.slider.value()
    assert len(narrow.session.history) == history + 1, "a drag is one step of undo"
    assert slider.hasFocus(), "the arrow keys go on from there"
    assert opened(narrow) == ["kernel"]
    qtbot.keyClick(slider, Qt.Key.Key_Z, CONTROL)
    assert slider.value() == control.slider.value()
    assert narrow.session.document.algorithm.C == 10


def test_another_name_for_the_parameter_is_that_of_the_line_too(qtbot, narrow):
    control = narrow.docks["kernel"].widget().form.main
    control.show_in(control.parameter.views[0])
    click(qtbot, narrow, "kernel")
    assert line(narrow, "kernel").summary.label.text() == f"Gaussian (RBF), {control.name_and_value}"
    assert not control.name_and_value.startswith("γ")


def test_the_key_of_a_panel_opens_it_and_from_within_closes_it(qtbot, narrow):
    qtbot.keyClick(narrow.canvas.area, Qt.Key.Key_1, ALT)
    assert opened(narrow) == ["data", "kernel"]
    assert narrow.docks["data"].widget().isAncestorOf(QApplication.focusWidget())
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_1, ALT)
    assert opened(narrow) == ["kernel"]
    assert narrow.docks["data"].isVisible(), "its line is still there"
    assert narrow.canvas.hasFocus()


def test_tab_leads_to_the_chevron_and_space_opens(qtbot, narrow):
    chevron = line(narrow, "data").chevron
    chevron.setFocus(Qt.FocusReason.TabFocusReason)
    assert chevron.hasFocus()
    qtbot.keyClick(chevron, Qt.Key.Key_Space)
    assert opened(narrow) == ["data", "kernel"]
    assert not narrow.playback.playing


def test_with_all_closed_the_lines_are_on_top(qtbot, narrow):
    for name in opened(narrow):
        click(qtbot, narrow, name)
    assert opened(narrow) == []
    tops = [narrow.docks[name].y() for name in PANELS]
    assert tops == sorted(tops)
    assert tops[-1] < narrow.height() / 3


def test_a_wider_window_has_its_columns_back_with_every_panel_open(qtbot, narrow):
    click(qtbot, narrow, "algorithm")
    resize(narrow, 1340, 820)
    assert opened(narrow) == list(PANELS)
    assert not any(dock.folds for dock in narrow.docks.values())
    assert all(narrow.docks[name].height() > 150 for name in PANELS)


def test_lines_moved_by_hand_keep_the_accordion_the_next_time_and_in_any_window(qtbot, narrow, start_again):
    place = QPoint(narrow.docks["kernel"].geometry().right() + 3, 400)
    qtbot.mousePress(narrow, LEFT, pos=place)
    qtbot.mouseRelease(narrow, LEFT, pos=place)
    narrow.close()
    again = start_again()
    resize(again, 1400, 800)
    assert "kernel" in opened(again)
    assert "data" not in opened(again)
    again.close()


@pytest.mark.parametrize("name", ["data", "kernel"])
def test_the_panel_left_open_is_open_the_next_time_and_the_first_one_after_a_reset(
    qtbot, narrow, name, start_again
):
    for pressed in ("data",) if name == "data" else opened(narrow):
        click(qtbot, narrow, pressed)
    assert (name in opened(narrow)) is (name == "data")
    narrow.close()
    again = start_again()
    resize(again, 1024, 768)
    assert opened(again)[:1] == (["data"] if name == "data" else [])
    again.reset_layout()
    resize(again, 1024, 768)
    assert opened(again)[0] == "kernel"
    again.close()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_panel_dragged_out_of_the_column_is_whole_again(narrow):
    narrow.docks["data"].setFloating(True)
    QApplication.processEvents()
    assert set(opened(narrow)) >= {"data", "kernel"}
    assert line(narrow, "data") is None
    narrow.reset_layout()
    assert not narrow.docks["data"].isFloating()


def test_the_line_of_points_edited_by_hand_says_so_and_has_no_slider_that_would_draw_others(narrow):
    data = line(narrow, "data").summary
    assert data.label.text() == "Rings (bull's eye), n = 120"
    session = narrow.session
    session.change("add", data=PlaneWorkspace().added(session.document.data, np.zeros((1, 2)), 1), source="")
    assert data.label.text() == "Rings (bull's eye), edited: 121 points"
    assert not data.slider.isVisible()
    session.undo()
    assert data.label.text() == "Rings (bull's eye), n = 120"
    assert data.slider.isVisible()
