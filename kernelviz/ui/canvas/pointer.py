"""The mouse on the plane: gestures go to the tool, at most one move per beat; without one, hovering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QSizeF, Qt

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.layers import nearest_mark
from kernelviz.scene.plane.layers import GRASP
from kernelviz.session.view import ViewRange, panned, zoomed
from kernelviz.ui.canvas.area import PlotArea
from kernelviz.ui.canvas.editor import Editor, Gesture
from kernelviz.ui.canvas.gestures import Spot, Tool
from kernelviz.ui.canvas.scene import GRACE, CanvasScene, Pulse
from kernelviz.ui.canvas.tools import Pan

CURSORS = {
    "arrow": Qt.CursorShape.ArrowCursor,
    "cross": Qt.CursorShape.CrossCursor,
    "move": Qt.CursorShape.SizeAllCursor,
    "hand": Qt.CursorShape.OpenHandCursor,
}


class LegendDrag(Tool):
    """Takes the legend to the corner nearest to the mouse, and pins it there."""

    def __init__(self, surface: Pointer) -> None:
        super().__init__(surface)
        self._scene = surface.scene

    def drag(self, spot: Spot) -> None:
        legend, plane = self._scene.legend, QSizeF(*self._scene.area.pixels)
        place = legend.nearest(spot.column, spot.row, plane)
        if place != legend.place:
            self.editor.session.adjust(legend=place)


class HeldOutDrag(Tool):
    """Moves a point that is not fitted; a mere click is the tool's, as if the point were not there."""

    def __init__(self, surface: Pointer) -> None:
        super().__init__(surface)
        self._pointer = surface
        self._row = 0
        self._start: Spot | None = None
        self._from = np.zeros(2)

    def press(self, spot: Spot) -> None:
        row, held_out = self._pointer.held_out_at(spot), self._pointer.scene.places("held_out")
        if row is not None:
            self._row, self._start, self._from = row, spot, held_out[row]

    def drag(self, spot: Spot) -> None:
        start = self._start
        if start is None or (self.gesture is None and spot.is_near(start)):
            return
        if self.gesture is None:
            self.gesture = Gesture()
        offset = np.array([spot.x - start.x, spot.y - start.y])
        self.editor.move_held_out(self._row, (self._from + offset)[None], self.gesture)

    def release(self, spot: Spot) -> None:
        self.drag(spot)
        if self.gesture is None and self._start is not None:
            self._pointer.tool.press(self._start)
            self._pointer.tool.release(spot)
        self.forget()

    def forget(self) -> None:
        super().forget()
        self._start = None


class HandleDrag(Tool):
    """Drags a handle that the algorithm of the fit has on the plane."""

    def __init__(self, surface: Pointer) -> None:
        super().__init__(surface)
        self._pointer = surface
        self._handle = 0
        self._offset = np.zeros(2)  # From the mouse to the middle of the handle.

    def press(self, spot: Spot) -> None:
        handle = self._pointer.handle_at(spot)
        if handle is not None:
            self.gesture, self._handle = Gesture(), handle
            self._offset = self._pointer.handles[handle] - (spot.x, spot.y)

    def drag(self, spot: Spot) -> None:
        if self.gesture is not None:
            self.editor.drag_handle(self._handle, np.array([spot.x, spot.y]) + self._offset, self.gesture)


