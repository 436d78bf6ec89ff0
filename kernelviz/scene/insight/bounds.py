"""Every number of the fit and the three error bounds, in a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kernelviz.drawing.insight.number_rows import NO_BOUNDS, Row, bound_rows, number_rows
from kernelviz.engine.core.params import real
from kernelviz.runtime.messages import Frame
from kernelviz.scene.memory import Memory
from kernelviz.scene.rows import SIZES, Item, Rows
from kernelviz.scene.view import Now, Scene, View, message


@dataclass(frozen=True)
class BoundsView(View):
    """Two blocks of rows; pointing at one shows its formula below them."""

    name = "bounds"
    title = "Bounds and numbers"
    family = "Generalise"
    summary_line = "Every number of the fit with its formula, and what three theorems promise about new data."
    number = 13
    scrolls = True

    delta: float = real(
        0.05, low=1e-9, high=0.5, soft=(1e-4, 0.5), scale="log", label="δ",
        help="The bounds hold with probability 1 − δ over the choice of the points",
    )  # fmt: skip
    reference: float = real(
        1.0, low=1e-3, high=1e3, soft=(0.05, 20.0), scale="log", label="γ₀/best",
        help="From which margin γ₀ the slacks count, in units of that for which their ratio is smallest",
    )  # fmt: skip

    def scene(self, frame: Frame, now: Now, memory: Memory) -> Scene:
        verdict = now.verdict
        judged = verdict if verdict is not None and verdict.request.data is frame.data else None
        numbers = number_rows(frame, judged)
        if not numbers:
            return message("No numbers are available for this fit.")
        bounds = bound_rows(frame.model, self.delta, self.reference)
        rows = Rows(
            items=_items(numbers),
            more=_items(bounds),
            hint="Point at a number to see its formula.",
            largest=1.0 if now.on_paper else SIZES[0],
        )
        apply = any(row.name != NO_BOUNDS for row in bounds)
        return Scene(rows, ("delta", "reference") if apply else ())


def _items(rows: Iterable[Row]) -> tuple[Item, ...]:
    return tuple(Item(row.name, row.value, row.formula, row.note) for row in rows)
