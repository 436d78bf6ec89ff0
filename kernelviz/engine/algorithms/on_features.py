"""Linear models on explicit features: features chosen by hand, or random cosines of a kernel.

s(x) = b + w·φ(x) with φ: (n, p) -> (n, q). The cost grows with n and q, not with n², so that all rows of a
large table can be used."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np

from kernelviz.engine.algorithms.base import Iterate, StepwiseAlgorithm, penalty
from kernelviz.engine.algorithms.linear_models import linear_fit, loss_choice
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.losses import HINGE, LOGISTIC, SQUARED, Loss
from kernelviz.engine.core.params import choice, flag, integer, random_seed
from kernelviz.engine.kernels.features import FeatureMap, plain_monomials
from kernelviz.engine.kernels.random_features import RandomCosines
from kernelviz.engine.models.base import Mark, Model, Status
from kernelviz.engine.models.features import FeatureModel
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.method import Method, Price
from kernelviz.engine.models.problem import Problem


@dataclass(frozen=True)
class LinearOnFeatures(StepwiseAlgorithm):
    """s(x) = b + w·phi(x) for explicit features phi, (n, p) -> (n, q).

    A subclass defines phi by `map_for`, and by `loss` the loss (logistic, ridge or hinge) and the weight λ of
    ||w||²."""

    family = "Explicit features"
    takes_all_rows = True
    needs_numbers = True
    tasks = frozenset({Task.TWO_CLASSES, Task.REGRESSION})
    only_for_classes = frozenset({"model"})

    @abstractmethod
    def map_for(self, problem: Problem) -> FeatureMap:
        """Return phi for the problem's inputs, or raise BadInput."""

    @abstractmethod
    def loss(self) -> tuple[str, float]:
        """Return the loss, "logistic", "ridge" or "hinge", and the weight λ of the penalty."""

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
        """Return F (F'F + λI)⁻¹ F' for ridge, with centred features and targets if there is a b."""
        kind, lam = self.loss()
        if kind != "ridge":
            return None
        Phi = self.map_for(problem)(problem.X)
        F = Phi - Phi.mean(axis=0) if self.has_offset else Phi
        U, sizes, _ = np.linalg.svd(F, full_matrices=False)
        H = (U * (sizes**2 / (sizes**2 + lam))) @ U.T
        return np.asarray(H + 1.0 / problem.n if self.has_offset else H)

    @property
    def prices(self) -> tuple[Price, Price] | None:
        kind, lam = self.loss()
        return {
            "ridge": (Price("", 1.0), Price("λ", lam)),
            "logistic": (Price("", 1.0), Price("λ/2 ", 0.5 * lam)),
        }.get(kind)

    def feature_marks(self, features: FeatureMap) -> tuple[Mark, ...]:
        """Return the marks that show the features in the plane."""
        return ()

    def most_rows(self, problem: Problem) -> int:
        # Of a matrix of features, points times features: with what a fit makes of it, 1.2 GB.
        entries = 50_000_000
        return entries // max(1, self.map_for(problem).q)

    def check(self, problem: Problem) -> None:
        if not isinstance(problem.X, np.ndarray):
            raise BadInput(f"{self.name} needs inputs that are numbers.")
        super().check(problem)
        kind = self.loss()[0]
        if problem.data.task is Task.REGRESSION and kind != "ridge":
            raise BadInput(f"The {kind} loss needs classes; for numbers choose {self.name}(model=ridge).")
        if kind != "ridge" and not self.has_offset:
            raise BadInput(f"Only ridge can do without b; choose {self.name}(model=ridge, offset=false).")
        self.map_for(problem)

    def run(self, problem: Problem, start: Model | None, watched: bool) -> Iterator[Iterate]:
        features = self.map_for(problem)
        Phi = features(problem.X)
        model = partial(
            FeatureModel, problem, self, features=features, extra_marks=self.feature_marks(features)
        )
        earlier = start if isinstance(start, FeatureModel) and type(start.algorithm) is type(self) else None
        yield from linear_fit(model, Phi, problem.y, *self.loss(), earlier, watched, self.has_offset)


