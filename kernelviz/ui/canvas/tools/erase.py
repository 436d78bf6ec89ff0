"""Erasing points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.params import Declared, real
from kernelviz.ui.canvas.editor import Gesture
from kernelviz.ui.canvas.tools.base import Spot, Surface, along
from kernelviz.ui.canvas.tools.stroke import Stroke

__all__ = ["Erase", "EraseOptions"]


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
