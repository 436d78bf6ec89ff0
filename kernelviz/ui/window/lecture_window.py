"""A lecture in the window: it begins and ends here, and can be changed while it is given.

Imported with the first lecture: a start without one does not wait for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QBoxLayout, QInputDialog, QLineEdit, QMessageBox

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz
from kernelviz.session.files.atomic import write_atomically
from kernelviz.session.lessons.lecture import Lecture
from kernelviz.session.lessons.lecture_reader import lectures, parse_lecture, read_lecture
from kernelviz.session.lessons.lecture_text import LectureText, stop_block
from kernelviz.session.lessons.reader import SUFFIX, text_of
from kernelviz.session.lessons.state import LessonState
from kernelviz.ui.dialogs.questions import ask_where
from kernelviz.ui.lessons.lecture_strip import LectureStrip, QuestionPanel
from kernelviz.ui.lessons.lecturer import LecturePlace, Lecturer
from kernelviz.ui.lessons.page_keys import PageKeys
from kernelviz.ui.lessons.rings import PointRings
from kernelviz.ui.lessons.stop_pictures import StopPictures
from kernelviz.ui.widgets.labels import plain
from kernelviz.ui.window.arrangement import Wishes, alike
from kernelviz.ui.window.loading import Loader, Reading
from kernelviz.ui.window.open_views import OpenViews
from kernelviz.ui.window.shell import Shell
from kernelviz.ui.window.waiting_work import KeptWork, WaitingWork

FILTER = f"Lectures (*{SUFFIX})"


class LectureWindow(QObject):
    """The lecture of a window, if one is given, and the commands about lectures.

    It has the session to itself, and the work from before waits, as in a lesson. The panels stay, but for
    those that a stop hides. The strip below the canvas and the question next to it are made here."""

    def __init__(self, window: Shell, around: QBoxLayout, below: QBoxLayout) -> None:
        """around: the layout around the canvas, for the question. below: the layout of canvas and strip."""
        super().__init__(window)
        self.window, self._around, self._below = window, around, below
        self.work = WaitingWork(window, self._set_asking)
        self.views = OpenViews(window, self._on_views)
        self.lecturer = Lecturer(window.workbench, self.views.now, self)
        self.strip: LectureStrip | None = None
        self.question = QuestionPanel()
        self.question.hide()
        self.question.chosen.connect(self.lecturer.on)
        around.addWidget(self.question)
        self._strip_wanted = False  # On the stage too.
        self._wishes_before: Wishes | None = None  # The arrangement of the panels from before.
        self._loader = Loader(window)
        self._keys = PageKeys(window, lambda: window.presentation.on, self)
        self._rings = PointRings(self._named, lambda: window.canvas, self)
        self._pictures = StopPictures(window.workbench, self)
        self._keys.on.connect(self.lecturer.on)
        self._keys.back.connect(self.lecturer.back)
        self._keys.blanked.connect(window.blanked)
        self._loader.failed.connect(window.complain)
        player = self.lecturer.player
        player.failed.connect(window.complain)
        player.view_wanted.connect(self.views.show)
        player.switches_wanted.connect(self.views.set_view)
        player.large_wanted.connect(self.views.enlarge)
        self.lecturer.moved.connect(self._on_moved)
        self.lecturer.ended.connect(lambda: window.notice.say("This was the last stop of the lecture"))
        player.applied.connect(self._rings.show_soon)
        window.workbench.state_changed.connect(self._rings.show_soon)

    @property
    def running(self) -> bool:
        """Return True while a lecture is given."""
        return self.strip is not None

    @property
    def title(self) -> str:
        """The title of the window during a lecture; empty during a question about the work from before."""
        lecture = self.lecturer.lecture
        if lecture is None or self.work.asking:
            return ""
        return f"{lecture.title}: {self.lecturer.stop.title}"

    # Commands -------------------------------------------------------------------------------------------
    def lectures(self) -> None:
        """Offer the lectures that come with kernelviz."""
        self._loader.start("the lectures", _reading_all(), self._choose_from)

    def _choose_from(self, found: list[Lecture]) -> None:
        titles = [lecture.title for lecture in found]
        title, chosen = QInputDialog.getItem(self.window, "Lectures", "Lecture", titles, 0, False)
        if chosen:
            self.window.lessons.begin(found[titles.index(title)])

    def go_on(self) -> None:
        """Do the next press of the lecture."""
        self._keys.press(self._keys.on)

    def go_back(self) -> None:
        """Take the last press back."""
        self._keys.press(self._keys.back)

    def blank(self) -> None:
        """Make the window black, or show it again."""
        self._keys.blank()

    def back_to_lecture(self) -> None:
        """Restore the state that the lecture shows here."""
        self.lecturer.back_to_lecture()

    def return_there(self) -> None:
        """Go back to where the lecture was left."""
        self.lecturer.return_there()

    def show_strip(self) -> None:
        """Show or hide the strip in presentation mode; at the desk, give it the keyboard."""
        if self.strip is None:
            return
        self._strip_wanted = not self._strip_wanted
        self.place()
        if self.strip.isVisible():
            self.strip.stops.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # Beginning and ending -------------------------------------------------------------------------------
    def begin(self, lecture: Lecture, index: int = 0) -> None:
        """Start a lecture. The present work waits until it ends."""
        self.window.lessons.end_lesson()
        self.work.put_aside()
        self._open_strip(lecture)
        self.lecturer.begin(lecture, index)

    def _open_strip(self, lecture: Lecture) -> None:
        """Show the strip of a lecture."""
        window = self.window
        self._wishes_before = window.arrangement.wishes
        self._share_views()
        self.strip = strip = LectureStrip(self.lecturer)
        strip.end_wanted.connect(self.end_lecture, Qt.ConnectionType.QueuedConnection)
        strip.stops.shifted.connect(self._on_shifted, Qt.ConnectionType.QueuedConnection)
        strip.stops.renamed.connect(self._on_renamed, Qt.ConnectionType.QueuedConnection)
        strip.stops.remove_wanted.connect(self._on_remove, Qt.ConnectionType.QueuedConnection)
        self._pictures.drawn.connect(strip.stops.show_picture)
        self._below.addWidget(strip)
        self._keys.listen(True)
        self._pictures.draw(lecture)
        window.enable_commands()
        self.place()
        window.take_keyboard()

    def end_lecture(self) -> None:
        """End the lecture: work, undo, file and panels are as they were before it."""
        if (kept := self._close_strip()) is not None:
            self.work.bring_back(kept)
            self.window.take_keyboard()

    def forget(self) -> None:
        """End the lecture because another session takes the place of everything."""
        self._close_strip()

    def _close_strip(self) -> KeptWork | None:
        """Remove the strip and return the work from before, which is not yet put back on the session."""
        if (strip := self.strip) is None:
            return None
        self.lecturer.end()
        self._pictures.stop()
        self._keys.listen(False)
        self._rings.clear()
        self.question.ask(None, presenting=False)
        self.window.controls.hide()
        self.strip = None
        self._below.removeWidget(strip)
        strip.hide()
        strip.deleteLater()
        if (before := self._wishes_before) is not None:
            arrangement = self.window.arrangement
            now = arrangement.wishes
            arrangement.wish(replace(before, by_hand=now.by_hand, gives_way=now.gives_way, opened=now.opened))
        self.window.enable_commands()
        return self.work.let_go()

    def stop(self) -> None:
        """Stop reading, because the window closes."""
        self._loader.stop()

    # What is seen ---------------------------------------------------------------------------------------
    def place(self) -> None:
        """Fit strip and question to the window: on the stage, the class sees no notes."""
        if self.strip is not None:
            presenting = self.window.presentation.on
            self.strip.stops.fit_type()
            self.strip.setVisible(not presenting or self._strip_wanted)
            self.question.ask(self.lecturer.question, presenting=presenting)

    def _on_moved(self) -> None:
        if (lecture := self.lecturer.lecture) is not None:
            self.window.controls.hide(lecture.hidden(self.lecturer.index))
        self.question.ask(self.lecturer.question, presenting=self.window.presentation.on)
        self.window.update_title()
        self.window.files.keep()

    def _on_views(self) -> None:
        self._share_views()
        self.window.files.keep()

    def _share_views(self) -> None:
        """Let F11 and a window of another size show the views that are open now."""
        arrangement = self.window.arrangement
        arrangement.wish(alike(arrangement.wishes, arrangement.due))

    def _named(self) -> LessonState | None:
        """Return the state of the session, with the named points; None while no lecture is given."""
        return self.lecturer.player.now() if self.running else None

    # The work from before -------------------------------------------------------------------------------
    def _set_asking(self, on: bool) -> None:
        """Pause the lecture while the work from before is on the session."""
        self.lecturer.resting = on
        if self.strip is not None:
            self.strip.setEnabled(not on)

    def record(self) -> dict[str, Any]:
        """Return the record of the lecture for a session file: where it is, and the work from before."""
        lecturer, lecture = self.lecturer, self.lecturer.lecture
        if lecture is None:
            return {}
        where = f"stop {lecturer.index + 1} press {lecturer.press}"
        points = lecturer.player.now().points
        return self.work.record(lecture.name, str(lecture.path.resolve()), where, points, self.views.now())

    def resume(self, record: Mapping[str, Any]) -> None:
        """Go on with the lecture of a session file that has just been opened; what was on screen then can be
        returned to."""
        try:
            saved, file = self.work.found(record)
        except BadInput as problem:
            self.window.complain(str(problem))
            return
        index, press = ([int(number) for number in re.findall(r"\d{1,4}", saved.progress)] + [1, 0])[:2]

        def go_on(lecture: Lecture) -> None:
            self.work.keep(saved.before, file)
            here = self.lecturer.player.now()
            self._open_strip(lecture)
            self.lecturer.begin(lecture, max(index - 1, 0), press)
            self.lecturer.left = LecturePlace(self.lecturer.index, self.lecturer.press, here)
            if self.strip is not None:
                self.strip.show_place()

        give_up = partial(self.work.give_up, saved, file)
        try:
            path = saved.path()
        except BadInput as problem:
            give_up(str(problem))
            return
        self._loader.start(path.name, _reading(path), go_on, give_up)

    # Changing a lecture ---------------------------------------------------------------------------------
    def add_stop(self) -> None:
        """Add what is on screen to the lecture after this stop, or begin a lecture with it."""
        lecture, state = self.lecturer.lecture, self.lecturer.player.now()
        large = self.window.insight.enlarged is not None
        count = 0 if lecture is None else len(lecture.steps)
        title, agreed = QInputDialog.getText(
            self.window,
            "Add to the lecture",
            "Title of the stop",
            QLineEdit.EchoMode.Normal,
            f"Stop {count + 1}",
        )
        title = " ".join(title.split())
        if not agreed or not title:
            return

        def change(text: LectureText, path: Path) -> LectureText:
            try:
                block = stop_block(state, large)
            except BadInput:  # points that rows cannot express: they go into a separate file
                file = path.with_name(f"{path.stem}-{count + 1}{kviz.SUFFIX}")
                if file.exists():
                    raise BadInput(f"{file.name} already exists: rename it first.") from None
                kviz.save(file, state.shown())
                block = f'```stage\nopen = "{file.name}"\n```\n'
            return text.added(0 if lecture is None else self._section(self.lecturer.index) + 1, title, block)

        self._change(change, self.lecturer.index + (lecture is not None))

    def _section(self, row: int) -> int:
        """Return the number of the section that a stop was read from."""
        assert self.lecturer.lecture is not None
        sections = self.lecturer.lecture.sections
        return list(dict.fromkeys(sections)).index(sections[row])

    def _on_shifted(self, row: int, to: int) -> None:
        number, place = self._section(row), self._section(to)
        self._change(lambda text, _: text.moved(number, place), to)

    def _on_renamed(self, row: int, title: str) -> None:
        number = self._section(row)
        self._change(lambda text, _: text.renamed(number, title), self.lecturer.index)

    def _on_remove(self, row: int) -> None:
        lecture = self.lecturer.lecture
        if lecture is None or not 0 <= row < len(lecture.steps):
            return
        button = QMessageBox.StandardButton
        question = f"Remove the stop “{lecture.steps[row].title}” with its notes from the lecture?"
        if (
            QMessageBox.question(
                self.window, "Remove the stop?", plain(question), button.Yes | button.No, button.No
            )
            == button.Yes
        ):
            number, index = self._section(row), self.lecturer.index
            self._change(lambda text, _: text.removed(number), index - (row < index))

    def _change(self, change: Callable[[LectureText, Path], LectureText], index: int) -> None:
        """Write a change of the lecture into its file, or into one that the user chooses, and show a stop."""
        lecture = self.lecturer.lecture
        try:
            path = self._own_file(lecture)
            if path is None:
                return
            old = LectureText.empty(path.stem) if lecture is None else LectureText.of(lecture)
            text = str(change(old, path))
            made = parse_lecture(text, path)
            write_atomically(path, text.encode())
        except BadInput as problem:
            self.window.complain(str(problem))
            return
        finally:
            if self.strip is not None:  # it shows the typed or dragged value
                self.strip.stops.forget()
                self.strip.show_place()
        if lecture is None:
            self.begin(made, index)
            return
        self.lecturer.replace(made, index)
        self._pictures.draw(made)

    def _own_file(self, lecture: Lecture | None) -> Path | None:
        """Return the file to write the lecture to: its own, unless it is one of ours or in no file yet.
        BadInput if it has been changed meanwhile; None if the user cancels."""
        if lecture is not None and lecture.path.is_file() and lecture.path not in lectures():
            if text_of(lecture.path) != lecture.text:
                raise BadInput(f"{lecture.path.name} has been changed elsewhere: open it again first.")
            return lecture.path
        proposal = f"lecture{SUFFIX}" if lecture is None else lecture.path.name
        folder = Path.cwd() if lecture is None or lecture.path in lectures() else lecture.path.parent
        return ask_where(self.window, "Save the lecture", str(folder / proposal), FILTER)


def _reading(path: Path) -> Reading:
    """Read a lecture's file, as the loader wants it."""
    yield 0.0
    return read_lecture(path)


def _reading_all() -> Reading:
    """Read the lectures that come with kernelviz."""
    yield 0.0
    return [read_lecture(path) for path in lectures()]
