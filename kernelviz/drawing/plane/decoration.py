"""A frame of the plane prepared for the screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.figure.layer import Layer
from kernelviz.drawing.figure.legend import Entry
from kernelviz.drawing.figure.prepared_frame import Target, painted
from kernelviz.drawing.figure.rings import Rings
from kernelviz.drawing.figure.strokes import draw_lines, pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import Transform
from kernelviz.drawing.plane.layers import boundary_above, layers
from kernelviz.drawing.plane.legend import entries
from kernelviz.drawing.plane.picture import Picture, picture_of_model, slack_lines, touched
from kernelviz.engine.analysis.response import response
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fields.contours import ContourLines, level_lines
from kernelviz.engine.models.sampling import GridSample
from kernelviz.runtime.messages import Frame
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.plane import Plane

COARSER, LEVELS = 2, 8


@dataclass(frozen=True, eq=False)
class RowLayer:
    """Level lines of K(x_i, ·), the stronger the higher; dashed where it is negative."""

    lines: ContourLines

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        most = max(abs(level) for level, _ in self.lines)
        for level, lines in self.lines:
            dash = (4.0 * style.strokes, 2.0 * style.strokes) if level < 0.0 else ()
            strength = 0.35 + 0.65 * abs(level) / most if most else 1.0
            painter.setPen(pen(style.theme.highlight, 1.2 * style.strokes, dash=dash, alpha=strength))
            draw_lines(painter, transform, lines)


def row_of_matrix(frame: Frame, point: int) -> Layer | None:
    """K(x_i, ·) on the frame's own grid; None for a kernel too large for numbers."""
    model = frame.model
    alone = response(model.problem.kernel, frame.data.X[[point]], model.algorithm)
    try:
        sample = finished(frame.request.sampling.sample(alone, COARSER))
    except BadInput:
        return None
    lines = () if sample.field is None else level_lines(sample.x1, sample.x2, sample.field, LEVELS)
    return RowLayer(lines) if lines else None


# Layers below the points, in painting order.
BEHIND = ("field", "grid", "levels", "margins", "boundary", "slack")
EVERYTHING = frozenset(Plane.toggles)
# What costs nothing worth waiting for; slack lines are looked for only when they are shown.
AT_ONCE = EVERYTHING - {"slack"}
# How far from a straight line a vertex may lie, in cells of the grid: about a tenth of a pixel.
STRAIGHT = 0.03


def thinned(lines: ContourLines, cell: tuple[float, float]) -> ContourLines:
    """The same lines to the eye with half the vertices: a thick pen costs by the vertex.

    Of every second vertex, twice, those nearly on the chord of their neighbours are left out."""
    polylines = [line for _, found in lines for line in found]
    if not polylines:
        return lines
    xy, lengths = np.concatenate(polylines), np.array([len(line) for line in polylines])
    for _ in range(2):
        keep = _needed(xy / cell, lengths)
        starts = np.cumsum(lengths) - lengths
        xy, lengths = xy[keep], np.add.reduceat(keep, starts, dtype=np.intp)
    rest = iter(np.split(xy, np.cumsum(lengths)[:-1]))
    return tuple((level, [next(rest) for _ in found]) for level, found in lines)


def _needed(xy: Array, lengths: Indices) -> NDArray[np.bool_]:
    starts = np.cumsum(lengths) - lengths
    place = np.arange(len(xy)) - np.repeat(starts, lengths)
    candidate = np.flatnonzero((place % 2 == 1) & (place < np.repeat(lengths, lengths) - 1))
    before, here, after = xy[candidate - 1], xy[candidate], xy[candidate + 1]
    chord, way = after - before, here - before
    off = np.abs(chord[:, 0] * way[:, 1] - chord[:, 1] * way[:, 0])
    keep = np.ones(len(xy), dtype=bool)
    keep[candidate] = off > STRAIGHT * np.hypot(chord[:, 0], chord[:, 1])
    return keep


@dataclass(frozen=True, eq=False)
class Decoration:
    """A frame as a picture with everything in it; what is shown of it is decided when it is drawn."""

    frame: Frame
    picture: Picture
    _images: dict[Target, QImage] = field(default_factory=dict)
    _rows: dict[int, Layer | None] = field(default_factory=dict)

    @property
    def data(self) -> Data:
        return self.frame.data

    @cached_property
    def layers(self) -> Mapping[str, Layer]:
        """By toggle, without slack."""
        return layers(self.picture)

    @cached_property
    def with_slack(self) -> Picture:
        picture = self.picture
        if picture.several:
            return picture
        found = slack_lines(self.frame.model, self.frame.sample.lines, picture.view)
        return replace(picture, slack=found, shown=EVERYTHING)

    @cached_property
    def slack(self) -> Layer | None:
        return layers(self.with_slack).get("slack")

    @cached_property
    def above(self) -> Layer | None:
        return boundary_above(self.picture)

    def layer(self, name: str) -> Layer | None:
        return getattr(self, name) if name in ("slack", "above") else self.layers.get(name)

    def beside(self) -> Layer | None:
        return None

    def pointed(self, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """Of a row of the Gram matrix, pointed at by one of its cells, what it is a part of: K(x_i, ·)."""
        return self._row(points[0]) if len(points) == 2 and points[0] < self.data.n else None

    def _row(self, point: int) -> Layer | None:
        if point not in self._rows:
            self._rows.clear()
            self._rows[point] = row_of_matrix(self.frame, point)
        return self._rows[point]

    @property
    def ringed(self) -> tuple[Array, Rings]:
        """The points the model was fitted on, and the rings around them."""
        return self.picture.points, self.picture.rings

    def entries(self, points: Picture, shown: frozenset[str]) -> tuple[Entry, ...]:
        """The fit explained together with the points as they are now."""
        fitted = self.with_slack if "slack" in shown else self.picture
        now = {
            name: getattr(points, name) for name in ("classes", "class_names", "held_out", "held_out_classes")
        }
        return entries(replace(fitted, **now, shown=shown))

    def backdrop(self, target: Target) -> QImage:
        """What lies behind the points, painted once for every target."""
        if target not in self._images:
            self._images.clear()
            behind = [name for name in BEHIND if name != "boundary" or self.above is None]
            self._images[target] = painted(target, behind, self.layer)
        return self._images[target]


class Decorator:
    """Decorates frames. The canvas says what it will need so that the worker can have it ready."""

    behind = BEHIND

    def __init__(self) -> None:
        self.target: Target | None = None

    def __call__(self, frame: Frame) -> Decoration:
        sample: GridSample = frame.sample
        grid, x1, x2 = sample.grid, sample.x1, sample.x2
        view = ViewRange(grid.left, grid.right, grid.bottom, grid.top)
        cell = (float(x1[1] - x1[0]), float(x2[1] - x2[0]))
        picture = picture_of_model(frame.model, view, x1, x2, sample.field, sample.lines, shown=AT_ONCE)
        picture = replace(picture, lines=thinned(picture.lines, cell))
        if frame.request.step is not None and frame.change is not None:
            picture = touched(picture, frame.change.points)
        made = Decoration(frame, picture)
        _ = picture.rings.groups  # found here, so that the window need not
        target = self.target
        if target is not None and target.view == view:
            made.backdrop(target)
        return made
