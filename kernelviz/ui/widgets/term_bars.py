"""The terms of a score as bars."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QWidget

from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.drawing.insight.terms import MOST_TERMS, ROW, TermsPicture
from kernelviz.ui.widgets.in_points import painter_in_points, room_in_points, screen_style
from kernelviz.ui.widgets.labels import plain


class TermBars(QWidget):
    """Shows the score at a place as a sum of terms; emits the training point whose bar the mouse is on."""

    pointed = Signal(object)  # The training point whose bar the mouse is on, or None.

    def __init__(self) -> None:
        super().__init__()
        self.picture = TermsPicture()
        self.setMouseTracking(True)

    def show_picture(self, picture: TermsPicture) -> None:
        """Show other terms."""
        if picture != self.picture:
            self.picture = picture
            self.update()

    def sizeHint(self) -> QSize:
        # Always room for a full list, so that the panel does not jump while the mouse moves.
        return QSize(200, round((MOST_TERMS + 2) * ROW * screen_style(self).text / POINTS_PER_PIXEL) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self.picture.row_at(event.position().y() * POINTS_PER_PIXEL, screen_style(self))
        self.setToolTip(plain(row.detail) if row else "")
        self.pointed.emit(row.point if row else None)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        with painter_in_points(self) as painter:
            self.picture.paint(painter, room_in_points(self), screen_style(self))
