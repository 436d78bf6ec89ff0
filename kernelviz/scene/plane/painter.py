"""The plane's painter: field, lines, points and legend between two axes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.analysis.functions import response
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fields.contours import ContourLines, level_lines
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.sampling import GridSample
from kernelviz.runtime.messages import Frame
from kernelviz.scene.layers import Layer, LevelLines
from kernelviz.scene.plane import layers
from kernelviz.scene.plane.layers import row_pens
from kernelviz.scene.plane.picture import (
    Picture,
    contour_lines,
    picture_of_data,
    picture_of_model,
    sampled,
    touched,
    with_held_out,
)
from kernelviz.scene.workspace_painter import Painter, Subject, changed_points
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.base import origin
from kernelviz.session.workspaces.plane import Plane
from kernelviz.session.workspaces.registry import workspace_of

FINEST_FIELD = 900  # Nodes per axis beyond which a smooth field gains nothing.
LINE_NODES = 420
COARSER, LEVELS = 2, 8  # Of a row of the Gram matrix: its grid, and its level lines on either side of 0.
EVERYTHING = frozenset(Plane.toggles)
# How far from a straight line a vertex may lie, in cells of the grid: about a tenth of a pixel.
STRAIGHT = 0.03


class PlanePainter(Painter[Picture]):
    """Paints the plane."""

    behind = (
        *("field", "grid", "levels", "margins", "boundary", "bayes", "slack", "distances"),
        *("rugs", "values"),
    )
    legend = (
        *("points", "held_out", "field", "boundary", "above", "margins", "rings", "slack", "distances"),
        *("bayes", "values", "marks"),
    )

    def picture(self, subject: Subject, view: ViewRange, nodes: tuple[int, int]) -> Picture:
        model, shown = subject.model, subject.look.shown
        if model is None:
            return picture_of_data(subject.data, view, shown=shown)
        columns, rows = (min(count, FINEST_FIELD) for count in nodes)
        x1, x2, F = sampled(model, view, columns, rows)
        lines = contour_lines(model, view, min(LINE_NODES, 4 * max(columns, rows)))
        picture = picture_of_model(model, view, x1, x2, F, lines, shown=shown)
        picture = replace(picture, origin=origin(subject.source))
        return with_held_out(touched(picture, subject.changed), subject.held_out)

    def picture_of_frame(self, frame: Frame, components: tuple[int, int] = (0, 1)) -> Picture:
        sample: GridSample = frame.sample
        grid, x1, x2 = sample.grid, sample.x1, sample.x2
        view = ViewRange(grid.left, grid.right, grid.bottom, grid.top)
        lines = thinned(sample.lines, (float(x1[1] - x1[0]), float(x2[1] - x2[0])))
        picture = picture_of_model(frame.model, view, x1, x2, sample.field, lines, shown=EVERYTHING)
        return touched(replace(picture, origin=grid.origin), changed_points(frame))

    def points(self, picture: Picture) -> Picture:
        return picture

    def layer(self, picture: Picture, name: str) -> Layer | None:
        return layers.layer(picture, name)

    def pointed(self, picture: Picture, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """Return K(x_i, ·) for a cell (i, j) of the Gram matrix under the mouse: the row it is in."""
        if len(points) != 2 or picture.model is None or points[0] >= len(picture.points):
            return None
        return _row_of_matrix(picture.model, picture.view, points[0])


def _row_of_matrix(model: Model, view: ViewRange, point: int) -> Layer | None:
    """Return K(x_i, ·) on a coarse grid; None for a kernel too large for numbers."""
    data = model.problem.data
    alone = response(model.problem.kernel, data.X[[point]], model.algorithm)
    try:
        sample = finished(workspace_of(data).sampling(data, view).sample(alone, COARSER))
    except BadInput:
        return None
    lines = () if sample.field is None else level_lines(sample.x1, sample.x2, sample.field, LEVELS)
    return LevelLines(lines, row_pens(max(abs(level) for level, _ in lines))) if lines else None


def thinned(lines: ContourLines, cell: tuple[float, float]) -> ContourLines:
    """Return the same lines to the eye with half the vertices: a thick pen costs by the vertex.

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
    """Return which vertices are needed: all but every second one that lies on the chord of its neighbours."""
    starts = np.cumsum(lengths) - lengths
    place = np.arange(len(xy)) - np.repeat(starts, lengths)
    candidate = np.flatnonzero((place % 2 == 1) & (place < np.repeat(lengths, lengths) - 1))
    before, here, after = xy[candidate - 1], xy[candidate], xy[candidate + 1]
    chord, way = after - before, here - before
    off = np.abs(chord[:, 0] * way[:, 1] - chord[:, 1] * way[:, 0])
    keep = np.ones(len(xy), dtype=bool)
    keep[candidate] = off > STRAIGHT * np.hypot(chord[:, 0], chord[:, 1])
    return keep


PAINTER = PlanePainter()
