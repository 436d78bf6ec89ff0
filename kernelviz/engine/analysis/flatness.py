"""Models whose score is the same everywhere: they do not tell one point from another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelviz.engine.data import Task

if TYPE_CHECKING:
    from kernelviz.engine.model import Model

__all__ = ["about_flatness"]

SAID_OTHERWISE = ("running", "not separable")
REMEDY = "Another kernel or other parameters may."


def about_flatness(model: Model) -> str:
    """That a finished model does not distinguish anything, and why, in two sentences; else empty."""
    data = model.problem.data
    if not model.flat or model.status in SAID_OTHERWISE:
        return ""
    if model.algorithm.ignores_labels:
        return (
            "w is 0: in feature space the points surround the origin, so that nothing tells inside from "
            f"outside. {REMEDY}"
        )
    if data.task is not Task.TWO_CLASSES:
        return ""
    if model.ties.all():
        return f"The score is 0 everywhere: this model does not distinguish anything. {REMEDY}"
    named = data.class_names[int((model.training_scores > 0).any())]
    told = f"The score is the same everywhere: all is classified as {named}"
    if len(set(data.class_of_each)) == 1:
        return f"{told}, the only class there is."
    return f"{told}. Another kernel or other parameters may tell points apart."
