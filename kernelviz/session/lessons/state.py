"""The state a lesson acts on: a document, the open views as they are set, the step of a watched run.

`LessonState` is a frozen value and the same with and without a window."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, Parameter, nearest
from kernelviz.engine.kernels.base import Kernel
from kernelviz.session.lessons.language import Pointer, Value
from kernelviz.session.state import Document, State
from kernelviz.session.view import Look
from kernelviz.session.view_listing import SetView, listed_views, parse_view, set_views
from kernelviz.session.workspaces.registry import workspaces

VIEWS: Mapping[str, str] = {view.name: view.title for view in listed_views()}  # Titles by name.
LAYERS = {name: title for w in workspaces() for name, (title, _) in w.toggles.items()}  # Of the canvas.
LAST_STEP = 1_000_000  # Steps of a run that are watched at most.


@dataclass(frozen=True, eq=False)
class LessonState:
    """Everything that a lesson may change or check.

    points: the rows of the points a stage gives names to. step: how far the run is watched, None while the
    solution is shown. look: what is shown of the document, None for what usually is. switches: how views are
    set where that is not as usual, by name."""

    document: Document
    points: tuple[tuple[str, int], ...] = ()
    views: frozenset[str] = frozenset()
    step: int | None = None
    look: Look | None = None
    switches: tuple[tuple[str, SetView], ...] = ()

    def replace(self, **changes: Any) -> Self:
        """Return the state with other parts. Named points are followed through a change of the document."""
        document = changes.get("document")
        if document is not None and "points" not in changes:
            changes["points"] = followed(self.points, self.document.data, document.data)
        if document is not None and "look" not in changes and self.look is not None:
            kept = tuple(row for row in self.look.selection if row < document.data.n)
            changes["look"] = self.look.replace(selection=kept)
        return dataclasses.replace(self, **changes)

    def row(self, which: Pointer) -> int | None:
        """Return the row of a point, by name or by number counted from 1; None if there is none."""
        row = dict(self.points).get(which) if isinstance(which, str) else which - 1
        return row if row is not None and 0 <= row < self.document.data.n else None

    def with_view(self, text: str) -> Self:
        """Return the state with a view open, and set as a text such as `gram(face=spectrum)` says; without
        switches it is as it was."""
        view = parse_view(text)
        if text.strip() == view.name:
            return self.replace(views=self.views | {view.name})
        switches = dict(self.switches) | {view.name: view}
        state = self.replace(views=self.views | {view.name}, switches=tuple(switches.items()))
        for switch, toggle in view.on_canvas.items():
            if toggle in self.document.workspace.toggles:
                state = state.with_layer(toggle, getattr(view, switch))
        return state

    def view(self, name: str) -> SetView | None:
        """Return a view as it is set; None if it is closed."""
        return dict(self.switches).get(name) or set_views()[name]() if name in self.views else None

    @property
    def open_views(self) -> list[SetView]:
        """The open views as they are set, in the order of their names."""
        return [view for name in sorted(self.views) if (view := self.view(name)) is not None]

    def switch(self, view: str, name: str) -> Value:
        """Return the value of a switch of a view; None if the view is closed."""
        if (found := self.view(view)) is None:
            return None
        toggled = self.layer(found.on_canvas.get(name, ""))
        return read_parameter(found, name) if toggled is None else toggled

    def layer(self, name: str) -> bool | None:
        """Return whether a layer of the canvas is shown; None if the workspace does not have it."""
        if name not in self.document.workspace.toggles:
            return None
        return name in self.seen.shown

    def with_layer(self, name: str, on: bool) -> Self:
        """Return the state with a layer of the canvas shown or hidden."""
        workspace = self.document.workspace
        if name not in workspace.toggles:
            hint = nearest(name, list(workspace.toggles))
            raise BadInput(f"The {workspace.title} workspace has no layer {name!r}. {hint}")
        shown = self.seen.shown
        return self.with_look(shown=shown | {name} if on else shown - {name})

    def with_look(self, **changes: Any) -> Self:
        """Return the state shown in another way."""
        return self.replace(look=self.seen.replace(**changes))

    @property
    def seen(self) -> Look:
        """What is shown of the document."""
        return self.look or self.document.workspace.look(self.document.data)

    def with_selected(self, points: tuple[Pointer, ...]) -> Self:
        """Return the state with other points selected."""
        rows = tuple(row for row in map(self.row, points) if row is not None)
        return self.with_look(selection=rows)

    def shown(self) -> State:
        """Return the state of a session that shows this one."""
        look = self.seen
        if self.step is not None:
            look = look.replace(mode="watch", step=self.step)
        return State(self.document, look)

    @property
    def on_screen(self) -> tuple[object, ...]:
        """Equal for two states of a document that show the same of it: views, their switches, layers."""
        return self.open_views, self.seen.shown

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Equal for two states that are the same to a student."""
        data, held = self.document.data, self.document.held_out
        return (
            _content(data),
            None if held is None else _content(held.data),
            self.document.fits,
            self.document.active,
            *(self.points, self.views, self.step),
        )


def _content(data: Data) -> tuple[object, ...]:
    inputs = data.X.tobytes() if isinstance(data.X, np.ndarray) else data.X
    return inputs, None if data.target is None else data.target.tobytes()


def followed(points: tuple[tuple[str, int], ...], old: Data, new: Data) -> tuple[tuple[str, int], ...]:
    """Return the rows of named points after an edit of the data.

    Points that were moved or flipped keep their rows, points that were added come last; after a removal the
    rows are found again by their content. A name whose point is gone is dropped."""
    if new is old or new.n >= old.n:
        return points
    inputs, targets = _listed(new)
    found = []
    for name, row in points:
        here = [
            k for k in range(new.n) if (inputs[k], targets[k]) == tuple(part[row] for part in _listed(old))
        ]
        if here:
            found.append((name, here[0]))
    return tuple(found)


def _listed(data: Data) -> tuple[list[Any], list[Any]]:
    inputs = data.X.tolist() if isinstance(data.X, np.ndarray) else list(data.X)
    return inputs, [None] * data.n if data.target is None else data.target.tolist()


# Parameters by name ------------------------------------------------------------------------------------
def find_parameter(declared: Declared, name: str) -> tuple[tuple[int, ...], Declared, Parameter] | None:
    """Return (path, owner, parameter) of a name, which may be that of a view such as `sigma` for `gamma`.

    Of a composed kernel it is the first part that has the parameter, parents first; None if none has it."""
    waiting: list[tuple[tuple[int, ...], Declared]] = [((), declared)]
    while waiting:
        path, owner = waiting.pop(0)
        for parameter in owner.parameters():
            if name in parameter.names:
                return path, owner, parameter
        if isinstance(owner, Kernel):
            waiting[:0] = [((*path, k), part) for k, part in enumerate(owner.parts)]
    return None


def read_parameter(declared: Declared, name: str) -> Value:
    """Return the value of a parameter, in terms of the view if the name is one's; None if there is none."""
    if (found := find_parameter(declared, name)) is None:
        return None
    _, owner, parameter = found
    value = getattr(owner, parameter.name)
    view = next((view for view in parameter.views if name in view.names), None)
    if view is not None and name != parameter.name:
        return float(view.from_canonical(value))
    return value if isinstance(value, bool | str) else float(value)
