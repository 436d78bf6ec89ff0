"""The mouse on the plots: the tool gets its gestures, at most one move per beat; otherwise it hovers.

What can be dragged with every tool is here too: held-out points, handles of an algorithm, and the legend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QSizeF, Qt

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.layers import nearest_mark
from kernelviz.scene.plane.layers import GRASP
from kernelviz.session.view import ViewRange, panned, zoomed
from kernelviz.ui.canvas.editor import Editor, Gesture
from kernelviz.ui.canvas.gestures import Spot, Tool
from kernelviz.ui.canvas.pen import Pen
from kernelviz.ui.canvas.plot import CanvasPlot
from kernelviz.ui.canvas.tools import Erase, Pan
from kernelviz.ui.canvas.weighing import Weighing

# Milliseconds a change may wait for its fit, so that both are drawn together: painting the points alone in
# the meantime would hold the fit up.
GRACE = 24
CURSORS = {
    "arrow": Qt.CursorShape.ArrowCursor,
    "cross": Qt.CursorShape.CrossCursor,
    "move": Qt.CursorShape.SizeAllCursor,
    "hand": Qt.CursorShape.OpenHandCursor,
}


class LegendDrag(Tool):
    """Takes the legend to the corner nearest to the mouse, and pins it there."""

    surface: Pointer

    def drag(self, spot: Spot) -> None:
        """Pin the legend to the corner nearest to the mouse, if that has changed."""
        plot = self.surface.plot
        place = plot.scene.legend.nearest(spot.column, spot.row, QSizeF(*plot.area.pixels))
        if place != plot.scene.legend.place:
            self.editor.session.adjust(legend=place)


class HeldOutDrag(Tool):
    """Moves a point that is not fitted; a mere click is the tool's, as if the point were not there."""

    surface: Pointer
    _row = 0
    _start: Spot | None = None
    _from: Array

    def press(self, spot: Spot) -> None:
        """Take hold of the held-out point under the mouse."""
        scene = self.surface.plot.scene
        row = scene.hit("held_out", spot)
        if row is not None:
            self._row, self._start = row, spot
            self._from = scene.now["held_out"].points[row]  # its place, not where it is drawn

    def drag(self, spot: Spot) -> None:
        """Move the point by as much as the mouse has moved; the first pixels count as a click."""
        start = self._start
        if start is None or (self.gesture is None and spot.is_near(start)):
            return
        if self.gesture is None:
            self.gesture = Gesture()
        offset = np.array([spot.x - start.x, spot.y - start.y])
        self.editor.move_held_out(self._row, (self._from + offset)[None], self.gesture)

    def release(self, spot: Spot) -> None:
        """End the drag; after a mere click, let the tool in use act there."""
        self.drag(spot)
        if self.gesture is None and self._start is not None:
            self.surface.tool.press(self._start)
            self.surface.tool.release(spot)
        self.forget()

    def forget(self) -> None:
        super().forget()
        self._start = None


class HandleDrag(Tool):
    """Drags a handle that the algorithm of the fit has on the plane."""

    surface: Pointer
    _handle = 0
    _offset: Array  # From the mouse to the middle of the handle.

    def press(self, spot: Spot) -> None:
        """Take hold of the handle under the mouse."""
        handle = self.surface.handle_at(spot)
        if handle is not None:
            self.gesture, self._handle = Gesture(), handle
            self._offset = self.surface.handles[handle] - (spot.x, spot.y)

    def drag(self, spot: Spot) -> None:
        """Put the handle where the mouse is, which changes the parameters of the algorithm."""
        if self.gesture is not None:
            self.editor.drag_handle(self._handle, np.array([spot.x, spot.y]) + self._offset, self.gesture)


