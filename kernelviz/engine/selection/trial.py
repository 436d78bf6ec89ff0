"""How settings are tried out: the points, how they are left out, and what is known of a setting then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.arrays import Indices
from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.engine.selection.folds import each_point, stratified

__all__ = ["By", "Outcome", "Trial"]

By = Literal["cv", "loo", "likelihood"]
NAN = float("nan")


class Outcome(NamedTuple):
    """What is known of a setting. Errors are means over the folds: shares of mistakes, or of squares."""

    error: float = NAN
    """On the points left out."""
    spread: float = NAN
    """The standard error of their mean: √(Σ (eₖ − error)²/(k − 1)) / √k, eₖ the errors of the k folds."""
    training_error: float = NAN
    """Of the same fits, on the points they were fitted to."""
    true_error: float = NAN
    """Of the same fits, on fresh points of the same distribution."""
    likelihood: float = NAN
    converged: float = NAN
    """1 if all fits were solved, else 0."""


@dataclass(frozen=True, eq=False)
class Trial:
    """The points, how they are left out, and fresh ones where they can be drawn."""

    data: Data
    folds: tuple[Indices, ...]
    by: By = "cv"
    fresh: Data | None = None

    @classmethod
    def of(
        cls, data: Data, algorithm: Algorithm, by: By, folds: int, seed: int, fresh: Data | None = None
    ) -> Trial:
        """BadInput where the points cannot be left out so, or the algorithm cannot be judged so."""
        if algorithm.ignores_labels:
            raise BadInput(
                f"{algorithm.name} is not judged by labels, so that nothing tells which fit is better."
            )
        if data.target is None:
            raise BadInput("These points have no labels, so that nothing tells which fit is better.")
        if by == "likelihood":
            if not isinstance(algorithm, GaussianProcess):
                raise BadInput(f"Only a gaussian-process has a likelihood; {algorithm.name} has none.")
            return cls(data, (), by, fresh)
        return cls(data, each_point(data) if by == "loo" else stratified(data, folds, seed), by, fresh)
