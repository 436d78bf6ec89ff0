"""A lesson begun or ended in presentation mode, and what is there afterwards."""

from __future__ import annotations

from PySide6.QtWidgets import QToolBar

from tests.ui.lessons.student import Student
from tests.ui.window.acting import LEFT, chosen_in_menu, come_to_rest, present, shown_panels


def test_presentation_mode_left_during_a_lesson_leaves_the_lesson_and_the_canvas_alone(
    qtbot, window, plane_lesson
):
    at_the_desk = shown_panels(window)
    present(window)
    Student(qtbot, window).open(plane_lesson)
    present(window)
    assert shown_panels(window) == set()
    assert window.menuBar().isVisible()
    assert window.findChild(QToolBar, "commands").isVisible()
    assert window.stage.width() > 0.5 * window.width()
    window.lessons.end_lesson()
    come_to_rest(window)
    assert shown_panels(window) == at_the_desk


def test_a_lesson_begun_and_ended_on_the_stage_leaves_the_panels_chosen_for_it(qtbot, window, plane_lesson):
    views = window.insight.shown
    chosen_in_menu(window, "Insight").trigger()
    present(window)
    Student(qtbot, window).open(plane_lesson)
    come_to_rest(window)
    window.lessons.end_lesson()
    come_to_rest(window)
    assert shown_panels(window) == {"insight"}
    assert chosen_in_menu(window, "Insight").isChecked()
    present(window)
    assert window.insight.shown == views


def test_a_view_that_was_large_before_a_lesson_is_so_after_it(qtbot, window, plane_lesson):
    qtbot.mouseClick(window.insight.slots[0].enlarge, LEFT)
    large = window.insight.enlarged
    assert large
    Student(qtbot, window).open(plane_lesson)
    come_to_rest(window)
    assert window.insight.enlarged is None
    window.lessons.end_lesson()
    come_to_rest(window)
    assert window.insight.enlarged == large


def test_a_view_that_was_large_is_so_again_when_the_window_is_wide_again(qtbot, window):
    qtbot.mouseClick(window.insight.slots[0].enlarge, LEFT)
    large, size = window.insight.enlarged, window.size()
    window.resize(1024, 768)
    come_to_rest(window)
    assert window.insight.enlarged is None
    window.resize(size)
    come_to_rest(window)
    assert window.insight.enlarged == large


def test_how_to_leave_the_stage_is_not_written_over_the_numbers_of_a_lesson(qtbot, window, plane_lesson):
    present(window)
    status = window.statusBar()
    qtbot.waitUntil(lambda: "Escape" in status.currentMessage())
    Student(qtbot, window).open(plane_lesson)
    come_to_rest(window)
    assert status.figures.isVisible()
    assert not status.currentMessage()
