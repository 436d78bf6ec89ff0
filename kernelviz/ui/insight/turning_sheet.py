"""A sheet that shows three dimensions: dragging and arrow keys turn what is on it, the wheel zooms."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.ui.insight.keyed_sheet import KeyedSheet

PER_PIXEL = 0.5  # Degrees that a pixel of dragging turns.
PER_KEY = 5.0
PER_NOTCH, NOTCH = 1.15, 120.0
A_CLICK = 3.0  # Pixels the mouse may move in a click.
TURNS = {
    Qt.Key.Key_Left: (PER_KEY, 0.0),
    Qt.Key.Key_Right: (-PER_KEY, 0.0),
    Qt.Key.Key_Up: (0.0, PER_KEY),
    Qt.Key.Key_Down: (0.0, -PER_KEY),
}
PAGES = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
ROWS_PER_NOTCH = 3
ZOOMS = {Qt.Key.Key_PageUp: PER_NOTCH, Qt.Key.Key_PageDown: 1 / PER_NOTCH}


class TurningSheet(KeyedSheet):
    """A press that moves turns; one that does not is a click."""

    turned = Signal(float, float)  # Degrees around and upwards.
    zoomed = Signal(float)
    reset = Signal()
    scrolled = Signal(int, int)  # Rows and pages down, where a list is shown.
    kept = frozenset({*TURNS, *ZOOMS, Qt.Key.Key_Home})
    keys = (
        ("Arrow keys", "in Feature space, after a click: turn it"),
        ("Page Up, Page Down, Home", "feature space: zoom in, zoom out, reset the view (or scroll the list)"),
    )

    def __init__(self) -> None:
        super().__init__()
        self.lists = False  # Whether it shows a list, which is not turned but scrolled.
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._dragged = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed = self._last = event.position()
            self._dragged = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        way = event.position() - self._pressed
        self._dragged = self._dragged or way.manhattanLength() > A_CLICK
        if self._dragged:
            step = event.position() - self._last
            self._last = event.position()
            if not self.lists:
                self.turned.emit(-PER_PIXEL * step.x(), PER_PIXEL * step.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._pressed is not None:
            self._pressed = None
            if not self._dragged:
                self.clicked.emit(event.position() * POINTS_PER_PIXEL)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() / NOTCH
        if self.lists:
            self.scrolled.emit(-round(ROWS_PER_NOTCH * notches), 0)
        else:
            self.zoomed.emit(PER_NOTCH**notches)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self.lists and key in TURNS:
            self.scrolled.emit(-round(TURNS[key][1] / PER_KEY), 0)
        elif self.lists and key in PAGES:
            self.scrolled.emit(0, PAGES[key])
        elif key in TURNS:
            self.turned.emit(*TURNS[key])
        elif key in ZOOMS:
            self.zoomed.emit(ZOOMS[key])
        elif key == Qt.Key.Key_Home:
            self.reset.emit()
        else:
            super().keyPressEvent(event)
