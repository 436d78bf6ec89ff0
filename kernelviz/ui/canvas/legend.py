"""The legend on the canvas: in a corner of the plane where it covers no point, or in a row below."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.figure.legend import Legend
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.engine.core.arrays import Array
from kernelviz.ui.canvas.items import PlaneItem

Corner = tuple[bool, bool]  # Whether right, whether below.
CORNERS: tuple[Corner, ...] = ((True, False), (False, False), (True, True), (False, True))
WIDEST, TALLEST = 0.6, 0.95  # Of the plane: a larger card would leave too little of it.


class LegendCard(PlaneItem):
    """The legend in one of the corners; without a corner it is not in the plane."""

    def __init__(self, box: pg.ViewBox) -> None:
        super().__init__(box, 3.0)
        self.legend = Legend(())
        self.corner: Corner | None = (True, False)
        self.put_by_hand = False  # It stays where somebody has put it, whatever it covers.
        self._drawn: QImage | None = None

    def show_entries(self, legend: Legend) -> bool:
        """Draw anew only when the entries have changed; whether they have."""
        texts = [entry.text for entry in legend.entries]
        if differs := texts != [entry.text for entry in self.legend.entries]:
            self.legend = legend
            self.refresh()
        return differs

    def refresh(self, part: QRectF | None = None) -> None:
        self._drawn = None
        super().refresh(part)

    @property
    def below(self) -> Legend:
        """What is to stand in a row below the plane."""
        return self.legend if self.corner is None and "legend" in self.shown else Legend(())

    def settle(self, pixels: Array, plane: QSizeF) -> None:
        """Go to a corner that covers no point, below if there is none; stay where that is as good.

        `pixels` are the points in the plane as large as it is without a row below it, so that the choice does
        not depend on the one before."""
        if self.put_by_hand or not self.legend.entries:
            return
        corners = CORNERS if self.corner is None else (self.corner, *CORNERS)
        free = (c for c in corners if self._fits(c, plane) and not self._covers(c, plane, pixels))
        corner = next(free, None)
        if corner != self.corner:
            self.corner = corner
            self.refresh()

    def _fits(self, corner: Corner, plane: QSizeF) -> bool:
        card = self.card(corner, plane)
        return card.width() <= WIDEST * plane.width() and card.height() <= TALLEST * plane.height()

    def _covers(self, corner: Corner, plane: QSizeF, pixels: Array) -> bool:
        reach = self.style.ring_radius(0.0) / POINTS_PER_PIXEL
        card = self.card(corner, plane).adjusted(-reach, -reach, reach, reach)
        low, high = (card.left(), card.top()), (card.right(), card.bottom())
        return bool(((pixels >= low) & (pixels <= high)).all(axis=1).any())

    def card(self, corner: Corner | None = None, plane: QSizeF | None = None) -> QRectF:
        """Where the card lies (or would, in a corner of a plane) in logical pixels; empty if nowhere."""
        corner, plane = corner or self.corner, plane or self._rect.size()
        if corner is None or not self.legend.entries or "legend" not in self.shown:
            return QRectF()
        width, height = (side / POINTS_PER_PIXEL for side in self.legend.card_size(self.style))
        air = 8.0 * self.style.strokes
        right, below = corner
        left = plane.width() - width - air if right else air
        top = plane.height() - height - air if below else air
        return QRectF(round(left), round(top), width, height)

    def draw(self, painter: QPainter) -> None:
        card = self.card()
        if card.isEmpty() or self.corner is None or not self._fits(self.corner, self._rect.size()):
            return  # a small canvas belongs to the data
        ratio = painter.device().devicePixelRatioF()
        if self._drawn is None or self._drawn.devicePixelRatioF() != ratio:
            self._drawn = self._render(card, ratio)
        painter.drawImage(card.topLeft() - QPointF(1, 1), self._drawn)

    def _render(self, card: QRectF, ratio: float) -> QImage:
        size = (card.adjusted(0, 0, 3, 3).size() * ratio).toSize()
        image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(1, 1)
        painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
        self.legend.paint_card(painter, QPointF(0, 0), self.style)
        painter.end()
        return image