class Pointer:
    """Hands the events of the mouse to the tools, and is the surface they work on: the plot under the mouse.

    A press decides who gets the gesture: the tool in use, or one of the drags above for the middle button, a
    handle, a held-out point or the legend. Moves are only noted; `beat` passes the last of them on when the
    plot is drawn, so that a fast mouse does not make the canvas lag behind."""

    def __init__(
        self,
        plot: CanvasPlot,
        editor: Editor,
        look_at: Callable[[ViewRange], None],
        tools: Sequence[type[Tool]],
    ) -> None:
        self.plot = plot
        self.editor = editor
        self._look_at = look_at
        self.tools: dict[str, Tool] = {tool.name: tool(self) for tool in tools}
        self.tools[Pen.name] = Pen(self)
        self.tool: Tool = self.tools[tools[0].name]
        self.place: Spot | None = None  # Where the mouse is, if it is over the plane.
        # Whether a tool is at work this very moment: changes of the session are its own then.
        self.acting = False
        self._active: Tool | None = None
        self._pending: Spot | None = None
        self._middle, self._legend = Pan(self), LegendDrag(self)
        self._held_out, self._handle = HeldOutDrag(self), HandleDrag(self)
        self._weighing = Weighing(editor)

    # The surface ---------------------------------------------------------------------------------------
    def point_at(self, spot: Spot) -> int | None:
        """Return the nearest point that the mouse can grab."""
        return self.plot.scene.hit("points", spot)

    @property
    def points(self) -> Array:
        """Return where the points are drawn, as (n, 2)."""
        return self.plot.scene.places()

    @property
    def handles(self) -> Array:
        """Return where the handles of the fit's algorithm are drawn, as (n, 2)."""
        shown, decoration = self.plot.scene.shown, self.plot.scene.decoration
        marks = () if decoration is None else decoration.picture.marks
        found = [mark.xy for mark in marks if mark.kind == "handle" and "marks" in shown]
        return np.concatenate([np.empty((0, 2)), *found])

    def handle_at(self, spot: Spot) -> int | None:
        """Return the handle that the mouse can grab there."""
        if not self.tool.grabs or spot.button != "left":
            return None
        found = nearest_mark(self.plot.scene.plane(self.handles), spot.in_points, reach=GRASP)
        return found[0] if found else None

    def units(self, pixels: float) -> Array:
        """Return (dx, dy), a number of pixels to the right and up, in units of the plane."""
        return self.plot.area.units(pixels)

    def pan(self, columns: float, rows: float) -> None:
        """Shift the view by a number of pixels."""
        dx, dy = self.units(1.0)
        self._look_at(panned(self.plot.area.view, -columns * dx, rows * dy))

    def zoom(self, factor: float, spot: Spot) -> None:
        """Enlarge by a factor around a spot, which stays where it is."""
        self._look_at(zoomed(self.plot.area.view, factor, spot.x, spot.y))

    def turn(self, notches: float, spot: Spot) -> None:
        """Turn the wheel: with Shift over a point it changes the weight of the point, otherwise it zooms."""
        enlargement = 1.2  # For each notch of the wheel.
        row = self.point_at(spot) if spot.shift and not self.busy else None
        if row is None:
            self.zoom(enlargement**notches, spot)
        else:
            self._act(lambda _: self._weighing.turn(row, notches), None)

    # Gestures ------------------------------------------------------------------------------------------
    @property
    def busy(self) -> bool:
        """True during a gesture."""
        return self._active is not None

    def use(self, name: str) -> None:
        """Take up a tool; an unfinished gesture of the one before is cancelled."""
        self.cancel()
        self.tool = self.tools[name]
        self._show_cursor(False)
        self._show_tool()

    def press(self, plot: CanvasPlot, spot: Spot) -> None:
        """Begin a gesture on a plot; an unfinished one is cancelled."""
        self.cancel()
        self._weighing.end()
        self._go_to(plot)
        self._active = self._tool_for(spot)
        if isinstance(self._active, Pan):
            plot.area.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        self._act(self._active.press, spot)

    def _go_to(self, plot: CanvasPlot) -> None:
        """Work on another plot from now on."""
        if plot is not self.plot:
            self.place = None
            self._show_tool()  # on the plot that is left
            self.plot = plot
            self._show_cursor(False)

    def _tool_for(self, spot: Spot) -> Tool:
        """Return the tool that gets the gesture that begins at a spot."""
        if spot.button == "middle":
            return self._middle
        if spot.button == "eraser":
            return self.tools.get(Erase.name, self.tool)
        if isinstance(self.tool, Pen):
            return self.tool
        if self.handle_at(spot) is not None:
            return self._handle
        scene = self.plot.scene
        if self.point_at(spot) is not None:
            return self.tool
        if self.tool.grabs and spot.button == "left" and scene.hit("held_out", spot) is not None:
            return self._held_out
        return self._legend if scene.card.contains(QPointF(spot.column, spot.row)) else self.tool

    def move(self, plot: CanvasPlot, spot: Spot) -> None:
        """Note where the mouse is, until the next beat."""
        self._go_to(plot)
        self._pending = spot
        self.plot.pulse.ask(0)

    def release(self, spot: Spot) -> None:
        """End the gesture with the button up."""
        active, self._active, self._pending = self._active, None, None
        if active is not None:
            self._act(active.release, spot)
        self._pending = spot
        self.plot.pulse.ask(GRACE)

    def cancel(self) -> bool:
        """Take back an unfinished gesture; return True if there was one."""
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
        self._weighing.end()
        self._show_tool()

    def _act(self, method: Callable[[Any], None], spot: Spot | None) -> None:
        """Call a method of a tool, and show the disc or the rectangle that it draws."""
        self.acting = True
        try:
            method(spot)
        finally:
            self.acting = False
        self._show_tool()

    # Beats ---------------------------------------------------------------------------------------------
    def beat(self) -> Spot | None:
        """Act on the last move; return the spot that the mouse hovers over, or None during a gesture."""
        spot, self._pending = self._pending, None
        if spot is None:
            return None
        self.place = spot if self.plot.area.contains(spot) else None
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
        self._weighing.hover(point)
        self._show_cursor((point is not None and self.tool.grabs) or self.handle_at(spot) is not None)

    def _show_cursor(self, grabs: bool) -> None:
        """Show the cursor of the tool, or the one for a point that can be dragged."""
        self.plot.area.viewport().setCursor(CURSORS["move" if grabs else self.tool.cursor])

    def _show_tool(self) -> None:
        """Draw the tool's disc or rectangle around the mouse."""
        scene, reach = self.plot.scene, self.tool.reach
        at = self.place
        disc = (at, reach, self.tool.solid) if at is not None and reach is not None else None
        frame = self._active.frame if self._active is not None else None
        if (disc, frame) != (scene.disc, scene.frame):
            scene.disc, scene.frame = disc, frame
            scene.touch_hand()
            self.plot.pulse.ask(0)
