"""Tools that move points or the view: move, select and pan."""

from __future__ import annotations

import numpy as np

from kernelviz.ui.canvas.editor import Gesture
from kernelviz.ui.canvas.tools.base import PointDrag, Spot, Surface, Tool


class Move(Tool):
    """Drags any point, and the whole selection when the point belongs to it."""

    name = "move"
    title = "Move points"
    icon = "move"
    shortcut = "M"
    cursor = "move"
    grabs = True
    help = "Drag any point; a selected one takes the whole selection along. A click selects the point."

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._drag: PointDrag | None = None

    def press(self, spot: Spot) -> None:
        row = self.surface.point_at(spot)
        if row is None:
            self.editor.select(())
            return
        selected = self.editor.selection
        self.gesture = Gesture()
        self._drag = PointDrag(self.editor, selected if row in selected else [row], spot, self.gesture)
        if row not in selected:
            self.editor.select([row])

    def drag(self, spot: Spot) -> None:
        if self._drag is not None:
            self._drag.to(spot)

    def release(self, spot: Spot) -> None:
        self.drag(spot)
        self.forget()

    def forget(self) -> None:
        super().forget()
        self._drag = None


class Select(Tool):
    """Draws a rectangle open to select; drags a selected point and the rest of the selection with it."""

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
        self._drag: PointDrag | None = None
        self._frame: tuple[Spot, Spot] | None = None
        self._before: tuple[int, ...] = ()

    @property
    def frame(self) -> tuple[Spot, Spot] | None:
        return self._frame

    def press(self, spot: Spot) -> None:
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
                self._drag = PointDrag(self.editor, self.editor.selection, spot, self.gesture)

    def drag(self, spot: Spot) -> None:
        if self._drag is not None:
            self._drag.to(spot)
        elif self._frame is not None:
            self._frame = (self._frame[0], spot)
            self._choose(self._framed())

    def release(self, spot: Spot) -> None:
        self.drag(spot)
        self.forget()

    def cancel(self) -> None:
        if self.gesture is not None:
            super().cancel()
            self.editor.select(self._before)

    def forget(self) -> None:
        super().forget()
        self._drag = self._frame = None

    @staticmethod
    def _adds(spot: Spot) -> bool:
        return spot.shift or spot.control

    def _choose(self, rows: tuple[int, ...]) -> None:
        assert self._frame is not None
        kept = self._before if self._adds(self._frame[0]) else ()
        self.editor.select({*kept, *rows})

    def _framed(self) -> tuple[int, ...]:
        assert self._frame is not None
        a, b = self._frame
        x, y = self.surface.points.T
        inside = (min(a.x, b.x) <= x) & (x <= max(a.x, b.x)) & (min(a.y, b.y) <= y) & (y <= max(a.y, b.y))
        return tuple(map(int, np.flatnonzero(inside)))


ZOOM_PER_CLICK = 1.5  # How much a click enlarges.


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
        self._begin = self._last = spot
        self._clicking = spot.button != "middle"

    def drag(self, spot: Spot) -> None:
        if self._begin is not None and self._last is not None:
            self._clicking = self._clicking and spot.is_near(self._begin)
            self.surface.pan(spot.column - self._last.column, spot.row - self._last.row)
            self._last = spot

    def release(self, spot: Spot) -> None:
        self.drag(spot)
        if self._begin is not None and self._clicking:
            self.surface.zoom(ZOOM_PER_CLICK**self._begin.label, spot)
        self.forget()

    def cancel(self) -> None:
        if self._begin is not None and self._last is not None:
            self.surface.pan(self._begin.column - self._last.column, self._begin.row - self._last.row)
        super().cancel()

    def forget(self) -> None:
        super().forget()
        self._begin = self._last = None
