"""The controls that a lesson names: parameters, or the choice of a kernel, an algorithm or a data set."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.scene.theme import current_theme
from kernelviz.session.lessons.state import LAYERS, VIEWS, find_parameter
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.registry import datasets_for
from kernelviz.ui.sidebar.kernel_panel import kernels_for
from kernelviz.ui.widgets.buttons import Button
from kernelviz.ui.widgets.control import Control
from kernelviz.ui.widgets.form import FormStack
from kernelviz.ui.widgets.labels import Label, MessageLabel
from kernelviz.ui.widgets.layouts import Flow, column, row
from kernelviz.ui.widgets.number_control import NumberControl
from kernelviz.ui.widgets.picker import Picker
from kernelviz.ui.workbench.workbench import Workbench

TITLES = {"kernel": "Kernel", "algorithm": "Algorithm", "data": "Data set"}
LAYER = "layer."  # Before the name of a layer.
ROUND = 6.0  # Radius of the corners of a ring.


class Ringed:
    """A widget that can have a ring around it, because the step mentions it."""

    ringed = False

    def set_ringed(self, on: bool) -> None:
        """Mark the control, or take the mark away."""
        self.ringed = on
        self.update()  # type: ignore[attr-defined]

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)  # type: ignore[misc]
        if self.ringed:
            painter = QPainter(self)  # type: ignore[call-overload]
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(current_theme().highlight), 2))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), ROUND, ROUND)  # type: ignore[attr-defined]


class ShowButton(Ringed, Button):
    """Shows an insight view or a layer of the canvas, or hides it."""

    def __init__(self, title: str) -> None:
        super().__init__(title, f"Show or hide {title}")
        self.setCheckable(True)


class ControlRow(Ringed, QWidget):
    """A control of a lesson: a parameter, or a list to choose from with the parameters of the chosen one."""

    def __init__(self, workbench: Workbench, name: str, technical: Iterable[str]) -> None:
        """name: as in `shows`, for example "kernel" or "kernel.gamma". technical: parameters that are shown
        although they are technical."""
        super().__init__()
        self._technical = frozenset(technical)
        self.session = workbench.session
        self.name = name
        self.whose, _, self.parameter = name.partition(".")
        self.subjects: list[tuple[object, ...]] = []  # The object it shows: the list and parameters, if any.
        self._path: tuple[int, ...] = ()
        self._offered: list[Any] = []
        self.picker = Picker(TITLES[self.whose], ())
        self.form = FormStack(plays=False)
        self.message = MessageLabel("error")
        box = column(on=self, margins=(6, 4, 6, 4), spacing=4)
        if not self.parameter:
            box.addLayout(row(Label(TITLES[self.whose]), (self.picker, 1)))
        box.addWidget(self.form)
        box.addWidget(self.message)
        self.picker.picked.connect(self._on_picked)
        self.form.edited.connect(self._on_edited)

    @property
    def control(self) -> Control:
        """The control of its parameter."""
        assert self.form.current is not None
        return next(iter(self.form.current.controls.values()))

    # What it shows --------------------------------------------------------------------------------------
    def show_document(self, document: Document) -> None:
        """Show the values of a document without changing anything."""
        owner = dataset_of(document) if self.whose == "data" else getattr(document, self.whose)
        self.message.say("")
        if self.parameter:
            self._show_parameter(owner)
        else:
            self._show_choice(document, owner)

    def _show_parameter(self, owner: Declared | None) -> None:
        found = None if owner is None else find_parameter(owner, self.parameter)
        if found is None:
            self.subjects = []
            return
        self._path, part, parameter = found
        self.subjects = [(self.whose, self._path, parameter.name)]
        before = self.form.current
        self.form.show_declared(part, (replace(parameter, silent=False),))
        view = next((view for view in parameter.views if self.parameter in view.names), None)
        if self.form.current is not before and view is not None and isinstance(self.control, NumberControl):
            self.control.show_in(view)

    def _show_choice(self, document: Document, owner: Declared | None) -> None:
        data = document.data
        self.subjects = [(self.whose,)]
        offered = list(self._kinds(document))
        if offered != self._offered:
            self._offered = offered
            self.picker.offer(offered)
        self.form.setVisible(owner is not None)
        if owner is None:
            self.picker.show_name("", "Other points")
            return
        self.picker.show_name(owner.name, getattr(owner, "title", "") or str(owner))
        every = document.algorithm.parameters_for(data.task) if self.whose == "algorithm" else None
        wanted = [p for p in every or owner.parameters() if not p.silent or p.name in self._technical]
        self.subjects += [(self.whose, (), parameter.name) for parameter in wanted]
        self.form.show_declared(owner, tuple(replace(parameter, silent=False) for parameter in wanted))

    def _kinds(self, document: Document) -> Iterable[Any]:
        data = document.data
        if self.whose == "kernel":
            return kernels_for(document)
        if self.whose == "algorithm":
            return [kind for kind in registry.algorithms().values() if kind.learns(data.task, data.domain)]
        return datasets_for(document.workspace).values()

    # What is done with it -------------------------------------------------------------------------------
    def _on_picked(self, name: str) -> None:
        task = self.session.document.data.task
        make: dict[str, Callable[[], Declared]] = {
            "kernel": lambda: registry.kernels()[name](),
            "algorithm": lambda: registry.algorithms()[name].suited_to(task),
            "data": lambda: registry.datasets()[name](),
        }
        self._change(make[self.whose], f"choose {TITLES[self.whose].lower()}", None)

    def _on_edited(self, made: Declared, gesture: object, undo_name: str) -> None:
        if not self.parameter or self.whose != "kernel":
            self._change(lambda: made, undo_name, gesture)
            return
        name = self.control.parameter.name
        kernel = self.session.document.kernel
        self._change(lambda: kernel.having((*self._path, name), getattr(made, name)), undo_name, gesture)

    def _change(self, make: Callable[[], Declared], undo_name: str, gesture: object) -> None:
        """Put another kernel, algorithm or data set on the session, or say why that is impossible."""
        try:
            made = make()
            if isinstance(made, DataSet):
                self.session.change(undo_name, gesture=gesture, data=made.make(), source=str(made))
            else:
                self.session.change(undo_name, gesture=gesture, **{self.whose: made})
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


def _settings(document: Document) -> tuple[object, ...]:
    """Return all that the controls depend on: not where the points are, which changes with every move."""
    return document.fits, document.active, document.origin, document.data.task, document.workspace


class LessonControls(QWidget):
    """All controls a lesson names, one below the other, and a button for each view and layer it names."""

    view_wanted = Signal(str, bool)  # (view, open or closed)

    def __init__(self, workbench: Workbench, shows: Iterable[str]) -> None:
        super().__init__()
        self._session = workbench.session
        self.rows: list[ControlRow] = []
        names = list(dict.fromkeys(shows))
        for name in names:
            if name.partition(".")[0] in TITLES:
                technical = [other.partition(".")[2] for other in names if other.startswith(f"{name}.")]
                self.rows.append(ControlRow(workbench, name, technical))
        self.views: dict[str, ShowButton] = {}
        self.layers: dict[str, ShowButton] = {}
        holder = QWidget()
        flow = Flow(holder, spacing=4)
        for view in (name for name in names if name in VIEWS):
            button = self.views[view] = ShowButton(VIEWS[view])
            button.clicked.connect(lambda on, view=view: self.view_wanted.emit(view, on))
            flow.addWidget(button)
        for layer in (name.removeprefix(LAYER) for name in names if name.startswith(LAYER)):
            button = self.layers[layer] = ShowButton(LAYERS[layer])
            button.clicked.connect(lambda on, layer=layer: workbench.session.toggle(layer))
            flow.addWidget(button)
        column(*self.rows, holder, on=self, spacing=2)
        holder.setVisible(bool(self.views or self.layers))
        self._show_layers(workbench.session.state)
        self._show(workbench.session.document)
        workbench.state_changed.connect(self._on_state)

    @property
    def empty(self) -> bool:
        """Return True if the lesson names nothing that has a control here."""
        return not self.rows and not self.views and not self.layers

    def _on_state(self, old: State, new: State) -> None:
        if old.look.shown != new.look.shown or old.document.workspace is not new.document.workspace:
            self._show_layers(new)
        if _settings(old.document) != _settings(new.document):
            self._show(new.document)

    def _show(self, document: Document) -> None:
        """Show each parameter once: with the list that has it, or by the name that the step uses, if the
        lesson has several for it."""
        taken: set[tuple[object, ...]] = set()
        for made in sorted(self.rows, key=lambda made: (bool(made.parameter), not made.ringed)):
            made.show_document(document)
            made.setVisible(bool(made.subjects) and made.subjects[0] not in taken)
            taken.update(made.subjects)

    def _show_layers(self, state: State) -> None:
        """Press the buttons of the layers that are shown; those of other workspaces are hidden."""
        for layer, button in self.layers.items():
            button.setVisible(layer in state.document.workspace.toggles)
            button.setChecked(layer in state.look.shown)

    def show_views(self, open: Container[str]) -> None:
        """Press the buttons of the views that are open."""
        for view, button in self.views.items():
            button.setChecked(view in open)

    def ring(self, names: Iterable[str]) -> None:
        """Mark the controls of these names, such as "kernel.gamma" or "gram", and no others."""
        wanted = set(names)
        buttons = self.views | {LAYER + name: button for name, button in self.layers.items()}
        for name, button in buttons.items():
            button.set_ringed(name in wanted)
        for made in self.rows:
            made.set_ringed(made.name in wanted)
        self._show(self._session.document)
        alone = {made.name for made in self.rows if not made.isHidden()}
        in_lists = {name.partition(".")[0] for name in wanted - alone}
        for made in self.rows:
            made.set_ringed(made.ringed or made.name in in_lists)
