"""The legend on the canvas: in a corner of the plane where it covers no point, or in a row below."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.legend import Legend
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.session.view import LegendPlace
from kernelviz.ui.canvas.items import PlaneItem

# The corners in the order they are tried: the name of each, whether it is right, and whether below.
CORNERS: dict[LegendPlace, tuple[bool, bool]] = {
    "top right": (True, False),
    "top left": (False, False),
    "bottom right": (True, True),
    "bottom left": (False, True),
}
WIDEST, TALLEST = 0.6, 0.95  # Of the plane: a larger card would leave too little of it.


class LegendCard(PlaneItem):
    """The legend in one of the corners, or "below": in a row below the plane, which the area draws."""

    def __init__(self, box: pg.ViewBox) -> None:
        super().__init__(box, 3.0)
        self.legend = Legend(())
        self.place: LegendPlace = "top right"
        self.pinned: LegendPlace | None = None  # Where it stays, whatever it covers.
        self._drawn: QImage | None = None

    def show_entries(self, legend: Legend) -> bool:
        """Draw it again only if the entries have changed; return True if they have."""
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
        """Return the legend that is to stand in a row below the plane."""
        return self.legend if self.place == "below" and "legend" in self.shown else Legend(())

    def settle(self, pixels: Array, plane: QSizeF) -> None:
        """Go to a corner that covers no point, below if there is none; stay where that is as good.

        `pixels` are the points in the plane as large as it is without a row below it, so that the choice does
        not depend on the one before."""
        place = self.pinned
        if place is None and self.legend.entries:
            tried = CORNERS if self.place == "below" else (self.place, *CORNERS)
            free = (c for c in tried if self._fits(c, plane) and not self._covers(c, plane, pixels))
            place = next(free, "below")
        if place is not None and place != self.place:
            self.place = place
            self.refresh()

    def pin(self, place: LegendPlace | None) -> None:
        """Have it stay in a place, whatever it covers; None lets it look for a free one."""
        self.pinned = place
        if place is not None and place != self.place:
            self.place = place
            self.refresh()

    def nearest(self, column: float, row: float) -> LegendPlace:
        """Return the corner nearest to a place in logical pixels."""
        size = self._rect.size()
        wanted = (column > size.width() / 2, row > size.height() / 2)
        return next(name for name, corner in CORNERS.items() if corner == wanted)

    def _fits(self, place: LegendPlace, plane: QSizeF) -> bool:
        card = self.card(place, plane)
        return card.width() <= WIDEST * plane.width() and card.height() <= TALLEST * plane.height()

    def _covers(self, place: LegendPlace, plane: QSizeF, pixels: Array) -> bool:
        reach = self.style.ring_radius(0.0) / POINTS_PER_PIXEL
        card = self.card(place, plane).adjusted(-reach, -reach, reach, reach)
        low, high = (card.left(), card.top()), (card.right(), card.bottom())
        return bool(((pixels >= low) & (pixels <= high)).all(axis=1).any())

    def card(self, place: LegendPlace | None = None, plane: QSizeF | None = None) -> QRectF:
        """Return where the card lies, or would in a corner of a plane, in logical pixels; it may be empty."""
        place, plane = place or self.place, plane or self._rect.size()
        if place == "below" or not self.legend.entries or "legend" not in self.shown:
            return QRectF()
        width, height = (side / POINTS_PER_PIXEL for side in self.legend.card_size(self.style))
        air = 8.0 * self.style.strokes
        right, below = CORNERS[place]
        left = plane.width() - width - air if right else air
        top = plane.height() - height - air if below else air
        return QRectF(round(left), round(top), width, height)

    def draw(self, painter: QPainter) -> None:
        card = self.card()
        if card.isEmpty() or not self._fits(self.place, self._rect.size()):
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
