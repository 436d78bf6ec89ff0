"""The values at which a slider stops: round numbers, evenly spread over a linear or logarithmic range."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

from kernelviz.engine.core.params import Parameter, Unit, number


@dataclass(frozen=True)
class Scale:
    """The range [low, high] of a slider, inside the bounds [least, most] of what may be typed.

    A logarithmic scale has 100 stops for each decade, rounded to three digits; a linear one about 1000, at
    multiples of 1, 2 or 5 times a power of ten. Whole numbers are all stops as long as there are not too
    many."""

    low: float
    high: float
    least: float
    most: float
    log: bool = False
    whole: bool = False

    @cached_property
    def values(self) -> tuple[float, ...]:
        """All stops, ascending, both ends among them."""
        per_decade = 100  # Stops per decade of a logarithmic scale.
        slider_steps = 1000  # Stops of a linear scale, about.
        if self.whole and (not self.log or self.high - self.low <= per_decade):
            stride = max(1, math.ceil((self.high - self.low) / (2 * slider_steps)))
            return (*range(int(self.low), int(self.high), stride), int(self.high))
        if self.log:
            first = math.log10(self.low)
            count = math.ceil((math.log10(self.high) - first) * per_decade)
            exact = [10 ** (first + k / per_decade) for k in range(1, count)]
            inner = [float(round(v)) if self.whole else _rounded(v, 3) for v in exact]
        else:
            least = (self.high - self.low) / slider_steps
            # 1, 2 or 5 times a power of ten, and at least that much.
            power = 10.0 ** math.floor(math.log10(least))
            step = next(_rounded(m * power, 3) for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))
            decimals = max(0, -math.floor(math.log10(step)))
            multiples = range(math.ceil(self.low / step), math.floor(self.high / step) + 1)
            inner = [round(k * step, decimals) for k in multiples]
        stops = sorted({self.low, self.high, *(v for v in inner if self.low < v < self.high)})
        return tuple(int(v) for v in stops) if self.whole else tuple(stops)

    def position(self, value: float) -> int:
        """Return the index of the nearest stop; for a value beyond an end, the index of the end."""
        after = bisect_left(self.values, value)
        if after == 0 or after == len(self.values):
            return min(after, len(self.values) - 1)
        below, above = self.values[after - 1], self.values[after]
        middle = math.sqrt(below * above) if self.log else 0.5 * (below + above)
        return after - 1 if value < middle else after

    def share(self, position: int) -> float:
        """Return how far along the slider a stop is, from 0 to 1."""
        low, value, high = self._ruled(self.low), self._ruled(self.values[position]), self._ruled(self.high)
        return (value - low) / (high - low) if high > low else 0.0

    def position_at(self, share: float) -> int:
        """Return the index of the stop nearest to a place along the slider, from 0 to 1."""
        place = self._ruled(self.low) + share * (self._ruled(self.high) - self._ruled(self.low))
        return self.position(math.exp(place) if self.log else place)

    def _ruled(self, value: float) -> float:
        """Return where a value is on a ruler: its logarithm, on a logarithmic scale."""
        return math.log(value) if self.log else value

    @property
    def arrow(self) -> int:
        """The number of stops an arrow key moves by: a hundredth of the range, or one whole number."""
        return 1 if self.whole else max(1, len(self.values) // 100)

    @property
    def page(self) -> int:
        """The number of stops Page Up and Page Down move by: a tenth of the range."""
        return max(1, len(self.values) // 10)

    def stepped(self, value: float, steps: int) -> float:
        """Return the value some arrow presses away; it may leave the slider's range, but not the bounds.

        On a logarithmic scale it is 1, 2 or 5 times a power of ten; a page, or more, is a power of ten."""
        rungs = 3  # Numbers of one digit, 1, 2 and 5, in each decade.
        if self.log and not self.whole:
            for _ in range(min(abs(steps), rungs)):
                value = self.round_neighbour(value, 1 if steps > 0 else -1)
            return value
        if self.low <= value <= self.high:
            at = self.position(value) + steps * self.arrow
            if 0 <= at < len(self.values):
                return self.values[at]
        if self.log and value <= 0.0:
            moved = self.low if steps > 0 else value
        else:
            moved = value + steps * (1 if self.whole else self.values[self.arrow] - self.values[0])
        return min(max(moved, self.least), self.most)

    def round_neighbour(self, value: float, by: int) -> float:
        """Return the next 1, 2 or 5 times a power of ten above (1) or below (-1), within the bounds."""
        if value <= 0.0:
            return self.low if by > 0 else value
        power = math.floor(math.log10(value))
        rungs = [_rounded(m * 10.0**p, 1) for p in range(power - 1, power + 2) for m in (1, 2, 5)]
        if by > 0:
            found = next(rung for rung in rungs if rung > value * (1 + 1e-9))
        else:
            found = next(rung for rung in reversed(rungs) if rung < value * (1 - 1e-9))
        return min(max(found, self.least), self.most)


def scale_of(parameter: Parameter, view: Unit | None = None) -> Scale:
    """Return the scale of a number parameter, in its own terms or in those of a view."""
    low, high = parameter.soft
    least, most = parameter.low, parameter.high
    if view is not None:
        low, high = (_rounded(v, 3) for v in sorted(map(view.from_canonical, (low, high))))
        least, most = sorted(map(view.from_canonical, (least, most)))
    log = parameter.scale == "log" and low > 0
    return Scale(low, high, least, most, log, parameter.is_whole)


def digits(value: float) -> str:
    """Return a number as a field shows it: four digits, exponents as people write them (1e-5)."""
    text = number(value) if isinstance(value, int) else number(float(f"{value:.4g}"))
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if e else text


def _rounded(value: float, significant: int) -> float:
    """Return a value rounded to a number of significant digits."""
    return float(f"{value:.{significant}g}")
