"""A lecture in the window: the keys of a clicker, on and back, off the road and back, its strip, its file."""

from __future__ import annotations

from dataclasses import astuple, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QPoint, QPointF, Qt
from PySide6.QtGui import QPixmap, QWheelEvent
from PySide6.QtWidgets import QApplication, QInputDialog, QMessageBox, QToolBar

from kernelviz.session.lessons.lecture_reader import lectures, read_lecture
from kernelviz.session.lessons.shipped import shipped
from kernelviz.ui import app
from kernelviz.ui.lessons import stop_pictures
from kernelviz.ui.lessons.page_keys import BlankScreen
from kernelviz.ui.widgets.number_field import NumberField
from kernelviz.ui.widgets.picker import Picker
from tests.ui.window.acting import come_to_rest, present, shown_panels

KEY = Qt.Key
LECTURE = """+++
format = 1
kind   = "lecture"
title  = "Mine"
+++

## Width

```stage
data = "moons(n=40, noise=0.3, seed=4)"
test = "fresh"
fit  = "rbf(gamma=1) ; soft-margin-svm(C=10)"
```

Notes on the width.

```predict
ask    = "What happens?"
a      = "Nothing."
b      = "It falls."
answer = "b"
reveal = "kernel.gamma = 50"
true   = "kernel.gamma == 50"
```

```do
kernel.gamma = 2
open gram
```

## Point

```stage
data   = "gaussians(n=10, distance=4, noise=0.3, seed=1)"
fit    = "linear ; soft-margin-svm(C=10)"
points = { p = 1 }
show   = ["slack"]
hide   = ["kernel", "toolbar", "playback"]
```

```do
move p (0, -1.5)
open gram
open gram(face=spectrum)
```

## Gone

```stage
open = "gone.kviz"
```

## Last

```stage
data = "rings(n=40)"
fit  = "linear ; prototype"
```
"""


