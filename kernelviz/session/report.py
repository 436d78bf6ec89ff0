"""Fitted models as plain values and as JSON: one, as `kernelviz fit` prints it, or several side by side."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from kernelviz.engine.analysis.remarks import about_flatness, about_other_optima, about_the_gap
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.params import number
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.several_classes import MultiClassModel
from kernelviz.engine.numbers.declared import NUMBERS
from kernelviz.engine.numbers.of_fit import on_held_out, resolution
from kernelviz.session.state import LETTERS

# Numbers by which one fit is better than another, and the function that picks the best value.
BETTER = {n.key: max if n.better == "larger" else min for n in NUMBERS.values() if n.better}
# Numbers that are defined only where points are put into classes.
NEED_CLASSES = tuple(n.key for n in NUMBERS.values() if n.needs_classes)


def report(model: Model, note: str = "", held_out: Data | None = None) -> dict[str, Any]:
    """Return a model and its numbers as plain values, as `kernelviz fit` prints them.

    note: a sentence about what was done to the data, which precedes the model's message. held_out: points to
    test the model on, which add their numbers to the summary. What does not apply is None."""
    # Remarks about a model that follow its message where they apply.
    remarks = (about_flatness, about_the_gap, about_other_optima)
    data = model.problem.data
    return {
        "kernel": str(model.problem.kernel),
        "algorithm": str(model.algorithm),
        "n": data.n,
        "task": str(data.task),
        "columns": list(data.columns),
        "classes": list(data.class_names),
        **_weights(model),
        **_pairs(model),
        "converged": model.converged,
        "message": " ".join(filter(None, (note, model.message, *(remark(model) for remark in remarks)))),
        "loss": model.own_loss.name,
        "summary": model.summary() | (on_held_out(model, held_out).summary() if held_out is not None else {}),
    }


def _weights(model: Model) -> dict[str, Any]:
    """Return α, β, b and the support vectors. Adding zero turns -0.0, which puzzles readers, into 0.0."""
    return {
        "alpha": None if model.alpha is None else (model.alpha + 0.0).tolist(),
        "beta": None if model.beta is None else (model.beta + 0.0).tolist(),
        "b": None if model.b is None else model.b + 0.0,
        "support": model.support.tolist(),
    }


def _pairs(model: Model) -> dict[str, Any]:
    """Return the weights of each pair of classes, if there are several: those of the points `rows`, where +
    is the second class."""
    if not isinstance(model, MultiClassModel):
        return {}
    return {
        "pairs": [
            {
                "classes": [*model.names(pair)],
                "rows": pair.rows.tolist(),
                **_weights(pair.model),
                "support": pair.rows[pair.model.support].tolist(),
                "converged": pair.model.converged,
            }
            for pair in model.pairs
        ]
    }


def as_json(values: dict[str, Any]) -> str:
    """Return JSON with one key on each line and arrays on a single line.

    NaN and infinity, which JSON does not have, become null.

    >>> print(as_json({"n": 2, "summary": {"error": 0.5, "norm": math.nan}}))
    {
      "n": 2,
      "summary": {
        "error": 0.5,
        "norm": null
      }
    }"""
    lines = [f"  {json.dumps(key)}: {_dumped(value)}" for key, value in values.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _dumped(value: Any) -> str:
    """Return a value as JSON: an object with one key on each line, anything else on a single line."""
    if isinstance(value, dict) and value:
        inner = [
            f"    {json.dumps(str(key))}: {json.dumps(_plain(item), allow_nan=False)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(inner) + "\n  }"
    return json.dumps(_plain(value), allow_nan=False)


def _plain(value: Any) -> Any:
    """Return the value in JSON's own types."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


