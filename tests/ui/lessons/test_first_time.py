"""What a student met who had never seen the program: keys, tools, sizes, verdicts, where to go on."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication

from kernelviz.engine.core.generators import finished
from kernelviz.session.files.crashed_sessions import CrashedSession, examining
from kernelviz.session.lessons.shipped import shipped
from kernelviz.ui.dialogs.recovery_dialog import RecoveryDialog
from kernelviz.ui.lessons.chooser import LessonChooser
from kernelviz.ui.lessons.prose import Prose
from kernelviz.ui.sidebar.formula_label import typesetter
from tests.ui.lessons.student import LEFT, PLANE, Student
from tests.ui.window.acting import come_to_rest

Key = Qt.Key


def lesson(number: int):
    return shipped()[number - 1]


# Keys and tools -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("key", [Key.Key_End, Key.Key_Space, Key.Key_Right, Key.Key_R])
def test_keys_of_the_playback_bar_do_nothing_where_the_bar_is_hidden(qtbot, window, student, key):
    student.key(Key.Key_B)
    student.settle()
    student.key(key)
    assert window.session.look.mode == "live"
    window.lessons.end_lesson()
    student.key(key)
    assert window.session.look.mode == "watch", "the key works again after the lesson"


def test_keys_of_the_playback_bar_work_in_a_lesson_that_shows_the_bar(qtbot, window):
    student = Student(qtbot, window)
    student.open(lesson(3))
    student.key(Key.Key_C)
    student.settle()
    last = student.tutor.now().step
    student.key(Key.Key_Left)
    qtbot.waitUntil(lambda: student.tutor.now().step == last - 1)


def test_a_tool_is_put_down_with_the_step_and_comes_back_after_the_lesson(qtbot, window, plane_lesson):
    window.canvas.use("select")
    student = Student(qtbot, window)
    student.open(plane_lesson)
    assert window.canvas.tool.name == "add"
    student.key(Key.Key_E)
    assert window.canvas.tool.name == "erase"
    student.key(Key.Key_B)
    student.settle()
    assert window.canvas.tool.name == "erase", "the same step goes on"
    student.press(student.panel.next)
    student.settle()
    assert window.canvas.tool.name == "add"
    student.key(Key.Key_E)
    student.press(student.panel.end)
    qtbot.waitUntil(lambda: not window.lessons.running)
    assert window.canvas.tool.name == "select"


# For a room ---------------------------------------------------------------------------------------------
@pytest.fixture
def room(qtbot, window, monkeypatch):
    """Somebody who presents the first lesson on a small projector."""
    projector = SimpleNamespace(size=lambda: QSize(1024, 768))  # the screen of the tests has another size
    monkeypatch.setattr(window, "screen", lambda: projector)
    student = Student(qtbot, window)
    student.open(lesson(1))
    qtbot.keyClick(window, Key.Key_F11)
    come_to_rest(window)
    window.resize(1024, 768)
    qtbot.waitUntil(lambda: student.panel.presenting and window.width() == 1024)
    yield student
    window.lessons.end_lesson()
    qtbot.keyClick(window, Key.Key_F11)
    come_to_rest(window)


def test_hands_are_counted_in_fields_that_show_what_is_typed_and_keep_it(qtbot, room):
    field = room.panel.prediction.hands["a"]
    typed = field.lineEdit()
    qtbot.mouseClick(typed, LEFT, pos=QPoint(typed.width() - 2, typed.height() // 2))
    qtbot.keyClicks(field, "17")
    assert typed.text().strip() == "17"
    assert typed.width() > field.fontMetrics().horizontalAdvance("17")
    qtbot.keyClick(field, Key.Key_Space)
    qtbot.waitUntil(lambda: room.tutor.answer is not None)
    room.settle()
    assert room.panel.prediction.hands["a"].value() == 17


def test_a_small_projector_has_larger_type_than_a_window_and_nothing_is_cut(qtbot, window, room):
    room.key(Key.Key_A)
    room.settle()
    panel, content = room.panel, room.panel.area.widget()
    assert window.presentation.scale > 1.05
    qtbot.waitUntil(lambda: content.width() <= panel.area.viewport().width())
    qtbot.waitUntil(lambda: panel.mapToGlobal(QPoint()).x() < content.mapToGlobal(QPoint()).x())


# What is in view ----------------------------------------------------------------------------------------
def test_in_a_narrow_window_the_canvas_has_the_part_next_to_the_panel(qtbot, window, student):
    window.resize(880, 650)
    qtbot.waitUntil(student.panel.fold.isVisible)
    come_to_rest(window)
    assert 500 < window.stage.width() <= student.panel.x()
    student.press(student.panel.fold)
    qtbot.waitUntil(lambda: window.stage.width() > 0.95 * window.width())
    window.lessons.end_lesson()


@pytest.mark.parametrize("number", [1, 4, 5])
def test_the_verdict_is_in_view_after_an_answer(qtbot, window, number):
    window.resize(1024, 768)
    student = Student(qtbot, window)
    student.open(lesson(number))
    student.key(Key.Key_A)
    student.settle()
    come_to_rest(window)
    card = student.panel.prediction
    verdict = next(prose for prose in card.findChildren(Prose) if prose.text.startswith("**"))
    seen = verdict.visibleRegion().boundingRect()
    assert seen.height() == verdict.height()


def test_every_choice_is_in_view_on_a_small_screen_with_a_view_open(qtbot, window):
    window.resize(1024, 745)  # below its title
    student = Student(qtbot, window)
    student.open(lesson(6))
    qtbot.waitUntil(window.docks["insight"].isVisible)
    qtbot.waitUntil(lambda: typesetter().ready(r"e^t = 1 + t + \frac{t^2}{2} + \frac{t^3}{6} + \dots"))
    come_to_rest(window)
    qtbot.wait(500)  # the panel is divided once the formula is laid out

    def whole(button) -> bool:
        return button.visibleRegion().boundingRect().height() == button.height()

    assert all(map(whole, student.panel.prediction.buttons.values()))


def test_a_step_that_was_done_before_says_so(qtbot, window, student):
    student.key(Key.Key_B)
    student.settle()
    student.type_number("kernel.gamma", "20")
    student.wait_for_green()
    assert student.panel.task.reason.text == "Done."
    student.press(student.panel.next)
    student.settle()
    student.press(student.panel.back)
    student.settle()
    assert window.session.document.kernel.gamma == 200
    assert student.tutor.light == "done"
    assert "before" in student.panel.task.reason.text


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_an_open_list_is_wide_enough_for_its_longest_entry(qtbot, window):
    window.resize(1024, 768)
    student = Student(qtbot, window)
    student.open(lesson(1))
    student.key(Key.Key_B)
    student.settle()
    picker = student.control("algorithm").picker
    picker.showPopup()
    qtbot.waitUntil(picker.view().isVisible)
    longest = max(range(picker.count()), key=lambda row: len(picker.itemText(row)))
    words = picker.view().fontMetrics().horizontalAdvance(picker.itemText(longest))
    assert picker.view().viewport().width() > words
    picker.hidePopup()


def test_a_view_may_be_revealed_in_the_place_of_the_canvas(qtbot, window):
    student = Student(qtbot, window)
    student.open(lesson(2))
    student.key(Key.Key_A)
    student.settle()
    qtbot.waitUntil(lambda: window.insight.enlarged == "space")
    student.press(student.panel.next)
    student.settle()
    qtbot.waitUntil(lambda: window.insight.enlarged is None)
    student.press(student.panel.back)
    student.settle()
    qtbot.waitUntil(lambda: window.insight.enlarged == "space")


# Where to go on -----------------------------------------------------------------------------------------
def chooser_of(qtbot, window) -> LessonChooser:
    window.actions_by_name["lessons"].trigger()
    qtbot.waitUntil(lambda: window.findChild(LessonChooser) is not None)
    return window.findChild(LessonChooser)


def test_the_list_marks_and_chooses_the_lesson_that_was_left(qtbot, window, start_again):
    student = Student(qtbot, window)
    student.open(lesson(3))
    student.press(student.panel.next)
    student.settle()
    window.close()
    again = start_again()
    qtbot.waitUntil(lambda: again.workbench.up_to_date)
    chooser = chooser_of(qtbot, again)
    line = chooser.list.currentItem()
    assert line.text(1) == "3. Learning from mistakes"
    assert line.text(3) == "step 2 of 4"
    assert chooser.list.numbered[1].text(3) == ""
    chooser.reject()


def test_lessons_are_listed_under_chapters_and_the_first_one_says_start_here(qtbot, window):
    chooser = chooser_of(qtbot, window)
    lines = [chooser.list.topLevelItem(k) for k in range(chooser.list.topLevelItemCount())]
    texts = [line.text(1) or line.text(0) for line in lines]
    assert texts[:3] == [
        "Lines and features",
        "What a straight line can do, and how other features bend it.",
        "1. No line does it",
    ]
    assert [line.text(1) for line in lines if line.text(3)] == ["1. No line does it"]
    assert chooser.list.currentItem().text(3) == "start here"
    qtbot.keyClick(chooser.list, Key.Key_Up)  # headings are not chosen
    assert chooser.list.currentItem().text(1) == "1. No line does it"
    for text in ("30. A line of your own", "4. Features that are never computed"):
        chooser.list.setCurrentItem(lines[texts.index(text)])
        qtbot.mouseClick(chooser.list.viewport(), LEFT, pos=heading_of(chooser, "Kernels"))
        assert chooser.list.currentItem().text(1) == text
    chooser.reject()


def heading_of(chooser: LessonChooser, title: str) -> QPoint:
    """Return the place of a chapter's title."""
    (line,) = chooser.list.findItems(title, Qt.MatchFlag.MatchExactly)
    return chooser.list.visualItemRect(line).center()


