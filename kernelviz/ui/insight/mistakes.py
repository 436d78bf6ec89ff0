"""A perceptron's mistakes beside the most it can make: the theorem, in a few words."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QObject

from kernelviz.engine.solvers.mistake_driven import MistakeDriven
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["MistakeTally"]

ASTRONOMIC = 1e7


class MistakeTally(QObject):
    """Counts the mistakes of a frame, and remembers the bound the worker found for its problem."""

    def __init__(self, workbench: Workbench, changed: Callable[[], None]) -> None:
        super().__init__(workbench)
        self._verdict: Verdict | None = None
        self._changed = changed
        workbench.verdict_arrived.connect(self._on_verdict)

    def _on_verdict(self, verdict: Verdict) -> None:
        self._verdict = verdict
        if verdict.mistake_bound is not None:
            self._changed()

    def words(self, frame: Frame | None) -> str:
        """ "12 mistakes (at most 87)"; empty for what is no perceptron."""
        count = _count(frame)
        if frame is None or count is None:
            return ""
        said = f"{count} mistake{'' if count == 1 else 's'}"
        bound = self._bound(frame)
        if bound is None:
            return said
        return f"{said} (no bound)" if math.isinf(bound) else f"{said} (at most {_shown(bound)})"

    def meaning(self, frame: Frame | None) -> str:
        """What the bound says, for a tooltip."""
        bound = self._bound(frame) if frame is not None and _count(frame) is not None else None
        if bound is None:
            return ""
        if math.isinf(bound):
            return "Nothing in the kernel's feature space separates these points: mistakes have no bound."
        return "However long it runs: ‖g‖² R² mistakes at most, g the least with z·g(x) ≥ 1 at every point."

    def _bound(self, frame: Frame) -> float | None:
        verdict = self._verdict
        if verdict is None:
            return None
        asked, shown = verdict.request, frame.request
        same = (
            asked.data is shown.data and asked.kernel == shown.kernel and asked.algorithm == shown.algorithm
        )
        return verdict.mistake_bound if same else None


def _count(frame: Frame | None) -> int | None:
    """Every mistake adds one to an alpha."""
    if frame is None or not isinstance(frame.model.algorithm, MistakeDriven) or frame.model.alpha is None:
        return None
    return round(float(frame.model.alpha.sum()))


def _shown(bound: float) -> str:
    return f"{bound:.1e}" if bound >= ASTRONOMIC else f"{math.floor(bound):,}"
