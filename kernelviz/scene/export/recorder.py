"""A painter that keeps what layers draw, as shapes of SVG that frames can share.

`Recorder` takes the place of a `QPainter`: every shape becomes a path around its own place, so that a ring or
a letter that is drawn often is kept once, with its places."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream, QIODevice, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.stamps import Draw, Stamps
from kernelviz.scene.figure.strokes import ELEMENT
from kernelviz.scene.figure.style import Style

UNITS = 20  # Units of the SVG per point: coordinates are whole numbers.
STRAIGHT = 0.1  # Points that a vertex may be off the line of its neighbours, to be left out.


@dataclass(frozen=True)
class Shape:
    """A path around (0, 0), the attributes of SVG that say how it is painted, its colours in one theme, and
    the places where it stands, in units."""

    path: str
    look: tuple[tuple[str, str], ...]
    ink: tuple[str, str]  # Of the inside and of the line.
    places: tuple[tuple[int, int], ...] = ((0, 0),)


@dataclass(frozen=True)
class ShapeOfField:
    """Where the colours of a field go."""

    rect: tuple[int, int, int, int]
    opacity: float


class Recorder(Stamps):
    """Keeps what is drawn with it. It is the painter, and the stamps as well."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes: list[Shape | ShapeOfField] = []
        self._saved: list[tuple[QTransform, QPen, QBrush, float]] = []
        self._to, self._pen, self._brush = QTransform(), QPen(), QBrush()
        self._opacity = 1.0

    @property
    def painter(self) -> QPainter:
        """Itself, as what layers are given to draw with."""
        return cast(QPainter, self)

    # What a painter is told ---------------------------------------------------------------------------------
    def save(self) -> None:
        self._saved.append((QTransform(self._to), QPen(self._pen), QBrush(self._brush), self._opacity))

    def restore(self) -> None:
        self._to, self._pen, self._brush, self._opacity = self._saved.pop()

    def setPen(self, pen: Any) -> None:
        self._pen = QPen(pen)

    def setBrush(self, brush: Any) -> None:
        self._brush = QBrush(brush)

    def setOpacity(self, opacity: float) -> None:
        self._opacity = opacity

    def opacity(self) -> float:
        return self._opacity

    def setRenderHint(self, *_: Any) -> None:
        """Nothing is painted yet."""

    def setClipRect(self, *_: Any) -> None:
        """The page cuts off what is outside of the axes."""

    def translate(self, *by: Any) -> None:
        at = QPointF(*by)
        self._to.translate(at.x(), at.y())

    def scale(self, across: float, down: float) -> None:
        self._to.scale(across, down)

    def rotate(self, degrees: float) -> None:
        self._to.rotate(degrees)

    # What it draws ------------------------------------------------------------------------------------------
    def _shape(self, draw: Callable[[QPainterPath], object]) -> None:
        path = QPainterPath()
        draw(path)
        self._add(path, self._brush, self._pen)

    def drawLine(self, *line: Any) -> None:
        self.drawLines([QLineF(*line)])

    def drawLines(self, lines: Iterable[QLineF]) -> None:
        path = QPainterPath()
        for line in lines:
            path.moveTo(line.p1())
            path.lineTo(line.p2())
        self._add(path, QBrush(), self._pen)

    def drawPolyline(self, polygon: QPolygonF) -> None:
        path = QPainterPath()
        path.addPolygon(polygon)
        self._add(path, QBrush(), self._pen)

    def drawPolygon(self, polygon: Any) -> None:
        def draw(path: QPainterPath) -> None:
            path.addPolygon(QPolygonF(polygon))
            path.closeSubpath()

        self._shape(draw)

    def drawPath(self, path: QPainterPath) -> None:
        self._add(path, self._brush, self._pen)

    def drawRect(self, rect: QRectF) -> None:
        self._shape(lambda path: path.addRect(rect))

    def drawRoundedRect(self, rect: QRectF, across: float, down: float) -> None:
        self._shape(lambda path: path.addRoundedRect(rect, across, down))

    def drawEllipse(self, centre: QPointF, across: float, down: float) -> None:
        self._shape(lambda path: path.addEllipse(centre, across, down))

    def fillRect(self, rect: QRectF, brush: Any) -> None:
        path = QPainterPath()
        path.addRect(rect)
        self._add(path, QBrush(QColor(brush)), QPen(Qt.PenStyle.NoPen))

    def fillPath(self, path: QPainterPath, brush: Any) -> None:
        self._add(path, QBrush(QColor(brush)), QPen(Qt.PenStyle.NoPen))

    def strokePath(self, path: QPainterPath, pen: QPen) -> None:
        self._add(path, QBrush(), pen)

    def drawImage(self, rect: QRectF, image: QImage) -> None:
        at = self._to.mapRect(rect)
        x, y, wide, high = (round(UNITS * side) for side in (at.x(), at.y(), at.width(), at.height()))
        self.shapes.append(ShapeOfField((x, y, wide, high), self._opacity))

    def draw(self, painter: QPainter, style: Style, xy: Array, name: Hashable, draw: Draw) -> None:
        """Keep one mark, and all of its places."""
        if len(xy) == 0:
            return
        one = Recorder()
        draw(one.painter, style, np.zeros((1, 2)))
        places = tuple((int(x), int(y)) for x, y in np.rint(UNITS * xy).tolist())
        for shape in one.shapes:
            assert isinstance(shape, Shape)
            self.shapes.append(Shape(shape.path, shape.look, shape.ink, places))

    def _add(self, path: QPainterPath, brush: QBrush, pen: QPen) -> None:
        """Keep a path, with its place apart from its form."""
        if path.isEmpty():
            return
        to = QTransform(self._to) * QTransform.fromScale(UNITS, UNITS)
        place = (round(to.dx()), round(to.dy()))
        form = to.map(path) if place == (0, 0) else to.map(path).translated(-to.dx(), -to.dy())
        filled = brush.style() != Qt.BrushStyle.NoBrush
        drawn = pen.style() != Qt.PenStyle.NoPen
        scale = UNITS * float(np.hypot(self._to.m11(), self._to.m12()))
        look: dict[str, str] = {}
        if drawn:
            look["stroke-width"] = f"{scale * pen.widthF():.3g}"
            if pen.capStyle() != Qt.PenCapStyle.FlatCap:
                look["stroke-linecap"] = "round"
            if dashes := pen.dashPattern():
                look["stroke-dasharray"] = " ".join(f"{scale * pen.widthF() * d:.4g}" for d in dashes)
            look["stroke-opacity"] = f"{pen.color().alphaF():.2g}"
        if filled:
            look["fill-opacity"] = f"{brush.color().alphaF():.2g}"
        look["opacity"] = f"{self._opacity:.3g}"
        kept = tuple((name, value) for name, value in look.items() if value != "1")
        ink = (brush.color().name() if filled else "none", pen.color().name() if drawn else "none")
        self.shapes.append(Shape(_written(_elements(form)), kept, ink, (place,)))


