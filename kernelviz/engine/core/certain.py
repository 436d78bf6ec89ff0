"""Numbers with a bound on what rounding has done to them."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from kernelviz.engine.core.losses import Loss

THREE_DIGITS = 1e-3  # Of a number: the largest error with which it is shown.
NEGLIGIBLE = 1e-11  # Of scores or targets: what rounding leaves of a difference between two of them.


@dataclass(frozen=True, eq=False)
class Certain:
    """A number or an array of numbers, with the largest error that each may have: 0.0 if none has any."""

    value: Any
    error: Any

    def known(self) -> bool:
        """Return True if the error of a number does not change its first three digits."""
        return bool(self.error <= THREE_DIGITS * abs(self.value))

    def or_none(self) -> float | None:
        """Return the number, or None if it is not known or not finite."""
        return float(self.value) if self.known() and isfinite(self.value) else None

    def smallest(self) -> Certain:
        """Return the smallest of the numbers."""
        i = self.value.argmin()
        return Certain(self.value[i], self.error if isinstance(self.error, float) else self.error[i])

    def snapped(self, to: float) -> Certain:
        """Return the values with `to` itself, without an error, where rounding cannot distinguish them."""
        near = np.abs(self.value - to) <= np.clip(self.error, NEGLIGIBLE * to, THREE_DIGITS * to)
        return Certain(np.where(near, to, self.value), np.where(near, 0.0, self.error))

    def settled(self, size: float) -> Certain:
        """Return the values without errors if all of these are negligible, compared with a size."""
        return Certain(self.value, 0.0) if self.error.max(initial=0.0) <= NEGLIGIBLE * size else self

    def mean(self, loss: Loss) -> Certain:
        """Return the mean loss, with the amount by which the errors may change it."""
        if isinstance(self.error, float):
            return Certain(loss.mean(self.value), 0.0)
        with np.errstate(over="ignore", invalid="ignore"):
            here, *there = (loss.of(self.value + side * self.error) for side in (0.0, -1.0, 1.0))
            change = np.maximum(*(np.abs(value - here) for value in there))
            return Certain(float(here.mean()), float(change.mean()))
