"""The data that a script passes: labels become classes, measured numbers targets.

    data, remark = posed(X, z, "ridge")

Where both are possible the remark says which one was assumed, and how to choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import MOST_CLASSES, Data, Task, measured
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.frames import is_missing, names_of, values_of
from kernelviz.engine.fits.parsing import algorithm as as_algorithm

# The tasks that can be asked for, and how their data are made.
TASKS: dict[str, Callable[[Any, Any, tuple[str, ...]], Data]] = {
    "classification": Data.labelled,
    "regression": Data.regression,
}


def other_task(data: Data) -> Data | None:
    """Return the same points with numbers that were taken as classes as real targets, or the other way round;
    None where the targets allow one of the two only."""
    if data.task is Task.REGRESSION:
        if measured(data.y) or not 2 <= len(set(data.y.tolist())) <= MOST_CLASSES:
            return None
        return replace(Data.labelled(data.X, data.y, data.columns), categories=data.categories)
    numeric = (int, float)
    if data.codes is None or not data.labels or not all(type(label) in numeric for label in data.labels):
        return None
    y = np.array(data.labels, dtype=np.float64)[data.codes]
    return replace(Data.regression(data.X, y, data.columns), categories=data.categories)


def about_task(data: Data, option: str) -> str:
    """Return a sentence that says how the targets were treated, and how to choose, if they may be either.
    option: the prefix of the task's name, "--task " or "task="."""
    if other_task(data) is None:
        return ""
    quote = '"' if option.endswith("=") else ""
    taken, other, name = ("a number", "a class", "classification")
    if data.task is not Task.REGRESSION:
        taken, other, name = ("a class", "a number", "regression")
    return f"The target is treated as {taken}; {option}{quote}{name}{quote} treats it as {other}."


def pose(X: Any, target: Any, algorithm: str | Algorithm, task: str | None = None) -> Data:
    """Return the data for the algorithm's task: labels become classes, real targets stay real. A `task`
    overrides the choice between the two."""
    return posed(X, target, algorithm, task)[0]


def weighed(data: Data, sample_weight: Any, class_weight: Any) -> Data:
    """Return data in which the loss of each point counts as much as its weight times that of its class.

    class_weight: a weight for each label, those left out 1; or "balanced", n/(k n_c) for n_c points of one of
    k classes, so that all classes weigh the same."""
    if sample_weight is None and class_weight is None:
        return data
    given = data if sample_weight is None else data.weighted(sample_weight)
    if class_weight is None:
        return given
    if data.codes is None:
        raise BadInput("A class_weight needs classes, and these points have none.")
    counts = np.bincount(data.codes, minlength=len(data.class_names))
    if isinstance(class_weight, str) and class_weight == "balanced":
        of_class = data.n / (np.count_nonzero(counts) * np.maximum(counts, 1))
    elif isinstance(class_weight, Mapping):
        place = dict(zip(data.class_names, range(len(counts)), strict=True))
        place |= dict(zip(data.answers.tolist(), range(len(counts)), strict=True))
        if unknown := [label for label in class_weight if label not in place]:
            raise BadInput(f"There is no class {unknown[0]!r}; there are {', '.join(data.class_names)}.")
        of_class = np.ones(len(counts))
        for label, weight in class_weight.items():
            try:
                of_class[place[label]] = weight
            except (TypeError, ValueError):
                raise BadInput(f"The weight of class {label} is a number, not {weight!r}.") from None
    else:
        raise BadInput(f'class_weight is "balanced" or has a weight for each class, not {class_weight!r}.')
    return data.weighted(of_class[data.codes] * (1.0 if given.weights is None else given.weights))


