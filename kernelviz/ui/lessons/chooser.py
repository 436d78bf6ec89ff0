"""The list of lessons: titles, minutes, which of them are done, and where one was left."""

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
from kernelviz.session.lessons.progress import Progress
from kernelviz.session.lessons.reader import read_lesson, shipped
from kernelviz.ui.widgets.labels import Label, plain
from kernelviz.ui.widgets.layouts import column, row
from kernelviz.ui.widgets.painting import type_scale

COLUMNS = ("", "Lesson", "Minutes", "Left at")
TITLE = 1  # The column of the titles.
SIZE = QSize(480, 520)  # In type of the usual size.


@dataclass(frozen=True)
class Offered:
    """A lesson of the list, or the reason why it cannot be read."""

    path: Path
    lesson: Lesson | None
    problem: str = ""


def reading_lessons() -> Generator[float, None, list[Offered]]:
    """Read all lessons that come with kernelviz; yields the share done."""
    found, paths = [], shipped()
    for k, path in enumerate(paths):
        yield k / len(paths)
        try:
            found.append(Offered(path, read_lesson(path)))
        except BadInput as problem:
            found.append(Offered(path, None, str(problem)))
    return found


class LessonList(QTreeWidget):
    """Selects the lesson whose number is typed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._typed = ""
        self._since = QElapsedTimer()

    def keyboardSearch(self, search: str) -> None:
        pause = QApplication.keyboardInputInterval()
        waited = not self._since.isValid() or self._since.hasExpired(pause)
        self._typed = search if waited else self._typed + search
        self._since.start()
        number = int(self._typed) if self._typed.isdecimal() else 0
        if line := self.topLevelItem(number - 1):
            self.setCurrentItem(line)


class LessonChooser(QDialog):
    """Emits the path of the lesson that is chosen, or that a file of one's own is wanted."""

    chosen = Signal(object)
    file_wanted = Signal()

    def __init__(
        self,
        offered: Sequence[Offered],
        done: Container[str],
        left: Mapping[str, Progress],
        last: str,
        parent: QWidget,
    ) -> None:
        """done, left: the lessons that are finished, and those that were left before their end. last: the one
        that was opened last, which is chosen if it was left."""
        super().__init__(parent)
        self.setWindowTitle("Lessons")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize((SIZE * type_scale(self)).boundedTo(self.screen().availableSize() - QSize(8, 48)))
        self.list = LessonList(self)
        self.list.setAccessibleName("Lessons")
        self.list.setRootIsDecorated(False)
        self.list.setHeaderLabels(COLUMNS)
        header = self.list.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)  # a long title is elided
        header.setStretchLastSection(False)
        self._paths: list[Path | None] = []
        for number, one in enumerate(offered, 1):
            self._add(number, one, done, left)
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
        if first := self.list.topLevelItem(self._first(offered, done, last if last in left else "")):
            self.list.setCurrentItem(first)
        self.open_button.setEnabled(bool(offered))

    def _add(self, number: int, one: Offered, done: Container[str], left: Mapping[str, Progress]) -> None:
        lesson = one.lesson
        title = one.problem if lesson is None else f"{number}. {lesson.title}"
        mark = "✓" if lesson is not None and lesson.name in done else ""
        at = None if lesson is None else left.get(lesson.name)
        place = "" if at is None else f"step {at.step} of {at.steps}"
        line = QTreeWidgetItem([mark, title, "" if lesson is None else str(lesson.minutes), place])
        line.setToolTip(0, "done" if mark else "")
        about = one.problem if lesson is None else f"{lesson.title}\n{lesson.intro}"
        line.setToolTip(TITLE, plain(about))
        self.list.addTopLevelItem(line)
        self._paths.append(None if lesson is None else one.path)

    @staticmethod
    def _first(offered: Sequence[Offered], done: Container[str], left: str) -> int:
        """Return the row of the lesson that was left, or of the first one that is not done."""
        names = {one.lesson.name: k for k, one in enumerate(offered) if one.lesson is not None}
        undone = (k for name, k in names.items() if name not in done)
        return names[left] if left in names else next(undone, 0)

    def _button(self, text: str, action: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.clicked.connect(action)
        return button

    def _open(self) -> None:
        line = self.list.currentItem()
        row_number = -1 if line is None else self.list.indexOfTopLevelItem(line)
        if 0 <= row_number < len(self._paths) and (path := self._paths[row_number]) is not None:
            self.accept()
            self.chosen.emit(path)

    def _open_file(self) -> None:
        self.accept()
        self.file_wanted.emit()
