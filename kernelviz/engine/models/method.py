"""An algorithm as its models see it: a model knows the loss, the price of the norm and the numbers of the
algorithm that made it, but not how it solves a problem."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Domain, Task
from kernelviz.engine.core.losses import SQUARED_ERROR, ZERO_ONE, Loss
from kernelviz.engine.core.params import Declared, Parameter
from kernelviz.engine.models.problem import Problem


@dataclass(frozen=True)
class Change:
    """The effect of one step as a line of text, with the points it changed, by their rows.

    kind: "start", "pair", "mistake", "batch", "newton", "closed form" or "end"; a view may draw each
    differently."""

    text: str
    points: tuple[int, ...] = ()
    kind: str = "step"


class Price(NamedTuple):
    """The cost of one unit of a quantity in the objective, and the symbols before it in the formula."""

    symbols: str
    value: float


@dataclass(frozen=True)
class Method(Declared):
    """An algorithm as its models and the views see it: the data it learns from, the objective it minimises,
    and the numbers it reports. `Algorithm` adds the solving.

    The facts below are declared by subclasses and have defaults that fit most of them."""

    tasks: ClassVar[frozenset[Task]] = frozenset({Task.TWO_CLASSES})
    uses_kernel: ClassVar[bool] = True
    # True when the kernel need not be an inner product, because its values are weights of a mean.
    takes_weights: ClassVar[bool] = False
    # True when only ratios or the order of kernel values matter, so that these may be of any size.
    takes_any_scale: ClassVar[bool] = False
    # False for algorithms with something sensible to say about a single class.
    needs_both_classes: ClassVar[bool] = True
    # True when the cost grows with n and not with n²: large files need not be thinned out.
    takes_all_rows: ClassVar[bool] = False
    # True when the answer depends on the order of the points, as with a stream.
    order_matters: ClassVar[bool] = False
    # True when stopping after the asked number of rounds is the usual end and no reason to worry.
    ends_at_limit: ClassVar[bool] = False
    # True when it multiplies the loss of every point by its weight.
    accepts_weights: ClassVar[bool] = False
    forgets: ClassVar[bool] = False  # True when a point of weight 0 may be left out and nothing changes.
    # True when inputs that a kernel alone can compare, such as strings, are of no use to it.
    needs_numbers: ClassVar[bool] = False
    counts_mistakes: ClassVar[bool] = False  # True when every mistake on a point adds one to its weight.
    # The names of parameters that say nothing, or have one value only, where targets are real.
    only_for_classes: ClassVar[frozenset[str]] = frozenset()
    # What `improved` does, as a button says it; empty where there is nothing to improve.
    improvement: ClassVar[str] = ""
    latex: ClassVar[str] = ""  # The objective or the rule of a step, as LaTeX with the parameters' symbols.

    @property
    def watchable(self) -> bool:
        """False if `steps` has only one or two frames, as closed forms do."""
        return True

    @property
    def has_offset(self) -> bool:
        """True if b is fitted, or s is a mean of targets; otherwise s falls to 0 far from the points."""
        return True

    @property
    def ignores_labels(self) -> bool:
        """True for algorithms that describe the inputs alone, so that no point can be misclassified."""
        return Task.NONE in self.tasks

    @classmethod
    def votes_on(cls, task: Task) -> bool:
        """Return True if several classes are learnt pair by pair, because the algorithm handles two
        classes only."""
        return task is Task.CLASSES and task not in cls.tasks and Task.TWO_CLASSES in cls.tasks

    @property
    def against_the_rest(self) -> bool:
        """True if several classes are learnt each against the rest, and not pair by pair."""
        return False

    @classmethod
    def learns(cls, task: Task, domain: Domain = "vectors") -> bool:
        """Return True if it can be fitted to data of that kind."""
        return (task in cls.tasks or cls.votes_on(task)) and not (cls.needs_numbers and domain != "vectors")

    @classmethod
    def suited_to(cls, task: Task) -> Self:
        """Return the algorithm as offered for data of that kind: its defaults, adapted where the data need
        it."""
        return cls()

    def parameters_for(self, task: Task) -> tuple[Parameter, ...]:
        """Return the parameters to choose for data of that kind, with the values offered as defaults. A
        parameter that does not apply is left out, unless it has an unsuitable value."""
        suited, left_out = self.suited_to(task), self.only_for_classes if task is Task.REGRESSION else set()
        left_out = left_out if self.votes_on(task) else left_out | {"multiclass"}
        return tuple(
            replace(parameter, default=usual)
            for parameter, usual in zip(self.parameters(), suited.values().values(), strict=True)
            if parameter.name not in left_out or getattr(self, parameter.name) != usual
        )

    @property
    def own_loss(self) -> Loss:
        """The loss it minimises on the training points; for algorithms that minimise nothing, the
        mistakes."""
        return ZERO_ONE

    @property
    def loss_of_residuals(self) -> Loss:
        """The loss it minimises for real targets, a function of y - s(x)."""
        return SQUARED_ERROR

    @property
    def weighs_every_point(self) -> bool:
        """True if normally every point has a weight, so that none is called a support vector."""
        return False

    def hat(self, problem: Problem) -> Array | None:
        """Return H with s(x_i) = sum_j H_ij y_j if the fit is linear in the targets y, else None."""
        return None

    def left_out(self, problem: Problem, beta: Array) -> Array | None:
        """Return the residual of every point under the fit to all others by the weights of the fit to all, if
        that is more exact than by `hat`; else None."""
        return None

    @property
    def prices(self) -> tuple[Price, Price] | None:
        """The prices of its loss, summed over the points, and of ||w||², if it minimises their sum."""
        return None

    def price_of_tube(self, n: int) -> float:
        """Return the price of the half-width of a tube that is fitted to n points."""
        return 0.0

    def probabilities(self, scores: Array) -> Array | None:
        """Return scores of two classes as values from 0 to 1 that estimate the probability of class +, or
        None if they estimate none. Least squares may leave that range."""
        estimate = self.own_loss.probability
        return None if estimate is None else estimate(scores)

    @property
    def has_probabilities(self) -> bool:
        """True if these values are probabilities, and never leave the range from 0 to 1."""
        return self.own_loss.estimate == "p" and self.probabilities(np.zeros(1)) is not None

    def with_handle(self, handle: int, place: Array) -> Self:
        """Return the method after one of the handles among its marks, by its row, was dragged to a place."""
        return self

    def mistake_bound(self, problem: Problem) -> float | None:
        """Return the largest number of mistakes it can make on these points, infinite if nothing separates
        them, or None for an algorithm that does not learn from mistakes."""
        return None

    def in_features(self, problem: Problem) -> Generator[float, None, Any] | None:
        """Run the algorithm together with its version in explicit features, if it has one; yields the
        share done. Returns nothing if the kernel has no finite list of features."""
        return None

    @abstractmethod
    def numbers_of(self, model: Any) -> dict[str, float | int | None]:
        """Return the numbers of a model it has made, by their names in math.md; what does not apply is
        None."""

    @abstractmethod
    def summary_of(self, model: Any) -> dict[str, float | int | None]:
        """Return the numbers, and those that take longer than the time between two frames."""
