"""What brush and eraser share: a disc that follows the mouse; a stroke is one step of undo."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.params import Declared
from kernelviz.ui.canvas.editor import Gesture
from kernelviz.ui.canvas.tools.base import Cursor, Spot, Surface, Tool

__all__ = ["Stroke"]


class Stroke(Tool):
    """Acts on discs along the way of the mouse. `options` has their radius in pixels."""

    cursor: ClassVar[Cursor] = "cross"

    def __init__(self, surface: Surface, options: Declared) -> None:
        super().__init__(surface)
        self.options: Any = options
        self.last: Spot | None = None
        """Where the stroke has got to; None when there is none, or when it is to do nothing more."""
        self.label = 1
        self.count = 0
        """Points added or removed by the stroke so far."""

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
