"""A stretch of the x axis sampled: scores where the curve needs them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.model import Model

__all__ = ["Line", "LineSample", "followed"]

NODES = 257
"""Nodes from edge to edge before the curve is looked at."""
MOST_POINTS = 600
"""Training points that get a node of their own, so that no narrow bump hides between two nodes."""
BEND = 1e-3
"""How far a node may lie from the chord of its neighbours, as a share of the view's height."""
ROUNDS = 6
"""Halvings where it bends."""
MOST_NODES = 1500


@dataclass(frozen=True, eq=False)
class LineSample:
    """s at the nodes, from left to right."""

    line: Line
    x: Array
    s: Array


@dataclass(frozen=True)
class Line:
    """The rectangle in which a curve is drawn; its height says which bends are seen."""

    left: float
    right: float
    bottom: float
    top: float
    origin: DataSet | None = None
    """The data set the points were drawn from, which may know the true function."""

    def sample(self, model: Model, coarser: int = 1) -> Generator[None, None, LineSample]:
        """s along the view; yields where it may be abandoned."""
        x = self.nodes(model.problem.data.X[:, 0], NODES // coarser)
        yield
        rounds = ROUNDS if coarser == 1 else 0
        x, s = followed(self, lambda at: model.score(at[:, None]), x, rounds)
        return LineSample(self, x, s)

    def nodes(self, points: Array = np.empty(0), count: int = NODES) -> Array:  # noqa: B008 - frozen by use
        """Evenly spaced x, and those of the points in the view unless there are very many."""
        even = np.linspace(self.left, self.right, max(3, count))
        inside = points[(points > self.left) & (points < self.right)]
        return even if len(inside) > MOST_POINTS else np.union1d(even, inside)


def followed(line: Line, f: Callable[[Array], Array], x: Array, rounds: int = ROUNDS) -> tuple[Array, Array]:
    """x and f(x), with further nodes halfway wherever the curve bends within the view: a kink or a jump is
    followed down to a fraction of a pixel."""
    with np.errstate(over="ignore", invalid="ignore"):
        s = f(x)
        for _ in range(rounds):
            where = _bent(line, x, s)
            if not len(where) or len(x) >= MOST_NODES:
                break
            between = 0.5 * (x[where] + x[where + 1])
            x, s = np.insert(x, where + 1, between), np.insert(s, where + 1, f(between))
    return x, s


def _bent(line: Line, x: Array, s: Array) -> np.ndarray:
    """The stretches at whose ends the curve bends, the worst first to stay among at most MOST_NODES."""
    v = np.clip((s - line.bottom) / (line.top - line.bottom), -0.5, 1.5)
    share = (x[1:-1] - x[:-2]) / (x[2:] - x[:-2])
    off = np.zeros(len(x))
    off[1:-1] = np.abs(v[1:-1] - v[:-2] - share * (v[2:] - v[:-2]))
    bend = np.maximum(off[:-1], off[1:])
    where = np.flatnonzero(bend > BEND)  # NaN compares false
    room = MOST_NODES - len(x)
    if len(where) > room:
        where = np.sort(where[np.argsort(-bend[where], kind="stable")[:room]])
    return where
