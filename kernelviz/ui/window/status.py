"""The status line in words: a frame's numbers, and whatever must not be hidden."""

from __future__ import annotations

from kernelviz.drawing.numbers import counted, errors_told, shown
from kernelviz.engine.analysis.flatness import about_flatness
from kernelviz.engine.losses import ZERO_ONE
from kernelviz.engine.model import Model, Status
from kernelviz.runtime.messages import Frame
from kernelviz.session.state import Document

WORDS = {Status.NOT_SEPARABLE: "not separable", Status.LIMIT: "not converged"}
SHORT = 72
"""Letters of a message that still fits beside the numbers; a longer one is in the banner and the tooltip."""

__all__ = ["figures", "warnings"]


def figures(frame: Frame, mistakes: str = "") -> list[str]:
    """n, support vectors, errors, margins, b, loss, mistakes, iterations, time: what applies."""
    numbers = frame.model.numbers
    parts = [counted(frame.data.n, "point")]
    support = numbers.get("support_vectors")
    if support is not None:
        free, bounded = numbers.get("free"), numbers.get("bounded")
        detail = f" ({free} free, {bounded} bounded)" if free is not None and bounded is not None else ""
        parts.append(counted(int(support), "support vector") + detail)
    if frame.model.status is Status.NOT_SEPARABLE and not support:
        return [*parts[:1], "no separating boundary", _duration(frame.seconds)]
    if frame.model.status is Status.LIMIT and support == 0:
        return [*parts[:1], "no boundary found", _duration(frame.seconds)]
    parts += errors_told(numbers, frame.test)
    for name, value in told_numbers(frame.model):
        parts.append(f"{name} {value}")
    if mistakes:
        parts.append(mistakes)
    if (steps := numbers.get("iterations")) is not None:
        unneeded = steps == 0 and frame.model.status is Status.CONVERGED
        parts.append("no iteration needed" if unneeded else counted(int(steps), "iteration"))
    parts.append(_duration(frame.seconds))
    return parts


def told_numbers(model: Model) -> list[tuple[str, str]]:
    """What of the margin, b and the loss applies, by name. The width is that of the drawn band to either
    side of the boundary, the smallest margin that of the closest point."""
    numbers, zero = model.numbers, model.accuracy
    norm = numbers.get("norm")
    found = [
        ("margin width", numbers.get("margin_width"), 0.0),
        ("smallest margin", numbers.get("margin"), zero / norm if norm else 0.0),
        ("b", model.b, zero),
    ]
    loss = model.own_loss
    if loss is not ZERO_ONE:  # which is the training error
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
