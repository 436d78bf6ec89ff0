"""What an algorithm is: a generator of iterates on a problem.

`steps` is the algorithm as the lecture tells it, one iterate at a time, to be watched. `solve` is the
fastest route to the same answer and yields now and then so that it can be abandoned; by default it is
`steps`. In both the last iterate carries the final model. No callbacks, clocks, threads or prints.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Domain, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.losses import SQUARED_ERROR, ZERO_ONE, Loss
from kernelviz.engine.core.params import Declared, Parameter

if TYPE_CHECKING:
    from kernelviz.engine.kernels.base import Kernel
    from kernelviz.engine.models.base import Model
    from kernelviz.engine.models.problem import Problem
    from kernelviz.engine.solvers.linear.descent import SideBySide


MOST_ROWS = 5000
"""Points an algorithm is given by itself: its Gram matrix has 200 MB, and a solver needs some of them."""

LARGEST_GRAM = 20_000
"""Points whose Gram matrix (3 GB, and up to as much again while solving) a usual machine can still hold."""

INTERPOLATES = 1e-14
"""1 - H_ii below this is nothing: left out, the point could lie anywhere."""

LARGEST_TARGET = 1e100
"""No target beyond this: squares, and sums of them, must still be numbers."""


@dataclass(frozen=True)
class Change:
    """What one step did, in one line for people, with the points it touched."""

    text: str
    points: tuple[int, ...] = ()
    kind: str = "step"
    """"pair", "mistake", "batch", "newton", …: lets a view draw it."""


@dataclass(frozen=True)
class Iterate:
    """One frame of an algorithm's life."""

    step: int
    model: Model
    objectives: Mapping[str, float] = field(default_factory=dict)
    """By name: "primal" (minimised) and "dual" (maximised), as far as the step knows them cheaply."""
    change: Change | None = None
    done: bool = False


class Price(NamedTuple):
    """What a unit of something costs in what is minimised, and the symbols before it in the formula."""

    symbols: str
    value: float


