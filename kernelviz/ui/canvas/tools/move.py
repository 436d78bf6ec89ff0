"""Moving points."""

from __future__ import annotations

from kernelviz.ui.canvas.editor import Gesture
from kernelviz.ui.canvas.tools.base import PointDrag, Spot, Surface, Tool

__all__ = ["Move"]


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
