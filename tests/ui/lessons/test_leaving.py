"""Leaving the path, the lesson or the program: the student comes back to the step, and to the work before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox

from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.parsing import kernel
from kernelviz.session.files import kviz
from kernelviz.session.files.crashed_sessions import crashed_sessions
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui import app
from kernelviz.ui.dialogs.recovery_dialog import RecoveryDialog
from kernelviz.ui.window.main_window import MainWindow
from tests.ui.lessons.student import PLANE, Student
from tests.ui.window.acting import add_a_point

ANSWER = QMessageBox.StandardButton
RINGS = "rings(n=30, noise=0.12, seed=0)"
THREE_POINTS = """+++
format = 1
title  = "Needed points"
shows  = ["canvas", "status"]
+++

## Which points are needed?

```stage
data = "gaussians(n=20, distance=4, noise=0.3, seed=0)"
fit  = "linear ; hard-margin-svm"
```

```predict
ask    = "All points but three are deleted. Does the margin stay?"
a      = "Yes."
b      = "No."
answer = "a"
reveal = "remove 2-12 14-19"
true   = "n == 3 and margin == before(margin)"
```

## Others

```stage
data = "rings(n=30)"
fit  = "rbf ; soft-margin-svm(C=1)"
```

Two rings.
"""


@pytest.fixture
def working(qtbot, window, plane_lesson) -> Student:
    """Somebody with unsaved work and two steps of undo, who opens a lesson then."""
    window.session.change("change kernel", kernel=kernel("rbf(gamma=3)"))
    made = parse_dataset(RINGS)
    window.session.change("choose data set", data=made.make(), source=str(made))
    student = Student(qtbot, window)
    student.open(plane_lesson)
    return student


def test_work_undo_and_panels_come_back_when_the_lesson_ends(qtbot, window, plane_lesson):
    window.session.change("change kernel", kernel=kernel("rbf(gamma=3)"))
    before, steps = window.session.document, len(window.session.history)
    shown = {name for name, dock in window.docks.items() if dock.isVisible()}
    views = window.insight.shown
    student = Student(qtbot, window)
    student.open(plane_lesson)
    assert not any(dock.isVisible() for dock in window.docks.values())
    assert not window.playback.isVisible()
    student.press(student.panel.prediction.buttons["a"])
    student.settle()
    student.press(student.panel.end)
    qtbot.waitUntil(lambda: not window.lessons.running)
    assert window.session.document is before
    assert len(window.session.history) == steps
    assert {name for name, dock in window.docks.items() if dock.isVisible()} == shown
    assert window.insight.shown == views
    assert window.playback.isVisible()
    window.actions_by_name["undo"].trigger()
    assert window.session.document.kernel != before.kernel


def test_what_is_in_other_workspaces_comes_back_too(qtbot, window, plane_lesson):
    plane, curve = workspaces()[:2]
    window.session.visit(curve)
    window.session.change("change kernel", kernel=kernel("rbf(gamma=7)"))
    mine = window.session.document
    window.session.visit(plane)
    student = Student(qtbot, window)
    student.open(plane_lesson)
    window.session.visit(curve)
    window.lessons.end_lesson()
    window.session.visit(curve)
    assert window.session.document is mine


def test_each_stage_is_one_step_of_undo(qtbot, window, student):
    student.press(student.panel.prediction.buttons["b"])
    student.settle()
    steps = len(window.session.history)
    student.press(student.panel.next)
    student.settle()
    assert len(window.session.history) == steps + 1
    assert "One point" in window.session.history.undo_name


def test_show_me_is_one_step_of_undo(qtbot, window, student):
    student.press(student.panel.prediction.buttons["b"])
    student.settle()
    qtbot.waitUntil(lambda: student.panel.task is not None)
    steps = len(window.session.history)
    student.press(student.panel.task.show_me)
    student.wait_for_green()
    assert window.session.document.kernel.gamma == 20
    assert len(window.session.history) == steps + 1
    window.actions_by_name["undo"].trigger()
    assert window.session.document.kernel.gamma == 200


def test_wandering_off_and_back(qtbot, window, student):
    student.press(student.panel.prediction.buttons["b"])
    student.settle()
    assert not student.panel.back_to_lesson.isVisible()
    window.session.visit(workspaces()[1])
    qtbot.waitUntil(student.panel.back_to_lesson.isVisible)
    student.press(student.panel.back_to_lesson)
    qtbot.waitUntil(lambda: not student.panel.back_to_lesson.isVisible())
    assert window.session.document.source == "moons(n=40, noise=0.3, seed=4)"
    assert window.session.document.kernel.gamma == 200, "the state in which the task begins"


def test_going_back_and_forth_gives_the_same_state(qtbot, window, student):
    first = window.session.document.data.X.copy()
    student.press(student.panel.next)
    student.settle()
    student.press(student.panel.back)
    student.settle()
    assert (first == window.session.document.data.X).all()
    assert student.tutor.index == 0


def test_going_back_to_a_step_gives_its_axes_although_points_were_removed_in_it(qtbot, window, tmp_path):
    path = tmp_path / "three.md"
    path.write_text(THREE_POINTS, encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    student.key(Qt.Key.Key_A)
    qtbot.waitUntil(lambda: student.tutor.ready and window.session.document.data.n == 3)
    axes = window.session.look.view
    student.press(student.panel.next)
    student.settle()
    assert window.session.look.view != axes
    student.press(student.panel.back)
    student.settle()
    assert window.session.document.data.n == 3
    assert window.session.look.view == axes


def test_a_lesson_that_was_left_goes_on_at_the_same_step(qtbot, window, plane_lesson, student):
    student.press(student.panel.prediction.buttons["b"])
    student.settle()
    student.press(student.panel.next)
    student.settle()
    window.lessons.end_lesson()
    student.open(plane_lesson)
    assert student.tutor.index == 1
    assert student.tutor.progress.answers == {1: "b"}


def test_closing_the_window_asks_about_the_work_from_before(qtbot, window, working, monkeypatch):
    asked = []

    def question(*args, **_):
        asked.append(window.session.document.source)
        return ANSWER.Cancel

    monkeypatch.setattr(QMessageBox, "question", question)
    document = window.session.document
    window.close()
    assert asked == [RINGS]
    assert window.isVisible()
    assert window.lessons.running
    assert window.session.document is document
    window.lessons.end_lesson()


def test_the_work_from_before_is_saved_without_the_lesson(qtbot, window, working, tmp_path, monkeypatch):
    path = tmp_path / "own.kviz"
    lights = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, **_: (str(path), ""))

    def question(*args, **_):
        assert "before the lesson" in args[2]
        qtbot.waitUntil(lambda: window.workbench.up_to_date)
        lights.append(window.lessons.part.tutor.off_path)
        return ANSWER.Save

    monkeypatch.setattr(QMessageBox, "question", question)
    window.close()
    assert lights == [False], "the work from before was judged by the lesson"
    saved = json.loads(path.read_text(encoding="utf-8"))
    assert "lesson" not in saved


def test_closing_the_window_asks_nothing_when_that_is_saved(qtbot, window, student):
    window.close()
    assert not window.isVisible()


def test_saving_and_opening_within_a_lesson(qtbot, window, working, tmp_path, monkeypatch):
    path = tmp_path / "mine.kviz"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    working.press(working.panel.prediction.buttons["b"])
    working.settle()
    working.press(working.panel.next)
    working.settle()
    window.actions_by_name["save"].trigger()
    data = window.session.document.data.X.copy()
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: ANSWER.Discard)
    window.actions_by_name["new"].trigger()
    assert not window.lessons.running
    window.files.open_path(path)
    working.settle()
    assert working.tutor.index == 1
    assert (working.tutor.light, working.tutor.progress.tries) == ("waiting", {})
    assert (data == window.session.document.data.X).all()
    assert dict(working.tutor.now().points) == {"p": 0}
    window.lessons.end_lesson()
    assert window.session.document.source == RINGS
    assert window.session.document.kernel.gamma == 3


def test_a_crash_within_a_lesson(qtbot, window, working):
    """The session that is kept for a crash has the lesson, the step and the work from before."""
    recovery = window.files.recovery
    qtbot.waitUntil(lambda: recovery.path.exists())

    def kept():
        return kviz.load(recovery.path)[1].get("lesson", {})

    qtbot.waitUntil(lambda: kept().get("name") == "width")
    before, _ = kviz.loads(kviz.msgspec.json.encode(kept()["before"]))
    assert before.document.source == RINGS
    assert not crashed_sessions(), "it is this window's own"
    window.lessons.end_lesson()


def test_views_come_back_with_a_session_and_after_a_crash(qtbot, window, working, tmp_path, monkeypatch):
    working.key(Qt.Key.Key_B)
    working.settle()
    working.press(working.panel.controls.views["gram"])
    qtbot.waitUntil(lambda: window.lessons.part.views.now().keys() == {"gram"})
    recovery = window.files.recovery

    def kept():
        return kviz.load(recovery.path)[1].get("lesson", {}) if recovery.path.exists() else {}

    qtbot.waitUntil(lambda: kept().get("views") == ["gram"])
    path = tmp_path / "mine.kviz"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.actions_by_name["save"].trigger()
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: ANSWER.Discard)
    window.actions_by_name["new"].trigger()
    window.files.open_path(path)
    working.settle()
    assert window.lessons.part.views.now().keys() == {"gram"}
    assert window.insight.view("gram").isVisible()
    assert working.tutor.answer == "b"
    window.lessons.end_lesson()


def test_a_lesson_starts_with_the_switches_of_views_as_they_are_at_first(
    qtbot, window, student, plane_lesson, tmp_path
):
    window.lessons.end_lesson()
    window.insight.show_view("gram")
    qtbot.waitUntil(window.insight.view("gram").isVisible)
    show = window.insight.view("gram").lists["face"]
    usual, own, chosen = (show.itemText(k) for k in (0, 1, 2))

    def choose(option: str) -> None:
        show.setFocus()
        while show.currentText() != option:
            qtbot.keyClick(show, Qt.Key.Key_Down)

    choose(own)
    student.open(plane_lesson)
    student.key(Qt.Key.Key_B)
    student.settle()
    student.press(student.panel.controls.views["gram"])
    qtbot.waitUntil(show.isVisible)
    assert show.currentText() == usual
    choose(chosen)
    other = tmp_path / "other.md"
    other.write_text(PLANE, encoding="utf-8")
    student.open(other)
    assert show.currentText() == usual, "what one lesson chose does not stay in the next"
    window.lessons.end_lesson()
    assert show.currentText() == own


def test_a_lesson_within_a_lesson_keeps_the_place_in_both(qtbot, window, student, plane_lesson, tmp_path):
    other = tmp_path / "other" / plane_lesson.name
    other.parent.mkdir()
    other.write_text(PLANE.replace("Too narrow", "Another one"), encoding="utf-8")
    student.press(student.panel.next)
    student.press(student.panel.next)
    student.settle()
    student.open(other)
    assert student.tutor.index == 0
    student.press(student.panel.next)
    student.settle()
    student.open(plane_lesson)
    assert student.tutor.index == 2, "its task is not done"
    student.open(other)
    assert student.tutor.index == 1


def test_work_recovered_from_within_a_lesson_belongs_to_its_file(qtbot, window, plane_lesson, tmp_path):
    mine = tmp_path / "mine.kviz"
    window.files.save_to(mine)
    window.session.change("change kernel", kernel=kernel("rbf(gamma=3)"))
    Student(qtbot, window).open(plane_lesson)
    assert window.files.path is None
    state, extra = window.session.state, window.files._packed
    window.files._open_state(state, kviz.loads(kviz.dumps(state, extra))[1], None, saved=False)
    qtbot.waitUntil(lambda: window.lessons.running)
    window.lessons.end_lesson()
    assert window.files.path == mine
    assert window.files.save(), "without a question: nobody else has changed the file"
    assert window.session.document.kernel == kernel("rbf(gamma=3)")


def test_a_session_whose_lesson_is_gone_opens_the_work_from_before(
    qtbot, window, working, tmp_path, plane_lesson, monkeypatch
):
    path = tmp_path / "mine.kviz"
    assert window.files.save_to(path)
    plane_lesson.unlink()
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: ANSWER.Discard)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: "is not there" in window.canvas.banner.text)
    assert window.session.document.source == RINGS
    assert not window.lessons.running


@pytest.fixture
def table(tmp_path) -> Path:
    """Four points in a file."""
    path = tmp_path / "mine.csv"
    path.write_text("x1,x2,label\n0,0,-1\n1,1,1\n0,1,1\n1,0,-1\n", encoding="utf-8")
    return path


def test_a_table_opened_during_a_lesson_asks_first_and_becomes_part_of_the_own_work(
    qtbot, window, working, table, monkeypatch
):
    asked = []
    monkeypatch.setattr(QMessageBox, "question", lambda *args, **_: asked.append(args[2]) or ANSWER.No)
    lesson = window.session.document
    window.files.open_path(table)
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert "End the lesson and open mine.csv?" in asked[0]
    assert window.lessons.running
    assert window.session.document is lesson
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: ANSWER.Yes)
    window.files.open_path(table)
    qtbot.waitUntil(lambda: window.session.document.data.n == 4)
    assert not window.lessons.running
    assert window.session.document.kernel == kernel("rbf(gamma=3)")
    window.actions_by_name["undo"].trigger()
    assert window.session.document.source == RINGS


def test_a_session_opened_during_a_lesson_asks_first(qtbot, window, student, tmp_path, monkeypatch):
    path = tmp_path / "mine.kviz"
    kviz.save(path, window.session.state)
    asked = []
    monkeypatch.setattr(QMessageBox, "question", lambda *args, **_: asked.append(args[2]) or ANSWER.No)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert "End the lesson and open mine.kviz?" in asked[0]
    assert window.lessons.running
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: ANSWER.Yes)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.files.title == "mine.kviz")
    assert not window.lessons.running


def test_a_lesson_is_opened_by_dropping_its_file(qtbot, window, plane_lesson):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(plane_lesson))])
    drop = QDropEvent(
        QPoint(50, 50),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(drop)
    Student(qtbot, window).settle()
    assert window.lessons.running


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kernel.gamma = 200", "kernel.gama = 200"),
        ("A kernel decides", "<img src='/etc/passwd'> decides"),
        ('title   = "The', "title   = The"),
        ("moons(n=40", "spoons(n=40"),
    ],
)
def test_a_broken_lesson_is_one_sentence_and_nothing_else_happens(qtbot, window, tmp_path, old, new):
    path = tmp_path / "broken.md"
    path.write_text(PLANE.replace(old, new), encoding="utf-8")
    before = window.session.state
    window.files.open_path(path)
    qtbot.waitUntil(lambda: "broken.md" in window.canvas.banner.text)
    line = PLANE[: PLANE.index(old)].count("\n") + 1
    assert f"line {line}:" in window.canvas.banner.text
    assert window.session.state is before
    assert window.lessons.panel is None


def test_a_stage_that_cannot_be_opened_ends_the_lesson_with_a_sentence(qtbot, window, tmp_path):
    path = tmp_path / "broken.md"
    path.write_text(PLANE.replace("{ p = 1 }", "{ p = 11 }"), encoding="utf-8")
    before = window.session.document
    student = Student(qtbot, window)
    student.open(path)
    student.press(student.panel.next)
    qtbot.waitUntil(lambda: not window.lessons.running)
    assert "broken.md, line" in window.canvas.banner.text
    assert window.session.document is before


def test_the_title_names_the_lesson_until_it_ends(qtbot, window, working, tmp_path, monkeypatch):
    titles = []

    def question(*_, **__):
        qtbot.waitUntil(lambda: window.windowTitle() == "Untitled[*]")
        titles.append(window.windowTitle())
        return ANSWER.Cancel

    lesson = "Lesson: The width of the Gaussian[*]"
    qtbot.waitUntil(lambda: window.windowTitle() == lesson)
    assert not window.isWindowModified()
    monkeypatch.setattr(QMessageBox, "question", question)
    window.close()
    qtbot.waitUntil(lambda: window.windowTitle() == lesson)
    assert titles == ["Untitled[*]"], "the work from before, which the question is about"
    path = tmp_path / "mine.kviz"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.actions_by_name["save"].trigger()
    qtbot.waitUntil(lambda: window.windowTitle() == "mine.kviz[*]")
    window.close()
    qtbot.waitUntil(lambda: window.windowTitle() == "mine.kviz[*]")
    working.press(working.panel.prediction.buttons["b"])
    qtbot.waitUntil(window.isWindowModified)
    assert window.windowTitle() == "mine.kviz[*]"
    working.settle()
    working.press(working.panel.end)
    qtbot.waitUntil(lambda: window.windowTitle() == "Untitled[*]")
    assert window.isWindowModified()


# A crash within a lesson --------------------------------------------------------------------------------
@pytest.fixture
def crashed(qtbot, window, start_again, plane_lesson, tmp_path) -> tuple[MainWindow, Path]:
    """The next start after a crash within a lesson, and the file that had an unsaved point before it."""
    path = tmp_path / "work.kviz"
    window.files.save_to(path)
    add_a_point(window)
    Student(qtbot, window).open(plane_lesson)
    recovery = window.files.recovery
    qtbot.waitUntil(lambda: recovery.path.exists() and "lesson" in kviz.load(recovery.path)[1])
    kept = recovery.path.read_bytes()
    window.lessons.end_lesson()
    window.session.mark_saved()
    window.close()
    recovery.path.write_bytes(kept)
    return start_again(), path


def recovery_shown(qtbot, window: MainWindow) -> RecoveryDialog:
    qtbot.waitUntil(lambda: window.findChild(RecoveryDialog) is not None)
    return window.findChild(RecoveryDialog)


def test_a_start_with_a_file_offers_the_work_on_it_from_before_a_lesson(qtbot, crashed):
    window, path = crashed
    app.open_at_start(window, str(path))
    dialog = recovery_shown(qtbot, window)
    line = dialog.list.currentItem()
    assert (line.text(1), line.text(3)) == ("121", "work.kviz, during lesson width")
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    student = Student(qtbot, window)
    student.settle()
    qtbot.waitUntil(lambda: window.windowTitle() == "Lesson: The width of the Gaussian[*]")
    assert not window.isWindowModified()
    student.press(student.panel.end)
    qtbot.waitUntil(lambda: window.windowTitle() == "work.kviz[*]")
    assert window.isWindowModified()
    assert window.session.document.data.n == 121
    recovery = window.files.recovery
    qtbot.waitUntil(lambda: kviz.load(recovery.path)[1]["recovery"].get("path") == str(path))
    window.session.mark_saved()


def test_a_start_without_a_file_names_the_work_from_before_a_lesson_too(qtbot, crashed):
    window, path = crashed
    app.open_at_start(window)
    dialog = recovery_shown(qtbot, window)
    line = dialog.list.currentItem()
    assert (line.text(1), line.text(3)) == ("121", "work.kviz, during lesson width")
    assert str(path) in line.toolTip(3)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_a_question_about_the_work_from_before_leaves_it_in_the_autosave(qtbot, window, working, monkeypatch):
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: ANSWER.Cancel)
    window.close()
    recovery = window.files.recovery
    qtbot.waitUntil(lambda: recovery.path.exists() and "lesson" in kviz.load(recovery.path)[1])
    kept = kviz.load(recovery.path)[1]["lesson"]
    assert kept["work_unsaved"]
    assert kviz.loads(kviz.msgspec.json.encode(kept["before"]))[0].document.source == RINGS
    window.lessons.end_lesson()
