"""Adding points to those of a document."""

from __future__ import annotations

import dataclasses

import numpy as np

from kernelviz.engine.core.arrays import read_only
from kernelviz.engine.core.data import MOST_CLASSES, Data, Task
from kernelviz.engine.core.errors import BadInput

CLASSES = (Task.TWO_CLASSES, Task.CLASSES)
# Names of classes that are other ways to write - and +.
SIGNS = {"-1": "-", "1": "+", "+1": "+", "−": "-"}


def joined(data: Data, more: Data) -> Data:
    """Return all points of both, in this order; columns are named as in `data`, and classes of one name are
    one class. BadInput where they cannot be joined."""
    if data.domain != more.domain or len(data.columns) != len(more.columns):
        raise BadInput("These points have other columns than the present ones, so they cannot be added.")
    if data.task in CLASSES and more.task in CLASSES:
        return _with_classes(data, more)
    if data.task is not more.task:
        raise BadInput("Points with a class, with a measured value and with neither cannot be joined.")
    target = None if data.target is None else read_only(np.append(data.y, more.y))
    return dataclasses.replace(data, X=_inputs(data, more), target=target)


def _with_classes(data: Data, more: Data) -> Data:
    names = list(data.class_names)
    ours = {SIGNS.get(name, name): name for name in names}
    theirs = [ours.get(SIGNS.get(name, name), name) for name in more.class_of_each]
    names += [name for name in dict.fromkeys(theirs) if name not in names]
    if len(names) > MOST_CLASSES:
        raise BadInput(f"Together these points have {len(names)} classes; at most {MOST_CLASSES} are shown.")
    every = [*data.class_of_each, *theirs]
    target = np.array([names.index(name) for name in every], dtype=float)
    task = Task.TWO_CLASSES if len(names) == 2 else Task.CLASSES
    return dataclasses.replace(
        data,
        X=_inputs(data, more),
        target=read_only(2 * target - 1 if task is Task.TWO_CLASSES else target),
        task=task,
        class_names=tuple(names),
        labels=() if len(names) > len(data.class_names) else data.labels,
    )


def _inputs(data: Data, more: Data) -> object:
    if isinstance(data.X, np.ndarray):
        return read_only(np.vstack([data.X, more.X]))
    return (*data.X, *more.X)
