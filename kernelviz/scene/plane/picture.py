"""Everything one picture of the plane shows, in data coordinates: numpy only, no Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.generators import finished
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fields.contours import ContourLines, nearest_on_lines
from kernelviz.engine.models.base import Mark, Model
from kernelviz.scene.figure.glyphs import Rings, rings_of
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.plane import Plane
from kernelviz.session.workspaces.registry import workspace_of

DEFAULT_SHOWN = Plane().shown


@dataclass(frozen=True, eq=False)
class Picture:
    """Points, field, lines and marks, and which of them are shown.

    `F` is s on the nodes (len(x2), len(x1)), or (classes, len(x2), len(x1)) for several classes, which
    are drawn as regions. `classes` counts from 0 (of two classes 1 is +); -1 is no class."""

    view: ViewRange
    points: Array
    classes: Indices
    class_names: tuple[str, ...] = ()
    x1: Array | None = None
    x2: Array | None = None
    F: Array | None = None
    lines: ContourLines = ()
    rings: Rings = field(default_factory=Rings.none)
    model: Model | None = None
    marks: tuple[Mark, ...] = ()
    shown: frozenset[str] = DEFAULT_SHOWN
    columns: tuple[str, str] = ("x1", "x2")
    unit: float = 1.0  # What the axes call one unit of the view.
    # Points the model is not fitted to, and their classes.
    origin: DataSet | None = None  # What the points were drawn from, if that is known.
    held_out: Array = field(default_factory=lambda: np.empty((0, 2)))
    held_out_classes: Indices = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    @property
    def class_count(self) -> int:
        return len(self.class_names)

    @property
    def several(self) -> bool:
        """Return True if regions of several classes are shown instead of a signed score."""
        return self.F is not None and self.F.ndim == 3

    @cached_property
    def slack(self) -> Array:
        """Return the slack lines, (m, 2, 2), computed when they are first asked for, if they are shown."""
        if self.model is None or self.several or "slack" not in self.shown:
            return np.empty((0, 2, 2))
        return slack_lines(self.model, self.lines, self.view)

    @property
    def values(self) -> Array | None:
        """The fitted values of the points, from 0 to 1, or None if the model estimates no probability."""
        return None if self.model is None else self.model.fitted_values

    def lines_at(self, level: float) -> list[Array]:
        """Return the polylines of one level."""
        return next((lines for value, lines in self.lines if value == level), [])


def picture_of_data(data: Data, view: ViewRange, *, shown: frozenset[str] = DEFAULT_SHOWN) -> Picture:
    """Return the picture of the points alone."""
    workspace = workspace_of(data)
    return Picture(
        view,
        workspace.positions(data),
        workspace.groups(data),
        data.class_names,
        shown=shown,
        columns=workspace.axes(data),
    )


def picture_of_model(
    model: Model,
    view: ViewRange,
    x1: Array,
    x2: Array,
    F: Array | None,
    lines: ContourLines,
    *,
    shown: frozenset[str] = DEFAULT_SHOWN,
) -> Picture:
    """Return the picture of a fitted model, whose field F and level lines are already computed."""
    if model.algorithm.ignores_labels:  # no margin is kept there: ±1 are levels like any other
        lines = tuple((level, found) for level, found in lines if abs(level) != 1.0)
    return replace(
        picture_of_data(model.problem.data, view, shown=shown),
        x1=x1,
        x2=x2,
        F=F,
        lines=lines,
        rings=rings_of(model),
        model=model,
        marks=model.marks(),
    )


def with_held_out(picture: Picture, data: Data | None) -> Picture:
    """Return the picture with further points, to which no model is fitted."""
    if data is None:
        return picture
    workspace = workspace_of(data)
    return replace(picture, held_out=workspace.positions(data), held_out_classes=workspace.groups(data))


def touched(picture: Picture, points: tuple[int, ...]) -> Picture:
    """Return the picture with frames around the points that a step changed, such as a pair or a batch."""
    rows = [i for i in points if i < len(picture.points)]
    if not rows:
        return picture
    return replace(picture, marks=(*picture.marks, Mark("around", picture.points[rows], "this step")))


def slack_lines(model: Model, lines: ContourLines, view: ViewRange) -> Array:
    """Return segments, (m, 2, 2), from every point inside its margin or beyond to the nearest spot of its
    margin line.

    For the linear kernel this is the perpendicular, of length slack/|w|. A line whose foot lies on the
    edge of the view is left out: the true foot is beyond it."""
    data = model.problem.data
    if data.task is not Task.TWO_CLASSES or model.algorithm.ignores_labels:
        return np.empty((0, 2, 2))
    z, s, X = data.z, model.training_scores, workspace_of(data).positions(data)
    segments = []
    air = 1e-3 * np.array([view.right - view.left, view.top - view.bottom])
    inner_low = np.array([view.left, view.bottom]) + air
    inner_high = np.array([view.right, view.top]) - air
    for side in (-1.0, 1.0):
        margin = next((found for level, found in lines if level == side), [])
        violating = X[(z == side) & (z * s < 1 - 1e-6)]
        feet = nearest_on_lines(violating, margin)
        inside = ((feet > inner_low) & (feet < inner_high)).all(axis=1)  # NaN compares false
        segments.append(np.stack([violating[inside], feet[inside]], axis=1))
    return np.concatenate(segments)


def sampled(model: Model, view: ViewRange, columns: int, rows: int) -> tuple[Array, Array, Array | None]:
    """Return x1, x2 and the field F at the centres of columns x rows cells that tile the view exactly."""
    x1 = view.left + (np.arange(columns) + 0.5) * (view.right - view.left) / columns
    x2 = view.bottom + (np.arange(rows) + 0.5) * (view.top - view.bottom) / rows
    return x1, x2, _plane_of(model).scores(model, x1, x2)


def contour_lines(model: Model, view: ViewRange, nodes: int) -> ContourLines:
    """Return the level lines, or the borders of several classes, computed on a grid that reaches to the edges
    of the view."""
    grid = replace(_plane_of(model).sampling(model.problem.data, view), columns=nodes, rows=nodes)
    return finished(grid.sample(model)).lines


def _plane_of(model: Model) -> Plane:
    """Return the plane, or the workspace that shows the model's data in other coordinates."""
    workspace = workspace_of(model.problem.data)
    assert isinstance(workspace, Plane)
    return workspace
