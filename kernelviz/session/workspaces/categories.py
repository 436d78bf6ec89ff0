"""Categories: two inputs, a category and classes, drawn as one plane for each category."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.sampling import SampleGrid
from kernelviz.session.panels import Panels
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace

WITHOUT = ("slack", "distances", "bayes", "rugs", "grid")  # What does not apply to several panels.


class CategoriesWorkspace(PlaneWorkspace):
    """Points in a panel for each category; a point that is moved to another panel changes its category."""

    name = "categories"
    title = "Categories"
    order = 3
    variant_of = "plane"
    toggles = {
        **{name: toggle for name, toggle in PlaneWorkspace.toggles.items() if name not in WITHOUT},
        "panels": ("Frames of the categories", True),
    }
    start = ("colours", "rbf(gamma=0.5)*category(share=0.3)", "soft-margin-svm(C=10)")
    wants = "two columns of numbers, a category and a label"
    roles = ("x₁ (across)", "x₂ (up)", "Category", "Label")

    def refusal(self, data: Data) -> str:
        if data.categories is None:
            return "This needs a column of categories; these data have none."
        if not data.class_names:
            return "This needs a class for each point."
        count = data.X.shape[1] - 1
        return "" if count == 2 else f"This needs two coordinates and a category; these data have {count}."

    def empty(self) -> Data:
        columns = ("x1", "x2", "category")
        none = Data(
            read_only(np.empty((0, 3))), read_only(np.empty(0)), Task.TWO_CLASSES, ("-", "+"), columns
        )
        return none.with_categories(("a", "b"))

    def cleared(self, data: Data) -> Data:
        return data.subset(slice(0))

    # Positions -----------------------------------------------------------------------------------------
    def panels(self, data: Data) -> Panels | None:
        return None if self.refusal(data) else Panels.of(data)

    def positions(self, data: Data) -> Array:
        return Panels.of(data).placed(data)

    def extent(self, data: Data) -> ViewRange:
        return Panels.of(data).extent

    # Edits ---------------------------------------------------------------------------------------------
    def _as_inputs(self, data: Data, xy: Array) -> Array:
        return Panels.of(data).inputs_at(xy)

    def typable(self, data: Data) -> tuple[str, ...]:
        return data.columns[:-1]

    def values(self, data: Data) -> Array:
        return np.asarray(data.numbers)

    def typed(self, data: Data, row: int, values: Array) -> Data:
        """Return the data with the numbers of a point as they were typed; the panels grow to show it."""
        assert data.categories is not None
        code = data.X[row, -1]
        made = super().typed(data, row, np.append(values, code))
        spans = zip(data.categories.spans, values.tolist(), strict=True)
        wider = tuple((min(low, value), max(high, value)) for (low, high), value in spans)
        return dataclasses.replace(made, categories=dataclasses.replace(data.categories, spans=wider))

    def jittered(self, data: Data, rows: Sequence[int], scale: float, seed: int) -> Data:
        """Return the data with noise on the numbers; the categories stay."""
        made = super().jittered(data, rows, scale, seed)
        X = np.column_stack(
            [np.where(made.X[:, -1:] == data.X[:, -1:], made.numbers, data.numbers), data.X[:, -1]]
        )
        return dataclasses.replace(made, X=read_only(X))

    # Drawing -------------------------------------------------------------------------------------------
    def sampling(self, data: Data, view: ViewRange, source: str = "") -> SampleGrid:
        grid = super().sampling(data, view, source)
        panels = Panels.of(data)
        return dataclasses.replace(grid, scores=panels.scores, seams=panels.seams)

    def scores(self, model: Model, x1: Array, x2: Array) -> Array | None:
        data = model.problem.data
        return None if self.refusal(data) else Panels.of(data).scores(model, x1, x2)
