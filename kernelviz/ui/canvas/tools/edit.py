"""Tools that add and remove points: add, brush and erase."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import Declared, integer, real
from kernelviz.ui.canvas.editor import ADD, Gesture
from kernelviz.ui.canvas.tools.base import Cursor, PointDrag, Spot, Surface, Tool, along


class Stroke(Tool):
    """Acts on discs along the way of the mouse. `options` has their radius in pixels."""

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
        return float(self.options.radius)

    def press(self, spot: Spot) -> None:
        self.gesture, self.last, self.label, self.count = Gesture(), spot, spot.label, 0
        self._act(np.array([[spot.x, spot.y]]))

    def drag(self, spot: Spot) -> None:
        if self.last is not None and len(centres := self.between(self.last, spot)):
            self.last = spot
            self._act(centres)

    def release(self, spot: Spot) -> None:
        self.drag(spot)
        self.forget()

    def forget(self) -> None:
        super().forget()
        self.last = None

    def _act(self, centres: Array) -> None:
        assert self.gesture is not None
        self.count += self.act(centres, self.surface.units(self.reach), self.gesture)

    @abstractmethod
    def between(self, begin: Spot, end: Spot) -> Array:
        """The centres of the discs on the way from one event of the mouse to the next."""

    @abstractmethod
    def act(self, centres: Array, radius: Array, gesture: Gesture) -> int:
        """Do it around each centre; how many points were concerned."""


class Add(Tool):
    """A click on a free place adds a point, which can be dragged on at once; one on a point moves that."""

    name = "add"
    title = "Add points"
    icon = "add-point"
    shortcut = "A"
    cursor = "cross"
    grabs = True
    adds = True
    help = "Click adds a + point, right click or Shift+click a − point; drag a point to move it."
    without_classes = "Click adds a point; drag a point to move it."

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._drag: PointDrag | None = None
        self._hit: int | None = None

    def press(self, spot: Spot) -> None:
        self.gesture = Gesture()
        row = self._hit = self.surface.point_at(spot)
        if row is None:
            row = self.editor.add(spot.x, spot.y, spot.label, self.gesture)
        if row is not None:
            name = ADD if self._hit is None else ""
            self._drag = PointDrag(self.editor, [row], spot, self.gesture, name)

    def drag(self, spot: Spot) -> None:
        if self._drag is not None:
            self._drag.to(spot)

    def release(self, spot: Spot) -> None:
        self.drag(spot)
        if self._drag is not None and self._hit is not None and not self._drag.moved:
            self.editor.select([self._hit])
        self.forget()

    def forget(self) -> None:
        super().forget()
        self._drag = self._hit = None


@dataclass(frozen=True)
class BrushOptions(Declared):
    """How the brush sprays."""

    name = "brush"
    title = "Brush"
    radius: float = real(36.0, low=2.0, high=400.0, soft=(8.0, 150.0), label="Radius", help="In pixels")
    density: int = integer(
        3,
        low=1,
        high=200,
        soft=(1, 30),
        label="Density",
        help="Points each time the brush moves by its radius",
    )


class Brush(Stroke):
    """Sprays points of one class over the disc."""

    name = "brush"
    title = "Brush"
    icon = "brush"
    shortcut = "B"
    adds = True
    help = "Paint + points; with the right button or Shift − points. Radius and density are in the toolbar."
    without_classes = "Paint points. Radius and density are in the toolbar."

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface, BrushOptions())

    def between(self, begin: Spot, end: Spot) -> Array:
        return along(begin, end, self.reach)

    def act(self, centres: Array, radius: Array, gesture: Gesture) -> int:
        sprayed = self.editor.spray(centres, radius, self.options.density, self.label, gesture, self.count)
        if not sprayed:
            self.last = None  # the plane is full: say so once, not at every move
        return sprayed


@dataclass(frozen=True)
class EraseOptions(Declared):
    """How large the eraser is."""

    name = "erase"
    title = "Eraser"
    radius: float = real(18.0, low=2.0, high=400.0, soft=(4.0, 150.0), label="Radius", help="In pixels")


class Erase(Stroke):
    """Drops every point the disc passes over."""

    name = "erase"
    title = "Erase"
    icon = "erase"
    shortcut = "E"
    help = "Drag over points to remove them. The radius is in the toolbar."

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface, EraseOptions())

    def between(self, begin: Spot, end: Spot) -> Array:
        # A quick stroke must not jump over points between two events.
        return np.vstack([along(begin, end, 0.5 * self.reach), [[end.x, end.y]]])

    def act(self, centres: Array, radius: Array, gesture: Gesture) -> int:
        return self.editor.erase(centres, radius, gesture, self.count)
