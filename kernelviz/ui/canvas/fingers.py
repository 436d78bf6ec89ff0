"""Fingers on a plot: touches turned into what a mouse does there.

A tap is a click, one finger that moves drags, two zoom and pan, and one that rests asks for a menu, which
opens when it is lifted: Qt takes the end of a touch on an open menu for a click. Nothing is pressed before it
is clear which of these it is, so that zooming never moves a point."""

from __future__ import annotations

from typing import Literal, Protocol

from PySide6.QtCore import QEvent, QLineF, QObject, QPointF, QTimer, SignalInstance
from PySide6.QtGui import QEventPoint, QTouchEvent

from kernelviz.ui.canvas.gestures import Spot


class TouchedArea(Protocol):
    """The plotting area as fingers see it; its signals are those of a mouse, and three more."""

    pressed: SignalInstance
    moved: SignalInstance
    released: SignalInstance
    cancelled: SignalInstance
    left: SignalInstance
    pinched: SignalInstance
    panned: SignalInstance
    rested_on: SignalInstance

    def spot(self, position: QPointF) -> Spot:
        """Return the place in the plane under a position in the viewport."""

    def contains(self, spot: Spot) -> bool:
        """Return True if the spot lies between the axes."""


class Fingers(QObject):
    """What the fingers on one area are doing.

    slop: pixels that a finger may move during a tap; patience: milliseconds until a finger rests."""

    def __init__(self, area: TouchedArea, slop: float = 12.0, patience: int = 550) -> None:
        super().__init__()
        self._area, self._slop = area, slop
        self._doing: Literal["nothing", "waiting", "resting", "dragging", "zooming", "outside"] = "nothing"
        self._between = QLineF()  # From where one finger came down to where it is, or between two.
        self._rest = QTimer(self, singleShot=True, interval=patience)
        self._rest.timeout.connect(self._on_rest)

    def take(self, event: QTouchEvent) -> None:
        """Act on an event of the touch screen."""
        down = [p.position() for p in event.points() if p.state() != QEventPoint.State.Released]
        if event.type() == QEvent.Type.TouchCancel:
            self._stop("nothing")
        elif not down:
            self._lift(event.points()[0].position())
        elif len(down) >= 2:
            self._zoom(QLineF(down[0], down[1]))
        elif self._doing == "nothing":
            self._between = QLineF(down[0], down[0])
            inside = self._area.contains(self._area.spot(down[0]))
            self._doing = "waiting" if inside else "outside"
            self._rest.start()
        else:
            self._move(down[0])

    def _move(self, place: QPointF) -> None:
        """Drag with one finger, once it is clear that it is no tap."""
        self._between.setP2(place)
        if self._doing == "waiting" and self._between.length() > self._slop:
            self._rest.stop()
            self._doing = "dragging"
            self._area.pressed.emit(self._area.spot(self._between.p1()))
        if self._doing == "dragging":
            self._area.moved.emit(self._area.spot(place))

    def _zoom(self, line: QLineF) -> None:
        """Zoom and pan with two fingers; what one of them had begun to drag goes back."""
        if self._doing == "zooming":
            shift = line.center() - self._between.center()
            self._area.panned.emit(shift.x(), shift.y())
            wider = max(line.length(), 1.0) / max(self._between.length(), 1.0)
            self._area.pinched.emit(wider, self._area.spot(line.center()))
        else:
            self._stop("zooming")
        self._between = line

    def _lift(self, place: QPointF) -> None:
        """Click, or end the drag: the last finger has gone."""
        doing = self._doing
        self._doing = "nothing"
        self._rest.stop()
        if doing == "waiting":
            place = self._between.p1()
            self._area.pressed.emit(self._area.spot(place))
        if doing in ("waiting", "dragging"):
            self._area.released.emit(self._area.spot(place))
            self._area.left.emit()
        if doing == "resting":
            self._area.rested_on.emit(self._area.spot(self._between.p1()), True)

    def _stop(self, then: Literal["nothing", "zooming"]) -> None:
        """Undo what the gesture has begun."""
        self._rest.stop()
        if self._doing == "dragging":
            self._area.cancelled.emit()
        self._doing = then

    def _on_rest(self) -> None:
        """Note that the finger has stayed where it came down."""
        if self._doing == "waiting":
            self._doing = "resting"
            self._area.rested_on.emit(self._area.spot(self._between.p1()), False)
