"""Names of fits, quoted strings and numbers as they are written in figures."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import number
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.base import Kernel, Product, Scaled, Sum
from kernelviz.engine.numbers.declared import label
from kernelviz.engine.numbers.of_fit import TestNumbers

LONGEST = 28  # Characters of a label.
BLANK = "␣"


def shortened(text: str, longest: int = LONGEST) -> str:
    """A string on one line, not too long; what could not be seen is shown by signs."""
    line = "".join(sign if sign.isprintable() else "·" for sign in text[: longest + 1])
    if not line.strip():
        line = line.replace(" ", BLANK) or "(empty)"
    return line if len(text) <= longest else f"{line[: longest - 1]}…"


def named(data: Data, i: int) -> str:
    """What a training point is called: a string by itself, others by their number."""
    return f"point {i + 1}" if data.domain == "vectors" else shortened(data.X[i])


LONGEST_FIT = 40  # Letters of a name.
PARAMETERS = re.compile(r"\([^()]*=[^()]*\)")


def fit_names(fits: Sequence[Fit]) -> list[str]:
    """Of each fit what tells it from the others, without parameters where that would be too long and still
    tells them apart."""
    if len({fit.kernel for fit in fits}) == 1:
        names = [in_short(fit.algorithm) for fit in fits]
    elif len({fit.algorithm for fit in fits}) == 1:
        names = [in_short(fit.kernel) for fit in fits]
    else:
        names = [in_short(fit if fit.algorithm.uses_kernel else fit.algorithm) for fit in fits]
    brief = [name if len(name) <= LONGEST_FIT else PARAMETERS.sub("", name) for name in names]
    if len(set(brief)) == len(fits):
        names = brief
    return [name if len(name) <= LONGEST_FIT else f"{name[: LONGEST_FIT - 1]}…" for name in names]


DECIMALS = re.compile(r"\d+\.\d+(e[+-]?\d+)?")


def shown(value: float, digits: int = 4, zero: float = 0.0) -> str:
    """A number for people: few digits, a true minus sign; 0 for what is no larger than `zero`."""
    if abs(value) <= zero:
        return "0"
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else "−∞")
    if abs(value) >= 1e5 or 0 < abs(value) < 1e-4:
        mantissa, exponent = f"{value:.{max(0, digits - 2)}e}".split("e")
        if "." in mantissa:
            mantissa = mantissa.rstrip("0").rstrip(".")
        return f"{mantissa}e{int(exponent)}".replace("-", "−")
    text = f"{value:.{digits}g}"
    if "e" in text:  # more places before the point than digits asked for
        text = f"{value:.0f}"
    return ("0" if float(text) == 0 else text).replace("-", "−")


def in_short(expression: object, digits: int = 4) -> str:
    """A kernel or an algorithm to be read, not typed: its numbers to a few digits."""
    return DECIMALS.sub(lambda found: number(float(f"{float(found[0]):.{digits}g}")), str(expression))


def kernel_name(kernel: Kernel) -> str:
    """Return a kernel's name to be read rather than typed: "Gaussian (γ = 1) + Linear". Parameters that a
    formula leaves out are named only where they are set."""
    if isinstance(kernel, Scaled):
        return f"{shown(kernel.scale)} × {kernel_name(kernel.inner)}"
    if isinstance(kernel, Product):
        names = map(kernel_name, kernel.parts)
        return " × ".join(f"({name})" if " + " in name else name for name in names)
    if isinstance(kernel, Sum):
        return " + ".join(map(kernel_name, kernel.parts))
    told = []
    for parameter in kernel.parameters():
        value = getattr(kernel, parameter.name)
        if not parameter.silent or value != parameter.default:
            told.append(f"{parameter.label} = {shown(value)}" if parameter.is_number else parameter.label)
    name = kernel.title.partition(" (")[0]
    return f"{name} ({', '.join(told)})" if told else name


def errors_told(numbers: Mapping[str, float | int | None], test: TestNumbers | None) -> list[str]:
    """How a fit does on its points and on those held out: the share of mistakes, or of real targets the mean
    squared error; as far as they are known."""
    share, square = numbers.get("training_error"), numbers.get("mean_squared_error")
    told = []
    if share is not None:
        told.append(f"{label('training_error')} {100 * share:.3g} %")
        if test is not None and test.error is not None:
            told.append(f"{label('test_error')} {100 * test.error:.3g} %")
    elif square is not None:
        told.append(f"{label('mean_squared_error')} {shown(square, 3)}")
        if test is not None and test.mean_squared_error is not None:
            told.append(f"{label('test_mean_squared_error')} {shown(test.mean_squared_error, 3)}")
    return told


def counted(count: int, noun: str) -> str:
    """ "1 point", "7 points"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
