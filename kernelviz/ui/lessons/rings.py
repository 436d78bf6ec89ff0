"""Rings around the points that a lesson gives names to."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from kernelviz.scene.theme import current_theme
from kernelviz.session.lessons.state import LessonState
from kernelviz.ui.canvas.points import PointsCanvas
from kernelviz.ui.widgets.layouts import soon

RADIUS = 15  # In pixels.


class PointRing(QWidget):
    """A ring around a point, with its name; the mouse passes through it."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(4 * RADIUS, 3 * RADIUS)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(current_theme().highlight), 2.5))
        painter.drawEllipse(QPointF(1.5 * RADIUS, 1.5 * RADIUS), RADIUS - 2, RADIUS - 2)
        name, font = QPainterPath(), self.font()
        font.setBold(True)
        name.addText(QPointF(2.5 * RADIUS, 0.9 * RADIUS), font, self.name)
        # A border around the letters, so that they can be read in front of points and lines.
        painter.strokePath(name, QPen(QColor(current_theme().surface), 3.5))
        painter.fillPath(name, QColor(current_theme().highlight))


class PointRings(QObject):
    """Rings around the named points of the step, on the canvas in front. They are small widgets, so that
    moving one does not paint the canvas again."""

    def __init__(
        self,
        state: Callable[[], LessonState | None],
        canvas: Callable[[], PointsCanvas],
        parent: QObject,
    ) -> None:
        """state: returns the state of the session, None while no lesson runs. canvas: returns the one in
        front."""
        super().__init__(parent)
        self._state, self._canvas = state, canvas
        self._rings: list[PointRing] = []
        self._followed: list[PointsCanvas] = []  # The canvases whose size and view the rings follow.

    def clear(self) -> None:
        """Take all rings away."""
        for ring in self._rings:
            ring.hide()
            ring.deleteLater()
        self._rings = []

    def show_soon(self, *_: object) -> None:
        """Put the rings where the points are once the canvas has its new size or view."""
        soon(self, self.show)

    def show(self) -> None:
        """Draw a ring around every named point, where the canvas can place points."""
        canvas, state = self._canvas(), self._state()
        if state is None:
            return
        if canvas not in self._followed:
            self._followed.append(canvas)
            for signal in (canvas.area.resized, canvas.area.box.sigRangeChanged):
                signal.connect(self.show_soon)
        document = state.document
        if not canvas.workspace.movable or document.workspace is not canvas.workspace:
            self.clear()
            return
        names, viewport = [name for name, _ in state.points], canvas.area.viewport()
        if [(ring.name, ring.parent()) for ring in self._rings] != [(name, viewport) for name in names]:
            self.clear()
            self._rings = [PointRing(name, viewport) for name in names]
        places = canvas.scene.places()  # where points are drawn, which may be next to their places
        if len(places) != document.data.n:
            places = document.workspace.positions(document.data)
        for ring, (_, row) in zip(self._rings, state.points, strict=True):
            spot = canvas.area.mapFromScene(canvas.area.box.mapViewToScene(QPointF(*places[row])))
            near = viewport.rect().adjusted(-ring.width(), -ring.height(), ring.width(), ring.height())
            ring.setVisible(near.contains(spot))
            if ring.isVisible():  # the pixels of a point far outside may be larger than a widget's can be
                ring.move(round(spot.x() - 1.5 * RADIUS), round(spot.y() - 1.5 * RADIUS))
