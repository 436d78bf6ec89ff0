"""Pictures of the categories: copies of one rectangle of the plane, next to each other in one plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.sampling import scores_in_category
from kernelviz.engine.models.several_classes import MultiClassModel
from kernelviz.session.view import ViewRange

GAP = 0.14  # Between two panels, relative to their size: room for a name.


@dataclass(frozen=True)
class Panels:
    """One rectangle for each category, in rows that begin at the top left.

    box: the part of the plane that each of them shows; the one at the bottom left is in its true place."""

    names: tuple[str, ...]
    box: ViewRange

    @classmethod
    def of(cls, data: Data) -> Panels:
        """Return the panels of data with two numbers and a category."""
        air = 0.08  # Around the points of a panel, relative to their range.
        assert data.categories is not None
        (left, right), (bottom, top) = (
            (low - air * (high - low), high + air * (high - low)) for low, high in data.categories.spans
        )
        return cls(data.categories.names, ViewRange(left, right, bottom, top))

    @property
    def columns(self) -> int:
        """The columns of the grid of panels: ⌈√n⌉."""
        return ceil(sqrt(len(self.names)))

    @property
    def rows(self) -> int:
        """The number of rows of panels, the last of which may be incomplete."""
        return ceil(len(self.names) / self.columns)

    @property
    def pitch(self) -> Array:
        """The distances between the left edges and between the lower edges of two neighbours."""
        return (1.0 + GAP) * np.array([self.box.right - self.box.left, self.box.top - self.box.bottom])

    @cached_property
    def offsets(self) -> Array:
        """The shift of each panel to the right and up from its true place, (categories, 2)."""
        row, column = np.divmod(np.arange(len(self.names)), self.columns)
        return np.column_stack([column, self.rows - 1 - row]) * self.pitch

    def of_category(self, code: int) -> ViewRange:
        """Return the rectangle of a category."""
        (dx, dy), box = self.offsets[code].tolist(), self.box
        return ViewRange(box.left + dx, box.right + dx, box.bottom + dy, box.top + dy)

    @property
    def extent(self) -> ViewRange:
        """The rectangle around all panels and their names."""
        air, (dx, dy) = GAP * (self.pitch / (1.0 + GAP)), self.pitch * [self.columns - 1, self.rows - 1]
        box = self.box
        return ViewRange(
            box.left - air[0] / 4, box.right + dx + air[0] / 4, box.bottom - air[1] / 4, box.top + dy + air[1]
        )

    @property
    def seams(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The middles of the gaps, across and up."""
        half = GAP / (1.0 + GAP) / 2 * self.pitch
        across = tuple(self.box.left + k * self.pitch[0] - half[0] for k in range(1, self.columns))
        up = tuple(self.box.bottom + k * self.pitch[1] - half[1] for k in range(1, self.rows))
        return across, up

    def category_at(self, xy: Array) -> Indices:
        """Return the category of the panel in which each place lies, or which is nearest to it."""
        middle = np.array([self.box.left + self.box.right, self.box.bottom + self.box.top]) / 2
        middles = self.offsets + middle
        away = np.abs(xy[:, None, :] - middles) / self.pitch
        return np.asarray(away.max(axis=2).argmin(axis=1))

    def placed(self, data: Data) -> Array:
        """Return where points lie, (n, 2); those beyond the box at its edge."""
        low, high = (self.box.left, self.box.bottom), (self.box.right, self.box.top)
        return np.asarray(np.clip(data.numbers, low, high) + self.offsets[data.X[:, -1].astype(np.intp)])

    def inputs_at(self, xy: Array) -> Array:
        """Return the inputs that places stand for, (n, 3): two numbers inside the box, and the category."""
        codes = self.category_at(xy)
        low, high = (self.box.left, self.box.bottom), (self.box.right, self.box.top)
        return np.column_stack([np.clip(xy - self.offsets[codes], low, high), codes])

    def scores(self, model: Model, x1: Array, x2: Array) -> Array:
        """Return s on the nodes, each in the category of its panel; 0 where there is no panel."""
        several = (len(model.problem.data.class_names),) if isinstance(model, MultiClassModel) else ()
        F = np.zeros((*several, len(x2), len(x1)))
        for code, rows, columns in self._blocks(x1, x2):
            dx, dy = self.offsets[code]
            F[..., rows, columns] = scores_in_category(model, code, x1[columns] - dx, x2[rows] - dy)
        F.flags.writeable = False
        return F

    def _blocks(self, x1: Array, x2: Array) -> Iterator[tuple[int, slice, slice]]:
        """Yield every category with the rows and columns of the nodes up to the seams around its panel."""
        across, up = (
            [0, *np.searchsorted(x, seams).tolist(), len(x)]
            for x, seams in zip((x1, x2), self.seams, strict=True)
        )
        for code in range(len(self.names)):
            row, column = divmod(code, self.columns)
            row = self.rows - 1 - row
            rows, columns = slice(up[row], up[row + 1]), slice(across[column], across[column + 1])
            if rows.start < rows.stop and columns.start < columns.stop:
                yield code, rows, columns
