"""What crosses between the window and the worker: frozen requests one way, frozen answers the other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Change
from kernelviz.engine.analysis.mercer import Mercer
from kernelviz.engine.analysis.points import PointTable
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.fields.contours import ContourLines
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.model import Model
from kernelviz.runtime.trace import Trace

__all__ = ["END", "Answer", "Failure", "Frame", "Grid", "Pause", "Request", "Verdict"]

END = 2**62
"""The step number that means "run to the end"."""


@dataclass(frozen=True)
class Grid:
    """Where the field is sampled: `columns` x `rows` nodes from edge to edge of a rectangle."""

    left: float
    right: float
    bottom: float
    top: float
    columns: int = 200
    rows: int = 200

    def axes(self, factor: int = 1) -> tuple[Array, Array]:
        """x1 and x2 of the nodes, `factor` times coarser in each direction."""
        return (
            np.linspace(self.left, self.right, max(2, self.columns // factor)),
            np.linspace(self.bottom, self.top, max(2, self.rows // factor)),
        )


@dataclass(frozen=True, eq=False)
class Request:
    """Fit this, draw it there. `step` None asks for the optimum, a number for that step of the algorithm."""

    stamp: int
    data: Data
    kernel: Kernel
    algorithm: Algorithm
    grid: Grid
    step: int | None = None
    discrete: bool = True
    """A change of kind (kernel, algorithm, data set) preempts; a drag lets the running request show first."""
    verdict: bool = False
    """Also check the kernel against Mercer's condition once the picture is out."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One consistent picture: the model, the data it was fitted on and its field."""

    request: Request
    model: Model
    x1: Array
    x2: Array
    field: Array | None
    """s at the nodes, (rows, columns); (classes, rows, columns) for several classes; None without a plane."""
    lines: ContourLines
    table: PointTable
    trace: Trace
    step: int
    change: Change | None
    finished: bool
    """Whether the algorithm has ended at this step."""
    refined: bool
    """Whether the field has its full resolution."""
    seconds: float
    decoration: Any = None
    """What the window prepared from this frame on the worker's time (images, paths)."""

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

    @property
    def stamp(self) -> int:
        return self.request.stamp


@dataclass(frozen=True, eq=False)
class Failure:
    """Why a request has no picture, in the user's words; `details` only for programming errors."""

    request: Request
    sentence: str
    details: str = ""

    @property
    def stamp(self) -> int:
        return self.request.stamp


Answer = Frame | Verdict | Failure


class Pause(Enum):
    """What a pipeline may yield between its answers."""

    LATER = "what follows can wait until nobody is in a hurry"
