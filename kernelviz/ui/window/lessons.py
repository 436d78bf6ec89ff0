"""Lessons as the rest of the window uses them: what saving, presenting and closing need to know."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QBoxLayout

from kernelviz.ui.window.shell import Shell

if TYPE_CHECKING:
    from kernelviz.session.lessons.lesson import Lesson
    from kernelviz.ui.lessons.panel import LessonPanel
    from kernelviz.ui.window.lesson_window import LessonWindow


class Lessons(QObject):
    """Makes the lesson part of the window when it is first needed, and asks it from then on.

    A start without a lesson does not import that part. The commands are methods of `part`; those here serve
    files, presentation mode and closing, and do nothing while no lesson runs."""

    def __init__(self, window: Shell, place: QBoxLayout) -> None:
        """place: where the panel of a lesson stands, next to the canvas."""
        super().__init__(window)
        self._window, self._place = window, place
        self._made: LessonWindow | None = None

    @property
    def part(self) -> LessonWindow:
        """The lesson part of the window."""
        if self._made is None:
            from kernelviz.ui.window.lesson_window import LessonWindow

            self._made = LessonWindow(self._window, self._place)
        return self._made

    @property
    def panel(self) -> LessonPanel | None:
        """The panel of the lesson that runs."""
        return None if self._made is None else self._made.panel

    @property
    def running(self) -> bool:
        """Return True while a lesson is done."""
        return self.panel is not None

    @property
    def title(self) -> str:
        """The title of the window while a lesson runs; empty without one."""
        return self.part.title if self.running else ""

    def end_lesson(self) -> None:
        """End the lesson and bring back the work from before."""
        if self.running:
            self.part.end_lesson()

    def begin(self, lesson: Lesson) -> None:
        """Start a lesson; the present work waits until it ends."""
        self.part.begin(lesson)

    def record(self) -> dict[str, Any]:
        """Return what a session file keeps of the lesson."""
        return self.part.record() if self.running else {}

    def resume(self, record: object) -> None:
        """Go on with the lesson of a session file that has just been opened, if it has one."""
        if record is not None:
            self.part.resume(record)

    def forget(self) -> None:
        """End the lesson because another session takes the place of everything."""
        if self.running:
            self.part.forget()

    @property
    def nothing_to_save(self) -> bool:
        """Return True if a lesson runs and all work from before it is saved."""
        return self.running and self.part.work.saved

    def work_from_before(self) -> AbstractContextManager[None]:
        """Have the work from before the lesson on the session meanwhile."""
        return self.part.work.shown() if self.running else nullcontext()

    def place(self) -> None:
        """Fit the panel to the window."""
        if self.running and self.part.place is not None:
            self.part.place.place()

    def show_views(self) -> None:
        """Open the views that this part of the step begins with."""
        if self.running:
            self.part.show_views()

    def stop(self) -> None:
        """Give up what is being read: the window closes."""
        if self._made is not None:
            self._made.stop()
