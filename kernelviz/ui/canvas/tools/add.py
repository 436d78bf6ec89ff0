"""Adding points."""

from __future__ import annotations

from kernelviz.ui.canvas.editor import ADD, Gesture
from kernelviz.ui.canvas.tools.base import PointDrag, Spot, Surface, Tool

__all__ = ["Add"]


class Add(Tool):
    """A click on a free place adds a point, which can be dragged on at once; one on a point moves that."""

    name = "add"
    title = "Add points"
    icon = "add-point"
    shortcut = "A"
    cursor = "cross"
    grabs = True
    adds = True
    help = "Click adds a + point, right click or Shift+click a − point; drag a point to move it."
    without_classes = "Click adds a point; drag a point to move it."

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._drag: PointDrag | None = None
        self._hit: int | None = None

    def press(self, spot: Spot) -> None:
        self.gesture = Gesture()
        row = self._hit = self.surface.point_at(spot)
        if row is None:
            row = self.editor.add(spot.x, spot.y, spot.label, self.gesture)
        if row is not None:
            name = ADD if self._hit is None else ""
            self._drag = PointDrag(self.editor, [row], spot, self.gesture, name)

    def drag(self, spot: Spot) -> None:
        if self._drag is not None:
            self._drag.to(spot)

    def release(self, spot: Spot) -> None:
        self.drag(spot)
        if self._drag is not None and self._hit is not None and not self._drag.moved:
            self.editor.select([self._hit])
        self.forget()

    def forget(self) -> None:
        super().forget()
        self._drag = self._hit = None
