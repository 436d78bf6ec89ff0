"""Looking around."""

from __future__ import annotations

from kernelviz.ui.canvas.tools.base import Spot, Stage, Tool

__all__ = ["Pan"]

STEP = 1.5
"""How much a click enlarges."""


class Pan(Tool):
    """Drags the plane; a click enlarges, a right click or Shift+click shrinks."""

    name = "pan"
    title = "Pan and zoom"
    icon = "pan"
    shortcut = "H"
    cursor = "open hand"
    help = (
        "Drag the plane; click to zoom in, right click or Shift+click to zoom out. "
        "The wheel zooms and the middle button pans with every tool."
    )

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._begin: Spot | None = None
        self._last: Spot | None = None

    def press(self, spot: Spot) -> None:
        self._begin = self._last = spot

    def drag(self, spot: Spot) -> None:
        if self._last is not None:
            self.stage.pan(spot.column - self._last.column, spot.row - self._last.row)
            self._last = spot

    def release(self, spot: Spot) -> None:
        self.drag(spot)
        begin, self._begin, self._last = self._begin, None, None
        if begin is not None and begin.button != "middle" and spot.is_near(begin):
            self.stage.zoom(STEP**begin.label, spot)

    def cancel(self) -> None:
        if self._begin is not None and self._last is not None:
            begin, last, self._begin, self._last = self._begin, self._last, None, None
            self.stage.pan(begin.column - last.column, begin.row - last.row)
