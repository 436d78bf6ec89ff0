"""The prototype method: the nearer class mean wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.models.base import Change, Mark, Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem

HIDDEN = 4e-13  # Relative to the largest |K|: scores of which rounding leaves less than about three digits.


@dataclass(frozen=True)
class Prototype(Algorithm):
    """s(x) = ½ ||φ(x) - m₋||² - ½ ||φ(x) - m₊||², m± the mean of φ over a class.

    Linear in feature space: β_i = z_i / (size of its class), b = ½ (||m₋||² - ||m₊||²)."""

    name = "prototype"
    family = "Means and neighbours"
    place = 0
    title = "Prototype (nearest mean)"
    summary_line = "Each class is its mean in feature space; the nearer mean wins."
    latex = (
        r"s(x) = \tfrac12 \lVert \phi(x) - m_-\rVert^2 - \tfrac12 \lVert \phi(x) - m_+\rVert^2,"
        r"\quad m_\pm = \frac{1}{n_\pm} \sum_{z_i = \pm 1} \phi(x_i)"
    )
    watchable = False

    @property
    def weighs_every_point(self) -> bool:
        return True

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        z = problem.z
        plus, minus = (z > 0) / np.count_nonzero(z > 0), (z < 0) / np.count_nonzero(z < 0)
        to_plus, to_minus = problem.gram @ plus, problem.gram @ minus
        b = 0.5 * float(minus @ to_minus - plus @ to_plus)
        scores = to_plus - to_minus + b
        status, message = Status.CONVERGED, "Each point goes to the nearer of the two class means."
        if not np.abs(scores).max() > HIDDEN * np.abs(problem.gram).max():
            status, message = Status.LIMIT, "The two class means coincide, as far as rounding can tell."
        model = KernelModel(
            problem,
            self,
            status,
            message,
            1,
            weights=plus - minus,
            offset=b,
            extra_marks=_means(problem),
            known_scores=scores,
        )
        yield Iterate(1, model, change=Change("the means of both classes", kind="closed form"), done=True)


def _means(problem: Problem) -> tuple[Mark, ...]:
    """Return the class means in the plane, which are the prototypes for the linear kernel."""
    X, z, names = problem.X, problem.z, problem.data.class_names
    if not isinstance(X, np.ndarray) or X.shape[1] != 2:
        return ()
    return tuple(
        Mark("point", X[z == side].mean(axis=0, keepdims=True), f"mean of {name}", side=side)
        for side, name in zip((-1, 1), names, strict=True)
    )
