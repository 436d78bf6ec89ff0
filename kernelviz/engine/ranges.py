"""Values from a smaller to a larger one, written LOW:HIGH:COUNT."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from kernelviz.engine.errors import BadInput
from kernelviz.engine.params import Parameter

__all__ = ["MOST_VALUES", "parse_range", "short", "spaced"]

MOST_VALUES = 1000
"""Of one parameter."""
DIGITS = 4
"""Significant digits of a value in between: captions and expressions must stay readable."""
SCALES = ("log", "linear")


def parse_range(text: str, parameter: Parameter, owner: str, count: int = 10) -> list[float]:
    """The values that LOW:HIGH, LOW:HIGH:COUNT or LOW:HIGH:COUNT:SCALE stands for; the scale, log or linear,
    is the parameter's own where none is named."""
    low, high, *rest = text.split(":") if ":" in text else (text, "")
    try:
        ends = float(low), float(high)
        number = int(rest[0]) if rest else count
        scale = rest[1].strip() if len(rest) > 1 else parameter.scale
    except ValueError:
        scale = ""
    if scale not in SCALES or len(rest) > 2:
        raise BadInput(
            f"The values of {parameter.name} are written LOW:HIGH:COUNT, as in 0.1:1000:10, or "
            f"LOW:HIGH:COUNT:linear, not {text!r}."
        )
    if not 2 <= number <= MOST_VALUES:
        raise BadInput(f"{parameter.name} needs 2 to {MOST_VALUES} values to choose from, not {number}.")
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
    """`count` values from start to end, evenly on the scale, in few digits unless exactly there; whole ones
    without repeats."""
    for limit in (start, end):
        parameter.check(limit, owner)
    if start == end:
        raise BadInput(f"The values of {parameter.name} need two different ends.")
    if scale == "log" and min(start, end) <= 0:
        scale = "linear"
    found: Iterable[float] = (np.geomspace if scale == "log" else np.linspace)(start, end, count).tolist()
    if parameter.kind == "integer":
        return list(dict.fromkeys(round(value) for value in found))
    low, high = sorted((start, end))
    return [min(max(value if exactly else short(value), low), high) for value in found]


def short(value: float) -> float:
    """The value in few digits."""
    return float(f"{value:.{DIGITS}g}")
