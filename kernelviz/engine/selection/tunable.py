"""Parameters of a fit that can be tuned, and the ranges they are tuned over.

A range is written LOW:HIGH:COUNT or LOW:HIGH:COUNT:SCALE, with the scale log or linear; a list 0.1,1,10."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, Parameter
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.editing import walk

DASH = "  –  "  # Between a number and its owner.


def parse_values(text: str, parameter: Parameter, owner: str, count: int) -> list[float]:
    """Return the values that a list such as 0.1,1,10 or a range stands for."""
    if "," not in text:
        return parse_range(text, parameter, owner, count)
    try:
        listed = [float(value) for value in text.split(",")]
    except ValueError:
        raise BadInput(
            f"A list of values of {parameter.name} is written as in 0.1,1,10, not {text!r}."
        ) from None
    return list(dict.fromkeys(parameter.check(value, owner) for value in listed))


def parse_range(text: str, parameter: Parameter, owner: str, count: int) -> list[float]:
    """Parse LOW:HIGH, LOW:HIGH:COUNT or LOW:HIGH:COUNT:SCALE to values; the scale, log or linear, defaults to
    the parameter's own."""
    low, high, *rest = text.split(":") if ":" in text else (text, "")
    try:
        ends = float(low), float(high)
        number = int(rest[0]) if rest else count
        scale = rest[1].strip() if len(rest) > 1 else parameter.scale
    except ValueError:
        scale = ""
    scales = ("log", "linear")
    if scale not in scales or len(rest) > 2:
        raise BadInput(
            f"The values of {parameter.name} are written as in 0.1,1,10, or LOW:HIGH:COUNT, as in "
            f"0.1:1000:10, or LOW:HIGH:COUNT:linear, not {text!r}."
        )
    most_values = 1000  # Of one parameter.
    if not 2 <= number <= most_values:
        raise BadInput(f"{parameter.name} needs 2 to {most_values} values to choose from, not {number}.")
    return spaced(parameter, owner, *ends, number, scale, exactly=True)


def spaced(
    parameter: Parameter,
    owner: str,
    start: float,
    end: float,
    count: int,
    scale: str,
    exactly: bool = False,
) -> list[float]:
    """Return `count` values from start to end, evenly on the scale, in few digits unless exactly there;
    whole ones without repeats."""
    for limit in (start, end):
        parameter.check(limit, owner)
    if start == end:
        raise BadInput(f"The values of {parameter.name} need two different ends.")
    if scale == "log" and min(start, end) <= 0:
        scale = "linear"
    found: Iterable[float] = (np.geomspace if scale == "log" else np.linspace)(start, end, count).tolist()
    if parameter.is_whole:
        return list(dict.fromkeys(round(value) for value in found))
    low, high = sorted((start, end))
    return [min(max(value if exactly else short(value), low), high) for value in found]


def short(value: float) -> float:
    """Return the value in few digits."""
    digits = 4  # Significant digits of a value in between: captions and expressions must stay readable.
    return float(f"{value:.{digits}g}")


@dataclass(frozen=True)
class Knob:
    """One tunable number of a fit: a parameter of the algorithm, or of a part of the kernel.

    `turned(fit, value)` returns the fit with the number at a value."""

    whose: str  # "kernel" or "algorithm".
    part: tuple[int, ...]  # Which part of the kernel, by the indices from the whole.
    parameter: Parameter
    owner: str
    value: float
    name: str = ""  # What its owner is called in expressions.

    @property
    def text(self) -> str:
        """The number with its owner, as lists show it."""
        return f"{self.parameter.label}{DASH}{self.owner}"

    @property
    def key(self) -> tuple[str, tuple[int, ...], str]:
        """The identity of the number, which stays after its value or its neighbours have changed."""
        return self.whose, self.part, self.parameter.name

    def called(self, whose: str) -> bool:
        """Return True if that is a name of its owner."""
        return whose.replace("-", "_") in (self.name.replace("-", "_"), self.whose)

    @property
    def logarithmic(self) -> bool:
        """Whether its values are spaced by a factor."""
        return self.parameter.scale == "log"

    def usual(self) -> tuple[float, float]:
        """Return the range of a sweep by default."""
        p = self.parameter
        decades = 2  # How far a logarithmic sweep goes by default, to both sides of the present value.
        if self.logarithmic and self.value > 0:
            low, high = self.value / 10**decades, self.value * 10**decades
        else:
            low, high = p.soft
        low, high = max(low, p.low), min(high, p.high)
        return (round(low), round(high)) if p.is_whole else (short(low), short(high))

    def values(self, start: float, end: float, count: int) -> list[float]:
        """Return `count` values from start to end, evenly on the parameter's scale; whole ones without
        repeats."""
        return spaced(self.parameter, self.owner, start, end, count, self.parameter.scale)

    def turned(self, fit: Fit, value: float) -> Fit:
        """Return the fit with this number at a value."""
        change = {self.parameter.name: value}
        if self.whose == "algorithm":
            return fit.replace(algorithm=fit.algorithm.replace(**change))
        return fit.replace(kernel=fit.kernel.having((*self.part, self.parameter.name), value))

    def span(self, count: int) -> list[float]:
        """Return values over all of the usual range, extended to the present value if it lies beyond."""
        low, high = self.parameter.soft
        low, high = (
            max(min(low, self.value), self.parameter.low),
            min(max(high, self.value), self.parameter.high),
        )
        return self.values(low, high, count)


def knobs(fit: Fit) -> list[Knob]:
    """Return all tunable numbers, the technical parameters last."""
    found = []
    if fit.algorithm.uses_kernel:
        for part, kernel in walk(fit.kernel):
            found += _of("kernel", part, kernel)
    found += _of("algorithm", (), fit.algorithm)
    return sorted(found, key=lambda knob: knob.parameter.silent)


def _of(whose: str, part: tuple[int, ...], declared: Declared) -> list[Knob]:
    return [
        Knob(whose, part, p, declared.title, getattr(declared, p.name), declared.name)
        for p in declared.parameters()
        if p.is_number
    ]
