"""The pen: lines drawn over points and fit, which belong to neither the data nor the steps of undo."""

from __future__ import annotations

from typing import Protocol, cast

from kernelviz.ui.canvas.gestures import Spot, Surface, Tool
from kernelviz.ui.canvas.plot import CanvasPlot


class Paper(Surface, Protocol):
    """The canvas as the pen sees it."""

    plot: CanvasPlot


class Pen(Tool):
    """Draws a line on the plane while the button is down; around its tip is a large dot."""

    name = "pen"
    title = "Pen"
    icon = "brush"
    shortcut = "P"
    cursor = "cross"
    help = "Draw on the plane, over points and fit. Escape wipes the lines off."
    solid = True
    _last: Spot | None = None

    @property
    def reach(self) -> float:
        """Return the radius of the dot, in pixels: a larger one while it draws, so that clicks are seen."""
        return 7.0 if self._last is None else 14.0

    def press(self, spot: Spot) -> None:
        """Begin a line."""
        cast(Paper, self.surface).plot.scene.ink.append([(spot.x, spot.y)])
        self._last = spot

    def drag(self, spot: Spot) -> None:
        """Draw the line on."""
        scene = cast(Paper, self.surface).plot.scene
        if self._last is not None and scene.ink:
            scene.ink[-1].append((spot.x, spot.y))
            scene.touch_between(self._last, spot)
            self._last = spot

    def cancel(self) -> None:
        """Wipe the line off that is being drawn."""
        scene = cast(Paper, self.surface).plot.scene
        if self._last is not None and scene.ink:
            scene.ink.pop()
            scene.touch()
        super().cancel()

    def forget(self) -> None:
        super().forget()
        self._last = None
