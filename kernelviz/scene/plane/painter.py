"""The plane's painter: field, lines, points and legend between two axes.

For the screen the grid of a frame is used as it is, with fewer vertices on its lines; for paper everything
is computed again, as finely as the figure is printed."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.fields.contours import ContourLines
from kernelviz.engine.models.sampling import GridSample
from kernelviz.runtime.messages import Frame
from kernelviz.scene.plane.picture import Picture, contour_lines, picture_of_model, sampled
from kernelviz.scene.workspace_painter import Painter, Subject, changed_points
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.base import origin


class PlanePainter(Painter[Picture]):
    """Paints the plane."""

    behind: ClassVar[tuple[str, ...]] = (
        *("field", "grid", "levels", "margins", "boundary", "bayes", "slack", "distances"),
        *("rugs", "values", "panels"),
    )
    legend: ClassVar[tuple[str, ...]] = (
        *("points", "held_out", "field", "boundary", "above", "margins", "rings", "slack", "distances"),
        *("bayes", "values", "marks"),
    )

    def picture(self, subject: Subject, view: ViewRange, nodes: tuple[int, int]) -> Picture:
        model = subject.model
        if model is None:
            return self.kind.of_data(subject.data, view)
        finest_field = 900  # Nodes per axis beyond which a smooth field gains nothing.
        columns, rows = (min(count, finest_field) for count in nodes)
        x1, x2, F = sampled(model, view, columns, rows)
        line_nodes = 420
        lines = contour_lines(model, view, min(line_nodes, 4 * max(columns, rows)))
        drawn_from = origin(subject.source)
        picture = picture_of_model(model, view, x1, x2, F, lines, self.kind, origin=drawn_from)
        return picture.with_changed(subject.changed).with_held_out(subject.held_out)

    def picture_of_frame(self, frame: Frame, components: tuple[int, int] = (0, 1)) -> Picture:
        sample: GridSample = frame.sample
        grid, x1, x2 = sample.grid, sample.x1, sample.x2
        view = ViewRange(grid.left, grid.right, grid.bottom, grid.top)
        lines = thinned(sample.lines, (float(x1[1] - x1[0]), float(x2[1] - x2[0])))
        numbers = (x1, x2, sample.field, lines, self.kind)
        picture = picture_of_model(frame.model, view, *numbers, origin=grid.origin)
        return picture.with_changed(changed_points(frame)).with_held_out(frame.request.held_out)


def thinned(lines: ContourLines, cell: tuple[float, float]) -> ContourLines:
    """Return the same lines to the eye with half the vertices: a thick pen costs by the vertex.

    Of every second vertex, twice, those nearly on the chord of their neighbours are left out. Far from the
    origin a view can be so narrow that its cells have no width; its lines stay as they are."""
    polylines = [line for _, found in lines for line in found]
    if not polylines or not all(cell):
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
    # How far from a straight line a vertex may lie, in cells of the grid: about a tenth of a pixel.
    straight = 0.03
    keep[candidate] = off > straight * np.hypot(chord[:, 0], chord[:, 1])
    return keep


PAINTER = PlanePainter()
