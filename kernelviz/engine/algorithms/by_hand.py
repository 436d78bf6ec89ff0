"""A line drawn by hand: nothing is learnt, and everything about the line is reported as for a fit.

The line has two handles in the plane; dragging one returns another algorithm (`with_handle`), so that moving
the line is editing its parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.losses import HINGE, Loss
from kernelviz.engine.core.params import real
from kernelviz.engine.kernels.features import plain_monomials
from kernelviz.engine.models.base import Mark, Model, Status
from kernelviz.engine.models.features import FeatureModel
from kernelviz.engine.models.problem import Problem

PLACE, TURN = 0, 1  # The handles, by their rows in the mark.


def _coordinate(label: str) -> Any:
    return real(
        0.0, low=-1e6, high=1e6, soft=(-3.0, 3.0), label=label, help="A place the line passes through"
    )


@dataclass(frozen=True)
class LineByHand(Algorithm):
    """s(x) = scale · u·(x - a) with u = (cos angle, sin angle) and a a place on the line.

    So w = scale · u and b = -w·a. A larger scale makes |s| larger everywhere and leaves the boundary."""

    name = "by-hand"
    family = "Drawn by hand"
    place = 7
    title = "A line by hand"
    summary_line = "Place a line with two handles; its errors, hinge loss and margin follow your hand."
    latex = r"s(x) = \sigma\, u \cdot (x - a),\quad w = \sigma u,\ b = -w \cdot a"
    uses_kernel = False
    takes_all_rows = True
    needs_numbers = True
    needs_both_classes = False
    watchable = False

    angle: float = real(
        0.0,
        low=-180.0,
        high=180.0,
        label="angle",
        help="Direction of the arrow w, in degrees from the x₁ axis",
    )
    x1: float = _coordinate("a₁")
    x2: float = _coordinate("a₂")
    scale: float = real(
        1.0,
        low=1e-3,
        high=1e3,
        soft=(0.1, 10.0),
        scale="log",
        label="scale ‖w‖",
        help="Multiplies s, and with it the hinge loss; the boundary s = 0 stays",
    )

    @classmethod
    def votes_on(cls, task: Task) -> bool:
        """Return False: one line cannot separate every pair of several classes."""
        return False

    @property
    def own_loss(self) -> Loss:
        """The hinge loss: nothing is minimised here, but users compare it with the error."""
        return HINGE

    @property
    def direction(self) -> Array:
        """The unit vector u."""
        turn = np.radians(self.angle)
        return np.array([np.cos(turn), np.sin(turn)])

    @property
    def on_line(self) -> Array:
        """The place a."""
        return np.array([self.x1, self.x2])

    def check(self, problem: Problem) -> None:
        if np.shape(problem.X)[1:] != (2,):
            raise BadInput(f"{self.name} draws a line in the plane, so the points need two numbers each.")
        super().check(problem)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        self.check(problem)
        features = plain_monomials(2, 1)
        assert features is not None
        features(problem.X)  # refuses points too large for their scores to be computed
        w = self.scale * self.direction
        model = FeatureModel(
            problem,
            self,
            Status.CONVERGED,
            "Drawn by hand: nothing is fitted.",
            0,
            features=features,
            weights=w,
            offset=-float(w @ self.on_line),
            extra_marks=(Mark("handle", self._handles(problem.X), "handles"),),
        )
        yield Iterate.in_closed_form(model, "nothing to compute")

    def _handles(self, X: Array) -> Array:
        """Return the places of the two handles: a itself, and one on the line, as far from it as the points
        lie from their mean."""
        along = np.array([-self.direction[1], self.direction[0]])
        size = float(np.abs(X).max()) or 1.0  # squares of very large coordinates would overflow
        reach = 1.5 * size * float(np.sqrt((X / size).var(axis=0).sum())) or 1.0
        return np.array([self.on_line, self.on_line + reach * along])

    def with_handle(self, handle: int, place: Array) -> Self:
        """Return the line after a handle was dragged: the first shifts it, the second turns it around the
        first."""
        if handle == PLACE:
            low, high = self.parameter("x1").low, self.parameter("x1").high
            x1, x2 = np.clip(place, low, high).tolist()
            return self.replace(x1=x1, x2=x2)
        right, up = place - self.on_line
        return self.replace(angle=float(np.degrees(np.arctan2(-right, up))))
