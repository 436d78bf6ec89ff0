"""The preview of an export: a small sheet of paper with the figure as it will be written."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kernelviz.scene.theme import current_theme

PREVIEW_MARGIN = 16


class Preview(QWidget):
    """Shows the last picture as a sheet of paper, scaled to fit until one of the right size arrives."""

    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.image = QImage()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(280, 220)
        self.setAccessibleName("Preview")

    def sizeHint(self) -> QSize:
        """Return a size that leaves room for the choices on a small screen."""
        return QSize(560, 460)

    def room(self, most: QSize | None = None) -> QSize:
        """Return the device pixels a picture can have; at most `most` logical ones."""
        room = QSize(max(64, self.width() - 2 * PREVIEW_MARGIN), max(64, self.height() - 2 * PREVIEW_MARGIN))
        return (room if most is None else room.boundedTo(most)) * self.devicePixelRatioF()

    def show_image(self, image: QImage) -> None:
        """Show a picture."""
        self.image = image
        self.update()

    def sheet(self) -> QRectF:
        """Return where the picture lies."""
        size = self.image.size() / self.devicePixelRatioF()
        room = QSize(self.width() - 2 * PREVIEW_MARGIN, self.height() - 2 * PREVIEW_MARGIN)
        if size.width() > room.width() or size.height() > room.height():
            size.scale(room, Qt.AspectRatioMode.KeepAspectRatio)
        x, y = (self.width() - size.width()) // 2, (self.height() - size.height()) // 2
        return QRectF(x, y, size.width(), size.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture as a sheet with a shadow."""
        shadow = 4
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.hover))
        painter.drawRoundedRect(self.rect(), 8, 8)
        if self.image.isNull():
            return
        sheet = self.sheet()
        shade = QColor("#000000")
        shade.setAlphaF(0.06)
        painter.setBrush(shade)
        for k in range(1, shadow + 1):
            painter.drawRoundedRect(sheet.adjusted(-k, -k + 1, k, k + 1), k, k)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self.image.hasAlphaChannel():
            self._draw_squares(painter, sheet)
        painter.drawImage(sheet, self.image)

    def _draw_squares(self, painter: QPainter, sheet: QRectF) -> None:
        """Draw the chequered ground that stands for transparency."""
        square = 8  # Pixels of the squares that stand for transparency.
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setClipRect(sheet)
        painter.fillRect(sheet, QColor("#ffffff"))
        for i in range(int(sheet.width()) // square + 1):
            for j in range(i % 2, int(sheet.height()) // square + 1, 2):
                corner = sheet.topLeft() + QPointF(i * square, j * square)
                painter.fillRect(QRectF(corner, QPointF(corner.x() + square, corner.y() + square)), "#dcdfe4")
        painter.restore()
