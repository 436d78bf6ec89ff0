"""The plane: two inputs, or one, and classes."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.sampling import SampleGrid, scores_on
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.base import Workspace, origin

FIELD_NODES = 200 * 200  # Nodes of the drawn grid; rows and columns follow from the aspect of the view.


class PlaneWorkspace(Workspace):
    """Classification with x1 to the right and x2 upwards; points with a single input lie on the line x2 =
    0."""

    name = "plane"
    drawn_as = "plane"
    title = "Plane"
    summary_line = "Classification: points of two or more classes on two axes, or on one"
    toggles = {
        "field": ("Field", True),
        "levels": ("Level contours", True),
        "boundary": ("Boundary s = 0", True),
        "margins": ("Lines s = ±1", True),
        "points": ("Points", True),
        "held_out": ("Held-out points", False),
        "rings": ("Support vectors and mistakes", True),
        "slack": ("Slack lines", False),
        "distances": ("Distances to a straight boundary", False),
        "values": ("Points by fitted value", False),
        "bayes": ("Bayes boundary (generated data)", False),
        "rugs": ("Rugs along the axes", False),
        "spread": ("Spread points at the same place", False),
        "marks": ("Algorithm's own marks", True),
        "legend": ("Legend", True),
        "grid": ("Grid lines", False),
        "equal_aspect": ("Equal aspect", True),
    }
    start = ("rings(n=120, seed=1)", "rbf(gamma=1)", "soft-margin-svm(C=10)")
    wants = "one or two columns of numbers and a label"
    how_to_add = "Click to add a + point, right-click (or Shift+click) to add a − point."

    def refusal(self, data: Data) -> str:
        if data.task is Task.REGRESSION:
            return "The plane needs classes; these data have real targets."
        if not isinstance(data.X, np.ndarray):
            return "The plane needs one or two numbers for each point; these data are strings."
        if data.categories is not None:
            return "The plane has no place for a category."
        if data.X.shape[1] not in (1, 2):
            count = data.X.shape[1]
            return f"The plane needs one or two coordinates; these data have {count}. Choose two columns."
        return ""

    def empty(self) -> Data:
        return Data(read_only(np.empty((0, 2))), read_only(np.empty(0)), Task.TWO_CLASSES, ("-", "+"))

    def cleared(self, data: Data) -> Data:
        """Return the data without points: two classes keep their names, other data become + and -."""
        keeps = data.task is Task.TWO_CLASSES and not self.refusal(data)
        return data.subset(slice(0)) if keeps else self.empty()

    # Positions -----------------------------------------------------------------------------------------
    def positions(self, data: Data) -> Array:
        X = np.asarray(data.X, dtype=np.float64) if isinstance(data.X, np.ndarray) else np.empty((data.n, 0))
        if X.shape[1] >= 2:
            return X[:, :2]
        return np.column_stack([X, np.zeros((data.n, 2 - X.shape[1]))])

    def axes(self, data: Data) -> tuple[str, str]:
        first, second = (*data.columns, "")[:2]
        return first, second

    # Edits ---------------------------------------------------------------------------------------------
    def _inputs(self, data: Data, xy: Array) -> Array:
        """Return the inputs at positions; BadInput where these or the data have no place in the plane."""
        if problem := self.refusal(data):
            raise BadInput(problem)
        xy = np.atleast_2d(np.asarray(xy, dtype=np.float64))
        if xy.shape[1] != 2 or not np.isfinite(xy).all():
            raise BadInput("A point needs finite coordinates.")
        return self._as_inputs(data, xy)

    def _as_inputs(self, data: Data, xy: Array) -> Array:
        """Return positions (n, 2) as inputs; with a single input only the horizontal position counts."""
        return xy[:, : data.X.shape[1]]

    def placed(self, data: Data, rows: Sequence[int], xy: Array) -> Data:
        self.check_place(xy)
        X = data.X.copy()
        X[list(rows)] = self._inputs(data, xy)
        return dataclasses.replace(data, X=_sealed(X))

    def added(self, data: Data, xy: Array, label: int) -> Data:
        """Return the data with more points of + (1) or - (-1), or with several classes of the class of that
        number."""
        if data.task is Task.CLASSES and not 0 <= label < len(data.class_names):
            raise BadInput(f"There is no class number {label}; there are {len(data.class_names)}.")
        self.check_place(xy)
        new = self._inputs(data, xy)
        self.check_room(data, len(new))
        target = np.append(data.y, np.full(len(new), float(label)))
        return dataclasses.replace(data, X=_sealed(np.vstack([data.X, new])), target=_sealed(target))

    # Drawing -------------------------------------------------------------------------------------------
    def sampling(self, data: Data, view: ViewRange, source: str = "") -> SampleGrid:
        """Return a grid of about FIELD_NODES nodes with square cells, for any reasonable aspect of the view.

        Its numbers of rows and columns are odd, so that every other node makes a grid from edge to edge
        too."""
        left, right, bottom, top = view.left, view.right, view.bottom, view.top
        aspect = min(4.0, max(0.25, (right - left) / max(top - bottom, 1e-300)))
        columns = round(math.sqrt(FIELD_NODES * aspect)) | 1
        rows = round(FIELD_NODES / columns) | 1
        return SampleGrid(left, right, bottom, top, columns, rows, origin=origin(source))

    def scores(self, model: Model, x1: Array, x2: Array) -> Array | None:
        """Return s on the nodes of a grid in the canvas' coordinates, (len(x2), len(x1)), or one such array
        for each of several classes; None where no score can be drawn."""
        return None if self.refusal(model.problem.data) else scores_on(model, x1, x2)

    def inputs_at(self, data: Data, x: float, y: float) -> Array | None:
        return None if self.refusal(data) else self._inputs(data, np.array([[x, y]]))


def _sealed(made: Array) -> Array:
    """Make a new array read-only and return it; `read_only` would copy it."""
    made.flags.writeable = False
    return made