# Several fits -------------------------------------------------------------------------------------------
def compared(models: Sequence[Model], reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return several fits of the same data as plain values.

    "fits": their reports, named A, B, …; "numbers": all numbers side by side; "better": for each number the
    letters of the best fits; "disagree": the points, counted from 0, that fits put into different classes;
    "take_no_sides": the letters of fits that put no point into a class."""
    letters = LETTERS[: len(models)]
    names = list(dict.fromkeys(name for one in reports for name in one["summary"]))
    numbers = {name: list(map(partial(_number, name), models, reports)) for name in names}
    return {
        "n": reports[0]["n"],
        "fits": [
            {"name": letter, **{key: one[key] for key in ("kernel", "algorithm", "converged", "message")}}
            for letter, one in zip(letters, reports, strict=True)
        ],
        "numbers": numbers,
        "better": {name: best for name in BETTER if (best := _better(name, numbers.get(name), letters))},
        "disagree": _disagreement([model for model in models if model.is_classifier]),
        "take_no_sides": [
            letter for letter, model in zip(letters, models, strict=True) if not model.is_classifier
        ],
    }


def _number(name: str, model: Model, one: dict[str, Any]) -> float | None:
    """Return a number of a report; None for mistakes and slack where no point is put into a class."""
    return one["summary"].get(name) if model.is_classifier or name not in NEED_CLASSES else None


def _better(name: str, values: Sequence[float | None] | None, letters: str) -> list[str]:
    """Return the letters of the best values: all in a tie, none where a fit lacks the number.

    Values that are printed the same are the same: solvers do not agree to the last digit."""
    if values is None or any(value is None for value in values):
        return []
    best = BETTER[name](value for value in values if value is not None)
    return [letter for letter, value in zip(letters, values, strict=True) if _shown(value) == _shown(best)]


def _disagreement(models: Sequence[Model]) -> list[int] | None:
    """Return the points, counted from 0, that not all fits put into the same class.

    None where there are no classes, or fewer than two fits that assign them."""
    data = models[0].problem.data if len(models) > 1 else None
    if data is None or data.task not in (Task.TWO_CLASSES, Task.CLASSES):
        return None
    classes = [
        np.sign(model.training_scores) if data.task is Task.TWO_CLASSES else model.codes(data.X)
        for model in models
    ]
    return np.flatnonzero(np.any([own != classes[0] for own in classes[1:]], axis=0)).tolist()


def as_table(comparison: dict[str, Any]) -> str:
    """Return the comparison as text: a column for each fit and a star at the better numbers."""
    fits, numbers = comparison["fits"], comparison["numbers"]
    heads = [f"{fit['name']}: {fit['kernel']} ; {fit['algorithm']}" for fit in fits]
    rows = [["", *(fit["name"] for fit in fits)]]
    for name, values in numbers.items():
        if any(value is not None for value in values):
            better = comparison["better"].get(name, [])
            rows.append([name])
            for fit, value, dual in zip(fits, values, numbers["dual_objective"], strict=True):
                if isinstance(value, float) and abs(value) <= resolution(name, dual):
                    value = 0.0  # only rounding error
                star = "*" if fit["name"] in better and len(better) < len(fits) else ""
                rows[-1].append(f"{_shown(value)}{star}")
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    tail = _messages(comparison)
    if any("*" in cell for row in rows for cell in row):
        tail.insert(0, "* better value, where the numbers can be compared")
    return "\n".join([*heads, "", *lines, "", *tail, *about_disagreement(comparison)]) + "\n"


def _messages(comparison: dict[str, Any]) -> list[str]:
    """Return the messages of fits that did not converge, or that lack a training error which others have."""
    errors, apart = comparison["numbers"]["training_error"], comparison["take_no_sides"]
    known = any(error is not None for error in errors)
    return [
        f"{fit['name']}: {fit['message']}"
        for fit, error in zip(comparison["fits"], errors, strict=True)
        if not fit["converged"] or (known and error is None and fit["name"] not in apart)
    ]


def about_disagreement(comparison: dict[str, Any]) -> list[str]:
    """Return sentences on the number of points where the fits disagree, and on fits that assign no
    classes."""
    without, apart, count = comparison["take_no_sides"], comparison["disagree"], len(comparison["fits"])
    sentences = []
    if apart is not None:
        subject = "The others disagree" if without else "They disagree"
        sentences.append(f"{subject} on {len(apart)} of {comparison['n']} points.")
    if without and (apart is not None or len(without) < count):
        verb = "puts" if len(without) == 1 else "put"
        sentences.insert(0, f"{' and '.join(without)} {verb} no point into a class.")
    return sentences


def _shown(value: float | int | None) -> str:
    """Return a number as the table shows it: whole numbers in full, others with four digits."""
    digits = 4
    if value is None:
        return "–"
    return number(value) if isinstance(value, int) else f"{value:.{digits}g}"
