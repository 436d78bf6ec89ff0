"""What algorithms with explicit features share: transform, then fit a linear model."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate, Price
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Task
from kernelviz.engine.errors import BadInput
from kernelviz.engine.feature_model import FeatureModel
from kernelviz.engine.features import FeatureMap
from kernelviz.engine.losses import HINGE, LOGISTIC, SQUARED, Loss
from kernelviz.engine.marks import Mark
from kernelviz.engine.model import Model
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.linear_fits import LinearFit, linear_fits

__all__ = ["LinearOnFeatures"]

ENTRIES = 50_000_000
"""Of a matrix of features, points times features: with what a fit makes of it, 1.2 GB."""


@dataclass(frozen=True)
class LinearOnFeatures(Algorithm):
    """s(x) = b + w·phi(x); a subclass says what phi is, which loss is meant, and the penalty's weight."""

    family = "Explicit features"
    takes_all_rows = True
    needs_numbers = True
    tasks = frozenset({Task.TWO_CLASSES, Task.REGRESSION})
    only_for_classes = frozenset({"model"})

    @abstractmethod
    def map_for(self, problem: Problem) -> FeatureMap:
        """phi for the problem's inputs, or BadInput."""

    @abstractmethod
    def loss(self) -> tuple[str, float]:
        """(logistic, ridge or hinge; lam)."""

    @classmethod
    def suited_to(cls, task: Task) -> Self:
        return cls(**{"model": "ridge"}) if task is Task.REGRESSION else cls()

    @property
    def watchable(self) -> bool:
        return self.loss()[0] != "ridge"

    @property
    def own_loss(self) -> Loss:
        return {"logistic": LOGISTIC, "ridge": SQUARED}.get(self.loss()[0], HINGE)

    @property
    def weighs_every_point(self) -> bool:
        return self.own_loss is not HINGE

    def hat(self, problem: Problem) -> Array | None:
        """About its mean the fit of ridge is F (F'F + λI)⁻¹ F' y, F the features about theirs."""
        kind, lam = self.loss()
        if kind != "ridge":
            return None
        Phi = self.map_for(problem)(problem.X)
        U, sizes, _ = np.linalg.svd(Phi - Phi.mean(axis=0), full_matrices=False)
        return np.asarray((U * (sizes**2 / (sizes**2 + lam))) @ U.T + 1.0 / problem.n)

    @property
    def prices(self) -> tuple[Price, Price] | None:
        kind, lam = self.loss()
        return {
            "ridge": (Price("", 1.0), Price("λ", lam)),
            "logistic": (Price("", 1.0), Price("λ/2 ", 0.5 * lam)),
        }.get(kind)

    def feature_marks(self, features: FeatureMap) -> tuple[Mark, ...]:
        """What of the features can be drawn."""
        return ()

    def most_rows(self, problem: Problem) -> int:
        return ENTRIES // max(1, self.map_for(problem).q)

    def check(self, problem: Problem) -> None:
        if not isinstance(problem.X, np.ndarray):
            raise BadInput(f"{self.name} needs inputs that are numbers.")
        super().check(problem)
        kind = self.loss()[0]
        if problem.data.task is Task.REGRESSION and kind != "ridge":
            raise BadInput(f"The {kind} loss needs classes; for numbers choose {self.name}(model=ridge).")
        self.map_for(problem)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        return self._run(problem, start, watched=True)

    def solve(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        return self._run(problem, start, watched=False)

    def _run(self, problem: Problem, start: Model | None, watched: bool) -> Iterator[Iterate]:
        features = self.map_for(problem)
        Phi = features(problem.X)
        marks = self.feature_marks(features)
        earlier = start if isinstance(start, FeatureModel) and type(start.algorithm) is type(self) else None
        for fit in linear_fits(Phi, problem.y, *self.loss(), earlier, watched):
            known = zip(("primal", "dual"), fit.objectives, strict=True)
            objectives = {name: value for name, value in known if value is not None}
            model = self._model(problem, features, fit, marks)
            yield Iterate(fit.step, model, objectives, fit.change, fit.done)

    def _model(
        self, problem: Problem, features: FeatureMap, fit: LinearFit, marks: tuple[Mark, ...]
    ) -> FeatureModel:
        return FeatureModel(
            problem,
            self,
            fit.status,
            fit.message,
            fit.iterations,
            features=features,
            weights=fit.w,
            offset=fit.b,
            objectives=fit.objectives,
            dual=fit.dual,
            upper=fit.upper,
            violation=fit.violation,
            extra_marks=marks,
            memory=fit.memory,
        )
