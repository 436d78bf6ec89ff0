"""The numbers of settings as axes: of a curve, or of a map of cells."""

from __future__ import annotations

import numpy as np

from kernelviz.drawing.insight.plot import Axis
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.selection.grid import Axis as Numbers


def along(numbers: Numbers) -> Axis:
    """From the smallest to the largest."""
    low, high = float(min(numbers.values)), float(max(numbers.values))
    return Axis(low, high, _name(numbers), log=_log(numbers))


def edges(numbers: Numbers) -> Axis:
    """From the border of the first cell to that of the last."""
    ends = borders(numbers)
    return Axis(float(ends[0]), float(ends[-1]), _name(numbers), log=_log(numbers))


def borders(numbers: Numbers) -> Array:
    """Where the cells of a map begin and end: midway between the values, on their scale."""
    values = np.array(numbers.values)
    ruled = np.log(values) if _log(numbers) else values
    middles = 0.5 * (ruled[1:] + ruled[:-1])
    ends = np.r_[2.0 * ruled[0] - middles[0], middles, 2.0 * ruled[-1] - middles[-1]]
    return np.asarray(np.exp(ends) if _log(numbers) else ends)


def _name(numbers: Numbers) -> str:
    return f"{numbers.knob.parameter.label} of {numbers.knob.owner}"


def _log(numbers: Numbers) -> bool:
    return numbers.knob.logarithmic and min(numbers.values) > 0
