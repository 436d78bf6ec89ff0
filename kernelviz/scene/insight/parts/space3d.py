"""Three dimensions on paper: a camera, patches painted from the farthest to the nearest, and the sheet and
planes of a lifted fit.

All places are in a box from −1 to 1 on each of three axes; `UnitCube` maps coordinates into it, and
`Camera.project` maps it to points on the paper."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from kernelviz.engine.analysis.lifts import LevelPlane, LiftedFit
from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.colours import blend, field_colours, field_unit
from kernelviz.scene.figure.strokes import pen, polygon
from kernelviz.session.themes import Theme

PATCHES = 10  # Patches of a plane in each direction.


@dataclass(frozen=True)
class Camera:
    """A place to look from, in degrees: azimuth around the upright axis, elevation above the floor.

    >>> Camera(-60.0, 25.0).turned(10.0, 0.0).zoomed(1.5)
    Camera(azimuth=-50.0, elevation=25.0, zoom=1.5)"""

    azimuth: float
    elevation: float
    zoom: float = 1.0

    def turned(self, azimuth: float, elevation: float) -> Self:
        """Return the camera moved around; never over the top."""
        return replace(
            self,
            azimuth=(self.azimuth + azimuth + 180.0) % 360.0 - 180.0,
            elevation=min(90.0, max(-90.0, self.elevation + elevation)),
        )

    def zoomed(self, factor: float) -> Self:
        """Return the camera with everything larger by a factor, within limits."""
        zoom = (0.4, 6.0)
        return replace(self, zoom=min(zoom[1], max(zoom[0], factor * self.zoom)))

    def towards(self, other: Camera, share: float) -> Camera:
        """Return the camera a share of the way to another place."""
        here, there = (np.array([c.azimuth, c.elevation, c.zoom]) for c in (self, other))
        there[0] = here[0] + (there[0] - here[0] + 180.0) % 360.0 - 180.0
        return Camera(*((1 - share) * here + share * there).tolist())

    def project(self, places: Array, rect: QRectF) -> tuple[Array, Array]:
        """Return where places of the box (…, 3) are on paper (…, 2), and how near each is."""
        a, e = np.radians((self.azimuth, self.elevation))
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        up = np.array([-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)])
        towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        near = places @ towards
        # More than half the diagonal of the box: what must fit into half of the picture, names of axes too.
        fills = 1.85
        size = self.zoom * 0.5 * min(rect.width(), rect.height()) / fills
        distance = 6.0  # Of the camera from the middle of the box, whose sides are 2: a mild perspective.
        scale = size * distance / np.maximum(distance - near, 0.1)
        x = rect.center().x() + scale * (places @ right)
        y = rect.center().y() - scale * (places @ up)
        return np.stack([x, y], axis=-1), near


ASLANT, ABOVE = Camera(-60.0, 25.0), Camera(-90.0, 90.0)


@dataclass(frozen=True, eq=False)
class UnitCube:
    """Coordinates brought into [-1, 1]: v = (u - middle)/half."""

    middle: Array
    half: Array

    @classmethod
    def around(cls, places: Array, air: float = 0.0, same_unit: bool = False) -> UnitCube:
        """Return the smallest box around all places, with some air relative to them; its sides are equally
        long if their units are the same."""
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
        """Return several groups of patches as one."""
        return cls(
            np.concatenate([part.corners for part in parts]),
            np.concatenate([part.colours for part in parts]),
            np.concatenate([part.edges for part in parts]),
        )

    def draw(self, painter: QPainter, camera: Camera, rect: QRectF, width: float) -> None:
        """Draw the farthest first. Edges of patches that are not smoothed fit each other without a seam."""
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
    """Return the cells of a sheet (rows, columns, 3), as far as it lies within a box, in their colours."""
    sheet, seen = cut_sheet(sheet, reach)
    a, b, c, d = sheet[:-1, :-1], sheet[:-1, 1:], sheet[1:, 1:], sheet[1:, :-1]
    corners = np.stack([a, b, c, d], axis=2)[seen]
    return Patches(corners, colours[seen], np.full(len(corners), edge, dtype=np.uint32))


def cut_sheet(sheet: Array, reach: float) -> tuple[Array, np.ndarray]:
    """Return the sheet with every node just outside the box pulled back along an edge to where that leaves
    it, and which cells are then to be seen: those with a node inside."""
    inside = np.abs(sheet).max(axis=-1) <= reach
    if inside.all():
        return sheet, np.ones((inside.shape[0] - 1, inside.shape[1] - 1), dtype=bool)
    cut, open_ = sheet.copy(), ~inside
    neighbours = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
    for down, across in neighbours:
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


def _shifted(down: int, across: int) -> tuple[slice, slice]:
    """Return the part of a grid whose nodes have a neighbour at this distance up and to the left."""
    parts = {1: slice(1, None), 0: slice(None), -1: slice(None, -1)}
    return parts[down], parts[across]


def plane_patches(normal: Array, offset: float, colour: int, edge: int) -> Patches:
    """Return the plane offset + normal·v = 0 inside the box; no patches where it does not meet it."""
    k = int(np.argmax(np.abs(normal)))
    i, j = (axis for axis in range(3) if axis != k)
    side = np.linspace(-1.0, 1.0, PATCHES + 1)
    sheet = np.zeros((PATCHES + 1, PATCHES + 1, 3))
    sheet[..., i], sheet[..., j] = np.meshgrid(side, side)
    with np.errstate(divide="ignore", invalid="ignore"):
        sheet[..., k] = -(offset + normal[i] * sheet[..., i] + normal[j] * sheet[..., j]) / normal[k]
    return sheet_patches(sheet, np.full((PATCHES, PATCHES), colour, dtype=np.uint32), edge, 1.0)


# What a lifted fit is painted with --------------------------------------------------------------------------
def argb(colour: str, alpha: int) -> int:
    """Return a colour as 0xAARRGGBB."""
    ink = QColor(colour)
    ink.setAlpha(alpha)
    return ink.rgba()


def sheet_colours(fit: LiftedFit, theme: Theme, classes: int) -> NDArray[np.uint32]:
    """Return the colour of every cell of a sheet: by its score, or the class that wins there; else grey."""
    assert fit.sheet is not None
    if fit.scores is not None:
        F = fit.scores
        middle = 0.25 * (F[:-1, :-1] + F[:-1, 1:] + F[1:, 1:] + F[1:, :-1])
        colours = field_colours(middle, theme, field_unit(F))
    elif fit.classes is not None:
        tints = [
            argb(blend(theme.zero, theme.of_class(k, classes), theme.tint), 0xFF) for k in range(classes)
        ]
        colours = np.array(tints, dtype=np.uint32)[fit.classes[:-1, :-1].astype(np.intp)]
    else:
        rows, columns = fit.sheet.shape[:2]
        colours = np.full((rows - 1, columns - 1), argb(theme.grid, 0xFF), dtype=np.uint32)
    sheet = 0xD8  # How opaque the sheet is, of 255.
    return (colours & np.uint32(0xFFFFFF)) | np.uint32(sheet << 24)


def planes_of(fit: LiftedFit, box: UnitCube, theme: Theme, margins: bool = True) -> list[Patches]:
    """Return the boundary and, if they mean something, the margins s = ±1, where the score is linear in
    three coordinates."""
    if fit.plane is None or fit.lift.flat:
        return []
    normal, offset = _in_box(fit.plane, box)
    levels = (-1.0, 1.0) if margins and (fit.scores is not None or fit.sheet is None) else ()
    plane, margin = 0x66, 0x2A  # How opaque the boundary plane and those of the margin are, of 255.
    made = [plane_patches(normal, offset - level, argb(theme.boundary, margin), 0) for level in levels]
    strong = theme.highlight
    return [*made, plane_patches(normal, offset, argb(strong, plane), argb(strong, 0x30))]


def straight_lines(fit: LiftedFit, box: UnitCube) -> list[tuple[float, Array]]:
    """Return the boundary and the margins by level, in the box, where the score is linear in two
    coordinates."""
    if fit.plane is None or not fit.lift.flat:
        return []
    normal, offset = _in_box(fit.plane, box)
    k = int(np.argmax(np.abs(normal[:2])))
    found = []
    vertices = 201  # Places of a straight line, which is cut where it leaves the box.
    for level in (-1.0, 0.0, 1.0):
        line = np.zeros((vertices, 3))
        line[:, 1 - k] = np.linspace(-1.0, 1.0, vertices)
        line[:, k] = -(offset - level + normal[1 - k] * line[:, 1 - k]) / normal[k]
        found.append((level, line))
    return found


def _in_box(plane: LevelPlane, box: UnitCube) -> tuple[Array, float]:
    """Return the normal and the offset of a plane where the box goes from -1 to 1."""
    return plane.weights * box.half, plane.offset + float(plane.weights @ box.middle)
