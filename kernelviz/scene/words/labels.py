"""Strings next to their points on the map, as many as fit without covering a point or each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.text import draw_text, line_height, place_labels, text_width
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.wording import LONGEST_WORDS, shortened
from kernelviz.session.view import ViewRange


@dataclass(frozen=True, eq=False)
class LabelLayer(Layer):
    """The strings of the points, the most important first: mistakes and support vectors are labelled before
    others."""

    texts: Sequence[str]
    points: Array
    first: Sequence[int]  # Points whose labels are placed before those of the others.

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, room, xy = axes.style, axes.inner, axes(self.points)
        every = (*range(len(self.texts)), *self.first)[::-1]
        order = np.array(
            list({self.texts[i]: i for i in every}.values()), dtype=np.intp
        )  # one of equal strings
        # Labels that are tried: of more strings those of the first, and all others under the mouse.
        most = 150
        inside = order[axes.seen(xy[order])][:most].tolist()
        if not inside:
            return
        small = 0.92  # Times the size of the type.
        size, own = small * style.text, style.among(len(self.points))
        ringed = set(self.first)
        gaps = np.array([own.ring_radius(1.0) if i in ringed else own.ring_radius(0.3) for i in inside])
        labels = [shortened(self.texts[i]) for i in inside]
        sizes = np.array([(text_width(label, size), line_height(size)) for label in labels])
        seen = xy[np.isfinite(xy).all(axis=1)]
        for k, left, top in place_labels(xy[inside], sizes, gaps + 0.15 * size, seen, own.arm, room):
            at = QPointF(left, top + 0.76 * line_height(size))
            draw_text(painter, style, at, labels[k], points=size, colour=style.theme.soft_ink)


@dataclass(frozen=True, eq=False)
class TriedLayer(Layer):
    """A string that is being tried, where it would lie; outside of the map an arrow to it at the edge."""

    text: str
    place: Array

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        if not np.isfinite(self.place).all():
            return
        style = axes.style
        seen, reach = self._within(axes.view), style.ring_radius(0.4)
        ((x, y),), ((far_x, far_y),) = axes(seen).tolist(), axes(self.place).tolist()
        painter.setPen(pen(style.theme.highlight, 1.4 * style.strokes))
        painter.setBrush(QColor(style.theme.raised))
        corners = [(0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0)]
        if away := float(np.hypot(far_x - x, far_y - y)):
            u, v = reach * (far_x - x) / away, reach * (far_y - y) / away
            corners = [(1.4 * u, 1.4 * v), (-v - u, u - v), (v - u, -u - v)]
        painter.drawPolygon([QPointF(x + dx, y + dy) for dx, dy in corners])
        PointedLabels([self.text], seen).draw(axes, painter, stamps)

    def _within(self, view: ViewRange) -> Array:
        """Return the place itself, or the nearest that can be seen."""
        x, y = self.place[0]
        if view.left <= x <= view.right and view.bottom <= y <= view.top:
            return self.place
        low, high = np.array([view.left, view.bottom]), np.array([view.right, view.top])
        edge = 0.03  # Of the map's width, so far from its edge is what points outside.
        air = edge * (high - low)
        return np.clip(self.place, low + air, high - air)


@dataclass(frozen=True, eq=False)
class PointedLabels(Layer):
    """The strings of the points under the mouse, in front of everything and none in front of another."""

    texts: Sequence[str]
    points: Array

    def boxes(self, axes: Coordinates) -> list[tuple[str, QRectF]]:
        """Return each text as it is written, and the box around it: next to its point, or below or above the
        boxes that are there already."""
        room, size = axes.inner, _size_when_pointed(axes)
        gap, high = axes.style.ring_radius(1.0) + 0.3 * size, 1.5 * size
        found: list[tuple[str, QRectF]] = []
        for text, (x, y) in zip(self.texts, axes(self.points).tolist(), strict=True):
            label = shortened(text, 2 * LONGEST_WORDS)
            wide = text_width(label, size, bold=True) + size
            left = x + gap if x + gap + wide <= room.right() else max(room.left(), x - gap - wide)
            box = QRectF(left, min(max(y - high / 2, room.top()), room.bottom() - high), wide, high)
            others = [other for _, other in found]
            if any(box.intersects(other) for other in others):
                box.moveTop(max(other.bottom() for other in others))
                if box.bottom() > room.bottom():
                    box.moveBottom(min(other.top() for other in others))
            found.append((label, box))
        return found

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, size = axes.style, _size_when_pointed(axes)
        for label, box in self.boxes(axes):
            painter.setPen(pen(style.theme.highlight, 0.8 * style.strokes))
            painter.setBrush(QColor(style.theme.raised))
            painter.drawRoundedRect(box, 0.3 * size, 0.3 * size)
            at = QPointF(box.left() + 0.5 * size, box.center().y())
            draw_text(painter, style, at, label, points=size, bold=True, middle=True)


def _size_when_pointed(axes: Coordinates) -> float:
    return 1.05 * axes.style.text
