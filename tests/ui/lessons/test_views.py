"""Views that a student sets by hand, and layers, in the tasks of a lesson."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication

from kernelviz.session.lessons.reader import parse_lesson
from kernelviz.ui.lessons import recorder
from tests.ui.lessons.student import Student

LESSON = """+++
format = 1
title  = "Views"
shows  = ["loss", "layer.slack", "status"]
+++

## Over s

```stage
data = "gaussians(n=20)"
fit  = "linear ; soft-margin-svm"
open = "loss(hinge=true)"
show = "levels"
```

```task
say   = "Draw the loss over s."
check = "view.loss.over == 's' and not view.loss.hinge"
do    = "open loss(over=s)"
miss  = [["view.loss.hinge", "The hinge is still drawn."], ["view.loss.over != 's'", "It is over z·s."]]
```

## Slack

```task
say   = "Show the slack of the points."
check = "layer.slack"
do    = "show slack"
```
"""


@pytest.fixture
def student(qtbot, window, tmp_path) -> Student:
    path = tmp_path / "views.md"
    path.write_text(LESSON, encoding="utf-8")
    made = Student(qtbot, window)
    made.open(path)
    return made


def test_a_task_is_done_by_the_switches_above_a_view(qtbot, window, student):
    loss = window.insight.view("loss")
    assert (loss.view.hinge, loss.view.over) == (True, "z·s")
    loss.boxes["hinge"].click()
    qtbot.waitUntil(lambda: student.tutor.reason == "It is over z·s.")
    loss.lists["over"].setCurrentText("s")
    student.wait_for_green()


def test_show_me_sets_the_switches_and_another_step_sets_them_again(qtbot, window, student):
    loss = window.insight.view("loss")
    student.tutor.show_me()
    student.wait_for_green()
    assert (loss.view.hinge, loss.view.over) == (False, "s")
    loss.lists["over"].setCurrentText("z·s")
    student.tutor.go_to(1)
    student.settle()
    qtbot.waitUntil(lambda: loss.view.hinge)
    student.tutor.go_to(2)
    student.settle()
    qtbot.waitUntil(lambda: (loss.view.hinge, loss.view.over) == (False, "s"))


def test_a_layer_that_the_lesson_shows_has_a_button(qtbot, window, student):
    student.tutor.go_to(2)
    student.settle()
    button = student.panel.controls.layers["slack"]
    assert button.ringed
    assert not button.isChecked()
    student.press(button)
    assert "slack" in window.session.look.shown
    student.wait_for_green()
    window.session.toggle("slack")
    assert not button.isChecked()


def test_a_recording_has_the_switches_and_the_layers(qtbot, window, student, monkeypatch):
    monkeypatch.setattr(recorder, "REST", 20)
    action = window.actions_by_name["record_lesson"]
    action.trigger()
    window.insight.view("loss").lists["over"].setCurrentText("s")
    window.session.toggle("slack")
    qtbot.wait(200)
    action.trigger()
    lesson = parse_lesson(QGuiApplication.clipboard().text(), "x.md")
    end = lesson.steps[-1].plan(lesson.start(len(lesson.steps) - 1)).end
    assert end.switch("loss", "over") == "s"
    assert end.layer("slack")
