"""A function of the input as a small picture: contours over the plane, or a curve along the line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fields.contours import level_lines, reach
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.sampling import Grid, Line
from kernelviz.scene.axes import Axis, Curve, SteadyRange
from kernelviz.scene.layers import Contours, Layer, Lines, Points
from kernelviz.scene.nodes import Node
from kernelviz.scene.plots import Field, Plot
from kernelviz.scene.view import Memory
from kernelviz.session.view import ViewRange, shows
from kernelviz.session.workspaces.registry import workspace_of

COARSER = 2  # Than the canvas, in each direction: it is smaller too.
LEVELS = 6  # Level lines on either side of 0.
DASHED = Curve("", "highlight", 1.6, (4.0, 3.0))
ANY_HEIGHT = SteadyRange.of_any_size()
FEWEST = 60  # Points as which fewer are drawn too, so that their glyphs do not shrink from one to the next.


def can_be_drawn(data: Data) -> bool:
    """Return whether the places of the data are inputs, so that a function of these has a landscape."""
    workspace = workspace_of(data)
    return isinstance(workspace.sampling(data, workspace.extent(data)), Grid | Line)


def clipped_points(data: Data, fewest: int = FEWEST) -> Points:
    """Return the points of the data at their places in the plane, with glyphs as small as for `fewest`."""
    workspace = workspace_of(data)
    x, y = workspace.positions(data).T
    return Points(
        part="points",
        x=x,
        y=y,
        classes=workspace.groups(data),
        count=len(data.class_names),
        clipped=True,
        crowd=max(data.n, fewest),
    )


def steady_extent(data: Data, memory: Memory) -> ViewRange:
    """Return the part of the plane or line around all points; it stays while all of them are in it."""
    workspace = workspace_of(data)
    known: ViewRange | None = memory.recall("extent")
    view = known if known is not None and shows(known, workspace.positions(data)) else workspace.extent(data)
    return memory.keep("extent", view, lambda: view)


def landscape(
    model: Model,
    data: Data,
    values: Array,
    title: str,
    memory: Memory,
    *,
    part: str = "landscape",
    key: object = None,
    below: tuple[Layer, ...] = (),
    layers: tuple[Layer, ...] = (),
    inks: tuple[str, str] | None = None,
    **look: Any,
) -> Node | None:
    """Return the scores of a model around all points, with the points on it; `values` are the heights of the
    points on the line: the scores there, or their targets. None where the places are no inputs, or the scores
    are no numbers.

    The scores are computed again only when `key`, or else the model, is another one. Further layers are drawn
    below the points and above them; `inks` are the colours of contours whose sign is no class, and `look` are
    other fields of the `Points`."""
    workspace = workspace_of(data)
    positions, view = workspace.positions(data), steady_extent(data, memory)
    sampling = workspace.sampling(data, view)
    flat = isinstance(sampling, Grid)
    shown: dict[str, Any] = {"found": False, "crowd": max(data.n, FEWEST), **look}
    points = Points(
        part=f"points of the {part}",
        x=positions[:, 0],
        y=positions[:, 1] if flat else values,
        classes=workspace.groups(data),
        count=len(data.class_names),
        clipped=True,
        **shown,
    )
    sampled = (key or model, view)
    if isinstance(sampling, Grid):
        contours = memory.keep(part, sampled, lambda: _contours(sampling, model, inks))
        if contours is None:
            return None
        return Field(part=part, view=view, ground=(contours, *below), layers=(points, *layers), title=title)
    if not isinstance(sampling, Line):
        return None
    curve = memory.keep(part, sampled, lambda: finished(sampling.sample(model)))
    s = np.concatenate([curve.s[np.isfinite(curve.s)], values])
    low, high = float(s.min(initial=0.0)), float(s.max(initial=0.0))
    height = memory.steady(part, ANY_HEIGHT, low, high)
    line = Lines(part="curve", x=curve.x, y=curve.s, curve=Curve("", "boundary", 1.6))
    return Plot(
        part=part,
        x=Axis(view.left, view.right),
        y=Axis(height.low, height.high),
        ground=(line, *below),
        layers=(points, *layers),
        title=title,
    )


def dashed(model: Model, data: Data, memory: Memory, part: str) -> tuple[Layer, ...]:
    """Return the boundary of a model, or its curve, as a dashed line to be drawn in another landscape.

    A boundary of several pieces is one line that is broken between them. No layers for no landscape."""
    found = landscape(model, data, model.training_scores, "", memory, part=part)
    drawn = found.ground[0] if isinstance(found, Field | Plot) else None
    if isinstance(drawn, Contours):
        gap = np.full((1, 2), np.nan)
        zero = [
            each for level, lines in drawn.lines if level == 0.0 for line in lines for each in (line, gap)
        ]
        x, y = np.concatenate([gap, *zero]).T
        return (Lines(part=part, x=x, y=y, curve=DASHED),)
    return (replace(drawn, part=part, curve=DASHED),) if isinstance(drawn, Lines) else ()


def _contours(sampling: Grid, model: Model, inks: tuple[str, str] | None) -> Contours | None:
    sample = finished(sampling.sample(model, COARSER))
    if sample.field is None:
        return None
    grid, lines = sampling, level_lines(sample.x1, sample.x2, sample.field, LEVELS)
    extent, unit = ViewRange(grid.left, grid.right, grid.bottom, grid.top), (reach(sample.field) or 1.0) / 2
    return Contours(sample.field, extent, unit, inks, lines=lines, part="contours")
