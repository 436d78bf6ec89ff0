"""The controls that a lesson names: parameters, or the choice of a kernel, an algorithm or a data set."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import lru_cache
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, Parameter
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.scene.theme import current_theme
from kernelviz.session.lessons.state import VIEWS, parts
from kernelviz.session.state import Document, State
from kernelviz.ui.widgets.buttons import Button
from kernelviz.ui.widgets.controls import Control
from kernelviz.ui.widgets.form import FormStack, control_for
from kernelviz.ui.widgets.labels import Label, Message
from kernelviz.ui.widgets.layouts import Flow, column, row
from kernelviz.ui.widgets.number_control import NumberControl
from kernelviz.ui.widgets.picker import Picker
from kernelviz.ui.workbench.workbench import Workbench

CHOICES = ("kernel", "algorithm", "data")
ROUND = 6.0  # Radius of the corners of a ring.


class ControlRow(QWidget):
    """A control of a lesson, with a ring around it while the step speaks of it."""

    def __init__(self, workbench: Workbench, name: str) -> None:
        """name: as in `shows`, for example "kernel.gamma"."""
        super().__init__()
        self.session = workbench.session
        self.name = name
        self.whose, _, self.parameter = name.partition(".")
        self.ringed = False
        self._box = column(on=self, margins=(6, 4, 6, 4), spacing=4)

    def set_ringed(self, on: bool) -> None:
        """Mark the control, or take the mark away."""
        if on != self.ringed:
            self.ringed = on
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.ringed:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(current_theme().highlight), 2))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), ROUND, ROUND)

    def show_document(self, document: Document) -> None:
        """Show a document without changing anything."""
        raise NotImplementedError

    def change(self, made: Declared, undo_name: str, gesture: object) -> None:
        """Put another kernel, algorithm or data set on the session."""
        if isinstance(made, DataSet):
            self.session.change(undo_name, gesture=gesture, data=made.make(), source=str(made))
        else:
            self.session.change(undo_name, gesture=gesture, **{self.whose: made})


class ParameterRow(ControlRow):
    """The slider, list or box of one parameter; hidden while the present kernel, say, does not have it."""

    def __init__(self, workbench: Workbench, name: str) -> None:
        super().__init__(workbench, name)
        self.control: Control | None = None
        self._owner: type[Declared] | None = None
        self._path: tuple[int, ...] = ()
        self._part: Declared | None = None

    def show_document(self, document: Document) -> None:
        found = self._found(document)
        self.setVisible(found is not None)
        if found is None:
            self._part = None
            return
        self._path, part, parameter = found
        if part is self._part:
            return
        self._part = part
        if type(part) is not self._owner or self.control is None:
            self._make(part, parameter)
        assert self.control is not None
        self.control.show_value(getattr(part, parameter.name))

    def _found(self, document: Document) -> tuple[tuple[int, ...], Declared, Parameter] | None:
        """Return (path, the part of the kernel, parameter); the path is empty for anything but a kernel."""
        owners: Iterable[tuple[tuple[int, ...], Declared]] = ()
        if self.whose == "kernel":
            owners = parts(document.kernel)
        elif self.whose == "algorithm":
            owners = [((), document.algorithm)]
        elif (made := dataset_of(document)) is not None:
            owners = [((), made)]
        for path, owner in owners:
            for parameter in owner.parameters():
                if self.parameter in (parameter.name, *(n for view in parameter.views for n in view.names)):
                    return path, owner, parameter
        return None

    def _make(self, part: Declared, parameter: Parameter) -> None:
        if self.control is not None:
            for old in (self.control.label, self.control):
                old.hide()
                old.deleteLater()
        self._owner = type(part)
        self.control = control = control_for(parameter, part.name)
        control.edited.connect(self._on_edited)
        if isinstance(control, NumberControl):
            view = next((view for view in parameter.views if self.parameter in view.names), None)
            if view is not None:
                control.show_in(view)
        self._box.addLayout(row(control.label, (control, 1)))

    def _on_edited(self, value: Any, gesture: object) -> None:
        part, control = self._part, self.control
        assert part is not None
        assert control is not None
        name = control.parameter.name
        label = control.name_shown if isinstance(control, NumberControl) else control.parameter.label
        try:
            if self.whose == "kernel":
                made: Declared = self.session.document.kernel.having((*self._path, name), value)
            else:
                made = part.replace(**{name: value})
            self.change(made, f"change {label}", gesture)
        except BadInput as problem:
            control.show_value(getattr(part, name))
            control.complain(str(problem))


class ChoiceRow(ControlRow):
    """The list of kernels, algorithms or data sets, and the parameters of the chosen one."""

    def __init__(self, workbench: Workbench, name: str) -> None:
        super().__init__(workbench, name)
        title = {"kernel": "Kernel", "algorithm": "Algorithm", "data": "Data set"}[name]
        self._offered: tuple[object, ...] = ()
        self._shown: tuple[object, object] | None = None
        self.picker = Picker(title, ())
        self.form = FormStack()
        self.message = Message("error")
        self._box.addLayout(row(Label(title), (self.picker, 1)))
        self._box.addWidget(self.form)
        self._box.addWidget(self.message)
        self.picker.picked.connect(self._on_picked)
        self.form.edited.connect(self._on_edited)

    def show_document(self, document: Document) -> None:
        data = document.data
        offered = (document.workspace.name, data.task, data.domain)
        if offered != self._offered:
            self._offered = offered
            self.picker.offer(self._kinds(document))
        self.message.say("")
        if self.whose == "data":
            chosen: Declared | None = dataset_of(document)
        else:
            chosen = document.kernel if self.whose == "kernel" else document.algorithm
        if (chosen, offered) == self._shown:
            return
        self._shown = chosen, offered
        self.form.setVisible(chosen is not None)
        if chosen is None:
            self.picker.show_name("", "Other points")
            return
        self.picker.show_name(chosen.name, getattr(chosen, "title", "") or str(chosen))
        if self.whose == "algorithm":
            self.form.show_declared(chosen, document.algorithm.parameters_for(data.task))
        else:
            self.form.show_declared(chosen)

    def _kinds(self, document: Document) -> Iterable[Any]:
        data = document.data
        if self.whose == "kernel":
            return [kind for kind in registry.kernels().values() if kind.domain == data.domain]
        if self.whose == "algorithm":
            return [kind for kind in registry.algorithms().values() if kind.learns(data.task, data.domain)]
        return document.workspace.datasets.values()

    def _on_picked(self, name: str) -> None:
        task = self.session.document.data.task
        make: dict[str, Callable[[], Declared]] = {
            "kernel": lambda: registry.kernels()[name](),
            "algorithm": lambda: registry.algorithms()[name].suited_to(task),
            "data": lambda: registry.datasets()[name](),
        }
        self._try(make[self.whose], f"choose {self.picker.accessibleName().lower()}", None)

    def _on_edited(self, made: Declared, gesture: object, undo_name: str) -> None:
        self._try(lambda: made, undo_name, gesture)

    def _try(self, make: Callable[[], Declared], undo_name: str, gesture: object) -> None:
        try:
            self.change(make(), undo_name, gesture)
        except BadInput as problem:
            self.message.say(str(problem))


def dataset_of(document: Document) -> DataSet | None:
    """Return the data set that the points came from, if they came from one."""
    return _parsed(document.origin) if document.origin else None


@lru_cache(maxsize=16)  # asked for with every move of a drag
def _parsed(source: str) -> DataSet | None:
    try:
        return parse_dataset(source)
    except BadInput:
        return None


class LessonControls(QWidget):
    """All controls a lesson names, one below the other, and a button for each view it names."""

    view_wanted = Signal(str, bool)  # (view, open or closed)

    def __init__(self, workbench: Workbench, shows: Iterable[str]) -> None:
        super().__init__()
        self.rows: list[ControlRow] = []
        names = list(dict.fromkeys(shows))
        for name in names:
            whose, dot, _ = name.partition(".")
            if whose in CHOICES and not dot:
                self.rows.append(ChoiceRow(workbench, name))
            elif whose in CHOICES and whose not in names:  # a whole choice has its parameters too
                self.rows.append(ParameterRow(workbench, name))
        self.views: dict[str, Button] = {}
        holder = QWidget()
        flow = Flow(holder, spacing=4)
        for view in (name for name in names if name in VIEWS):
            button = self.views[view] = Button(VIEWS[view], f"Show or hide {VIEWS[view]}")
            button.setCheckable(True)
            button.clicked.connect(lambda on, view=view: self.view_wanted.emit(view, on))
            flow.addWidget(button)
        column(*self.rows, holder, on=self, spacing=2)
        holder.setVisible(bool(self.views))
        self._show(workbench.session.document)
        workbench.state_changed.connect(self._on_state)

    @property
    def empty(self) -> bool:
        """Return True if the lesson names nothing that has a control here."""
        return not self.rows and not self.views

    def _on_state(self, old: State, new: State) -> None:
        if old.document is not new.document:
            self._show(new.document)

    def _show(self, document: Document) -> None:
        for made in self.rows:
            made.show_document(document)

    def show_views(self, open: Container[str]) -> None:
        """Press the buttons of the views that are open."""
        for view, button in self.views.items():
            button.setChecked(view in open)

    def ring(self, names: Iterable[str]) -> None:
        """Mark the controls of these parameters, such as "kernel.gamma", and no others."""
        wanted = set(names)
        for made in self.rows:
            whole = "." not in made.name and any(name.partition(".")[0] == made.name for name in wanted)
            made.set_ringed(made.name in wanted or whole)
