"""The base class of algorithms: generators of iterates on a problem.

`steps` is the algorithm as taught in the lecture, one iterate at a time, to be watched. `solve` is the
fastest route to the same answer and yields now and then so that it can be abandoned; by default it is
`steps`. In both the last iterate carries the final model. No callbacks, clocks, threads or prints."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from kernelviz.engine.core.data import Task
from kernelviz.engine.core.discovery import discover
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Parameter, choice, integer, real
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.method import Change, Method
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.bounds import bound_numbers
from kernelviz.engine.numbers.of_fit import Number, degrees_of_freedom, numbers
from kernelviz.engine.numbers.roc import roc_numbers

# Points that the window and the commands give an algorithm: a Gram matrix has 200 MB, and a solver needs
# some of them.
MOST_ROWS = 5000
# Points whose Gram matrix (3 GB, and up to as much again while solving) a usual machine can still hold.
LARGEST_GRAM = 20_000


@dataclass(frozen=True)
class Iterate:
    """One frame of a running algorithm: its number, the model at that moment, and what the step changed.

    The last frame is `done`, and its model has a final status; all others have `Status.RUNNING`."""

    step: int
    model: Model
    change: Change | None = None
    done: bool = False

    @classmethod
    def in_closed_form(cls, model: Model, what: str) -> Self:
        """Return the only frame of an algorithm that has nothing to iterate; `what` it computes, in words."""
        return cls(1, model, Change(what, kind="closed form"), done=True)

    @property
    def objectives(self) -> dict[str, float]:
        """The known objectives of its model by name: "primal" (minimised) and "dual" (maximised)."""
        known = zip(("primal", "dual"), self.model.objectives, strict=True)
        return {name: value for name, value in known if value is not None}


@dataclass(frozen=True)
class Algorithm(Method):
    """A learning algorithm with declared parameters, which solves a problem step by step or directly.

    A subclass declares its parameters and implements `steps`; it may override `solve` with a faster route.
    Where there are only weights and an offset to compute, `steps` ends like this:

        model = KernelModel(problem, self, Status.CONVERGED, message, 1, weights=beta, offset=b)
        yield Iterate.in_closed_form(model, "one linear system")

    and `algorithm.fit(Problem(data, kernel))` returns that model."""

    made_by = "kernelviz.algorithm"

    multiclass: str = choice(
        "one-vs-one",
        ("one-vs-one", "one-vs-rest"),
        label="classes",
        help="More than two classes: one classifier for each pair, or for each class against the rest",
        silent=True,
        last=True,
    )

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declared parameters; `multiclass` only where several classes are learnt by two."""
        found = super().parameters()
        return found if cls.votes_on(Task.CLASSES) else tuple(p for p in found if p.name != "multiclass")

    @property
    def against_the_rest(self) -> bool:
        return self.multiclass == "one-vs-rest"

    def numbers_of(self, model: Model) -> dict[str, Number]:
        return numbers(model)

    def summary_of(self, model: Model) -> dict[str, Number]:
        if model.residuals is None:
            return model.numbers | bound_numbers(model) | roc_numbers(model)
        return {**model.numbers, "degrees_of_freedom": degrees_of_freedom(model)}

    def improved(self, problem: Problem) -> Generator[float, None, tuple[Kernel, Self]]:
        """Return the kernel and the algorithm with parameters that suit the points better; yields the
        share done."""
        raise NotImplementedError

    @abstractmethod
    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        """Yield the iterates of the algorithm, one by one.

        `start` is an earlier model of any algorithm and other data: use what helps and ignore the rest."""

    def solve(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        """Yield iterates on the fastest route to the last iterate of `steps`."""
        return self.steps(problem, start)

    def fit(self, problem: Problem, start: Model | None = None) -> Model:
        """Return the final model. Raises BadInput if the algorithm cannot solve the problem."""
        self.check(problem)
        final = deque(self.solve(problem, start), maxlen=1)
        return final[0].model

    def most_rows(self, problem: Problem) -> int:
        """Return the number of points that the window and the commands give it, so that it stays well below 2
        GB; larger data are sampled at random. Callers of the library decide for themselves, up to
        LARGEST_GRAM."""
        return MOST_ROWS

    def _needs_scale(self, kernel: Kernel) -> bool:
        """Return True if K(x, x) may be too small to compute with; that of a bounded stationary one is 1."""
        if not self.uses_kernel or self.takes_any_scale or kernel.domain != "vectors":
            return False
        return not (kernel.stationary and kernel.bounded)

    def check_weights(self) -> None:
        """Raise BadInput if this algorithm cannot give points different weights."""
        if not self.accepts_weights:
            known = discover("kernelviz.engine.algorithms", Algorithm).items()
            *others, last = (name for name, algorithm in known if algorithm.accepts_weights)
            raise BadInput(
                f"{self.name} cannot give points different weights; {', '.join(others)} and {last} can."
            )

    def check(self, problem: Problem) -> None:
        """Raise BadInput if this algorithm cannot solve this problem."""
        data = problem.data
        if data.n == 0:
            raise BadInput(f"There are no points yet. Add some{' of both classes' * bool(data.class_names)}.")
        if data.task not in self.tasks:
            wanted = " or ".join(sorted(task.words for task in self.tasks))
            raise BadInput(f"{self.name} needs data with {wanted}; these have {data.task.words}.")
        if data.weights is not None:
            self.check_weights()
        if self.uses_kernel and problem.kernel.weights_only and not self.takes_weights:
            raise BadInput(
                f"{self.name} needs an inner product, and {problem.kernel} is none: the box kernel gives "
                "weights for nadaraya-watson and density only. Choose rbf, for example."
            )
        if self.uses_kernel and problem.kernel.domain not in data.checked_for:
            _check_inputs(problem)
            data.checked_for.add(problem.kernel.domain)
        smallest_radius = 1e-75  # Of sqrt(max K(x, x)): the squares of kernel values must still be numbers.
        if self._needs_scale(problem.kernel) and 0.0 < problem.radius < smallest_radius:
            raise BadInput(
                "The kernel's values on these points are too small to compute with: the largest K(x, x) is "
                f"{problem.radius**2:.3g}. Bring the inputs to a larger scale."
            )
        if data.n > LARGEST_GRAM and not self.takes_all_rows:
            raise BadInput(
                f"{self.name} compares all pairs of points: at most {LARGEST_GRAM:,} of them, not "
                f"{data.n:,}. Use some of them, or random-features, which takes them all."
            )
        if data.task is Task.TWO_CLASSES and self.needs_both_classes:
            z, weighing = data.z, ""
            if data.weights is not None:
                z, weighing = z[data.weights > 0.0], " with a weight"
            if (z == z[0]).all():
                only = data.class_names[int(z[0] > 0)]
                raise BadInput(
                    f"All points{weighing} are of one class ({only}). Add a point of the other class."
                )


@dataclass(frozen=True)
class StepwiseAlgorithm(Algorithm):
    """An algorithm whose `solve` takes the very steps of `steps`, with fewer frames.

    A subclass implements `run`; the direct and the watched solution are then the same to the last digit."""

    @abstractmethod
    def run(self, problem: Problem, start: Model | None, watched: bool) -> Iterator[Iterate]:
        """Yield every step if it is watched, otherwise only some of them, and the last one always."""

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        return self.run(problem, start, watched=True)

    def solve(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        return self.run(problem, start, watched=False)


def penalty(
    default: float,
    high: float,
    soft: tuple[float, float],
    help: str = "Weight of the penalty ‖w‖²",
    low: float = 1e-6,
) -> Any:
    """Declare λ, the weight of a penalty on the norm."""
    return real(default, low=low, high=high, soft=soft, scale="log", label="λ", help=help, simpler="larger")


def epochs() -> Any:
    """Declare the number of passes over the points."""
    return integer(
        100, low=1, high=10_000, soft=(1, 1000), scale="log", label="epochs", help="Passes over the points"
    )


def batch_size(high: int, silent: bool = False) -> Any:
    """Declare the number of points in a step."""
    return integer(
        10,
        low=1,
        high=high,
        soft=(1, 100),
        scale="log",
        label="batch",
        help="Points in a step",
        silent=silent,
    )


def _check_inputs(problem: Problem) -> None:
    """Raise BadInput if the kernel does not accept such inputs; for strings the message lists those that
    do."""
    try:
        problem.kernel.checked(problem.X)
    except BadInput as refusal:
        if problem.kernel.domain == problem.data.domain or problem.data.domain != "strings":
            raise
        known = discover("kernelviz.engine.kernels", Kernel)
        *others, last = (name for name, kernel in known.items() if kernel.domain == "strings")
        names = f"{', '.join(others)} and {last}"
        raise BadInput(f"{str(refusal).rstrip('.')}; {names} compare strings.") from None
