"""The course of an algorithm in numbers, thinned so that it never grows without bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Iterate
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.losses import ZERO_ONE
from kernelviz.engine.solvers.linear.descent import SideBySide

CAPACITY = 512
COLUMNS = ("step", "loss", "training_error", "primal", "dual")


@dataclass(frozen=True, eq=False)
class Trace:
    """A row per recorded step: step, mean of the algorithm's loss (unless that is the error), training error,
    primal, dual (NaN: undefined)."""

    rows: Array
    beside: SideBySide | None = None  # The run beside the same in explicit features, where that is known.

    def column(self, name: str) -> Array:
        return self.rows[:, COLUMNS.index(name)]

    def __len__(self) -> int:
        return len(self.rows)


class Recorder:
    """Collects rows; when full it drops every second one and from then on records half as often.

    Thinning goes by the count of what was seen, not by step numbers, which an algorithm may space freely."""

    def __init__(self) -> None:
        self._rows: list[tuple[float, ...]] = []
        self._stride = 1
        self._seen = 0
        self._last: tuple[int, Iterate] | None = None

    def see(self, step: int, iterate: Iterate) -> None:
        """Record an iterate under the step number the frames show."""
        self._last = (step, iterate)
        if self._seen % self._stride == 0:
            self._rows.append(_row(step, iterate))
            if len(self._rows) > CAPACITY:
                self._stride *= 2
                self._rows = self._rows[::2]
        self._seen += 1

    def trace(self) -> Trace:
        """What was seen so far, always ending with the latest step."""
        rows = list(self._rows)
        if self._last is not None and (not rows or rows[-1][0] != self._last[0]):
            rows.append(_row(*self._last))
        array = np.array(rows, dtype=np.float64).reshape(-1, len(COLUMNS))
        array.flags.writeable = False
        return Trace(array)


def _row(step: int, iterate: Iterate) -> tuple[float, ...]:
    model = iterate.model
    loss = error = np.nan
    if model.mistakes is not None:
        error = float(model.mistakes.mean())
    if model.residuals is not None:
        loss = model.own_loss.mean(model.residuals)
    elif model.has_losses and model.own_loss is not ZERO_ONE:
        loss = model.own_loss.mean(model.problem.z * model.training_scores)
    primal = iterate.objectives.get("primal", np.nan)
    dual = iterate.objectives.get("dual", np.nan)
    return (float(step), loss, error, primal, dual)
