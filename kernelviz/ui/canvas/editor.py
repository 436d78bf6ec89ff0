"""Edits of the points as named steps of undo: what tools, keys and menus call.

An edit is a function of a workspace and its data that returns new data. `Editor.change` applies it and
reports what is wrong if it raises BadInput; everything else here makes such functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.session import Session
from kernelviz.session.workspaces.base import Workspace, spray

ADD = "add point"
Edit = Callable[[Workspace, Data], Data]


class Gesture:
    """From press to release: changes made under the same gesture are one step of undo."""


def counted(verb: str, count: int) -> str:
    """Return a verb with the points it acts on, such as "move point" or "move 5 points"."""
    return f"{verb} point" if count == 1 else f"{verb} {count} points"


class Editor:
    """Changes the points of the session, each time as a named step of undo.

    What an edit means for the data is defined by their workspace: moving a point of the plane changes its
    inputs, moving one of a curve its target too. `complain` is called with a sentence about an edit that
    cannot be made."""

    def __init__(self, session: Session, complain: Callable[[str], None]) -> None:
        self.session = session
        self._complain = complain
        self._dabs = 0
        self._chosen = ""
        self.both = False  # Whether the class of new points is chosen from two, too.

    @property
    def data(self) -> Data:
        """Return the points that are fitted."""
        return self.session.document.data

    @property
    def workspace(self) -> Workspace:
        """Return the workspace, which defines what an edit means for the data."""
        return self.session.document.workspace

    @property
    def points(self) -> Array:
        """Return the points' places on the canvas, (n, 2)."""
        return self.workspace.positions(self.data)

    @property
    def selection(self) -> tuple[int, ...]:
        """Return the indices of the selected points, in ascending order."""
        return self.session.look.selection

    # The class of new points ---------------------------------------------------------------------------
    @property
    def classes(self) -> tuple[str, ...]:
        """Return the names to choose from; none for two classes while each has a mouse button."""
        several, two = self.workspace.classes(self.data), self.data.task is Task.TWO_CLASSES
        return several or (self.data.class_names if self.both and two and self.workspace.has_classes else ())

    @property
    def chosen(self) -> int:
        """Return the class of new points, if there are several to choose from. With two classes it is + at
        first."""
        classes = self.classes
        return (
            classes.index(self._chosen)
            if self._chosen in classes
            else int(self.data.task is Task.TWO_CLASSES)
        )

    def choose(self, k: int) -> None:
        """Add points of class k from now on."""
        self._chosen = self.classes[k]

    def _class(self, label: int) -> int:
        """Return + (1) and - (-1) as the data have them: among several classes the chosen one and the
        next."""
        classes = len(self.classes)
        if not classes:
            return label
        k = (self.chosen + (label < 0)) % classes
        return 2 * k - 1 if self.data.task is Task.TWO_CLASSES else k

    # The selection ------------------------------------------------------------------------------------
    def select(self, rows: Iterable[int]) -> None:
        """Select these points and no others."""
        self.session.adjust(selection=tuple(sorted(set(map(int, rows)))))

    def select_all(self) -> None:
        """Select every point."""
        self.select(range(self.data.n))

    # During a gesture ---------------------------------------------------------------------------------
    def add(self, x: float, y: float, label: int, gesture: Gesture | None = None) -> int | None:
        """Add a point of class + (1) or - (-1), or among several classes of the chosen one (1) or the next
        (-1); return its index, or None if there is no room."""
        k = self._class(label)
        added = self.change(ADD, lambda w, d: w.added(d, np.array([[x, y]]), k), gesture)
        return self.data.n - 1 if added else None

    def move(self, rows: Sequence[int], xy: Array, gesture: Gesture | None = None, name: str = "") -> bool:
        """Put points at other places, (m, 2). `name` is the step of undo, unless that is just a move."""
        name = name or counted("move", len(rows))
        return self.change(name, lambda w, d: w.placed(d, rows, xy), gesture)

    def move_held_out(self, row: int, xy: Array, gesture: Gesture) -> None:
        """Move a held-out point, which changes the held-out error but no fit."""
        held = self.session.document.held_out
        if held is not None:
            try:
                moved = held.with_data(self.workspace.placed(held.data, [row], xy))
            except BadInput as problem:
                self._complain(str(problem))
                return
            self.session.change("move held-out point", gesture=gesture, held_out=moved)

    def drag_handle(self, handle: int, place: Array, gesture: Gesture) -> None:
        """Drag a handle of the active fit's algorithm, which changes the algorithm's parameters."""
        algorithm = self.session.document.algorithm
        self.session.change("drag a handle", gesture=gesture, algorithm=algorithm.with_handle(handle, place))

    def spray(
        self, centres: Array, radius: Array, count: int, label: int, gesture: Gesture, already: int = 0
    ) -> int:
        """Add one dab of the brush around each centre; return how many points were added."""
        if not len(centres):
            return 0
        self._dabs += 1
        seeds = range(self._dabs * 1000, self._dabs * 1000 + len(centres))
        xy = np.vstack([spray(c, radius, count, s) for c, s in zip(centres, seeds, strict=True)])
        name, k = counted("brush", already + len(xy)), self._class(label)
        return len(xy) if self.change(name, lambda w, d: w.added(d, xy, k), gesture) else 0

    def erase(self, rows: Sequence[int], gesture: Gesture, already: int) -> int:
        """Remove points, after others of the same gesture; return how many were removed."""
        if rows:
            self._forget_points()
            self.change(counted("erase", already + len(rows)), lambda w, d: w.removed(d, rows), gesture)
        return len(rows)

    def weigh(self, rows: Sequence[int], steps: int, gesture: Gesture) -> None:
        """Make the weights of points larger by a factor √2 for each step, or smaller, between 1/16 and 16."""
        self.change(counted("weigh", len(rows)), lambda _, d: self._weighed(d, rows, steps), gesture)

    def _weighed(self, data: Data, rows: Sequence[int], steps: int) -> Data:
        """Return the data with these points at other powers of √2; a weight beyond the ends, which a file may
        have, only comes nearer."""
        self.session.document.algorithm.check_weights()
        farthest = 8  # Steps from 1 to 16, and to 1/16.
        weights = np.ones(data.n) if data.weights is None else data.weights.copy()
        own = weights[list(rows)]
        power = np.rint(2.0 * np.log2(np.maximum(own, 2.0 ** (-farthest / 2)))) + steps
        new = 2.0 ** (np.clip(power, -farthest, farthest) / 2)
        new = np.where((new - own) * steps > 0, new, own)
        if (new == own).all():
            return data
        weights[list(rows)] = new
        return data.weighted(weights)

    # Menu actions -------------------------------------------------------------------------------------
    def delete_selection(self) -> None:
        """Remove the selected points."""
        rows = self.selection
        if rows:
            self._forget_points()
            self.change(counted("delete", len(rows)), lambda w, d: w.removed(d, rows))

    def flip_selection(self) -> None:
        """Give the selected points the other class, or the next of several."""
        rows = self.selection
        if rows:
            self.change("flip class", lambda w, d: w.flipped(d, rows))

    def swap_classes(self) -> None:
        """Make the other one of two classes +."""
        try:
            self.session.replace("swap classes", self.session.document.with_classes_swapped())
        except BadInput as problem:
            self._complain(str(problem))

    def duplicate_selection(self, offset: Array) -> None:
        """Add copies next to the originals; the copies are selected, ready to be dragged away."""
        rows, n = self.selection, self.data.n
        if rows and self.change("duplicate", lambda w, d: w.duplicated(d, rows, offset)):
            self.select(range(n, self.data.n))

    def clear(self) -> None:
        """Remove all points."""
        if self.data.n:
            self._forget_points()
            self.change("clear", lambda w, d: w.cleared(d), always=True)

    def jitter(self) -> None:
        """Shake the selected points a little, or all of them if none is selected."""
        jitter = 0.01  # Standard deviation of the jitter, as a share of the points' extent.
        if self.data.n:
            points = self.points
            extent = float(np.ptp(points, axis=0).max()) or 1.0
            seed = len(self.session.history)
            self.change("jitter", lambda w, d: w.jittered(d, self.selection, jitter * extent, seed))

    # ---------------------------------------------------------------------------------------------------
    def _forget_points(self) -> None:
        """Clear the selection: indices of points mean nothing once points before them are gone."""
        self.session.adjust(selection=())

    def change(self, name: str, edit: Edit, gesture: Gesture | None = None, always: bool = False) -> bool:
        """Replace the data by what the edit makes of them, as a step of undo.

        Return False if nothing changes, or if the edit cannot be made; `complain` gets the reason then.
        always: also for data that the workspace cannot show."""
        document = self.session.document
        data, workspace = document.data, document.workspace
        try:
            if not always and (refused := workspace.refusal(data)):
                raise BadInput(refused)
            changed = edit(workspace, data)
        except BadInput as problem:
            self._complain(str(problem))
            return False
        if changed is data:
            return False
        self.session.change(name, gesture=gesture, data=changed, source="")
        return True
