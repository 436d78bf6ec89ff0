"""The sheet on which a scene is painted, and the mouse and keys over it.

It turns raw events into signals with hits, in the units of the scene; what they mean is up to the view."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL, painter_in_points
from kernelviz.scene.nodes import Hit, Marks
from kernelviz.scene.painter import Layout, ScreenPainter
from kernelviz.scene.view import NOT_YET, Keys, Scene, message
from kernelviz.ui.widgets.buttons import KeepsKeys
from kernelviz.ui.widgets.painting import room_in_points, screen_style

LOW, LOWEST = 126, 48  # The least height of a sheet in pixels, and where the switches above need the rest.


class SceneSheet(KeepsKeys, QWidget):
    """Paints a scene, and reports what is under the mouse.

    A scene is laid out when the scene, the size or the style has changed; marks are painted over it. With
    keys of its own the sheet keeps the keyboard after a click, and shows by a frame that it has it. Where a
    view turns, a drag turns it, and only a press that does not move is a click."""

    pointed = Signal(object)  # The Hit under the mouse, or None when it has left.
    clicked = Signal(object)
    # The Hit under the mouse, or nearest to it, while its left button is held; None once it is released.
    dragged = Signal(object)
    pressed = Signal(object, bool)  # A key (Qt.Key) of the view, with or without Shift.
    turned = Signal(float, float)  # Pixels to the right and down by which a view that turns is dragged.
    wheeled = Signal(float)  # Notches of the wheel.

    def __init__(self, keys: tuple[Keys, ...], turns: bool, wheel: bool) -> None:
        super().__init__()
        self._turns, self._wheel = turns, wheel
        self._pressed: QPointF | None = None  # Where the mouse was pressed, if it has not moved since.
        self._last = QPointF()
        self.kept = frozenset().union(*(group.keys for group in keys))
        if keys:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.scene = message(NOT_YET)
        self.marks = Marks()
        self._painter = ScreenPainter()
        self._laid_out: tuple[Any, Layout] | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_scene(self, scene: Scene) -> None:
        """Show another scene."""
        self.scene = scene
        self.update()

    def show_marks(self, marks: Marks) -> None:
        """Mark other points in the same scene."""
        if marks != self.marks:
            self.marks = marks
            self.update()

    @property
    def layout_of_scene(self) -> Layout:
        """The scene laid out in this widget as it is."""
        key = (self.scene, self.size(), screen_style(self))
        if self._laid_out is None or self._laid_out[0] != key:
            self._laid_out = key, Layout(self.scene.root, room_in_points(self), screen_style(self))
        return self._laid_out[1]

    def sizeHint(self) -> QSize:
        # One that scrolls knows how high it must be, and is no higher than its place otherwise.
        return QSize(360, self.minimumHeight() or 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, LOWEST)

    def paintEvent(self, event: QPaintEvent) -> None:
        focus = 1.5  # Width in points of the frame around a sheet that has the keyboard.
        with painter_in_points(self) as painter:
            self._painter.paint(painter, self.layout_of_scene, self.devicePixelRatioF(), self.marks)
            if self.hasFocus():
                painter.setPen(pen(self.layout_of_scene.style.theme.accent, focus))
                painter.drawRect(room_in_points(self).adjusted(focus / 2, focus / 2, -focus / 2, -focus / 2))

    def hit(self, at: QPointF) -> Hit:
        """Return the hit at a place given in points."""
        return self.layout_of_scene.hit(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Report what is under the mouse, also as a drag while its left button is held; or the angle by which
        the view is turned."""
        a_click = 3.0  # Pixels the mouse may move in a click, where dragging turns.
        at = event.position() * POINTS_PER_PIXEL
        held = bool(event.buttons() & Qt.MouseButton.LeftButton)
        if not (held and self._turns):
            self.pointed.emit(self.hit(at))
            if held:
                self.dragged.emit(self.layout_of_scene.hit_nearest(at))
            return
        place = event.position()
        if self._pressed is not None and (place - self._pressed).manhattanLength() > a_click:
            self._pressed = None
        if self._pressed is None:
            step, self._last = place - self._last, place
            self.turned.emit(step.x(), step.y())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Reset a view that turns, as the Home key does."""
        if self._turns:
            self.pressed.emit(Qt.Key.Key_Home, False)
        else:
            super().mouseDoubleClickEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Report the notches to a view that uses the wheel; otherwise the area around the sheet scrolls."""
        notch = 120.0  # Units of a wheel's angle.
        if self._wheel:
            self.wheeled.emit(event.angleDelta().y() / notch)
            event.accept()
        else:
            super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report a click; where a drag turns the view, wait until the button is released."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._pressed = self._last = event.position()
        if not self._turns:
            self.clicked.emit(self.hit(event.position() * POINTS_PER_PIXEL))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Report the end of a drag, or a click in a view that has not been turned by it."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if not self._turns:
            self.dragged.emit(None)
        elif self._pressed is not None:
            self.clicked.emit(self.hit(event.position() * POINTS_PER_PIXEL))
        self._pressed = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Report the keys of the view; others are for the window."""
        key = Qt.Key(event.key())
        if key in self.kept:
            self.pressed.emit(key, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)
        super().leaveEvent(event)
