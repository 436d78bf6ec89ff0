"""The list of lessons, by chapters: titles, minutes, marks for finished ones, and the step where one was
left."""

from __future__ import annotations

from collections.abc import Container, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.lessons.lesson import Lesson
from kernelviz.session.lessons.progress import LessonProgress
from kernelviz.session.lessons.reader import read_lesson
from kernelviz.session.lessons.shipped import Chapter, in_chapters, shipped
from kernelviz.ui.widgets.labels import Label, plain
from kernelviz.ui.widgets.layouts import column, row
from kernelviz.ui.widgets.painting import type_scale

TITLE = 1  # The column of the titles.
SIZE = QSize(480, 520)  # In type of the usual size.


@dataclass(frozen=True)
class Offered:
    """A lesson of the list with its number, or the reason why it cannot be read."""

    number: int
    path: Path
    lesson: Lesson | None
    problem: str = ""

    @property
    def chapter(self) -> str:
        """The title of its chapter; empty if it cannot be read."""
        return "" if self.lesson is None else self.lesson.chapter


def reading_lessons() -> Generator[float, None, list[Offered]]:
    """Read all lessons that come with kernelviz; yields the share done."""
    found, paths = [], shipped()
    for k, path in enumerate(paths):
        yield k / len(paths)
        try:
            found.append(Offered(k + 1, path, read_lesson(path)))
        except BadInput as problem:
            found.append(Offered(k + 1, path, None, str(problem)))
    return found


class LessonList(QTreeWidget):
    """Lessons under the headings of their chapters; selects the one whose number is typed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.numbered: dict[int, QTreeWidgetItem] = {}
        self._typed = ""
        self._since = QElapsedTimer()

    def keyboardSearch(self, search: str) -> None:
        pause = QApplication.keyboardInputInterval()
        waited = not self._since.isValid() or self._since.hasExpired(pause)
        self._typed = search if waited else self._typed + search
        self._since.start()
        number = int(self._typed) if self._typed.isdecimal() else 0
        if number in self.numbered:
            self.setCurrentItem(self.numbered[number])

    def add_heading(self, chapter: Chapter) -> None:
        """Add the title of a chapter and the line about it, which cannot be selected."""
        for words in (chapter.title, chapter.about):
            line = QTreeWidgetItem([words])
            line.setFlags(Qt.ItemFlag.NoItemFlags)
            line.setForeground(0, self.palette().text())  # not the grey of disabled lines
            if words == chapter.title:
                bold = self.font()
                bold.setBold(True)
                line.setFont(0, bold)
            self.addTopLevelItem(line)
            line.setFirstColumnSpanned(True)


class LessonChooser(QDialog):
    """Emits the path of the chosen lesson, or the wish to open a file."""

    chosen = Signal(object)
    file_wanted = Signal()

    def __init__(
        self,
        offered: Sequence[Offered],
        done: Container[str],
        left: Mapping[str, LessonProgress],
        last: str,
        parent: QWidget,
    ) -> None:
        """done, left: the lessons that are finished, and those that were left before their end. last: the
        lesson opened last, which is selected if it is not finished."""
        columns = ("", "Lesson", "Minutes", "Progress")
        super().__init__(parent)
        self.setWindowTitle("Lessons")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize((SIZE * type_scale(self)).boundedTo(self.screen().availableSize() - QSize(8, 48)))
        self.list = LessonList(self)
        self.list.setAccessibleName("Lessons")
        self.list.setRootIsDecorated(False)
        self.list.setHeaderLabels(columns)
        header = self.list.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)  # a long title is elided
        header.setStretchLastSection(False)
        self._offered = {one.number: one for one in offered}
        start = min((one.number for one in offered), default=0) if not done and not left else 0
        for chapter, lessons in in_chapters(offered, lambda one: one.chapter):
            if chapter is not None:
                self.list.add_heading(chapter)
            for one in lessons:
                self._add(one, done, left, one.number == start)
        self.open_button = self._button("Open", self._open)
        self.file_button = self._button("Open file…", self._open_file)
        self.close_button = self._button("Close", self.reject)
        self.open_button.setDefault(True)
        words = Label(
            "Each lesson takes a few minutes. Your own work comes back when it ends."
            if offered
            else "No lessons come with this version; open a lesson's file.",
            wraps=True,
        )
        buttons = row(self.file_button, (None, 1), self.close_button, self.open_button)
        column(words, (self.list, 1), buttons, on=self, spacing=8, margins=(12, 12, 12, 12))
        self.list.itemActivated.connect(self._open)
        if offered:
            first = self._first(offered, done, last if last in left else "")
            self.list.setCurrentItem(self.list.numbered[first])
        self.open_button.setEnabled(bool(offered))

    def _add(
        self, one: Offered, done: Container[str], left: Mapping[str, LessonProgress], start: bool
    ) -> None:
        lesson = one.lesson
        title = one.problem if lesson is None else f"{one.number}. {lesson.title}"
        mark = "✓" if lesson is not None and lesson.name in done else ""
        at = None if lesson is None else left.get(lesson.name)
        place = ("start here" if start else "") if at is None else f"step {at.step} of {at.steps}"
        line = QTreeWidgetItem([mark, title, "" if lesson is None else str(lesson.minutes), place])
        line.setToolTip(0, "done" if mark else "")
        about = one.problem if lesson is None else f"{lesson.title}\n{lesson.intro}"
        line.setToolTip(TITLE, plain(about))
        line.setData(TITLE, Qt.ItemDataRole.UserRole, one.number)
        self.list.addTopLevelItem(line)
        self.list.numbered[one.number] = line

    @staticmethod
    def _first(offered: Sequence[Offered], done: Container[str], left: str) -> int:
        """Return the number of the lesson that was left, or of the first one that is not done."""
        names = {one.lesson.name: one.number for one in offered if one.lesson is not None}
        undone = (number for name, number in names.items() if name not in done)
        return names[left] if left in names else next(undone, offered[0].number)

    def _button(self, text: str, action: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.clicked.connect(action)
        return button

    def _open(self) -> None:
        line = self.list.currentItem()
        one = None if line is None else self._offered.get(line.data(TITLE, Qt.ItemDataRole.UserRole))
        if one is not None and one.lesson is not None:
            self.accept()
            self.chosen.emit(one.path)

    def _open_file(self) -> None:
        self.accept()
        self.file_wanted.emit()
