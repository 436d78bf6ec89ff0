"""A lesson in the window: it begins and ends here.

Imported with the first lesson: a start without one does not wait for it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QBoxLayout, QFileDialog

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.lessons.lesson import Lesson
from kernelviz.session.lessons.progress import LessonProgress
from kernelviz.session.lessons.reader import SUFFIX, read_lesson
from kernelviz.session.lessons.shipped import following
from kernelviz.session.lessons.state import LessonState
from kernelviz.session.lessons.writing import stage_block
from kernelviz.session.state import State
from kernelviz.ui.lessons.chooser import LessonChooser, Offered, reading_lessons
from kernelviz.ui.lessons.controls import LessonControls
from kernelviz.ui.lessons.page_keys import PageKeys
from kernelviz.ui.lessons.panel import LessonPanel, PredictionKeys
from kernelviz.ui.lessons.player import present_state
from kernelviz.ui.lessons.recorder import LessonRecorder
from kernelviz.ui.lessons.rings import PointRings
from kernelviz.ui.lessons.tutor import Tutor
from kernelviz.ui.widgets.layouts import soon
from kernelviz.ui.window.lesson_place import LessonPlace
from kernelviz.ui.window.loading import Loader, Reading
from kernelviz.ui.window.open_views import OpenViews
from kernelviz.ui.window.shell import Shell
from kernelviz.ui.window.waiting_work import KeptWork, WaitingWork


class LessonWindow(QObject):
    """The lesson of a window, if there is one, and the commands about lessons.

    A lesson has the session to itself: the work from before waits. The tutor judges the steps; the panel, its
    place in the window, the rings around named points and the keys A to D are made here."""

    def __init__(self, window: Shell, around: QBoxLayout) -> None:
        """around: the layout around the canvas, where the panel stands."""
        super().__init__(window)
        self.window, self._around = window, around
        self.panel: LessonPanel | None = None
        self.place: LessonPlace | None = None
        self.work = WaitingWork(window, self._set_asking)
        self.views = OpenViews(window, self._show_open_views)
        self.tutor = Tutor(window.workbench, self.views.now, self)
        self._loader = Loader(window)
        self._step_seen = -1
        self._recorder: LessonRecorder | None = None
        self._rings = PointRings(self._named, lambda: window.canvas, self)
        self._loader.failed.connect(window.complain)
        self.tutor.player.failed.connect(self._on_failed)
        self.tutor.player.view_wanted.connect(self.views.show)
        self.tutor.player.switches_wanted.connect(self.views.set_view)
        self.tutor.player.large_wanted.connect(self.views.enlarge)
        self.tutor.step_changed.connect(self._on_step)
        self._pages = PageKeys(window, lambda: False, self)
        self._pages.on.connect(self._page_on)
        self._pages.back.connect(self.previous_step)
        self._pages.blanked.connect(window.blanked)
        self.tutor.progressed.connect(self._remember)
        window.workbench.state_changed.connect(self._on_state)
        window.insight.switched.connect(self._on_switched)

    @property
    def running(self) -> bool:
        """Return True while a lesson is done."""
        return self.panel is not None

    @property
    def title(self) -> str:
        """The title of the window while a lesson runs; empty during a question about the work from before."""
        lesson = self.tutor.lesson
        return "" if lesson is None or self.work.asking else f"Lesson: {lesson.title}"

    # Commands -------------------------------------------------------------------------------------------
    def lessons(self) -> None:
        """Offer the lessons that there are."""
        self._loader.start("the lessons", reading_lessons(), self._choose_from)

    def _choose_from(self, offered: list[Offered]) -> None:
        """Ask which of the lessons to open."""
        settings = self.window.settings
        lessons = [one.lesson for one in offered if one.lesson is not None]
        kept = {lesson.name: self._kept_progress(lesson) for lesson in lessons}
        left = {name: progress for name, progress in kept.items() if progress is not None}
        dialog = LessonChooser(offered, settings.lessons_done, left, settings.last_lesson, self.window)
        dialog.chosen.connect(self.open_path)
        dialog.file_wanted.connect(self._ask_for_file)
        dialog.open()

    def _ask_for_file(self) -> None:
        """Ask for the file of a lesson and open it."""
        name, _ = QFileDialog.getOpenFileName(self.window, "Open a lesson", "", f"Lessons (*{SUFFIX})")
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> None:
        """Open a lesson's file; one that is broken is a sentence with file and line."""
        self._loader.start(path.name, _reading(path), self.begin)

    def go_to_lesson(self) -> None:
        """Give the keyboard to the panel: to the first choice, or to *Next*."""
        if self.panel is None or self.place is None:
            self.lessons()
            return
        self.place.unfold()
        card = self.panel.prediction
        choices = [] if card is None else [choice for choice in card.buttons.values() if choice.isEnabled()]
        (choices or [self.panel.next])[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def next_step(self) -> None:
        """Go to the next step, if the panel allows it."""
        if self.panel is not None:
            self.panel.next.click()

    def _page_on(self) -> None:
        """Go on by a page key: for a room reveal the answer; a question to one person waits for theirs."""
        panel, prediction = self.panel, self.tutor.open_prediction
        if panel is None or self.tutor.player.busy:
            return
        if prediction is None:
            panel.next.click()
        elif panel.presenting and not panel.question_hidden:
            self.tutor.choose("")
        else:
            panel.show_card()

    def previous_step(self) -> None:
        """Go back to the previous step."""
        if self.panel is not None:
            self.panel.back.click()

    def copy_answers(self) -> None:
        """Put one line about this student and lesson on the clipboard."""
        self._copy(lambda: str(self.tutor.progress), "Your answers are on the clipboard")

    def copy_stage(self) -> None:
        """Put the block of a lesson that opens what is on screen on the clipboard."""
        state = present_state(self.window.workbench, self.views.now())
        self._copy(lambda: stage_block(state), "The stage is on the clipboard")

    def record_lesson(self) -> None:
        """Start recording the user's actions; the second time, copy the lesson."""
        if self._recorder is None:
            self._recorder = LessonRecorder(self.window.workbench, self.views.now, self)
            self.views.notice(self._recorder.look_again)
            self.window.notice.say("Recording: switch it off in the Edit menu to copy the lesson")
        else:
            recorder, self._recorder = self._recorder, None
            self.views.notice(recorder.look_again, on=False)
            recorder.deleteLater()
            self._copy(recorder.finished, "The lesson is on the clipboard")
        self.window.actions_by_name["record_lesson"].setChecked(self._recorder is not None)

    def _copy(self, write: Callable[[], str], sentence: str) -> None:
        """Copy a text and show a notice, or show why there is none."""
        try:
            QGuiApplication.clipboard().setText(write())
            self.window.notice.say(sentence)
        except BadInput as problem:
            self.window.complain(str(problem))

    # Beginning and ending -------------------------------------------------------------------------------
    def begin(self, lesson: Lesson) -> None:
        """Start a lesson, or go on with it where it was left. The present work waits until it ends."""
        self.window.lessons.end_lesson()
        if self._recorder is not None:
            self.record_lesson()
        self.work.put_aside()
        self._open_panel(lesson)
        self.window.settings.last_lesson = lesson.name
        self.tutor.begin(lesson, self._kept_progress(lesson) or LessonProgress.begin(lesson), None)

    def _kept_progress(self, lesson: Lesson) -> LessonProgress | None:
        """Return the progress that was remembered of an unfinished lesson, if there is any."""
        with contextlib.suppress(BadInput):
            kept = LessonProgress.parse(self.window.settings.lesson_progress(_key(lesson)))
            if kept.is_of(lesson) and not kept.completes(lesson):
                return kept
        return None

    def _go_on(self) -> None:
        """End the lesson and open the one that follows it in the list."""
        lesson = self.tutor.lesson
        if lesson is not None and (path := following(lesson)) is not None:
            self.open_path(path)

    def _open_panel(self, lesson: Lesson) -> None:
        """Show the panel of a lesson."""
        window = self.window
        self._step_seen = -1
        controls = LessonControls(window.workbench, lesson.shows)
        controls.view_wanted.connect(self.views.show)
        self.panel = panel = LessonPanel(self.tutor, controls)
        panel.end_wanted.connect(self.end_lesson, Qt.ConnectionType.QueuedConnection)
        panel.copy_wanted.connect(self.copy_answers)
        panel.next_lesson_wanted.connect(self._go_on)
        self._keys = PredictionKeys(panel, window, lambda: window.canvas.area)
        self._pages.listen(True)
        self.place = LessonPlace(window, self._around, panel, self._rings.show)
        self.views.notice(self._show_open_views)
        window.playback.setVisible("watch" in lesson.shows)
        window.enable_commands()
        window.update_title()
        if window.presentation.on:
            window.update_theme()  # the text needs room: less of the large type

    def end_lesson(self) -> None:
        """End the lesson: work, undo, file and panels are as they were before it."""
        if not self.running:
            return
        lesson, progress = self.tutor.lesson, self.tutor.progress
        kept = self._close_panel()
        if lesson is not None and progress is not None and progress.completes(lesson):
            self.window.settings.remember_lesson_done(lesson.name)
        if kept is not None:
            self.work.bring_back(kept)
        self.window.take_keyboard()

    def forget(self) -> None:
        """End the lesson because another session takes the place of everything, the work before included."""
        self._close_panel()

    def _close_panel(self) -> KeptWork | None:
        """Remove the panel and return the work from before, which is not yet put back on the session."""
        panel, place = self.panel, self.place
        if panel is None or place is None:
            return None
        self.tutor.end()
        self._keys.listen(False)
        self._pages.listen(False)
        self._rings.clear()
        self.panel = self.place = None
        self.views.notice(self._show_open_views, on=False)
        place.close()
        kept = self.work.let_go()
        self.window.playback.show()
        self.window.enable_commands()
        panel.deleteLater()
        if self.window.presentation.on:
            self.window.update_theme()
        return kept

    def _on_failed(self, sentence: str) -> None:
        """End a lesson that cannot go on, and show why."""
        self.end_lesson()
        self.window.complain(sentence)

    def _remember(self) -> None:
        """Keep the progress for the next time, and in the autosaved session."""
        lesson, progress = self.tutor.lesson, self.tutor.progress
        if lesson is not None and progress is not None:
            self.window.settings.remember_lesson(_key(lesson), str(progress))
            self.window.files.keep()

    def stop(self) -> None:
        """Stop reading, because the window closes."""
        self._loader.stop()

    # The work from before -------------------------------------------------------------------------------
    def _set_asking(self, on: bool) -> None:
        """Pause the lesson while the work from before is on the session: nothing is judged, and a file saved
        meanwhile does not belong to the lesson."""
        self.tutor.resting = on
        if self.panel is not None:
            self.panel.setEnabled(not on)

    def record(self) -> dict[str, Any]:
        """Return the record of the lesson for a session file: where the student is, and the work from
        before."""
        lesson = self.tutor.lesson
        if lesson is None:
            return {}
        file, points = str(lesson.path.resolve()), self.tutor.now().points
        return self.work.record(lesson.name, file, str(self.tutor.progress), points, self.views.now())

    def resume(self, record: Mapping[str, Any]) -> None:
        """Go on with the lesson of a session file that has just been opened.

        In one that is recovered after a crash the work from before belongs to its own file again."""
        try:
            saved, work_file = self.work.found(record)
        except BadInput as problem:
            self.window.complain(str(problem))
            return

        def go_on(lesson: Lesson) -> None:
            if not progress.is_of(lesson):
                self.work.give_up(saved, work_file, "The lesson has changed.")
                return
            self.work.keep(saved.before, work_file)
            self._open_panel(lesson)
            self.tutor.begin(lesson, progress, saved.points)
            for view in saved.views:
                self.views.show(view.name, True)
                self.views.set_view(view)

        give_up = partial(self.work.give_up, saved, work_file)
        try:
            progress, path = LessonProgress.parse(saved.progress), saved.path()
        except BadInput as problem:
            give_up(str(problem))
            return
        self._loader.start(path.name, _reading(path), go_on, give_up)

    # Views ----------------------------------------------------------------------------------------------
    def show_views(self) -> None:
        """Open the views that this part of the step begins with, inside the panel of the lesson."""
        if self.place is not None:
            self.place.hold_insight()
        for view in sorted(self.tutor.views_wanted):
            self.views.show(view, True)

    def _show_open_views(self) -> None:
        """Views were opened or closed: checks may be about them."""
        if self.panel is not None:
            self.panel.controls.show_views(self.views.now())
            self.tutor.look_again()
            self.window.files.keep()

    def _on_switched(self) -> None:
        """A view is set in another way: checks may be about that."""
        self.tutor.look_again()
        if self._recorder is not None:
            self._recorder.look_again()

    # Keys and rings -------------------------------------------------------------------------------------
    def _on_step(self) -> None:
        """Watch for the keys of a prediction, and ring the points of the step; another step begins with the
        first tool."""
        if self._step_seen != self.tutor.index:
            self._step_seen = self.tutor.index
            self.window.canvases.use_tools({})
        self._keys.listen(self.tutor.step.prediction is not None)
        self._rings.show()

    def _named(self) -> LessonState | None:
        """Return the state of the session, with the named points; None while no lesson runs."""
        return self.tutor.now() if self.tutor.running else None

    def _on_state(self, old: State, new: State) -> None:
        """Follow to another workspace, and keep the rings around their points."""
        if not self.tutor.running:
            return
        if old.document.workspace is not new.document.workspace:
            self._on_step()
            soon(self.window, self.window.take_keyboard)
        self._rings.show_soon()


def _key(lesson: Lesson) -> str:
    """Return the key under which the progress of a lesson is remembered: files of one name may differ."""
    return f"{lesson.name}.{lesson.version}"


def _reading(path: Path) -> Reading:
    """Read a lesson's file, as the loader wants it."""
    yield 0.0
    return read_lesson(path)
