"""Spraying points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.params import Declared, integer, real
from kernelviz.ui.canvas.editor import Gesture
from kernelviz.ui.canvas.tools.base import Spot, Stage, Tool, along

__all__ = ["Brush", "BrushOptions"]


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


class Brush(Tool):
    """Sprays points of one class over a disc that follows the mouse; a stroke is one step of undo."""

    name = "brush"
    title = "Brush"
    icon = "brush"
    shortcut = "B"
    cursor = "cross"
    help = "Paint + points; with the right button or Shift − points. Radius and density are in the toolbar."

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.options: BrushOptions = BrushOptions()
        self._last: Spot | None = None
        self._label = 1
        self._count = 0

    @property
    def reach(self) -> float:
        return self.options.radius

    def press(self, spot: Spot) -> None:
        self.gesture, self._last, self._label, self._count = Gesture(), spot, spot.label, 0
        self._spray(np.array([[spot.x, spot.y]]))

    def drag(self, spot: Spot) -> None:
        if self._last is None or self.gesture is None:
            return
        centres = along(self._last, spot, self.options.radius)
        if len(centres):
            self._last = spot
            self._spray(centres)

    def release(self, spot: Spot) -> None:
        self.drag(spot)
        self.forget()

    def forget(self) -> None:
        super().forget()
        self._last = None

    def _spray(self, centres: np.ndarray) -> None:
        options, gesture = self.options, self.gesture
        assert gesture is not None
        radius = self.stage.units(options.radius)
        sprayed = self.editor.spray(centres, radius, options.density, self._label, gesture, self._count)
        self._count += sprayed
        if not sprayed:
            self._last = None  # the plane is full: say so once, not at every move
