"""What crosses between the window and the worker: frozen requests one way, frozen answers the other."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.analysis.functions import Bump
from kernelviz.engine.analysis.points import PointTable
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.mercer import Mercer
from kernelviz.engine.models.base import Change, Model
from kernelviz.engine.numbers.of_fit import TestNumbers
from kernelviz.engine.numbers.residuals import ResidualTable
from kernelviz.runtime.runs import Trace

END = 2**62  # The step number that means "run to the end".


class Sampling(Protocol):
    """What the worker computes of a model for the eye, such as a field on a grid; a workspace says which."""

    def sample(self, model: Model, coarser: int = 1) -> Generator[None, None, Any]:
        """The sample, `coarser` times as rough as asked for; yields where it may be abandoned."""


@dataclass(frozen=True, eq=False)
class Request:
    """Fit this, draw it there. `step` None asks for the optimum, a number for that step of the algorithm."""

    stamp: int
    data: Data
    fits: tuple[Fit, ...]
    sampling: Sampling
    active: int = 0
    also: tuple[int, ...] = ()  # The fits to be drawn besides the active one, which is served first.
    step: int | None = None
    # A change of kind (kernel, algorithm, data set) preempts; a drag lets the running request show first.
    discrete: bool = True
    held_out: Data | None = None  # Points that are not fitted, to test every fit on.
    verdict: bool = False  # Also check the active kernel against Mercer's condition once the picture is out.

    @property
    def kernel(self) -> Kernel:
        return self.fits[self.active].kernel

    @property
    def algorithm(self) -> Algorithm:
        return self.fits[self.active].algorithm

    @property
    def asked(self) -> tuple[int, ...]:
        """Which fits to draw, in the order of service."""
        return (self.active, *(k for k in self.also if k != self.active))


@dataclass(frozen=True, eq=False)
class Frame:
    """One consistent picture of one fit: the model, the data it was fitted on and its sample."""

    request: Request
    fit: int  # Which of the request's fits it shows.
    model: Model
    sample: Any  # What the request's sampling made of the model.
    table: PointTable
    test: TestNumbers | None  # How the model does on the held-out points, if there are any.
    trace: Trace
    step: int
    change: Change | None
    finished: bool  # Whether the algorithm has ended at this step.
    refined: bool  # Whether the sample has its full resolution.
    seconds: float
    decoration: Any = None  # What the window prepared from this frame on the worker's time (images, paths).

    @property
    def stamp(self) -> int:
        return self.request.stamp

    @property
    def data(self) -> Data:
        return self.request.data


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is worth knowing but takes longer than a picture: the Mercer check of the request's kernel on its
    points, and for a perceptron of moderately many points how many mistakes it can make at most."""

    request: Request
    mercer: Mercer
    mistake_bound: float | None = None
    residuals: ResidualTable | None = None  # Of real targets: what only the hat matrix tells.
    bump: Bump | None = None  # What could be added to the fit without the points noticing.

    @property
    def stamp(self) -> int:
        return self.request.stamp


@dataclass(frozen=True, eq=False)
class Failure:
    """Why a request has no picture, in the user's words; `details` only for programming errors."""

    request: Request
    sentence: str
    details: str = ""
    fit: int = 0
    stopped: bool = False  # Whether it was given up by whoever asked.

    @property
    def kernel(self) -> Kernel:
        return self.request.fits[self.fit].kernel

    @property
    def stamp(self) -> int:
        return self.request.stamp


@dataclass(frozen=True, eq=False)
class Progress:
    """What a long fit is doing, in its own words, while there is nothing to draw yet."""

    request: Request
    words: str

    @property
    def stamp(self) -> int:
        return self.request.stamp


Answer = Frame | Verdict | Failure | Progress


class Pause(Enum):
    """What a pipeline may yield between its answers."""

    LATER = "what follows can wait until editing rests"
