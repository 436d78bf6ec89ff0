"""The base class of tools, and what a tool sees of the canvas.

A tool is a gesture on the plane, declared once for the toolbar, the menu, its shortcut and the help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np
from PySide6.QtCore import QPointF

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import Declared
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.ui.canvas.editor import Editor, Gesture

MouseButton = Literal["left", "right", "middle", "eraser"]  # The last is the other end of a pen.
Cursor = Literal["arrow", "cross", "move", "hand"]


@dataclass(frozen=True)
class Spot:
    """A place under the mouse, in the plane and in pixels, and the button and keys held down."""

    x: float
    y: float
    column: float
    row: float
    button: MouseButton = "left"
    shift: bool = False
    control: bool = False

    @property
    def label(self) -> int:
        """Return the class of points added here: -1 with the right button or Shift, else 1."""
        return -1 if self.button == "right" or self.shift else 1

    @property
    def in_points(self) -> QPointF:
        """The place in points, from the corner of the rectangle between the axes."""
        return QPointF(self.column, self.row) * POINTS_PER_PIXEL

    def is_near(self, other: Spot) -> bool:
        """Return True if the distance is only the trembling of a click."""
        still = 2.0  # Pixels the mouse may tremble during a click.
        return bool(np.hypot(self.column - other.column, self.row - other.row) <= still)


class Surface(Protocol):
    """The canvas as a tool sees it."""

    editor: Editor

    @property
    def points(self) -> Array:
        """Return where the points are drawn, as (n, 2)."""

    def point_at(self, spot: Spot) -> int | None:
        """Return the index of the point there, if any."""

    def units(self, pixels: float) -> Array:
        """Return (dx, dy), a number of pixels to the right and up, in units of the plane."""

    def pan(self, columns: float, rows: float) -> None:
        """Shift the view by a number of pixels."""

    def zoom(self, factor: float, spot: Spot) -> None:
        """Enlarge around a spot."""


@dataclass
class Grab:
    """Points that follow the mouse from where it was pressed."""

    rows: list[int]
    places: Array
    start: Spot
    name: str = ""  # The step of undo; "move point" by default.
    moved: bool = False  # Nothing moves before the mouse does.


class Tool:
    """The base of the tools. A gesture is a press, any number of drags, and a release (or `cancel`).

    A tool declares its name, title, icon, shortcut and help, from which the toolbar, the menu and the list of
    keys are made. It changes points through `editor`, with one `Gesture` from press to release, so that all
    of it is one step of undo. `grab` in `press` is enough for a tool that drags points:

        class Move(Tool):
            def press(self, spot):
                if (row := self.surface.point_at(spot)) is not None:
                    self.gesture = Gesture()
                    self.grab([row], spot)"""

    name: ClassVar[str]
    title: ClassVar[str]
    icon: ClassVar[str]
    shortcut: ClassVar[str]
    help: ClassVar[str]
    without_classes: ClassVar[str] = ""  # The same where points have no classes, if it differs.
    cursor: ClassVar[Cursor] = "arrow"
    solid: ClassVar[bool] = False  # Whether the disc around the mouse is filled.
    grabs: ClassVar[bool] = False  # Whether it can drag the point under the mouse.
    # Whether it adds points, for which the toolbar offers the classes when there are several.
    adds: ClassVar[bool] = False
    # Declared parameters for which the toolbar shows controls; replace it to change them.
    options: Declared | None = None

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.editor = surface.editor
        self.gesture: Gesture | None = None
        self._grabbed: Grab | None = None

    @classmethod
    def help_for(cls, classes: bool) -> str:
        """Return the help, for points with or without classes."""
        return cls.help if classes else cls.without_classes or cls.help

    def press(self, spot: Spot) -> None:
        """Begin a gesture: the button went down."""

    def drag(self, spot: Spot) -> None:
        """Continue: the mouse moved with the button down. By default the grabbed points follow it."""
        grab = self._grabbed
        if grab is not None and (grab.moved or not spot.is_near(grab.start)):
            grab.moved = True
            offset = np.array([spot.x - grab.start.x, spot.y - grab.start.y])
            self.editor.move(grab.rows, grab.places + offset, self.gesture, grab.name)

    def release(self, spot: Spot) -> None:
        """End the gesture: the button went up."""
        self.drag(spot)
        self.forget()

    def cancel(self) -> None:
        """Leave everything as it was before the press."""
        if self.gesture is not None:
            self.editor.session.abandon(self.gesture)
        self.forget()

    def forget(self) -> None:
        """End the gesture and keep its changes."""
        self.gesture = self._grabbed = None

    def grab(self, rows: Sequence[int], spot: Spot, name: str = "") -> None:
        """Move points with the mouse, as a step of undo of that name. Call it in `press`."""
        self._grabbed = Grab(list(rows), self.editor.points[list(rows)], spot, name)

    @property
    def reach(self) -> float | None:
        """Return the radius in pixels of the disc around the mouse that it works on; None without one."""
        return None

    @property
    def frame(self) -> tuple[Spot, Spot] | None:
        """Return two corners of the rectangle being drawn, if any."""
        return None


def along(begin: Spot, end: Spot, spacing: float) -> Array:
    """Return places every `spacing` pixels on the way from begin (excluded); none when the way is shorter."""
    length = float(np.hypot(end.column - begin.column, end.row - begin.row))
    steps = np.arange(1, int(length / spacing) + 1) * spacing / max(length, 1e-9)
    way = np.array([end.x - begin.x, end.y - begin.y])
    return np.asarray(np.array([begin.x, begin.y]) + steps[:, None] * way)
