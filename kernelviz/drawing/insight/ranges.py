"""Ranges of axes that hold still while the numbers move a little."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fields.contours import nice_step

AIR_AROUND_CURVES = 0.08
SHRINK = 0.5  # A range twice as wide as needed is made smaller; anything less stays as it is.


@dataclass(frozen=True)
class SteadyRange:
    """Grows at once when a value would fall outside, shrinks only when most of it has become empty."""

    least: tuple[float, float]  # Never shows less than this.
    low: float
    high: float

    @classmethod
    def at_least(cls, low: float, high: float) -> SteadyRange:
        """The range to begin with."""
        return cls((low, high), low, high)

    @classmethod
    def of_any_size(cls, both_sides: bool = False) -> SteadyRange:
        """From 0, or around it, as far as the values go, however small; to 1 before there are any."""
        return cls((0.0, 0.0), -1.0 if both_sides else 0.0, 1.0)

    def covering(self, low: float, high: float) -> SteadyRange:
        """The range to show next, for values between low and high."""
        low, high = min(low, self.least[0]), max(high, self.least[1])
        if low == high:
            return self
        outside = low < self.low or high > self.high
        empty = high - low < SHRINK * (self.high - self.low)
        if not (math.isfinite(low) and math.isfinite(high) and (outside or empty)):
            return self
        step = nice_step(high - low, 10)
        air = AIR_AROUND_CURVES * (high - low)
        below, above = (air if low < self.least[0] else 0.0), (air if high > self.least[1] else 0.0)
        return SteadyRange(
            self.least,
            math.floor((low - below) / step + 1e-9) * step if below else self.least[0],
            math.ceil((high + above) / step - 1e-9) * step if above else self.least[1],
        )


def decades(values: Array) -> tuple[float, float]:
    """Whole powers of ten around the positive values, at least one decade; (1e-3, 1) without any."""
    positive = values[np.isfinite(values) & (values > 0)]
    if len(positive) == 0:
        return 1e-3, 1.0
    low = math.floor(math.log10(float(positive.min())) + 1e-9)
    high = math.ceil(math.log10(float(positive.max())) - 1e-9)
    return 10.0**low, 10.0 ** max(high, low + 1)


def round_above(value: float) -> float:
    """The next of 1, 2 and 5 times a power of ten: the end of an axis that seldom changes."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return float(power * next(step for step in (1.0, 2.0, 5.0, 10.0) if value <= step * power))
