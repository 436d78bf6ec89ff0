"""Straight boundaries in the plane: w and b of a linear model, and all lines that separate two classes.

A line is u·x = c with a unit vector u, and its margin is the distance of the nearest point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.features import FeatureModel
from kernelviz.engine.models.kernel import KernelModel

ANGLES = 2000  # Directions at which the room between the classes is computed.


def linear_form(model: Model) -> tuple[Array, float] | None:
    """Return w and b with s(x) = w·x + b in the inputs themselves, or None if the model is not of that form
    or its boundary is no line in the plane."""
    X = model.problem.X
    if not isinstance(X, np.ndarray) or X.shape[1] != 2 or model.flat:
        return None
    if isinstance(model, KernelModel) and isinstance(model.problem.kernel, Linear):
        return read_only(X.T @ model.weights), model.offset
    if isinstance(model, FeatureModel) and model.features.names == ("x_1", "x_2"):
        return model.weights, model.offset
    return None


@dataclass(frozen=True, eq=False)
class SeparatingLines:
    """Lines u·x = c drawn at random from all that separate the classes, with + where u·x > c.

    margins: the distance of the nearest point from each line. The exact shares of lines with at least a
    given margin follow from `gaps`, the room between the classes in the directions `angles`."""

    normals: Array  # (count, 2), unit vectors u.
    offsets: Array  # c
    margins: Array
    angles: Array
    gaps: Array
    widest: float  # The largest margin that a line can have.

    def share_left(self, margin: float) -> float:
        """Return the share of all separating lines whose margin is at least this:
        ∫ max(0, gap − 2m) / ∫ gap over the directions."""
        left = np.trapezoid(np.maximum(0.0, self.gaps - 2.0 * margin), self.angles)
        return float(left / np.trapezoid(self.gaps, self.angles))


def separating_lines(data: Data, count: int, seed: int = 0) -> SeparatingLines | None:
    """Draw lines from those that separate two classes of points in the plane, or return None if no line does.

    The measure of lines is the one that shifts and turns leave alone: a direction u has weight
    gap(u) = min over + of u·x − max over − of u·x, and c is uniform in that gap."""
    if data.task is not Task.TWO_CLASSES or np.shape(data.X)[1:] != (2,) or len(np.unique(data.z)) < 2:
        return None
    plus, minus = _outer(data.X[data.z > 0]), _outer(data.X[data.z < 0])
    # u separates if u·(x - x') > 0 for all pairs, so it is within 90° of every difference.
    apart = (plus[:, None] - minus[None]).reshape(-1, 2)
    middle = plus.mean(axis=0) - minus.mean(axis=0)
    across = apart[:, 1] * middle[0] - apart[:, 0] * middle[1]
    turns = np.arctan2(across, apart @ middle)  # relative to the direction of the means
    low, high = float(turns.max()) - np.pi / 2, float(turns.min()) + np.pi / 2
    if not low < high or (apart == 0.0).all(axis=1).any():
        return None
    angles = np.linspace(low, high, ANGLES) + np.arctan2(middle[1], middle[0])
    gaps = np.maximum(0.0, _ends(plus, minus, angles)[2])
    if not gaps.any():
        return None
    rng = np.random.Generator(np.random.PCG64(seed))
    total = np.concatenate([[0.0], np.cumsum(0.5 * (gaps[1:] + gaps[:-1]))])
    drawn = np.interp(rng.uniform(0.0, total[-1], count), total, angles)
    start, end, gap = _ends(plus, minus, drawn)
    offsets = start + rng.uniform(size=count) * gap
    margins = np.minimum(offsets - start, end - offsets)
    normals = np.column_stack([np.cos(drawn), np.sin(drawn)])
    near, step = angles[int(np.argmax(gaps))], angles[1] - angles[0]
    for _ in range(3):  # the widest gap may be at a kink between two of the directions
        finer = np.linspace(near - step, near + step, 201)
        room = _ends(plus, minus, finer)[2]
        near, step = finer[int(np.argmax(room))], finer[1] - finer[0]
    return SeparatingLines(normals, offsets, margins, angles, gaps, widest=0.5 * float(room.max()))


def _ends(plus: Array, minus: Array, angles: Array) -> tuple[Array, Array, Array]:
    """Return for each direction u where − ends, where + begins, and the room in between."""
    u = np.stack([np.cos(angles), np.sin(angles)])
    start, end = (minus @ u).max(axis=0), (plus @ u).min(axis=0)
    return start, end, end - start


def _outer(X: Array) -> Array:
    """Return the corners of the convex hull: no other point decides which lines separate."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.asarray(X[ConvexHull(X).vertices])
    except (QhullError, ValueError):  # fewer than three points, or all on a line: its two ends
        return np.unique(X, axis=0)[[0, -1]]