class Speaker:
    """Gives a lecture with a clicker, with mouse and keys."""

    def __init__(self, qtbot, window) -> None:
        self.qtbot, self.window = qtbot, window

    @property
    def part(self):
        return self.window.lessons.lecture

    @property
    def lecturer(self):
        return self.part.lecturer

    @property
    def strip(self):
        return self.part.strip

    @property
    def gamma(self) -> float:
        return self.window.session.document.kernel.gamma

    @property
    def place(self) -> tuple[int, int]:
        return self.lecturer.index + 1, self.lecturer.press

    def open(self, path: Path) -> None:
        self.window.files.open_path(path)
        self.qtbot.waitUntil(lambda: self.part.running)
        self.settle()

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: not self.lecturer.player.busy and self.window.workbench.up_to_date)
        come_to_rest(self.window)

    def press(self, *keys: Qt.Key) -> None:
        """Press keys where the keyboard is, one after the other."""
        for key in keys:
            self.qtbot.keyClick(QApplication.focusWidget() or self.window, key)
            self.settle()

    def add_point(self) -> None:
        area = self.window.canvas.area
        spot = area.mapFromScene(area.box.mapViewToScene(QPointF(-1.7, -1.2)))
        before = self.window.session.document.data.n
        self.qtbot.mouseClick(area.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        assert self.window.session.document.data.n == before + 1
        self.settle()

    def titles(self) -> list[str]:
        stops = self.strip.stops
        return [stops.item(row).text() for row in range(stops.count())]

    def pictured(self) -> list[bool]:
        """Return for each stop whether a picture of it is in the strip."""
        stops = self.strip.stops
        images = [stops.item(row).icon().pixmap(stops.iconSize()).toImage() for row in range(stops.count())]
        blank = stops.palette().base().color()
        return [
            any(image.pixelColor(image.width() // 2, y) != blank for y in range(image.height()))
            for image in images
        ]


def wheel(viewport, turned: int) -> None:
    """Turn the wheel over the middle of a canvas."""
    at, none = QPointF(viewport.rect().center()), Qt.KeyboardModifier.NoModifier
    phase, buttons = Qt.ScrollPhase.NoScrollPhase, Qt.MouseButton.NoButton
    place = QPointF(viewport.mapToGlobal(at.toPoint()))
    turn = QWheelEvent(at, place, QPoint(), QPoint(0, turned), buttons, none, phase, False)
    QApplication.sendEvent(viewport, turn)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "mine.md"
    path.write_text(LECTURE, encoding="utf-8")
    return path


@pytest.fixture
def speaker(qtbot, window, path, monkeypatch) -> Speaker:
    monkeypatch.setattr(stop_pictures, "REST", 5)
    made = Speaker(qtbot, window)
    made.open(path)
    return made


# On and back -----------------------------------------------------------------------------------------------
def test_page_down_is_one_visible_step_and_page_up_takes_it_back(speaker):
    seen = []
    for _ in range(5):
        seen.append((speaker.place, getattr(speaker.window.session.document.kernel, "gamma", None)))
        speaker.press(KEY.Key_PageDown)
    assert seen == [((1, 0), 1), ((1, 1), 50), ((1, 2), 2), ((1, 3), 2), ((2, 0), None)]
    assert speaker.place == (2, 1)
    for place, gamma in reversed(seen):
        speaker.press(KEY.Key_PageUp)
        assert (speaker.place, getattr(speaker.window.session.document.kernel, "gamma", None)) == (
            place,
            gamma,
        )
    speaker.press(KEY.Key_PageUp)
    assert speaker.place == (1, 0)


def test_a_view_is_opened_by_its_press_and_closed_by_going_back(speaker):
    speaker.press(*[KEY.Key_PageDown] * 3)
    assert speaker.part.views.now().keys() == {"gram"}
    speaker.press(KEY.Key_PageUp)
    assert speaker.part.views.now() == {}


def test_presentation_mode_has_the_views_of_the_stop_and_so_has_the_desk_afterwards(speaker, path):
    window = speaker.window
    speaker.part.end_lecture()
    window.arrangement.wish(
        replace(window.arrangement.wishes, presented=frozenset({"insight"}), presented_views=("weights",))
    )
    speaker.open(path)
    present(window)
    assert "insight" not in shown_panels(window)
    speaker.press(*[KEY.Key_PageDown] * 3)
    assert speaker.part.views.now().keys() == {"gram"}
    present(window)
    assert speaker.part.views.now().keys() == {"gram"}
    speaker.press(KEY.Key_PageDown)
    assert speaker.part.views.now() == {}
    present(window)
    assert speaker.part.views.now() == {}
    speaker.part.end_lecture()
    come_to_rest(window)
    assert speaker.part.views.now().keys() == {"weights"}


def test_a_view_closed_in_a_narrow_window_stays_closed_in_a_wide_one(qtbot, window, path):
    window.resize(1024, 768)
    come_to_rest(window)
    speaker = Speaker(qtbot, window)
    speaker.open(path)
    speaker.press(*[KEY.Key_PageDown] * 3)
    window.resize(1400, 800)
    come_to_rest(window)
    assert speaker.part.views.now().keys() == {"gram"}
    speaker.press(KEY.Key_PageUp)
    window.resize(1024, 768)
    come_to_rest(window)
    assert speaker.part.views.now() == {}


def test_a_view_is_set_as_its_line_says_and_as_before_by_going_back(speaker):
    speaker.press(*[KEY.Key_PageDown] * 7)
    gram = speaker.window.insight.view("gram")
    assert gram.view.face == "spectrum"
    speaker.press(KEY.Key_PageUp)
    assert gram.view.face == "matrix"


def test_a_second_press_while_something_moves_shows_its_end(qtbot, speaker, monkeypatch):
    from kernelviz.session.lessons import playing

    monkeypatch.setattr(playing, "PACE", 2000)
    qtbot.keyClick(speaker.window.canvas.area, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: speaker.lecturer.player.playing)
    assert 1 < speaker.gamma < 50
    speaker.press(KEY.Key_PageDown)
    assert (speaker.place, speaker.gamma) == ((1, 1), 50)


@pytest.mark.parametrize("kind", [NumberField, Picker])
def test_the_keys_of_a_clicker_work_wherever_the_keyboard_is(speaker, kind):
    widget = speaker.window.docks["kernel"].findChild(kind)
    widget.setFocus()
    assert QApplication.focusWidget() is not speaker.window.canvas.area
    speaker.press(KEY.Key_PageDown)
    assert (speaker.place, speaker.gamma) == ((1, 1), 50)
    assert speaker.window.session.document.kernel.name == "rbf"


def test_keys_pressed_before_a_stop_is_computed_lose_nothing_of_it(qtbot, window, path):
    path.write_text(LECTURE.replace('show   = ["slack"]', 'open = ["gram"]\nlarge = true'), encoding="utf-8")
    speaker = Speaker(qtbot, window)
    speaker.open(path)
    speaker.press(*[KEY.Key_PageDown] * 3)
    for _ in range(2):
        qtbot.keyClick(QApplication.focusWidget() or window, KEY.Key_PageDown)
    speaker.settle()
    assert speaker.place == (2, 1)
    assert window.insight.enlarged is not None
    assert window.session.document.data.X[0].tolist() == [0, -1.5]


def test_a_question_is_asked_and_the_next_press_reveals_its_answer(speaker):
    card = speaker.part.question.card
    assert card.isVisible()
    assert card.verdict is None
    speaker.press(KEY.Key_PageDown)
    card = speaker.part.question.card
    assert card.verdict.text.startswith("**It is B.**")
    speaker.press(*[KEY.Key_PageDown] * 3)
    assert not speaker.part.question.isVisible()


def test_hands_counted_on_a_small_projector_leave_room_for_the_words_and_stay(speaker):
    speaker.window.resize(1024, 768)
    present(speaker.window)
    card = speaker.part.question.card
    field = card.hands["b"]
    assert field.width() < 0.28 * card.width()
    field.setFocus()
    speaker.qtbot.keyClicks(field, "123")
    assert field.lineEdit().width() > field.fontMetrics().horizontalAdvance("123")
    speaker.press(KEY.Key_PageDown)
    assert speaker.part.question.card.verdict is not None
    assert speaker.part.question.card.hands["b"].value() == 123


def test_the_title_has_the_lecture_and_its_stop(speaker):
    assert speaker.window.windowTitle() == "Mine: Width[*]"
    speaker.press(*[KEY.Key_PageDown] * 4)
    assert speaker.window.windowTitle() == "Mine: Point[*]"


def test_layers_of_a_stop_are_shown_and_those_of_before_come_back(speaker):
    usual = speaker.window.session.look.shown
    speaker.press(*[KEY.Key_PageDown] * 4)
    assert speaker.window.session.look.shown == usual | {"slack"}
    speaker.press(KEY.Key_PageUp)
    assert speaker.window.session.look.shown == usual


def test_what_a_stop_hides_comes_back_with_the_next_and_with_the_end(speaker):
    window = speaker.window
    parts = [window.docks["kernel"], window.findChild(QToolBar, "commands"), window.playback]
    speaker.press(*[KEY.Key_PageDown] * 4)
    assert not any(part.isVisible() for part in parts)
    assert shown_panels(window) == {"data", "algorithm"}
    speaker.press(KEY.Key_PageUp)
    assert all(part.isVisible() for part in parts)
    speaker.press(KEY.Key_PageDown)
    window.actions_by_name["end_lecture"].trigger()
    speaker.settle()
    assert all(part.isVisible() for part in parts)
    assert shown_panels(window) == {"data", "kernel", "algorithm", "insight"}  # as before the lecture


def test_a_hidden_panel_can_be_opened_for_a_question(speaker):
    speaker.press(*[KEY.Key_PageDown] * 4)
    speaker.window.docks["kernel"].toggleViewAction().trigger()
    speaker.settle()
    assert speaker.window.docks["kernel"].isVisible()


def test_a_stop_without_its_file_is_a_sentence_and_the_next_one_is_shown(speaker):
    speaker.press(*[KEY.Key_PageDown] * 8)
    assert speaker.place == (3, 0)
    assert "gone.kviz cannot be opened" in speaker.window.canvas.banner.advice.text
    speaker.press(KEY.Key_PageDown)
    assert speaker.place == (4, 0)
    assert speaker.window.session.document.algorithm.name == "prototype"
    speaker.press(KEY.Key_PageDown)
    assert speaker.place == (4, 0)


# Blank -----------------------------------------------------------------------------------------------------
def test_a_full_stop_blanks_the_window_and_the_next_key_shows_it_where_it_was(speaker):
    blank = speaker.window.findChild(BlankScreen)
    speaker.press(KEY.Key_Period)
    assert blank.isVisible()
    assert blank.size() == speaker.window.size()
    speaker.press(KEY.Key_PageDown)
    assert (blank.isVisible(), speaker.place) == (False, (1, 0))


def test_the_audience_sees_the_blank_too(speaker):
    speaker.window.actions_by_name["audience_window"].trigger()
    audience = speaker.window.audience

    def middle() -> str:
        return audience.grab().toImage().pixelColor(audience.rect().center()).name()

    before = middle()
    speaker.press(KEY.Key_Period)
    assert (before != "#000000", middle()) == (True, "#000000")
    speaker.press(KEY.Key_PageDown)
    assert middle() != "#000000"


def test_b_blanks_in_presentation_mode_alone(qtbot, speaker):
    blank = speaker.window.findChild(BlankScreen)
    speaker.press(KEY.Key_B)
    assert not blank.isVisible()
    speaker.window.actions_by_name["presentation"].trigger()
    speaker.settle()
    qtbot.waitUntil(lambda: not speaker.window.unpainted.busy)
    assert not speaker.strip.isVisible()
    speaker.press(KEY.Key_B)
    assert blank.isVisible()
    speaker.press(KEY.Key_B)
    assert not blank.isVisible()


def test_a_full_stop_is_typed_into_a_number(speaker):
    field = speaker.window.docks["kernel"].findChild(NumberField)
    field.setFocus()
    field.selectAll()
    speaker.qtbot.keyClicks(field, "0.5")
    assert field.text() == "0.5"
    assert not speaker.window.findChild(BlankScreen).isVisible()


# Off the road ----------------------------------------------------------------------------------------------
def test_an_edit_leaves_the_road_and_both_ways_back_lose_nothing(speaker):
    speaker.press(KEY.Key_PageDown)
    assert not speaker.strip.back_to_lecture.isVisible()
    speaker.add_point()
    assert speaker.strip.back_to_lecture.isVisible()
    edited = speaker.window.session.document
    speaker.qtbot.mouseClick(speaker.strip.back_to_lecture, Qt.MouseButton.LeftButton)
    speaker.settle()
    assert (speaker.place, speaker.window.session.document.data.n) == ((1, 1), 40)
    speaker.qtbot.mouseClick(speaker.strip.return_there, Qt.MouseButton.LeftButton)
    speaker.settle()
    assert speaker.window.session.document.data is edited.data
    speaker.press(KEY.Key_PageDown)
    assert (speaker.place, speaker.gamma, speaker.window.session.document.data.n) == ((1, 2), 2, 40)


def test_undo_of_an_edit_is_the_road_again(speaker):
    speaker.add_point()
    speaker.window.session.undo()
    assert not speaker.strip.back_to_lecture.isVisible()


def test_after_a_jump_one_comes_back_to_the_press_where_one_was(speaker):
    speaker.press(KEY.Key_PageDown, KEY.Key_PageDown)
    stops = speaker.strip.stops
    place = stops.visualItemRect(stops.item(3)).center()
    stops.scrollToItem(stops.item(3))
    place = stops.visualItemRect(stops.item(3)).center()
    speaker.qtbot.mouseClick(stops.viewport(), Qt.MouseButton.LeftButton, pos=place)
    speaker.settle()
    assert speaker.place == (4, 0)
    speaker.qtbot.mouseClick(speaker.strip.return_there, Qt.MouseButton.LeftButton)
    speaker.settle()
    assert (speaker.place, speaker.gamma) == ((1, 2), 2)
    assert not speaker.strip.return_there.isVisible()


# Beginning and ending --------------------------------------------------------------------------------------
def test_the_work_from_before_comes_back_with_its_undo(qtbot, window, path):
    window.session.change("set C", algorithm=window.session.document.algorithm.replace(C=3.0))
    before = window.session.document
    speaker = Speaker(qtbot, window)
    speaker.open(path)
    speaker.press(KEY.Key_PageDown)
    window.lessons.end_lesson()
    assert window.session.document is before
    assert window.session.history.undo_name == "set C"
    speaker.settle()
    qtbot.keyClick(window.canvas.area, KEY.Key_PageDown)
    assert window.session.document is before


def test_the_next_stop_reveals_a_fit_that_waits_and_wipes_the_pen_off(qtbot, speaker):
    window = speaker.window
    window.workbench.freeze(True)
    window.canvas.scene.ink.append([(0.0, 0.0), (1.0, 1.0)])
    speaker.part.lecturer.go_to(3)
    qtbot.waitUntil(lambda: window.session.document.algorithm.name == "prototype")
    assert not window.workbench.frozen
    assert window.canvas.scene.ink == []


def test_a_lesson_from_the_list_ends_the_lecture(qtbot, speaker):
    before = speaker.part.work.kept.desk.state.document
    speaker.window.lesson_window.open_path(shipped()[0])
    qtbot.waitUntil(lambda: speaker.window.lessons.kind == "lesson")
    assert not speaker.part.running
    speaker.window.lessons.end_lesson()
    assert speaker.window.session.document is before


def test_the_strip_has_pictures_and_notes(qtbot, speaker):
    qtbot.waitUntil(lambda: speaker.pictured() == [True, True, False, True])
    assert speaker.strip.notes.text == "Notes on the width."


def test_pictures_stay_where_a_change_is_given_up(qtbot, speaker, path):
    qtbot.waitUntil(lambda: speaker.pictured() == [True, True, False, True])
    path.write_text(LECTURE.replace("Notes on", "Other notes on"), encoding="utf-8")
    speaker.strip.stops.item(0).setText("Its width")
    speaker.settle()
    assert "has been changed elsewhere" in speaker.window.canvas.banner.advice.text
    assert speaker.titles()[0] == "Width"
    assert speaker.pictured() == [True, True, False, True]


def test_in_large_type_the_strip_leaves_the_canvas_room(qtbot, window, path):
    window.resize(1024, 768)
    window.set_type_size(200)
    Speaker(qtbot, window).open(path)
    strip, canvas = window.lessons.lecture.strip, window.canvas
    come_to_rest(window)
    assert strip.stops.iconSize().height() >= 32
    assert strip.stops.height() < 0.22 * window.height()
    assert canvas.height() > 0.2 * window.height(), canvas.height()


def test_several_files_are_opened_as_one_lecture(qtbot, window, path):
    speaker = Speaker(qtbot, window)
    app.open_at_start(window, str(lectures()[0]), str(path))
    qtbot.waitUntil(lambda: window.lessons.kind == "lecture")
    speaker.settle()
    first = [step.title for step in read_lecture(lectures()[0]).steps]
    assert speaker.titles() == [*first, "Width", "Point", "Gone", "Last"]


def test_a_saved_lecture_goes_on_where_it_was(qtbot, speaker, tmp_path, start_again):
    speaker.press(*[KEY.Key_PageDown] * 2)
    speaker.add_point()
    n = speaker.window.session.document.data.n
    file = tmp_path / "given.kviz"
    assert speaker.window.files.save_to(file)
    speaker.window.lessons.end_lesson()
    speaker.window.files.open_path(file)
    qtbot.waitUntil(lambda: speaker.window.lessons.kind == "lecture")
    speaker.settle()
    assert (speaker.place, speaker.gamma) == ((1, 2), 2)
    assert speaker.strip.return_there.isVisible()
    speaker.qtbot.mouseClick(speaker.strip.return_there, Qt.MouseButton.LeftButton)
    assert speaker.window.session.document.data.n == n
    speaker.window.lessons.end_lesson()
    assert speaker.window.session.document.data.n != n


@pytest.mark.parametrize("content", [b"\xff\xfe", b"+++\nkind = 3\n+++\n", None])
def test_the_work_from_before_is_there_where_the_saved_lecture_cannot_be_read(
    qtbot, speaker, path, tmp_path, monkeypatch, content
):
    speaker.window.lessons.end_lesson()
    speaker.add_point()
    n = speaker.window.session.document.data.n
    speaker.open(path)
    file = tmp_path / "given.kviz"
    assert speaker.window.files.save_to(file)
    path.unlink() if content is None else path.write_bytes(content)
    window = speaker.window
    window.lessons.end_lesson()
    window.session.undo()
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: QMessageBox.StandardButton.Discard)
    window.files.open_path(file)
    qtbot.waitUntil(lambda: "This is the work from before." in window.canvas.banner.text)
    assert (window.session.document.data.n, window.lessons.kind) == (n, "")


# Its file --------------------------------------------------------------------------------------------------
def test_what_is_on_screen_becomes_a_stop_of_the_file(speaker, path, monkeypatch):
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("A new one", True))
    speaker.add_point()
    speaker.window.session.toggle("slack")
    speaker.window.actions_by_name["add_stop"].trigger()
    speaker.settle()
    assert speaker.titles() == ["Width", "A new one", "Point", "Gone", "Last"]
    assert speaker.place == (2, 0)
    assert speaker.window.session.document.data.n == 41
    assert "slack" in speaker.window.session.look.shown
    assert "Notes on the width." in path.read_text(encoding="utf-8")
    assert [step.title for step in read_lecture(path).steps] == speaker.titles()


def test_a_stop_keeps_the_part_of_the_plane_that_is_seen(speaker, path, monkeypatch):
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("Whole", True))
    speaker.window.actions_by_name["add_stop"].trigger()
    speaker.settle()
    assert "view = " not in path.read_text(encoding="utf-8")
    canvas, session = speaker.window.canvas, speaker.window.session
    wheel(canvas.area.viewport(), 360)
    speaker.settle()
    near, whole = session.look.view, canvas.workbench.session.document.workspace.extent(session.document.data)
    assert near.right - near.left < 0.9 * (whole.right - whole.left)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("Near", True))
    speaker.window.actions_by_name["add_stop"].trigger()
    speaker.press(KEY.Key_PageUp, KEY.Key_PageUp)
    far = session.look.view
    speaker.press(KEY.Key_PageDown, KEY.Key_PageDown)
    assert speaker.lecturer.stop.title == "Near"
    assert astuple(session.look.view) == pytest.approx(astuple(near), rel=1e-3)
    assert far != near


