"""A fitted model as plain values and as JSON: what `kernelviz fit` prints and a saved model holds."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from kernelviz.engine.analysis.remarks import about_flatness, about_other_optima, about_the_gap
from kernelviz.engine.core.data import Data
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.several_classes import MultiClassModel
from kernelviz.engine.numbers.of_fit import on_held_out

# What is said of a model besides how it ended, where it applies.
REMARKS = (about_flatness, about_the_gap, about_other_optima)


def report(model: Model, note: str = "", held_out: Data | None = None) -> dict[str, Any]:
    """The model and its numbers. note: what was done to the data, said before how the fit ended. held_out:
    points to test it on."""
    data = model.problem.data
    return {
        "kernel": str(model.problem.kernel),
        "algorithm": str(model.algorithm),
        "n": data.n,
        "task": str(data.task),
        "columns": list(data.columns),
        "classes": list(data.class_names),
        "alpha": _listed(model.alpha),
        "beta": _listed(model.beta),
        "b": None if model.b is None else model.b + 0.0,
        "support": model.support.tolist(),
        **_pairs(model),
        "converged": model.converged,
        "message": " ".join(filter(None, (note, model.message, *(told(model) for told in REMARKS)))),
        "loss": model.own_loss.name,
        "summary": model.summary() | (on_held_out(model, held_out).summary() if held_out is not None else {}),
    }


def _pairs(model: Model) -> dict[str, Any]:
    """For several classes the weights of each pair: those of the points `rows`, + being the second class."""
    if not isinstance(model, MultiClassModel):
        return {}
    names = model.problem.data.class_names
    return {
        "pairs": [
            {
                "classes": [names[pair.minus], names[pair.plus]],
                "rows": pair.rows.tolist(),
                "alpha": _listed(pair.model.alpha),
                "beta": _listed(pair.model.beta),
                "b": None if pair.model.b is None else pair.model.b + 0.0,
                "support": pair.rows[pair.model.support].tolist(),
                "converged": pair.model.converged,
            }
            for pair in model.pairs
        ]
    }


def as_json(values: dict[str, Any]) -> str:
    """One key a line, arrays on a single line; NaN and infinity, which JSON does not know, become null."""
    lines = [f"  {json.dumps(key)}: {_dumped(value)}" for key, value in values.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _dumped(value: Any) -> str:
    if isinstance(value, dict) and value:
        inner = [
            f"    {json.dumps(str(key))}: {json.dumps(_plain(item), allow_nan=False)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(inner) + "\n  }"
    return json.dumps(_plain(value), allow_nan=False)


def _plain(value: Any) -> Any:
    """The value in JSON's own types."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _listed(values: Any) -> list[float] | None:
    """Plain numbers; adding zero turns -0.0, which puzzles readers, into 0.0."""
    return None if values is None else list((values + 0.0).tolist())
