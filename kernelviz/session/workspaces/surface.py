"""The surface: two inputs and a real target."""

from __future__ import annotations

import dataclasses

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.fields.contours import round_levels
from kernelviz.engine.models.sampling import SampleGrid
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace


class SurfaceWorkspace(PlaneWorkspace):
    """Regression with two inputs: x1 to the right, x2 upwards, and the target as colour."""

    name = "surface"
    drawn_as = "surface"
    title = "Surface"
    summary_line = "Regression: a number y for two numbers x1 and x2, as the colour of the plane"
    order = 5
    variant_of = "curve"
    toggles = {
        "field": ("Fitted value", True),
        "levels": ("Level lines", True),
        "points": ("Points by target", True),
        "held_out": ("Held-out points", False),
        "rings": ("Support vectors", True),
        "rugs": ("Rugs along the axes", False),
        "spread": ("Spread points at the same place", False),
        "marks": ("Algorithm's own marks", True),
        "legend": ("Legend", True),
        "grid": ("Grid lines", False),
        "equal_aspect": ("Equal aspect", True),
    }
    start = ("hills(n=150, seed=1)", "rbf(gamma=1)", "ridge(lam=0.1)")
    has_classes = False
    roles = ("x₁ (across)", "x₂ (up)", "y (colour)")
    wants = "two columns of numbers and a number for each pair"
    how_to_add = "Click to add a point as high as the highest, right-click for one as low as the lowest."

    def refusal(self, data: Data) -> str:
        if data.task is not Task.REGRESSION:
            return "The surface needs a number for each point as its target."
        if not isinstance(data.X, np.ndarray):
            return "The surface needs two numbers for each point; these data are strings."
        if data.categories is not None:
            return "The surface has no place for a category."
        count = data.X.shape[1]
        return "" if count == 2 else f"The surface needs two inputs; these data have {count}."

    def empty(self) -> Data:
        return Data(read_only(np.empty((0, 2))), read_only(np.empty(0)), Task.REGRESSION)

    def cleared(self, data: Data) -> Data:
        return self.empty() if self.refusal(data) else data.subset(slice(0))

    # Edits ---------------------------------------------------------------------------------------------
    def typable(self, data: Data) -> tuple[str, ...]:
        return (*data.columns, data.target_name or ("y" if "y" not in data.columns else "target"))

    def values(self, data: Data) -> Array:
        return np.column_stack([data.X, data.y])

    def typed(self, data: Data, row: int, values: Array) -> Data:
        placed = self.placed(data, [row], np.asarray(values)[None, :2])
        self.check_place(values)
        target = data.y.copy()
        target[row] = values[2]
        return dataclasses.replace(placed, target=read_only(target))

    def added(self, data: Data, xy: Array, label: int) -> Data:
        """Return the data with more points whose target is the largest there is, or for -1 the smallest."""
        made = super().added(data, xy, label)
        if data.n:
            target = made.y.copy()
            target[data.n :] = data.y.max() if label > 0 else data.y.min()
            made = dataclasses.replace(made, target=read_only(target))
        return made

    # Drawing -------------------------------------------------------------------------------------------
    def sampling(self, data: Data, view: ViewRange, source: str = "") -> SampleGrid:
        return dataclasses.replace(super().sampling(data, view, source), levels=round_levels)
