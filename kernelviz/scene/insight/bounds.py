"""Every number of the fit and the three error bounds, in a table.

The numbers are those of `engine.numbers`, each with the formula it is declared with. The bounds are
theorems about the error on new data: for a perfect separation by a margin, for a margin with slack, and for
few support vectors."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.engine.algorithms.perceptron import MistakeDriven
from kernelviz.engine.analysis.points import bound_of
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.params import real
from kernelviz.engine.models.base import Model
from kernelviz.engine.numbers.bounds import Bound, best_reference, error_bounds, why_no_bounds
from kernelviz.engine.numbers.declared import NUMBERS, label
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.scene.rows import SIZES, NamedValue, ValueRows
from kernelviz.scene.view import Now, Scene, View, ViewMemory, message
from kernelviz.scene.wording import about_mistakes, loss_shown, number_shown, shown

# Numbers with a row of their own, in the order of the rows; the others stand in the row of another.
LISTED = tuple(
    number
    for number in NUMBERS.values()
    if number.group in ("fit", "residuals")
    and number.key not in ("loss", "support_vectors", "free", "bounded")
)

NO_BOUNDS = "bounds by margins"  # The row that says why there are none.


@dataclass(frozen=True)
class BoundsView(View):
    """Two blocks of rows, the numbers and the bounds; pointing at a row shows its formula below them."""

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
        help="Margin γ₀ from which slacks count, relative to the one that makes the ratio smallest",
    )  # fmt: skip

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        verdict = now.verdict
        judged = verdict if verdict is not None and verdict.request.data is frame.data else None
        numbers = number_rows(frame, judged)
        if not numbers:
            return message("No numbers are available for this fit.")
        bounds = bound_rows(frame.model, self.delta, self.reference)
        rows = ValueRows(
            items=numbers,
            more=bounds,
            hint="Point at a number to see its formula.",
            largest=1.0 if now.on_paper else SIZES[0],
        )
        apply = any(row.name != NO_BOUNDS for row in bounds)
        return Scene(rows, ("delta", "reference") if apply else ())


def number_rows(frame: Frame, verdict: Verdict | None) -> tuple[NamedValue, ...]:
    """Return a row for each number that applies to the fit, in the order of LISTED."""
    numbers, own = frame.model.numbers, frame.model.own_loss
    rows = []
    losses = ("hinge_loss", "epsilon_loss")
    for declared in LISTED:
        key, value = declared.key, numbers.get(declared.key)
        if value is None:
            continue
        value_shown = number_shown(key, value, numbers.get("dual_objective"))
        if key in losses:
            value_shown = loss_shown(value, frame.model)
        rows.append(NamedValue(declared.label, value_shown, declared.formula))
        if key == "training_error" and numbers["loss"] is not None and own.name != "hinge":
            value_shown = loss_shown(numbers["loss"], frame.model)
            rows.append(NamedValue(f"mean {own.name} loss", value_shown, f"(1/n) Σ {own.formula}"))
        if key == "radius" and (count := numbers["support_vectors"]) is not None:
            free = numbers["free"]
            parts = "" if free is None else f" ({free} free, {numbers['bounded']} bounded)"
            bound = bound_of(frame.model.algorithm)
            formula = f"αᵢ > 0; free: 0 < αᵢ < {bound}, bounded: αᵢ = {bound}"
            rows.append(NamedValue(label("support_vectors"), f"{count}{parts}", formula))
    test, residuals = frame.test, None if verdict is None else verdict.residuals
    if test is not None and test.error is not None:
        rows.append(_row("test_error", f"{100 * test.error:.3g} %"))
    if test is not None and test.mean_squared_error is not None:
        rows.append(_row("test_mean_squared_error", shown(test.mean_squared_error)))
    if residuals is not None and residuals.degrees_of_freedom is not None:
        rows.append(_row("degrees_of_freedom", shown(residuals.degrees_of_freedom)))
    return (*rows, *_mistakes(frame, verdict))


def _row(key: str, value: str) -> NamedValue:
    """Return the row of a declared number."""
    return NamedValue(label(key), value, NUMBERS[key].formula)


def _mistakes(frame: Frame, verdict: Verdict | None) -> list[NamedValue]:
    """Return the row for the mistakes of a perceptron and their bound; none for other algorithms."""
    remark, how = about_mistakes(frame, verdict), frame.model.algorithm
    if not remark.words or not isinstance(how, MistakeDriven):
        return []
    count, _, rest = remark.words.partition(" mistake")
    value = f"{count} {rest.removeprefix('s').strip()}".strip()
    return [NamedValue(label("mistakes"), value, f"Σ αᵢ ≤ {how.most_mistakes}", remark.meaning)]


def bound_rows(model: Model, delta: float, reference: float) -> tuple[NamedValue, ...]:
    """Return a row for each of the three bounds of a classifier, with slacks counted from `reference` times
    the margin that suits them best; or one that says why no bound applies."""
    why = why_no_bounds(model)
    none = (
        (NamedValue(NO_BOUNDS, "do not apply", "margin bounds on the error on new data", why),) if why else ()
    )
    norm, counted_from = model.numbers["norm"], None
    if norm and not why and model.problem.data.task is Task.TWO_CLASSES:
        margins = model.problem.z * model.training_scores / norm
        counted_from = reference * best_reference(margins, model.radius)
    bounds = error_bounds(model, delta, counted_from)
    if not bounds:
        return none
    given = f"δ = {shown(delta)}" + (f", γ₀ = {shown(counted_from)}" if counted_from else "")
    asked = NamedValue(
        "asked with",
        given,
        "the bounds hold with probability 1 − δ; slacks count from γ₀",
        "They hold for a kernel and parameters chosen beforehand, not after tuning them on the same points.",
    )
    return (*none, asked, *(_item(bound) for bound in bounds))


def _item(bound: Bound) -> NamedValue:
    """Return the row of a bound: ε if it says anything, or a ratio to which it is proportional."""
    if bound.ratio is not None:
        value, note = shown(bound.ratio), "The error bound is proportional to it, with an unknown constant."
        return NamedValue(bound.name, value, NUMBERS[bound.key].formula, note)
    value, note = "does not apply", "" if bound.vacuous else bound.sentence
    if bound.value is not None:
        value = f"ε = {100 * bound.value:.3g} %"
        if bound.vacuous:
            value = f"vacuous, ε = {shown(bound.value, 3)}"
    if bound.needs is not None:
        count = f"{bound.needs:,}" if bound.needs < 10**7 else shown(bound.needs, 4)
        note += f" Drops below 50 % with {count} or more points."
    return NamedValue(bound.name, value, NUMBERS[bound.key].formula, note.strip())
