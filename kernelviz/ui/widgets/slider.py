"""A slider for the numbers of a scale, and the animation that moves it back and forth."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from kernelviz.scene.theme import current_theme
from kernelviz.ui.widgets.buttons import MOVES, KeepsKeys
from kernelviz.ui.widgets.focus import return_focus
from kernelviz.ui.widgets.scale import Scale

INTERVAL = 33  # Milliseconds between two values; the solver shows those it can.
GROOVE = 4.0  # Pixels.


class SliderAnimation(QTimer):
    """Emits the values of a scale back and forth, beginning at a given one; all of them are one gesture.

    From one end to the other it takes six seconds, whatever the range."""

    moved = Signal(object, object)  # (value, gesture)
    switched = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, interval=INTERVAL)
        self._share, self._direction = 0.0, 1
        self._gesture: object = None
        self.timeout.connect(self._step)

    def begin(self, scale: Scale, value: float) -> None:
        """Start at a value, upwards."""
        self._scale = scale
        self._share, self._direction = scale.share(scale.position(value)), 1
        self._gesture = object()
        self.start()
        self.switched.emit(True)

    def end(self) -> None:
        """Stop, if it is running."""
        if self.isActive():
            self.stop()
            self.switched.emit(False)

    def _step(self) -> None:
        """Emit the next value, and turn round at both ends."""
        one_way = 6000  # Milliseconds from one end of the range to the other.
        self._share += self._direction * INTERVAL / one_way
        if not 0.0 < self._share < 1.0:
            self._share = min(1.0, max(0.0, self._share))
            self._direction = -1 if self._share == 1.0 else 1
        self.moved.emit(self._scale.values[self._scale.position_at(self._share)], self._gesture)


class Slider(KeepsKeys, QSlider):
    """Shows a value and emits those the user picks, each drag or held key with a gesture of its own.

    After a click it keeps the keyboard, so that the arrow keys adjust the value chosen with the mouse;
    Escape, or a click on the canvas, gives it back."""

    picked = Signal(object, object)  # (value, gesture)
    kept = MOVES

    def __init__(self, scale: Scale) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._gesture: object = object()
        self._default: float | None = None
        self._cover(scale)
        self.valueChanged.connect(lambda k: self.picked.emit(self._scale.values[k], self._gesture))

    # Values -------------------------------------------------------------------------------------------
    def set_scale(self, scale: Scale) -> None:
        """Change the range without emitting anything."""
        if scale is not self._scale:
            self._cover(scale)

    def _cover(self, scale: Scale) -> None:
        """Give the slider a position for each stop of a scale."""
        self._scale = scale
        with QSignalBlocker(self):
            self.setRange(0, len(scale.values) - 1)
        self.setSingleStep(scale.arrow)
        self.setPageStep(scale.page)
        self.update()

    def show_value(self, value: float, default: float | None = None) -> None:
        """Put the knob at a value and a tick at the default, without emitting anything."""
        if not self.isSliderDown():
            with QSignalBlocker(self):
                self.setValue(self._scale.position(value))  # which repaints if the position changed
        if default != self._default:
            self._default = default
            self.update()

    # Mouse and keys -----------------------------------------------------------------------------------
    def sizeHint(self) -> QSize:
        return QSize(96, int(self._diameter) + 10)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, int(self._diameter) + 10)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the knob, or move it to where the groove was pressed."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._gesture = object()
        self.setSliderDown(True)
        # Pressing the knob off its middle must not move it.
        self._grip = event.position().x() - self.knob().center().x()
        if not self.knob().contains(event.position()):
            self._grip = 0.0
            self._go_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._go_to(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.isSliderDown():
            self.setSliderDown(False)
            self._gesture = object()
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat():
            self._gesture = object()
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def hideEvent(self, event: QHideEvent) -> None:
        if self.hasFocus():  # otherwise Qt would give the keyboard to the next control, such as a text field
            return_focus(self)
        super().hideEvent(event)

    @property
    def _diameter(self) -> float:
        """The diameter of the knob, which grows with the type, for a lecture hall."""
        smallest_knob = 16.0  # Pixels.
        return max(smallest_knob, 1.2 * self.fontInfo().pixelSize())

    def _go_to(self, place: QPointF) -> None:
        """Put the knob where the mouse is."""
        knob = self._diameter
        room = max(1.0, self.width() - knob)
        share = min(1.0, max(0.0, (place.x() - self._grip - knob / 2) / room))
        self.setSliderPosition(self._scale.position_at(share))

    # Picture ------------------------------------------------------------------------------------------
    def x_of(self, position: int) -> float:
        """Return where the knob is at a position, in pixels."""
        knob = self._diameter
        return knob / 2 + (self.width() - knob) * self._scale.share(position)

    def knob(self) -> QRectF:
        """Return the rectangle around the knob."""
        middle = QPointF(self.x_of(self.sliderPosition()), self.height() / 2)
        knob = self._diameter
        return QRectF(middle.x() - knob / 2, middle.y() - knob / 2, knob, knob)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the groove, filled up to the knob, the tick at the default, and the knob."""
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.4)
        middle, knob = self.height() / 2, self.knob()
        groove = QRectF(knob.width() / 2 - 2, middle - GROOVE / 2, self.width() - knob.width() + 4, GROOVE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.border))
        painter.drawRoundedRect(groove, GROOVE / 2, GROOVE / 2)
        if self._default is not None:
            x = self.x_of(self._scale.position(self._default))
            painter.drawRoundedRect(QRectF(x - 1, middle - 6, 2, 12), 1, 1)
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(groove.adjusted(0, 0, knob.center().x() - groove.right(), 0), 2, 2)
        if self.hasFocus():
            halo = QColor(theme.accent)
            halo.setAlphaF(0.3)
            painter.setBrush(halo)
            painter.drawEllipse(knob.adjusted(-2, -2, 2, 2))
        lifted = self.isSliderDown() or self.underMouse()
        painter.setPen(QPen(QColor(theme.accent), 2.5 if lifted else 2))
        painter.setBrush(QColor(theme.accent if self.isSliderDown() else theme.surface))
        painter.drawEllipse(knob.adjusted(2, 2, -2, -2))
