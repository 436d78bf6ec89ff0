"""Ranges of axes that hold still while the numbers move a little."""

from __future__ import annotations

import math

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.fields.contours import nice_step

__all__ = ["SteadyRange", "decades"]

AIR = 0.08
SHRINK = 0.5
"""A range twice as wide as needed is made smaller; anything less stays as it is."""


class SteadyRange:
    """Grows at once when a value would fall outside, shrinks only when most of it has become empty."""

    def __init__(self, low: float, high: float) -> None:
        self._least = (low, high)
        self.low, self.high = low, high

    def cover(self, low: float, high: float) -> tuple[float, float]:
        """The range to show for values between low and high; never less than the least one."""
        low, high = min(low, self._least[0]), max(high, self._least[1])
        outside = low < self.low or high > self.high
        empty = high - low < SHRINK * (self.high - self.low)
        if math.isfinite(low) and math.isfinite(high) and (outside or empty):
            step = nice_step(high - low, 10)
            air = AIR * (high - low)
            below, above = (air if low < self._least[0] else 0.0), (air if high > self._least[1] else 0.0)
            self.low = math.floor((low - below) / step + 1e-9) * step if below else self._least[0]
            self.high = math.ceil((high + above) / step - 1e-9) * step if above else self._least[1]
        return self.low, self.high


def decades(values: Array) -> tuple[float, float]:
    """Whole powers of ten around the positive values, at least one decade; (1e-3, 1) without any."""
    positive = values[np.isfinite(values) & (values > 0)]
    if len(positive) == 0:
        return 1e-3, 1.0
    low = math.floor(math.log10(float(positive.min())) + 1e-9)
    high = math.ceil(math.log10(float(positive.max())) - 1e-9)
    return 10.0**low, 10.0 ** max(high, low + 1)
