"""Held-out points in a script: written out, and their error printed."""

from __future__ import annotations

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.data import Data, Task
from kernelviz.session.script_text import inputs, vector, wrapped

__all__ = ["SIGNS", "held_out_data", "held_out_error", "sklearn_held_out"]

SIGNS = (("-", "+"), ("-1", "1"))
"""Names of classes that are written as z = ±1."""
NOTE = "# Held out: not fitted, to see how the fit does on points it has not seen."
SQUARES = 'print("held-out mean squared error", np.mean((y_held - {score}(X_held)) ** 2))'


def held_out_data(held: Data) -> list[str]:
    """Lines that make `held_out`, for kernelviz, after those that make `data`."""
    columns = repr(list(held.columns))
    lines = [NOTE, *inputs("X_held", held)]
    if held.target is None:
        return [*lines, f"held_out = kernelviz.Data.unlabelled(X_held, {columns})"]
    if held.task is Task.REGRESSION:
        made = f"held_out = kernelviz.Data.regression(X_held, y_held, {columns})"
        return [*lines, *vector("y_held", held.y), made]
    if held.class_names in SIGNS:
        lines += vector("z_held", held.z)
        lines.append("labels_held = [data.class_names[int(z > 0)] for z in z_held]")
    else:
        lines += wrapped("labels_held = [", map(repr, held.class_of_each), "]")
    return [*lines, f"held_out = kernelviz.Data.labelled(X_held, labels_held, {columns})"]


def held_out_error(held: Data, algorithm: Algorithm) -> list[str]:
    """Lines that print their error, after those of `held_out_data` and the fit."""
    if held.target is None or algorithm.ignores_labels:
        return []
    if held.task is Task.REGRESSION:
        return [SQUARES.format(score="model.score")]
    if held.task is Task.CLASSES:
        return [
            "found = [data.class_names[int(code)] for code in model.codes(X_held)]",
            'print("held-out error", np.mean(np.array(found) != labels_held))',
        ]
    signs = "z_held = np.where(np.array(labels_held) == data.class_names[1], 1, -1)"
    error = 'print("held-out error", np.mean(z_held * model.score(X_held) <= 0))'
    return [error] if held.class_names in SIGNS else [signs, error]


def sklearn_held_out(held: Data, algorithm: Algorithm, names: tuple[str, ...], voting: bool) -> list[str]:
    """The points and their error by `score`. names: the classes that were fitted."""
    if held.target is None or algorithm.ignores_labels:
        return []
    if held.task is Task.REGRESSION:
        return [NOTE, *inputs("X_held", held), *vector("y_held", held.y), SQUARES.format(score="score")]
    if not voting:
        error = 'print("held-out error", np.mean(z_held * score(X_held) <= 0))'
        return [NOTE, *inputs("X_held", held), *vector("z_held", held.z), error]
    # A class that is not among those fitted is never found.
    codes = [str(names.index(name)) if name in names else "-1" for name in held.class_of_each]
    error = 'print("held-out error", np.mean(score(X_held).argmax(axis=1) != y_held))'
    return [NOTE, *inputs("X_held", held), *wrapped("y_held = np.array([", codes, "])"), error]
