"""Erasing points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.params import Declared, real
from kernelviz.ui.canvas.editor import Gesture
from kernelviz.ui.canvas.tools.base import Spot, Stage, Tool, along

__all__ = ["Erase", "EraseOptions"]


@dataclass(frozen=True)
class EraseOptions(Declared):
    """How large the eraser is."""

    name = "erase"
    title = "Eraser"
    radius: float = real(18.0, low=2.0, high=400.0, soft=(4.0, 150.0), label="Radius", help="In pixels")


class Erase(Tool):
    """Drops every point the disc around the mouse passes over; a stroke is one step of undo."""

    name = "erase"
    title = "Erase"
    icon = "erase"
    shortcut = "E"
    cursor = "cross"
    help = "Drag over points to remove them. The radius is in the toolbar."

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.options: EraseOptions = EraseOptions()
        self._last: Spot | None = None
        self._count = 0

    @property
    def reach(self) -> float:
        return self.options.radius

    def press(self, spot: Spot) -> None:
        self.gesture, self._last, self._count = Gesture(), spot, 0
        self._erase(np.array([[spot.x, spot.y]]))

    def drag(self, spot: Spot) -> None:
        if self._last is None:
            return
        # A quick stroke must not jump over points between two events.
        between = along(self._last, spot, 0.5 * self.options.radius)
        self._last = spot
        self._erase(np.vstack([between, [[spot.x, spot.y]]]))

    def release(self, spot: Spot) -> None:
        self.drag(spot)
        self.forget()

    def forget(self) -> None:
        super().forget()
        self._last = None

    def _erase(self, centres: np.ndarray) -> None:
        assert self.gesture is not None
        radius = self.stage.units(self.options.radius)
        self._count += self.editor.erase(centres, radius, self.gesture, self._count)
