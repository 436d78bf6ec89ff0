"""The tools, in the order of the toolbar and of the number keys. A further tool is a class here."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import Declared, integer, real
from kernelviz.ui.canvas.editor import ADD, Gesture
from kernelviz.ui.canvas.gestures import Cursor, Spot, Surface, Tool, along


class Add(Tool):
    """Adds a point where a free place is clicked, and drags it on while the button is down. A click on a
    point selects it, a drag moves it."""

    name = "add"
    title = "Add points"
    icon = "add-point"
    shortcut = "A"
    cursor = "cross"
    grabs = True
    adds = True
    help = "Click adds a + point, right click or Shift+click a − point; drag a point to move it."
    without_classes = "Click adds a point; drag a point to move it."
    _hit: int | None = None  # The point that was pressed, if it was there already.

    def press(self, spot: Spot) -> None:
        """Take hold of the point under the mouse, or of a new one."""
        self.gesture = Gesture()
        self._hit = self.surface.point_at(spot)
        if self._hit is not None:
            self.grab([self._hit], spot)
        elif (row := self.editor.add(spot.x, spot.y, spot.label, self.gesture)) is not None:
            self.grab([row], spot, ADD)

    def release(self, spot: Spot) -> None:
        """Put the point down; one that was there before and has not moved is selected."""
        self.drag(spot)
        if self._hit is not None and self._grabbed is not None and not self._grabbed.moved:
            self.editor.select([self._hit])
        self.forget()


class Move(Tool):
    """Drags any point, and the whole selection when the point belongs to it."""

    name = "move"
    title = "Move points"
    icon = "move"
    shortcut = "M"
    cursor = "move"
    grabs = True
    help = "Drag any point; a selected one takes the whole selection along. A click selects the point."

    def press(self, spot: Spot) -> None:
        """Take hold of the point under the mouse, with the selection if it belongs to it."""
        row = self.surface.point_at(spot)
        if row is None:
            self.editor.select(())
            return
        selected = self.editor.selection
        self.gesture = Gesture()
        self.grab(selected if row in selected else [row], spot)
        if row not in selected:
            self.editor.select([row])


class Stroke(Tool):
    """Acts on discs along the way of the mouse. `options` has their radius in pixels.

    A subclass says where the discs are between two events (`between`) and what happens to the points in them
    (`act`)."""

    cursor: ClassVar[Cursor] = "cross"

    def __init__(self, surface: Surface, options: Declared) -> None:
        super().__init__(surface)
        self.options: Any = options
        # Where the stroke has got to; None when there is none, or when it is to do nothing more.
        self.last: Spot | None = None
        self.label = 1
        self.count = 0  # Points added or removed by the stroke so far.

    @property
    def reach(self) -> float:
        """Return the radius of the disc, in pixels."""
        return float(self.options.radius)

    def press(self, spot: Spot) -> None:
        """Begin a stroke with a first disc."""
        self.gesture, self.last, self.label, self.count = Gesture(), spot, spot.label, 0
        self._act(np.array([[spot.x, spot.y]]))

    def drag(self, spot: Spot) -> None:
        """Act on the discs between the last spot that counted and this one."""
        if self.last is not None and len(centres := self.between(self.last, spot)):
            self.last = spot
            self._act(centres)

    def forget(self) -> None:
        super().forget()
        self.last = None

    def _act(self, centres: Array) -> None:
        """Act around each centre, and count the points."""
        assert self.gesture is not None
        self.count += self.act(centres, self.surface.units(self.reach), self.gesture)

    @abstractmethod
    def between(self, begin: Spot, end: Spot) -> Array:
        """Return the centres of the discs on the way from one mouse event to the next."""

    @abstractmethod
    def act(self, centres: Array, radius: Array, gesture: Gesture) -> int:
        """Act on the points around each centre; return how many there were."""


@dataclass(frozen=True)
class BrushOptions(Declared):
    """The size of the brush, and how many points it sprays."""

    name = "brush"
    title = "Brush"
    radius: float = real(36.0, low=2.0, high=400.0, soft=(8.0, 150.0), label="Radius", help="In pixels")
    density: int = integer(
        3,
        low=1,
        high=200,
        soft=(1, 30),
        label="Density",
        help="Points per stamp of the brush",
    )


class Brush(Stroke):
    """Sprays points of one class over the disc, at random places."""

    name = "brush"
    title = "Brush"
    icon = "brush"
    shortcut = "B"
    adds = True
    help = "Paint + points; with the right button or Shift, − points. Radius and density are in the toolbar."
    without_classes = "Paint points. Radius and density are in the toolbar."

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface, BrushOptions())

    def between(self, begin: Spot, end: Spot) -> Array:
        """Return centres that are a radius apart, so that the density does not depend on the speed."""
        return along(begin, end, self.reach)

    def act(self, centres: Array, radius: Array, gesture: Gesture) -> int:
        """Spray points around each centre; return how many."""
        sprayed = self.editor.spray(centres, radius, self.options.density, self.label, gesture, self.count)
        if not sprayed:
            self.last = None  # the plane is full: say so once, not at every move
        return sprayed


@dataclass(frozen=True)
class EraseOptions(Declared):
    """The size of the eraser."""

    name = "erase"
    title = "Eraser"
    radius: float = real(18.0, low=2.0, high=400.0, soft=(4.0, 150.0), label="Radius", help="In pixels")


class Erase(Stroke):
    """Removes every point that the disc passes over."""

    name = "erase"
    title = "Erase"
    icon = "erase"
    shortcut = "E"
    help = "Drag over points to remove them. The radius is in the toolbar."

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface, EraseOptions())

    def between(self, begin: Spot, end: Spot) -> Array:
        """Return centres half a radius apart: a quick stroke must not jump over points."""
        # A quick stroke must not jump over points between two events.
        return np.vstack([along(begin, end, 0.5 * self.reach), [[end.x, end.y]]])

    def act(self, centres: Array, radius: Array, gesture: Gesture) -> int:
        """Remove the points in the discs; return how many."""
        with np.errstate(over="ignore"):  # points may lie farther away than squares can be computed
            ways = (self.surface.points[:, None] - centres) / radius
            rows = np.flatnonzero(((ways**2).sum(axis=2) <= 1.0).any(axis=1))
        return self.editor.erase(rows.tolist(), gesture, self.count)


class Select(Tool):
    """Draws a rectangle around the points to select; drags a selected point together with the selection.

    With Shift or Ctrl points are added to the selection, or a clicked one is taken out of it."""

    name = "select"
    title = "Select"
    icon = "select"
    shortcut = "S"
    cursor = "arrow"
    grabs = True
    help = (
        "Draw a rectangle around points, or click one; Shift or Ctrl adds. Drag the selection to move it; "
        "Delete removes it, F flips its class, Ctrl+D duplicates it."
    )
    without_classes = (
        "Draw a rectangle around points, or click one; Shift or Ctrl adds. Drag the selection to move it; "
        "Delete removes it, Ctrl+D duplicates it."
    )

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._frame: tuple[Spot, Spot] | None = None
        self._before: tuple[int, ...] = ()

    @property
    def frame(self) -> tuple[Spot, Spot] | None:
        """Return two corners of the rectangle, while it is drawn."""
        return self._frame

    def press(self, spot: Spot) -> None:
        """Begin a rectangle on a free place; select the point under the mouse, or take hold of it."""
        self.gesture = Gesture()
        self._before = self.editor.selection
        row = self.surface.point_at(spot)
        if row is None:
            self._frame = (spot, spot)
            self._choose(())
        elif self._adds(spot):
            self.editor.select(set(self._before) ^ {row})
        else:
            if row not in self._before:
                self.editor.select([row])
            if self.grabs:
                self.grab(self.editor.selection, spot)

    def drag(self, spot: Spot) -> None:
        """Move the selection, or select what the rectangle contains now."""
        if self._frame is None:
            super().drag(spot)
        else:
            self._frame = (self._frame[0], spot)
            self._choose(self._framed())

    def cancel(self) -> None:
        """Restore the points and the selection from before the press."""
        if self.gesture is not None:
            super().cancel()
            self.editor.select(self._before)

    def forget(self) -> None:
        super().forget()
        self._frame = None

    @staticmethod
    def _adds(spot: Spot) -> bool:
        return spot.shift or spot.control

    def _choose(self, rows: tuple[int, ...]) -> None:
        """Select these points, with those from before if the key for that is down."""
        assert self._frame is not None
        kept = self._before if self._adds(self._frame[0]) else ()
        self.editor.select({*kept, *rows})

    def _framed(self) -> tuple[int, ...]:
        """Return the points inside the rectangle."""
        assert self._frame is not None
        a, b = self._frame
        x, y = self.surface.points.T
        inside = (min(a.x, b.x) <= x) & (x <= max(a.x, b.x)) & (min(a.y, b.y) <= y) & (y <= max(a.y, b.y))
        return tuple(map(int, np.flatnonzero(inside)))


class Pan(Tool):
    """Drags the plane; a click enlarges, a right click or Shift+click shrinks."""

    name = "pan"
    title = "Pan and zoom"
    icon = "pan"
    shortcut = "H"
    cursor = "hand"
    help = (
        "Drag the picture; click to zoom in, right click or Shift+click to zoom out. "
        "The wheel zooms and the middle button pans with every tool."
    )

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._begin: Spot | None = None
        self._clicking = False
        self._last: Spot | None = None

    def press(self, spot: Spot) -> None:
        """Take hold of the plane; the middle button only drags, the others may click."""
        self._begin = self._last = spot
        self._clicking = spot.button != "middle"

    def drag(self, spot: Spot) -> None:
        """Move the plane with the mouse."""
        if self._begin is not None and self._last is not None:
            self._clicking = self._clicking and spot.is_near(self._begin)
            self.surface.pan(spot.column - self._last.column, spot.row - self._last.row)
            self._last = spot

    def release(self, spot: Spot) -> None:
        """End the drag; after a click, zoom around the spot."""
        zoom_per_click = 1.5  # How much a click enlarges.
        self.drag(spot)
        if self._begin is not None and self._clicking:
            self.surface.zoom(zoom_per_click**self._begin.label, spot)
        self.forget()

    def cancel(self) -> None:
        """Move the plane back to where it was."""
        if self._begin is not None and self._last is not None:
            self.surface.pan(self._begin.column - self._last.column, self._begin.row - self._last.row)
        super().cancel()

    def forget(self) -> None:
        super().forget()
        self._begin = self._last = None


TOOLS: tuple[type[Tool], ...] = (Add, Move, Brush, Erase, Select, Pan)