def test_the_list_of_lessons_needs_no_horizontal_scroll_bar(qtbot, window):
    student = Student(qtbot, window)
    student.open(lesson(3))
    student.press(student.panel.next)
    window.lessons.end_lesson()
    chooser = chooser_of(qtbot, window)
    qtbot.waitUntil(chooser.list.isVisible)
    QApplication.processEvents()
    assert not chooser.list.horizontalScrollBar().isVisible()
    assert chooser.list.columnWidth(1) > 0.5 * chooser.list.viewport().width()
    chooser.reject()


@pytest.mark.parametrize(("typed", "number"), [("1", 1), ("12", 12), ("3", 3), ("99", 9)])
def test_typing_a_number_in_the_list_selects_that_lesson(qtbot, window, typed, number):
    chooser = chooser_of(qtbot, window)
    qtbot.waitUntil(chooser.list.isVisible)
    qtbot.keyClicks(chooser.list, "5")
    qtbot.wait(QApplication.keyboardInputInterval() + 50)
    qtbot.keyClicks(chooser.list, typed)
    assert chooser.list.currentItem().text(1).startswith(f"{number}. ")
    qtbot.keyClick(chooser.list, Key.Key_Return)
    qtbot.waitUntil(lambda: window.lessons.running)
    assert window.lessons.part.tutor.lesson.path == lesson(number)
    window.lessons.end_lesson()


