"""The result of a fit: a score function s(x), its numbers, and how the fit ended."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, Indices, read_only, without_results
from kernelviz.engine.core.data import Data, Task, misclassified
from kernelviz.engine.core.displayed import Displayed
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.frames import arranged
from kernelviz.engine.core.losses import Loss, epsilon_insensitive
from kernelviz.engine.models.method import Method
from kernelviz.engine.models.problem import Problem

SURELY = 4.0  # A score has a sign if it is larger than this times its error.
FIVE_DIGITS = 1e-5  # The share of a number that rounding may change if the number is to be shown.
FAINT_SCORE = 1e-11  # Of the largest score: a solver may leave up to this where the score is 0.


@dataclass(frozen=True, eq=False)
class Mark:
    """A layer the algorithm declares.

    `xy` is (m, 2). "point": m labelled spots; "around": m points to be framed, whose numbers are `values`;
    "line": one polyline; "segments": pairs of rows;
    "handle": m places that can be dragged (`Method.with_handle`);
    "wave": rows (frequency, and phase in `values`) of random-feature bases cos(w·x + phase)."""

    kind: Literal["point", "around", "line", "segments", "handle", "wave"]
    xy: Array
    label: str
    values: Array | None = None
    side: int = 0  # -1, 0 or +1: the class it belongs to, for its colour.
    of_class: int | None = None  # The same among more than two classes, which are numbered from 0.


class Status(StrEnum):
    """How a fit ended."""

    CONVERGED = "converged"
    RUNNING = "running"
    NOT_SEPARABLE = "not separable"
    LIMIT = "stopped at the limit"


@dataclass(frozen=True, eq=False, repr=False)
class Model(Displayed):
    """The result of a fit: a score s(x), the prediction sgn s(x), and how the fit ended.

    A model is frozen and its arrays are read-only, so that it can be used from any thread. `alpha`, `beta`,
    `b` and `support` are None (or empty) for models that are not kernel expansions.

        model = kernelviz.fit(X, z, "rbf(gamma=2)", "soft-margin-svm(C=10)")
        model.score(X_new)                     # (m,) real numbers
        model.predict(X_new)                   # (m,) labels as they were given
        model.summary()["training_error"]      # one of the numbers of the JSON output

    A subclass implements `score` and `on_plane`, and overrides what it knows better."""

    problem: Problem
    algorithm: Method
    status: Status
    message: str
    iterations: int

    __getstate__ = without_results

    def __repr__(self) -> str:
        """Return one line with the algorithm, the kernel, the number of points and how the fit ended."""
        kernel = f" with {self.problem.kernel}" if self.algorithm.uses_kernel else ""
        return f"<{type(self).__name__}: {self.algorithm}{kernel} on {self.problem.n} points, {self.status}>"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the inputs: those of a data frame or a file, else x1, x2, …"""
        return self.problem.data.columns

    def arranged(self, X: Any) -> Any:
        """Return the columns of a data frame in the order of those fitted, and anything else as it is."""
        return arranged(X, self.columns)

    @abstractmethod
    def score(self, X: Any) -> Array:
        """Return s(x) for every row of X, of shape (m,), or (m, classes) for more than two classes."""

    def on_grid(self, x1: Array, x2: Array) -> Array:
        """Return s on the grid, of shape (len(x2), len(x1)); with a single input it is the same at every
        height.

        For a flat model it is one number, as otherwise rounding errors would be drawn."""
        if self.flat:
            level = 0.0 if self.zero_everywhere else float(self.training_scores.mean())
            return np.full((len(x2), len(x1)), level)
        if np.shape(self.problem.data.X)[1:] == (1,):
            return np.repeat(self.score(x1[:, None])[None], len(x2), axis=0)
        return self.on_plane(x1, x2)

    @abstractmethod
    def on_plane(self, x1: Array, x2: Array) -> Array:
        """Return s on a grid of two inputs."""

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Return the label of every row of X in the type in which labels were given.

        Of two labels it is the larger where s(x) > 0 and else the smaller, also exactly on the boundary.
        (A point on the boundary counts as misclassified all the same, whatever its label.) Without labels
        it is sgn s(x), for real targets s(x) itself.

        A Gaussian process also returns the standard deviations of f, (m,), if `return_std`, or their
        covariances, (m, m), if `return_cov`: (prediction, deviation)."""
        if return_std and return_cov:
            raise BadInput(
                "Ask for return_std or for return_cov, not for both: one is the root of the other's diagonal."
            )
        if return_std or return_cov:
            spread = self.deviation(X) if return_std else self.covariance(X)
            if spread is None:
                raise BadInput(f"{self.algorithm.name} has no standard deviations; gaussian-process has.")
            return self.predict(X), spread
        data = self.problem.data
        if data.task is Task.REGRESSION:
            return self.score(X)
        codes = self.codes(X)
        if data.task is Task.NONE or self.algorithm.ignores_labels:
            return codes
        return np.take(data.answers, np.maximum(codes, 0.0).astype(int))

    def predict_proba(self, X: Any) -> Array:
        """Return the probability of each class at every row of X, (m, classes), in the order of
        `data.class_names`; BadInput if the algorithm estimates none."""
        if (
            self.problem.data.task not in (Task.TWO_CLASSES, Task.CLASSES)
            or not self.algorithm.has_probabilities
        ):
            raise BadInput(
                f"{self.algorithm} estimates no probabilities here; logistic and nearest-neighbours do, "
                "for classes."
            )
        return self._probabilities(X)

    def _probabilities(self, X: Any) -> Array:
        """Return the same for an algorithm that is known to estimate them."""
        s = self.score(X)
        return np.stack([self.algorithm.probabilities(side) for side in (-s, s)], axis=-1)  # type: ignore[misc]

    def codes(self, X: Any) -> Array:
        """Return the predictions in the codes of `Data.target`: sgn s(x), or the index of one of several
        classes."""
        return np.sign(self.score(X))

    @cached_property
    def mistakes(self) -> NDArray[np.bool_] | None:
        """Return which training points are misclassified, among them those on the boundary as far as rounding
        can distinguish; None without classes, without a classifier, or if no score has a sign."""
        if self.problem.data.task is not Task.TWO_CLASSES or not self.is_classifier or self.zero_everywhere:
            return None
        undecided = self.without_sign
        if len(undecided) and undecided.all():
            return None
        return misclassified(self.problem.z, self.training_scores) | undecided

    @cached_property
    def training_error(self) -> float | None:
        """The share of the training points that are misclassified, or None without a classifier."""
        return None if self.mistakes is None or not len(self.mistakes) else float(self.mistakes.mean())

    @cached_property
    def without_sign(self) -> NDArray[np.bool_]:
        """Which training scores are so small that another way to compute them may change their sign."""
        return self.lost_signs(self.problem.data, self.training_scores)

    def lost_signs(self, data: Data, scores: Array) -> NDArray[np.bool_]:
        """Return which scores of some points are so small that another way to compute them may change their
        sign; none if that is not known."""
        errors = SURELY * self.score_errors(data.X)
        return np.asarray((np.abs(scores) <= errors) & np.greater(errors, 0.0))

    @property
    def zero_everywhere(self) -> bool:
        """Whether s is 0 up to rounding, so that no point is assigned to a class."""
        return self.flat and bool(self.ties.all())

    @cached_property
    def is_classifier(self) -> bool:
        """Whether it assigns points to classes: not if it ignores the labels, or if no solution was found,
        such as a hard margin where there is none or a run before its first step."""
        return not self.algorithm.ignores_labels and not self.found_nothing

    @property
    def found_nothing(self) -> bool:
        """Whether there is no score, because none was found or none yet."""
        return self.status in (Status.NOT_SEPARABLE, Status.RUNNING) and not self.training_scores.any()

    @property
    def has_losses(self) -> bool:
        """True if z s(x) has a meaning: not for a model without labels, nor if no margin was found.

        Before the first step of a run s = 0, and every loss is that of 0."""
        if self.problem.data.task is not Task.TWO_CLASSES or self.algorithm.ignores_labels:
            return False
        return not (self.found_nothing and self.status is Status.NOT_SEPARABLE)

    @cached_property
    def fitted_values(self) -> Array | None:
        """The values from 0 to 1 on the training points, or None if the model estimates no probability."""
        if self.problem.data.task is not Task.TWO_CLASSES:
            return None
        return self.algorithm.probabilities(self.training_scores)

    def values_at(self, X: Any) -> Array | None:
        """Return the values from 0 to 1 at every row of X, or None if the model estimates no probability."""
        return None if self.fitted_values is None else self.algorithm.probabilities(self.score(X))

    @cached_property
    def ties(self) -> NDArray[np.bool_]:
        """Which training scores are zero up to rounding, so that the model does not decide there."""
        return np.asarray(np.abs(self.training_scores) <= SURELY * self.score_errors(self.problem.X))

    @property
    def own_loss(self) -> Loss:
        """The loss the algorithm minimises on data of this kind."""
        if self.problem.data.task is not Task.REGRESSION:
            return self.algorithm.own_loss
        return self.algorithm.loss_of_residuals if self.tube is None else epsilon_insensitive(self.tube)

    @cached_property
    def residuals(self) -> Array | None:
        """y_i - s(x_i) on the training points, or None without real targets."""
        if self.problem.data.task is not Task.REGRESSION:
            return None
        return read_only(self.problem.y - self.training_scores)

    @cached_property
    def hat(self) -> Array | None:
        """H with s(x_i) = sum_j H_ij y_j, or None if s is not linear in the targets or there are too many
        points."""
        too_many = 1000  # the matrix takes eigenvectors
        if self.problem.data.target is None or self.problem.n > too_many:
            return None
        return self.algorithm.hat(self.problem)

    @cached_property
    def left_out(self) -> Array | None:
        """y_i - s(x_i) with s the fit to all other points, which is r_i/(1 - H_ii), or None if there is no
        fast way to compute it; nan where a point alone determines its score."""
        if self.residuals is None or self.hat is None:
            return None
        found = None if self.beta is None else self.algorithm.left_out(self.problem, self.beta)
        if found is not None:
            return found
        rest, nothing = 1.0 - self.hat.diagonal(), 1e-14  # then, left out, the point could lie anywhere
        return read_only(self.residuals / np.where(rest > nothing, rest, np.nan))

    @property
    def fit_and_complexity(self) -> tuple[float, float] | None:
        """The two terms whose sum the algorithm minimises, if it does: what the points and ||w||² cost."""
        prices, square = self.algorithm.prices, self.squared_norm
        if prices is None or square is None:
            return None
        t = self.residuals if self.residuals is not None else self.problem.z * self.training_scores
        with np.errstate(over="ignore"):
            loss = self.problem.data.total(self.own_loss.of(t))
        of_tube = self.algorithm.price_of_tube(self.problem.n) * (self.tube or 0.0)
        return prices[0].value * loss + of_tube, prices[1].value * square

    @property
    def formulas_of_terms(self) -> tuple[str, str] | None:
        """The formulas of these two terms."""
        prices = self.algorithm.prices
        if prices is None:
            return None
        return f"{prices[0].symbols}Σ {self.own_loss.formula}", f"{prices[1].symbols}‖w‖²"

    @property
    def objectives(self) -> tuple[float | None, float | None]:
        """The primal and the dual objective, each None where the algorithm defines none."""
        return None, None

    @property
    def violation(self) -> float | None:
        """The largest KKT violation that the solver ended with, or None without such conditions."""
        return None

    @property
    def accepted(self) -> float | None:
        """The KKT violation at which the solver may stop."""
        return None

    @property
    def log_marginal_likelihood(self) -> float | None:
        """ln p(y | X), if the model is a distribution of functions."""
        return None

    @property
    def tube(self) -> float | None:
        """epsilon of the tube s(x) ± epsilon inside which a residual costs nothing, or None."""
        return None

    def deviation(self, X: Any) -> Array | None:
        """Return the standard deviation of the function f at every row of X, or None if the model has none.

        It is that of f(x) itself: a new observation there has the noise in addition."""
        return None

    def covariance(self, X: Any) -> Array | None:
        """Return the covariance of f(x) and f(x') for all pairs of rows of X, or None if there is none."""
        return None

    def draws(self, X: Any, count: int, seed: int = 0, prior: bool = False) -> Array | None:
        """Return (count, len(X)) values of functions drawn from the posterior or the prior, or None if there
        is none.

        The same seed draws the same standard normals, so that the functions move as smoothly as the data."""
        return None

    jumps: ClassVar[bool] = False  # True when s is constant in parts.

    @property
    def flat(self) -> bool:
        """Whether s is the same everywhere up to rounding."""
        return False

    @cached_property
    def accuracy(self) -> float:
        """The largest difference of a score from that of the exact solution: smaller scores count as 0."""
        size = np.abs(self.training_scores)
        known = FAINT_SCORE * float(np.fmax.reduce(size, axis=None, initial=0.0))  # where there is a score
        tied = float(size[self.ties].max(initial=0.0)) if self.ties.shape == size.shape else 0.0
        reached = self.violation if self.converged else None  # meaningless before the end
        return max(known, tied, reached or 0.0)

    @cached_property
    def training_scores(self) -> Array:
        """s(x_i) on the training points."""
        return read_only(self.score(self.problem.X))

    @property
    def converged(self) -> bool:
        """Whether the algorithm reached its solution to the tolerance asked for."""
        return self.status is Status.CONVERGED

    @property
    def alpha(self) -> Array | None:
        """The weights |beta_i| >= 0 of the training points, of shape (n,)."""
        return None

    @property
    def beta(self) -> Array | None:
        """The signed weights of s(x) = b + sum_i beta_i K(x_i, x), of shape (n,)."""
        return None

    @property
    def b(self) -> float | None:
        """The offset."""
        return None

    @property
    def squared_norm(self) -> float | None:
        """||w||² in the space where the score is linear, or None if it is linear in none."""
        return None

    @property
    def norm_doubt(self) -> float:
        """The error that rounding may have left in `squared_norm`."""
        return 0.0

    def score_errors(self, X: Any) -> Array | float:
        """Return by how much rounding may have changed s(x) for each row of X; 0 if that is not known."""
        return 0.0

    @property
    def radius(self) -> float:
        """R = max_i |phi(x_i)| in the space of `squared_norm`."""
        return self.problem.radius

    @property
    def support(self) -> Indices:
        """The indices of the support vectors, the points with a weight other than 0, in ascending order."""
        return np.empty(0, dtype=np.intp)

    @property
    def box(self) -> Array | None:
        """The upper bounds of alpha, if the dual has a box."""
        return None

    def inner_products(self, X: Any, rows: Indices) -> Array:
        """Return phi(x)·phi(x_i) for some of the training points, the values that beta weights."""
        return self.problem.kernel(X, self.problem.data.subset(rows).X)

    @cached_property
    def numbers(self) -> dict[str, float | int | None]:
        """The numbers of math.md by name; None for those that do not apply."""
        return self.algorithm.numbers_of(self)

    def summary(self) -> dict[str, float | int | None]:
        """Return the numbers, and those that take longer than the time between two frames."""
        return self.algorithm.summary_of(self)

    def marks(self) -> tuple[Mark, ...]:
        """Return the marks the algorithm draws besides points, field and contours (means, bases, …)."""
        return ()
