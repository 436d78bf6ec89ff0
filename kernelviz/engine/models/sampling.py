"""Scores of a model on a grid of the plane or along a line, for drawing.

`sample` is a generator: it yields where the worker may abandon it, and returns the scores with their level
lines, or the nodes of a curve, which are denser where it bends."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fields.borders import borders
from kernelviz.engine.fields.contours import ContourLines, nice_levels, quick_contours, sharpened
from kernelviz.engine.fields.field import field
from kernelviz.engine.kernels.categories import on_numbers
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.several_classes import MultiClassModel

Scores = Callable[[Model, Array, Array], Array | None]

CURVE_NODES = 257  # Nodes from edge to edge before the curve is looked at.
# Training points that get a node of their own, so that no narrow bump hides between two nodes.
MOST_OWN_NODES = 600
BEND = 1e-3  # How far a node may lie from the chord of its neighbours, as a share of the view's height.
CURVE_ROUNDS = 6  # Halvings where it bends.
MOST_NODES = 1500


@dataclass(frozen=True, eq=False)
class GridSample:
    """The scores on the nodes of a grid.

    field: (rows, columns), or (classes, rows, columns) for several classes; None for a model without a
    score in the plane."""

    grid: SampleGrid
    x1: Array
    x2: Array
    field: Array | None
    lines: ContourLines


@dataclass(frozen=True)
class SampleGrid:
    """The nodes where a field is sampled: `columns` x `rows` from edge to edge of a rectangle.

    sample = finished(Grid(-3, 3, -2, 2).sample(model))
    sample.field     # (rows, columns), row k at height sample.x2[k]
    sample.lines     # level lines: ((level, [polylines]), …)"""

    left: float
    right: float
    bottom: float
    top: float
    columns: int = 200
    rows: int = 200
    scores: Scores | None = None  # What gives s on the nodes, where they are not the inputs themselves.
    # The data set the points were drawn from, which may know the densities of the classes.
    origin: DataSet | None = None
    # The x1 and the x2 at which the field is cut: no level line crosses them.
    seams: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    levels: Callable[[Array], tuple[float, ...]] = nice_levels  # What chooses the levels of its lines.

    def _blocks(self, x1: Array, x2: Array) -> list[tuple[slice, slice]]:
        """Return the rows and columns of nodes between two seams, as far as there are several of both."""
        across, up = (
            [0, *np.searchsorted(x, seams).tolist(), len(x)]
            for x, seams in zip((x1, x2), self.seams, strict=True)
        )
        cells = product(pairwise(up), pairwise(across))
        return [(slice(a, b), slice(c, d)) for (a, b), (c, d) in cells if b - a > 1 and d - c > 1]

    def _lines(self, x1: Array, x2: Array, F: Array, levels: tuple[float, ...]) -> ContourLines:
        """Return the level lines, each from seam to seam."""
        lines: dict[float, list[Array]] = {}
        for rows, columns in self._blocks(x1, x2):
            for level, found in quick_contours(x1[columns], x2[rows], F[rows, columns], levels):
                lines.setdefault(level, []).extend(found)
        return tuple(lines.items())

    def axes(self, coarser: int = 1) -> tuple[Array, Array]:
        """Return x1 and x2 of the nodes, `coarser` times as far apart in each direction."""
        return (
            np.linspace(self.left, self.right, max(2, self.columns // coarser)),
            np.linspace(self.bottom, self.top, max(2, self.rows // coarser)),
        )

    def sample(self, model: Model, coarser: int = 1) -> Generator[None, None, GridSample]:
        """Return the field and level lines; yields where it may be abandoned."""
        x1, x2 = self.axes(coarser)
        scores = self.scores or scores_on
        if isinstance(model, MultiClassModel):
            F, lines = yield from _regions(model, x1, x2, scores, self._blocks(x1, x2))
        else:
            F = scores(model, x1, x2)
            yield
            if F is None:
                return GridSample(self, x1, x2, F, ())
            levels = self.levels(F)
            lines = self._lines(x1, x2, F, _between_values(F, levels) if model.jumps else levels)
            if model.jumps and self.scores is None:
                yield
                inputs = np.shape(model.problem.data.X)[1]
                lines = sharpened(lines, x1, x2, F, lambda places: model.score(places[:, :inputs]))
        return GridSample(self, x1, x2, F, lines)


def _regions(
    model: MultiClassModel, x1: Array, x2: Array, scores: Scores, blocks: Sequence[tuple[slice, slice]]
) -> Generator[None, None, tuple[Array | None, ContourLines]]:
    """Return scores and borders of several classes from one evaluation of their pairs."""
    found = []
    for pair in model.pairs:
        found.append(scores(pair.model, x1, x2))
        yield
    of_pairs = [F for F in found if F is not None]
    if not of_pairs:
        return None, ()
    stacked = np.stack(of_pairs)
    F = model.tally_on_grid(stacked)
    F.flags.writeable = False
    yield
    between = [borders(x1[c], x2[r], stacked[:, r, c], model.votes) for r, c in blocks]
    return F, ((0.0, [line for lines in between for line in lines]),)


def _between_values(F: Array, levels: tuple[float, ...]) -> tuple[float, ...]:
    """Keep one of the levels between the same two values of a score that jumps, whose lines coincide: 0 if
    it is among them. s = ±1 is dropped: neighbours are at most unanimous, which is not a margin."""
    values = np.unique(F[::4, ::4])
    inner = sorted((v for v in levels if abs(v) != 1.0), key=abs)
    found = {int(np.searchsorted(values, level, side="right")): level for level in reversed(inner)}
    return tuple(sorted(found.values()))


def scores_on(model: Model, x1: Array, x2: Array) -> Array | None:
    """Return s on the nodes, read-only, or None for data that are not points of a plane or of a line."""
    if np.ndim(model.problem.data.X) != 2 or model.problem.data.X.shape[1] not in (1, 2):
        return None
    F = model.on_grid(x1, x2)
    F.flags.writeable = False
    return F


def scores_in_category(model: Model, code: int, x1: Array, x2: Array) -> Array:
    """Return s on the nodes for inputs of two numbers and a category; of several classes one array each."""
    if isinstance(model, MultiClassModel):
        return model.tally_on_grid(
            np.stack([scores_in_category(pair.model, code, x1, x2) for pair in model.pairs])
        )
    if model.flat:
        return model.on_grid(x1, x2)
    if not isinstance(model, KernelModel):
        nodes = np.stack([*np.meshgrid(x1, x2), np.full((len(x2), len(x1)), float(code))], axis=-1)
        return model.score(nodes.reshape(-1, 3)).reshape(len(x2), len(x1))
    X, weights = model.problem.X[model.support], model.weights[model.support]
    F = np.full((len(x2), len(x1)), model.offset)
    for alike in (True, False):
        rows = (X[:, -1] == code) == alike
        F += field(on_numbers(model.problem.kernel, alike), X[rows, :-1], weights[rows], x1, x2)
    return F


@dataclass(frozen=True, eq=False)
class LineSample:
    """A curve: s at the nodes x, from left to right, denser where it bends."""

    line: CurveStrip
    x: Array
    s: Array


@dataclass(frozen=True)
class CurveStrip:
    """The rectangle in which a curve s(x) of one input is drawn; its height decides which bends are
    visible."""

    left: float
    right: float
    bottom: float
    top: float
    # The data set the points were drawn from, which may know the true function.
    origin: DataSet | None = None

    def sample(self, model: Model, coarser: int = 1) -> Generator[None, None, LineSample]:
        """Return s along the view; yields where it may be abandoned."""
        x = self.nodes(model.problem.data.X[:, 0], CURVE_NODES // coarser)
        yield
        rounds = CURVE_ROUNDS if coarser == 1 else 0
        x, s = followed(self, lambda at: model.score(at[:, None]), x, rounds)
        return LineSample(self, x, s)

    def nodes(self, points: Array = np.empty(0), count: int = CURVE_NODES) -> Array:  # noqa: B008 - frozen by use
        """Return evenly spaced x, and those of the points in the view unless there are very many."""
        even = np.linspace(self.left, self.right, max(3, count))
        inside = points[(points > self.left) & (points < self.right)]
        return even if len(inside) > MOST_OWN_NODES else np.union1d(even, inside)


def followed(
    line: CurveStrip, f: Callable[[Array], Array], x: Array, rounds: int = CURVE_ROUNDS
) -> tuple[Array, Array]:
    """Return x and f(x), with further nodes halfway wherever the curve bends within the view: a kink or a
    jump is followed down to a fraction of a pixel."""
    with np.errstate(over="ignore", invalid="ignore"):
        s = f(x)
        for _ in range(rounds):
            where = _bent(line, x, s)
            if not len(where) or len(x) >= MOST_NODES:
                break
            between = 0.5 * (x[where] + x[where + 1])
            x, s = np.insert(x, where + 1, between), np.insert(s, where + 1, f(between))
    return x, s


def _bent(line: CurveStrip, x: Array, s: Array) -> np.ndarray:
    """Return the intervals at whose ends the curve bends, the worst first to keep at most MOST_NODES."""
    v = np.clip((s - line.bottom) / (line.top - line.bottom), -0.5, 1.5)
    v[np.isnan(s)] = 2.0  # the edge of a gap is followed as a jump is
    share = (x[1:-1] - x[:-2]) / (x[2:] - x[:-2])
    off = np.zeros(len(x))
    off[1:-1] = np.abs(v[1:-1] - v[:-2] - share * (v[2:] - v[:-2]))
    bend = np.maximum(off[:-1], off[1:])
    where = np.flatnonzero(bend > BEND)
    room = MOST_NODES - len(x)
    if len(where) > room:
        where = np.sort(where[np.argsort(-bend[where], kind="stable")[:room]])
    return where