def test_the_list_of_unsaved_sessions_names_the_lesson(qtbot, window, student):
    kept = CrashedSession(window.files.recovery.path, 0.0)

    def listed() -> str:
        dialog = RecoveryDialog(finished(examining([kept])), window)
        dialog.deleteLater()
        return dialog.list.topLevelItem(0).text(3)

    qtbot.waitUntil(lambda: listed() == "Lesson width")


def test_the_end_of_a_lesson_offers_the_next_one(qtbot, window):
    student = Student(qtbot, window)
    student.open(lesson(2))
    student.tutor.go_to(4)
    student.settle()
    assert not student.panel.next_lesson.isVisible()
    student.key(Key.Key_A)
    student.settle()
    student.press(student.panel.next_lesson)
    qtbot.waitUntil(lambda: student.tutor.lesson is not None and student.tutor.lesson.path == lesson(3))
    student.settle()
    assert "02-bend-the-space" in window.settings.lessons_done


def test_a_lesson_of_ones_own_offers_no_next_one(qtbot, window, tmp_path):
    path = tmp_path / "own.md"
    path.write_text(PLANE, encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    student.tutor.go_to(3)
    student.settle()
    student.press(student.panel.controls.views["gram"])
    student.wait_for_green()
    QApplication.processEvents()
    assert not student.panel.next_lesson.isVisible()
