"""Edits of the points: pure functions from data to data."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from kernelviz.engine.algorithms.base import MOST_ROWS
from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput

__all__ = [
    "LIMIT",
    "add_points",
    "duplicate_points",
    "empty",
    "erase_disc",
    "flip_points",
    "jitter",
    "move_points",
    "remove_points",
    "spray",
]

LIMIT = MOST_ROWS
"""Points that can be edited by hand; exact solvers grow with the square of it."""


def empty() -> Data:
    """A plane without points, ready for + and -."""
    return Data(read_only(np.empty((0, 2))), read_only(np.empty(0)), Task.TWO_CLASSES, ("-", "+"))


def _with(data: Data, X: Array, target: Array) -> Data:
    X.flags.writeable = False
    target.flags.writeable = False
    return dataclasses.replace(data, X=X, target=target)


def add_points(data: Data, xy: Array, label: int) -> Data:
    """Append points of one class: + (1) or - (-1), or of several the number of the class."""
    if data.task is Task.CLASSES and not 0 <= label < len(data.class_names):
        raise BadInput(f"There is no class number {label}; there are {len(data.class_names)}.")
    xy = np.atleast_2d(np.asarray(xy, dtype=np.float64))
    if data.n + len(xy) > LIMIT:
        raise BadInput(f"There is room for {LIMIT} points; erase some first.")
    if xy.shape[1] != data.X.shape[1] or not np.isfinite(xy).all():
        raise BadInput(f"A point of these data needs {data.X.shape[1]} finite coordinates.")
    return _with(data, np.vstack([data.X, xy]), np.append(data.y, np.full(len(xy), float(label))))


def move_points(data: Data, rows: Sequence[int], xy: Array) -> Data:
    """Put the given points at new places."""
    xy = np.asarray(xy, dtype=np.float64)
    if not np.isfinite(xy).all():
        raise BadInput("A point needs finite coordinates.")
    X = data.X.copy()
    X[list(rows)] = xy
    X.flags.writeable = False
    return dataclasses.replace(data, X=X)


def remove_points(data: Data, rows: Sequence[int]) -> Data:
    """Drop the given points."""
    return data.subset(np.setdiff1d(np.arange(data.n), list(rows)))


def flip_points(data: Data, rows: Sequence[int]) -> Data:
    """Give the given points the other class; with several classes the next one."""
    target = data.y.copy()
    chosen = list(rows)
    if data.task is Task.CLASSES:
        target[chosen] = (target[chosen] + 1) % len(data.class_names)
    else:
        target[chosen] = -target[chosen]
    target.flags.writeable = False
    return dataclasses.replace(data, target=target)


def duplicate_points(data: Data, rows: Sequence[int], offset: float | Array) -> Data:
    """Append copies of the given points, shifted a little so that they can be seen."""
    chosen = list(rows)
    if data.n + len(chosen) > LIMIT:
        raise BadInput(f"There is room for {LIMIT} points; erase some first.")
    return _with(data, np.vstack([data.X, data.X[chosen] + offset]), np.append(data.y, data.y[chosen]))


def jitter(data: Data, rows: Sequence[int], scale: float, seed: int) -> Data:
    """Shift the given points (all, if none are named) by Gaussian noise."""
    chosen = list(rows) or list(range(data.n))
    noise = np.random.default_rng(seed).normal(0.0, scale, (len(chosen), data.X.shape[1]))
    return move_points(data, chosen, data.X[chosen] + noise)


def spray(centre: Array, radius: float | Array, count: int, seed: int) -> Array:
    """`count` places drawn uniformly from a disc (or an ellipse, by its radii): one dab of the brush."""
    rng = np.random.default_rng(seed)
    r = np.sqrt(rng.random(count))
    angle = 2 * np.pi * rng.random(count)
    return np.asarray(centre) + radius * np.column_stack([r * np.cos(angle), r * np.sin(angle)])


def erase_disc(data: Data, centre: Array, radius: float | Array) -> Data:
    """Drop every point within the radius (or an ellipse's radii); the same object when there is none."""
    if data.n == 0:
        return data
    inside = (((data.X - np.asarray(centre)) / radius) ** 2).sum(axis=1) <= 1.0
    return data.subset(~inside) if inside.any() else data
