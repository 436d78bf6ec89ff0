"""What a tool is: a gesture on the plane, declared once for toolbar, menu, shortcut and help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import Declared
from kernelviz.ui.canvas.editor import Editor, Gesture

STILL = 2.0  # Pixels the mouse may tremble during a click.

MouseButton = Literal["left", "right", "middle"]
Cursor = Literal["arrow", "cross", "move", "hand"]


@dataclass(frozen=True)
class Spot:
    """A place under the mouse, in the plane and in pixels, with what is held down."""

    x: float
    y: float
    column: float
    row: float
    button: MouseButton = "left"
    shift: bool = False
    control: bool = False

    @property
    def label(self) -> int:
        """The class a stroke here has: - (of several, the next) with the right button or Shift, else +."""
        return -1 if self.button == "right" or self.shift else 1

    def is_near(self, other: Spot) -> bool:
        """Whether the way between is only the trembling of a click."""
        return bool(np.hypot(self.column - other.column, self.row - other.row) <= STILL)


class Surface(Protocol):
    """What a tool works on."""

    editor: Editor

    @property
    def points(self) -> Array:
        """Where the points are drawn."""

    def point_at(self, spot: Spot) -> int | None:
        """The index of the point there, if any."""

    def units(self, pixels: float) -> Array:
        """(dx, dy): as many pixels in units of the plane, to the right and up."""

    def pan(self, columns: float, rows: float) -> None:
        """Shift what is seen by so many pixels."""

    def zoom(self, factor: float, spot: Spot) -> None:
        """Enlarge around a spot."""


class Tool:
    """Base of the tools. One gesture is press, any number of drags, release (or cancel)."""

    name: ClassVar[str]
    title: ClassVar[str]
    icon: ClassVar[str]
    shortcut: ClassVar[str]
    help: ClassVar[str]
    without_classes: ClassVar[str] = ""  # What it does where points have none, if that is told otherwise.
    cursor: ClassVar[Cursor] = "arrow"
    grabs: ClassVar[bool] = False  # Whether it can drag the point under the mouse.
    # Whether it adds points, for which the toolbar offers the classes when there are several.
    adds: ClassVar[bool] = False
    # Declared parameters for which the toolbar shows controls; replace it to change them.
    options: Declared | None = None

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.editor = surface.editor
        self.gesture: Gesture | None = None

    @classmethod
    def told(cls, classes: bool) -> str:
        """What it does, where points have classes or none."""
        return cls.help if classes else cls.without_classes or cls.help

    def press(self, spot: Spot) -> None:
        """The button goes down."""

    def drag(self, spot: Spot) -> None:
        """The mouse moved with the button down."""

    def release(self, spot: Spot) -> None:
        """The button went up."""

    def cancel(self) -> None:
        """Leave everything as it was before the press."""
        if self.gesture is not None:
            self.editor.abandon(self.gesture)
        self.forget()

    def forget(self) -> None:
        """No gesture is under way any more, and nothing of it is taken back."""
        self.gesture = None

    @property
    def reach(self) -> float | None:
        """Radius in pixels of the disc it works on, drawn around the mouse; None if it has none."""
        return None

    @property
    def frame(self) -> tuple[Spot, Spot] | None:
        """Two corners of the rectangle being drawn open, if any."""
        return None


class PointDrag:
    """Points following the mouse from where it was pressed. Nothing moves before the mouse does."""

    def __init__(
        self, editor: Editor, rows: Sequence[int], start: Spot, gesture: Gesture, name: str = ""
    ) -> None:
        self.rows = list(rows)
        self.start = start
        self.moved = False
        self._editor = editor
        self._gesture = gesture
        self._name = name
        self._from = editor.points[self.rows]

    def to(self, spot: Spot) -> None:
        if self.moved or not spot.is_near(self.start):
            self.moved = True
            offset = np.array([spot.x - self.start.x, spot.y - self.start.y])
            self._editor.move(self.rows, self._from + offset, self._gesture, self._name)


def along(begin: Spot, end: Spot, spacing: float) -> Array:
    """Places every `spacing` pixels on the way from begin (excluded); empty when the way is shorter."""
    length = float(np.hypot(end.column - begin.column, end.row - begin.row))
    steps = np.arange(1, int(length / spacing) + 1) * spacing / max(length, 1e-9)
    way = np.array([end.x - begin.x, end.y - begin.y])
    return np.asarray(np.array([begin.x, begin.y]) + steps[:, None] * way)
