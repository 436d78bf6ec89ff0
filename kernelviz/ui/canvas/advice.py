"""What to say in the canvas about a failure, a fit, or a picture that shows too little; and what to try."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from kernelviz.drawing.figure.axes import axis_name
from kernelviz.engine.analysis.flatness import about_flatness
from kernelviz.engine.data import Data
from kernelviz.engine.model import Model, Status
from kernelviz.runtime.messages import Failure
from kernelviz.session.state import LETTERS
from kernelviz.session.workspaces.base import Workspace

__all__ = [
    "Advice",
    "advice_on_aspect",
    "advice_on_bumps",
    "advice_on_failure",
    "advice_on_model",
    "advice_on_others",
]

FLAT = 300.0
"""Times as wide as high, or the other way round: points that lie on a line to the eye."""
FEWEST_JUDGED = 5
"""Fewer points than this may lie on a line because somebody puts them there one by one."""


class Advice(NamedTuple):
    """What is the matter, and what to try ("" if there is nothing to suggest)."""

    text: str
    suggestion: str = ""
    toggle: str = ""
    """What in the view to switch off, by its name among the toggles, if that helps."""


def advice_on_failure(failure: Failure, how_to_add: str) -> Advice:
    """What the failure's sentences say: the first what is wrong, the rest what to do."""
    if failure.details:
        return Advice(failure.sentence, "Undo the last change, or save your points and report this.")
    if failure.request.data.n == 0:
        return Advice(_parted(failure.sentence, "").text, how_to_add)
    return _parted(failure.sentence, "")


def advice_on_others(failures: Iterable[Failure]) -> Advice | None:
    """What to say of fits that should be seen beside the active one; None when all of them are."""
    told = [f"Fit {LETTERS[failure.fit]}: {failure.sentence}" for failure in failures]
    return _parted(" ".join(told), "") if told else None


def advice_on_model(model: Model) -> Advice | None:
    """What to say about a fit that did not end well or says nothing; None when all is well."""
    if model.status is Status.NOT_SEPARABLE:
        return _parted(
            model.message or "The classes are not separable.", "Try the soft margin or another kernel."
        )
    if model.status is Status.LIMIT and not _usual(model):
        return _parted(
            model.message or "Stopped at the step limit.",
            "Try another kernel or algorithm, or other parameters.",
        )
    flat = about_flatness(model)
    return _parted(flat, "") if flat else None


def _usual(model: Model) -> bool:
    """Whether the algorithm (in a vote, the one for each pair) ends like this as a rule."""
    algorithm = getattr(model.algorithm, "binary", model.algorithm)
    return bool(algorithm.ends_at_limit)


def _parted(sentences: str, otherwise: str) -> Advice:
    """The first sentence, and the rest of them as the suggestion if there are more."""
    first, stop, rest = sentences.partition(". ")
    return Advice(first + stop.strip(), rest or otherwise)


def advice_on_bumps(model: Model) -> Advice | None:
    """What to say when there are no bumps to be drawn; None when there are."""
    if model.beta is not None:
        return None
    return Advice(
        f"{model.algorithm.title} has no bumps βᵢ K(xᵢ, x): its curve is no sum of kernels.",
        "Choose an algorithm with a weight for each point, such as ridge regression, to see them.",
        "bumps",
    )


def advice_on_aspect(workspace: Workspace, data: Data) -> Advice | None:
    """What to say when equal aspect presses the points onto a line; None when it does not."""
    if data.n < FEWEST_JUDGED:
        return None
    spread = np.ptp(workspace.positions(data), axis=0)
    narrow = int(spread.argmin())
    if not 0.0 < FLAT * spread[narrow] < spread[1 - narrow]:
        return None
    small, large = (axis_name(workspace.axes(data)[j]) for j in (narrow, 1 - narrow))
    return Advice(
        f"{small} varies so much less than {large} that the points lie on a line.",
        "With equal aspect one unit is as long on both axes; without, both are seen in full.",
        "equal_aspect",
    )
