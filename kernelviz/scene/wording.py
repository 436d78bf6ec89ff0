"""Names of fits, quoted strings, numbers and remarks as they are written in views, figures and messages.

Every number that a user reads goes through `shown` or one of its relatives, so that all have the same
style: few digits, a true minus sign, errors in per cent."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernelviz.engine.algorithms.perceptron import MistakeDriven
from kernelviz.engine.algorithms.several_classes import OneVsOne
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import Declared, Parameter, number
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.base import Product, Scaled, Sum
from kernelviz.engine.models.base import Model
from kernelviz.engine.numbers.bounds import mistakes_made
from kernelviz.engine.numbers.declared import NUMBERS, label
from kernelviz.engine.numbers.of_fit import TestNumbers, resolution
from kernelviz.runtime.messages import Frame, Verdict

LONGEST_WORDS = 28  # Characters of a label.
LONGEST_FIT = 48  # Letters of the name of a fit.
PARAMETERS = re.compile(r" \([^()]*=[^()]*\)")
SIGN_OR_NUMBER = re.compile(r"[+-]|-?\d+(\.\d+)?")
DECIMALS = re.compile(r"\d+\.\d+(e[+-]?\d+)?")


def visible(text: str) -> str:
    """Return a string on one line, with signs for invisible characters; a thin space, as in "72\u202f%", is
    kept."""
    thin, blank = "\u202f", "␣"
    line = "".join(sign if sign.isprintable() or sign == thin else "·" for sign in text)
    return line if line.strip() else re.sub(r"\s", blank, line) or "(empty)"


def shortened(text: str, longest: int = LONGEST_WORDS) -> str:
    """Return a string on one line, not too long, with signs for invisible characters."""
    line = visible(text[: longest + 1])
    return line if len(text) <= longest else f"{line[: longest - 1]}…"


def class_labels(names: Sequence[str]) -> list[str]:
    """Return what classes are called where they stand alone: words as they are, signs and numbers as "class
    −", "class +1", "class 0"."""
    sign = "+" if set(names) == {"-1", "1"} else ""
    return [
        f"class {sign if name == '1' else ''}{name.replace('-', '−')}"
        if SIGN_OR_NUMBER.fullmatch(name)
        else visible(name)
        for name in names
    ]


def named(data: Data, i: int) -> str:
    """Return the name of a training point: a string itself, other points by their number."""
    return f"point {i + 1}" if data.has_numbers else shortened(data.X[i])


def fit_names(fits: Sequence[Fit], longest: int = LONGEST_FIT) -> list[str]:
    """Return for each fit the words that distinguish it from the others, such as "Soft-margin SVM (C =
    10)"; without parameters where that would be too long and still distinguishes them.

    Fits with the same kernel are called by their algorithms, and the other way round."""
    if len({fit.kernel for fit in fits}) == 1:
        names = [readable(fit.algorithm) for fit in fits]
    elif len({fit.algorithm for fit in fits}) == 1:
        names = [readable(fit.kernel) for fit in fits]
    else:
        kernels = [f"{readable(fit.kernel)}, " if fit.algorithm.uses_kernel else "" for fit in fits]
        names = [kernel + readable(fit.algorithm) for kernel, fit in zip(kernels, fits, strict=True)]
    brief = [name if len(name) <= longest else PARAMETERS.sub("", name) for name in names]
    if len(set(brief)) == len(fits):
        names = brief
    return [name if len(name) <= longest else f"{name[: longest - 1]}…" for name in names]


def readable(part: Declared) -> str:
    """Return a kernel or an algorithm in words, such as "Gaussian (γ = 1) + 0.5 × Linear"."""
    if isinstance(part, OneVsOne):
        return readable(part.binary)
    if isinstance(part, Sum):
        return " + ".join(map(readable, part.parts))
    if isinstance(part, Scaled | Product):
        factors = (f"({readable(p)})" if isinstance(p, Sum) else readable(p) for p in part.parts)
        return f"{shown(part.scale)} × {next(factors)}" if isinstance(part, Scaled) else " × ".join(factors)
    values = (
        _assigned(parameter, value)
        for parameter, value in zip(part.parameters(), part.values().values(), strict=True)
        if not (parameter.silent and value == parameter.default)
    )
    title, given = part.title.partition(" (")[0], ", ".join(filter(None, values))
    return f"{title} ({given})" if given else title


