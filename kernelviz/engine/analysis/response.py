"""A kernel seen from one or more places."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.data import Data
from kernelviz.engine.kernel_model import KernelModel
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.model import Status
from kernelviz.engine.problem import Problem

__all__ = ["response", "unfitted"]


def response(kernel: Kernel, centres: Any, algorithm: Algorithm) -> KernelModel:
    """Σ_c K(c, ·) as if it had been fitted."""
    problem = Problem(Data.unlabelled(centres), kernel)
    return KernelModel(problem, algorithm, Status.CONVERGED, "", 0, np.ones(problem.n), 0.0, blur=None)


def unfitted(data: Data, kernel: Kernel, algorithm: Algorithm) -> KernelModel:
    """The score 0 of points without a fit: what needs but the kernel can be seen of them all the same."""
    return KernelModel(Problem(data, kernel), algorithm, Status.LIMIT, "", 0, np.zeros(data.n), 0.0)
