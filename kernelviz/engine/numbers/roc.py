"""A classifier at other thresholds: the 2x2 table of a threshold, and the ROC curve of all of them.

A point is called + where s(x) > t. The area under the curve is the share of pairs of a + and a − that s puts
in the right order, so that it does not depend on t."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.certain import THREE_DIGITS
from kernelviz.engine.core.data import Task
from kernelviz.engine.models.base import FAINT_SCORE, Model


@dataclass(frozen=True, eq=False)
class Roc:
    """The share of − called + and the share of + called + for every threshold t, where s(x) > t is called +.

    The first threshold calls no point +, the last one all of them; points of equal score are called alike."""

    thresholds: Array
    false_positive: Array
    true_positive: Array
    area: float  # Under the curve: the probability that a + has a larger score than a −, ties counting ½.


def roc(scores: Array, z: Array, errors: Array | float = 0.0) -> Roc | None:
    """Return the ROC curve of scores of points with labels z = ±1, or None unless both classes occur.

    errors: of each score, where they are known; the score of a point far away may be so large that all others
    would count as equal beside it."""
    plus = int(np.count_nonzero(z > 0))
    if not 0 < plus < len(z) or not np.isfinite(scores).all():
        return None
    order = np.argsort(-scores, kind="stable")
    s, positive = scores[order], z[order] > 0
    # The last of each group of scores that are equal, but for what a solver may leave.
    size = np.abs(s)
    faint = np.full(len(s) - 1, FAINT_SCORE * size.max())
    if np.ndim(errors):
        own = np.asarray(errors)[order] + FAINT_SCORE * size
        faint = np.minimum(faint, own[:-1] + own[1:])
    last = np.append(np.flatnonzero(-np.diff(s) > faint), len(s) - 1)
    called = np.cumsum(positive)[last]
    minus, above = len(z) - plus, np.append(0, called)
    fallen = np.diff(last + 1 - called, prepend=0)
    # Pairs are counted, not shares added: a perfect order has exactly 1.
    area = float(fallen @ (above[1:] + above[:-1])) / (2 * plus * minus)
    true, false = called / plus, (last + 1 - called) / minus
    # Half-way to the next score, so that a threshold is none of the scores.
    between = 0.5 * (s[last][:-1] + s[last][1:])
    ends = (np.nextafter(s[0], np.inf), *between, np.nextafter(s[-1], -np.inf))
    return Roc(np.array(ends), np.append(0.0, false), np.append(0.0, true), area)


def roc_numbers(model: Model) -> dict[str, float | int | None]:
    """Return the area under the ROC curve of the training points by its name; nothing unless there are two
    classes, None without a classifier of them."""
    data = model.problem.data
    if data.task is not Task.TWO_CLASSES:
        return {}
    if not model.is_classifier:
        return {"roc_area": None}
    return {"roc_area": known_area(model.training_scores, data.z, model.score_errors(data.X))}


def known_area(scores: Array, z: Array, errors: Array | float) -> float | None:
    """Return the area under the ROC curve, or None unless both classes occur, or if errors of the scores may
    change it visibly."""
    found = roc(scores, z, errors)
    # Of the largest score: errors below this change the order only of points that tie, such as equal ones.
    ordered = 1e-9
    if found is None or np.max(errors, initial=0.0) <= ordered * np.abs(scores).max():
        return None if found is None else found.area
    best, worst = (roc(scores + side * errors * z, z, errors) for side in (1.0, -1.0))
    if best is None or worst is None or best.area - worst.area > THREE_DIGITS:
        return None
    return found.area


def confusion(scores: Array, z: Array, threshold: float = 0.0) -> Indices:
    """Return the 2x2 table of counts: the true class in rows (− first), the class called in columns.

    A point is called + where its score is above the threshold."""
    called, true = scores > threshold, z > 0
    return np.array([[np.count_nonzero((true == t) & (called == c)) for c in (False, True)] for t in (0, 1)])
