"""Every number of a fit as a row: its name, its value as people read it, and its formula."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.drawing.insight.mistakes import about_mistakes
from kernelviz.drawing.wording import shown
from kernelviz.engine.algorithms.perceptron import MistakeDriven
from kernelviz.engine.analysis.points import bound_of
from kernelviz.engine.core.data import Task
from kernelviz.engine.models.base import Model
from kernelviz.engine.numbers.bounds import Bound, best_reference, error_bounds, why_no_bounds
from kernelviz.engine.numbers.declared import NUMBERS, label
from kernelviz.engine.numbers.of_fit import resolution
from kernelviz.runtime.messages import Frame, Verdict

# Numbers with a row of their own, in the order of the rows.
ROWS = tuple(
    NUMBERS[key]
    for key in (
        *(
            "training_error",
            "hinge_loss",
            "mean_squared_error",
            "mean_absolute_error",
            "epsilon",
            "epsilon_loss",
        ),
        *("r2", "log_marginal_likelihood", "margin", "margin_width", "norm", "radius"),
        *("primal_objective", "dual_objective", "duality_gap", "kkt_violation", "iterations"),
    )
)

NO_BOUNDS = "bounds by margins"  # The row that says why there are none.

OF_BOUNDS = {
    "perfect separation": "(2/n) ((64R²/m²) ln(en m²/8R²) ln(32n R²/m²) + ln(4/δ)), m the margin",
    "slack": "(R² + ‖h‖²)/γ₀², hᵢ = max(0, γ₀ − zᵢ s(xᵢ)/‖w‖)",
    "compression": "(k ln(en/k) + ln(n/δ))/(n − k), k support vectors, no mistake",
}


@dataclass(frozen=True)
class Row:
    """A number with its formula; what has to be said of it goes below."""

    name: str
    value: str
    formula: str
    note: str = ""


def number_rows(frame: Frame, verdict: Verdict | None) -> tuple[Row, ...]:
    """What is known of the fit, in the order of the summary; nothing for what does not apply."""
    numbers, own = frame.model.numbers, frame.model.own_loss
    rows = []
    for declared in ROWS:
        key, value = declared.key, numbers.get(declared.key)
        if value is None:
            continue
        told = value_told(key, value, numbers.get("dual_objective"))
        rows.append(Row(declared.label, told, declared.formula))
        if key == "training_error" and numbers["loss"] is not None and own.name != "hinge":
            rows.append(Row(f"mean {own.name} loss", shown(numbers["loss"]), f"(1/n) Σ {own.formula}"))
        if key == "radius":
            rows += _of_support(frame)
    return (*rows, *_held_out(frame), *_of_hat(verdict), *_of_mistakes(frame, verdict))


def value_told(key: str, value: float, dual_objective: float | None) -> str:
    """A number of the summary: errors in percent, and 0 for what rounding leaves of it."""
    if NUMBERS[key].unit == "%":
        return f"{100 * value:.3g} %"
    return shown(value, zero=resolution(key, dual_objective))


def _row(key: str, value: str) -> Row:
    return Row(label(key), value, NUMBERS[key].formula)


def _of_support(frame: Frame) -> list[Row]:
    numbers = frame.model.numbers
    if numbers["support_vectors"] is None:
        return []
    told = str(numbers["support_vectors"])
    if numbers["free"] is not None:
        told += f" ({numbers['free']} free, {numbers['bounded']} bounded)"
    bound = bound_of(frame.model.algorithm)
    return [Row(label("support_vectors"), told, f"αᵢ > 0; free: 0 < αᵢ < {bound}, bounded: αᵢ = {bound}")]


def _held_out(frame: Frame) -> list[Row]:
    test = frame.test
    if test is None:
        return []
    rows = []
    if test.error is not None:
        rows.append(_row("test_error", f"{100 * test.error:.3g} %"))
    if test.mean_squared_error is not None:
        rows.append(_row("test_mean_squared_error", shown(test.mean_squared_error)))
    return rows


def _of_hat(verdict: Verdict | None) -> list[Row]:
    residuals = None if verdict is None else verdict.residuals
    if residuals is None or residuals.degrees_of_freedom is None:
        return []
    return [_row("degrees_of_freedom", shown(residuals.degrees_of_freedom))]


def _of_mistakes(frame: Frame, verdict: Verdict | None) -> list[Row]:
    told, how = about_mistakes(frame, verdict), frame.model.algorithm
    if not told.words or not isinstance(how, MistakeDriven):
        return []
    count, _, rest = told.words.partition(" mistake")
    value = f"{count} {rest.removeprefix('s').strip()}".strip()
    return [Row("mistakes", value, f"Σ αᵢ ≤ {how.most_mistakes}", told.meaning)]


def bound_rows(model: Model, delta: float, reference: float) -> tuple[Row, ...]:
    """The three bounds of a classifier with delta, and the slacks counted from `reference` times the best
    margin for them; if there are none, why."""
    why = why_no_bounds(model)
    none = (Row(NO_BOUNDS, "do not apply", "margin bounds on the error on new data", why),) if why else ()
    norm, counted_from = model.numbers["norm"], None
    if norm and not why and model.problem.data.task is Task.TWO_CLASSES:
        margins = model.problem.z * model.training_scores / norm
        counted_from = reference * best_reference(margins, model.radius)
    bounds = error_bounds(model, delta, counted_from)
    if not bounds:
        return none
    given = f"δ = {shown(delta)}" + (f", γ₀ = {shown(counted_from)}" if counted_from else "")
    asked = Row("asked with", given, "the bounds hold with probability 1 − δ; slacks count from γ₀")
    rows = (Row(bound.name, _said(bound), OF_BOUNDS[bound.name], _note(bound)) for bound in bounds)
    return (*none, asked, *rows)


def _said(bound: Bound) -> str:
    if bound.ratio is not None:
        return shown(bound.ratio)
    if bound.value is None:
        return "does not apply"
    return f"vacuous, ε = {shown(bound.value, 3)}" if bound.vacuous else f"ε = {100 * bound.value:.3g} %"


def _note(bound: Bound) -> str:
    if bound.ratio is not None:
        return "The error bound is proportional to it, with an unknown constant."
    said = "" if bound.vacuous else bound.sentence
    if bound.needs is not None:
        said += f" Drops below 50 % with {_count(bound.needs)} or more points."
    return said.strip()


def _count(points: int) -> str:
    return f"{points:,}" if points < 10**7 else shown(points, 4)
