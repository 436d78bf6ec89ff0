"""Spraying points."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.engine.arrays import Array
from kernelviz.engine.params import Declared, integer, real
from kernelviz.ui.canvas.editor import Gesture
from kernelviz.ui.canvas.tools.base import Spot, Surface, along
from kernelviz.ui.canvas.tools.stroke import Stroke

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
