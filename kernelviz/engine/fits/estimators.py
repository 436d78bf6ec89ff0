"""Models that were fitted elsewhere: estimators with the methods of scikit-learn, seen as models of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.frames import is_frame
from kernelviz.engine.fields.field import nodes_of
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.method import Method
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.models.several_classes import ClassPair, MultiClassModel
from kernelviz.engine.numbers.of_fit import Number, numbers

Scores = Callable[[Array], Array]
Asked = Callable[[str, Array], Array]  # What a method answers for some points.
Start = tuple[Problem, Method, Status, str, int]  # The fields that all models have.


class FittedElsewhere(Method):
    """What is known of an algorithm that is not ours: its name, and the numbers that follow from scores."""

    uses_kernel = False
    watchable = False

    def numbers_of(self, model: Model) -> dict[str, Number]:
        return numbers(model)

    summary_of = numbers_of


@dataclass(frozen=True, eq=False, repr=False)
class EstimatorModel(Model):
    """A model with the scores of an estimator."""

    scores: Scores
    vectors: Indices  # The rows of its support vectors.

    def score(self, X: Any) -> Array:
        return np.asarray(self.scores(np.asarray(X, dtype=np.float64)), dtype=np.float64)

    def on_plane(self, x1: Array, x2: Array) -> Array:
        return self.score(nodes_of(x1, x2)).reshape(len(x2), len(x1))

    @property
    def support(self) -> Indices:
        return self.vectors

    @property
    def has_losses(self) -> bool:
        """False: what the estimator minimises is not known, nor the scale of its scores."""
        return False


@dataclass(frozen=True, eq=False, repr=False)
class LabelModel(EstimatorModel):
    """A model of an estimator that answers with labels alone, so that its score is constant in parts."""

    jumps = True


def is_estimator(thing: Any) -> bool:
    """Return True for an object with a method `predict` or `decision_function` that is no model of ours."""
    methods = (getattr(thing, name, None) for name in ("predict", "decision_function"))
    return any(map(callable, methods)) and not isinstance(thing, Model | type)


def estimator_model(estimator: Any, X: Any, target: Any = None) -> Model:
    """Return a fitted estimator as a model of the points X with their classes or real targets; without a
    target it has to be one that scores points by themselves, such as OneClassSVM.

    Scores are those of `decision_function`, else the probabilities of `predict_proba`, for two classes p - ½;
    those whose signs or maxima are not what `predict` answers are left aside for its labels, for two classes
    ±½."""
    classes, name = getattr(estimator, "classes_", None), type(estimator).__name__
    if target is None and classes is not None:
        raise BadInput("Give the labels of the points too: show(estimator, X, y).")
    make = Data.unlabelled if target is None else Data.regression if classes is None else Data.labelled
    data = make(*((X,) if target is None else (X, target)))
    if not data.has_numbers or data.X.shape[1] > 2:
        inputs = f"{data.X.shape[1]} inputs" if data.has_numbers else "strings"
        raise BadInput(f"An estimator is drawn over one or two inputs; these points have {inputs}.")
    framed = is_frame(X) and hasattr(estimator, "feature_names_in_")

    def asked(method: str, points: Array) -> Array:
        """Return what a method answers; columns have the names by which the estimator knows them."""
        return np.asarray(
            getattr(estimator, method)(type(X)(points, columns=X.columns) if framed else points)
        )

    facts = {"name": name, "title": name, "tasks": frozenset({data.task})}
    start = (Problem(data, Linear()), type(name, (FittedElsewhere,), facts)(), Status.CONVERGED, "", 0)
    vectors = _support(estimator, data)
    try:
        if data.class_names:
            model = _classifier(estimator, asked, start, vectors)
        else:
            method = "decision_function" if target is None else "predict"
            model = EstimatorModel(*start, lambda points: asked(method, points).ravel(), vectors)
        if not np.isfinite(model.training_scores).all():
            raise BadInput(f"{name} has no finite score at some of these points.")
    except BadInput:
        raise
    except Exception as problem:  # whatever the code of others raises
        raise BadInput(f"{name} cannot score these points: {problem}") from problem
    return model


def _classifier(estimator: Any, asked: Asked, start: Start, vectors: Indices) -> Model:
    """Return the model of an estimator that knows some classes."""
    data, classes = start[0].data, np.asarray(estimator.classes_).tolist()
    if set(classes) != set(data.labels):
        known = ", ".join(map(str, classes))
        labels = ", ".join(map(str, data.labels))
        raise BadInput(f"The labels are {labels}; {start[1].name} was fitted to {known}.")
    order = [classes.index(label) for label in data.labels]
    two = len(order) == 2

    def of_decision(points: Array) -> Array:
        found = asked("decision_function", points)
        return found[:, order] if found.ndim == 2 else found * float(order[1] - order[0])

    def of_probability(points: Array) -> Array:
        found = asked("predict_proba", points)[:, order]
        return found[:, 1] - 0.5 if two else found

    def of_labels(points: Array) -> Array:
        chosen = asked("predict", points)[:, None] == np.array(classes)[order]
        return np.asarray(chosen[:, 1] - 0.5 if two else chosen, dtype=np.float64)

    def decided(scores: Array) -> Any:
        """Return the classes that scores stand for."""
        return scores > 0 if two else scores.argmax(axis=1)

    scores: Scores = of_labels
    answers = decided(of_labels(data.X))
    for method, found in (("predict_proba", of_probability), ("decision_function", of_decision)):
        if hasattr(estimator, method) and np.array_equal(decided(found(data.X)), answers):
            scores = found
    kind = LabelModel if scores is of_labels else EstimatorModel
    if two:
        return kind(*start, scores, vectors)
    every, latest = np.arange(data.n), _Latest(scores)
    pairs = (
        ClassPair(a, b, every, kind(*start, partial(latest.difference, a, b), vectors))
        for a, b in combinations(range(len(order)), 2)
    )
    return MultiClassModel(*start, tuple(pairs))


class _Latest:
    """The scores of all classes at the places last asked for, which every pair of classes needs."""

    def __init__(self, scores: Scores) -> None:
        self._scores = scores
        self._known: tuple[bytes, Array] = (b"", np.empty((0, 0)))

    def difference(self, a: int, b: int, points: Array) -> Array:
        """Return the score of class b minus that of class a."""
        key = points.tobytes()
        if self._known[0] != key:
            self._known = key, self._scores(points)
        of_all = self._known[1]
        return np.asarray(of_all[:, b] - of_all[:, a])


def _support(estimator: Any, data: Data) -> Indices:
    """Return the rows of its support vectors, if it was fitted to these very points."""
    rows = np.asarray(getattr(estimator, "support_", ()), dtype=np.intp).ravel()
    fitted = len(rows) and rows.max() < data.n and hasattr(estimator, "support_vectors_")
    same = fitted and np.array_equal(data.X[rows], estimator.support_vectors_)
    return rows if same else np.empty(0, dtype=np.intp)