def posed(
    X: Any,
    target: Any,
    algorithm: str | Algorithm,
    task: str | None = None,
    missing: str | None = None,
    weights: tuple[Any, Any] = (None, None),
) -> tuple[Data, str]:
    """Return (data, remark): the data for the algorithm's task, and a sentence on the decision.

    missing: "drop" leaves out the rows that lack a value; otherwise they are refused. weights: the
    sample_weight and class_weight of `weighed`."""
    if task is not None and task not in TASKS:
        raise BadInput(f"The task is {' or '.join(TASKS)}, not {task!r}.")
    if missing not in (None, "drop"):
        raise BadInput(f'missing="drop" leaves out rows that lack a value; {missing!r} means nothing.')
    if isinstance(X, Data):
        if target is not None:
            raise BadInput("These data carry their own labels; give either them or a table and labels.")
        if task is not None:
            raise BadInput("The task of these data is known; give a task only with a table and labels.")
        return weighed(X, *weights), ""
    columns, called, remark = names_of(X), getattr(target, "name", None), ""
    if missing == "drop":
        X, target, kept = _whole(values_of(X), target)
        if not kept.all():
            remark = gaps_left_out(int((~kept).sum()), len(kept))
            weights = _part(weights[0], kept), weights[1]
    if target is None:
        return weighed(Data.unlabelled(X, columns), *weights), remark
    data, decided = _with_target(X, target, as_algorithm(algorithm), task, columns)
    if data.task is Task.REGRESSION and isinstance(called, str):  # a column of a data frame
        data = replace(data, target_name=called)
    data = weighed(data, *weights)
    return data, " ".join(filter(None, (remark, "" if decided else about_task(data, "task="))))


def _with_target(
    X: Any, target: Any, algorithm: Algorithm, task: str | None, columns: tuple[str, ...]
) -> tuple[Data, bool]:
    """Return (data, decided): the data, and whether the task or the algorithm left no choice."""
    tasks = algorithm.tasks
    only_regression = tasks == {Task.REGRESSION}
    if (task == "regression" or (task is None and only_regression)) and (word := _word(target)):
        subject = f"{algorithm.name} is for regression and" if only_regression else "Regression"
        raise BadInput(f"{subject} needs a number for each point; these are classes, such as {word!r}.")
    if task is not None:
        return TASKS[task](X, target, columns), True
    quantity = measured(target)
    if only_regression or (Task.REGRESSION in tasks and (quantity or _graph(X, target))):
        return Data.regression(X, target, columns), only_regression
    if quantity:
        raise BadInput(
            "Nearly every point has a label of its own: that is a measured quantity, not a class. Ask for "
            'task="regression" with an algorithm such as ridge or svr.'
        )
    return Data.labelled(X, target, columns), Task.REGRESSION not in tasks


def _part(weights: Any, kept: NDArray[np.bool_]) -> Any:
    """Return the weights of the rows that are kept, if there is one for each row."""
    fits = weights is not None and np.shape(weights) == kept.shape
    return np.asarray(weights)[kept] if fits else weights


def _whole(X: Any, target: Any) -> tuple[Any, Any, NDArray[np.bool_]]:
    """Return the rows that lack neither an input nor a target, and which they are."""
    lacking = np.zeros(len(X), dtype=bool)
    try:
        lacking |= np.isnan(np.array(X, dtype=np.float64).reshape(len(X), -1)).any(axis=1)
    except (TypeError, ValueError):  # texts, or rows of unequal length
        lacking |= [x is None for x in X]
    if target is not None:
        labels = np.array(target, dtype=object).reshape(-1).tolist()
        if len(labels) != len(X):
            raise BadInput(f"There are {len(X)} points but {len(labels)} labels.")
        lacking |= [is_missing(label) or label == "" or label != label for label in labels]
        target = [label for label, gap in zip(labels, lacking.tolist(), strict=True) if not gap]
    if not lacking.any():
        return X, target, ~lacking
    kept = np.flatnonzero(~lacking).tolist()
    X = X[kept] if isinstance(X, np.ndarray) else [X[i] for i in kept]
    return X, target, ~lacking


def gaps_left_out(count: int, n: int) -> str:
    """Return the sentence about rows that lack a value."""
    verbs = ("lacks", "is") if count == 1 else ("lack", "are")
    return f"{count:,} of {n:,} rows {verbs[0]} a value and {verbs[1]} left out."


def _word(target: Any) -> str | None:
    """Return the first target that is a word rather than a number or its spelling."""
    values = np.ravel(target).tolist() if hasattr(target, "__array__") else target
    for value in values if isinstance(values, list | tuple) else ():
        if isinstance(value, str):
            try:
                float(value)
            except ValueError:
                return value
    return None


def _graph(X: Any, target: Any) -> bool:
    """Return True if each of more than two inputs is one number with a real target, as in a table of two
    columns: points of a curve."""
    try:
        inputs, values = np.asarray(X), np.asarray(target)
    except ValueError:  # ragged
        return False
    single = inputs.dtype.kind in "iuf" and inputs.size == len(np.atleast_1d(inputs))
    return single and values.dtype.kind == "f" and len(np.unique(values)) > 2