def test_stops_are_renamed_ordered_and_removed(speaker, path, monkeypatch):
    stops = speaker.strip.stops
    stops.item(1).setText("A point")
    speaker.settle()
    assert [step.title for step in read_lecture(path).steps] == ["Width", "A point", "Gone", "Last"]
    stops.shifted.emit(3, 0)
    speaker.settle()
    assert [step.title for step in read_lecture(path).steps] == ["Last", "Width", "A point", "Gone"]
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    stops.setCurrentRow(3)
    speaker.qtbot.keyClick(stops, KEY.Key_Delete)
    speaker.settle()
    assert (
        speaker.titles() == [step.title for step in read_lecture(path).steps] == ["Last", "Width", "A point"]
    )


def test_a_picture_that_comes_while_a_title_is_typed_changes_no_letter_of_it(qtbot, speaker, path):
    stops, png = speaker.strip.stops, QBuffer()
    qtbot.waitUntil(lambda: speaker.pictured() == [True, True, False, True])
    QPixmap(20, 20).save(png, "PNG")
    speaker.window.actions_by_name["show_strip"].trigger()
    speaker.press(KEY.Key_F2)
    qtbot.keyClicks(QApplication.focusWidget(), "No. 1")
    stops.show_picture(0, png.data().data())
    speaker.press(KEY.Key_Return)
    assert next(step.title for step in read_lecture(path).steps) == "No. 1"


