"""Messages between the window and the worker: frozen requests one way, frozen answers the other."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Protocol

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.analysis.functions import Bump
from kernelviz.engine.analysis.points import PointTable, point_table
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.mercer import Mercer
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.method import Change
from kernelviz.engine.numbers.of_fit import ResidualTable, TestNumbers
from kernelviz.runtime.runs import Trace

END = 2**62  # The step number that means "run to the end".


class Sampling(Protocol):
    """What the worker computes from a model for display, such as a field on a grid; it depends on the
    workspace."""

    def sample(self, model: Model, coarser: int = 1) -> Generator[None, None, Any]:
        """Return the sample, `coarser` times as coarse as declared; yield where the work may be cancelled."""


@dataclass(frozen=True, eq=False)
class Request:
    """A request to fit and to sample. `step`: None for the optimum, or a step of the algorithm."""

    stamp: int
    data: Data
    fits: tuple[Fit, ...]
    sampling: Sampling
    active: int = 0
    also: tuple[int, ...] = ()  # The fits to draw in addition to the active one, which comes first.
    step: int | None = None
    # A change of kernel, algorithm or data set preempts; in a drag the running request is finished first.
    discrete: bool = True
    held_out: Data | None = None  # Points kept out of training, to test every fit on.
    verdict: bool = False  # Also check Mercer's condition for the active kernel after the picture.

    @property
    def kernel(self) -> Kernel:
        return self.fits[self.active].kernel

    @property
    def algorithm(self) -> Algorithm:
        return self.fits[self.active].algorithm

    @property
    def asked(self) -> tuple[int, ...]:
        """The fits to draw, in this order."""
        return (self.active, *(k for k in self.also if k != self.active))


@dataclass(frozen=True, eq=False)
class Reply:
    """An answer to a request."""

    request: Request

    @property
    def stamp(self) -> int:
        """The stamp of the request."""
        return self.request.stamp


@dataclass(frozen=True, eq=False)
class Frame(Reply):
    """A consistent picture of one fit: the model, the data it was fitted to and its sample."""

    fit: int  # Which of the request's fits it shows.
    model: Model
    sample: Any  # The result of the request's sampling.
    test: TestNumbers | None  # The numbers on held-out points, if there are any.
    trace: Trace
    step: int
    change: Change | None
    finished: bool  # Whether the algorithm has ended at this step.
    refined: bool  # Whether the sample has its full resolution.
    seconds: float
    decoration: Any = None  # Images and paths that were prepared from this frame on the worker's thread.

    @property
    def data(self) -> Data:
        return self.request.data

    @cached_property
    def table(self) -> PointTable:
        """The numbers of every training point, computed when a view first asks for them."""
        return point_table(self.model)


@dataclass(frozen=True, eq=False)
class Verdict(Reply):
    """Facts that take longer than a picture: the Mercer check of the kernel on the points, and for a
    perceptron with moderately many points the largest number of mistakes it can make."""

    mercer: Mercer
    mistake_bound: float | None = None
    residuals: ResidualTable | None = None  # For real targets: the numbers that need the hat matrix.
    bump: Bump | None = None  # A function that can be added to the fit without changing it at the points.


@dataclass(frozen=True, eq=False)
class Failure(Reply):
    """The reason why a request has no picture, in the user's words; `details` only for errors in the
    program."""

    sentence: str
    details: str = ""
    fit: int = 0
    stopped: bool = False  # Whether the user cancelled it.

    @property
    def kernel(self) -> Kernel:
        return self.request.fits[self.fit].kernel


@dataclass(frozen=True, eq=False)
class Progress(Reply):
    """The progress of a long fit while there is nothing to draw yet."""

    words: str


Answer = Frame | Verdict | Failure | Progress


class Pause(Enum):
    """A pause that a pipeline may yield between its answers."""

    LATER = "the rest can wait until the user stops editing"
