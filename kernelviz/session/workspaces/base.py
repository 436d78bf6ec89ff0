"""The base class of workspaces, which decide what data they show, where points lie, and what an edit does."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from kernelviz.engine.algorithms.base import MOST_ROWS
from kernelviz.engine.core.arrays import LARGEST_INPUT, Array, Indices, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.parsing import Fit, algorithm, dataset, kernel
from kernelviz.runtime.messages import Sampling
from kernelviz.session.panels import Panels
from kernelviz.session.view import Look, ViewRange, fitting_view

LIMIT = MOST_ROWS  # Most points that can be edited by hand; exact solvers need its square in memory.

# The layers that can be shown or hidden on the canvas: name -> (menu text, shown by default).
Toggles = Mapping[str, tuple[str, bool]]


class Workspace(ABC):
    """Points on a canvas with two axes.

    A subclass defines what the axes mean. Edits are pure functions from data to data, which raise BadInput if
    they are impossible."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary_line: ClassVar[str]  # Its purpose in a sentence, for the tooltip of the switch.
    order: ClassVar[int] = 0  # The position in the switch of the toolbar.
    # The workspace whose place in the switch and whose data sets it shares; empty if it has its own.
    variant_of: ClassVar[str] = ""
    toggles: ClassVar[Toggles]
    # Data, kernel and algorithm of the start-up example.
    start: ClassVar[tuple[str, str, str]]
    # Whether points have classes, which are chosen when one is added and can be flipped.
    has_classes: ClassVar[bool] = True
    movable: ClassVar[bool] = True  # Whether points can be moved by hand.
    # Whether several fits are drawn in one plot; otherwise they stand side by side.
    lays_over: ClassVar[bool] = False
    how_to_add: ClassVar[str]  # The sentence on an empty canvas.
    # The name of its pictures: those of `plane` serve whatever has points on two axes.
    drawn_as: ClassVar[str]
    # The columns that a table must have: "one or two columns of numbers and a label".
    wants: ClassVar[str]

    # The roles of the columns that are chosen from a wide table: the inputs, and last the target.
    roles: ClassVar[tuple[str, ...]] = ("x₁ (across)", "x₂ (up)", "Label")

    @property
    def segment(self) -> str:
        """The name of the workspace that the switch shows as chosen: its own, or that it is a variant of."""
        return self.variant_of or self.name

    # Data ----------------------------------------------------------------------------------------------
    @abstractmethod
    def refusal(self, data: Data) -> str:
        """Return in one sentence why the data cannot be shown here; an empty text if they can."""

    @abstractmethod
    def empty(self) -> Data:
        """Return data without points, ready for the first one."""

    def cleared(self, data: Data) -> Data:
        """Return the data without their points."""
        return data.subset(slice(0))

    @property
    def fit(self) -> Fit:
        """The kernel and algorithm of the example, which suit all data that are shown here."""
        _, how_alike, how = self.start
        return Fit(kernel(how_alike), algorithm(how))

    def example(self) -> tuple[Data, str]:
        """Return the data of the example, and their source."""
        source = self.start[0]
        return dataset(source), source

    def look(self, data: Data) -> Look:
        """Return the default look of data."""
        return Look(view=self.extent(data), shown=self.shown)

    @property
    def shown(self) -> frozenset[str]:
        """The toggles that are on by default."""
        return frozenset(name for name, (_, on) in self.toggles.items() if on)

    # Positions -----------------------------------------------------------------------------------------
    @abstractmethod
    def positions(self, data: Data) -> Array:
        """Return the positions of the points on the canvas, (n, 2)."""

    @abstractmethod
    def axes(self, data: Data) -> tuple[str, str]:
        """Return the names of the two axes."""

    def sketch(self, data: Data) -> Array:
        """Return the positions of the points in a thumbnail, (n, 2)."""
        return self.positions(data)

    def extent(self, data: Data) -> ViewRange:
        """Return a view around all points."""
        return fitting_view(self.positions(data))

    def panels(self, data: Data) -> Panels | None:
        """Return the pictures of several categories; None where all points are in one."""
        return None

    # Edits ---------------------------------------------------------------------------------------------
    @abstractmethod
    def placed(self, data: Data, rows: Sequence[int], xy: Array) -> Data:
        """Return the data with the given points at other positions."""

    @abstractmethod
    def added(self, data: Data, xy: Array, label: int) -> Data:
        """Return the data with more points at these positions, of the class that a click with `label`
        means."""

    def typable(self, data: Data) -> tuple[str, ...]:
        """Return the names of the values of a point that can be typed: its inputs."""
        return data.columns

    def values(self, data: Data) -> Array:
        """Return the values of each point that can be typed, (n, …)."""
        return np.asarray(data.X, dtype=np.float64)

    def typed(self, data: Data, row: int, values: Array) -> Data:
        """Return the data with the values of a point as they were typed."""
        self.check_place(values)
        X = data.X.copy()
        X[row] = values
        return dataclasses.replace(data, X=read_only(X))

    def flipped(self, data: Data, rows: Sequence[int]) -> Data:
        """Return the data with the given points in the other class, or with several classes in the next
        one."""
        if not self.has_classes:
            raise BadInput("These points have no class to flip.")
        target, chosen = data.y.copy(), list(rows)
        several = data.task is Task.CLASSES
        target[chosen] = (target[chosen] + 1) % len(data.class_names) if several else -target[chosen]
        return dataclasses.replace(data, target=read_only(target))

    def classes(self, data: Data) -> tuple[str, ...]:
        """Return the classes to choose from when a point is added; none where each has a mouse button."""
        return data.class_names if data.task is Task.CLASSES else ()

    def plain(self, data: Data, text: str) -> Data | None:
        """Return the data with the points of a pasted text that is not a table; None if it has none."""
        return None

    def duplicated(self, data: Data, rows: Sequence[int], offset: Array) -> Data:
        """Return the data with copies of the given points, shifted a little so that they are visible."""
        self.check_room(data, len(rows))
        both = [*range(data.n), *rows]
        copies = range(data.n, data.n + len(rows))
        return self.placed(data.subset(both), copies, self.positions(data)[list(rows)] + offset)

    def removed(self, data: Data, rows: Sequence[int]) -> Data:
        """Return the data without the given points."""
        return data.subset(np.setdiff1d(np.arange(data.n), list(rows)))

    def jittered(self, data: Data, rows: Sequence[int], scale: float, seed: int) -> Data:
        """Return the data with the given points, or all if none are given, shifted by Gaussian noise."""
        chosen = list(rows) or list(range(data.n))
        noise = np.random.default_rng(seed).normal(0.0, scale, (len(chosen), 2))
        return self.placed(data, chosen, self.positions(data)[chosen] + noise)

    @staticmethod
    def check_place(values: Array) -> None:
        """Raise BadInput unless a canvas can show points there together with others around the origin."""
        if not np.isfinite(values).all():
            raise BadInput("A point needs finite coordinates.")
        if np.abs(values).max(initial=0.0) > LARGEST_INPUT:
            raise BadInput(f"Points can be shown as far as {LARGEST_INPUT:g} from 0, and no further.")

    @staticmethod
    def check_room(data: Data, more: int) -> None:
        """Raise BadInput unless there is room for `more` points."""
        if data.n + more > LIMIT:
            raise BadInput(f"There is room for {LIMIT} points; erase some first.")

    # Drawing -------------------------------------------------------------------------------------------
    def groups(self, data: Data) -> Indices:
        """Return for each point the number of the class it is drawn as; -1 for none."""
        codes = data.codes
        return np.full(data.n, -1, dtype=np.intp) if codes is None else codes

    @abstractmethod
    def sampling(self, data: Data, view: ViewRange, source: str = "") -> Sampling:
        """Return the sampling with which the worker prepares a model for a view. source: where the points
        came from."""

    def inputs_at(self, data: Data, x: float, y: float) -> Any:
        """Return the input at a place of the canvas as a single row; None where there is none."""
        return None


@lru_cache(maxsize=8)  # asked for with every picture
def origin(source: str) -> DataSet | None:
    """Return the data set that a source names; None for the name of a file."""
    try:
        return parse_dataset(source) if source else None
    except BadInput:
        return None


def spray(centre: Array, radius: float | Array, count: int, seed: int) -> Array:
    """Return `count` places drawn uniformly from a disc (or an ellipse, by its radii): one dab of the
    brush."""
    rng = np.random.default_rng(seed)
    r = np.sqrt(rng.random(count))
    angle = 2 * np.pi * rng.random(count)
    return np.asarray(centre) + radius * np.column_stack([r * np.cos(angle), r * np.sin(angle)])
