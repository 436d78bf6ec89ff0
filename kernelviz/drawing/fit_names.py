"""What several fits of the same data are called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kernelviz.drawing.numbers import in_short
from kernelviz.engine.fits import Fit

__all__ = ["fit_names"]

LONGEST_FIT = 40
"""Letters of a name."""
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
