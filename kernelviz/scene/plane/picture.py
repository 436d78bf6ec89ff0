"""Everything one picture of the plane shows, in data coordinates, and the layers it consists of.

`Picture` is also the base of the pictures of the curve and of the map, which have other layers besides."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Self

import numpy as np

from kernelviz.engine.analysis.functions import response
from kernelviz.engine.analysis.straight_lines import linear_form
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fields.contours import ContourLines, level_lines, nearest_on_lines
from kernelviz.engine.models.base import Mark, Model
from kernelviz.scene.figure.glyphs import SupportRings, glyph_sizes, rings_of
from kernelviz.scene.layers import GridLines, Layer, Polylines
from kernelviz.scene.plane.layers import (
    FieldLayer,
    GlyphLayer,
    PanelLayer,
    RingLayer,
    RugLayer,
    ValueLayer,
    cells,
)
from kernelviz.scene.plane.lines import (
    PENS,
    DistanceLayer,
    MarkLayer,
    SlackLayer,
    bayes_boundary,
    contour_layer,
    row_pen,
)
from kernelviz.session.panels import Panels
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.session.workspaces.registry import workspace_of


@dataclass(frozen=True, eq=False)
class Picture:
    """Points, field, lines and marks: the numbers of one picture, from which its layers are made.

    `F` is s on the nodes (len(x2), len(x1)), or (classes, len(x2), len(x1)) for several classes, which are
    drawn as regions. `classes` counts from 0 (of two classes 1 is +); -1 is no class.

    A subclass for another workspace adds what it draws, and returns the layers of its own toggles:

    >>> @dataclass(frozen=True, eq=False, kw_only=True)
    ... class CurvePicture(Picture):
    ...     sample: LineSample
    ...
    ...     def layer(self, name):
    ...         if name == "curve":
    ...             return Polylines([(self.curve, PENS["curve"])], ["s(x)"])
    ...         return super().layer(name)"""

    view: ViewRange
    points: Array
    classes: Indices
    class_names: tuple[str, ...] = ()
    sizes: Array | None = None  # Of the glyphs of points with weights, times the usual size.
    x1: Array | None = None
    x2: Array | None = None
    F: Array | None = None
    lines: ContourLines = ()
    rings: SupportRings = field(default_factory=SupportRings.none)
    model: Model | None = None
    marks: tuple[Mark, ...] = ()
    columns: tuple[str, str] = ("x1", "x2")
    unit: float = 1.0  # The number shown on the axes for one unit of the view.
    panels: Panels | None = None  # The pictures of several categories.
    origin: DataSet | None = None  # The data set the points were drawn from, if it is known.
    # Points the model is not fitted to, and their classes.
    held_out: Array = field(default_factory=lambda: np.empty((0, 2)))
    held_out_classes: Indices = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    held_out_inputs: Any = None

    levels_alike: ClassVar[bool] = False  # Whether 0 and ±1 are levels like all others.

    @property
    def class_count(self) -> int:
        """The number of classes; 0 for real targets."""
        return len(self.class_names)

    @property
    def several(self) -> bool:
        """Whether regions of several classes are shown instead of a signed score."""
        return self.F is not None and self.F.ndim == 3

    @cached_property
    def slack(self) -> Array:
        """The slack lines, (m, 2, 2), computed when they are first asked for."""
        if self.model is None or self.several:
            return np.empty((0, 2, 2))
        return slack_lines(self.model, self.lines, self.view)

    @property
    def values(self) -> Array | None:
        """The fitted values of the points, from 0 to 1, or None if the model estimates no probability."""
        return None if self.model is None else self.model.fitted_values

    @cached_property
    def held_out_values(self) -> Array | None:
        """The values of the model at the held-out points, or None if it estimates no probability."""
        if self.model is None or self.held_out_inputs is None:
            return None
        return self.model.values_at(self.held_out_inputs)

    def lines_at(self, level: float) -> list[Array]:
        """Return the polylines of one level."""
        return next((lines for value, lines in self.lines if value == level), [])

    # How it is made ---------------------------------------------------------------------------------------
    @classmethod
    def of_data(cls, data: Data, view: ViewRange, **contents: Any) -> Self:
        """Return the picture of the points alone, with other fields as given."""
        workspace = workspace_of(data)
        points, classes = workspace.positions(data), workspace.groups(data)
        columns, panels = workspace.axes(data), workspace.panels(data)
        contents |= {"sizes": glyph_sizes(data.weights)}
        return cls(view, points, classes, data.class_names, columns=columns, panels=panels, **contents)

    def with_held_out(self, data: Data | None) -> Self:
        """Return the picture with further points, to which no model is fitted."""
        if data is None:
            return self
        workspace = workspace_of(data)
        return replace(
            self,
            held_out=workspace.positions(data),
            held_out_classes=workspace.groups(data),
            held_out_inputs=data.X,
        )

    def with_changed(self, points: tuple[int, ...]) -> Self:
        """Return the picture with frames around the points that a step changed, such as a pair or a batch."""
        rows = [i for i in points if i < len(self.points)]
        if not rows:
            return self
        around = Mark("around", self.points[rows], "this step", np.array(rows))
        return replace(self, marks=(*self.marks, around))

    # What it consists of ----------------------------------------------------------------------------------
    def layer(self, name: str) -> Layer | None:
        """Return the layer that one toggle shows; "above" is the boundary where many points would hide it.
        None if this picture has no such layer."""
        points, model = self.points, self.model
        if name == "grid":
            return GridLines(self.unit)
        if name == "field" and self.F is not None and self.x1 is not None and self.x2 is not None:
            return FieldLayer(self.F, cells(self.x1, self.x2), votes=getattr(model, "counts_votes", False))
        hiding = 1000  # More points than this hide the boundary below them.
        if name in ("levels", "margins") or name == ("above" if len(points) > hiding else "boundary"):
            margins = model is not None and not model.algorithm.ignores_labels
            return contour_layer(self.lines, name, self.several, margins)
        if name == "slack":
            return SlackLayer(self.slack)
        if name == "panels":
            return None if self.panels is None else PanelLayer(self.panels)
        if name == "distances":
            form = None if model is None else linear_form(model)
            return None if form is None else DistanceLayer(points, *form)
        if name == "bayes" and self.origin is not None and self.class_count == 2:
            lines = bayes_boundary(self.origin, self.view)
            return Polylines([(lines, PENS["bayes"])], ["Bayes boundary"])
        if name == "values" and self.values is not None:
            return ValueLayer(points, self.values)
        if name == "held_out_values" and self.held_out_values is not None:
            return ValueLayer(self.held_out, self.held_out_values)
        if name == "rugs":
            return RugLayer(points, self.classes, self.class_count)
        if name == "held_out":
            return self.held_out_glyphs
        if name == "rings":
            return RingLayer(points, self.rings, self.sizes)
        if name == "points":
            return self.glyphs
        return MarkLayer(points, self.marks) if name == "marks" else None

    @property
    def glyphs(self) -> GlyphLayer:
        """The points."""
        return GlyphLayer(self.points, self.classes, self.class_names, sizes=self.sizes, part="points")

    @property
    def held_out_glyphs(self) -> GlyphLayer:
        """The points the model is not fitted to."""
        aside = self.held_out, self.held_out_classes, self.class_names
        return GlyphLayer(*aside, hollow=True, part="held_out")

    def pointed(self, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """Return the layer drawn only while the mouse is over points: for a cell (i, j) of the Gram matrix
        the row it is in, which is K(x_i, ·), as level lines on a coarse grid. None for other points, and for
        a kernel too large for numbers."""
        if len(points) != 2 or self.model is None or points[0] >= len(self.points):
            return None
        problem = self.model.problem
        alone = response(problem.kernel, problem.data.X[[points[0]]], self.model.algorithm)
        # Of a row of the Gram matrix: its grid, and its level lines on either side of 0.
        coarser, levels = 2, 8
        try:
            sampling = workspace_of(problem.data).sampling(problem.data, self.view)
            sample = finished(sampling.sample(alone, coarser))
        except BadInput:
            return None
        lines = sample.lines
        if self.panels is None and sample.field is not None:
            lines = level_lines(sample.x1, sample.x2, sample.field, levels)
        highest = max((abs(level) for level, _ in lines), default=0.0)
        groups = [(found, partial(row_pen, level, highest)) for level, found in lines]
        return Polylines(groups) if groups else None


def picture_of_model(
    model: Model,
    view: ViewRange,
    x1: Array,
    x2: Array,
    F: Array | None,
    lines: ContourLines,
    kind: type[Picture] = Picture,
    **contents: Any,
) -> Picture:
    """Return the picture of a fitted model, whose field F and level lines are already computed, with other
    fields as given; `kind` is its class."""
    if model.algorithm.ignores_labels:  # no margin is kept there: ±1 are levels like any other
        lines = tuple((level, found) for level, found in lines if abs(level) != 1.0)
    own: dict[str, Any] = {"model": model, "rings": rings_of(model), "marks": model.marks()}
    return kind.of_data(model.problem.data, view, x1=x1, x2=x2, F=F, lines=lines, **own, **contents)


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
    low, high = np.array([view.left, view.bottom]), np.array([view.right, view.top])
    air = 1e-3 * (high - low)
    for side in (-1.0, 1.0):
        margin = next((found for level, found in lines if level == side), [])
        violating = X[(z == side) & (z * s < 1 - 1e-6)]
        feet = nearest_on_lines(violating, margin)
        inside = ((feet > low + air) & (feet < high - air)).all(axis=1)  # NaN compares false
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


def _plane_of(model: Model) -> PlaneWorkspace:
    """Return the plane, or the workspace that shows the model's data in other coordinates."""
    workspace = workspace_of(model.problem.data)
    assert isinstance(workspace, PlaneWorkspace)
    return workspace
