"""The base of both export dialogues: choices on the left, a preview on the right, work in the background.

The preview is painted on one thread and the file written on another, so that the window can be used
meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QHideEvent, QImage, QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QLayout, QProgressBar, QScrollArea, QWidget

from kernelviz.engine.core.data import Domain
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import FLAG
from kernelviz.runtime.jobs import Work
from kernelviz.scene.export.options import Options
from kernelviz.scene.panels import FigurePanel
from kernelviz.ui.dialogs.choices import Choices
from kernelviz.ui.dialogs.preview import Preview
from kernelviz.ui.dialogs.questions import ask_where, completed
from kernelviz.ui.dialogs.rows import CheckBoxes, ParameterRows, SizeRow
from kernelviz.ui.widgets.buttons import Button, CheckBox
from kernelviz.ui.widgets.control import Control
from kernelviz.ui.widgets.focus import order_tabs
from kernelviz.ui.widgets.labels import Label, MessageLabel
from kernelviz.ui.widgets.layouts import Section, column, fill, row, soon
from kernelviz.ui.widgets.painting import type_scale
from kernelviz.ui.workbench.background import Background
from kernelviz.ui.workbench.settings import Settings
from kernelviz.ui.workbench.workbench import Workbench

MARGIN, BETWEEN = 16, 12


@dataclass(frozen=True, eq=False)
class ExportSource:
    """The source of an export, and the place where choices are remembered."""

    workbench: Workbench
    settings: Settings
    # Returns the insight views for such inputs, or all of them, by name, with their present switches.
    panels: Callable[[Domain | None], Mapping[str, FigurePanel]]
    path: Callable[[], Path | None]  # The file of the session, if it has one.


class ExportDialog(QDialog):
    """A dialogue that does not block: the preview follows the choices and the session.

    A subclass names the kind of its choices, fills the form with `add_group`, and returns the work that
    paints the preview and that writes the file. Both are done on threads of their own; only the
    newest preview counts."""

    title: ClassVar[str] = ""
    file: ClassVar[str] = ""  # The proposed name of a file while the session has none.
    kind: ClassVar[type[Choices]]

    def __init__(self, source: ExportSource, parent: QWidget) -> None:
        refresh = 60  # Milliseconds from a change to the new preview, which has all changes made meanwhile.
        super().__init__(parent)
        self.source = source
        self.choices: Any = self.kind.remembered(source.settings.choices(self.kind.remembered_as))
        self.controls: dict[str, Control] = {}
        self.flags: dict[str, CheckBox] = {}
        self.sections: dict[str, Section] = {}
        self.size_row = SizeRow(self.kind)
        self.size_row.edited.connect(self.choose)
        self._rows: list[ParameterRows | SizeRow] = [self.size_row]
        self.setWindowTitle(self.title)
        self.setModal(False)
        self._scale = 0.0  # The scale of the type for which the size was computed.
        self.previews = Background("kernelviz-preview", self)
        self.writer = Background("kernelviz-export", self)
        self.preview = Preview()
        self.facts = Label(role="muted")
        self.facts.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.facts.setWordWrap(True)
        self.note = MessageLabel("error")
        self.outcome = MessageLabel("success")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.save_button = Button("Save…", do=self.ask_where)
        self.save_button.setDefault(True)  # Return presses it
        self.cancel_button = Button("Cancel", do=self.cancel)
        self.close_button = Button("Close", do=self.close)
        self._choices = QWidget()
        self.form = column(on=self._choices, spacing=8, margins=(2, 0, 12, 0))
        self.right = column((self.preview, 1), self.facts, self.note, self.outcome, self.progress, spacing=8)
        self.buttons = row((None, 1), self.close_button, self.cancel_button, self.save_button)
        self._soon = QTimer(self, singleShot=True, interval=refresh)
        self._soon.timeout.connect(self._refresh)
        self._lay_out()
        self._connect()
        self._show_busy(False)
        self.fill_form()
        self.show_choices()

    # The form ----------------------------------------------------------------------------------------------
    def rows(self, *names: str) -> ParameterRows:
        """Return rows with a control for each of these choices."""
        made = ParameterRows(self.kind, names)
        made.edited.connect(self.choose)
        self.controls |= made.controls
        self._rows.append(made)
        return made

    def boxes(self, *names: str) -> list[QWidget]:
        """Return a check box for each of these choices of yes or no."""
        for name in names:
            parameter = self.kind.parameter(name)
            box = self.flags[name] = CheckBox(parameter.label)
            box.setToolTip(parameter.help)
            box.clicked.connect(lambda on, name=name: self.choose(name, on))
        return [self.flags[name] for name in names]

    def add_group(self, title: str, *parts: QWidget | QLayout) -> None:
        """Add a group of choices with a heading that folds it: these, and the others that are declared under
        this heading."""
        made = {*self.controls, *self.flags}
        declared = [p for p in self.kind.groups().get(title, []) if p.name not in made]
        others = self.rows(*(p.name for p in declared if p.kind is not FLAG))
        ticked = CheckBoxes(self.boxes(*(p.name for p in declared if p.kind is FLAG)), 2)
        folded = self.source.settings.choices(self.kind.remembered_as).get("folded", [])
        section = Section(title, open=not (isinstance(folded, list) and title in folded))
        fill(section.body, *parts, *([others] if others.controls else []), ticked)
        self.sections[title] = section
        self.form.addWidget(section)

    def add_words(self) -> None:
        """Add the fields for the words in the figure, which end the form."""
        self.add_group("Words")
        self.form.addStretch(1)

    def choose(self, name: str, value: Any) -> None:
        """Apply one choice and those that it implies."""
        self.choices = self.choices.chosen(name, value)
        self.show_choices()
        self.touch()

    def show_choices(self) -> None:
        """Show the choices in their controls."""
        for rows in self._rows:
            rows.show_choices(self.choices)
        for name, box in self.flags.items():
            box.setChecked(getattr(self.choices, name))

    def options(self) -> Options:
        """Return the options of the figure. BadInput when the measures are impossible."""
        made: Options = self.choices.options()
        return made

    def offer(self, choices: Mapping[str, Any]) -> None:
        """Offer the choices that a picture carries, as far as they make sense."""
        self.choices = self.kind.remembered({**self.choices.remembered_values, **choices})
        self.show_choices()
        self.touch()

    def record(self) -> dict[str, Any]:
        """Return the choices, as a session or a picture keeps them."""
        values: dict[str, Any] = self.choices.values()
        return values

    def remember(self, **more: Any) -> None:
        """Store the choices for the next time, which groups are folded, and more values with them."""
        folded = [title for title, section in self.sections.items() if not section.is_open]
        kept = {**self.choices.remembered_values, "folded": folded, **more}
        self.source.settings.remember_choices(self.kind.remembered_as, kept)

    def _lay_out(self) -> None:
        """Put the choices, which scroll, to the left of the preview, and the buttons below both."""
        self._area = area = QScrollArea()
        area.setWidget(self._choices)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for behind in (self._choices, area.viewport()):
            behind.setAutoFillBackground(False)
        parts = row(area, (self.right, 1), spacing=BETWEEN)
        margins = (MARGIN, MARGIN, MARGIN, MARGIN)
        column((parts, 1), self.buttons, on=self, spacing=8, margins=margins)

    def _follow_type(self) -> None:
        """Resize the dialogue to suit the type, as far as the screen has room; the choices scroll if
        necessary."""
        form_width = 348  # Pixels for the choices, in type of the default size.
        if self._scale == type_scale(self):
            return
        self._scale = type_scale(self)
        room = self.screen().availableSize() - QSize(8, 48)  # for its title bar
        bar = self._area.verticalScrollBar().sizeHint().width()
        needed = self._choices.minimumSizeHint().width() + bar
        right = self.right.minimumSize().width() + 2 * MARGIN + BETWEEN
        form = min(max(round(self._scale * form_width), needed), room.width() - right)
        self._area.setMinimumWidth(form)
        self._area.setMaximumWidth(round(1.15 * form))
        self.resize((QSize(1000, 680) * self._scale).boundedTo(room))
        if self.isVisible():
            corner = self.screen().availableGeometry().bottomRight()
            self.move(min(self.x(), corner.x() - self.width()), min(self.y(), corner.y() - self.height()))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.isVisible():
            soon(self, self._follow_type)  # once the controls have their type too

    def _connect(self) -> None:
        """Follow the preview, both threads and the workbench."""
        self.preview.resized.connect(self.touch)
        self.previews.done.connect(self._show_preview)
        self.previews.failed.connect(self._complain)
        self.writer.progressed.connect(self._show_progress)
        self.writer.done.connect(self._on_written)
        self.writer.failed.connect(self._on_not_written)
        bench = self.source.workbench
        for signal in (bench.frame_arrived, bench.failed, bench.state_changed):
            signal.connect(self.touch)

    # Differences between the dialogues ----------------------------------------------------------------------
    def fill_form(self) -> None:
        """Make the controls and add them to the form."""
        raise NotImplementedError

    def preview_work(self) -> Work:
        """Return the work that paints the preview and returns its image. May raise BadInput."""
        raise NotImplementedError

    def writing_work(self, path: Path) -> Work:
        """Return the work that writes the file and returns a sentence to show."""
        raise NotImplementedError

    def first_of(self, path: Path) -> Path:
        """Return the first file that is written for a path."""
        return path

    # Preview ---------------------------------------------------------------------------------------------
    def touch(self, *_: object) -> None:
        """Refresh the preview soon, because something has changed."""
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    def _refresh(self) -> None:
        """Start painting the preview of the present choices."""
        try:
            self.previews.start(self.preview_work())
        except BadInput as problem:
            self._complain(str(problem))

    def _show_preview(self, result: Any) -> None:
        """Show a preview that has been painted, with a remark about it."""
        painted = self.show_painted(result)
        try:
            self.note.say(self.remark())
        except BadInput as problem:  # the measures have changed since the preview was painted
            self._complain(str(problem))
            return
        self.save_button.setEnabled(not self.writer.busy)
        self.preview.show_image(painted)

    def show_painted(self, result: Any) -> QImage:
        """Return the picture in the result of the preview's work; a subclass may use the rest."""
        assert isinstance(result, QImage)
        return result

    def remark(self) -> str:
        """Return a remark about a figure that can be written all the same."""
        return ""

    def _complain(self, sentence: str) -> None:
        """Show why there is no figure to write."""
        self.note.say(sentence)
        self.save_button.setEnabled(False)

    # Writing -----------------------------------------------------------------------------------------------
    def ask_where(self) -> None:
        """Ask for the name of the file, then write it."""
        folder = Path(self.source.settings.export_folder or Path.home())
        named = self.source.path()
        proposal = completed(folder / (self.file if named is None else named.stem), self.choices.filter)
        path = ask_where(self, self.title, str(proposal), self.choices.filter, self.first_of)
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the file in the background."""
        path = completed(path, self.choices.filter)
        self.source.settings.export_folder = str(path.parent)
        self.remember()
        try:
            self._start(self.writing_work(path))
        except BadInput as problem:
            self._complain(str(problem))

    def _start(self, work: Work) -> None:
        """Write in the background."""
        self.outcome.say("")
        self.writer.start(work)
        self._show_busy(True)

    def cancel(self) -> None:
        """Cancel writing; a file that existed before stays as it was."""
        self.writer.cancel()
        self._show_busy(False)

    def _show_busy(self, busy: bool) -> None:
        """Show the progress and a way to cancel while a file is written."""
        self.progress.setRange(0, 0)
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)
        self.save_button.setEnabled(not busy)

    def _show_progress(self, share: float) -> None:
        """Show how much has been written, from 0 to 1."""
        self.progress.setRange(0, 100)
        self.progress.setValue(round(100 * share))

    def _on_written(self, result: Any) -> None:
        """Show that the file has been written."""
        self._show_busy(False)
        self.outcome.say(self.conclude(result), "success")

    def conclude(self, result: Any) -> str:
        """Return a sentence about the result of writing."""
        return str(result)

    def _on_not_written(self, sentence: str) -> None:
        """Show why the file could not be written."""
        self._show_busy(False)
        self.outcome.say(sentence, "error")

    # Coming and going ------------------------------------------------------------------------------------
    def setVisible(self, visible: bool) -> None:
        if visible:
            self._follow_type()  # before Qt finds a place for it
        super().setVisible(visible)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        order_tabs(self.form, self.right, self.buttons)
        self.outcome.say("")
        self.touch()

    def hideEvent(self, event: QHideEvent) -> None:
        self._soon.stop()
        super().hideEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._leave()
        super().closeEvent(event)

    def reject(self) -> None:
        self._leave()
        super().reject()

    def _leave(self) -> None:
        """Cancel all work and remember the choices: the dialogue closes."""
        self.cancel()
        self.previews.cancel()
        self.remember()

    def stop(self) -> bool:
        """Before the window closes: end both threads; True if they ended in time."""
        self._soon.stop()
        return all([self.previews.stop(), self.writer.stop()])
