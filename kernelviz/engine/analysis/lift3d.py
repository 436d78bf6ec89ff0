"""A fit in lifted coordinates: its points, the sheet or the thread that the inputs become, and the
separating plane where the score is linear there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from kernelviz.engine.analysis.lifts import Lift
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.fields.contours import contours
from kernelviz.engine.models.base import Model

SPACING = 21  # Lines of the sheet in each direction: 400 patches.
NODES = 121  # Of a line, and of the grid on which level lines are followed, in each direction.
BEYOND = 0.1  # Of the points' extent: how far the sheet reaches on.
LINEAR = 1e-4  # Of the score's standard deviation: what may be left of it for a plane to show it.
LEVELS = (-1.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Plane:
    """s = offset + weights·u."""

    weights: Array
    offset: float

    @classmethod
    def through(cls, places: Array, scores: Array) -> Plane | None:
        """Return the linear function with these values, or None if there is none."""
        good = np.isfinite(scores) & (np.abs(scores) < 1e100)
        if good.sum() < 4:
            return None
        scale = np.abs(places[good]).max(axis=0)
        scale[scale == 0.0] = 1.0
        columns = np.column_stack([places[good] / scale, np.ones(good.sum())])
        found, *_ = np.linalg.lstsq(columns, scores[good], rcond=None)
        left = float(np.abs(columns @ found - scores[good]).max())
        spread = float(scores[good].std())
        if spread == 0.0 or left > LINEAR * spread:
            return None
        return cls(found[:3] / scale, float(found[3]))


# By level polylines on the sheet, each lifted and flat.
Lines: TypeAlias = tuple[tuple[float, tuple[tuple[Array, Array], ...]], ...]
# Sheet, lifted and flat, scores, classes, lines and plane.
Made: TypeAlias = tuple[Array, Array, Array | None, Array | None, Lines, Plane | None]


@dataclass(frozen=True, eq=False)
class LiftedFit:
    """Everything in lifted coordinates (…, 3), together with the original places (flat: the inputs).

    sheet: (rows, columns, 3) of two inputs, (nodes, 3) of one; scores: the score there."""

    lift: Lift
    points: Array
    flat_points: Array
    sheet: Array | None
    flat_sheet: Array | None
    scores: Array | None
    classes: Array | None  # Of the sheet's nodes, where there are more than two.
    lines: Lines
    plane: Plane | None

    @classmethod
    def of(cls, lift: Lift, model: Model, places: Array | None = None) -> LiftedFit:
        """Return the lifted fit of a model; `places` are those of its points if they are known."""
        X = model.problem.X
        points = lift(X) if places is None else places
        if not isinstance(X, np.ndarray) or X.shape[1] not in (1, 2):
            scores = model.training_scores
            plane = Plane.through(points, scores) if np.ndim(scores) == 1 else None
            return cls(lift, points, _flattened(points), None, None, None, None, (), plane)
        made = _on_a_line(lift, model, points) if X.shape[1] == 1 else _in_the_plane(lift, model, points)
        found = cls(lift, points, _padded(X), *made)
        return found if model.problem.data.task is not Task.REGRESSION else found._with_targets(model)

    def _with_targets(self, model: Model) -> LiftedFit:
        """Return the fit with real targets as the third coordinate where there is room for one: the fit is
        a thread, or if it is linear a plane y = s. Elsewhere the score is no boundary."""
        if not self.lift.flat or self.sheet is None or self.scores is None:
            return replace(self, plane=None, scores=None, lines=())
        points, sheet = self.points.copy(), self.sheet.copy()
        points[:, 2], sheet[..., 2] = model.problem.y, self.scores
        plane = None if self.plane is None else Plane(self.plane.weights - [0, 0, 1], self.plane.offset)
        first, second, _ = self.lift.axes
        lift = replace(self.lift, axes=(first, second, "y"))
        return replace(self, lift=lift, points=points, sheet=sheet, plane=plane, scores=None)


def _in_the_plane(lift: Lift, model: Model, points: Array) -> Made:
    x1, x2 = (_stretch(side, SPACING) for side in model.problem.X.T)
    flat = np.stack([*np.meshgrid(x1, x2), np.zeros((SPACING, SPACING))], axis=-1)
    sheet = lift(flat[..., :2].reshape(-1, 2)).reshape(flat.shape)
    F = model.on_grid(x1, x2)
    if F.ndim == 3:
        return sheet, flat, None, F.argmax(axis=0), (), None
    plane = Plane.through(
        np.vstack([sheet.reshape(-1, 3), points]), np.concatenate([F.ravel(), model.training_scores])
    )
    fine1, fine2 = (np.linspace(x[0], x[-1], NODES) for x in (x1, x2))
    found = contours(fine1, fine2, model.on_grid(fine1, fine2), LEVELS)
    lines = tuple((level, tuple((lift(line), _padded(line)) for line in own)) for level, own in found)
    return sheet, flat, F, None, lines, plane


def _on_a_line(lift: Lift, model: Model, points: Array) -> Made:
    x = _stretch(model.problem.X[:, 0], NODES)[:, None]
    sheet, s = lift(x), model.score(x)
    if s.ndim == 2:
        return sheet, _padded(x), None, s.argmax(axis=1), (), None
    plane = Plane.through(np.vstack([sheet, points]), np.concatenate([s, model.training_scores]))
    return sheet, _padded(x), s, None, (), plane


def _stretch(values: Array, count: int) -> Array:
    """Return an interval from end to end of the values, and a little beyond."""
    low, high = float(values.min()), float(values.max())
    air = BEYOND * (high - low) or 1.0
    return np.linspace(low - air, high + air, count)


def _padded(X: Array) -> Array:
    """Return inputs as places of three coordinates."""
    return np.pad(X, ((0, 0), (0, 3 - X.shape[1])))


def _flattened(places: Array) -> Array:
    flat = places.copy()
    flat[:, 2] = 0.0
    return flat
