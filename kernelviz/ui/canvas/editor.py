"""Edits of the points as named steps of undo: what tools, keys and menus call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput
from kernelviz.session import edits
from kernelviz.session.session import Session

__all__ = ["Editor", "Gesture", "plane_points"]

JITTER = 0.01
"""Standard deviation of the jitter, as a share of the points' extent."""


ADD = "add point"


class Gesture:
    """From press to release: changes made under the same gesture are one step of undo."""


def plane_points(data: Data) -> Array:
    """The points as rows (x, y): the first two inputs; a single input lies on the line y = 0."""
    X = np.asarray(data.X, dtype=np.float64).reshape(data.n, -1) if data.n else np.empty((0, 2))
    if X.shape[1] >= 2:
        return X[:, :2]
    return np.column_stack([X, np.zeros(data.n)])


def counted(verb: str, count: int) -> str:
    """ "move point", "move 5 points"."""
    return f"{verb} point" if count == 1 else f"{verb} {count} points"


class Editor:
    """The session's points, changed by hand. What cannot be done is told through `complain`."""

    def __init__(self, session: Session, complain: Callable[[str], None]) -> None:
        self.session = session
        self._complain = complain
        self._dabs = 0
        self._chosen = ""

    @property
    def data(self) -> Data:
        return self.session.document.data

    @property
    def points(self) -> Array:
        return plane_points(self.data)

    @property
    def selection(self) -> tuple[int, ...]:
        return self.session.look.selection

    # The class of new points ---------------------------------------------------------------------------
    @property
    def classes(self) -> tuple[str, ...]:
        """The names to choose from; none of two classes, which have a mouse button each."""
        return self.data.class_names if self.data.task is Task.CLASSES else ()

    @property
    def chosen(self) -> int:
        """The class that points are added of, as long as there are several."""
        return self.classes.index(self._chosen) if self._chosen in self.classes else 0

    def choose(self, k: int) -> None:
        """Add points of class k from now on."""
        self._chosen = self.classes[k]

    def _class(self, label: int) -> int:
        """+ (1) and - (-1) as the data have them: of several classes the chosen one and the next."""
        classes = len(self.classes)
        return label if not classes else (self.chosen + (label < 0)) % classes

    # The selection ------------------------------------------------------------------------------------
    def select(self, rows: Iterable[int]) -> None:
        self.session.adjust(selection=tuple(sorted(set(map(int, rows)))))

    def select_all(self) -> None:
        self.select(range(self.data.n))

    # During a gesture ---------------------------------------------------------------------------------
    def add(self, x: float, y: float, label: int, gesture: Gesture | None = None) -> int | None:
        """Add a point of class + (1) or - (-1), of several of the chosen one (1) or the next (-1); its index,
        or None if there is no room."""
        k = self._class(label)
        added = self._change(ADD, lambda d: edits.add_points(d, np.array([[x, y]]), k), gesture)
        return self.data.n - 1 if added else None

    def move(self, rows: Sequence[int], xy: Array, gesture: Gesture | None = None, name: str = "") -> bool:
        """Put the points elsewhere; `name` is what the gesture does besides, if it does."""
        name = name or counted("move", len(rows))
        return self._change(name, lambda d: edits.move_points(d, rows, xy), gesture)

    def spray(
        self, centres: Array, radius: Array, count: int, label: int, gesture: Gesture, already: int = 0
    ) -> int:
        """One dab of the brush around each centre; how many points were added."""
        if not len(centres):
            return 0
        self._dabs += 1
        seeds = range(self._dabs * 1000, self._dabs * 1000 + len(centres))
        xy = np.vstack([edits.spray(c, radius, count, s) for c, s in zip(centres, seeds, strict=True)])
        name, k = counted("brush", already + len(xy)), self._class(label)
        return len(xy) if self._change(name, lambda d: edits.add_points(d, xy, k), gesture) else 0

    def erase(self, centres: Array, radius: Array, gesture: Gesture, already: int = 0) -> int:
        """Drop every point within the radius of a centre; how many there were."""
        kept = self.data
        for centre in centres:
            kept = edits.erase_disc(kept, centre, radius)
        gone = self.data.n - kept.n
        if gone:
            self._forget_points()
            self._change(counted("erase", already + gone), lambda _: kept, gesture)
        return gone

    def abandon(self, gesture: Gesture) -> None:
        """Take back everything done under the gesture, as if it had never begun."""
        self.session.abandon(gesture)

    # Menu actions -------------------------------------------------------------------------------------
    def delete_selection(self) -> None:
        rows = self.selection
        if rows:
            self._forget_points()
            self._change(counted("delete", len(rows)), lambda d: edits.remove_points(d, rows))

    def flip_selection(self) -> None:
        rows = self.selection
        if rows:
            self._change("flip class", lambda d: edits.flip_points(d, rows))

    def duplicate_selection(self, offset: Array) -> None:
        """Copies beside the originals; the copies are selected, ready to be dragged away."""
        rows, n = self.selection, self.data.n
        if rows and self._change("duplicate", lambda d: edits.duplicate_points(d, rows, offset)):
            self.select(range(n, self.data.n))

    def move_selection_to(self, x: float, y: float) -> None:
        """Put the selected point at (x, y); of several, their middle, keeping their arrangement."""
        rows = list(self.selection)
        if rows:
            chosen = self.points[rows]
            self.move(rows, chosen + (np.array([x, y]) - chosen.mean(axis=0)))

    def clear(self) -> None:
        """No points at all; of data that are not two classes, a plane for + and - is left."""
        if self.data.n:
            self._forget_points()
            two = self.data.task is Task.TWO_CLASSES and np.ndim(self.data.X) == 2
            self._change("clear", lambda d: d.subset(slice(0)) if two else edits.empty())

    def jitter(self) -> None:
        """Shake the selected points a little, or all of them."""
        if self.data.n:
            points = self.points
            extent = float(np.ptp(points, axis=0).max()) or 1.0
            seed = len(self.session.history)
            self._change("jitter", lambda d: edits.jitter(d, self.selection, JITTER * extent, seed))

    # ---------------------------------------------------------------------------------------------------
    def _forget_points(self) -> None:
        """Indices of points mean nothing once points before them are gone."""
        self.session.adjust(selection=())

    def _change(self, name: str, edit: Callable[[Data], Data], gesture: Gesture | None = None) -> bool:
        data = self.data
        try:
            if data.n and np.shape(data.X)[1:] != (2,):
                raise BadInput("Only points with two inputs can be edited here.")
            changed = edit(data)
        except BadInput as problem:
            self._complain(str(problem))
            return False
        self.session.change(name, gesture=gesture, data=changed, source="")
        return changed is not data
