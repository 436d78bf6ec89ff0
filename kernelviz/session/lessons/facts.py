"""The facts behind checks: the names a check may use, and their values in a state.

Fits are made when a check needs them, unless the window hands over the models it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.sgd import KernelSGD
from kernelviz.engine.analysis.functions import taylor_sums
from kernelviz.engine.analysis.kernel_pca import kernel_pca
from kernelviz.engine.analysis.points import point_table
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.core.params import Declared, Parameter
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.fits.solve import algorithm_for, fit_data
from kernelviz.engine.kernels.dot_products import Exponential
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.kernels.mercer import MOST_JUDGED, mercer
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.declared import NUMBERS
from kernelviz.engine.numbers.of_fit import on_held_out
from kernelviz.engine.selection.assess import assess
from kernelviz.engine.selection.folds import Trial
from kernelviz.session.lessons.language import Pointer, Type, Value, Vocabulary
from kernelviz.session.lessons.state import LAST_STEP, LAYERS, VIEWS, LessonState, read_parameter
from kernelviz.session.state import Document
from kernelviz.session.view_listing import set_views

REFUSED = "refused"  # The status of a fit that cannot be asked these data.


# Numbers of the group "slow": insight views show them, and no summary has them -------------------------
FOLDS, SEED = 5, 0  # Of the cross-validation, as *Model selection* begins.


def _smallest_eigenvalue(problem: Problem, algorithm: Algorithm) -> float:
    """Return the smallest eigenvalue of the Gram matrix, 0 within rounding (*Gram matrix*)."""
    verdict = mercer(problem.gram) if problem.n <= MOST_JUDGED else None
    if verdict is None:
        raise BadInput(f"Eigenvalues are for at most {MOST_JUDGED} points.")
    return 0.0 if abs(verdict.smallest) <= verdict.rounding else verdict.smallest


def _features(problem: Problem, algorithm: Algorithm) -> float | None:
    """Return the number of features of the kernel; None if they are infinitely many (*Feature space*)."""
    X = problem.X
    features = problem.kernel.feature_map(X.shape[1]) if isinstance(X, np.ndarray) else None
    return None if features is None else features.q


def _taylor_degree(problem: Problem, algorithm: Algorithm) -> float | None:
    """Return the degree from which on the Taylor sums of the Gaussian or the exponential are close to it at
    all pairs of points (*Kernel response*)."""
    close = 0.01  # Difference of a Taylor sum from the kernel that cannot be seen.
    most_degrees = 200
    kernel, X = problem.kernel, problem.X
    if not isinstance(kernel, Gaussian | Exponential) or not isinstance(X, np.ndarray):
        return None
    sums = np.stack([taylor_sums(kernel, X, centre, most_degrees) for centre in X], axis=1)
    far = np.flatnonzero((np.abs(sums - problem.gram) > close).any(axis=(1, 2)))
    return float(far[-1] + 1) if far.size else 0.0


def _component_error(problem: Problem, algorithm: Algorithm) -> float:
    """Return the share of points that the sign of the first component puts into the wrong class (*Kernel
    PCA*)."""
    wrong = float(np.mean(problem.data.z * kernel_pca(problem, 1).projections[:, 0] <= 0))
    return min(wrong, 1.0 - wrong)


def _validation_error(problem: Problem, algorithm: Algorithm) -> float:
    """Return the mean error on points left out of five fits (*Model selection*)."""
    trial = Trial.of(problem.data, algorithm, "cv", FOLDS, SEED)
    return float(assess(trial, [Fit(problem.kernel, algorithm)])[0].error)


def _primal_difference(problem: Problem, algorithm: Algorithm) -> float | None:
    """Return the largest difference of scores, at any point and step, between a descent in weights of points
    and the same in weights of features (*Convergence*)."""
    both = finished(algorithm.in_features(problem)) if isinstance(algorithm, KernelSGD) else None
    return None if both is None else both.difference


SLOW: Mapping[str, Callable[[Problem, Algorithm], float | None]] = {
    "smallest_eigenvalue": _smallest_eigenvalue,
    "features": _features,
    "taylor_degree": _taylor_degree,
    "component_error": _component_error,
    "validation_error": _validation_error,
    "primal_difference": _primal_difference,
}


# Names -------------------------------------------------------------------------------------------------
def _kinds(declared: Mapping[str, type[Declared]], whose: str) -> dict[str, Type]:
    """Return the types of `whose.parameter` for all parameters of all declared classes, views included."""
    types: dict[str, Type] = {}
    for kind in declared.values():
        for parameter in kind.parameters():
            types.setdefault(f"{whose}.{parameter.name}", parameter.kind.values_are)
            for view in parameter.views:
                types |= {f"{whose}.{name}": "number" for name in view.names}
    return types


@cache
def _names() -> Mapping[str, Type]:
    numbers = (*NUMBERS, "n", "n_plus", "n_minus", "step", "b")
    return {
        **dict.fromkeys(numbers, "number"),
        **dict.fromkeys(("kernel", "algorithm", "data", "workspace", "status"), "word"),
        **_kinds(registry.kernels(), "kernel"),
        **_kinds(registry.algorithms(), "algorithm"),
        **_kinds(registry.datasets(), "data"),
        **{f"view.{name}": "truth" for name in VIEWS},
        **{f"layer.{name}": "truth" for name in LAYERS},
        **{f"view.{view}.{p.name}": p.kind.values_are for view, p in _switches()},
    }


def _switches() -> Iterator[tuple[str, Parameter]]:
    for view, kind in set_views().items():
        yield from ((view, parameter) for parameter in kind.parameters())


@cache
def _words() -> Mapping[str, tuple[str, ...]]:
    return {f"view.{view}.{p.name}": p.options for view, p in _switches() if p.options}


def vocabulary(points: tuple[str, ...] = ()) -> Vocabulary:
    """Return all names a check may use, with the points that a stage gives names to."""
    return Vocabulary(_names(), points=points, words=_words())


# Facts -------------------------------------------------------------------------------------------------
class StateFacts:
    """The facts of one state. models: those of its fits where they are known; None means fit when asked."""

    def __init__(self, state: LessonState, models: tuple[Model | None, ...] | None = None) -> None:
        self.state = state
        self._models: dict[int, Model | None] = dict(enumerate(models or ()))
        self._numbers: dict[int, dict[str, Any]] = {}
        # How far each run is watched: of a run that ends before the step asked for, its last step.
        self._steps = dict.fromkeys(self._models, state.step or 0)

    def value(self, name: str, fit: int | None) -> Value:
        document = self.state.document
        if name in self._of_the_data:
            return self._of_the_data[name]
        if name.startswith("view."):
            _, view, *switch = name.split(".")
            return self.state.switch(view, switch[0]) if switch else view in self.state.views
        if name.startswith("layer."):
            return self.state.layer(name.removeprefix("layer."))
        if name.startswith("data."):
            made = self._data_set
            return None if made is None else read_parameter(made, name.removeprefix("data."))
        if (k := self._fit(fit)) is None:
            return None
        if name.startswith("kernel."):
            return read_parameter(document.fits[k].kernel, name[7:])
        if name.startswith("algorithm."):
            return read_parameter(document.fits[k].algorithm, name[10:])
        if name in ("kernel", "algorithm"):
            kind = getattr(document.fits[k], name)
            return kind.name or ("composed" if name == "kernel" else None)
        if name in SLOW:
            chosen = document.fits[k]
            try:
                return SLOW[name](Problem(document.data, chosen.kernel), chosen.algorithm)
            except BadInput:
                return None
        model = self.model(k)
        if name == "step":
            return None if self.state.step is None or k not in self._steps else float(self._steps[k])
        if name == "b":
            return None if model is None or model.b is None else float(model.b)
        if name == "status":
            return REFUSED if model is None else str(model.status)
        return None if model is None else self._number(k, model, name)

    @cached_property
    def _of_the_data(self) -> dict[str, Value]:
        document, data = self.state.document, self.state.document.data
        two = data.task is Task.TWO_CLASSES
        plus = int(np.count_nonzero(data.z > 0)) if two else None
        return {
            "n": float(data.n),
            "n_plus": None if plus is None else float(plus),
            "n_minus": None if plus is None else float(data.n - plus),
            "workspace": document.workspace.name,
            "data": document.source.partition("(")[0].strip() or None,
        }

    @cached_property
    def _data_set(self) -> Declared | None:
        try:
            return parse_dataset(self.state.document.origin)
        except BadInput:
            return None

    def _fit(self, fit: int | None) -> int | None:
        """Return the number of the fit, or None if there are fewer fits."""
        document = self.state.document
        found = document.active if fit is None else fit
        return found if found < len(document.fits) else None

    @property
    def models(self) -> tuple[Model | None, ...]:
        """The models of all fits."""
        return tuple(map(self.model, range(len(self.state.document.fits))))

    def model(self, k: int) -> Model | None:
        """Return the model of a fit, or None if it refuses these data."""
        if k not in self._models:
            self._models[k], self._steps[k] = fitted(self.state, k)
        return self._models[k]

    def _number(self, k: int, model: Model, name: str) -> float | None:
        known = self._numbers.setdefault(k, dict(model.numbers))
        if name not in known and name.startswith("test_"):
            held = self.state.document.held_out
            known |= on_held_out(model, held.data).summary() if held is not None else {}
        elif name not in known:
            known |= model.summary()
        found = known.get(name)
        return None if found is None else float(found)

    def of_point(self, which: Pointer, attribute: str, fit: int | None) -> float | None:
        row, k = self.state.row(which), self._fit(fit)
        if row is None or k is None:
            return None
        if attribute in ("x", "y"):
            return _place(self.state.document, row, attribute == "y")
        if attribute == "selected":
            return float(self.state.look is not None and row in self.state.look.selection)
        model = self.model(k)
        if model is None or model.found_nothing:
            return None
        if attribute == "sd":
            deviation = model.deviation(model.problem.data.subset([row]).X)
            return None if deviation is None else float(deviation[0])
        column = (
            model.beta
            if attribute == "beta"
            else getattr(point_table(model), {"s": "score"}.get(attribute, attribute))
        )
        return None if column is None or column.ndim > 1 else float(column[row])

    def entry(self, first: Pointer, second: Pointer, fit: int | None) -> float | None:
        i, j, k = self.state.row(first), self.state.row(second), self._fit(fit)
        if i is None or j is None or k is None:
            return None
        document = self.state.document
        try:
            both = [document.data.subset([row]).X for row in (i, j)]
            return float(document.fits[k].kernel(*both)[0, 0])
        except BadInput:
            return None


def fitted(state: LessonState, k: int) -> tuple[Model | None, int]:
    """Return (model, step to which its run is watched) of a fit; no model if it refuses the data."""
    document = state.document
    fit = document.fits[k]
    try:
        if state.step is None:
            return fit_data(document.data, fit.kernel, fit.algorithm), 0
        problem = Problem(document.data, fit.kernel)
        algorithm = algorithm_for(document.data, fit.algorithm)
        algorithm.check(problem)
        model, step = None, 0
        for iterate in algorithm.steps(problem):
            model, step = iterate.model, iterate.step
            if step >= min(state.step, LAST_STEP):
                break
        return model, step
    except BadInput:
        return None, 0


def _place(document: Document, row: int, up: bool) -> float | None:
    if not document.data.has_numbers:
        return None
    return float(document.workspace.positions(document.data)[row, int(up)])