def _elements(path: QPainterPath) -> bytes:
    """Return the elements of a path, each as ELEMENT, as Qt stores them after their number."""
    stored = QByteArray()
    stream = QDataStream(stored, QIODevice.OpenModeFlag.WriteOnly)
    stream.setByteOrder(QDataStream.ByteOrder.LittleEndian)
    stream << path
    return bytes(stored.data()[4 : 4 + path.elementCount() * ELEMENT.itemsize])


@lru_cache(maxsize=4096)  # the same in both themes, and often in the next frame
def _written(elements: bytes) -> str:
    """Return a path in the language of SVG, in whole numbers relative to the last place, without vertices
    that lie on the line of their neighbours."""
    found = np.frombuffer(elements, dtype=ELEMENT)
    rows = np.column_stack([found["kind"], found["x"], found["y"]])
    begins = np.flatnonzero(rows[:, 0] == QPainterPath.ElementType.MoveToElement.value)
    said, at = [], np.zeros(2, dtype=int)
    for part in np.split(rows, begins[1:]):
        if (part[1:, 0] == QPainterPath.ElementType.LineToElement.value).all():
            xy = np.rint(_straightened(part[:, 1:])).astype(int)
            xy = xy[np.concatenate([[True], (np.diff(xy, axis=0) != 0).any(axis=1)])]
            closed = len(xy) > 2 and bool((xy[0] == xy[-1]).all())
            steps = np.diff(xy, axis=0)[: -1 if closed else None]
            said.append(f"m{_numbers(xy[0] - at)}l{_numbers(steps)}" + ("z" if closed else ""))
            at = xy[0] if closed else xy[-1]
            if len(xy) == 1:
                said[-1] += "0 0"  # a dot
            continue
        xy = np.rint(part[:, 1:]).astype(int)
        said.append(f"m{_numbers(xy[0] - at)}")
        k, last = 1, xy[0]
        while k < len(part):
            curved = part[k, 0] == QPainterPath.ElementType.CurveToElement.value
            take = 3 if curved else 1
            said.append(f"{'c' if curved else 'l'}{_numbers(xy[k : k + take] - last)}")
            last, k = xy[k + take - 1], k + take
        at = last
    return "".join(said)


def _numbers(steps: Array) -> str:
    return " ".join(map(str, steps.ravel().tolist())).replace(" -", "-")


def _straightened(xy: Array) -> Array:
    """Return a polyline without those of every second vertex, several times, that lie nearly on the chord of
    their neighbours."""
    rounds, few = 6, 8
    for _ in range(rounds):
        if len(xy) < few:
            break
        before, here, after = xy[:-2:2], xy[1:-1:2], xy[2::2]
        chord, way = after - before, here - before
        length = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-9)
        off = np.abs(chord[:, 0] * way[:, 1] - chord[:, 1] * way[:, 0]) / length
        keep = np.ones(len(xy), dtype=bool)
        keep[1:-1:2] = off > STRAIGHT * UNITS
        if keep.all():
            break
        xy = xy[keep]
    return xy