def _assigned(parameter: Parameter, value: Any) -> str:
    """Return the value of a parameter by its symbol; a flag that is not set needs no word."""
    if isinstance(value, bool):
        return parameter.label if value else ""
    return f"{parameter.label} = {value if isinstance(value, str) else shown(value)}"


def shown(value: float, digits: int = 4, zero: float = 0.0) -> str:
    """Return a number for people: few digits, a true minus sign, and 0 if it is no larger than `zero`.

    >>> shown(-1234.567), shown(1e-9), shown(1e-9, zero=1e-6)
    ('−1235', '1e−9', '0')"""
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


def in_short(expression: object) -> str:
    """Return an expression with its numbers rounded to four digits."""
    return DECIMALS.sub(lambda found: number(float(f"{float(found[0]):.4g}")), str(expression))


def errors_in_words(numbers: Mapping[str, float | int | None], test: TestNumbers | None) -> list[str]:
    """Return the errors of a fit on its points and on those held out, as far as they are known: the share of
    mistakes, or for real targets the mean squared error."""
    squares = numbers.get("training_error") is None
    training, held_out = "training_error", "test_error"
    if squares:
        training, held_out = "mean_squared_error", "test_mean_squared_error"
    if numbers.get(training) is None:
        return []
    found = [(training, numbers[training])]
    if test is not None:
        found.append((held_out, test.mean_squared_error if squares else test.error))
    return [f"{label(key)} {error_shown(error, squares)}" for key, error in found if error is not None]


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, such as "1 point" or "7 points"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def error_shown(error: float, squares: bool, digits: int = 3) -> str:
    """Return an error as people read it: a mean of squares, or a share of mistakes in per cent."""
    if not math.isfinite(error):
        return "–"
    return shown(error, digits) if squares else f"{100 * error:.{digits}g} %".replace("-", "−")


def loss_shown(loss: float, model: Model, digits: int = 4) -> str:
    """Return a loss of a model, of one point or a mean, as people read it: 0 if it is no larger than the
    error of its scores."""
    return shown(loss, digits, zero=model.accuracy)


def number_shown(key: str, value: float, dual_objective: float | None) -> str:
    """Return a number of a summary as people read it: errors in per cent, and 0 for a rounding error."""
    if NUMBERS[key].unit == "%":
        return f"{100 * value:.3g} %"
    return shown(value, zero=resolution(key, dual_objective))


# Remarks ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Remark:
    """A few words next to the switches of a view, and a sentence that explains them."""

    words: str = ""
    meaning: str = ""


def about_mistakes(frame: Frame | None, verdict: Verdict | None) -> Remark:
    """Return the number of mistakes that a perceptron has made and can make, as in "12 mistakes (at most
    87)", with the theorem that says so; an empty remark for other algorithms."""
    count = None if frame is None else mistakes_made(frame.model)
    if frame is None or count is None:
        return Remark()
    words, bound = counted(count, "mistake"), _mistake_bound(frame, verdict)
    if bound is None:
        return Remark(words)
    if math.isinf(bound):
        return Remark(
            f"{words} (no bound)",
            "Nothing in the kernel's feature space separates these points: mistakes have no bound.",
        )
    how = frame.model.algorithm
    assert isinstance(how, MistakeDriven)
    astronomic = 1e7  # Bounds from this on are written as powers of ten.
    most = f"{bound:.1e}" if bound >= astronomic else f"{math.floor(bound):,}"
    return Remark(
        f"{words} (at most {most})",
        f"However long the algorithm runs: {how.most_mistakes} mistakes at most, {how.separating}.",
    )


def _mistake_bound(frame: Frame, verdict: Verdict | None) -> float | None:
    """Return the bound, if the verdict is on the problem of the frame."""
    if verdict is None:
        return None
    asked, fit = verdict.request, frame.request.fits[frame.fit]
    same = asked.data is frame.data and (asked.kernel, asked.algorithm) == (fit.kernel, fit.algorithm)
    return verdict.mistake_bound if same else None