class Pointer:
    """Feeds the tools, and is the surface they work on."""

    def __init__(
        self,
        scene: CanvasScene,
        editor: Editor,
        look_at: Callable[[ViewRange], None],
        pulse: Pulse,
        tools: Sequence[type[Tool]],
    ) -> None:
        self.scene = scene
        self.editor = editor
        self.area: PlotArea = scene.area
        self._look_at = look_at
        self._pulse = pulse
        self.tools: dict[str, Tool] = {tool.name: tool(self) for tool in tools}
        self.tool: Tool = self.tools[tools[0].name]
        self.place: Spot | None = None  # Where the mouse is, if it is over the plane.
        # Whether a tool is at work this very moment: changes of the session are its own then.
        self.acting = False
        self._active: Tool | None = None
        self._pending: Spot | None = None
        self._middle = Pan(self)
        self._legend = LegendDrag(self)
        self._held_out = HeldOutDrag(self)
        self._handle = HandleDrag(self)

    # The surface ---------------------------------------------------------------------------------------
    def point_at(self, spot: Spot) -> int | None:
        """Return the nearest point that the mouse can grab."""
        return self.scene.hit("points", spot)

    @property
    def points(self) -> Array:
        return self.scene.places()

    def held_out_at(self, spot: Spot) -> int | None:
        """Return the nearest point that the mouse can grab among those that are not fitted."""
        return self.scene.hit("held_out", spot)

    @property
    def handles(self) -> Array:
        """Return where the handles of the fit's algorithm are drawn, as (n, 2)."""
        shown, decoration = self.scene.shown, self.scene.decoration
        marks = () if decoration is None else decoration.painter.points(decoration.picture).marks
        found = [mark.xy for mark in marks if mark.kind == "handle" and "marks" in shown]
        return np.concatenate([np.empty((0, 2)), *found])

    def handle_at(self, spot: Spot) -> int | None:
        """Return the handle that the mouse can grab there."""
        if not self.tool.grabs or spot.button != "left":
            return None
        found = nearest_mark(self.scene.coordinates()(self.handles), spot.in_points, reach=GRASP)
        return found[0] if found else None

    def units(self, pixels: float) -> Array:
        return self.area.units(pixels)

    def pan(self, columns: float, rows: float) -> None:
        dx, dy = self.units(1.0)
        self._look_at(panned(self.area.view, -columns * dx, rows * dy))

    def zoom(self, factor: float, spot: Spot) -> None:
        self._look_at(zoomed(self.area.view, factor, spot.x, spot.y))

    # Gestures ------------------------------------------------------------------------------------------
    @property
    def busy(self) -> bool:
        """Return True during a gesture."""
        return self._active is not None

    def use(self, name: str) -> None:
        """Take up a tool; an unfinished gesture of the one before is cancelled."""
        self.cancel()
        self.tool = self.tools[name]
        self._show_cursor(False)
        self._show_tool()

    def press(self, spot: Spot) -> None:
        self.cancel()
        self._active = self._tool_for(spot)
        if isinstance(self._active, Pan):
            self.area.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        self._act(self._active.press, spot)

    def _tool_for(self, spot: Spot) -> Tool:
        if spot.button == "middle":
            return self._middle
        if self.handle_at(spot) is not None:
            return self._handle
        on_legend = self.scene.card.contains(QPointF(spot.column, spot.row))
        if self.point_at(spot) is not None:
            return self.tool
        if self.tool.grabs and spot.button == "left" and self.held_out_at(spot) is not None:
            return self._held_out
        return self._legend if on_legend else self.tool

    def move(self, spot: Spot) -> None:
        self._pending = spot
        self._pulse.ask()

    def release(self, spot: Spot) -> None:
        active, self._active, self._pending = self._active, None, None
        if active is not None:
            self._act(active.release, spot)
        self._pending = spot
        self._pulse.ask(GRACE)

    def cancel(self) -> bool:
        """Take back an unfinished gesture; whether there was one."""
        active, self._active, self._pending = self._active, None, None
        if active is None:
            return False
        self._act(lambda _: active.cancel(), None)
        return True

    def drop(self) -> None:
        """End a gesture where it is: the points have changed for another reason."""
        if self._active is not None:
            self._active.forget()
        self._active = self._pending = None
        self._show_tool()

    def _act(self, method: Callable[[Any], None], spot: Spot | None) -> None:
        self.acting = True
        try:
            method(spot)
        finally:
            self.acting = False
        self._show_tool()

    # Beats ---------------------------------------------------------------------------------------------
    def beat(self) -> Spot | None:
        """Deal with the last move; where the mouse hovers, if it does."""
        spot, self._pending = self._pending, None
        if spot is None:
            return None
        self.place = spot if self.area.contains(spot) else None
        if self._active is not None:
            self._act(self._active.drag, spot)
            return None
        self._show_tool()
        return self.place

    def leave(self) -> None:
        """Take note that the mouse has left the plane."""
        if self._active is None:
            self._pending = self.place = None
            self._show_tool()

    def show_hovered(self, spot: Spot, point: int | None) -> None:
        """Show by the cursor that the tool can drag the point or the handle under the mouse."""
        self._show_cursor((point is not None and self.tool.grabs) or self.handle_at(spot) is not None)

    def _show_cursor(self, grabs: bool) -> None:
        self.area.viewport().setCursor(CURSORS["move" if grabs else self.tool.cursor])

    def _show_tool(self) -> None:
        """Draw what the tool wants to be seen around the mouse."""
        scene, reach = self.scene, self.tool.reach
        disc = (self.place, reach) if self.place is not None and reach is not None else None
        frame = self._active.frame if self._active is not None else None
        if (disc, frame) != (scene.disc, scene.frame):
            scene.disc, scene.frame = disc, frame
            scene.touch_hand()
            self._pulse.ask()
