"""The curve: one input and a real target."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.sampling import CurveStrip
from kernelviz.session.view import ViewRange, fitting_view
from kernelviz.session.workspaces.base import Workspace, origin


class CurveWorkspace(Workspace):
    """Regression with one input: x to the right, y upwards. Moving a point changes its input and its
    target."""

    name = "curve"
    drawn_as = "curve"
    title = "Curve"
    summary_line = "Regression: a number y for each number x, and the function fitted to them"
    order = 1
    toggles = {
        "curve": ("Fitted curve", True),
        "band": ("Tube ±ε, band ±2 sd", True),
        "truth": ("True function", False),
        "points": ("Points", True),
        "held_out": ("Held-out points", False),
        "rings": ("Support vectors", True),
        "residuals": ("Residuals", False),
        "bumps": ("Bumps βᵢ K(xᵢ, x)", False),
        "weights": ("Weights on y at the point under the mouse", False),
        "terms": ("Terms of a sum kernel", False),
        "raised": ("Orthogonal bump added", False),
        "draws": ("Samples of the posterior", False),
        "prior": ("Samples of the prior", False),
        "marks": ("Algorithm's own marks", True),
        "legend": ("Legend", True),
        "grid": ("Grid lines", False),
    }
    start = ("sine(n=60, seed=1)", "rbf(gamma=3)", "ridge(lam=0.1)")
    has_classes = False
    lays_over = True
    roles = ("x (across)", "y (up)")
    wants = "a column of numbers and a number for each"
    how_to_add = "Click to add a point."

    def refusal(self, data: Data) -> str:
        if data.task is not Task.REGRESSION:
            return "The curve needs a number for each point as its target."
        if not isinstance(data.X, np.ndarray):
            return "The curve needs a number for each point as its input; these data are strings."
        count = data.X.shape[1]
        return "" if count == 1 else f"The curve needs one input; these data have {count}. Choose one column."

    def empty(self) -> Data:
        return Data(read_only(np.empty((0, 1))), read_only(np.empty(0)), Task.REGRESSION, (), ("x",))

    # Positions -----------------------------------------------------------------------------------------
    def positions(self, data: Data) -> Array:
        return np.column_stack([data.X[:, 0], data.y])

    def axes(self, data: Data) -> tuple[str, str]:
        target = "y"
        across = data.columns[0]
        return across, data.target_name or (target if across != target else "target")

    def extent(self, data: Data) -> ViewRange:
        """Return a view that fits each axis by itself: x and y have different units."""
        across, up = (fitting_view(np.column_stack([side, side])) for side in self.positions(data).T)
        return ViewRange(across.left, across.right, up.bottom, up.top)

    # Edits ---------------------------------------------------------------------------------------------
    def placed(self, data: Data, rows: Sequence[int], xy: Array) -> Data:
        self.check_place(xy)
        at = self.positions(data)
        at[list(rows)] = xy
        return self._at(data, at)

    def added(self, data: Data, xy: Array, label: int) -> Data:
        """Return the data with more points; there are no classes."""
        self.check_place(xy)
        self.check_room(data, len(xy))
        return self._at(data, np.vstack([self.positions(data), xy]))

    def typable(self, data: Data) -> tuple[str, ...]:
        return self.axes(data)

    def values(self, data: Data) -> Array:
        return self.positions(data)

    def typed(self, data: Data, row: int, values: Array) -> Data:
        return self.placed(data, [row], values)

    def jittered(self, data: Data, rows: Sequence[int], scale: float, seed: int) -> Data:
        """Return the data with noise on each axis in proportion to the extent of the points."""
        spread = np.ptp(self.positions(data), axis=0)
        widest = float(spread.max()) or 1.0
        shaken = super().jittered(data, rows, 1.0, seed)
        moved = self.positions(shaken) - self.positions(data)
        share = np.where(spread > 0, spread / widest, 1.0)
        return self._at(data, self.positions(data) + scale * share * moved)

    def _at(self, data: Data, at: Array) -> Data:
        if problem := self.refusal(data):
            raise BadInput(problem)
        return dataclasses.replace(data, X=read_only(at[:, :1]), target=read_only(at[:, 1]))

    # Drawing -------------------------------------------------------------------------------------------
    def sampling(self, data: Data, view: ViewRange, source: str = "") -> CurveStrip:
        return CurveStrip(view.left, view.right, view.bottom, view.top, origin(source))

    def inputs_at(self, data: Data, x: float, y: float) -> Array:
        return np.array([[x]])
