"""The one painter: it lays a scene out, paints it on screen or on paper, and finds what is at a place.

>>> layout = Layout(scene.root, QRectF(0, 0, 400, 300), Style())
>>> layout.paint(painter)
>>> layout.hit(QPointF(200, 150)).points

`ScreenPainter` paints layouts in a window and keeps pictures of what stays the same."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL, image_of, painter_in_points
from kernelviz.scene.nodes import Hit, Marks, Node, Placed


class Layout:
    """A scene in a rectangle of points: all its leaves with their places."""

    def __init__(self, root: Node, rect: QRectF, style: Style) -> None:
        self.root, self.rect, self.style = root, rect, style
        self.room = root.padded(rect, style)  # Where the leaves are.
        self.leaves = tuple(root.leaves(self.room, style))

    @property
    def ground(self) -> object:
        """A key that is equal for two layouts in the same rectangle whose ground looks the same."""
        return tuple((type(leaf), leaf.rect, leaf.ground) for leaf in self.leaves)

    def hit(self, at: QPointF) -> Hit:
        """Return the hit at a place: that of the first leaf with anything there."""
        found = (leaf.hit(at) for leaf in self.leaves)
        return next((hit for hit in found if hit is not None), Hit())

    def hit_nearest(self, at: QPointF) -> Hit:
        """Return the hit at a place, or at the nearest edge: a drag may leave the scene."""
        room = self.room
        x = min(max(at.x(), room.left()), room.right())
        return self.hit(QPointF(x, min(max(at.y(), room.top()), room.bottom())))

    def get(self, part: str) -> Placed | None:
        """Return the leaf of that name, or the one with a layer of that name, if there is one."""
        return next((leaf for leaf in self.leaves if part in leaf.parts), None)

    def find(self, part: str) -> Placed:
        """Return the leaf of that name, or the one with a layer of that name; KeyError if there is none."""
        leaf = self.get(part)
        if leaf is None:
            raise KeyError(part)
        return leaf

    def paint(self, painter: QPainter, marks: Marks | None = None) -> None:
        """Paint everything exactly, as on paper, with the marks if they are given."""
        self.paint_ground(painter)
        self.paint_data(painter, None)
        if marks is not None:
            self.paint_marks(painter, marks)

    def paint_ground(self, painter: QPainter) -> None:
        """Paint the paper and what stays on it."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.style.transparent:
            painter.fillRect(self.rect, self.style.theme.paper)
        for leaf in self._each(painter):
            leaf.draw_ground(painter)

    def paint_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        """Paint what changes from frame to frame."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for leaf in self._each(painter):
            leaf.draw_data(painter, stamps)

    def _each(self, painter: QPainter) -> Iterator[Placed]:
        """Yield the leaves, each with the painter as it is now, and clipped where the leaf is."""
        for leaf in self.leaves:
            painter.save()
            if leaf.clip is not None:
                painter.setClipRect(leaf.clip)
            yield leaf
            painter.restore()

    def paint_marks(self, painter: QPainter, marks: Marks) -> None:
        """Paint selection rings and labels."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for leaf in self.leaves:
            leaf.draw_marks(painter, marks)


class ScreenPainter:
    """Paints layouts on a screen. It keeps the ground while its value stays the same, and all but the marks
    once a layout is painted for the second time, so that a hovering mouse costs only the marks. For the
    window's thread."""

    def __init__(self) -> None:
        self._stamps = Stamps()
        self._ground: QImage | None = None
        self._ground_key: object = None
        self._sheet: QImage | None = None
        # The layout painted last, and its pixels per logical pixel.
        self._painted: tuple[Layout, float] | None = None

    def paint(self, painter: QPainter, layout: Layout, ratio: float, marks: Marks) -> None:
        """Paint with a painter in points, on a device with `ratio` pixels per logical pixel."""
        if self._painted != (layout, ratio):
            self._painted, self._sheet = (layout, ratio), None
            _draw_sheet(painter, self._grounded(layout, ratio))
            layout.paint_data(painter, self._stamps)
        else:
            if self._sheet is None:
                self._sheet = QImage(self._grounded(layout, ratio))
                with painter_in_points(self._sheet) as on_sheet:
                    layout.paint_data(on_sheet, self._stamps)
            _draw_sheet(painter, self._sheet)
        layout.paint_marks(painter, marks)

    def _grounded(self, layout: Layout, ratio: float) -> QImage:
        key = (layout.rect, layout.style, ratio, layout.ground)
        if self._ground is None or key != self._ground_key:
            self._ground_key = key
            paper = layout.style.theme.paper
            self._ground = image_of(layout.paint_ground, layout.rect.size(), ratio, paper)
        return self._ground


def _draw_sheet(painter: QPainter, sheet: QImage) -> None:
    """Draw an image over the whole painter, which counts in points."""
    painter.save()
    painter.scale(POINTS_PER_PIXEL, POINTS_PER_PIXEL)
    painter.drawImage(0, 0, sheet)
    painter.restore()
