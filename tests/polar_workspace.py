"""A tiny workspace from outside the package, all of it in this file: points given by angle and radius."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.models.sampling import SampleGrid
from kernelviz.session.workspaces.plane import PlaneWorkspace

COLUMNS = ("angle", "radius")


class Polar(PlaneWorkspace):
    """Drawn at (r cos a, r sin a); moving a point changes its angle and radius, which the kernel sees."""

    name = "polar"
    title = "Polar"
    order = 9
    toggles = {**PlaneWorkspace.toggles, "spokes": ("Spokes", False)}
    start = ("rings(n=40, seed=1)", "rbf(gamma=1)", "soft-margin-svm(C=5)")

    def refusal(self, data):
        return "" if data.columns == COLUMNS else "Polar needs the columns angle and radius."

    def empty(self):
        return Data(np.empty((0, 2)), np.empty(0), Task.TWO_CLASSES, ("-", "+"), COLUMNS)

    def example(self):
        data, _ = super().example()
        return Data.labelled(self._to_polar(data.X), data.z, COLUMNS), "polar rings"

    def positions(self, data):
        angle, radius = np.asarray(data.X).T
        return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])

    def axes(self, data):
        return ("r cos a", "r sin a")

    def _to_polar(self, xy):
        x, y = np.asarray(xy).T
        return np.column_stack([np.arctan2(y, x), np.hypot(x, y)])

    def _inputs(self, data, xy):
        return self._to_polar(super()._inputs(data, xy))

    def sampling(self, data, view, source=""):
        return SampleGrid(view.left, view.right, view.bottom, view.top, 61, 61, self.scores)

    def scores(self, model, x1, x2):
        nodes = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
        return model.score(self._to_polar(nodes)).reshape(len(x2), len(x1))
