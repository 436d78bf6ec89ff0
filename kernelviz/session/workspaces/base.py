"""What a workspace is: which data it shows, where their points lie and what moving them does to the data."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kernelviz.engine.algorithms.base import MOST_ROWS
from kernelviz.engine.core.arrays import Array, Indices, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import Fit, algorithm, dataset, kernel
from kernelviz.runtime.messages import Sampling
from kernelviz.session.view import FARTHEST, Look, ViewRange, fitting_view

if TYPE_CHECKING:
    from kernelviz.session.scripts.recipes import Recipe
    from kernelviz.session.scripts.text import Sheet


LIMIT = MOST_ROWS  # Points that can be edited by hand; exact solvers grow with the square of it.

# What can be shown or hidden on the canvas: name -> (menu text, shown by default).
Toggles = Mapping[str, tuple[str, bool]]


class Workspace(ABC):
    """Points on a canvas with two axes. A subclass says what they stand for; edits are pure functions from
    data to data, and BadInput says why one cannot be done."""

    name: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int] = 0  # Its place in the switch.
    toggles: ClassVar[Toggles]
    # Data, kernel and algorithm of the fitted example a newcomer sees first.
    start: ClassVar[tuple[str, str, str]]
    # Whether its points have classes, to be chosen when adding one and to be flipped.
    has_classes: ClassVar[bool] = True
    movable: ClassVar[bool] = True  # Whether its points can be moved by hand.
    # Whether several fits are laid over each other on its canvas; otherwise each has one, side by side.
    lays_over: ClassVar[bool] = False
    how_to_add: ClassVar[str]  # A sentence for whoever looks at an empty canvas.
    # What a table must have to be shown here: "one or two columns of numbers and a label".
    wants: ClassVar[str]

    # What columns of a wide table are chosen for: the inputs, and last the target.
    roles: ClassVar[tuple[str, ...]] = ("x₁ (across)", "x₂ (up)", "Label")

    @property
    def drawing(self) -> str:
        """The module that paints it."""
        return f"kernelviz.drawing.{self.name}.painter"

    @property
    def canvas(self) -> str:
        """The module in which it is touched."""
        return f"kernelviz.ui.canvas.{self.name}"

    # Which data ----------------------------------------------------------------------------------------
    @abstractmethod
    def refusal(self, data: Data) -> str:
        """Why the data cannot be shown here, in one sentence; empty when they can."""

    @abstractmethod
    def empty(self) -> Data:
        """No points yet, ready for the first."""

    def cleared(self, data: Data) -> Data:
        """The data without their points."""
        return data.subset(slice(0))

    @property
    def fit(self) -> Fit:
        """The kernel and the algorithm of the example, which suit all that is shown here."""
        _, how_alike, how = self.start
        return Fit(kernel(how_alike), algorithm(how))

    def example(self) -> tuple[Data, str]:
        """Return the data of the example, and their source."""
        source = self.start[0]
        return dataset(source), source

    @property
    def datasets(self) -> dict[str, type[DataSet]]:
        """The data sets to choose from, by name."""
        return {name: kind for name, kind in registry.datasets().items() if kind.shown_in == self.name}

    def look(self, data: Data) -> Look:
        """How data are looked at when nobody has said otherwise."""
        return Look(view=self.extent(data), shown=self.shown)

    @property
    def shown(self) -> frozenset[str]:
        """What is shown by default."""
        return frozenset(name for name, (_, on) in self.toggles.items() if on)

    # Where points are ----------------------------------------------------------------------------------
    @abstractmethod
    def positions(self, data: Data) -> Array:
        """(n, 2): where the points lie on the canvas."""

    @abstractmethod
    def axes(self, data: Data) -> tuple[str, str]:
        """What the two axes are called."""

    def sketch(self, data: Data) -> Array:
        """(n, 2): where the points lie in a picture the size of a stamp."""
        return self.positions(data)

    def extent(self, data: Data) -> ViewRange:
        """A view around all points."""
        return fitting_view(self.positions(data))

    # What edits do -------------------------------------------------------------------------------------
    @abstractmethod
    def placed(self, data: Data, rows: Sequence[int], xy: Array) -> Data:
        """The given points at other positions."""

    @abstractmethod
    def added(self, data: Data, xy: Array, label: int) -> Data:
        """Further points at these positions, of the class (or whatever it has) that a click with `label`
        means."""

    def typable(self, data: Data) -> tuple[str, ...]:
        """The names of what can be typed of a point: its inputs."""
        return data.columns

    def values(self, data: Data) -> Array:
        """(n, …): what can be typed of each point."""
        return np.asarray(data.X, dtype=np.float64)

    def typed(self, data: Data, row: int, values: Array) -> Data:
        """A point as somebody typed it, value by value."""
        self.check_place(values)
        X = data.X.copy()
        X[row] = values
        return dataclasses.replace(data, X=read_only(X))

    def flipped(self, data: Data, rows: Sequence[int]) -> Data:
        """The given points with the other class; of several the next one."""
        if not self.has_classes:
            raise BadInput("These points have no class to flip.")
        target, chosen = data.y.copy(), list(rows)
        several = data.task is Task.CLASSES
        target[chosen] = (target[chosen] + 1) % len(data.class_names) if several else -target[chosen]
        return dataclasses.replace(data, target=read_only(target))

    def classes(self, data: Data) -> tuple[str, ...]:
        """The classes to choose from when adding; none where each has a mouse button."""
        return data.class_names if data.task is Task.CLASSES else ()

    def plain(self, data: Data, text: str) -> Data | None:
        """The points that a text which is no table stands for, beside those there are; None for none."""
        return None

    def duplicated(self, data: Data, rows: Sequence[int], offset: Array) -> Data:
        """Copies of the given points, shifted a little so that they can be seen."""
        self.check_room(data, len(rows))
        both = [*range(data.n), *rows]
        copies = range(data.n, data.n + len(rows))
        return self.placed(data.subset(both), copies, self.positions(data)[list(rows)] + offset)

    def removed(self, data: Data, rows: Sequence[int]) -> Data:
        """All but the given points."""
        return data.subset(np.setdiff1d(np.arange(data.n), list(rows)))

    def erased(self, data: Data, centre: Array, radius: float | Array) -> Data:
        """All points but those within the radius (or an ellipse's radii); the same object if none is."""
        if data.n == 0:
            return data
        inside = (((self.positions(data) - np.asarray(centre)) / radius) ** 2).sum(axis=1) <= 1.0
        return data.subset(~inside) if inside.any() else data

    def jittered(self, data: Data, rows: Sequence[int], scale: float, seed: int) -> Data:
        """The given points (all, if none are named) shifted by Gaussian noise."""
        chosen = list(rows) or list(range(data.n))
        noise = np.random.default_rng(seed).normal(0.0, scale, (len(chosen), 2))
        return self.placed(data, chosen, self.positions(data)[chosen] + noise)

    @staticmethod
    def check_place(values: Array) -> None:
        """BadInput unless a canvas can show points there, with others around the origin."""
        if not np.isfinite(values).all():
            raise BadInput("A point needs finite coordinates.")
        if np.abs(values).max(initial=0.0) > FARTHEST / 10:
            raise BadInput(f"Points can be shown as far as {FARTHEST / 10:g} from 0, and no farther.")

    @staticmethod
    def check_room(data: Data, more: int) -> None:
        """BadInput unless there is room for so many more points."""
        if data.n + more > LIMIT:
            raise BadInput(f"There is room for {LIMIT} points; erase some first.")

    # What is drawn -------------------------------------------------------------------------------------
    def groups(self, data: Data) -> Indices:
        """For each point the number of the class it is drawn as; -1 for none."""
        codes = data.codes
        return np.full(data.n, -1, dtype=np.intp) if codes is None else codes

    @abstractmethod
    def sampling(self, data: Data, view: ViewRange, source: str = "") -> Sampling:
        """What the worker computes of a model for a view; the source is where the points came from."""

    def inputs_at(self, data: Data, x: float, y: float) -> Any:
        """The input that a place of the canvas stands for, as a single row; None where it stands for none."""
        return None

    def script_figure(
        self, data: Data, look: Look, recipe: Recipe, sheet: Sheet
    ) -> tuple[list[str], list[str]]:
        """(imports, lines) with which a script draws the fit by matplotlib; empty where it cannot."""
        return [], []


def spray(centre: Array, radius: float | Array, count: int, seed: int) -> Array:
    """`count` places drawn uniformly from a disc (or an ellipse, by its radii): one dab of the brush."""
    rng = np.random.default_rng(seed)
    r = np.sqrt(rng.random(count))
    angle = 2 * np.pi * rng.random(count)
    return np.asarray(centre) + radius * np.column_stack([r * np.cos(angle), r * np.sin(angle)])
