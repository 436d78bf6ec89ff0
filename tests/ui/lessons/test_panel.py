"""The panel: sizes, presenting, rings, hostile words, the list of lessons, the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QSplitter

from kernelviz.session.lessons.reader import parse_lesson
from kernelviz.session.lessons.shipped import shipped
from kernelviz.session.lessons.writing import stage_block
from kernelviz.ui.canvas.welcome import Welcome
from kernelviz.ui.lessons.chooser import LessonChooser
from kernelviz.ui.lessons.player import present_state
from kernelviz.ui.lessons.prose import Prose
from kernelviz.ui.lessons.rings import PointRing
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.widgets.number_field import NumberField
from tests.ui.lessons.student import CURVE, PLANE, Student
from tests.ui.window.acting import come_to_rest, present
from tests.ui.window.test_accessibility import nameless


def share(window) -> float:
    return window.stage.width() * window.stage.height() / (window.width() * window.height())


def test_the_canvas_keeps_its_share_of_a_small_screen_with_a_view_open(qtbot, window, student):
    window.resize(1024, 768)
    student.key(Qt.Key.Key_B)
    student.settle()
    student.press(student.panel.controls.views["gram"])
    qtbot.waitUntil(lambda: window.width() == 1024 and window.docks["insight"].isVisible())
    qtbot.waitUntil(lambda: share(window) >= 0.45)
    assert student.panel.isAncestorOf(window.docks["insight"])
    assert student.panel.isVisible()


def hidden_height(panel) -> int:
    """Return how many pixels of the text one has to scroll for."""
    return panel.area.verticalScrollBar().maximum()


@pytest.mark.parametrize("name", ["04-features-never-computed", "17-kernel-ridge", "18-functions-as-vectors"])
def test_a_question_is_read_on_a_small_screen_with_a_view_open(qtbot, window, name):
    window.resize(1024, 768)
    student = Student(qtbot, window)
    student.open(next(path for path in shipped() if path.stem == name))
    qtbot.waitUntil(window.docks["insight"].isVisible)
    qtbot.waitUntil(lambda: share(window) >= 0.45 and student.panel.area.height() >= 300)
    qtbot.waitUntil(lambda: hidden_height(student.panel) < 70)  # one or two lines, once formulas are typeset
    assert window.insight.height() >= 230


def test_a_border_that_was_dragged_stays_until_the_next_step(qtbot, window, student):
    window.resize(1024, 768)
    student.key(Qt.Key.Key_B)
    student.settle()
    student.press(student.panel.controls.views["gram"])
    qtbot.waitUntil(lambda: window.width() == 1024 and window.docks["insight"].isVisible())
    student.settle()
    qtbot.wait(50)  # the panel is divided once it is laid out
    split = student.panel.findChild(QSplitter)
    handle, before = split.handle(1), split.sizes()
    start = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(handle, QPoint(start.x(), start.y() - 40))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(start.x(), start.y() - 40))
    dragged = split.sizes()
    assert dragged != before
    student.type_number("kernel.gamma", "7")
    student.settle()
    qtbot.wait(50)
    assert split.sizes() == dragged
    student.key(Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    student.settle()
    qtbot.waitUntil(lambda: split.sizes() != dragged)


def test_in_a_wide_window_a_view_stands_next_to_the_text(qtbot, window):
    window.resize(1366, 768)
    student = Student(qtbot, window)
    student.open(next(path for path in shipped() if path.stem == "18-functions-as-vectors"))
    qtbot.waitUntil(lambda: window.insight.height() > 600 and student.panel.area.height() > 500)
    assert share(window) >= 0.45
    assert hidden_height(student.panel) == 0


def test_a_room_reads_prose_and_question_with_a_view_open(qtbot, window):
    window.resize(1366, 768)
    student = Student(qtbot, window)
    student.open(next(path for path in shipped() if path.stem == "18-functions-as-vectors"))
    qtbot.keyClick(window, Qt.Key.Key_F11)
    come_to_rest(window)
    qtbot.waitUntil(lambda: student.panel.presenting and window.docks["insight"].isVisible())
    window.resize(1366, 768)  # the screen of the tests has another size
    qtbot.waitUntil(lambda: window.insight.height() > 500)
    qtbot.waitUntil(lambda: not student.panel.prediction.visibleRegion().isEmpty())
    assert "squared length" in " ".join(prose.text for prose in student.panel.findChildren(Prose))
    assert hidden_height(student.panel) < 70
    qtbot.keyClick(window, Qt.Key.Key_F11)
    come_to_rest(window)


def test_in_a_very_narrow_window_the_panel_lies_over_the_canvas_and_folds_away(qtbot, window, student):
    window.resize(580, 600)
    qtbot.waitUntil(lambda: student.panel.fold.isVisible())
    qtbot.waitUntil(lambda: window.stage.width() > 0.95 * window.width())
    student.press(student.panel.fold)
    qtbot.waitUntil(lambda: not student.panel.isVisible())
    student.press(window.lessons.part.place.handle)
    qtbot.waitUntil(lambda: student.panel.isVisible())
    window.resize(1200, 700)
    qtbot.waitUntil(lambda: not student.panel.fold.isVisible())
    qtbot.waitUntil(lambda: window.stage.width() < 950)


def test_a_letter_shows_a_question_that_is_out_of_view_before_it_answers_it(qtbot, window, tmp_path):
    path = tmp_path / "long.md"
    path.write_text(PLANE.replace("A kernel decides", "A long introduction. " * 200 + "A kernel decides"))
    student = Student(qtbot, window)
    student.open(path)
    qtbot.waitUntil(student.panel.more.isVisible)
    student.key(Qt.Key.Key_B)
    qtbot.waitUntil(lambda: not student.panel.more.isVisible())
    assert student.tutor.answer is None
    student.key(Qt.Key.Key_B)
    qtbot.waitUntil(lambda: student.tutor.answer == "b")
    student.settle()


def test_the_question_after_a_task_is_brought_into_view(qtbot, window):
    """Its task is green and in view, and the question that follows is below."""
    window.resize(1024, 600)
    student = Student(qtbot, window)
    student.open(next(path for path in shipped() if path.stem == "13-the-rings-again"))
    student.tutor.go_to(3)
    student.settle()
    student.press(student.panel.controls.views["components"])
    student.wait_for_green()
    panel = student.panel
    qtbot.waitUntil(panel.more.isVisible)
    student.press(panel.more)
    qtbot.waitUntil(lambda: not panel.question_hidden)
    student.key(Qt.Key.Key_B)
    qtbot.waitUntil(lambda: student.tutor.answer == "b")


def test_a_stage_in_another_workspace_is_no_try_at_its_task(qtbot, window, tmp_path):
    path = tmp_path / "ridge.md"
    question, _ = CURVE[CURVE.index("```predict") :].split("## Ridge")
    path.write_text(CURVE.replace(question, "").replace("## Ridge", ""), encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    student.settle()
    assert window.session.document.workspace.name == "curve"
    assert (student.tutor.light, student.tutor.progress.tries) == ("waiting", {})


def test_a_ring_marks_the_button_of_the_view_that_a_task_is_about(qtbot, window, student):
    student.key(Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    student.key(Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    student.settle()
    assert student.panel.controls.views["gram"].ringed
    assert not any(row.ringed for row in student.panel.controls.rows)


def test_a_letter_pressed_again_chooses_no_tool(qtbot, window, student):
    tool = window.canvas.tool
    student.key(Qt.Key.Key_B)
    student.settle()
    for key in (Qt.Key.Key_B, Qt.Key.Key_A):
        student.key(key)
    assert window.canvas.tool == tool
    assert student.tutor.answer == "b"


def test_a_room_is_asked_with_large_letters_and_space_reveals(qtbot, window, student):
    window.actions_by_name["presentation"].trigger()
    qtbot.waitUntil(lambda: not window.unpainted.busy and student.panel.presenting)

    def letters() -> float:
        return student.panel.prediction.buttons["a"].font().pointSizeF()

    qtbot.waitUntil(lambda: letters() > 1.4 * window.font().pointSizeF())
    student.panel.prediction.hands["a"].setValue(17)
    student.key(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: student.tutor.answer is not None)
    assert window.session.look.mode == "live", "Space has not played the algorithm"
    student.settle()
    window.actions_by_name["presentation"].trigger()
    qtbot.waitUntil(lambda: not window.unpainted.busy and not student.panel.presenting)
    assert not any(dock.isVisible() for dock in window.docks.values())


@pytest.mark.parametrize("by_mouse", [False, True])
def test_an_answer_that_is_shown_before_anybody_gave_one_is_no_expectation(qtbot, window, student, by_mouse):
    window.actions_by_name["presentation"].trigger()
    qtbot.waitUntil(lambda: not window.unpainted.busy and student.panel.presenting)
    if by_mouse:
        student.press(student.panel.prediction.reveal)
    else:
        student.key(Qt.Key.Key_Space)
    student.settle()
    card = student.panel.prediction
    headings = [label.text() for label in card.findChildren(Label) if label.isVisible()]
    assert "The answer" in headings
    assert "You expected" not in headings
    assert card.verdict.accessibleName() == "It is B."
    assert not any(button.isChecked() for button in card.buttons.values())
    assert " 1:- " in str(student.tutor.progress), "the lecturer's copied answers claim no right answer"
    assert student.panel.task is not None, "the step goes on"


def test_a_room_goes_on_with_space_once_the_question_and_the_task_are_done(qtbot, window, student):
    window.actions_by_name["presentation"].trigger()
    qtbot.waitUntil(lambda: not window.unpainted.busy and student.panel.presenting)
    for step, done in ((1, False), (1, False), (1, True)):  # reveals, waits for the task, waits for it
        student.key(Qt.Key.Key_Space)
        student.settle()
        assert student.tutor.index + 1 == step
        assert student.panel.next.text() == "Next"
        assert window.session.look.mode == "live", "Space has not played the algorithm"
        if done:
            student.press(student.panel.task.show_me)
            student.wait_for_green()
            student.settle()
    assert student.panel.next.text() == "Next (Space)"
    student.key(Qt.Key.Key_Space)
    student.settle()
    assert student.tutor.index == 1
    assert window.session.look.mode == "live"


def test_a_room_plays_with_space_after_the_answer_where_the_lesson_shows_how(qtbot, window, tmp_path):
    path = tmp_path / "tube.md"
    path.write_text(CURVE, encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    window.actions_by_name["presentation"].trigger()
    qtbot.waitUntil(lambda: not window.unpainted.busy and student.panel.presenting)
    student.key(Qt.Key.Key_Space)
    student.settle()
    assert student.panel.next.text() == "Next"
    student.key(Qt.Key.Key_Space)
    assert window.session.look.mode == "watch"
    assert student.tutor.index == 0


def test_ending_a_lesson_in_presentation_mode_brings_the_panels_back_after_it(qtbot, window, plane_lesson):
    shown = {name for name, dock in window.docks.items() if dock.isVisible()}
    student = Student(qtbot, window)
    student.open(plane_lesson)
    window.actions_by_name["presentation"].trigger()
    qtbot.waitUntil(lambda: not window.unpainted.busy and student.panel.presenting)
    window.lessons.end_lesson()
    window.actions_by_name["presentation"].trigger()
    qtbot.waitUntil(lambda: not window.unpainted.busy and not window.presentation.on)
    assert {name for name, dock in window.docks.items() if dock.isVisible()} == shown


def test_the_views_of_a_lesson_stay_in_its_panel_however_often_one_presents(qtbot, window, tmp_path):
    path = tmp_path / "width.md"
    path.write_text(PLANE.replace("```stage\n", '```stage\nopen = ["gram"]\n', 1), encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    width = window.stage.width()
    for _ in range(4):
        qtbot.keyClick(window, Qt.Key.Key_F11)
        come_to_rest(window)
        assert student.panel.isAncestorOf(window.insight.view("gram"))
        assert window.insight.view("gram").isVisible()
    qtbot.waitUntil(lambda: window.stage.width() == width)


def test_a_ring_marks_the_control_and_the_point_a_step_speaks_of(qtbot, window, student):
    assert student.control("kernel.gamma").ringed
    student.press(student.panel.next)
    student.settle()
    assert [ring.name for ring in window.findChildren(PointRing) if ring.isVisible()] == ["p"]
    student.press(student.panel.back)
    student.settle()
    assert not [ring for ring in window.findChildren(PointRing) if ring.isVisible()]


def test_the_ring_of_a_point_follows_it_when_the_canvas_gets_another_size(qtbot, window, student):
    student.press(student.panel.next)
    student.settle()
    (ring,) = (ring for ring in window.findChildren(PointRing) if ring.isVisible())

    def is_around_its_point() -> bool:
        area, ((_, row),) = window.canvas.area, window.lessons.part.tutor.now().points
        at = area.mapFromScene(area.box.mapViewToScene(QPointF(*window.canvas.scene.places()[row])))
        return (ring.geometry().topLeft() + QPoint(22, 22) - at).manhattanLength() <= 3

    assert is_around_its_point()
    before = ring.geometry()
    window.resize(window.width() - 240, window.height() - 60)
    qtbot.waitUntil(lambda: ring.geometry() != before and is_around_its_point())


def test_a_ring_that_the_view_leaves_far_behind_comes_back_with_its_point(qtbot, window, student):
    def rings() -> list[str]:
        return [ring.name for ring in window.findChildren(PointRing) if ring.isVisible()]

    student.press(student.panel.next)
    student.settle()
    box = window.canvas.area.box
    before = box.viewRect()
    box.setRange(QRectF(1e3, 1e3, 1e-7, 1e-7), padding=0)
    qtbot.waitUntil(lambda: not rings())
    box.setRange(before, padding=0)
    qtbot.waitUntil(lambda: rings() == ["p"])


def test_every_control_has_a_name(qtbot, window, student):
    assert not nameless(student.panel)
    student.press(student.panel.prediction.buttons["a"])
    student.settle()
    qtbot.waitUntil(lambda: student.panel.task is not None)
    assert not nameless(student.panel)


def test_words_of_a_lesson_are_never_taken_for_html(qtbot, window, tmp_path):
    path = tmp_path / "a & b.md"
    path.write_text(
        PLANE.replace("It falls.", "1 < 2 & 3 > 2").replace("Too narrow", "x & y"), encoding="utf-8"
    )
    student = Student(qtbot, window)
    student.open(path)
    assert student.panel.prediction.buttons["a"].accessibleName() == "A: 1 < 2 & 3 > 2"
    for label in student.panel.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText or not label.text()


def test_the_list_of_lessons_opens_one(qtbot, window):
    window.actions_by_name["lessons"].trigger()
    qtbot.waitUntil(lambda: window.findChild(LessonChooser) is not None)
    chooser = window.findChild(LessonChooser)
    assert chooser.list.topLevelItemCount() >= 3
    qtbot.keyClick(chooser.list, Qt.Key.Key_Return)
    student = Student(qtbot, window)
    student.settle()
    assert window.lessons.part.tutor.lesson.title == "No line does it"


def test_the_card_of_the_first_start_leads_to_the_lessons(qtbot, window):
    window.welcome()
    window.findChild(Welcome).text.linkActivated.emit("lessons")
    qtbot.waitUntil(lambda: window.findChild(LessonChooser) is not None)
    window.findChild(LessonChooser).reject()


def test_the_keyboard_goes_to_the_lesson(qtbot, window, student):
    window.activateWindow()
    window.actions_by_name["go_to_lesson"].trigger()
    assert student.panel.prediction.buttons["a"].hasFocus() or not window.isActiveWindow()


@pytest.mark.parametrize("source", ["moons(n=40, noise=0.3, seed=4)", ""])
def test_what_is_on_screen_can_be_copied_as_a_stage(qtbot, window, student, source):
    window.lessons.end_lesson()
    if not source:
        window.session.change("move", data=window.session.document.data.subset(range(7)), source="")
    window.actions_by_name["copy_stage"].trigger()
    block = QGuiApplication.clipboard().text()
    assert block == stage_block(present_state(window.workbench, window.lessons.part.views.now()))
    lesson = parse_lesson(f'+++\nformat = 1\ntitle = "x"\n+++\n\n## Step\n\n{block}', "x.md")
    document = lesson.start(0).document
    assert (document.data.X == window.session.document.data.X).all()
    assert str(document.fit) == str(window.session.document.fit)


def test_a_point_that_an_action_moves_out_of_view_stays_in_sight(qtbot, window, tmp_path):
    path = tmp_path / "far.md"
    path.write_text(PLANE.replace("move p (0, -1.5)", "move p (0, -9)"), encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    student.press(student.panel.next)
    student.settle()
    student.press(student.panel.task.show_me)
    student.wait_for_green()
    assert window.session.look.view.bottom < -9


def test_a_step_with_a_question_alone_is_done_once_it_is_answered(qtbot, window, tmp_path):
    path = tmp_path / "tube.md"
    path.write_text(CURVE, encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    assert student.tutor.steps_done == frozenset()
    student.key(Qt.Key.Key_A)
    student.settle()
    assert student.tutor.steps_done == {1}


def test_prose_after_a_task_waits_until_it_is_done(qtbot, window, tmp_path):
    path = tmp_path / "after.md"
    path.write_text(CURVE + "\nThat was *ridge*.\n", encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    student.press(student.panel.next)
    student.settle()
    assert "That was *ridge*." not in student.tutor.shown_parts()
    student.press(student.panel.task.show_me)
    student.wait_for_green()
    assert student.tutor.shown_parts()[-1] == "That was *ridge*."


def test_a_parameter_with_several_names_has_one_control_by_the_name_of_the_step(qtbot, window, tmp_path):
    path = tmp_path / "names.md"
    text = PLANE.replace('["kernel.gamma", ', '["kernel.gamma", "kernel.sigma", ')
    text = text.replace('do    = "kernel.gamma = 20"', 'do    = "kernel.sigma = 0.16"')
    path.write_text(text, encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    assert not student.panel.controls.isVisible(), "predict first, then try"
    student.key(Qt.Key.Key_B)
    student.settle()
    qtbot.waitUntil(student.panel.controls.isVisible)
    assert [row.name for row in student.panel.controls.rows if row.isVisible()] == ["kernel.sigma"]


def test_a_letter_answers_while_a_number_field_has_the_focus(qtbot, window, student, plane_lesson, tmp_path):
    path = tmp_path / "bounds.md"
    text = plane_lesson.read_text(encoding="utf-8")
    path.write_text(text.replace('fit  = "rbf', 'open = ["bounds"]\nfit  = "rbf', 1), encoding="utf-8")
    student.open(path)
    window.activateWindow()
    field = next(field for field in window.insight.findChildren(NumberField) if field.isVisible())
    shown = field.text()
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "7")
    qtbot.keyClick(field, Qt.Key.Key_A)
    assert student.tutor.answer is None, "a number that is being typed is not finished"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClick(field, Qt.Key.Key_B)
    assert student.tutor.answer == "b"
    assert field.text() == shown


def test_the_steps_are_at_the_same_place_with_views_and_without(qtbot, window, student):
    window.resize(1024, 768)
    qtbot.waitUntil(lambda: window.width() == 1024)
    student.key(Qt.Key.Key_B)
    student.settle()

    def places() -> list[QPoint]:
        buttons = (student.panel.back, student.panel.next)
        return [button.mapTo(window, button.rect().topLeft()) for button in buttons]

    come_to_rest(window)
    without = places()
    alone = student.panel.width()
    student.press(student.panel.controls.views["gram"])
    qtbot.waitUntil(lambda: window.docks["insight"].isVisible() and student.panel.width() > alone)
    qtbot.waitUntil(lambda: places() == without)


LARGE = PLANE.replace('fit  = "rbf', 'open = ["gram"]\nlarge = true\nfit  = "rbf', 1)


def test_a_view_may_begin_in_the_place_of_the_canvas(qtbot, window, tmp_path):
    path = tmp_path / "large.md"
    path.write_text(LARGE, encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    qtbot.waitUntil(lambda: window.insight.enlarged == "gram")
    student.press(student.panel.next)
    student.settle()
    qtbot.waitUntil(lambda: window.insight.enlarged is None)
    assert window.stage.isVisible()


def test_a_view_is_closed_by_an_action(qtbot, window, tmp_path):
    path = tmp_path / "closing.md"
    text = LARGE.replace('reveal = "kernel.gamma = 200"', 'reveal = ["kernel.gamma = 200", "close gram"]')
    path.write_text(text, encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    qtbot.waitUntil(lambda: "gram" in student.tutor.now().views)
    student.key(Qt.Key.Key_B)
    qtbot.waitUntil(lambda: "gram" not in student.tutor.now().views)


def test_a_list_offers_what_the_algorithm_of_each_step_takes(qtbot, window, tmp_path):
    text = CURVE.replace('shows  = ["algorithm",', 'shows  = ["kernel", "algorithm",')
    text += """
