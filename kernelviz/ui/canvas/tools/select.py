"""Selecting points."""

from __future__ import annotations

import numpy as np

from kernelviz.ui.canvas.editor import Gesture
from kernelviz.ui.canvas.tools.base import PointDrag, Spot, Surface, Tool

__all__ = ["Select"]


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
