"""What somebody does in the window, with mouse and keys, written down as a lesson."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication

from kernelviz.session.lessons.reader import parse_lesson
from kernelviz.session.lessons.robot import examine
from kernelviz.ui.lessons import recorder
from kernelviz.ui.lessons.player import present_state
from tests.ui.lessons.student import LEFT, Student

LONG_REST = 400  # Milliseconds, enough for a recorder that waits for 50.


@pytest.fixture(autouse=True)
def short_rest(monkeypatch):
    monkeypatch.setattr(recorder, "REST", 50)


def settle(qtbot, window) -> None:
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    qtbot.wait(LONG_REST)


def at(window, x: float, y: float) -> QPoint:
    area = window.canvas.area
    return area.mapFromScene(area.box.mapViewToScene(QPointF(x, y)))


def test_a_recorded_lesson_replays_to_the_same_state(qtbot, window):
    student, area = Student(qtbot, window), window.canvas.area
    settle(qtbot, window)
    action = window.actions_by_name["record_lesson"]
    action.trigger()
    assert action.isChecked()
    # Add a point, move and flip another one, step the algorithm, open a view, change kernel and parameter.
    n, view = window.session.document.data.n, window.session.look.view
    qtbot.mouseClick(area.viewport(), LEFT, pos=at(window, view.left + 0.1, view.bottom + 0.1))
    qtbot.waitUntil(lambda: window.session.document.data.n == n + 1)
    settle(qtbot, window)
    x, y = window.session.document.data.X[3]
    student.drag((x, y), (x + 0.3, y + 0.2))
    settle(qtbot, window)
    qtbot.mouseClick(area.viewport(), LEFT, pos=at(window, x + 0.3, y + 0.2))
    student.key(Qt.Key.Key_F)
    settle(qtbot, window)
    student.key(Qt.Key.Key_K)
    settle(qtbot, window)
    student.key(Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    window.actions_by_name["step_forward"].trigger()
    settle(qtbot, window)
    window.lessons.part.views.show("gram", True)
    settle(qtbot, window)
    done = present_state(window.workbench, window.lessons.part.views.now())
    action.trigger()
    assert not action.isChecked()
    lesson = parse_lesson(QGuiApplication.clipboard().text(), "x.md")
    verbs = [line.text.split()[0] for step in lesson.steps if step.task for line in step.task.do]
    assert verbs[:3] == ["add", "move", "flip"]
    assert {"kernel", "watch", "open"} <= set(verbs)
    last = len(lesson.steps) - 1
    assert lesson.steps[last].plan(lesson.start(last)).end.fingerprint == done.fingerprint
    assert examine(lesson) == []


def test_a_lesson_that_begins_ends_the_recording(qtbot, window, plane_lesson):
    action = window.actions_by_name["record_lesson"]
    action.trigger()
    Student(qtbot, window).open(plane_lesson)
    assert not action.isChecked()
    assert parse_lesson(QGuiApplication.clipboard().text(), "x.md").steps