@dataclass(frozen=True)
class Algorithm(Declared):
    """A learning algorithm with declared parameters."""

    tasks: ClassVar[frozenset[Task]] = frozenset({Task.TWO_CLASSES})
    uses_kernel: ClassVar[bool] = True
    needs_both_classes: ClassVar[bool] = True
    """False for algorithms with something sensible to say about a single class."""
    takes_all_rows: ClassVar[bool] = False
    """True when the cost grows with n and not with n²: large files need not be thinned out."""
    order_matters: ClassVar[bool] = False
    """True when the answer depends on the order of the points, as with a stream."""
    ends_at_limit: ClassVar[bool] = False
    """True when stopping after the asked number of rounds is the usual end and no reason to worry."""
    forgets: ClassVar[bool] = False
    """True when a point of weight 0 may be left out and nothing changes."""
    needs_numbers: ClassVar[bool] = False
    """True when inputs that a kernel alone can compare, such as strings, are of no use to it."""
    only_for_classes: ClassVar[frozenset[str]] = frozenset()
    """The names of parameters that say nothing, or have one value only, where targets are real."""
    improvement: ClassVar[str] = ""
    """What `improved` does, as a button says it; empty where there is nothing to improve."""
    latex: ClassVar[str] = ""
    """What is minimised, maximised or done, as LaTeX with the parameters' symbols."""

    @property
    def watchable(self) -> bool:
        """False when `steps` has only one frame or two (closed forms)."""
        return True

    @property
    def ignores_labels(self) -> bool:
        """True for algorithms that describe the inputs alone, so that no point can be misclassified."""
        return Task.NONE in self.tasks

    @classmethod
    def votes_on(cls, task: Task) -> bool:
        """Whether several classes are learnt pair by pair, because the algorithm knows two alone."""
        return task is Task.CLASSES and task not in cls.tasks and Task.TWO_CLASSES in cls.tasks

    @classmethod
    def learns(cls, task: Task, domain: Domain = "vectors") -> bool:
        """Whether it can be asked data of that kind."""
        return (task in cls.tasks or cls.votes_on(task)) and not (cls.needs_numbers and domain != "vectors")

    @classmethod
    def suited_to(cls, task: Task) -> Self:
        """As it is offered for data of that kind: with its defaults, unless some of them need other data."""
        return cls()

    def parameters_for(self, task: Task) -> tuple[Parameter, ...]:
        """What there is to choose for data of that kind, with the values it is offered with as defaults. A
        parameter that does not apply is left out, unless it has a value that does not suit."""
        suited, left_out = self.suited_to(task), self.only_for_classes if task is Task.REGRESSION else ()
        return tuple(
            replace(parameter, default=usual)
            for parameter, usual in zip(self.parameters(), suited.values().values(), strict=True)
            if parameter.name not in left_out or getattr(self, parameter.name) != usual
        )

    @property
    def own_loss(self) -> Loss:
        """What it makes small on the training points; of those that minimise nothing, their mistakes."""
        return ZERO_ONE

    @property
    def loss_of_residuals(self) -> Loss:
        """The same for real targets."""
        return SQUARED_ERROR

    @property
    def weighs_every_point(self) -> bool:
        """True when each point has a weight as a rule, so that none is called a support vector."""
        return False

    def hat(self, problem: Problem) -> Array | None:
        """H with s(x_i) = sum_j H_ij y_j, where the fit is linear in the targets y whatever they are."""
        return None

    def left_out(self, model: Model) -> Array | None:
        """The residual of every point under the fit to all others, r_i/(1 - H_ii) by the hat matrix H; not a
        number where a point alone decides its place."""
        residuals, H = model.residuals, model.hat
        if residuals is None or H is None:
            return None
        rest = 1.0 - H.diagonal()
        return read_only(residuals / np.where(rest > INTERPOLATES, rest, np.nan))

    @property
    def prices(self) -> tuple[Price, Price] | None:
        """Of its own loss, summed over the points, and of ||w||², where it minimises the sum of the two."""
        return None

    def fit_and_complexity(self, model: Model) -> tuple[float, float] | None:
        """The two terms whose sum it minimises: what the points cost, and what ||w||² costs."""
        square = model.squared_norm
        if self.prices is None or square is None:
            return None
        t = model.residuals if model.residuals is not None else model.problem.z * model.training_scores
        with np.errstate(over="ignore"):
            loss = float(model.own_loss.of(t).sum())
        return self.prices[0].value * loss, self.prices[1].value * square

    def terms(self, model: Model) -> tuple[str, str] | None:
        """The formulas of the two."""
        if self.prices is None:
            return None
        return f"{self.prices[0].symbols}Σ {model.own_loss.formula}", f"{self.prices[1].symbols}‖w‖²"

    def in_features(self, problem: Problem) -> Generator[float, None, SideBySide | None] | None:
        """The run beside the same in explicit features, for algorithms that can be run in both: yields the
        share done; nothing is found where the kernel has no finite list of features."""
        return None

    def improved(self, problem: Problem) -> Generator[float, None, tuple[Kernel, Self]]:
        """The kernel and the algorithm with parameters that suit the points better. Yields the share done."""
        raise NotImplementedError

    @abstractmethod
    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        """The algorithm step by step. `start` is an earlier model, of any algorithm and of other data:
        use what helps, ignore the rest."""

    def solve(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        """The fastest route to the last iterate of `steps`."""
        return self.steps(problem, start)

    def fit(self, problem: Problem, start: Model | None = None) -> Model:
        """The final model. Raises BadInput when the problem cannot be posed."""
        self.check(problem)
        final = deque(self.solve(problem, start), maxlen=1)
        return final[0].model

    def most_rows(self, problem: Problem) -> int:
        """How many points window and commands give it, so that it stays well below 2 GB; of more it gets a
        random sample. Whoever calls the library decides for themselves, up to LARGEST_GRAM."""
        return MOST_ROWS

    def check(self, problem: Problem) -> None:
        """BadInput when this algorithm cannot be asked this problem."""
        data = problem.data
        if data.n == 0:
            raise BadInput(f"There are no points yet. Add some{' of both classes' * bool(data.class_names)}.")
        if data.task not in self.tasks:
            wanted = " or ".join(sorted(task.words for task in self.tasks))
            raise BadInput(f"{self.name} needs data with {wanted}; these have {data.task.words}.")
        if data.task is Task.REGRESSION and data.largest_target > LARGEST_TARGET:
            raise BadInput(
                f"The targets are too large to compute with: they may reach {LARGEST_TARGET:g} in size."
            )
        if self.uses_kernel and problem.kernel.domain not in data.checked_for:
            _check_inputs(problem)
            data.checked_for.add(problem.kernel.domain)
        if data.n > LARGEST_GRAM and not self.takes_all_rows:
            raise BadInput(
                f"{self.name} compares all pairs of points: at most {LARGEST_GRAM:,} of them, not "
                f"{data.n:,}. Use some of them, or random-features, which takes them all."
            )
        if data.task is Task.TWO_CLASSES and self.needs_both_classes:
            z = data.z
            if (z == z[0]).all():
                only = data.class_names[int(z[0] > 0)]
                raise BadInput(f"All points are of one class ({only}). Add a point of the other class.")


def _check_inputs(problem: Problem) -> None:
    """BadInput when the kernel does not compare such inputs; of strings it names the kernels that do."""
    try:
        problem.kernel.checked(problem.X)
    except BadInput as refusal:
        if problem.kernel.domain == problem.data.domain or problem.data.domain != "strings":
            raise
        from kernelviz.engine.core.registry import kernels

        *others, last = (name for name, kernel in kernels().items() if kernel.domain == "strings")
        names = f"{', '.join(others)} and {last}"
        raise BadInput(f"{str(refusal).rstrip('.')}; {names} compare strings.") from None
