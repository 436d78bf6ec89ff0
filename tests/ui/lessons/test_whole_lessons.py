"""Three whole lessons with mouse and keys, one in each workspace."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from kernelviz.session.lessons.progress import LessonProgress
from tests.ui.lessons.student import CURVE, WORDS, Student


def test_a_lesson_in_the_plane(qtbot, window, student, settings):
    before = window.session.document
    assert before.source == "moons(n=40, noise=0.3, seed=4)"
    panel = student.panel
    assert panel.prediction is not None
    assert panel.task is None, "nothing is to be seen behind an open question"
    # A wrong prediction, by its key: the control moves, and the reason is given.
    student.key(Qt.Key.Key_A)
    qtbot.waitUntil(lambda: window.session.document.kernel.gamma == 200)
    student.settle()
    assert "no others" in " ".join(prose.text for prose in panel.prediction.findChildren(type(panel.title)))
    assert not any(button.isEnabled() for button in panel.prediction.buttons.values())
    # The task: too narrow, then right.
    student.type_number("kernel.gamma", "100")
    qtbot.waitUntil(lambda: student.tutor.light == "missed")
    assert panel.task.reason.text == "Make it wider."
    student.press(panel.task.hint)
    qtbot.waitUntil(lambda: student.tutor.hints == 1)
    student.type_number("kernel.gamma", "20")
    student.wait_for_green()
    assert student.tutor.index == 0, "a step does not end by itself"
    # Green for good, whatever comes next.
    student.type_number("kernel.gamma", "300")
    student.settle()
    qtbot.wait(100)
    assert student.tutor.light == "done"
    student.key(Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    student.settle()
    assert student.tutor.index == 1
    x, y = window.session.document.data.X[0]
    student.drag((x, y), (x, -1.4))
    student.wait_for_green()
    student.press(panel.next)
    student.settle()
    student.press(panel.controls.views["gram"])
    student.wait_for_green()
    student.press(panel.copy)
    copied = LessonProgress.parse(QGuiApplication.clipboard().text())
    assert copied.answers == {1: "a"}
    assert not copied.right
    assert copied.green == {1, 2, 3}
    assert copied.tries[1] >= 1
    assert panel.next.text() == "Finish"
    student.press(panel.next)
    qtbot.waitUntil(lambda: not window.lessons.running)
    assert "width" in settings.lessons_done


def test_a_lesson_on_a_curve(qtbot, window, tmp_path):
    path = tmp_path / "tube.md"
    path.write_text(CURVE, encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    assert window.canvases.workspace.name == "curve"
    assert window.playback.isVisible()
    student.press(student.panel.prediction.buttons["b"])
    qtbot.waitUntil(lambda: window.session.document.algorithm.epsilon == 0.3)
    student.settle()
    assert student.tutor.progress.right == {1}
    student.press(student.panel.next)
    student.settle()
    picker = student.control("algorithm").picker
    picker.setFocus()
    wanted = picker.names().index("ridge") - picker.names().index("svr")
    for _ in range(abs(wanted)):
        qtbot.keyClick(picker, Qt.Key.Key_Down if wanted > 0 else Qt.Key.Key_Up)
    student.wait_for_green()


def test_a_lesson_with_words(qtbot, window, tmp_path):
    path = tmp_path / "strings.md"
    path.write_text(WORDS, encoding="utf-8")
    student = Student(qtbot, window)
    student.open(path)
    assert window.canvases.workspace.name == "words"
    assert not window.docks["insight"].isVisible()
    student.key(Qt.Key.Key_B)
    qtbot.waitUntil(window.docks["insight"].isVisible)
    student.settle()
    qtbot.waitUntil(lambda: student.panel.task is not None)
    assert student.panel.controls.views["gram"].isChecked()
    box = student.control("kernel.fold_case").control.box
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(10, box.height() // 2))
    student.wait_for_green()