@dataclass(frozen=True)
class FeatureMapClassifier(LinearOnFeatures):
    """s(x) = b + w·φ(x) for features φ chosen by hand; the kernel is not used."""

    name = "feature-map"
    place = 6
    title = "Explicit features"
    summary_line = "Transform the inputs, then fit a linear model; no kernel."
    latex = r"s(x) = b + w \cdot \phi(x)"
    uses_kernel = False

    features: str = choice(
        "squares",
        ("coordinates", "squares", "polar", "monomials"),
        label="features",
        help="The coordinates, their squares, radius and angle, or all monomials up to the degree",
    )
    degree: int = integer(
        3, low=1, high=10, label="degree", help="Highest degree of the monomials", simpler="smaller"
    )
    model: str = loss_choice()
    lam: float = penalty(0.01, 1e4, (1e-5, 1e2))
    offset: bool = flag(
        True, label="Offset b", help="Fit b, which is not penalised; only ridge can omit it", silent=True
    )

    @property
    def has_offset(self) -> bool:
        return self.offset

    @classmethod
    def suited_to(cls, task: Task) -> Self:
        """Use a polynomial for real targets."""
        return cls("monomials", model="ridge") if task is Task.REGRESSION else cls()

    def map_for(self, problem: Problem) -> FeatureMap:
        return feature_list(self.features, problem.X.shape[1], self.degree)

    def loss(self) -> tuple[str, float]:
        return self.model, self.lam


def feature_list(features: str, p: int, degree: int) -> FeatureMap:
    """Return one of the feature lists, for inputs of p columns.

    features: "coordinates" (x itself), "squares", "polar" (radius and angle in (-π, π], for two columns) or
    "monomials" up to the degree."""
    if features == "polar":
        if p != 2:
            raise BadInput(f"Polar coordinates need two columns; the inputs have {p}.")
        return FeatureMap((r"\rho", r"\theta"), _radius_and_angle)
    if features == "squares":
        return FeatureMap(tuple(f"x_{{{j + 1}}}^2" for j in range(p)), np.square)
    if features == "coordinates":
        degree = 1
    found = plain_monomials(p, degree)
    if found is None:
        raise BadInput(f"There are too many monomials of degree {degree} in {p} columns. Lower the degree.")
    return found


def _radius_and_angle(X: Array) -> Array:
    return np.column_stack([np.hypot(X[:, 0], X[:, 1]), np.arctan2(X[:, 1], X[:, 0])])


@dataclass(frozen=True)
class RandomFeatures(LinearOnFeatures):
    """s(x) = b + Σ_j w_j sqrt(2/q) cos(ω_j·x + u_j), ω_j from the kernel's spectral density, u_j uniform."""

    name = "random-features"
    other_names = ("rff", "random-fourier")
    place = 7
    title = "Random features (kitchen sinks)"
    summary_line = "A linear model on random waves that stand in for the kernel."
    latex = (
        r"s(x) = b + \sqrt{\tfrac{2}{q}} \sum_{j=1}^{q} w_j \cos(\omega_j \cdot x + u_j),"
        r"\quad \omega_j \sim \hat K,\ u_j \sim U[0, 2\pi]"
    )

    q: int = integer(
        100, low=1, high=1000, scale="log", label="q", help="Number of random cosines", simpler="smaller"
    )
    model: str = loss_choice()
    lam: float = penalty(0.01, 1e4, (1e-5, 1e2))
    seed: int = random_seed("Draw other cosines")
    phases: bool = flag(
        True,
        label="Phases",
        help="Shift each wave by a random phase; without phases every fit has s(x) = s(−x)",
        silent=True,
    )

    def map_for(self, problem: Problem) -> FeatureMap:
        rng = np.random.Generator(np.random.PCG64(self.seed))
        return RandomCosines.draw(problem.kernel, problem.X, self.q, rng, shifted=self.phases)

    def loss(self) -> tuple[str, float]:
        return self.model, self.lam

    def feature_marks(self, features: FeatureMap) -> tuple[Mark, ...]:
        assert isinstance(features, RandomCosines)
        if features.frequencies.shape[1] != 2:
            return ()
        return (Mark("wave", features.frequencies, "random cosines", values=features.phases),)


def exact_limit(problem: Problem, algorithm: Method, lam: float) -> KernelModel:
    """Return the limit of least squares on random features as q grows: min sum_i (y_i - s(x_i))² + lam
    |w|² with the kernel itself and b without penalty."""
    n = problem.n
    y = problem.data.target
    assert y is not None
    system = np.ones((n + 1, n + 1))
    system[:n, :n] = problem.gram + lam * np.eye(n)
    system[n, n] = 0.0
    solved = np.linalg.solve(system, np.append(y, 0.0))
    return KernelModel(problem, algorithm, Status.CONVERGED, "", 1, solved[:n], float(solved[n]))
