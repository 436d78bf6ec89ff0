"""The plotting area: axes, the rectangle in between, and raw events turned into spots of the plane.

Three rectangles have to be kept apart: the view (a part of the plane, in its own units), the plot between the
axes (in logical pixels), and the viewport around both. A `Spot` has its place in the first two."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QInputDevice,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPointingDevice,
    QResizeEvent,
    QTabletEvent,
    QTouchEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.axes import PlaneAxes
from kernelviz.scene.figure.legend import Legend
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.session.panels import Panels
from kernelviz.session.themes import LIGHT
from kernelviz.session.view import ViewRange
from kernelviz.ui.canvas.fingers import Fingers
from kernelviz.ui.canvas.gestures import MouseButton, Spot

KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
# A view whose numbers need as much room as most others, so that zooming seldom moves the axes.
TYPICAL = ViewRange(-0.5, -0.25, -0.5, -0.25)
AIR_AROUND_AXES = 6  # Pixels left free around the axes.
# Of the height, for a legend below the axes: alone, and where other plots leave as much free.
MOST_BELOW, MOST_OF_SEVERAL = 0.3, 0.25

BUTTONS: dict[Qt.MouseButton, MouseButton] = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.RightButton: "right",
    Qt.MouseButton.MiddleButton: "middle",
}


class PlotArea(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph has no types: its classes are Any
    """A view of a ViewBox between axes.

    pyqtgraph keeps the coordinates: the ViewBox's target range is the rectangle asked for, its view range the
    one shown, which with equal units on both axes is larger and fills the window. Axes are drawn by the code
    that draws them in figures. Mouse events become signals with a `Spot`, for the tools: pyqtgraph would
    begin a drag only after some pixels or half a second."""

    pressed = Signal(object)
    moved = Signal(object)
    released = Signal(object)
    pressed_outside = Signal(object)  # Not between the axes.
    left = Signal()
    turned = Signal(float, object)  # (notches of the wheel, at which spot)
    pinched = Signal(float, object)  # (enlargement, around which spot)
    panned = Signal(float, float)  # By a number of pixels, with two fingers.
    cancelled = Signal()  # The press must be taken back.
    rested_on = Signal(object, bool)  # A finger has stayed on a spot; whether it has been lifted.
    touched = Signal()  # By a finger or a pen, instead of a mouse.
    resized = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, background=None)
        self.box = pg.ViewBox(enableMouse=False, enableMenu=False, defaultPadding=0.0)
        self.box.disableAutoRange()
        self.centralLayout.addItem(self.box, 0, 0)
        self.style_of_figure = Style(LIGHT)
        self.labels = ("x₁", "x₂")
        self.unit = 1.0
        self.panels: Panels | None = None
        self._margins = (0, 0, 0, 0)
        self._below = self._below_in_run = Legend(())
        self.row_below = 0  # Pixels the legend takes below the axes.
        self.most_below = MOST_BELOW
        self._held: MouseButton | None = None
        self._fingers = Fingers(self)
        self._reached_by_key = False
        self.copied_at: float | None = None  # The resolution of the backdrop while a copy is painted.
        self.outlined = False  # Whether it shows, of several fits, the active one.
        self.setAcceptDrops(False)
        # pyqtgraph keeps the background; ours changes with view, theme and focus.
        self.setCacheMode(pg.GraphicsView.CacheModeFlag.CacheNone)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)

    # Coordinates ---------------------------------------------------------------------------------------
    @property
    def pixels(self) -> tuple[float, float]:
        """Return width and height of the rectangle between the axes."""
        rect = self.box.rect()
        return rect.width(), rect.height()

    @property
    def view(self) -> ViewRange:
        """Return the part of the plane that is shown."""
        (left, right), (bottom, top) = self.box.viewRange()
        return ViewRange(left, right, bottom, top)

    @property
    def asked(self) -> ViewRange:
        """Return the requested part of the plane, which stays the same while the window changes its size."""
        (left, right), (bottom, top) = self.box.targetRange()
        return ViewRange(left, right, bottom, top)

    @property
    def middle(self) -> tuple[float, float]:
        """Return the place in the middle of the view."""
        view = self.view
        return (view.left + view.right) / 2, (view.bottom + view.top) / 2

    def look_at(self, view: ViewRange) -> None:
        """Show a part of the plane."""
        self.box.setRange(xRange=(view.left, view.right), yRange=(view.bottom, view.top), padding=0)

    def set_equal_units(self, on: bool) -> None:
        """Give both axes units of the same length."""
        self.box.setAspectLocked(on)

    def units(self, pixels: float) -> Array:
        """Return (dx, dy), a number of pixels to the right and up, in units of the plane."""
        width, height = self.pixels
        view = self.view
        return pixels * np.array(
            [(view.right - view.left) / max(width, 1.0), (view.top - view.bottom) / max(height, 1.0)]
        )

    def spot(self, position: QPointF, event: QMouseEvent | QWheelEvent | None = None) -> Spot:
        """Return the place in the plane under a position in the viewport."""
        corner = self.box.mapToScene(QPointF(0, 0))
        column, row = position.x() - corner.x(), position.y() - corner.y()
        view = self.view
        dx, dy = self.units(1.0)
        held = event.modifiers() if event is not None else Qt.KeyboardModifier.NoModifier
        return Spot(
            float(view.left + column * dx),
            float(view.top - row * dy),
            column,
            row,
            self._held or "left",
            bool(held & Qt.KeyboardModifier.ShiftModifier),
            bool(held & Qt.KeyboardModifier.ControlModifier),
        )

    def position(self, spot: Spot) -> QPointF:
        """Return the position of a spot in the viewport."""
        corner: QPointF = self.box.mapToScene(QPointF(0, 0))
        return corner + QPointF(spot.column, spot.row)

    def contains(self, spot: Spot) -> bool:
        """Return True if the spot lies between the axes."""
        width, height = self.pixels
        return 0 <= spot.column <= width and 0 <= spot.row <= height

    # Axes ----------------------------------------------------------------------------------------------
    def lay_out(self, *, afresh: bool = False, like: PlotArea | None = None) -> None:
        """Leave the room the axes need. It only grows, unless afresh: the plane must not tremble.
        like: an area next to this one, which leaves as much."""
        outer = QRectF(self.viewport().rect())
        points = QRectF(QPointF(0, 0), outer.size() * POINTS_PER_PIXEL)
        needed = map(
            max,
            PlaneAxes(self.view, self.labels, self.unit, self.panels).margins(points, self.style_of_figure),
            PlaneAxes(TYPICAL, self.labels).margins(points, self.style_of_figure),
        )
        left, top, right, bottom = (math.ceil(side / POINTS_PER_PIXEL) + AIR_AROUND_AXES for side in needed)
        if not afresh:
            left, top, right, bottom = map(max, (left, top, right, bottom), self._margins)
        if like is not None:
            left, top, right, bottom = map(max, (left, top, right, bottom), like._margins)
        row = self._row_needed(outer.width() - left - right) if like is None else like.row_below
        if not afresh and row and like is None:
            row = max(row, self.row_below)
        wanted = (left, top, right, bottom)
        if (wanted, row) != (self._margins, self.row_below):
            self._margins, self.row_below = wanted, row
            self.centralLayout.setContentsMargins(left, top, right, bottom + row)
            self.centralLayout.activate()

    @property
    def around_axes(self) -> tuple[int, int]:
        """Return how many pixels the axes take of the width and of the height."""
        left, top, right, bottom = self._margins
        return left + right, top + bottom

    def show_below(self, legend: Legend, in_run: Legend) -> bool:
        """Show a legend in a row below the axes, or hide the row if there are no entries; return True if that
        changed anything. in_run: the legend with all lines that a run may add; there is room for them from
        the start."""
        shown = ((self._below, self._below_in_run), (legend, in_run))
        before, now = ([[entry.text for entry in part.entries] for part in both] for both in shown)
        self._below, self._below_in_run = legend, in_run
        return before != now

    def _row_needed(self, width: float) -> int:
        """Return the height in pixels of the legend below the axes; 0 where it would take too much of the
        plane."""
        if not self._below.entries:
            return 0
        most = self.most_below * self.viewport().height()
        for legend in (self._below_in_run, self._below):
            height = legend.strip_height(width * POINTS_PER_PIXEL, self.style_of_figure)
            row = math.ceil(height / POINTS_PER_PIXEL) + AIR_AROUND_AXES
            if row <= most:
                return row
        return 0

    def show_outline(self, on: bool) -> None:
        """Draw the outline that marks the active one of several plots."""
        if on != self.outlined:
            self.outlined = on
            self.viewport().update()

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the axes, a legend below them, and the frame of an area that has the focus."""
        focus = 1.5  # Width in points of the frame around a canvas that has been reached by the keyboard.
        plot = self.box.mapRectToScene(self.box.rect())
        if plot.contains(rect):
            return  # the plane covers it
        painter.save()  # for `render`, which paints the items with what is left here
        painter.fillRect(rect, QColor(self.style_of_figure.theme.paper))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
        edge = 0.5 * self.style_of_figure.axis_width
        inner = QRectF(plot.topLeft() * POINTS_PER_PIXEL, plot.size() * POINTS_PER_PIXEL)
        frame = inner.adjusted(-edge, -edge, edge, edge)
        PlaneAxes(self.view, self.labels, self.unit, self.panels).paint(painter, frame, self.style_of_figure)
        if self.row_below:
            top = frame.bottom() + self._margins[3] * POINTS_PER_PIXEL
            row = QRectF(inner.left(), top, inner.width(), self.row_below * POINTS_PER_PIXEL)
            self._below.paint_strip(painter, row, self.style_of_figure)
        if (self._reached_by_key and self.copied_at is None) or self.outlined:
            accent = pen(self.style_of_figure.theme.accent, focus * self.style_of_figure.strokes)
            painter.setPen(accent)
            painter.drawRect(inner.adjusted(-focus, -focus, focus, focus))
        painter.restore()

    def paint_copy(self, painter: QPainter, target: QRectF, source: QRect, ratio: float) -> None:
        """Paint a part of the area elsewhere, without the focus frame. ratio: the resolution of the backdrop
        there, in device pixels per logical pixel of this area."""
        self.copied_at = ratio
        try:
            self.render(painter, target, source, Qt.AspectRatioMode.IgnoreAspectRatio)
        finally:
            self.copied_at = None

    # Events --------------------------------------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Emit a press between the axes or outside them; a second button during a gesture is ignored."""
        event.accept()
        button = BUTTONS.get(event.button())
        if button is None or self._held is not None:
            return
        self._held = button
        spot = self.spot(event.position(), event)
        if self.contains(spot):
            self.pressed.emit(spot)
        else:
            self.let_go()
            self.pressed_outside.emit(spot)

    def let_go(self) -> None:
        """Forget the button held down: its release goes to something else, such as a menu."""
        self._held = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # The second press of two quick clicks is a click like any other.
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.moved.emit(self.spot(event.position(), event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit the release of the button that began the gesture."""
        event.accept()
        if self._held is not None and BUTTONS.get(event.button()) == self._held:
            spot = self.spot(event.position(), event)
            self._held = None
            self.released.emit(spot)

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()

    def enterEvent(self, event: QEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Emit the notches; with a modifier some systems turn the wheel sideways."""
        notch = 120.0  # Units of a wheel's angle.
        event.accept()
        turned = event.angleDelta().y() or event.angleDelta().x()
        self.turned.emit(turned / notch, self.spot(event.position(), event))

    def viewportEvent(self, event: QEvent) -> bool:
        """Zoom by a pinch on a touch pad; everything else is Qt's."""
        if (
            isinstance(event, QNativeGestureEvent)
            and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture
        ):
            self.pinched.emit(math.exp(event.value()), self.spot(event.position()))
            return True
        if isinstance(event, QTouchEvent) and event.device().type() is QInputDevice.DeviceType.TouchScreen:
            event.accept()  # otherwise Qt makes mouse events of it
            self.touched.emit()
            self._fingers.take(event)
            return True
        if isinstance(event, QTabletEvent):
            self.touched.emit()
            if event.pointerType() is QPointingDevice.PointerType.Eraser:
                self._erase(event)
                return True  # the tip of a pen is a mouse
        return bool(super().viewportEvent(event))

    def _erase(self, event: QTabletEvent) -> None:
        """Press, move and release the end of a pen that erases."""
        event.accept()
        began, ended = event.type() is QEvent.Type.TabletPress, event.type() is QEvent.Type.TabletRelease
        if began and self._held is None:
            self._held = "eraser"
        if self._held == "eraser":
            spot = self.spot(event.position())
            self._held = None if ended else "eraser"
            (self.pressed if began else self.released if ended else self.moved).emit(spot)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._reached_by_key = event.reason() in KEYBOARD
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._reached_by_key = False
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()
