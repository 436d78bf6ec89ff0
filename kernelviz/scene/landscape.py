"""A function of the input as a small picture: contours over the plane, or a curve along the line.

Several views show a function next to something else: a row of the Gram matrix, a principal component, a sum
of random waves. `landscape` draws any model in this way, with the points on it, and keeps what it has
sampled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fields.contours import level_lines, reach
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.sampling import CurveStrip, SampleGrid
from kernelviz.scene.axes import Axis, Curve, SteadyRange
from kernelviz.scene.layers import Contours, Layer
from kernelviz.scene.nodes import Node
from kernelviz.scene.plot_layers import Lines, Points
from kernelviz.scene.plots import Field, Plot
from kernelviz.scene.view import ViewMemory
from kernelviz.session.view import ViewRange, shows
from kernelviz.session.workspaces.registry import workspace_of

ANY_HEIGHT = SteadyRange.of_any_size()
FEWEST_FOR_SIZE = (
    100  # Points as which fewer are drawn too, so that their glyphs do not shrink from one to the next.
)


def can_be_drawn(data: Data) -> bool:
    """Return True if the places of the data are inputs, so that a function of these has a landscape;
    strings have none."""
    workspace = workspace_of(data)
    return isinstance(workspace.sampling(data, workspace.extent(data)), SampleGrid | CurveStrip)


def points_of(data: Data, x: Array, y: Array, **look: Any) -> Points:
    """Return the points of the data at other places than in the plane; `look` are other fields of the
    `Points`."""
    classes, count = workspace_of(data).groups(data), len(data.class_names)
    return Points(**{"part": "points", "x": x, "y": y, "classes": classes, "count": count, **look})


def clipped_points(data: Data) -> Points:
    """Return the points of the data at their places in the plane, as small as in every small picture, and
    clipped to it."""
    return points_of(
        data, *workspace_of(data).positions(data).T, clipped=True, crowd=max(data.n, FEWEST_FOR_SIZE)
    )


def steady_extent(data: Data, memory: ViewMemory) -> ViewRange:
    """Return the part of the plane or line around all points; it stays while all of them are in it."""
    workspace = workspace_of(data)
    known: ViewRange | None = memory.recall("extent")
    view = known if known is not None and shows(known, workspace.positions(data)) else workspace.extent(data)
    memory.note("extent", view)
    return view


def landscape(
    model: Model,
    data: Data,
    title: str,
    memory: ViewMemory,
    *,
    values: Array | None = None,
    part: str = "landscape",
    key: object = None,
    below: tuple[Layer, ...] = (),
    layers: tuple[Layer, ...] = (),
    inks: tuple[str, str] | None = None,
    **look: Any,
) -> Node | None:
    """Return the scores of a model around all points, with the points on it; None where the places are no
    inputs, or the scores are no numbers. `values` are the heights of the points on the line: their targets,
    or without these their scores, if nothing else is given.

    The scores are computed again only when `key`, or else the model, is another one. Further layers are drawn
    below the points and above them; `inks` are the colours of contours whose sign is no class, and `look` are
    other fields of the `Points`."""
    if values is None:
        values = data.y if data.task is Task.REGRESSION else model.training_scores
    workspace = workspace_of(data)
    positions, view = workspace.positions(data), steady_extent(data, memory)
    sampling = workspace.sampling(data, view)
    flat = isinstance(sampling, SampleGrid)
    points = points_of(
        data,
        positions[:, 0],
        positions[:, 1] if flat else values,
        part=f"points of the {part}",
        clipped=True,
        **{"found": False, "crowd": max(data.n, FEWEST_FOR_SIZE), **look},
    )
    sampled = (key or model, view)
    if isinstance(sampling, SampleGrid):
        contours = memory.keep(part, sampled, lambda: _contours(sampling, model, inks))
        if contours is None:
            return None
        return Field(part=part, view=view, ground=(contours, *below), layers=(points, *layers), title=title)
    if not isinstance(sampling, CurveStrip):
        return None
    curve = memory.keep(part, sampled, lambda: finished(sampling.sample(model)))
    line = Lines(part="curve", x=curve.x, y=curve.s, curve=Curve("", "boundary", 1.6))
    return Plot(
        part=part,
        x=Axis(view.left, view.right),
        y=memory.axis(part, ANY_HEIGHT, np.concatenate([curve.s, values])),
        ground=(line, *below),
        layers=(points, *layers),
        title=title,
    )


def dashed(model: Model, data: Data, memory: ViewMemory, part: str) -> tuple[Layer, ...]:
    """Return the boundary of a model, or its curve, as a dashed line to be drawn in another landscape.

    A boundary of several pieces is one line that is broken between them. No layers for no landscape."""
    found = landscape(model, data, "", memory, part=part)
    drawn = found.ground[0] if isinstance(found, Field | Plot) else None
    dashed = Curve("", "highlight", 1.6, (4.0, 3.0))
    if isinstance(drawn, Contours):
        return (Lines.joined(part, dict(drawn.lines).get(0.0, ()), dashed),)
    return (replace(drawn, part=part, curve=dashed),) if isinstance(drawn, Lines) else ()


def _contours(sampling: SampleGrid, model: Model, inks: tuple[str, str] | None) -> Contours | None:
    """Return the scores of a model on a coarse grid as contours; None where they are no numbers."""
    coarser = 2  # Than the canvas, in each direction: it is smaller too.
    sample = finished(sampling.sample(model, coarser))
    if sample.field is None:
        return None
    levels = 6  # Level lines on either side of 0.
    grid, lines = sampling, level_lines(sample.x1, sample.x2, sample.field, levels)
    extent, unit = ViewRange(grid.left, grid.right, grid.bottom, grid.top), (reach(sample.field) or 1.0) / 2
    return Contours(sample.field, extent, unit, inks, lines=lines, part="contours")
