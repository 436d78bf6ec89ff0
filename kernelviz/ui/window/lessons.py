"""Lessons and lectures as the rest of the window uses them: what saving, presenting and closing need."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QBoxLayout, QWidget

from kernelviz.session.files.crashed_sessions import is_of_lecture
from kernelviz.ui.window.shell import Shell

if TYPE_CHECKING:
    from kernelviz.session.lessons.lesson import Lesson
    from kernelviz.ui.lessons.panel import LessonPanel
    from kernelviz.ui.window.lecture_window import LectureWindow
    from kernelviz.ui.window.lesson_window import LessonWindow


class Lessons(QObject):
    """Makes the parts of the window for lessons and lectures when they are first needed, and passes requests
    to them from then on.

    A start without a lesson does not import them. The commands are methods of `part` and `lecture`; those
    here serve files, presentation mode and closing, and do nothing while neither runs."""

    def __init__(self, window: Shell, place: QBoxLayout, below: QBoxLayout) -> None:
        """place: where the panel of a lesson stands, next to the canvas. below: where the strip of a lecture
        stands, under it."""
        super().__init__(window)
        self._window, self._place, self._below = window, place, below
        self._made: LessonWindow | None = None
        self._lecture: LectureWindow | None = None

    @property
    def part(self) -> LessonWindow:
        """The lesson part of the window."""
        if self._made is None:
            from kernelviz.ui.window.lesson_window import LessonWindow

            self._made = LessonWindow(self._window, self._place)
        return self._made

    @property
    def lecture(self) -> LectureWindow:
        """The lecture part of the window."""
        if self._lecture is None:
            from kernelviz.ui.window.lecture_window import LectureWindow

            self._lecture = LectureWindow(self._window, self._place, self._below)
        return self._lecture

    @property
    def _active(self) -> LessonWindow | LectureWindow | None:
        """The part that has put work aside."""
        if self._lecture is not None and self._lecture.running:
            return self._lecture
        return self._made if self.running else None

    @property
    def panel(self) -> LessonPanel | None:
        """The panel of the lesson that runs."""
        return None if self._made is None else self._made.panel

    @property
    def running(self) -> bool:
        """Return True while a lesson is done."""
        return self.panel is not None

    @property
    def kind(self) -> Literal["", "lesson", "lecture"]:
        """The word for what runs: a lesson, a lecture, or neither."""
        return "" if self._active is None else "lesson" if self.running else "lecture"

    @property
    def title(self) -> str:
        """The title of the window while a lesson or a lecture runs; empty without one."""
        return "" if self._active is None else self._active.title

    @property
    def question(self) -> QWidget | None:
        """The panel with the question of a lecture's stop while it is seen."""
        panel = None if self._lecture is None else self._lecture.question
        return panel if panel is not None and panel.card is not None and panel.isVisible() else None

    def end_lesson(self) -> None:
        """End the lesson or the lecture, and bring back the work from before."""
        if self.running:
            self.part.end_lesson()
        elif self._lecture is not None:
            self._lecture.end_lecture()

    def begin(self, lesson: Lesson) -> None:
        """Start a lesson or a lecture; the present work waits until it ends."""
        from kernelviz.session.lessons.lecture import Lecture

        self.end_lesson()
        if isinstance(lesson, Lecture):
            self.lecture.begin(lesson)
        else:
            self.part.begin(lesson)

    def record(self) -> dict[str, Any]:
        """Return the record of the lesson or the lecture for a session file."""
        return {} if self._active is None else self._active.record()

    def resume(self, record: object) -> None:
        """Go on with the lesson or the lecture of a session file that has just been opened, if it has one."""
        if isinstance(record, Mapping):
            (self.lecture if is_of_lecture(record) else self.part).resume(record)

    def forget(self) -> None:
        """End the lesson or the lecture because another session takes the place of everything."""
        if self._active is not None:
            self._active.forget()

    @property
    def nothing_to_save(self) -> bool:
        """Return True if a lesson or a lecture runs and all work from before it is saved."""
        return self._active is not None and self._active.work.saved

    def work_from_before(self) -> AbstractContextManager[None]:
        """Put the work from before the lesson or the lecture on the session inside a `with` block."""
        return nullcontext() if self._active is None else self._active.work.shown()

    def place(self) -> None:
        """Fit the panel or the strip to the window."""
        if self.running and self.part.place is not None:
            self.part.place.place()
        elif self._lecture is not None:
            self._lecture.place()

    def show_views(self) -> None:
        """Open the views that this part of the step begins with."""
        if self.running:
            self.part.show_views()
        elif self._lecture is not None:
            self._lecture.place()

    def stop(self) -> None:
        """Stop reading, because the window closes."""
        for made in (self._made, self._lecture):
            if made is not None:
                made.stop()