def test_keys_in_the_strip_are_about_its_stops_and_not_about_points(speaker, path, monkeypatch):
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.No)
    speaker.window.session.adjust(selection=(0, 1))
    speaker.window.actions_by_name["show_strip"].trigger()
    speaker.press(KEY.Key_Delete)
    assert speaker.window.session.document.data.n == 40
    assert speaker.titles()[0] == "Width"
    speaker.press(KEY.Key_F2)
    speaker.qtbot.keyClicks(QApplication.focusWidget(), "No. 1")
    speaker.press(KEY.Key_Return)
    assert next(step.title for step in read_lecture(path).steps) == "No. 1"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (LECTURE.replace("rbf(gamma=1)", "rfb(gamma=1)"), "line 12: There is no kernel called 'rfb'"),
        (LECTURE + "## More\n\nWords.\n\n" * 1000, "A lecture has at most 200 stops."),
        (LECTURE[:150], "This block is never closed"),
    ],
)
def test_a_broken_lecture_is_a_sentence_and_changes_nothing(qtbot, window, path, text, sentence):
    path.write_text(text, encoding="utf-8")
    before = window.session.document
    window.files.open_path(path)
    qtbot.waitUntil(lambda: sentence in window.canvas.banner.advice.text)
    assert window.session.document is before
    assert not window.lessons.kind


def test_a_file_that_was_changed_elsewhere_is_not_overwritten(speaker, path):
    path.write_text(LECTURE.replace("Notes on", "Other notes on"), encoding="utf-8")
    speaker.strip.stops.item(1).setText("A point")
    speaker.settle()
    assert "has been changed elsewhere" in speaker.window.canvas.banner.advice.text
    assert speaker.titles() == ["Width", "Point", "Gone", "Last"]
    assert "Other notes on" in path.read_text(encoding="utf-8")


def test_a_lecture_begins_with_what_is_on_screen(qtbot, window, tmp_path, monkeypatch):
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("First", True))
    path = tmp_path / "new.md"
    monkeypatch.setattr("kernelviz.ui.window.lecture_window.ask_where", lambda *_: path)
    window.actions_by_name["add_stop"].trigger()
    speaker = Speaker(qtbot, window)
    qtbot.waitUntil(lambda: window.lessons.kind == "lecture")
    speaker.settle()
    assert speaker.titles() == ["First"]
    assert [step.title for step in read_lecture(path).steps] == ["First"]
