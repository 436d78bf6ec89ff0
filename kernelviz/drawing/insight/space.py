"""Three dimensions on paper: a camera, and patches painted from the farthest to the nearest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from kernelviz.drawing.figure.strokes import pen, polygon
from kernelviz.engine.core.arrays import Array

DISTANCE = 6.0  # Of the camera from the middle of the box, whose sides are 2: a mild perspective.
# More than half the diagonal of the box: what must fit into half of the picture, names of axes too.
FILLS = 1.85
ZOOM = (0.4, 6.0)
CELLS = 10  # Patches of a plane in each direction.


@dataclass(frozen=True)
class Camera:
    """Where it stands, in degrees: azimuth around the upright axis, elevation above the floor."""

    azimuth: float
    elevation: float
    zoom: float = 1.0

    def turned(self, azimuth: float, elevation: float) -> Self:
        """Moved around; never over the top."""
        return replace(
            self,
            azimuth=(self.azimuth + azimuth + 180.0) % 360.0 - 180.0,
            elevation=min(90.0, max(-90.0, self.elevation + elevation)),
        )

    def zoomed(self, factor: float) -> Self:
        return replace(self, zoom=min(ZOOM[1], max(ZOOM[0], factor * self.zoom)))

    def towards(self, other: Camera, share: float) -> Camera:
        """A share of the way to another place."""
        here, there = (np.array([c.azimuth, c.elevation, c.zoom]) for c in (self, other))
        there[0] = here[0] + (there[0] - here[0] + 180.0) % 360.0 - 180.0
        return Camera(*((1 - share) * here + share * there).tolist())

    def project(self, places: Array, rect: QRectF) -> tuple[Array, Array]:
        """Where places of the box (…, 3) are on paper (…, 2), and how near each is."""
        a, e = np.radians((self.azimuth, self.elevation))
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        up = np.array([-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)])
        towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        near = places @ towards
        size = self.zoom * 0.5 * min(rect.width(), rect.height()) / FILLS
        scale = size * DISTANCE / np.maximum(DISTANCE - near, 0.1)
        x = rect.center().x() + scale * (places @ right)
        y = rect.center().y() - scale * (places @ up)
        return np.stack([x, y], axis=-1), near


ASLANT, ABOVE = Camera(-60.0, 25.0), Camera(-90.0, 90.0)


@dataclass(frozen=True, eq=False)
class Box:
    """Coordinates brought into [-1, 1]: v = (u - middle)/half."""

    middle: Array
    half: Array

    @classmethod
    def around(cls, places: Array, air: float = 0.0, same_unit: bool = False) -> Box:
        """The smallest box around all places, with some air relative to them, its sides as long as each other
        if their units are the same."""
        every = places.reshape(-1, 3) if places.size else np.zeros((1, 3))
        low, high = every.min(axis=0), every.max(axis=0)
        half = (1.0 + air) * (high / 2 - low / 2)
        if same_unit:
            half = np.full(3, half.max())
        flat = half <= 1e-12 * max(1e-300, float(np.abs(every).max()))
        return cls(low / 2 + high / 2, np.where(flat, 1.0, half))

    def __call__(self, places: Array) -> Array:
        return np.asarray((places - self.middle) / self.half)


@dataclass(frozen=True, eq=False)
class Patches:
    """Four corners each (m, 4, 3), a colour 0xAARRGGBB and one for its edges, 0 for none."""

    corners: Array
    colours: np.ndarray
    edges: np.ndarray

    @classmethod
    def together(cls, *parts: Patches) -> Patches:
        return cls(
            np.concatenate([part.corners for part in parts]),
            np.concatenate([part.colours for part in parts]),
            np.concatenate([part.edges for part in parts]),
        )

    def draw(self, painter: QPainter, camera: Camera, rect: QRectF, width: float) -> None:
        """The farthest first. Edges of patches that are not smoothed fit each other without a seam."""
        xy, near = camera.project(self.corners, rect)
        order = np.argsort(near.mean(axis=1))
        corners = polygon(xy[order].reshape(-1, 2))  # sliced below: hundreds of polygons take longer to make
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        last = None
        colours = zip(self.colours[order].tolist(), self.edges[order].tolist(), strict=True)
        for k, (fill, edge) in enumerate(colours):
            if edge != last:
                painter.setPen(_pen(edge, width) if edge else Qt.PenStyle.NoPen)
                last = edge
            painter.setBrush(_brush(fill))
            painter.drawConvexPolygon(corners.sliced(4 * k, 4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)


@lru_cache(maxsize=4096)
def _brush(colour: int) -> QBrush:
    return QBrush(QColor.fromRgba(colour))


@lru_cache(maxsize=64)
def _pen(colour: int, width: float) -> QPen:
    ink = QColor.fromRgba(colour)
    return pen(ink.name(), width, alpha=ink.alphaF())


def sheet_patches(sheet: Array, colours: np.ndarray, edge: int, reach: float = np.inf) -> Patches:
    """Of a sheet (rows, columns, 3) as far as it lies within a box, a colour for each cell."""
    sheet, seen = cut_sheet(sheet, reach)
    a, b, c, d = sheet[:-1, :-1], sheet[:-1, 1:], sheet[1:, 1:], sheet[1:, :-1]
    corners = np.stack([a, b, c, d], axis=2)[seen]
    return Patches(corners, colours[seen], np.full(len(corners), edge, dtype=np.uint32))


def cut_sheet(sheet: Array, reach: float) -> tuple[Array, np.ndarray]:
    """The sheet with every node just outside the box pulled back along an edge to where that leaves it, and
    which cells are then to be seen: those with a node inside."""
    inside = np.abs(sheet).max(axis=-1) <= reach
    if inside.all():
        return sheet, np.ones((inside.shape[0] - 1, inside.shape[1] - 1), dtype=bool)
    cut, open_ = sheet.copy(), ~inside
    for down, across in NEIGHBOURS:
        here, there = _shifted(down, across), _shifted(-down, -across)
        pulled = open_[here] & inside[there]
        start, end = sheet[there][pulled], sheet[here][pulled]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (np.sign(end - start) * reach - start) / (end - start)
        share = np.where(np.abs(end) > reach, share, 1.0).min(axis=-1, keepdims=True)
        cut[here][pulled] = start + np.nan_to_num(share) * (end - start)
        open_[here][pulled] = False
    corners = np.stack([inside[:-1, :-1], inside[:-1, 1:], inside[1:, 1:], inside[1:, :-1]])
    return cut, np.asarray(corners.any(axis=0))


NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))


def _shifted(down: int, across: int) -> tuple[slice, slice]:
    """The part of a grid whose nodes have a neighbour that far up and to the left."""
    parts = {1: slice(1, None), 0: slice(None), -1: slice(None, -1)}
    return parts[down], parts[across]


def plane_patches(normal: Array, offset: float, colour: int, edge: int) -> Patches:
    """The plane offset + normal·v = 0 inside the box; none where it does not meet it."""
    k = int(np.argmax(np.abs(normal)))
    i, j = (axis for axis in range(3) if axis != k)
    side = np.linspace(-1.0, 1.0, CELLS + 1)
    sheet = np.zeros((CELLS + 1, CELLS + 1, 3))
    sheet[..., i], sheet[..., j] = np.meshgrid(side, side)
    with np.errstate(divide="ignore", invalid="ignore"):
        sheet[..., k] = -(offset + normal[i] * sheet[..., i] + normal[j] * sheet[..., j]) / normal[k]
    return sheet_patches(sheet, np.full((CELLS, CELLS), colour, dtype=np.uint32), edge, 1.0)
