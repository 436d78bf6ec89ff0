"""Looking around."""

from __future__ import annotations

from kernelviz.ui.canvas.tools.base import Spot, Surface, Tool

__all__ = ["Pan"]

ZOOM_PER_CLICK = 1.5
"""How much a click enlarges."""


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
