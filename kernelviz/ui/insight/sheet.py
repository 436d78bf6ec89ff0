"""Where pictures are on screen: a widget whose coordinates are points, as on paper."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from kernelviz.drawing.figure.stamps import Stamps
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow
from kernelviz.ui.widgets.in_points import painter_in_points, room_in_points, screen_style


class Sheet(QWidget):
    """Holds the latest picture and paints it; what stays over many frames is kept as a pixmap."""

    pointed = Signal(object)  # Where the mouse is (QPointF in points), or None when it has left.
    clicked = Signal(object)
    # Where the mouse is while its left button is held, after a click; None once it is let go.
    dragged = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.picture: InsightPicture = NothingToShow()
        self._stamps = Stamps()
        self._ground = QPixmap()
        self._ground_key: Hashable = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_picture(self, picture: InsightPicture) -> None:
        self.picture = picture
        self.update()

    @property
    def room(self) -> QRectF:
        """Where the picture is painted, in points."""
        return room_in_points(self)

    @property
    def style_of_picture(self) -> Style:
        return screen_style(self)

    def sizeHint(self) -> QSize:
        return QSize(360, 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 126)

    def paintEvent(self, event: QPaintEvent) -> None:
        style, room = self.style_of_picture, self.room
        ground = self._kept_ground(room, style)
        with painter_in_points(self) as painter:
            painter.save()
            painter.scale(POINTS_PER_PIXEL, POINTS_PER_PIXEL)
            painter.drawPixmap(0, 0, ground)
            painter.restore()
            self.picture.paint_data(painter, room, style, self._stamps)

    def _kept_ground(self, room: QRectF, style: Style) -> QPixmap:
        ratio = self.devicePixelRatioF()
        key = (self.width(), self.height(), ratio, style, type(self.picture), self.picture.ground)
        if key != self._ground_key:
            self._ground_key = key
            self._ground = QPixmap(self.size() * ratio)
            self._ground.setDevicePixelRatio(ratio)
            with painter_in_points(self._ground) as painter:
                self.picture.paint_ground(painter, room, style)
        return self._ground

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(event.position() * POINTS_PER_PIXEL)
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(event.position() * POINTS_PER_PIXEL)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.dragged.emit(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit(event.position() * POINTS_PER_PIXEL)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)
        super().leaveEvent(event)