## A mean

```stage
data = "sinc(n=30)"
fit  = "rbf(gamma=1) ; nadaraya-watson"
```

```task
say   = "Choose the box."
check = "kernel == 'box'"
do    = "kernel = box(l=0.3)"
```
"""
    path = tmp_path / "box.md"
    path.write_text(text, encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    picker = student.control("kernel").picker
    assert picker.findText("Box") < 0, "ridge cannot use it"
    student.tutor.go_to(3)
    student.settle()
    qtbot.waitUntil(lambda: picker.findText("Box") >= 0)


def test_the_parameter_of_a_part_has_its_own_control_next_to_the_list(qtbot, window, tmp_path):
    path = tmp_path / "parts.md"
    text = PLANE.replace('["kernel.gamma", ', '["kernel", "kernel.gamma", ')
    path.write_text(text.replace('"rbf(gamma=1) ;', '"rbf(gamma=1) + linear ;', 1), encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    student.key(Qt.Key.Key_B)
    student.settle()

    def visible() -> list[tuple[str, bool]]:
        return [(row.name, row.ringed) for row in student.panel.controls.rows if row.isVisible()]

    qtbot.waitUntil(lambda: visible() == [("kernel", False), ("kernel.gamma", True)])
    student.type_number("kernel.gamma", "20")
    student.wait_for_green()
    student.tutor.go_to(2)
    student.settle()
    qtbot.waitUntil(lambda: [name for name, _ in visible()] == ["kernel"])  # linear has no γ


def test_page_down_is_next_and_reveal_in_a_lesson_for_a_room(student):
    """A question to one person waits for their answer."""
    student.key(Qt.Key.Key_PageDown)
    assert student.tutor.open_prediction is not None
    present(student.window)
    student.settle()
    student.key(Qt.Key.Key_PageDown)
    student.settle()
    assert student.panel.prediction.verdict.text.startswith("**It is B.**")
    assert student.window.session.document.kernel.gamma == 200
    student.key(Qt.Key.Key_PageDown)
    student.settle()
    assert student.tutor.step.title == "One point"
    student.key(Qt.Key.Key_PageUp)
    student.settle()
    assert student.tutor.step.title == "Too narrow"
