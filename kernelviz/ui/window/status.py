"""The status line in words: a frame's numbers, and whatever must not be hidden."""

from __future__ import annotations

from kernelviz.drawing.numbers import counted, errors_told, shown
from kernelviz.engine.analysis.flatness import about_flatness
from kernelviz.engine.losses import SQUARED_ERROR, ZERO_ONE
from kernelviz.engine.model import Model, Status
from kernelviz.runtime.messages import Frame
from kernelviz.session.state import Document

WORDS = {Status.NOT_SEPARABLE: "not separable", Status.LIMIT: "not converged"}
SHORT = 72
"""Letters of a message that still fits beside the numbers; a longer one is in the banner and the tooltip."""

IMPORTANCE = (
    *("none", "training", "held out", "support", "points", "mistakes"),
    *("ε found", "log likelihood", "margin width", "loss", "smallest margin", "b", "iterations", "time"),
)
"""Of the figures: where there is no room for all, the last ones go first."""

__all__ = ["IMPORTANCE", "figures", "warnings"]


def figures(frame: Frame, mistakes: str = "") -> dict[str, str]:
    """n, support vectors, errors, margins, b, loss, mistakes, iterations, time: what applies, by name."""
    numbers = frame.model.numbers
    points = {"points": counted(frame.data.n, frame.data.noun)}
    time = {"time": _duration(frame.seconds)}
    support = numbers.get("support_vectors")
    if frame.model.status is Status.NOT_SEPARABLE and not support:
        return points | {"none": "no separating boundary"} | time
    if frame.model.status is Status.LIMIT and support == 0:
        return points | {"none": "no boundary found"} | time
    parts = points
    if support is not None:
        free, bounded = numbers.get("free"), numbers.get("bounded")
        detail = f" ({free} free, {bounded} bounded)" if free is not None and bounded is not None else ""
        parts["support"] = counted(int(support), "support vector") + detail
    parts |= dict(zip(("training", "held out"), errors_told(numbers, frame.test), strict=False))
    for name, value in told_numbers(frame.model):
        parts["loss" if name.endswith(" loss") else name] = f"{name} {value}"
    if mistakes:
        parts["mistakes"] = mistakes
    if (steps := numbers.get("iterations")) is not None:
        unneeded = steps == 0 and frame.model.status is Status.CONVERGED
        parts["iterations"] = "no iteration needed" if unneeded else counted(int(steps), "iteration")
    return parts | time


def told_numbers(model: Model) -> list[tuple[str, str]]:
    """What of the margin, b and the loss applies, by name. The width is that of the drawn band to either
    side of the boundary, the smallest margin that of the closest point."""
    numbers, zero = model.numbers, model.accuracy
    norm = numbers.get("norm")
    found = [
        ("ε found", None if "epsilon" in model.algorithm.values() else numbers.get("epsilon"), 0.0),
        ("log likelihood", numbers.get("log_marginal_likelihood"), 0.0),
        ("margin width", numbers.get("margin_width"), 0.0),
        ("smallest margin", numbers.get("margin"), zero / norm if norm else 0.0),
        ("b", model.b, zero),
    ]
    loss = model.own_loss
    if loss not in (ZERO_ONE, SQUARED_ERROR):  # which are the training error
        found.append((f"{loss.name} loss", numbers.get("loss"), zero))
    return [(name, shown(value, zero=limit)) for name, value, limit in found if value is not None]


def warnings(frame: Frame | None, document: Document, indefinite: str = "") -> list[str]:
    """What must be said aloud: not converged, not separable, not positive semi-definite, standardised."""
    said = []
    if frame is not None and frame.model.status in WORDS:
        told = frame.model.message
        said.append(told if len(told) <= SHORT else WORDS[frame.model.status])
    if frame is not None and about_flatness(frame.model):
        said.append("the same score everywhere")
    if indefinite:
        said.append(indefinite)
    if document.standardised:
        said.append("coordinates standardised")
    return said


def _duration(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
