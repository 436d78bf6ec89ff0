"""A perceptron's mistakes beside the most it can make: the theorem, in a few words."""

from __future__ import annotations

import math

from kernelviz.drawing.insight.picture import Remark
from kernelviz.engine.algorithms.perceptron import MistakeDriven
from kernelviz.engine.numbers.bounds import mistakes_made
from kernelviz.runtime.messages import Frame, Verdict

ASTRONOMIC = 1e7


def about_mistakes(frame: Frame | None, verdict: Verdict | None) -> Remark:
    """ "12 mistakes (at most 87)" and what the bound says; nothing for what is no perceptron."""
    count = None if frame is None else mistakes_made(frame.model)
    if frame is None or count is None:
        return Remark()
    said = f"{count} mistake{'' if count == 1 else 's'}"
    bound = _bound(frame, verdict)
    if bound is None:
        return Remark(said)
    if math.isinf(bound):
        return Remark(
            f"{said} (no bound)",
            "Nothing in the kernel's feature space separates these points: mistakes have no bound.",
        )
    how = frame.model.algorithm
    assert isinstance(how, MistakeDriven)
    return Remark(
        f"{said} (at most {_shown(bound)})",
        f"However long it runs: {how.most_mistakes} mistakes at most, {how.separating}.",
    )


def _bound(frame: Frame, verdict: Verdict | None) -> float | None:
    """The bound, if the verdict is on the frame's own problem."""
    if verdict is None:
        return None
    asked, fit = verdict.request, frame.request.fits[frame.fit]
    same = asked.data is frame.data and (asked.kernel, asked.algorithm) == (fit.kernel, fit.algorithm)
    return verdict.mistake_bound if same else None


def _shown(bound: float) -> str:
    return f"{bound:.1e}" if bound >= ASTRONOMIC else f"{math.floor(bound):,}"
