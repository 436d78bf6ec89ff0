"""The settings to choose from: all combinations of the values of one or two numbers of a fit.

Each number has an axis of values, and each cell of the grid a fit:

    grid = Grid(fit, asked_axes(fit, ["gamma=0.01:100:10", "C=0.1:1000:10"]))
    grid.shape           # (10, 10)
    grid.fits[17]        # the kernel and algorithm of one cell"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

import numpy as np

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Unit, nearest
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.selection.tunable import Knob, knobs, parse_values, spaced

MOST_CELLS = 10_000
USUAL_VALUES = 10


@dataclass(frozen=True)
class GridAxis:
    """A number and the values it takes; `key` is its name in the table."""

    knob: Knob
    values: tuple[float, ...]
    key: str

    def steps_to_complex(self, index: int) -> int:
        """Return how many steps the value lies below the most complex one; 0 for all if neither end is
        simpler."""
        simpler = self.knob.parameter.simpler
        if not simpler:
            return 0
        ranks = np.argsort(np.argsort(self.values))
        rank = int(ranks[index])
        return rank if simpler == "larger" else len(self.values) - 1 - rank


@dataclass(frozen=True, eq=False)
class SettingsGrid:
    """A fit and one or two axes of values; each cell is the fit with these values.

    Cells are numbered row by row: the last axis runs fastest."""

    fit: Fit
    axes: tuple[GridAxis, ...]

    def __post_init__(self) -> None:
        _check_number(len(self.axes))
        _check_apart(self.axes)
        if len(self) > MOST_CELLS:
            raise BadInput(f"The grid has {len(self):,} settings; the limit is {MOST_CELLS:,}.")

    def __len__(self) -> int:
        return prod(self.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values along each axis."""
        return tuple(len(axis.values) for axis in self.axes)

    @cached_property
    def fits(self) -> tuple[Fit, ...]:
        """Return the fit of every cell."""
        return tuple(map(self._turned, product(*(axis.values for axis in self.axes))))

    def _turned(self, values: tuple[float, ...]) -> Fit:
        fit = self.fit
        for axis, value in zip(self.axes, values, strict=True):
            fit = axis.knob.turned(fit, value)
        return fit

    def values_of(self, cell: int) -> dict[str, float]:
        """Return the numbers of a cell by their keys."""
        places = np.unravel_index(cell, self.shape)
        return {axis.key: axis.values[int(k)] for axis, k in zip(self.axes, places, strict=True)}

    def steps_to_complex(self, cell: int) -> tuple[int, ...]:
        """Return for each axis how far a cell is from the value that makes the least simple fit."""
        places = np.unravel_index(cell, self.shape)
        return tuple(axis.steps_to_complex(int(k)) for axis, k in zip(self.axes, places, strict=True))

    def stages(self, coarse_first: bool) -> list[list[list[int]]]:
        """Return all cells, in lines that are fast to work through: along them one number of the algorithm
        changes, if there is one, so that kernel matrices and earlier solutions can be reused.

        Coarse first: every other cell of every other line in a stage before those between; else one stage."""
        table = np.arange(len(self)).reshape(self.shape)
        if table.ndim == 1:
            cells: list[int] = table.tolist()
            halves = [cells[::4], cells[2::4], cells[1::2]] if coarse_first else [cells]
            return [[half] for half in halves if half]
        if self.axes[1].knob.whose == "kernel":
            table = table.T
        rows: list[list[int]] = table.tolist()
        if not coarse_first:
            return [rows]
        even = rows[::2]
        parts = [row[::2] for row in even], [row[1::2] for row in even if row[1:]], rows[1::2]
        return [stage for stage in parts if stage]


def usual_axes(fit: Fit) -> tuple[GridAxis, ...]:
    """Return the first number of the kernel and the first of the algorithm, over the range of their
    sliders."""
    found = [knob for knob in knobs(fit) if not knob.parameter.silent]
    chosen = [next((k for k in found if k.whose == whose), None) for whose in ("kernel", "algorithm")]
    return tuple(over_slider(knob, USUAL_VALUES) for knob in chosen if knob is not None)


def over_slider(knob: Knob, count: int) -> GridAxis:
    """Return that many values over the range of its slider."""
    parameter = knob.parameter
    values = spaced(parameter, knob.owner, *parameter.soft, count, parameter.scale)
    return GridAxis(knob, tuple(values), parameter.name)


def asked_axes(fit: Fit, asked: Sequence[str]) -> tuple[GridAxis, ...]:
    """Parse axes such as "gamma=0.01:100:10" or "C=1,10,100"."""
    _check_number(len(asked))
    axes = tuple(_asked(fit, text) for text in asked)
    _check_apart(axes)
    return axes


def _asked(fit: Fit, text: str) -> GridAxis:
    """Return the axis of one text, NAME=LOW:HIGH:COUNT or NAME=A,B,C."""
    name, found, values = text.partition("=")
    if not found:
        raise BadInput(
            f"Write a parameter to choose as NAME=LOW:HIGH:COUNT, as in gamma=0.01:100:10, not {text!r}."
        )
    key = name.strip()
    knob, view = _knob(fit, key)
    parameter = knob.parameter
    if view is None:
        return GridAxis(knob, tuple(parse_values(values, parameter, knob.owner, USUAL_VALUES)), key)
    seen = parse_values(values, view.of(parameter), knob.owner, USUAL_VALUES)
    whose, dot, _ = key.rpartition(".")
    converted = tuple(view.check(value, parameter, knob.owner) for value in seen)
    return GridAxis(knob, converted, f"{whose}{dot}{parameter.name}")


def _check_number(axes: int) -> None:
    if not 1 <= axes <= 2:
        raise BadInput(f"One or two numbers can be chosen at a time, not {axes}.")


def _check_apart(axes: Sequence[GridAxis]) -> None:
    if len({axis.knob.key for axis in axes}) < len(axes):
        raise BadInput(f"{axes[0].key} is given twice.")


def _knob(fit: Fit, key: str) -> tuple[Knob, Unit | None]:
    """Return the number called gamma, or rbf.gamma or rbf[2].gamma where there are several, and the view
    whose name that is, such as sigma."""
    whose, _, name = key.rpartition(".")
    owner, _, place = whose.rstrip("]").partition("[")
    every = [(knob, name, view) for knob in knobs(fit) for name, view in _names(knob)]
    named = [(knob, view) for knob, called, view in every if called == name.replace("-", "_")]
    if owner:
        named = [(knob, view) for knob, view in named if knob.called(owner)]
    if place:
        named = named[int(place) - 1 : int(place)] if place.isdecimal() and int(place) else []
    if not named:
        known = list(dict.fromkeys(called for _, called, _ in every))
        hint = nearest(name, known) if known else "It has no numbers."
        raise BadInput(f"{fit} has no number called {key!r}. {hint}")
    if len(named) > 1:
        owners = [knob.name for knob, _ in named]
        *others, last = (
            f"{owner}[{owners[: k + 1].count(owner)}].{name}"  # rbf[1].gamma and rbf[2].gamma
            if owners.count(owner) > 1
            else f"{owner}.{name}"
            for k, owner in enumerate(owners)
        )
        raise BadInput(f"{fit} has several numbers called {name}: write {', '.join(others)} or {last}.")
    return named[0]


def _names(knob: Knob) -> Iterator[tuple[str, Unit | None]]:
    """Return all names of a number."""
    yield knob.parameter.name, None
    for view in knob.parameter.views:
        yield from ((name, view) for name in view.names)
